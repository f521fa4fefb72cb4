import Foundation
import LEHost

/// The bonds of an adapter and the key of its private addresses, in a ``PrivateDocument``, version 1:
/// `identityKey` and `bonds`.
///
/// The file has the keys in clear; nothing else shows them.
struct BondFile: Sendable {
    private struct Contents: Codable {
        var identityKey: IdentityKey?
        var bonds: [Bond] = []
    }

    private let document: PrivateDocument<Contents>

    init(_ file: URL) { document = PrivateDocument(file) }

    /// Returns the stored bonds; empty if there is no file.
    func load() throws(PrivateDocumentError) -> [Bond] { try document.load()?.bonds ?? [] }

    /// Returns the identity key in the file, and writes `new` there first if the file has none.
    func identityKey(orKeep new: IdentityKey) throws(PrivateDocumentError) -> IdentityKey {
        var key = new
        try document.update { () throws(PrivateDocumentError) in
            var kept = try document.load() ?? Contents()
            if let there = kept.identityKey {
                key = there
                return nil
            }
            kept.identityKey = new
            return kept
        }
        return key
    }

    /// Removes the bonds with the peers of `old` and `new`, and adds `new`.
    ///
    /// Bonds that other processes stored meanwhile stay; on failure nothing changes.
    func replace(_ old: [Bond], with new: [Bond]) throws(PrivateDocumentError) {
        try document.update { () throws(PrivateDocumentError) in
            var kept = try document.load() ?? Contents()
            kept.bonds.removeAll { bond in (old + new).contains { $0.peer.names(bond.peer) } }
            kept.bonds += new
            return kept
        }
    }
}
