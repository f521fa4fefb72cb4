import CommandLineKit
import Replay

// The option `--bless` of `replay`: the result of a replay becomes the expectation of later ones.

extension ReplayCommand {
    /// Refuses to replace an expectation without `--force`, since a person may have edited it.
    func checkBlessing() throws(Failure) {
        guard let place = arguments.value(.bless) else { return }
        do throws(Failure) {
            _ = try Output.file(place, arguments, madeFrom: arguments.operands)
        } catch {
            guard error.status == .environment, SystemCall.status(of: place)?.isRegular == true,
                let log = arguments.operands.first
            else { throw error }
            throw Failure(
                error.status, "\(place) already exists and may have been edited",
                advice: "to replace it: \(again(log, ["--bless", place, "--force"]))")
        }
    }

    /// The expectation for later replays of a log.
    func blessing(of replay: LogReplay, _ path: String) throws(Failure) -> LogExpectation {
        let blessing = replay.blessing
        guard blessing.departures.isEmpty, blessing.outcomes.isEmpty else { return blessing }
        let what = "\(path): nothing to bless: the replay is \(replay.report.word)"
        switch replay.report.verdict {
        case .same, .partlySame:
            throw Failure(
                .usage, "\(what) and has no request whose end could be expected",
                advice: "a log without a failure needs no expectation; to keep what passed: "
                    + again(path, ["--transcript", "FILE"]))
        default:
            throw Failure(
                .usage, "\(what), and not at a PDU of the host",
                advice: "an expectation can allow another PDU than the recorded one; mend this first")
        }
    }
}
