import Glibc

/// Finds captures in a file and in the archives in it.
struct CaptureFinder {
    let path: String
    private var found: [CaptureSource] = []
    private var blocks: [CaptureSource] = []
    /// The reason why a capture found in an archive can't be read.
    private var refusal: CaptureFileError?
    /// Bluetooth captures of unsupported kinds, and other files packed by unsupported methods.
    private var passedOver: [CaptureFileError] = []
    private var emptyLog: String?
    /// Number of captures beyond the limit.
    private var unlisted = 0
    /// Unreadable parts of the archives that belong to no capture found.
    private var damage: [CaptureFileError] = []
    /// The error of a full disk and the like; nothing more is read after it.
    private var spoolFailure: CaptureFileError?

    /// Limit of damaged entries skipped to reach the others; a hostile archive has many.
    private static let mostDamagedEntries = 64

    init(path: String) { self.path = path }

    func result() throws(CaptureFileError) -> [CaptureSource] {
        var all = found + blocks
        if all.isEmpty {
            // Nothing was used, so the error needs no place.
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

    mutating func find(_ owned: OwnedDescriptor, name: String) throws(CaptureFileError) {
        let head = try PackedFormat.head(of: owned, name: name)
        if PackedFormat.isPacked(head.octets) {
            try search(Packed(owned: owned, head: head, name: name, depth: 0))
        } else {
            let octets = head.isConsumed ? head.octets : []
            add(CaptureSource(name, .descriptor(owned, head: octets, ending: nil)), to: \.found)
        }
    }

    /// A compressed file or an archive.
    private struct Packed {
        var owned: OwnedDescriptor
        var head: (octets: [UInt8], isConsumed: Bool)
        /// Reason why the file's data ends early, if it does.
        var ending: CaptureFileError.Cause?
        var name: String
        /// Number of archives around it.
        var depth: Int

        /// Whether it is a seekable zip, so that its entries can be read in any order.
        var isZip: Bool { head.octets.starts(with: [0x50, 0x4B]) && !head.isConsumed }
    }

    private struct Pass {
        /// Number of entries examined before.
        var entries = 0
        var byDirectory = true
        /// The place of the damage in the next entry.
        var carefulFrom: Int64?
    }

    private mutating func search(_ packed: Packed) throws(CaptureFileError) {
        // A zip directory may follow data that begins like another archive.
        let isTooLong = !packed.head.isConsumed && ZipDirectory.isTooLong(in: packed.owned.number)
        if packed.isZip, isTooLong {
            _ = run(packed, Pass(byDirectory: false))
            let cause = CaptureFileError.Cause.archive(
                "the directory of the archive has more than \(ZipDirectory.mostOctets >> 20) MiB: its "
                    + "files were read one after the other")
            damage.append(CaptureFileError(cause, file: packed.name))
            return try endSearch()
        }
        let before = self
        var isSound = run(packed, Pass(byDirectory: !isTooLong))
        isSound = isSound && count > before.count
        if packed.isZip && !isSound && spoolFailure == nil {
            // A zip's directory can be damaged or wrong; its entries are still stored in sequence.
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
        try endSearch()
    }

    /// Throws what ended the unpacking. What was unpacked before the limit is kept.
    private mutating func endSearch() throws(CaptureFileError) {
        guard let problem = spoolFailure else { return }
        guard case .unpacksToMore = problem.cause, count > 0 else { throw problem }
        if !damage.contains(problem) { damage.append(problem) }
    }

    private var count: Int { found.count + blocks.count }

    /// Examines the files of an archive, including those after an unreadable one if possible.
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

    /// Examines the files of an archive from an entry on.
    ///
    /// - Returns: the next pass, to continue after an unreadable entry; nil at the end.
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
                    // Read once more, to recover the data that libarchive dropped at the damage.
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
            // Errors after an unreadable entry are only its consequence.
            if pass.entries == 0 { tell(error, packed.name) }
        }
        return nil
    }

    private mutating func tell(_ problem: ArchiveStream.Problem, _ name: String) {
        guard damage.count < Self.mostDamagedEntries else { return }
        damage.append(CaptureFileError(problem.cause, file: name, fileOffset: problem.place))
    }

    /// Notes a file that is not read and is probably not a log.
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

    /// Examines one file of an archive.
    ///
    /// - Returns: whether the found capture itself reports why the file can't be read to its end.
    private mutating func inspect(_ stream: ArchiveStream, name: String, depth: Int) -> Bool {
        guard spoolFailure == nil else { return true }
        let head = stream.head(CaptureSource.octetsToRecognize)
        if head.isEmpty, stream.failure == nil, Self.isCalledLog(name) { emptyLog = emptyLog ?? name }
        if PackedFormat.isPacked(Array(head.prefix(PackedFormat.transferLength))) {
            return inspectPacked(stream, head, name, depth: depth)
        }
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

    /// Whether a file of a bug report has the name of its Bluetooth log; for an empty file, the name is the
    /// only clue.
    private static func isCalledLog(_ name: String) -> Bool {
        let file = name.split { $0 == "/" || $0 == ":" }.last ?? ""
        return file.hasPrefix("btsnoop") || file.hasSuffix(".pklg")
    }

    /// Whether a file has the name of a log, or of a packed log; for a file that can't be unpacked, the name
    /// is the only clue.
    private static func mayBeLog(_ name: String) -> Bool {
        let file = (name.split { $0 == "/" || $0 == ":" }.last ?? "").lowercased()
        return isCalledLog(name) || endings.contains { file.hasSuffix($0) }
    }

    private static let endings = [
        ".log", ".last", ".btsnoop", ".snoop", ".btsnooz", ".pcap", ".pcapng", ".cap", ".cfa", ".psd",
        ".hcidump", ".zip", ".tar", ".tgz", ".gz", ".zst", ".xz", ".bz2", ".lz4",
    ]

    private mutating func inspectPacked(
        _ stream: ArchiveStream, _ head: [UInt8], _ name: String, depth: Int
    ) -> Bool {
        guard depth + 1 < CaptureSource.deepest else {
            let cause = CaptureFileError.Cause.archive("is nested too deeply in archives")
            refusal = refusal ?? CaptureFileError(cause, file: name)
            return false
        }
        guard let copy = spool(stream, head, name) else { return true }
        let start = Array(head.prefix(PackedFormat.transferLength))
        let packed = Packed(
            owned: copy.owned, head: (start, false), ending: copy.ending, name: name, depth: depth + 1)
        do throws(CaptureFileError) { try search(packed) } catch { refusal = refusal ?? error }
        return true
    }

    /// - Parameter problem: the reason why a file without a log block is not a capture.
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

    /// Unpacks the log block of a report's text into a temporary file; returns nil if that can't be written.
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
            return .block(file.rewound(), unpacked.snooz, ending: unpacked.ending)
        } catch {
            spoolFailure = error
            return nil
        }
    }

    /// Copies the rest of an archive's file into an unnamed temporary file; returns nil on failure.
    private mutating func spool(
        _ stream: ArchiveStream, _ head: [UInt8], _ name: String
    ) -> (owned: OwnedDescriptor, ending: CaptureFileError.Cause?)? {
        do throws(CaptureFileError) {
            var file = try SpoolFile(for: name)
            var block = head
            while !block.isEmpty {
                try file.write(block)
                block = stream.head(CaptureSource.octetsToRecognize)
            }
            return (file.rewound(), stream.failure?.cause)
        } catch {
            spoolFailure = error
            return nil
        }
    }
}
