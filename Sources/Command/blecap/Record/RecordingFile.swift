import CaptureFile
import CommandLineKit
import Glibc
import MonitorCapture
import WireBytes

/// The current file of a recording, which may consist of several.
struct RecordingFile: ~Copyable {
    private let path: String
    private let format: CaptureWriter.Format
    private let replaces: Bool
    private let environment: CommandEnvironment
    private let rotation: RecordOptions.Rotation
    private let stop: Int32?
    private let left: () -> Int32
    private let syncs: Bool
    private var writer: CaptureWriter
    private var keeper: RecordingGuard?
    /// The number of the file, from 1.
    private(set) var part = 1
    /// The existing files of this recording, oldest first.
    private(set) var kept: [String] = []
    /// Their identities, so that no other file of the same name is ever removed.
    private var identities: [SystemCall.FileStatus?] = []
    /// The first file that could not be removed by rotation.
    private(set) var unremoved: String?
    /// The first file whose directory entry may not be on the disk despite `--sync`.
    private(set) var unsynced: String?
    /// Records in all files.
    private(set) var records = 0
    private var octetsBefore = 0
    /// Clocks at the start of the current file.
    private var begun: ClockReading
    private var receivedBefore = 0
    private var lostBefore = 0
    private var dropsBefore: UInt32 = 0
    private var lossBefore = ConversionLoss()

    /// Number of file numbers taken by other files that are skipped before giving up.
    private static let mostLeftOut = 100_000
    /// Maximum overhead per record, in bytes.
    private static let overhead = 96

    /// Creates the first file.
    ///
    /// - Parameters:
    ///   - stop: a descriptor that is readable once the recording has to end.
    ///   - keeper: completes regular files if this process is killed; nil for none.
    init(
        _ path: String, _ options: RecordOptions, now: ClockReading, stop: Int32? = nil,
        keeper: RecordingGuard? = nil
    ) throws(Failure) {
        self.path = path
        format = options.format
        replaces = options.replaces
        environment = options.environment
        rotation = options.rotation
        self.stop = stop
        syncs = options.syncs
        begun = now
        let end = options.limits.nanoseconds.map { now.monotonic &+ $0 }
        left = {
            guard let end else { return -1 }
            return Int32(clamping: max(0, (end &- ClockReading.now().monotonic) / 1_000_000))
        }
        let name = rotation.isWanted ? Self.name(path, part: 1) : path
        let descriptor: Int32
        do throws(OutputError) {
            descriptor = try OutputFile(name, replaces: replaces, in: environment).create(stop: stop)
        } catch {
            throw Self.failure(error, name)
        }
        self.keeper = keeper
        writer = try Self.writer(descriptor, name, format, stop, left, &self.keeper)
        if path != "-" { keep(name) }
    }

    /// The name of a part, with its number before the suffix.
    static func name(_ path: String, part: Int) -> String {
        let digits = String(part)
        let number = "." + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/"),
            dot > path.startIndex, path[path.index(before: dot)] != "/"
        else { return path + number }
        return path[..<dot] + number + path[dot...]
    }

    /// The current file's name in messages.
    var shownName: String { path == "-" ? "standard output" : kept.last ?? path }

    /// Bytes in all files.
    var octets: Int { octetsBefore &+ writer.offset }

    /// Data that the format could not hold.
    var loss: ConversionLoss { lossBefore.adding(writer.loss) }

    private static func failure(_ error: OutputError, _ path: String) -> Failure {
        error.failure ?? Failure(.environment, "\(path): can't create")
    }

    private static func writer(
        _ descriptor: Int32, _ path: String, _ format: CaptureWriter.Format, _ stop: Int32?,
        _ left: @escaping () -> Int32, _ keeper: inout RecordingGuard?
    ) throws(Failure) -> CaptureWriter {
        let isFile = path != "-" && SystemCall.status(of: descriptor)?.isRegular == true
        do throws(CaptureFileError) {
            var writer = try CaptureWriter(
                descriptor: descriptor, name: path == "-" ? "standard output" : path, format: format)
            if isFile {
                keeper?.take(descriptor, &writer)
            } else if let stop {
                writer.watch(stop: stop)
                writer.endWaiting(in: left)
            }
            return writer
        } catch {
            throw Failure(error)
        }
    }

    private mutating func keep(_ name: String) {
        kept.append(name)
        identities.append(SystemCall.status(ofLink: name))
        if syncs, !SystemCall.syncFolder(of: name), unsynced == nil { unsynced = name }
    }

