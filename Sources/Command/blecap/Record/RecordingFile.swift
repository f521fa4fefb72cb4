import CaptureFile
import CommandLineKit
import Glibc
import MonitorCapture

/// The file that is being recorded, or the one of several that is.
struct RecordingFile: ~Copyable {
    private let path: String
    private let format: CaptureWriter.Format
    private let replaces: Bool
    private let rotation: RecordOptions.Rotation
    private let stop: Int32?
    private var writer: CaptureWriter
    /// The number of the file, from 1.
    private(set) var part = 1
    /// The files of this recording that are there, the oldest first.
    private(set) var kept: [String] = []
    /// Records in all files.
    private(set) var records = 0
    private var octetsBefore = 0
    /// When the file was begun, by the clock that only goes forward.
    private var begun: ClockReading
    private var receivedBefore = 0
    private var lostBefore = 0

    /// Octets around a record, at most.
    private static let overhead = 96

    /// Creates the first file.
    ///
    /// - Parameter stop: a descriptor that is readable once the recording has to end.
    init(
        _ path: String, _ options: RecordOptions, now: ClockReading, stop: Int32? = nil
    ) throws(Failure) {
        self.path = path
        format = options.format
        replaces = options.replaces
        rotation = options.rotation
        self.stop = path == "-" ? stop : nil
        begun = now
        writer = try Self.open(
            rotation.isWanted ? Self.name(path, part: 1) : path, format, replaces, self.stop)
        if path != "-" { kept = [rotation.isWanted ? Self.name(path, part: 1) : path] }
    }

    /// The name of a part: its number stands before the suffix.
    static func name(_ path: String, part: Int) -> String {
        let digits = String(part)
        let number = "." + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/"),
            dot > path.startIndex, path[path.index(before: dot)] != "/"
        else { return path + number }
        return path[..<dot] + number + path[dot...]
    }

    /// The file that is written now, as a message names it.
    var shownName: String { path == "-" ? "standard output" : kept.last ?? path }

    /// Octets in all files.
    var octets: Int { octetsBefore &+ writer.offset }

    /// What the format could not hold.
    var loss: ConversionLoss { writer.loss }

    private static func open(
        _ path: String, _ format: CaptureWriter.Format, _ replaces: Bool, _ stop: Int32?
    ) throws(Failure) -> CaptureWriter {
        let descriptor: Int32
        do throws(SystemCall.Problem) {
            descriptor =
                path == "-"
                ? try SystemCall.duplicateOutput()
                : try SystemCall.createPrivate(path, replacing: replaces)
        } catch {
            let advice = error.code == EEXIST ? "choose another name, or give --force" : nil
            throw Failure(
                .environment, "\(path): can't create: \(SystemCall.message(error.code))", advice: advice)
        }
        do throws(CaptureFileError) {
            var writer = try CaptureWriter(
                descriptor: descriptor, name: path == "-" ? "standard output" : path, format: format)
            if let stop { writer.watch(stop: stop) }
            return writer
        } catch {
            throw Failure(error)
        }
    }

    /// Whether a record of `length` octets belongs into a new file.
    func isFull(for length: Int, _ now: ClockReading) -> Bool {
        guard writer.records > 0 else { return false }
        if let limit = rotation.octets, writer.offset &+ length &+ Self.overhead > limit { return true }
        if let limit = rotation.nanoseconds, now.monotonic &- begun.monotonic >= limit { return true }
        return false
    }

    /// Ends the file and begins the next one; removes what is more than is to be kept.
    mutating func rotate(_ state: PumpState) throws(Failure) {
        try end(state)
        octetsBefore &+= writer.offset
        part += 1
        begun = state.now
        let name = Self.name(path, part: part)
        writer = try Self.open(name, format, replaces, stop)
        kept.append(name)
        if let most = rotation.kept {
            while kept.count > most { SystemCall.remove(kept.removeFirst()) }
        }
    }

    /// Writes one record.
    mutating func write(_ record: borrowing Record) throws(Failure) {
        do throws(CaptureFileError) { try writer.write(record) } catch { throw failure(error) }
        records &+= 1
    }

    /// Hands all records over to the kernel, or to the disk.
    mutating func flush(syncing: Bool = false) throws(Failure) {
        do throws(CaptureFileError) {
            if syncing { try writer.sync() } else { try writer.flush() }
        } catch {
            throw failure(error)
        }
    }

    /// Ends the file: what the format holds about the recording, and all that is still to be written.
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

    /// Fails where the file that is written was deleted.
    func requireFile() throws(Failure) {
        guard writer.isRemoved else { return }
        throw Failure(
            .environment, "\(shownName): was deleted while it was recorded, and its records with it",
            advice: "record again, into a directory that stays")
    }

    /// The failure for a reader of standard output that has gone.
    var readerGone: Failure {
        Failure(.environment, "standard output: nobody reads it any more (\(records) records were written)")
    }

    private func failure(_ error: CaptureFileError) -> Failure {
        guard case .system(let call, let code) = error.cause else { return Failure(error) }
        if code == EPIPE { return readerGone }
        let full = code == ENOSPC || code == EDQUOT
        return Failure(
            .environment, "\(shownName): can't \(call): \(SystemCall.message(code))",
            advice: path == "-"
                ? nil
                : "what was recorded before is in it" + (full ? "; make room and record again" : ""))
    }
}
