import CCrypto

/// Secret bytes: compared in constant time, never shown as text, and overwritten when the last copy of the
/// key is released.
public struct SecretKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The memory shared by a key and its copies.
    // Safe: the memory belongs to this object alone, and nothing but `wipe` changes it after the init.
    @safe
    final class Storage: @unchecked Sendable {
        private let memory: UnsafeMutableBufferPointer<UInt8>

        init(_ octets: [UInt8]) {
            // Safe: the memory has room for all of them, and is freed once, by the deinit.
            unsafe memory = .allocate(capacity: octets.count)
            _ = unsafe memory.initialize(from: octets)
        }

        deinit {
            wipe()
            // Safe: nobody else has the memory, and bytes need no deinitialization.
            unsafe memory.deallocate()
        }

        // Safe: all of the memory was initialized.
        var octets: [UInt8] { unsafe Array(memory) }

        /// Overwrites the bytes in a way that compilers can't optimize away.
        func wipe() {
            // Safe: the count is that of the memory.
            unsafe OPENSSL_cleanse(memory.baseAddress, memory.count)
        }
    }

    let storage: Storage

    /// The key itself, most significant byte first: a copy, which is not overwritten after use.
    public var octets: [UInt8] { storage.octets }

    public init(_ octets: [UInt8]) { storage = Storage(octets) }

    public static func == (left: Self, right: Self) -> Bool {
        ConstantTime.equal(left.octets, right.octets)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(octets) }

    public var description: String { "\(octets.count) secret octets" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Comparison whose duration does not depend on the position of the first difference.
public enum ConstantTime {
    /// Whether both hold the same bytes.
    ///
    /// The lengths themselves are not secret.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        // Safe: both arrays are borrowed for the call, and their lengths were found equal.
        return unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }
}
