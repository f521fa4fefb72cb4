import CaptureFile
import CommandLineKit
import Rendering

// Annotated pcapng: the writer of captures does its own output, whole packets at a time.

extension Annotate {
    /// Writes the packets, each with its annotation as the packet's comment.
    func pcapng() throws(Failure) -> ExitStatus {
        let path = arguments.value(.output) ?? "-"
        if path == "-", SystemCall.isTerminal(1) {
            throw Failure(.usage, "pcapng is not for a terminal", advice: "say where it goes with -o FILE")
        }
        try Output.refuse(path, ifAmong: arguments.operands)
        var none = DescriptorSink(borrowing: 1, name: "standard output")
        do throws(OutputError) {
            var renderer = AnnotatedPcapng(try writer(path))
            var pass = AnalysisPass(arguments.operands, filter: filter, knowledge)
            try pass.run(&renderer, into: &none)
            try renderer.finish()
            for (count, what) in renderer.loss.sentences {
                console.say("not held by pcapng: \(count) \(what)")
            }
            return status(of: pass)
        } catch {
            if let failure = error.failure { throw failure }
            return .success
        }
    }

    private func writer(_ path: String) throws(OutputError) -> CaptureWriter {
        do throws(CaptureFileError) {
            return try CaptureWriter(path: path, format: pcapngFormat, overwrite: true, nanoseconds: true)
        } catch {
            throw OutputError(error)
        }
    }

    /// The link type that holds most of the inputs: that of the monitor channel where one is from there.
    private var pcapngFormat: CaptureWriter.Format {
        for path in arguments.operands where path != "-" {
            guard let reader = try? CaptureReader(path: path) else { continue }
            let info = reader.info
            if info.format == .btsnoop ? info.datalink == 2001 : info.datalink == 254 {
                return .pcapngMonitor
            }
        }
        return .pcapng
    }
}
