import Adapters
public import Foundation
import Gadgets
import WireBytes

// A digital key in a file of its user's alone (mode 0600): version 1 of a JSON object with `version`, `keyId`
// and `key` in hexadecimal, and `authCounter`.
extension UQDKDataManager {
    private struct Contents: Codable {
        var version = 1
        var keyId: String
        var key: String
        var authCounter: UInt64

        init(from file: URL) throws(UQDKKeyFileError) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
                let mode = (attributes[.posixPermissions] as? NSNumber)?.uint16Value
            else { throw .unreadable }
            guard mode & 0o077 == 0 else { throw .openToOthers }
            guard let data = try? Data(contentsOf: file), data.count < 1 << 16,
                let found = try? JSONDecoder().decode(Contents.self, from: data)
            else { throw .unreadable }
            guard found.version == 1 else { throw .version(found.version) }
            self = found
        }

        init(_ keyID: [UInt8], _ key: [UInt8], _ authCounter: UInt64) {
            keyId = Hex.text(keyID)
            self.key = Hex.text(key)
            self.authCounter = authCounter
        }

        func write(to file: URL) throws(UQDKKeyFileError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            do {
                try PrivateFile.replace(file.path, with: Array(encoder.encode(self)))
            } catch {
                throw .unwritable
            }
        }
    }

    /// The key of a file. Each new counter is in the file before it is used; where it can't be written, or
    /// another program has used a counter meanwhile, nothing is sent.
    public convenience init(keyFile: URL) throws(UQDKKeyFileError) {
        let contents = try Contents(from: keyFile)
        guard let keyID = try? HexText.octets(contents.keyId), let key = try? HexText.octets(contents.key)
        else {
            throw .unreadable
        }
        self.init(keyID: keyID, key: key, authCounter: contents.authCounter) { counter in
            guard var kept = try? Contents(from: keyFile), kept.keyId == contents.keyId,
                kept.authCounter < counter
            else { return false }
            kept.authCounter = counter
            return (try? kept.write(to: keyFile)) != nil
        }
    }

    /// Makes the file of a new key, in a folder that is there.
    public static func makeKeyFile(
        _ file: URL, keyID: [UInt8], key: [UInt8], authCounter: UInt64 = 0
    ) throws(UQDKKeyFileError) {
        guard !FileManager.default.fileExists(atPath: file.path) else { throw .exists }
        try Contents(keyID, key, authCounter).write(to: file)
    }
}
