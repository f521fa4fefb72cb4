import CCrypto

/// Comparison that takes as long for bytes that differ early as for bytes that differ late.
public enum ConstantTime {
    /// Whether both hold the same bytes; the lengths themselves are no secret.
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
