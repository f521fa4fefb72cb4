import CaptureFile
import CommandLineKit
import Replay

/// The expectation of a log, from `--expect` or beside the log.
enum ExpectationFile {
    /// - Returns: the expectation; nil if absent.
    static func of(
        _ log: String, _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) -> LogExpectation? {
        let given = arguments.value(.expect)
        guard given != "none" else { return nil }
        let path = given ?? beside(log)
        guard given != nil || SystemCall.status(of: path)?.isRegular == true else { return nil }
        let octets = try arguments.environment.contents(of: path, atMost: 1 << 24).octets
        do {
            let expectation = try LogExpectation(json: octets)
            if given == nil {
                console.say("expectation of \(path), found beside the log (--expect none: without)")
            }
            return expectation
        } catch {
            throw Failure(.input, "\(path): it holds no expectation: \(error)")
        }
    }

    /// The default path, such as `unlock.expect.json` for `unlock.btsnoop`.
    static func beside(_ log: String) -> String {
        CompanionFile.path(beside: log, ".expect.json")
    }
}
