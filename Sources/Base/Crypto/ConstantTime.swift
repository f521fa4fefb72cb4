import CCrypto

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
