import BluetoothCore
import CaptureFile
import CommandLineKit
import Glibc
import SimulatedDevices
import UQDK
import WireBytes

/// Options of a simulation, parsed and checked.
struct SimulationOptions {
    /// The key used if the user gives none: a test key, published with its vectors.
    static let testKey = KeyStore.DigitalKey(
        keyID: [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88], key: Array(0..<16),
        pairingCode: Array("314159".utf8))

    /// The keys that the car knows; the phone has the first.
    var keys: [KeyStore.DigitalKey]
    var usesTestKey: Bool
    /// The protocol of both sides.
    var dialect: Dialect
    /// Random seed of the simulation.
    var seed: UInt64
    var address = DeviceAddress(0x0255_5100_0001, .public)
    /// Whether the key is activated already, and the pairing window closed.
    var isActivated: Bool
    /// Actions of the phone after connecting.
    var actions: [DriveAction]

    /// - Parameter operands: the words that are actions; nil for all operands.
    init(
        _ arguments: ParsedArguments, default actions: [DriveAction] = [], operands: [String]? = nil
    ) throws(Failure) {
        let dialects = try DialectFiles.read(arguments)
        dialect = dialects.first ?? .reference1
        let given = try KeyFiles.read(arguments, for: dialects).uqdk
        if !arguments.values(.keys).isEmpty, given.isEmpty {
            throw Failure(.input, "the files of --keys hold no UQDK key", advice: "add one under \"uqdk\"")
        }
        usesTestKey = given.isEmpty
        keys = given.isEmpty ? [Self.testKey] : given
        if let key = keys.first, key.key.count != dialect.limits.keyOctets {
            throw Failure(
                .input,
                "the first UQDK key has \(key.key.count) bytes, \(dialect.name) takes "
                    + "\(dialect.limits.keyOctets)",
                advice: "give a key of this dialect with --keys")
        }
        seed = try Self.seed(arguments)
        if let text = arguments.value(.carAddress) {
            guard let address = DeviceAddress(text, kind: .public) else {
                throw Failure(
                    .usage, "--car: '\(text)' is not an address", advice: "write it as AA:BB:CC:DD:EE:FF")
            }
            self.address = address
        }
        isActivated = arguments.has(.activated)
        var asked: [DriveAction] = []
        for word in operands ?? arguments.operands { asked.append(try DriveAction(word, dialect)) }
        self.actions = asked.isEmpty ? actions : asked
    }

    /// The pairing code in the keys file.
    var pairingCode: String? {
        keys.first?.pairingCode.map { String(decoding: $0, as: UTF8.self) }
    }

    var car: CarConfiguration {
        var keys = keys.map { CarKey(keyID: $0.keyID, key: $0.key) }
        if isActivated, !keys.isEmpty { keys[0].slot = 0 }
        return CarConfiguration(keys: keys, dialect: dialect)
    }

    /// Random seed from the command line; 1 by default.
    static func seed(_ arguments: ParsedArguments) throws(Failure) -> UInt64 {
        UInt64(try arguments.number(.seed) ?? 1)
    }
}

/// The test key of the published vectors as a keys file, so that a simulation recorded with it can be
/// annotated and replayed.
enum TestKeyFile {
    /// Writes the file beside a recording, unless it already exists, and returns its name; nil if the
    /// recording is not a regular file, or the name is taken: an existing file is never replaced.
    static func write(beside recording: String, in environment: CommandEnvironment) -> String? {
        guard SystemCall.status(of: recording)?.isRegular == true else { return nil }
        let path = CompanionFile.path(beside: recording, ".keys.json")
        if SystemCall.status(of: path) != nil {
            let there = try? environment.contents(of: path, atMost: KeyFiles.limit).octets
            return there == octets ? path : nil
        }
        // A file created in between is not truncated, and no link is followed.
        guard let descriptor = try? SystemCall.createAnew(path, replacing: false) else { return nil }
        var isWritten = false
        do throws(OutputError) {
            var sink = DescriptorSink(borrowing: descriptor, name: path)
            try sink.write(octets.borrowedOctets)
            isWritten = true
        } catch {}
        if close(descriptor) == 0, isWritten { return path }
        SystemCall.remove(path)
        return nil
    }

    private static var octets: [UInt8] {
        let key = SimulationOptions.testKey
        let code = String(decoding: key.pairingCode ?? [], as: UTF8.self)
        let text = """
            {
              "test": true,
              "uqdk": [
                {
                  "keyId": "\(Hex.text(key.keyID))",
                  "key": "\(Hex.text(key.key))",
                  "pairingCode": "\(code)"
                }
              ]
            }

            """
        return Array(text.utf8)
    }
}
