import CCrypto

extension CryptoError {
    /// Returns the oldest error in libcrypto's queue, and empties the queue.
    static func fromLibrary() -> CryptoError {
        let code = ERR_get_error()
        ERR_clear_error()
        return .library(UInt(code))
    }

    /// Throws unless libcrypto reported success.
    @inline(__always)
    static func check(_ result: CInt) throws(CryptoError) {
        if result != 1 { throw fromLibrary() }
    }
}
