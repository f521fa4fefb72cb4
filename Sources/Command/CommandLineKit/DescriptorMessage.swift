import Glibc

/// Descriptors as the control data of a message of one byte (SCM_RIGHTS, unix(7)).
enum DescriptorMessage {
    /// Most descriptors per message.
    static let most = 4
    /// A control message's header (cmsghdr): its length in a word, then level and type.
    private static let headLength = MemoryLayout<Int>.size + 8

    /// The control data that passes the descriptors.
    static func control(for descriptors: [Int32]) -> [UInt8] {
        let length = headLength + 4 * descriptors.count
        let word = MemoryLayout<Int>.alignment
        var octets = [UInt8](repeating: 0, count: (length + word - 1) / word * word)
        put(length, at: 0, in: &octets)
        put(SOL_SOCKET, at: headLength - 8, in: &octets)
        put(Int32(SCM_RIGHTS), at: headLength - 4, in: &octets)
        for (index, descriptor) in descriptors.enumerated() {
            put(descriptor, at: headLength + 4 * index, in: &octets)
        }
        return octets
    }

    /// The descriptors passed in control data.
    static func descriptors(in control: ArraySlice<UInt8>) -> [Int32] {
        let octets = Array(control)
        guard octets.count >= headLength, get(Int32.self, at: headLength - 8, in: octets) == SOL_SOCKET,
            get(Int32.self, at: headLength - 4, in: octets) == Int32(SCM_RIGHTS)
        else { return [] }
        let end = min(octets.count, get(Int.self, at: 0, in: octets))
        return stride(from: headLength, through: end - 4, by: 4).map { get(Int32.self, at: $0, in: octets) }
    }

    private static func put<T: FixedWidthInteger & BitwiseCopyable>(
        _ value: T, at place: Int, in octets: inout [UInt8]
    ) {
        // Safe: the callers made room for it; the bytes of an integer are copied.
        unsafe octets.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: value, toByteOffset: place, as: T.self)
        }
    }

    private static func get<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, at place: Int, in octets: [UInt8]
    ) -> T {
        // Safe: the callers checked that it lies within the bytes, and any bytes are a valid integer.
        unsafe octets.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: T.self) }
    }

    /// Calls `body` with a message of one byte and this control data.
    static func withMessage(_ control: inout [UInt8], _ body: (inout msghdr) -> Int) -> Int {
        var octet: UInt8 = 0
        // Safe: the memory that the message points to outlives `body`, and only `body` uses it.
        return unsafe control.withUnsafeMutableBytes { control in
            unsafe withUnsafeMutableBytes(of: &octet) { octet in
                var part = unsafe iovec(iov_base: octet.baseAddress, iov_len: 1)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe body(&message)
                }
            }
        }
    }
}
