import BluetoothCore
import CommandLineKit
import Gadgets
import WireBytes

/// Something that a plain central is to do with a characteristic: `read=FF01`, `write=FF02:1b9901`.
enum GATTAction: Equatable, Sendable {
    case read(BluetoothUUID)
    case write(BluetoothUUID, [UInt8])
    /// Without response.
    case command(BluetoothUUID, [UInt8])
    case listen(BluetoothUUID, Bool)
    case describe(BluetoothUUID)
    case wait(seconds: Int)

    private static let words = ["read", "write", "command", "listen", "ignore", "describe", "wait"]

    /// Reads a word of the command line.
    init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts.first ?? "")
        let argument = parts.count > 1 ? String(parts[1]) : ""
        switch word {
        case "read": self = .read(try Self.uuid(argument, word))
        case "listen": self = .listen(try Self.uuid(argument, word), true)
        case "ignore": self = .listen(try Self.uuid(argument, word), false)
        case "describe": self = .describe(try Self.uuid(argument, word))
        case "write", "command":
            let pair = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let uuid = try Self.uuid(String(pair.first ?? ""), word)
            let value = try Self.octets(pair.count > 1 ? String(pair[1]) : "")
            self = word == "write" ? .write(uuid, value) : .command(uuid, value)
        case "wait":
            guard let seconds = Int(argument.isEmpty ? "1" : argument), (1...86_400).contains(seconds) else {
                throw Failure(.usage, "wait: '\(argument)' is not a number from 1 to 86400")
            }
            self = .wait(seconds: seconds)
        default:
            let near = Suggestion.nearest(to: word, in: Self.words).map { "did you mean '\($0)'?" }
            throw Failure(
                .usage, "unknown action '\(text)'",
                advice: near ?? "actions: \(Self.words.joined(separator: ", "))")
        }
    }

    private static func uuid(_ text: String, _ word: String) throws(Failure) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw Failure(
                .usage, "\(word): '\(text)' is not a UUID of 16, 32 or 128 bits", advice: "write it as FF01")
        }
        return uuid
    }

    private static func octets(_ text: String) throws(Failure) -> [UInt8] {
        do throws(Hex.Problem) {
            return try HexText.octets(text)
        } catch {
            throw Failure(.usage, "'\(text)' is not hexadecimal text: \(error)", advice: "nothing is written")
        }
    }
}
