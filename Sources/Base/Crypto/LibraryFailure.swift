import CCrypto

extension CryptoError {
    /// The oldest error of libcrypto's queue, which is emptied.
    static func fromLibrary() -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        return .library(UInt(code))
    }

    /// Throws unless libcrypto said that it succeeded.
    @inline(__always)
    static func check(_ result: CInt) throws(CryptoError) {
        if result != 1 { throw fromLibrary() }
    }
}
