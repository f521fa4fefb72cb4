import Analysis
import BluetoothCore
import CaptureFile
import CommandLineKit
import Replay

/// The connections of a log selected by `--connection` and `--peer`.
struct ConnectionChoice: Sendable {
    private let numbers: Set<Int>
    private let peers: PeerChoice
    /// The options as they were given.
    private let words: [String]
    /// Most connections that an error lists.
    private static let mostListed = 8

    init(_ arguments: ParsedArguments) throws(Failure) {
        numbers = Set(try FrameFilter.numbers(arguments, .connection, 1...Int.max))
        peers = try PeerChoice(arguments)
        words = [OptionRow.connection, .peer].flatMap { option in
            arguments.values(option).flatMap { ["--\(option.long)", $0] }
        }
    }

    /// Whether all connections are replayed.
    var isEmpty: Bool { numbers.isEmpty && peers.isEmpty }

    /// Keeps only the selected connections of a log.
    func choose(
        in model: inout SessionModel, _ path: String, _ knowledge: AnalysisKnowledge
    ) throws(Failure) {
        guard !isEmpty else { return }
        let all = model.connections.filter { $0.number > 0 }
        let peers = peers.resolved(in: [path], asOneLog: false, knowledge)
        model.choose { connection in
            (numbers.isEmpty || numbers.contains(connection.number))
                && (peers.isEmpty || peers.holds(number: connection.number, connection.peer))
        }
        guard model.connections.isEmpty else { return }
        throw Failure(
            .unreplayable,
            "\(path): no connection passes " + words.map(Shell.quoted).joined(separator: " "),
            advice: all.isEmpty
                ? "it has none"
                : "its connections: "
                    + all.prefix(Self.mostListed).map { "\($0.number) with \($0.peer)" }.joined(
                        separator: ", ")
                    + (all.count > Self.mostListed ? ", \u{2026}" : ""))
    }
}

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
