import Glibc
import WireBytes

/// Looks for captures in a file and in the archives in it.
struct CaptureFinder {
    let path: String
    private var found: [CaptureSource] = []
    private var blocks: [CaptureSource] = []
    /// Why a capture that was found in an archive is not read.
    private var refusal: CaptureFileError?
    /// Captures of Bluetooth that are of kinds not read, and other files packed in ways not read.
    private var passedOver: [CaptureFileError] = []
    /// A file that is called as a log is, and holds nothing.
    private var emptyLog: String?
    /// Captures beyond those that are kept.
    private var unlisted = 0
    /// What of the archives can't be read, and is no part of a capture that was found.
    private var damage: [CaptureFileError] = []
    private var spooledOctets = 0
    /// The error of a full disk and the like; nothing more is read after it.
    private var spoolFailure: CaptureFileError?

    /// Damaged entries of an archive that are passed over to reach the others; a hostile one has many.
    private static let mostDamagedEntries = 64

    init(path: String) { self.path = path }

    func result() throws(CaptureFileError) -> [CaptureSource] {
        var all = found + blocks
        if all.isEmpty {
            // Nothing was used, so that no place in it is of interest.
            throw refusal ?? (damage + passedOver).first.map { CaptureFileError($0.cause, file: $0.file) }
                ?? emptyLog.map { CaptureFileError(.emptyReport, file: $0) }
                ?? CaptureFileError(.archive("no capture in the archive"), file: path)
        }
        var damage = damage
        if unlisted > 0 {
            let most = CaptureSource.mostCaptures
            let cause = CaptureFileError.Cause.archive(
                "holds more than \(most) captures; \(unlisted) of them were not read")
            damage.append(CaptureFileError(cause, file: path))
        }
        all[0].damage = damage
        all[0].passedOver = passedOver
        return all
    }

    /// Takes a file that is a capture itself, or all captures in it.
    mutating func find(_ owned: OwnedDescriptor, name: String) throws(CaptureFileError) {
        let head = try PackedFormat.head(of: owned, name: name)
        if PackedFormat.isPacked(head.octets) {
            try search(Packed(owned: owned, head: head, name: name, depth: 0))
        } else {
            let octets = head.isConsumed ? head.octets : []
            add(CaptureSource(name, .descriptor(owned, head: octets, ending: nil)), to: \.found)
        }
    }

    /// A file that is compressed or an archive.
    private struct Packed {
        var owned: OwnedDescriptor
        var head: (octets: [UInt8], isConsumed: Bool)
        /// Why there is no more than the file gives.
        var ending: CaptureFileError.Cause?
        var name: String
        /// The archives that it lies in.
        var depth: Int

        /// Whether it is a zip in which any place can be gone to, so that its entries are read in any order.
        var isZip: Bool { head.octets.starts(with: [0x50, 0x4B]) && !head.isConsumed }
    }

    /// One way through an archive.
    private struct Pass {
        /// The entries that were looked at before.
        var entries = 0
        var byDirectory = true
        /// The place of the damage in the next entry.
        var carefulFrom: Int64?
    }

    /// Looks at all files of an archive.
    private mutating func search(_ packed: Packed) throws(CaptureFileError) {
        // A zip may stand behind what begins as another archive.
        let isTooLong = !packed.head.isConsumed && ZipDirectory.isTooLong(in: packed.owned.number)
        if packed.isZip, isTooLong {
            _ = run(packed, Pass(byDirectory: false))
            let cause = CaptureFileError.Cause.archive(
                "the directory of the archive has more than \(ZipDirectory.mostOctets >> 20) MiB: its "
                    + "files were read one after the other")
            damage.append(CaptureFileError(cause, file: packed.name))
            if let problem = spoolFailure { throw problem }
            return
        }
        let before = self
        var isSound = run(packed, Pass(byDirectory: !isTooLong))
        isSound = isSound && count > before.count
        if packed.isZip && !isSound && spoolFailure == nil {
            // A zip's directory can be damaged, or lie; its entries follow one another all the same.
            let listed = self
            self = before
            _ = run(packed, Pass(byDirectory: false))
            if count > listed.count {
                let cause = CaptureFileError.Cause.archive("the directory of the archive is damaged")
                damage.append(CaptureFileError(cause, file: packed.name))
            } else {
                self = listed
            }
        }
        if let problem = spoolFailure { throw problem }
    }

