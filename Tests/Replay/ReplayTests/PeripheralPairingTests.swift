import BluetoothCore
import CoreBluetooth
import LEHost
import Runtime
import SimulatedDevices
import Synchronization
import TestSupport
import Testing
import WireBytes

@testable import Replay

/// Logs of a peripheral whose central paired with it.
@Suite struct PeripheralPairingTests {
    static let ways: [RecordedFob.Way] = Fob.Pairing.allCases.flatMap { pairing in
        [true, false].map { RecordedFob.Way(pairing: pairing, isSecure: $0, links: 2) }
    }

    @Test(arguments: ways)
    func `a pairing and the link that uses its bond are the same`(way: RecordedFob.Way) throws {
        let model = try RecordedFob.model(way)
        #expect(model.obstacles.isEmpty, "\(model.obstacles.map(\.text))")
        #expect(model.connections.map { $0.pairing != nil } == [true, false])
        #expect(model.connections[1].bond != nil)
        let pairing = try #require(model.connections[0].pairing)
        #expect(pairing.features?.isSecure == way.isSecure)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        // All that the fob said to pair, and that it gave the key on both links, was compared.
        for connection in model.connections {
            let steps = connection.steps.filter { $0.lane == .security || $0.action == .encrypt }
            #expect(steps.allSatisfy(\.isRequired) && steps.contains { $0.action == .encrypt })
        }
        #expect(replay.report.compared >= model.connections.flatMap(\.steps).count(where: \.isRequired))
    }

