import Adapters
import CaptureFile
import CommandLineKit
import Glibc
import MonitorCapture

extension Failure {
    /// Notice about files read as separate logs that may be parts of one, with the option to join them.
    init(apart set: borrowing CaptureSet) {
        let (files, logs) = (set.fileCount, Set(set.logOfFile).count)
        self.init(
            .success,
            "these \(files) files are read as \(logs) logs of different recorders on one timeline: neither "
                + "names nor records connect them",
            advice: "--one-log reads them as parts of one log; those of an archive are judged separately "
                + "once it is unpacked")
    }

    /// Notice that records shared by some files are repeated because so many files are read together.
    init(repeating set: borrowing CaptureSet) {
        self.init(
            .success,
            "\(set.fileCount) files are read together: records that only files after "
                + "the first \(CaptureSet.mostFilesTold) share appear several times",
            advice: "read fewer together")
    }

    /// Failure for a capture that can't be read, or not to its end, in the user's terms.
    init(_ error: CaptureFileError) {
        var place: String? = error.record.map { "record \($0), offset \(error.fileOffset)" }
        var advice: String?
        let what: String
        switch error.cause {
        case .notACapture:
            what = "not a capture file"
            advice = "supported: \(CaptureFileError.supported)"
        case .empty:
            what = "the file is empty"
            place = nil
            advice = "nothing was recorded, or the copy is incomplete"
        case .emptyReport:
            what = "the bug report holds no Bluetooth log"
            place = nil
            advice =
                "switch on 'Bluetooth HCI snoop log' in the developer options, then Bluetooth off and on, "
                + "and take another"
        case .decoderText("Wireshark"):
            what = "Wireshark's table of packets, not the packets"
            place = nil
            advice = "in Wireshark: File, Save As, pcapng"
        case .decoderText(let program):
            what = "text that \(program) printed, not a capture"
            place = nil
            advice = "record a capture with 'btmon -w FILE' or 'blecap record FILE'"
        case .unsupportedDatalink(let name, let content):
            what = name
            place = nil
            if content == .air {
                advice =
                    "record HCI on the phone or computer itself (Android's 'Bluetooth HCI snoop log', "
                    + "PacketLogger, 'btmon -w FILE', 'blecap record FILE'); Wireshark shows this file"
            }
        case .truncated where error.record == nil:
            what = CaptureFileError.cutHeader
        case .truncated:
            what = "the file ends inside a record"
            advice = "everything before it was read; copy the file again if it should be longer"
        case .damaged(let damage):
            what = damage
            place = place ?? "offset \(error.fileOffset)"
            advice =
                error.isPassed
                ? "all whole records that were found before and behind it were read"
                : "everything before it was read"
        case .system(_, let code):
            what = error.reason
            if error.fileOffset == 0 { place = nil }
            advice = Self.advice(on: code, error.file)
        case .temporary:
            let advice = "set TMPDIR to a folder that has room"
            self.init(.environment, "\(error.file): \(error.reason)", advice: advice)
            return
        case .unpacksToMore(let limit):
            what = "it unpacks to more than \(CaptureFileError.text(octets: limit))"
            place = nil
            advice = "if it is not hostile, --unpack-limit SIZE allows more"
        case .archive(let problem):
            what = problem
            if error.fileOffset > 0 { place = place ?? "offset \(error.fileOffset)" }
            if place != nil { advice = "everything before it was read" }
        case .restored(let change):
            what = change
            place = nil
            advice = "next time copy it as binary"
        }
        let name = error.file == "-" ? "standard input" : error.file
        self.init(.input, "\(name): \(what)", place: place, advice: advice)
    }
}

extension Failure {
    private static func advice(on code: Int32, _ file: String) -> String? {
        switch code {
        case EISDIR: "name the logs in it"
        case ENOENT: Suggestion.file(near: file).map { "did you mean '\($0)'?" }
        default: nil
        }
    }

    /// Failure for one of a command's inputs; a missing one may be a value that an option should have.
    init(_ error: CaptureFileError, _ arguments: ParsedArguments) {
        self.init(error)
        guard error.cause == .system(call: "open", errno: ENOENT) else { return }
        let layers = arguments.operands.filter {
            FrameFilter.layers.contains($0) && SystemCall.status(of: $0) == nil
        }
        if arguments.has(.only), layers.contains(error.file) {
            advice = "several layers: --only \((arguments.values(.only) + layers).joined(separator: ","))"
        } else if arguments.command == "annotate", let frame = Int(error.file), frame > 0 {
            advice = "--frame \(frame) FILE shows a frame"
        }
    }

    /// Refuses inputs that include standard input more than once.
    static func checkInputs(_ paths: [String]) throws(Failure) {
        if paths.count(where: { $0 == "-" }) > 1 {
            throw Failure(.usage, "standard input can be read only once")
        }
    }
}

/// An error that a command reports in words of its own.
protocol ReportedError: Error {
    var failure: Failure { get }
}

extension CaptureFileError: ReportedError { var failure: Failure { Failure(self) } }
extension MonitorError: ReportedError { var failure: Failure { Failure(self) } }
extension AdapterError: ReportedError {
    var failure: Failure { Failure(.environment, problem, advice: advice) }
}

extension Failure {
    /// Runs a body, and throws its error as a failure.
    static func reporting<Value: ~Copyable, Problem: ReportedError>(
        _ body: () throws(Problem) -> Value
    ) throws(Failure) -> Value {
        do throws(Problem) { return try body() } catch { throw error.failure }
    }
}

extension OutputError {
    /// The output error for a capture file that was being written.
    init(_ error: CaptureFileError) {
        guard case .system(let call, let code) = error.cause else {
            self = .system(call: "write", errno: EINVAL, file: error.file)
            return
        }
        let name = error.file == "-" ? "standard output" : error.file
        self = code == EPIPE ? .readerGone : .system(call: call, errno: code, file: name)
    }
}

extension CaptureFileError {
    /// Whether it concerns the file at this path, or a log in the archive there.
    func isAbout(_ path: String) -> Bool { file == path || file.hasPrefix(path + ":") }

    /// Whether the failure advises more than a verdict says. Of damage it says only how much was read.
    var needsAdvice: Bool {
        switch cause {
        case .truncated, .damaged, .archive: false
        default: Failure(self).advice != nil
        }
    }
}
