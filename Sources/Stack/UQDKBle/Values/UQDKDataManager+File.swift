public import CoreBluetooth
import Gadgets
import WireBytes

// A digital key in a ``PrivateDocument``, version 1: `keyId` and `key` in hexadecimal, and `authCounter`.
extension UQDKDataManager {
    private struct Contents: Codable {
        var keyId: String
        var key: String
        var authCounter: UInt64
    }

    /// Loads the key of a file.
    ///
    /// Each new counter is stored in the file before it is used; if it can't be stored, or another program
    /// has used a counter meanwhile, nothing is sent.
    public convenience init(keyFile: URL) throws(PrivateDocumentError) {
        let document = PrivateDocument<Contents>(keyFile)
        guard let contents = try document.load(), let keyID = try? HexText.octets(contents.keyId),
            let key = try? HexText.octets(contents.key)
        else { throw .unreadable }
        self.init(keyID: keyID, key: key, authCounter: contents.authCounter) { counter in
            do throws(PrivateDocumentError) {
                try document.update { () throws(PrivateDocumentError) in
                    guard var kept = try document.load(), kept.keyId == contents.keyId,
                        kept.authCounter < counter
                    else { throw .unreadable }
                    kept.authCounter = counter
                    return kept
                }
                return true
            } catch {
                return false
            }
        }
    }

    /// Creates the file of a new key.
    public static func makeKeyFile(
        _ file: URL, keyID: [UInt8], key: [UInt8], authCounter: UInt64 = 0
    ) throws(PrivateDocumentError) {
        let document = PrivateDocument<Contents>(file)
        try document.update { () throws(PrivateDocumentError) in
            guard !FileManager.default.fileExists(atPath: file.path) else { throw .exists }
            return Contents(keyId: Hex.text(keyID), key: Hex.text(key), authCounter: authCounter)
        }
    }
}