    @Test func `the ways to pair are those of the table`() throws {
        let methods = try Self.ways.map { try RecordedFob.model($0).connections[0].pairing?.features?.method }
        let shows = PairingFeatures.Method.passkey(initiatorShows: false, responderShows: true)
        #expect(
            methods == [
                .justWorks, .justWorks, .numericComparison, shows, shows, shows,
                .passkey(initiatorShows: true, responderShows: false),
                .passkey(initiatorShows: true, responderShows: false),
            ])
    }

    @Test(arguments: [
        PlacementPolicy.recorded, .earliest, .latest, .shuffle(seed: 1), .shuffle(seed: 2),
    ])
    func `when the central does things makes no difference`(policy: PlacementPolicy) throws {
        for way in Self.ways {
            var options = LogReplay.Options()
            options.replay.policy = policy
            let replay = LogReplay(try RecordedFob.model(way), options: options)
            #expect(replay.report.verdict == .same, "\(way): \(replay.text)")
        }
    }

    @Test(arguments: 0...4)
    func `a pairing is the same whatever the host draws`(seed: UInt64) throws {
        var options = LogReplay.Options()
        options.seed = seed
        let models = [
            try RecordedFob.model(.init(pairing: .compare)), try Recording.model("bonding.btsnoop"),
        ]
        for model in models {
            let replay = LogReplay(model, options: options)
            #expect(replay.report.verdict == .same, "\(replay.text)")
        }
    }

    @Test func `a fob that asks for security is made to ask again`() throws {
        let model = try RecordedFob.model(.init(asksForSecurity: true))
        let asked = try #require(model.connections[0].steps.first { $0.isSecurityRequest })
        #expect(asked.isRequired)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        let silent = LogReplay(model, options: Self.options(.init(.securityRequest) { _ in nil }))
        #expect(silent.report.frame == asked.frame, "\(silent.text)")
    }

    @Test(arguments: [true, false])
    func `centrals that pair one after another are the same, random numbers too`(isSecure: Bool) throws {
        let model = try RecordedFob.model(.init(isSecure: isSecure, phones: 3))
        #expect(model.connections.map { $0.pairing?.features?.bonds } == [false, false, true])
        let sent = Mutex<[[UInt8]]>([])
        let options = Self.options(
            .init(.pairingRandom) { pdu in
                sent.withLock { $0.append(pdu) }
                return pdu
            })
        let replay = LogReplay(model, options: options)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        let recorded = model.connections.flatMap(\.pdus).filter {
            $0.channel == .securityManager && $0.side == .host && $0.code == .pairingRandom
        }
        #expect(sent.withLock { $0 } == recorded.map(\.octets) && recorded.count == 3)
    }

    @Test(arguments: [true, false])
    func `keys that are given without a bond are the same`(isSecure: Bool) throws {
        let model = try RecordedFob.model(.init(isSecure: isSecure, givesKeys: true))
        let pairing = try #require(model.connections[0].pairing)
        #expect(pairing.features?.bonds == false && pairing.sent.contains { $0.code == .identityInformation })
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
    }

    @Test func `a subscription that was refused before the pairing is refused by this server, too`() throws {
        let records = RecordedFob.records(.init(subscribesFirst: true))
        let model = try Recording.model(records)
        let guarded = model.connections[0].guardedConfigurations
        #expect(guarded.count == 1)
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        // Other servers say Insufficient Encryption, which is left out.
        let refused: [UInt8] = [0x01, 0x12, 0x11, 0x00, ATTErrorCode.insufficientAuthentication.rawValue]
        let changed = records.map { record in
            var record = record
            if record.octets.suffix(5).elementsEqual(refused) {
                record.octets[record.octets.count - 1] = ATTErrorCode.insufficientEncryption.rawValue
            }
            return record
        }
        let other = try Recording.model(changed)
        let frame = model.connections[0].pdus[guarded[0].response].frame
        #expect(other.obstacles == [Obstacle(.pairing, frame: frame, connection: 1)])
        let partly = LogReplay(other)
        #expect(partly.report.verdict == .partlySame(other.obstacles), "\(partly.text)")
    }

    @Test func `a key that the fob did not have before it paired is refused again`() throws {
        var model = try RecordedFob.model(.init())
        let connection = model.connections[0]
        let place = try #require(connection.pdus.firstIndex { $0.begins(connection.pairing) })
        let parameters = LELongTermKeyRequest { $0.randomNumber = 5 }
        model.connections[0].updates.append(
            RecordedConnection.Update(
                frame: connection.pdus[place].frame - 1,
                time: connection.pdus[place].time.advanced(by: .milliseconds(-10)),
                parameters: parameters.encoded,
                subevent: LELongTermKeyRequest.subeventCode, pdusBefore: place))
        model.connections[0].updates.sort { $0.frame < $1.frame }
        let negative = Mutex(0)
        let replay = LogReplay(
            model,
            options: Self.options { packet in
                if packet.octets.starts(with: [0x1B, 0x20]) { negative.withLock { $0 += 1 } }
                return packet
            })
        #expect(replay.report.verdict == .same, "\(replay.text)")
        #expect(negative.withLock { $0 } == 1)
    }

    @Test(.corpus) func `a stranger's log is the same, its pairing and its UUIDs in 128 bits too`() throws {
        let model = try Recording.model(path: Corpus.path("btstack-peripheral-pairing.pklg"))
        let replay = LogReplay(model)
        #expect(replay.report.verdict == .same, "\(replay.text)")
        // Security Request, Response, Confirm and Random, the key, four PDUs with keys, and nine responses.
        #expect(replay.report.compared == 18)
    }

    @Test(arguments: ways)
    func `no key is in what is printed`(way: RecordedFob.Way) throws {
        let records = RecordedFob.records(way)
        let model = try Recording.model(records)
        let replay = LogReplay(model)
        let other = LogReplay(model, options: Self.options(.init(.pairingRandom) { $0.last.map { [$0] } }))
        let texts = [replay, other].flatMap {
            [$0.text, String(decoding: $0.transcriptOctets, as: UTF8.self)]
        }
        let kept = records.map(\.octets).filter { $0.starts(with: Self.keyReply) }
            .map { Array($0.dropFirst(5)) }
        let given = model.connections[0].pdus.filter {
            $0.channel == .securityManager
                && [.identityInformation, .encryptionInformation].contains($0.code)
        }
        #expect(kept.count == 2 && given.count == (way.isSecure ? 2 : 4))
        for key in kept + given.map({ Array($0.octets.dropFirst()) }) {
            for text in texts.map({ $0.lowercased() }) {
                #expect(!text.contains(Hex.text(key)) && !text.contains(Hex.text(key.reversed())))
            }
        }
    }

    // MARK: Hosts that pair otherwise

    /// A host that says something else in a PDU of the Security Manager, or nothing.
    struct Lie: Sendable, CustomTestStringConvertible {
        var name = ""
        var code: SMPCode
        /// What it says; nil for nothing.
        var change: @Sendable ([UInt8]) -> [UInt8]?

        init(_ name: String = "", _ code: SMPCode, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
            (self.name, self.code, self.change) = (name, code, change)
        }

        init(_ code: SMPCode, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
            self.init("", code, change)
        }

        /// Whether it is one about what the host can do.
        var isOfFeatures = false
        var testDescription: String { name }

        static func response(_ name: String, _ place: Int, _ octet: @escaping @Sendable (UInt8) -> UInt8)
            -> Lie
        {
            var lie = Lie(name, .pairingResponse) { octets in
                var octets = octets
                octets[place] = octet(octets[place])
                return octets
            }
            lie.isOfFeatures = true
            return lie
        }
    }

    /// What a host sends, with a lie in it.
    private final class Liar: HCITransport {
        private let adapter: FakeAdapter
        private let change: @Sendable (HCIPacket) -> HCIPacket?

        init(_ adapter: FakeAdapter, _ change: @escaping @Sendable (HCIPacket) -> HCIPacket?) {
            self.adapter = adapter
            self.change = change
        }

        func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
            try adapter.open(receive)
        }

        func send(_ packet: HCIPacket) throws(HCITransportError) {
            if let packet = change(packet) { try adapter.send(packet) }
        }

        func close() { adapter.close() }
    }

    static func options(
        _ change: @escaping @Sendable (HCIPacket) -> HCIPacket?
    ) -> LogReplay.Options {
        var options = LogReplay.Options()
        options.transport = { adapter, _ in Liar(adapter, change) }
        return options
    }

    static func options(_ lie: Lie) -> LogReplay.Options {
        options { packet in
            // Handle, length, L2CAP length, channel, and the code.
            let start: [UInt8] = [6, 0, lie.code.rawValue]
            guard packet.type == .acl, packet.octets.count > 8, packet.octets[6...8].elementsEqual(start)
            else { return packet }
            guard let pdu = lie.change(Array(packet.octets[8...])) else { return nil }
            let (length, count) = (UInt8(pdu.count), UInt8(pdu.count + 4))
            return HCIPacket(.acl, Array(packet.octets[..<2]) + [count, 0, length, 0, 6, 0] + pdu)
        }
    }

    /// The opcode of LE Long Term Key Request Reply.
    private static let keyReply: [UInt8] = [0x1A, 0x20]
    private static let refusal: [UInt8] = [
        SMPCode.pairingFailed.rawValue, PairingReason.pairingNotSupported.rawValue,
    ]
    private static let flipped: @Sendable ([UInt8]) -> [UInt8]? = { $0.dropLast() + [($0.last ?? 0) ^ 1] }

    static let lies: [Lie] = [
        .response("no input and no output", 1) { _ in 3 },
        .response("data by other means", 2) { _ in 1 },
        .response("no bond", 3) { $0 & ~3 },
        .response("no LE Secure Connections", 3) { $0 & ~8 },
        .response("a shorter key", 4) { _ in 8 },
        .response("the central's identity is not asked for", 5) { $0 & ~2 },
        Lie("a refusal", .pairingResponse) { _ in refusal },
        Lie("no answer", .pairingResponse) { _ in nil },
        Lie("another public key", .pairingPublicKey, flipped),
        Lie("another confirm value", .pairingConfirm, flipped),
        Lie("another random value", .pairingRandom, flipped),
        Lie("another check", .pairingDHKeyCheck, flipped),
        Lie("its identity is not given", .identityInformation) { _ in nil },
        Lie("its identity twice", .identityAddressInformation) {
            [SMPCode.identityInformation.rawValue] + $0.dropFirst()
        },
    ]

    /// The frame that shows a change of the host's first PDU of a kind. A wrong confirm value is found
    /// when the random value follows.
    private static func first(_ code: SMPCode, _ model: SessionModel) -> Int? {
        let shown = code == .pairingConfirm ? .pairingRandom : code
        return model.connections[0].pdus.first {
            $0.channel == .securityManager && $0.side == .host && $0.code == shown
        }?.frame
    }

    @Test(arguments: lies)
    func `a host that pairs otherwise is named at its PDU`(lie: Lie) throws {
        for pairing in [Fob.Pairing.compare, .shows] {
            let model = try RecordedFob.model(.init(pairing: pairing))
            let replay = LogReplay(model, options: Self.options(lie))
            let said = Self.first(lie.code, model)
            let isNamed = replay.text.contains("got       SMP Pairing Response IO Capability=")
            #expect(isNamed == lie.isOfFeatures)
            #expect(said != nil && replay.report.frame == said, "\(pairing): \(replay.text)")
        }
    }

    @Test(arguments: [SMPCode.encryptionInformation, .centralIdentification, .pairingConfirm, .pairingRandom])
    func `a host that pairs otherwise by legacy pairing is named at its PDU`(code: SMPCode) throws {
        let model = try RecordedFob.model(.init(pairing: .shows, isSecure: false))
        let isKey = code == .encryptionInformation || code == .centralIdentification
        let lie = Lie(code) { isKey ? nil : Self.flipped($0) }
        let replay = LogReplay(model, options: Self.options(lie))
        let said = Self.first(code, model)
        #expect(said != nil && replay.report.frame == said, "\(replay.text)")
    }

    @Test(arguments: [0, 1], [false, true])
    func `a host that gives another key, or none, is named where the key was given`(
        link: Int, isNone: Bool
    ) throws {
        let model = try RecordedFob.model(.init(links: 2))
        let seen = Mutex(0)
        let options = Self.options { packet in
            guard packet.type == .command, packet.octets.starts(with: Self.keyReply) else { return packet }
            let place = seen.withLock { count in
                defer { count += 1 }
                return count
            }
            guard place == link else { return packet }
            var octets = packet.octets
            guard isNone else {
                octets[octets.count - 1] ^= 1
                return HCIPacket(.command, octets)
            }
            let refused: [UInt8] = [0x1B, 0x20, 2, octets[3], octets[4]]
            return HCIPacket(.command, refused)
        }
        let replay = LogReplay(model, actions: model, options: options)
        #expect(replay.report.frame == model.connections[link].encryption?.frame, "\(replay.text)")
        #expect(replay.text.contains("HCI LE Long Term Key Request Reply, with the key"))
        #expect(replay.text.contains(isNone ? "Key Request Negative Reply" : "with another key"))
    }

    // MARK: Programs

    /// The fob without a permission that takes encryption.
    private struct OpenFob: Gadget {
        private let fob = Fob()

        var services: [GadgetService] {
            fob.services.map { service in
                var service = service
                for place in service.characteristics.indices {
                    service.characteristics[place].isEncrypted = false
                }
                return service
            }
        }

        func advertising(_ address: DeviceAddress) -> GadgetAdvertising { fob.advertising(address) }
        func value(of uuid: BluetoothUUID) -> [UInt8] { fob.value(of: uuid) }
    }

    private static func report(_ gadget: some Gadget, _ model: SessionModel) -> ReplayReport {
        var options = ReplayOptions()
        options.judgesApplication = true
        let session = ReplaySession(model, options: options)
        session.judgeApplication()
        let program = SimulatedGadget(gadget, on: session.adapter)
        return withExtendedLifetime(program) { session.run() }
    }

    @Test(arguments: ways)
    func `the fob itself is the same as its log`(way: RecordedFob.Way) throws {
        let report = Self.report(Fob(), try RecordedFob.model(way))
        #expect(report.verdict == .same, "\(report.text)")
    }

    @Test func `a program that asks for no encryption is named where the recorded one refused`() throws {
        let model = try RecordedFob.model(.init())
        let refused = model.connections[0].pdus.first { $0.refusal == .insufficientAuthentication }
        let report = Self.report(OpenFob(), model)
        #expect(refused != nil && report.frame == refused?.frame, "\(report.text)")
    }
}
