import CommandLineKit
import UQDK
import UQDKBle

/// An action of a phone: `unlock`, `engine-start=10`.
enum DriveAction: Equatable, Sendable {
    /// Uses this pairing code; nil for the known one.
    case activate(code: String?)
    case lock(UQDKDoors)
    case unlock(UQDKDoors)
    case trunk
    case find(seconds: Int)
    case engineStart(minutes: Int)
    case engineStop
    case windows(percent: Int)
    case status
    case wait(seconds: Int)
    /// A command of the dialect by its code, with its body.
    case send(UInt64, [UInt8])

    /// Every action word, with the name of its value.
    static let words: [(word: String, argument: String?)] = [
        ("activate", "CODE"), ("lock", "DOORS"), ("unlock", "DOORS"), ("trunk", nil), ("find", "SECONDS"),
        ("engine-start", "MINUTES"), ("engine-stop", nil), ("windows", "PERCENT"), ("status", nil),
        ("wait", "SECONDS"), ("send", "COMMAND:HEX"),
    ]

    private static let doors: [(word: String, UQDKDoors)] = [
        ("front-left", .frontLeft), ("front-right", .frontRight), ("rear-left", .rearLeft),
        ("rear-right", .rearRight), ("trunk", .trunk), ("all", .all),
    ]

    /// Parses a word of the command line.
    init(_ text: String, _ dialect: Dialect) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts.first ?? "")
        guard let known = Self.words.first(where: { $0.word == word }) else {
            let words = Self.words.map(\.word)
            throw Failure(
                .usage, "unknown action '\(text)'", nearestTo: word, in: words,
                else: "actions: \(words.joined(separator: ", "))")
        }
        let argument = parts.count > 1 ? String(parts[1]) : nil
        guard argument == nil || known.argument != nil else {
            throw Failure(.usage, "'\(word)' takes no value")
        }
        switch word {
        case "activate": self = .activate(code: argument)
        case "send": self = try Self.send(argument ?? "", dialect)
        case "lock": self = .lock(try Self.doors(argument))
        case "unlock": self = .unlock(try Self.doors(argument))
        case "trunk": self = .trunk
        case "find": self = .find(seconds: try Self.number(argument, word, 1...255, default: 5))
        case "engine-start":
            self = .engineStart(minutes: try Self.number(argument, word, 1...255, default: 10))
        case "engine-stop": self = .engineStop
        case "windows": self = .windows(percent: try Self.number(argument, word, 0...100, default: 100))
        case "wait": self = .wait(seconds: try Self.number(argument, word, 1...86_400, default: 1))
        default: self = .status
        }
    }

    /// Whether the action activates the key.
    var isActivation: Bool {
        if case .activate = self { true } else { false }
    }

    /// Parses `HORN:05`: a command by its name in the dialect or its code, and the bytes of its body.
    private static func send(_ text: String, _ dialect: Dialect) throws(Failure) -> DriveAction {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let code =
            dialect.commands.first { $0.name == name }?.code
            ?? (name.hasPrefix("0x") ? UInt64(name.dropFirst(2), radix: 16) : nil)
        guard let code else {
            throw Failure(
                .usage, "send: \(dialect.name) has no command '\(name)'", nearestTo: name,
                in: dialect.commands.map(\.name), else: "write another one's code as 0x7F")
        }
        return .send(code, try GATTAction.octets(parts.count > 1 ? String(parts[1]) : ""))
    }

    static func number(
        _ text: String?, _ word: String, _ range: ClosedRange<Int>, default usual: Int
    ) throws(Failure) -> Int {
        guard let text else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                .usage, "\(word): '\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func doors(_ text: String?) throws(Failure) -> UQDKDoors {
        guard let text else { return .all }
        var doors: UQDKDoors = []
        for word in text.split(separator: "+", omittingEmptySubsequences: false) {
            guard let door = Self.doors.first(where: { $0.word == word }) else {
                throw Failure(
                    .usage, "'\(word)' is not a door",
                    advice: "doors: \(Self.doors.map(\.word).joined(separator: ", ")), joined by +")
            }
            doors.formUnion(door.1)
        }
        return doors
    }
}