    /// Captures found.
    private var count: Int { found.count + blocks.count }

    /// Looks at the files of an archive, also at those after one that can't be read, where that is possible.
    ///
    /// - Returns: whether all entries could be found.
    private mutating func run(_ packed: Packed, _ first: Pass) -> Bool {
        var pass = first
        var isSound = true
        for _ in 0...(2 * Self.mostDamagedEntries) {
            if packed.isZip { lseek(packed.owned.number, 0, SEEK_SET) }
            guard let next = look(packed, pass, &isSound) else { break }
            pass = next
        }
        return isSound
    }

    /// Looks at the files of an archive from an entry on.
    ///
    /// - Returns: how to go on after an entry that can't be read; nil at the end.
    private mutating func look(_ packed: Packed, _ pass: Pass, _ isSound: inout Bool) -> Pass? {
        var number = 0
        do throws(ArchiveStream.Problem) {
            let octets = OctetStream.unpacking(packed.owned, packed.head, ending: packed.ending)
            let stream = try ArchiveStream(
                octets, byDirectory: pass.byDirectory, carefulFrom: pass.carefulFrom)
            while let entry = try stream.nextEntry() {
                number += 1
                if number <= pass.entries { continue }
                if entry.isWhole && packed.depth == 0 {
                    add(CaptureSource(packed.name, .stream(stream)), to: \.found)
                    return nil
                }
                guard entry.isFile else { continue }
                let before = self
                let name = entry.isWhole ? packed.name : "\(packed.name):\(entry.path)"
                let isTold = inspect(stream, name: name, depth: packed.depth)
                if stream.isStuck && packed.isZip && pass.carefulFrom == nil,
                    let place = stream.latestPlace
                {
                    // Once more, to have what libarchive dropped when it met the damage.
                    self = before
                    return Pass(entries: number - 1, byDirectory: pass.byDirectory, carefulFrom: place)
                }
                if let failure = stream.failure, !isTold {
                    if stream.isRefused && !Self.mayBeLog(name) {
                        passOver(failure, name)
                    } else {
                        tell(failure, name)
                    }
                }
                if stream.isStuck && !(packed.isZip && pass.byDirectory) { return nil }
                if stream.isStuck || pass.carefulFrom != nil {
                    return Pass(entries: number, byDirectory: pass.byDirectory)
                }
            }
        } catch {
            isSound = false
            // What is met after an entry that can't be read follows from that.
            if pass.entries == 0 { tell(error, packed.name) }
        }
        return nil
    }

    private mutating func tell(_ problem: ArchiveStream.Problem, _ name: String) {
        guard damage.count < Self.mostDamagedEntries else { return }
        damage.append(CaptureFileError(problem.cause, file: name, fileOffset: problem.place))
    }

    /// Notes a file that is not read and need not be a log.
    private mutating func passOver(_ problem: ArchiveStream.Problem, _ name: String) {
        guard passedOver.count < Self.mostDamagedEntries else { return }
        passedOver.append(CaptureFileError(problem.cause, file: name, fileOffset: problem.place))
    }

    private mutating func add(
        _ source: CaptureSource, to list: WritableKeyPath<CaptureFinder, [CaptureSource]>
    ) {
        if count < CaptureSource.mostCaptures {
            self[keyPath: list].append(source)
        } else {
            unlisted += 1
        }
    }

    /// Looks at one file of an archive.
    ///
    /// - Returns: whether what was found tells itself why the file can't be read to its end.
    private mutating func inspect(_ stream: ArchiveStream, name: String, depth: Int) -> Bool {
        guard spoolFailure == nil else { return true }
        let head = stream.head(CaptureSource.octetsToRecognize)
        if head.isEmpty, stream.failure == nil, Self.isCalledLog(name) { emptyLog = emptyLog ?? name }
        if PackedFormat.isPacked(head) { return inspectPacked(stream, head, name, depth) }
        do throws(CaptureFileError) {
            _ = try CaptureReader(octets: head, name: name)
        } catch {
            switch error.cause {
            case .notACapture, .emptyReport, .decoderText: return findBlock(stream, head, name, else: error)
            default: break
            }
            if case .unsupportedDatalink(_, let content) = error.cause {
                refusal = refusal ?? error
                let isWanted = content != .other && passedOver.count < Self.mostDamagedEntries
                if isWanted { passedOver.append(error) }
                return false
            }
        }
        guard let copy = spool(stream, head, name) else { return true }
        add(CaptureSource(name, .descriptor(copy.owned, head: [], ending: copy.ending)), to: \.found)
        return true
    }

