import Analysis
import CaptureFile
import CommandLineKit
import MonitorCapture
import Rendering
import WireBytes

// Annotated pcapng: the capture writer does its own output, in whole packets.

extension Annotate {
    /// Writes the packets, each with its annotation as the packet's comment.
    func pcapng() throws(Failure) -> ExitStatus {
        let path = arguments.value(.output) ?? "-"
        try Output.refuseTerminal(path, arguments.environment)
        let file = try Output.file(path, arguments, madeFrom: arguments.operands)
        var none = arguments.environment.outputSink
        do throws(OutputError) {
            var renderer = AnnotatedPcapng(
                file, isFiltered: !filter.isEmpty, keepsKeys: arguments.has(.keepKeys))
            var pass = AnalysisPass(
                arguments, filter: filter, knowledge, stop: stop)
            try pass.run(&renderer, into: &none)
            try renderer.finish()
            for (count, what) in renderer.loss.sentences {
                console.say("not held by pcapng: \(count) \(what)")
            }
            if let blanker = renderer.blanker, blanker.blanked + blanker.leftOut > 0 {
                let left = blanker.leftOut
                console.say(
                    "\(blanker.blanked.counting("record")) with keys blanked"
                        + (left > 0 ? ", \(left.counting("vendor diagnostic")) left out" : "")
                        + "; --keep-keys keeps them")
            }
            if renderer.hasMixedAdapters {
                console.say(Convert.mixture(ofSeveralLogs: renderer.isOfSeveralLogs))
            }
            // Requests without an answer at the end can't be in a packet's comment, so they are reported
            // here, for the selected frames, as in the text's verdict.
            for request in pass.analyzer.listedRequests { console.say(request.sentence) }
            for link in pass.analyzer.listedLinks {
                for request in link.openRequests {
                    console.say("connection \(link.number): \(request.sentence)")
                }
            }
            return pass.end(arguments, console)
        } catch {
            if let failure = error.failure { throw failure }
            if let notice = LearnedKeys.notSaved(arguments) { console.say(notice) }
            return .success
        }
    }
}
