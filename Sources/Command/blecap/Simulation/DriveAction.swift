import CommandLineKit
import UQDKBle

/// Something that a phone is to do: `unlock`, `engine-start=10`.
enum DriveAction: Equatable, Sendable {
    case activate
    case lock(UQDKDoors)
    case unlock(UQDKDoors)
    case trunk
    case find(seconds: Int)
    case engineStart(minutes: Int)
    case engineStop
    case windows(percent: Int)
    case status
    case wait(seconds: Int)

    /// Every word, with what may follow its equals sign.
    static let words: [(word: String, argument: String?)] = [
        ("activate", nil), ("lock", "DOORS"), ("unlock", "DOORS"), ("trunk", nil), ("find", "SECONDS"),
        ("engine-start", "MINUTES"), ("engine-stop", nil), ("windows", "PERCENT"), ("status", nil),
        ("wait", "SECONDS"),
    ]

    private static let doors: [(word: String, UQDKDoors)] = [
        ("front-left", .frontLeft), ("front-right", .frontRight), ("rear-left", .rearLeft),
        ("rear-right", .rearRight), ("trunk", .trunk), ("all", .all),
    ]

    /// Reads a word of the command line.
    init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts.first ?? "")
        guard let known = Self.words.first(where: { $0.word == word }) else {
            let near = Suggestion.nearest(to: word, in: Self.words.map(\.word))
            throw Failure(
                .usage, "unknown action '\(text)'",
                advice: near.map { "did you mean '\($0)'?" }
                    ?? "actions: \(Self.words.map(\.word).joined(separator: ", "))")
        }
        let argument = parts.count > 1 ? String(parts[1]) : nil
        guard argument == nil || known.argument != nil else {
            throw Failure(.usage, "'\(word)' takes no value")
        }
        switch word {
        case "activate": self = .activate
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

    private static func number(
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
