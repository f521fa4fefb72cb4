import BluetoothCore
import CommandLineKit
import Gadgets
import LEHost
import PayloadFormat
import Profiles
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
        ("write", "UUID:HEX|MESSAGE"), ("command", "UUID:HEX|MESSAGE"), ("subscribe", "UUID"),
        ("unsubscribe", "UUID"),
        ("describe", "UUID"), ("rssi", nil), ("pair", nil), ("answer", "PASSKEY|yes|no"),
        ("bonds", nil), ("forget", "ADDRESS"), ("wait", "SECONDS"), ("disconnect", nil),
    ]

    /// Parses a word of the command line, or a typed line, in which a space may replace the equals sign.
    ///
    /// - Parameter profiles: the user's profiles, whose messages have names beside those of shipped ones.
    init(_ text: String, _ profiles: [Profile] = []) throws(Failure) {
        let end = text.firstIndex { $0 == "=" || $0 == " " } ?? text.endIndex
        let word = String(text[..<end])
        let argument = String(text[end...].dropFirst())
        switch word {
        case "scan": self = .scan(seconds: try Self.seconds(argument, word, default: 5))
        case "connect":
            guard !argument.isEmpty else {
                throw Failure(
                    .usage, "connect: no device named",
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
            let (uuid, value) = try Self.value(argument, word, profiles)
            self = word == "write" ? .write(uuid, value) : .command(uuid, value)
        case "wait": self = .wait(seconds: try Self.seconds(argument, word, default: 1))
        default:
            let words = Self.words.map(\.word)
            throw Failure(
                .usage, "unknown action '\(text)'", nearestTo: word, in: words,
                else: "actions: \(words.joined(separator: ", "))")
        }
    }

    /// Parses a typed line, which needs no `answer=` before the answer to a question.
    init(_ text: String, isAsked: Bool, _ profiles: [Profile] = []) throws(Failure) {
        if isAsked, let answer = try? Self.answer(text) {
            self = .answer(answer)
        } else {
            try self.init(text, profiles)
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

    /// Returns a characteristic and the value to write: `FF02:1b9901`, or a message of a profile with its
    /// fields: `elk-bledom.brightness,level=50`.
    private static func value(
        _ text: String, _ word: String, _ profiles: [Profile]
    ) throws(Failure) -> (BluetoothUUID, [UInt8]) {
        let end = text.firstIndex { $0 == ":" || $0 == " " || $0 == "," } ?? text.endIndex
        let name = text[..<end]
        guard let point = name.firstIndex(of: ".") else {
            return (try uuid(String(name), word), try octets(String(text[end...].dropFirst())))
        }
        let owner = String(name[..<point])
        let profile = profiles.first { $0.name == owner } ?? Profile.shipped(named: owner)
        guard let profile else {
            throw Failure(
                .usage, "\(word): there is no profile '\(owner)'",
                advice: "'blecap profile list' shows those there are; --profile FILE adds another")
        }
        var fields: [String: String] = [:]
        for part in text[end...].split(whereSeparator: { $0 == " " || $0 == "," }) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, fields.updateValue(String(sides[1]), forKey: String(sides[0])) == nil
            else { throw Failure(.usage, "\(word): '\(part)' is not a field and its value") }
        }
        return try profile.value(of: String(name[point...].dropFirst()), fields, word)
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

extension Profile {
    /// Returns the characteristic that a message is written to, and the message with these fields.
    fileprivate func value(
        of called: String, _ fields: [String: String], _ word: String
    ) throws(Failure) -> (BluetoothUUID, [UInt8]) {
        typealias Target = (channel: ProfileChannel, uuid: BluetoothUUID, message: ProfileMessage)
        let targets = channels.filter { $0.framing.fragments == nil }.flatMap { channel -> [Target] in
            let uuid = channel.attributes.first { $0.operations.contains(.write) && $0.characteristic != nil }
            guard let uuid = uuid?.characteristic else { return [] }
            return channel.messages.map { (channel, uuid, $0) }
        }
        guard let (channel, uuid, message) = targets.first(where: { $0.message.name == called }) else {
            let names = targets.map(\.message.name)
            throw Failure(
                .usage, "\(word): \(name) has no message '\(called)' that can be written", nearestTo: called,
                in: names, else: names.isEmpty ? nil : "it has \(names.joined(separator: ", "))")
        }
        let frame: [UInt8]
        do throws(LayoutError) {
            frame = try channel.frame(of: message, typed: fields)
        } catch {
            throw Failure(
                .usage, "\(word): \(name).\(called): \(error)",
                advice: "fields: \(message.layout.typedNames.joined(separator: ", "))")
        }
        guard let misfit = channel.decode(frame).misfits.first else { return (uuid, frame) }
        throw Failure(.usage, "\(word): \(name).\(called): these fields make no message: \(misfit)")
    }
}
