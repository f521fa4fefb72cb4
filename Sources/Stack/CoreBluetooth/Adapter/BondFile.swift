import Adapters
import Foundation
import LEHost

/// The bonds of an adapter, in a file of its user's alone: version 1 of a JSON object with `version` and
/// `bonds`. Keys stand in it as they are; nothing else shows them.
struct BondFile: Sendable {
    private struct Version: Codable {
        var version = BondFile.version
    }

    private struct Contents: Codable {
        var version = BondFile.version
        var bonds: [Bond]
    }

    /// Why a file can't be used: it is kept as it is, and the bonds of this process are not.
    enum Problem: Error {
        case unreadable
        case version(Int)
        case unwritable
    }

    private static let version = 1
    private let file: URL

    init(_ file: URL) { self.file = file }

    /// The bonds that are kept; none where there is no file.
    func load() throws(Problem) -> [Bond] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        let decoder = JSONDecoder()
        guard let data = try? Data(contentsOf: file), data.count < 1 << 22,
            let found = try? decoder.decode(Version.self, from: data)
        else { throw .unreadable }
        guard found.version == Self.version else { throw .version(found.version) }
        guard let contents = try? decoder.decode(Contents.self, from: data) else { throw .unreadable }
        return contents.bonds
    }

    /// Forgets bonds with the devices of some, and keeps others in their place. What other processes have
    /// kept meanwhile stays; where it fails, all stays.
    func replace(_ old: [Bond], with new: [Bond]) throws(Problem) {
        var problem: Problem?
        do {
            try PrivateFile.keep(in: file) { () -> Contents? in
                do throws(Problem) {
                    var bonds = try load()
                    bonds.removeAll { kept in (old + new).contains { $0.peer.names(kept.peer) } }
                    return Contents(bonds: bonds + new)
                } catch {
                    problem = error
                    return nil
                }
            }
        } catch {
            throw .unwritable
        }
        if let problem { throw problem }
    }
}
