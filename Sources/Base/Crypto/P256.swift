import CCrypto

/// Elliptic curve Diffie-Hellman on P-256, as LE Secure Connections pairing uses it.
///
/// Coordinates and keys are most significant byte first. Source: Vol 2, Part H, 7.6; FIPS 186-4, D.1.2.3.
public enum P256 {
    /// Length of a private key and of a coordinate, in bytes.
    public static let length = 32

    /// Returns the public key of a private key: x and y, 32 bytes each.
    ///
    /// The private key comes from the caller's source of randomness, so that a replay can repeat it. A key
    /// that is 0 or not below the curve's order throws ``CryptoError/invalidKey``.
    public static func publicKey(of privateKey: [UInt8]) throws(CryptoError) -> (x: [UInt8], y: [UInt8]) {
        try multiply(privateKey, point: nil)
    }

    /// Returns the shared secret: the x coordinate of the product, 32 bytes.
    ///
    /// Throws ``CryptoError/invalidKey`` if (x, y) is not a point on the curve, as the Core Specification
    /// demands (Vol 3, Part H, 2.3.5.6.1).
    public static func sharedSecret(
        privateKey: [UInt8], x: [UInt8], y: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard x.count == length, y.count == length else { throw .inputLength(x.count) }
        return try multiply(privateKey, point: (x, y)).x
    }

    /// Whether (x, y), 32 bytes each, is a point on the curve (Vol 3, Part H, 2.3.5.6.1).
    public static func isPoint(x: [UInt8], y: [UInt8]) throws(CryptoError) -> Bool {
        // With the factor 1, the product is the point itself.
        let one = [UInt8](repeating: 0, count: length - 1) + [1]
        do {
            _ = try sharedSecret(privateKey: one, x: x, y: y)
            return true
        } catch .invalidKey { return false }
    }

    private static func multiply(
        _ scalar: [UInt8], point: (x: [UInt8], y: [UInt8])?
    ) throws(CryptoError) -> (x: [UInt8], y: [UInt8]) {
        guard scalar.count == length else { throw .keyLength(scalar.count) }
        // Safe: every object made here is owned by this function and freed by the defers; every array
        // handed over is 32 bytes long, as its length argument says.
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
            throw .fromLibrary()
        }
        defer { unsafe EC_GROUP_free(group) }
        guard let factor = unsafe BN_secure_new(), let order = unsafe EC_GROUP_get0_order(group) else {
            throw .fromLibrary()
        }
        defer { unsafe BN_clear_free(factor) }
        unsafe BN_set_flags(factor, BN_FLG_CONSTTIME)
        guard unsafe BN_bin2bn(scalar, CInt(length), factor) != nil, unsafe BN_is_zero(factor) == 0,
            unsafe BN_cmp(factor, order) < 0
        else { throw .invalidKey }
        guard let product = unsafe EC_POINT_new(group) else { throw .fromLibrary() }
        defer { unsafe EC_POINT_clear_free(product) }
        if let point {
            unsafe try multiply(factor, point: point, into: product, in: group)
        } else {
            try CryptoError.check(unsafe EC_POINT_mul(group, product, factor, nil, nil, nil))
        }
        return unsafe try coordinates(of: product, in: group)
    }

    private static func multiply(
        _ factor: OpaquePointer, point: (x: [UInt8], y: [UInt8]), into product: OpaquePointer,
        in group: OpaquePointer
    ) throws(CryptoError) {
        // Safe: as in the caller; libcrypto refuses coordinates that are not on the curve.
        let x = unsafe BN_bin2bn(point.x, CInt(length), nil)
        let y = unsafe BN_bin2bn(point.y, CInt(length), nil)
        defer {
            unsafe BN_free(x)
            unsafe BN_free(y)
        }
        guard let other = unsafe EC_POINT_new(group) else { throw .fromLibrary() }
        defer { unsafe EC_POINT_free(other) }
        guard unsafe EC_POINT_set_affine_coordinates(group, other, x, y, nil) == 1 else {
            ERR_clear_error()
            throw .invalidKey
        }
        try CryptoError.check(unsafe EC_POINT_mul(group, product, nil, other, factor, nil))
    }

    private static func coordinates(
        of point: OpaquePointer, in group: OpaquePointer
    ) throws(CryptoError) -> (x: [UInt8], y: [UInt8]) {
        // Safe: both numbers are owned here; BN_bn2binpad writes exactly 32 bytes into arrays of 32.
        guard let x = unsafe BN_new(), let y = unsafe BN_new() else { throw .fromLibrary() }
        defer {
            unsafe BN_clear_free(x)
            unsafe BN_clear_free(y)
        }
        try CryptoError.check(unsafe EC_POINT_get_affine_coordinates(group, point, x, y, nil))
        var xOctets = [UInt8](repeating: 0, count: length)
        var yOctets = xOctets
        guard unsafe BN_bn2binpad(x, &xOctets, CInt(length)) == CInt(length),
            unsafe BN_bn2binpad(y, &yOctets, CInt(length)) == CInt(length)
        else { throw .fromLibrary() }
        return (xOctets, yOctets)
    }
}
