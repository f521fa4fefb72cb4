import BluetoothCore
import CommandLineKit
import Gadgets
import LEHost
import WireBytes

/// An action of a plain central: `connect=MI`, `read=FF01`, `write=FF02:1b9901`.
enum GATTAction: Equatable, Sendable {
    case scan(seconds: Int)
    /// Connects to a device by its name, its address, or an advertised service.
    case connect(String)
    case disconnect
    case discover
    /// Sets the services that connecting and `discover` look for from now on.
    case services([BluetoothUUID])
    case read(BluetoothUUID)
    case write(BluetoothUUID, [UInt8])
    /// Writes without response.
    case command(BluetoothUUID, [UInt8])
    case subscribe(BluetoothUUID, Bool)
    case describe(BluetoothUUID)
    case rssi
    case pair
    /// Answers a pairing question.
    case answer(PairingAnswer)
    case bonds
    /// Forgets the bond with the device of this address.
    case forget(DeviceAddress)
    case wait(seconds: Int)

    /// Every action word, with the name of its value.
    static let words: [(word: String, argument: String?)] = [
        ("scan", "SECONDS"), ("connect", "DEVICE"), ("discover", nil), ("services", "UUID,UUID,..."),
        ("read", "UUID"),
        ("write", "UUID:HEX"), ("command", "UUID:HEX"), ("subscribe", "UUID"), ("unsubscribe", "UUID"),
        ("describe", "UUID"), ("rssi", nil), ("pair", nil), ("answer", "PASSKEY|yes|no"),
        ("bonds", nil), ("forget", "ADDRESS"), ("wait", "SECONDS"), ("disconnect", nil),
    ]

    /// Parses a word of the command line, or a typed line, in which a space may replace the equals sign.
    init(_ text: String) throws(Failure) {
        let end = text.firstIndex { $0 == "=" || $0 == " " } ?? text.endIndex
        let word = String(text[..<end])
        let argument = String(text[end...].dropFirst())
        switch word {
        case "scan": self = .scan(seconds: try Self.seconds(argument, word, default: 5))
        case "connect":
            guard !argument.isEmpty else {
                throw Failure(
                    .usage, "connect: which device?",
                    advice: "write its name, its address or a service: connect=MI")
            }
            self = .connect(argument)
        case "disconnect": self = .disconnect
        case "discover": self = .discover
        case "services":
            var services: [BluetoothUUID] = []
            for one in argument.split(separator: ",") { services.append(try Self.uuid(String(one), word)) }
            self = .services(services)
        case "rssi": self = .rssi
        case "pair": self = .pair
        case "answer": self = .answer(try Self.answer(argument))
        case "bonds": self = .bonds
        case "forget":
            guard let address = DeviceAddress(argument, kind: .unknown) else {
                throw Failure(
                    .usage, "forget: '\(argument)' is not an address",
                    advice: "'bonds' shows those there are")
            }
            self = .forget(address)
        case "read": self = .read(try Self.uuid(argument, word))
        case "subscribe": self = .subscribe(try Self.uuid(argument, word), true)
        case "unsubscribe": self = .subscribe(try Self.uuid(argument, word), false)
        case "describe": self = .describe(try Self.uuid(argument, word))
        case "write", "command":
            let end = argument.firstIndex { $0 == ":" || $0 == " " } ?? argument.endIndex
            let uuid = try Self.uuid(String(argument[..<end]), word)
            let value = try Self.octets(String(argument[end...].dropFirst()))
            self = word == "write" ? .write(uuid, value) : .command(uuid, value)
        case "wait": self = .wait(seconds: try Self.seconds(argument, word, default: 1))
        default:
            let words = Self.words.map(\.word)
            let near = Suggestion.nearest(to: word, in: words).map { "did you mean '\($0)'?" }
            throw Failure(
                .usage, "unknown action '\(text)'",
                advice: near ?? "actions: \(words.joined(separator: ", "))")
        }
    }

    /// Parses a typed line, which needs no `answer=` before the answer to a question.
    init(_ text: String, isAsked: Bool) throws(Failure) {
        if isAsked, let answer = try? Self.answer(text) {
            self = .answer(answer)
        } else {
            try self.init(text)
        }
    }

    var isAnswer: Bool { if case .answer = self { true } else { false } }

    /// All actions in one line.
    static var help: String {
        words.map { $0.word + ($0.argument.map { "=\($0)" } ?? "") }.joined(separator: ", ")
    }

    /// Duration of an action that does not end by itself.
    var patience: Duration? {
        switch self {
        case .scan(let seconds), .wait(let seconds): .seconds(Int64(seconds))
        default: nil
        }
    }

    private static func seconds(
        _ text: String, _ word: String, default usual: Int
    ) throws(Failure) -> Int {
        guard let seconds = text.isEmpty ? usual : Int(text), (1...86_400).contains(seconds) else {
            throw Failure(.usage, "\(word): '\(text)' is not a number from 1 to 86400")
        }
        return seconds
    }

    private static func answer(_ text: String) throws(Failure) -> PairingAnswer {
        switch text {
        case "yes": return .yes
        case "no": return .no
        default:
            guard let passkey = PairingDesk.passkey(text) else {
                throw Failure(.usage, "answer: '\(text)' is not yes, no or a passkey of six digits")
            }
            return .passkey(passkey)
        }
    }

    private static func uuid(_ text: String, _ word: String) throws(Failure) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw Failure(
                .usage, "\(word): '\(text)' is not a UUID of 16, 32 or 128 bits", advice: "write it as FF01")
        }
        return uuid
    }

    static func octets(_ text: String) throws(Failure) -> [UInt8] {
        do throws(Hex.Problem) {
            return try HexText.octets(text)
        } catch {
            let why =
                switch error {
                case .oddDigitCount: "odd number of digits"
                case .notADigit(let place): "character \(place + 1) is not a hexadecimal digit"
                }
            throw Failure(.usage, "'\(text)' is not hexadecimal text: \(why)", advice: "nothing is written")
        }
    }
}