    /// Whether a file of a bug report has the name of its Bluetooth log: of one without an octet there is
    /// nothing else to tell what it was to be.
    private static func isCalledLog(_ name: String) -> Bool {
        let file = name.split { $0 == "/" || $0 == ":" }.last ?? ""
        return file.hasPrefix("btsnoop") || file.hasSuffix(".pklg")
    }

    /// Whether a file has the name of a log, or of what logs are packed in: of one that can't be unpacked
    /// there is nothing else to tell.
    private static func mayBeLog(_ name: String) -> Bool {
        let file = (name.split { $0 == "/" || $0 == ":" }.last ?? "").lowercased()
        return isCalledLog(name) || endings.contains { file.hasSuffix($0) }
    }

    private static let endings = [
        ".log", ".last", ".btsnoop", ".snoop", ".btsnooz", ".pcap", ".pcapng", ".cap", ".cfa", ".hcidump",
        ".zip", ".tar", ".tgz", ".gz", ".zst", ".xz", ".bz2", ".lz4",
    ]

    /// Looks into an archive in an archive.
    private mutating func inspectPacked(
        _ stream: ArchiveStream, _ head: [UInt8], _ name: String, _ depth: Int
    ) -> Bool {
        guard depth + 1 < CaptureSource.deepest else {
            let cause = CaptureFileError.Cause.archive("is nested too deeply in archives")
            refusal = refusal ?? CaptureFileError(cause, file: name)
            return false
        }
        guard let copy = spool(stream, head, name) else { return true }
        let start = Array(head.prefix(PackedFormat.headLength))
        let packed = Packed(
            owned: copy.owned, head: (start, false), ending: copy.ending, name: name, depth: depth + 1)
        do throws(CaptureFileError) { try search(packed) } catch { refusal = refusal ?? error }
        return true
    }

    /// - Parameter problem: why the file is not a capture, where it has no block.
    private mutating func findBlock(
        _ stream: ArchiveStream, _ head: [UInt8], _ name: String, else problem: CaptureFileError
    ) -> Bool {
        var window = InputWindow(stream, head: head)
        guard BugReport.isText(&window), let block = BugReport.findBlock(&window) else {
            if problem.cause == .emptyReport { emptyLog = emptyLog ?? name }
            if case .decoderText = problem.cause { refusal = refusal ?? problem }
            return false
        }
        guard let content = spool(block, name) else { return true }
        add(CaptureSource(name, content), to: \.blocks)
        return block.isCut
    }

    /// Unpacks the block of a report's text into a temporary file; nil where that can't be written.
    private mutating func spool(
        _ block: (octets: [UInt8], isCut: Bool), _ name: String
    ) -> CaptureSource.Content? {
        let unpacked: Btsnooz.Unpacked
        do throws(CaptureFileError.Cause) {
            guard let found = try Btsnooz.unpack(block.octets, isCut: block.isCut) else {
                throw block.octets.isEmpty ? .emptyReport : .notACapture
            }
            unpacked = found
        } catch {
            return .unreadable(CaptureFileError(error, file: name))
        }
        do throws(CaptureFileError) {
            var file = try SpoolFile(for: name)
            try file.write(unpacked.octets)
            spooledOctets &+= unpacked.octets.count
            return .block(file.rewound(), unpacked.snooz, ending: unpacked.ending)
        } catch {
            spoolFailure = error
            return nil
        }
    }

    /// Copies the rest of a file of an archive into a temporary file that has no name; nil where that fails.
    private mutating func spool(
        _ stream: ArchiveStream, _ head: [UInt8], _ name: String
    ) -> (owned: OwnedDescriptor, ending: CaptureFileError.Cause?)? {
        do throws(CaptureFileError) {
            var file = try SpoolFile(for: name)
            var block = head
            while !block.isEmpty {
                try file.write(block)
                spooledOctets &+= block.count
                guard spooledOctets <= SpoolFile.mostOctets else {
                    throw CaptureFileError(.archive("unpacks to more than 16 GiB"), file: name)
                }
                block = stream.head(CaptureSource.octetsToRecognize)
            }
            return (file.rewound(), stream.failure?.cause)
        } catch {
            spoolFailure = error
            return nil
        }
    }
}
