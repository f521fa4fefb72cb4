import CaptureFile
import CommandLineKit
import Glibc

/// Completes the recorded file if the recorder is killed.
///
/// A second process waits for the recorder's end. It has the file, and the memory in which the recorder
/// collects records; if the recorder was killed, it writes the records missing from the file, so that
/// everything read from the channel is in the file and its last record is whole.
struct RecordingGuard {
    private let start: () throws(SystemCall.Problem) -> ChildProcess
    private var child: ChildProcess?
    /// The reason why the recorded file has no guard process; nil if it has one.
    private(set) var problem: String?

    /// The name of the process.
    static let name = "recording-guard"

    /// - Parameter start: starts the process.
    init(
        start: @escaping () throws(SystemCall.Problem) -> ChildProcess = {
            () throws(SystemCall.Problem) in try ChildProcess(named: RecordingGuard.name)
        }
    ) {
        self.start = start
    }

    /// Guards a file from now on, instead of the previous one.
    mutating func take(_ descriptor: Int32, _ writer: inout CaptureWriter) {
        problem = nil
        do throws(SystemCall.Problem) {
            if child?.hasEnded != false { child = try start() }
            let memory = try SystemCall.memory(named: Self.name, octets: CaptureWriter.sharedLength)
            defer { close(memory) }
            guard writer.share(memory) else { throw SystemCall.Problem(code: ENOMEM) }
            guard child?.hand([descriptor, memory]) == true else { throw SystemCall.Problem(code: EPIPE) }
        } catch {
            problem = SystemCall.message(error.code)
        }
    }

    /// Checks whether the process is still running.
    mutating func look() {
        if problem == nil, child?.hasEnded == true { problem = "it has ended" }
    }

    /// Runs the guard process: waits, and completes the last file that it got.
    static func run() {
        ChildProcess.settle(as: name)
        var last: [Int32] = []
        while let next = ChildProcess.take() {
            for descriptor in last { close(descriptor) }
            last = next
        }
        if last.count == 2 { _ = CaptureWriter.complete(last[0], from: last[1]) }
    }
}
