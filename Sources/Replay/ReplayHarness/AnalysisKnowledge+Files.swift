public import Analysis
import CaptureFile
import CoreBluetooth
import Replay
import UQDK

extension AnalysisKnowledge {
    /// Adds the keys and the attributes from files beside a log, as the command does: `unlock.keys.json` and
    /// `unlock.gatt` beside `unlock.btsnoop`. Missing files add nothing.
    ///
    /// Throws a ``CompanionFileError`` for an unusable file. Real keys that others may read are unusable too.
    public mutating func addFiles(beside log: String) throws {
        let keys = CompanionFile.path(beside: log, ".keys.json")
        if let octets = FileManager.default.contents(atPath: keys) {
            let store: KeyStore
            do throws(KeyStoreError) {
                store = try KeyStore(json: Array(octets), fit: KeyFit(uqdk.dialects))
            } catch {
                throw CompanionFileError(path: keys, problem: "not a keys file: \(error)")
            }
            guard store.isTest || !Self.isReadableByOthers(keys) else {
                throw CompanionFileError(path: keys, problem: "others can read these keys; chmod 600 it")
            }
            add(store)
        }
        let attributes = CompanionFile.path(beside: log, ".gatt")
        guard attributes != log, let octets = FileManager.default.contents(atPath: attributes) else { return }
        do throws(CaptureFileError) {
            var captures = try CaptureSet(paths: [attributes])
            let known = self
            _ = try gatt.add(reading: &captures, with: known)
        } catch {
            guard error.cause == .notACapture else { throw error }
            do throws(BlueZCacheError) {
                try gatt.add(
                    bluezCache: Array(octets), of: GATTKnowledge.address(ofCacheFile: attributes))
            } catch {
                throw CompanionFileError(path: attributes, problem: "\(error)")
            }
        }
    }

    private static func isReadableByOthers(_ path: String) -> Bool {
        let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return (mode ?? 0o777) & 0o077 != 0
    }
}

/// The reason that a file beside a log can't be used.
public struct CompanionFileError: Error, Hashable, CustomStringConvertible {
    public var path: String
    public var problem: String

    public var description: String { "\(path): \(problem)" }
}
