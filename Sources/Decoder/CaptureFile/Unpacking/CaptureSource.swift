import Glibc
import WireBytes

/// A capture that was found: a file, the content of a compressed file, or a log inside an archive.
public struct CaptureSource {
    /// The path as given; for a log in an archive the path of the archive, a colon and the path in it.
    public let name: String
    let content: Content

    enum Content {
        /// A descriptor, and what has been read from it already.
        case descriptor(OwnedDescriptor, head: [UInt8])
        case stream(ArchiveStream)
        case octets([UInt8])
        /// The block of a bug report's text, decoded from base64.
        case block([UInt8], isCut: Bool)
    }

    /// Archives in archives are opened to this depth.
    static let deepest = 3
    /// A bug report or sysdiagnose holds a few logs; more are no honest archive.
    static let mostCaptures = 256
    static let octetsToRecognize = 64 << 10

    /// A capture in memory.
    public init(octets: [UInt8], name: String) {
        self.init(name, .octets(octets))
    }

    private init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// The captures in a file, or in standard input where `path` is `-`: one, or those found in an archive.
    ///
    /// Logs of an archive are unpacked into temporary files without a name, complete ones before those cut
    /// out of a report's text.
    public static func find(path: String) throws(CaptureFileError) -> [CaptureSource] {
        // Safe: the string's octets live as long as the call.
        let descriptor = path == "-" ? dup(0) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureFileError(.system(call: "open", errno: errno), file: path) }
        var finder = CaptureFinder(path: path)
        try finder.find(OwnedDescriptor(descriptor), name: path, depth: 0)
        return try finder.result()
    }

    fileprivate static func make(_ name: String, _ content: Content) -> CaptureSource { .init(name, content) }
}

/// A descriptor that is closed unless its owner gives it away.
final class OwnedDescriptor {
    private var descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var number: Int32 { descriptor }

    /// Gives the descriptor to the caller, who closes it from here on.
    func release() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }
}

/// Looks for captures in a file and in the archives in it.
private struct CaptureFinder {
    let path: String
    var found: [CaptureSource] = []
    var blocks: [CaptureSource] = []
    /// Why a capture that was found in an archive is not read.
    var refusal: CaptureFileError?
    var spooledOctets = 0

    func result() throws(CaptureFileError) -> [CaptureSource] {
        let all = found + blocks
        if all.isEmpty {
            throw refusal ?? CaptureFileError(.archive("no capture in the archive"), file: path)
        }
        return all
    }

    mutating func find(_ owned: OwnedDescriptor, name: String, depth: Int) throws(CaptureFileError) {
        let head = try PackedFormat.head(of: owned.number, name: name)
        guard PackedFormat.isPacked(head.octets), depth < CaptureSource.deepest else {
            add(.make(name, .descriptor(owned, head: head.isConsumed ? head.octets : [])), to: \.found)
            return
        }
        // A cut archive of this kind is read again, since libarchive drops the last of what it unpacks.
        let again = !head.isConsumed && head.octets.starts(with: [0x1F, 0x8B]) ? dup(owned.number) : -1
        let isOuterDamaged = isDamaged
        isDamaged = false
        let before = self
        search(
            DescriptorFeed(descriptor: owned.release(), head: head.isConsumed ? head.octets : []), name, depth
        )
        if again >= 0 {
            if isDamaged, let feed = DescriptorFeed(inflating: again) {
                let first = self
                self = before
                search(feed, name, depth)
                if found.isEmpty && blocks.isEmpty { self = first }
            } else {
                close(again)
            }
        }
        isDamaged = isOuterDamaged
        if let problem = spoolFailure { throw problem }
    }

    /// Looks at all files of an archive.
    private mutating func search(_ feed: DescriptorFeed, _ name: String, _ depth: Int) {
        do throws(ArchiveStream.Problem) {
            let stream = try ArchiveStream(feed)
            while let entry = try stream.nextEntry() {
                if entry.isWhole {
                    if stream.isRescued && GzipRescue.holdsTar(feed.descriptor) {
                        isDamaged = true
                        return
                    }
                    add(.make(name, .stream(stream)), to: \.found)
                    return
                }
                guard entry.isFile else { continue }
                try inspect(stream, name: "\(name):\(entry.path)", depth: depth)
            }
        } catch {
            isDamaged = true
            // What stands before the damage is read all the same.
            if found.isEmpty && blocks.isEmpty && refusal == nil {
                refusal = CaptureFileError(.archive(error.message), file: name)
            }
        }
    }

    /// Whether the archive that is being searched ended before its end.
    var isDamaged = false

    /// The error of a full disk and the like; nothing more is read after it.
    var spoolFailure: CaptureFileError?

    private mutating func add(
        _ source: CaptureSource, to list: WritableKeyPath<CaptureFinder, [CaptureSource]>
    ) {
        if found.count + blocks.count < CaptureSource.mostCaptures { self[keyPath: list].append(source) }
    }

    /// Looks at one file of an archive.
    private mutating func inspect(
        _ stream: ArchiveStream, name: String, depth: Int
    ) throws(ArchiveStream.Problem) {
        guard spoolFailure == nil else { return }
        let head = try stream.head(CaptureSource.octetsToRecognize)
        if PackedFormat.isPacked(head) {
            if let copy = try spool(stream, head, name) {
                do throws(CaptureFileError) { try find(copy, name: name, depth: depth + 1) } catch {
                    refusal = refusal ?? error
                }
            }
            return
        }
        do throws(CaptureFileError) {
            _ = try CaptureReader(octets: head, name: name)
        } catch {
            if error.cause == .notACapture { return findBlock(stream, head, name) }
            if case .unsupportedDatalink = error.cause {
                refusal = refusal ?? error
                return
            }
        }
        if let copy = try spool(stream, head, name) {
            add(.make(name, .descriptor(copy, head: [])), to: \.found)
        }
    }

    private mutating func findBlock(_ stream: ArchiveStream, _ head: [UInt8], _ name: String) {
        var window = InputWindow(stream, head: head)
        guard BugReport.isText(&window), let block = BugReport.findBlock(&window) else { return }
        add(.make(name, .block(block.octets, isCut: block.isCut)), to: \.blocks)
    }

    /// Copies the rest of a file of an archive into a temporary file that has no name.
    private mutating func spool(
        _ stream: ArchiveStream, _ head: [UInt8], _ name: String
    ) throws(ArchiveStream.Problem) -> OwnedDescriptor? {
        do throws(CaptureFileError) {
            var file = try SpoolFile(for: name)
            var block = head
            while !block.isEmpty {
                try file.write(block)
                spooledOctets &+= block.count
                guard spooledOctets <= SpoolFile.mostOctets else {
                    throw CaptureFileError(.archive("unpacks to more than 16 GiB"), file: name)
                }
                do throws(ArchiveStream.Problem) {
                    block = try stream.head(CaptureSource.octetsToRecognize)
                } catch {
                    isDamaged = true
                    break
                }
            }
            return file.rewound()
        } catch {
            spoolFailure = error
            return nil
        }
    }
}