    /// An existing file that could be a part of a recording at this path; nil if absent.
    static func leftover(of path: String) -> String? {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let base = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return SystemCall.names(besides: path).sorted().first { name in
            let digits = name.split(separator: ".").dropFirst()
            return digits.contains { part in
                part.count >= 4 && part.allSatisfy { $0.isASCII && $0.isNumber }
                    && Int(part).map { $0 > 0 && Self.name(base, part: $0) == name } == true
            }
        }.map { folder + $0 }
    }

    /// Whether a record of `length` bytes belongs in a new file.
    func isFull(for length: Int, _ now: ClockReading) -> Bool {
        guard writer.records > 0 else { return false }
        if let limit = rotation.octets, writer.offset &+ length &+ Self.overhead > limit { return true }
        if let limit = rotation.nanoseconds, now.monotonic &- begun.monotonic >= limit { return true }
        return false
    }

    /// Finishes the file and starts the next one; removes the files beyond the limit.
    mutating func rotate(_ state: PumpState) throws(Failure) {
        try end(state)
        octetsBefore &+= writer.offset
        lossBefore = loss
        begun = state.now
        let (descriptor, name) = try createNext()
        writer = try Self.writer(descriptor, name, format, stop, left, &keeper)
        writer.begin(afterDrops: dropsBefore)
        keep(name)
        if let most = rotation.kept {
            while kept.count > most { remove(kept.removeFirst(), identities.removeFirst()) }
        }
    }

    /// Creates the next file, skipping numbers taken by other files.
    private mutating func createNext() throws(Failure) -> (descriptor: Int32, name: String) {
        var left = Self.mostLeftOut
        while true {
            part += 1
            left -= 1
            let name = Self.name(path, part: part)
            do throws(OutputError) {
                return (
                    try OutputFile(name, replaces: replaces, in: environment).create(stop: stop), name
                )
            } catch {
                var isTaken = false
                if case .system(_, let code, _) = error { isTaken = code == EEXIST || code == ELOOP }
                guard isTaken, left > 0 else { throw Self.failure(error, name) }
            }
        }
    }

    /// Removes a file if it is still the one that was recorded.
    private mutating func remove(_ name: String, _ identity: SystemCall.FileStatus?) {
        guard let identity, let there = SystemCall.status(ofLink: name), there.isSameFile(as: identity) else {
            return
        }
        if !SystemCall.remove(name), unremoved == nil { unremoved = name }
    }

    mutating func write(_ record: borrowing Record) throws(Failure) {
        do throws(CaptureFileError) { try writer.write(record) } catch { throw failure(error) }
        records &+= 1
        dropsBefore = max(dropsBefore, record.header.cumulativeDrops)
    }

    /// Declares the end of the recording: a blocked pipe is soon abandoned.
    mutating func hasToEnd() { writer.hasToEnd() }

    /// Passes all records to the kernel, and to the disk if `syncing`.
    mutating func flush(syncing: Bool = false) throws(Failure) {
        do throws(CaptureFileError) {
            if syncing { try writer.sync() } else { try writer.flush() }
        } catch {
            throw failure(error)
        }
    }

    /// Finishes the file: writes the recording's statistics if the format can hold them, and the remaining
    /// records.
    mutating func end(_ state: PumpState) throws(Failure) {
        do throws(CaptureFileError) {
            let start = state.now.wall &- (state.now.monotonic &- begun.monotonic)
            try writer.writeStatistics(
                received: state.received &- receivedBefore, lost: state.lost &- lostBefore,
                from: CaptureTime(nanoseconds: start), to: CaptureTime(nanoseconds: state.now.wall))
            try writer.flush()
        } catch {
            throw failure(error)
        }
        receivedBefore = state.received
        lostBefore = state.lost
    }

    /// The reason why the file has no guard process; nil if it has one, or is not a regular file.
    var unguarded: String? { keeper?.problem }

    /// Checks whether the file still has its guard process; throws if the file was deleted.
    mutating func requireFile() throws(Failure) {
        keeper?.look()
        guard writer.isRemoved else { return }
        throw Failure(
            .environment, "\(shownName): was deleted during the recording, with its records",
            advice: "record again, to another folder")
    }

    /// The failure when the reader of standard output closes it.
    var readerGone: Failure {
        Failure(.environment, "standard output: nobody reads it any more (\(records) records were written)")
    }

    private func failure(_ error: CaptureFileError) -> Failure {
        guard case .system(let call, let code) = error.cause else { return Failure(error) }
        if code == EPIPE { return readerGone }
        let full = code == ENOSPC || code == EDQUOT
        return Failure(
            .environment, "\(shownName): can't \(call): \(SystemMessage.text(code))",
            advice: path == "-"
                ? nil
                : "it holds everything recorded before" + (full ? "; make room and record again" : ""))
    }
}
