import CommandLineKit
import Gadgets

/// An action of a band's or link device's client: `battery`, `speed=1000`.
enum GadgetAction: Equatable, Sendable {
    case battery
    case text
    /// Writes with response.
    case write(hex: String)
    case send([UInt8])
    case speed(Int)
    case command(LinkCommand.Kind, speed: Int)
    case wait(seconds: Int)

    /// The words of each client, with the names of their values; a value in brackets is optional.
    static let words: [String: [(word: String, argument: String?)]] = [
        "band": [("battery", nil), ("text", nil), ("write", "HEX"), ("wait", "[SECONDS]")],
        "link": [
            ("send", "TEXT"), ("send-file", "FILE"), ("send-hex", "HEX"), ("speed", "RATE"),
            ("aba", "RATE"), ("bab", "RATE"), ("cdc", "RATE"), ("dcd", "RATE"), ("receive", "[SECONDS]"),
        ],
    ]

    private static let fileLimit = 1_000_000

    /// Parses a word of the command line.
    init(
        _ text: String, of client: String, in environment: CommandEnvironment
    ) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts.first ?? "")
        let words = Self.words[client] ?? []
        guard let known = words.first(where: { $0.word == word }) else {
            let names = words.map(\.word)
            throw Failure(
                .usage, "unknown action '\(text)'", nearestTo: word, in: names,
                else: "actions: \(names.joined(separator: ", "))")
        }
        let argument = parts.count > 1 ? String(parts[1]) : ""
        if known.argument == nil, parts.count > 1 { throw Failure(.usage, "'\(word)' takes no value") }
        if let value = known.argument, !value.hasPrefix("["), argument.isEmpty {
            throw Failure(.usage, "\(word): a value is missing", advice: "write \(word)=\(value)")
        }
        switch word {
        case "battery": self = .battery
        case "text": self = .text
        case "write":
            _ = try GATTAction.octets(argument)
            self = .write(hex: argument)
        case "send": self = .send(Array(argument.utf8))
        case "send-hex": self = .send(try GATTAction.octets(argument))
        case "send-file":
            let octets = try environment.contents(of: argument, atMost: Self.fileLimit).octets
            guard octets.count <= Self.fileLimit else {
                throw Failure(.input, "\(argument): longer than \(Self.fileLimit) bytes")
            }
            self = .send(octets)
        case "speed":
            self = .speed(try DriveAction.number(argument, word, LinkFrame.speeds, default: 0))
        case "receive", "wait":
            self = .wait(
                seconds: try DriveAction.number(
                    argument.isEmpty ? nil : argument, word, 1...86_400, default: 1))
        default:
            let kind = LinkCommand.Kind.allCases.first { "\($0)" == word } ?? .aba
            self = .command(kind, speed: try DriveAction.number(argument, word, LinkFrame.speeds, default: 0))
        }
    }
}
