import BluetoothCore
import WireBytes

/// Names of 16-bit service UUIDs.
enum ServiceText {
    /// Appends a service's name after a space; for a number assigned to a member, the member's name in
    /// parentheses, since it names the owner and not the service.
    ///
    /// Numbers of other organizations (such as 0xFFF0) get no name: most devices that use them are of vendors
    /// without an assigned number.
    static func put(nameOf uuid: UInt16, into out: inout TextBuffer) {
        if let name = AssignedNumbers.service(uuid) {
            put(name, into: &out)
        } else if let name = AssignedNumbers.serviceClass(uuid) {
            put(name, into: &out)
        } else if let name = AssignedNumbers.memberService(uuid) {
            put(owner: name, into: &out)
        }
    }

    private static func put(_ name: RawSpan, into out: inout TextBuffer) {
        out.put(0x20)
        out.put(name)
    }

    private static func put(owner name: RawSpan, into out: inout TextBuffer) {
        out.put(" (")
        out.put(name)
        out.put(")")
    }
}
