/// The hash that names a GATT server's database.
public enum DatabaseHash {
    /// AES-CMAC with a key of zeros over the attributes' concatenation; 16 octets, most significant first.
    ///
    /// The caller concatenates handle, type and value of the attributes that Vol 3, Part G, 7.3.1 lists, all
    /// least significant octet first, in the order of their handles.
    public static func hash(of attributes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try MessageAuthentication.cmac(key: [UInt8](repeating: 0, count: 16), attributes)
    }
}
