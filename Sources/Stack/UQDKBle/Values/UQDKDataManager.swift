public import CoreBluetooth
import Gadgets
import Synchronization
import WireBytes

/// The secrets of one digital key and its increasing auth counter; never shown.
public final class UQDKDataManager: Sendable, CustomStringConvertible, CustomReflectable {
    /// The id of the key, which messages carry in clear.
    public let keyID: [UInt8]
    let key: [UInt8]
    private let counter: Mutex<UInt64>
    private let store: (@Sendable (UInt64) -> Bool)?

    /// Creates the data of a key.
    ///
    /// - Parameters:
    ///   - keyID: the key's identifier; the dialect says how long.
    ///   - key: the secret; the dialect says how long.
    ///   - authCounter: the highest counter used so far.
    ///   - store: stores each new counter permanently before it is used; false if it could not, so that
    ///     nothing is sent with it.
    public init(
        keyID: [UInt8], key: [UInt8], authCounter: UInt64 = 0, store: (@Sendable (UInt64) -> Bool)? = nil
    ) {
        self.keyID = keyID
        self.key = key
        counter = Mutex(authCounter)
        self.store = store
    }

    /// The highest auth counter used so far.
    public var authCounter: UInt64 { counter.withLock { $0 } }

    /// Returns the next counter after storing it; nil if it can't be stored or none is left.
    func nextAuthCounter() -> UInt64? {
        counter.withLock { counter in
            let (next, overflow) = counter.addingReportingOverflow(1)
            guard !overflow, store?(next) ?? true else { return nil }
            counter = next
            return next
        }
    }

    public var description: String { "UQDKDataManager(auth counter \(authCounter))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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
