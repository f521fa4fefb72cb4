import BluetoothCore
import WireBytes

/// What a 16-bit UUID names as a service.
enum ServiceText {
    /// Appends the name of a service that is defined, after a space; in parentheses that of the member that
    /// the number was assigned to, which says whose it is and not what.
    ///
    /// Numbers of other organizations (0xFFF0 and its like) stay without one: most devices that have them
    /// are by makers who never asked for a number.
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
