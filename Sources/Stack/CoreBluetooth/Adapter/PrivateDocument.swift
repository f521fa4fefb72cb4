import Adapters
public import Foundation

/// Reason why a ``PrivateDocument`` can't be used; the file is left unchanged.
public enum PrivateDocumentError: Error, Equatable, Sendable {
    /// The file has another format, or can't be read.
    case unreadable
    /// Users other than its owner may read or write it.
    case openToOthers
    /// An unknown version.
    case version(Int)
    /// It can't be written.
    case unwritable
    /// The file already exists.
    case exists
}

/// Data of one user's programs as JSON in a file that nobody else can read (mode 0600).
///
/// The JSON is an object with `version` and the fields of the contents, which encode themselves by keys.
///
/// The file has either all of the old or all of the new contents, whenever a process ends.
public struct PrivateDocument<Contents: Codable>: Sendable {
    private enum VersionKey: CodingKey { case version }

    private struct Versioned: Codable {
        let version: Int
        let contents: Contents

        init(_ contents: Contents, _ version: Int) {
            self.contents = contents
            self.version = version
        }

        init(from decoder: any Decoder) throws {
            version = try Version(from: decoder).version
            contents = try Contents(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try contents.encode(to: encoder)
            var fields = encoder.container(keyedBy: VersionKey.self)
            try fields.encode(version, forKey: .version)
        }
    }

    private struct Version: Decodable { var version: Int }

    /// Files of this many bytes or more are not read.
    private static var limit: Int { 1 << 22 }

    /// The file's location.
    public let file: URL
    private let version: Int

    /// Creates a document; the file is read or written later.
    ///
    /// - Parameters:
    ///   - file: created, with its folder, when there is something to store.
    ///   - version: version of the contents; files of other versions are not read.
    public init(_ file: URL, version: Int = 1) {
        self.file = file
        self.version = version
    }

    /// Returns the stored contents; nil if there is no file.
    public func load() throws(PrivateDocumentError) -> Contents? {
        let files = FileManager.default
        guard files.fileExists(atPath: file.path) else { return nil }
        guard let attributes = try? files.attributesOfItem(atPath: file.path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.uint16Value
        else { throw .unreadable }
        guard mode & 0o077 == 0 else { throw .openToOthers }
        let decoder = JSONDecoder()
        guard let data = try? Data(contentsOf: file), data.count < Self.limit,
            let found = try? decoder.decode(Version.self, from: data)
        else { throw .unreadable }
        guard found.version == version else { throw .version(found.version) }
        guard let kept = try? decoder.decode(Versioned.self, from: data) else { throw .unreadable }
        return kept.contents
    }

    /// Changes the stored contents, while no other process can change them.
    ///
    /// - Parameter contents: calls ``load()`` and returns the new contents; nil leaves the file unchanged.
    public func update(
        _ contents: () throws(PrivateDocumentError) -> Contents?
    ) throws(PrivateDocumentError) {
        var problem: PrivateDocumentError?
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try PrivateFile.update(file.path) {
                do throws(PrivateDocumentError) {
                    guard let new = try contents() else { return nil }
                    let octets = (try? encoder.encode(Versioned(new, version))).map { Array($0) }
                    if octets == nil { problem = .unwritable }
                    return octets
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
