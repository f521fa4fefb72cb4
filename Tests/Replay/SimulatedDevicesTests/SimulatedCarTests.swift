import BluetoothCore
import CoreBluetooth
import PayloadFormat
import Runtime
import Synchronization
import Testing
import UQDK
import VirtualController
import WireBytes

@testable import SimulatedDevices

/// The car on the air: through both stacks, from the advertising to the end of the link.
@Suite struct SimulatedCarTests {
    static let address = DeviceAddress(0x0255_5100_0001, .public)

    final class Scene {
        let recorder = PacketRecorder()
        let world: SimulatedWorld
        let car: SimulatedCar
        let events = Events()
        var phones: [AirPhone] = []
        var adapters: [SimulatedAdapter] = []

        init(
            seed: UInt64 = 1, slot: UInt8? = 0, entropy: (any Entropy)? = nil,
            _ change: (inout CarConfiguration) -> Void = { _ in }
        ) {
            var configuration = CarConfiguration(keys: [
                CarKey(keyID: EnginePhone.keyID, key: EnginePhone.key, slot: slot)
            ])
            change(&configuration)
            world = SimulatedWorld(seed: seed, tap: recorder.tap)
            let events = events
            car = SimulatedCar(
                configuration, on: world.adapter(SimulatedCarTests.address, entropy: entropy).bluetooth
            ) { events.add($0) }
        }

        /// A phone that comes into reach.
        func phone(subscribes: Bool = true) -> AirPhone {
            let adapter = world.adapter(DeviceAddress(0xF100 + UInt64(phones.count), .public))
            let phone = AirPhone(adapter, world, subscribes: subscribes)
            adapters.append(adapter)
            phones.append(phone)
            return phone
        }
    }

    final class Events: Sendable {
        private let kept = Mutex<[CarEvent]>([])
        func add(_ event: CarEvent) { kept.withLock { $0.append(event) } }
        var all: [CarEvent] { kept.withLock { $0 } }
    }

    /// The protocol on top of a phone: what an engine's phone says is written, what is heard is its answer.
    struct Talk {
        let scene: Scene
        let phone: AirPhone
        var cipher: SessionCipher?
        var counter: UInt64 = 1
        var nextID: UInt64 = 0
        let dialect = Dialect.reference1

        init(_ scene: Scene, _ phone: AirPhone) {
            self.scene = scene
            self.phone = phone
        }

        /// Sends a message, lets a second pass, and gives the messages heard.
        mutating func exchange(_ octets: [UInt8], id: UInt64) throws -> [(id: UInt64, octets: [UInt8])] {
            phone.write(try dialect.values(of: octets, id: id, valueOctets: phone.valueOctets))
            scene.world.run(for: .seconds(1))
            return try heard()
        }

        func heard() throws -> [(id: UInt64, octets: [UInt8])] {
            var reassembler = Reassembler(limits: dialect.reassemblyLimits)
            var ended: [Reassembler.Ended] = []
            let format = try #require(dialect.fragments).format
            var all: [(id: UInt64, octets: [UInt8])] = []
            for value in phone.takeHeard() {
                let fragment = try #require(Fragment(value, format))
                if case .complete(let whole) = reassembler.accept(fragment, at: 0, frame: 0, ended: &ended) {
                    all.append((whole.messageID, whole.octets))
                }
            }
            #expect(ended.isEmpty && reassembler.openCount == 0)
            return all
        }

        mutating func ask(_ name: String, _ values: [String: AnnotationValue] = [:]) throws -> [String] {
            let id = nextID
            nextID += 1
            let clear = try dialect.request(name, values)
            var octets = clear.encoded(dialect, id: id)
            if let cipher, dialect.needsSession(clear.command) {
                octets = try cipher.seal(
                    .request, command: clear.command, body: clear.payload, id: id, counter: counter
                ).encoded(dialect, id: id)
                counter += 1
            }
            return try exchange(octets, id: id).map { try text($0.octets, $0.id) }
        }

        /// "NAME status", or "NAME" of an event.
        func text(_ octets: [UInt8], _ id: UInt64) throws -> String {
            let decoding = MessageDecoding(octets, dialect, from: .car, id: id)
            let message = try #require(decoding.message)
            #expect(decoding.errors.isEmpty)
            var body = message.payload
            if message.isSecured {
                let format = try #require(dialect.securing)
                let parts = try #require(SecuredPayload(body, format))
                body = try #require(
                    try cipher?.open(parts, from: .car, header: decoding.headerOctets, id: id))
            }
            let name = dialect.command(message.command)?.name ?? "?"
            guard message.kind == .response, let code = dialect.statusCode(body) else { return name }
            return "\(name) \(code)"
        }

        mutating func authenticate(_ authCounter: UInt64) throws -> [String] {
            let nonce = [UInt8](repeating: UInt8(authCounter), count: 16)
            let id = nextID
            nextID += 1
            let request = try dialect.request(
                "AUTH_BEGIN", ["keyId": .octets(EnginePhone.keyID), "phoneNonce": .octets(nonce)])
            let heard = try exchange(request.encoded(dialect, id: id), id: id)
            let answer = MessageDecoding(try #require(heard.first).octets, dialect, from: .car, id: id)
            let body = try #require(answer.message).payload
            let layout = try #require(dialect.command(for: .authBegin)).response
            let vehicleNonce = try #require(layout.decode(body.dropFirst()).fields.octets("vehicleNonce"))
            var variables = FormulaVariables()
            variables["keyId"] = EnginePhone.keyID
            variables["phoneNonce"] = nonce
            variables["vehicleNonce"] = vehicleNonce
            variables["authCounter"] = [0, 0, 0, UInt8(authCounter)]
            let proof = try dialect.proofs.phone.value(key: EnginePhone.key, variables)
            cipher = try SessionCipher(dialect, digitalKey: EnginePhone.key, variables)
            counter = 1
            return try ask(
                "AUTH_FINISH", ["authCounter": .unsigned(authCounter), "phoneProof": .octets(proof)])
        }
    }

    // MARK: Advertising

    @Test func `it advertises as the format says`() {
        let scene = Scene { $0.pairingCode = "314159" }
        let phone = scene.phone()
        scene.world.run(for: .seconds(1))
        #expect(phone.advertised.data.map { Hex.text($0) } == "ffff555103025551000001")
        #expect(phone.advertised.services == ["5551444B-0001-4449-4749-54414C4B4559"])
        #expect(phone.advertised.name == nil)
        let packets = scene.recorder.packets(of: ControllerID(rawValue: 0))
        let set = packets.filter { $0.isFromHost && $0.packet.octets.starts(with: [0x08, 0x20]) }
        // Flags, then 13 octets of manufacturer specific data.
        let first = set.first.map { Hex.text($0.packet.octets.dropFirst(3).prefix(17)) }
        #expect(first == "10" + "020106" + "0cff" + "ffff555103025551000001")
    }

    @Test func `a car without manufacturer data has its address as its name`() {
        let scene = Scene { $0.showsAddressAsName = true }
        let phone = scene.phone()
        scene.world.run(for: .seconds(1))
        #expect(phone.advertised.data == nil)
        #expect(phone.advertised.name == "02:55:51:00:00:01")
    }

    @Test(arguments: [("blecap car", true), ("thirteen octe", true), ("fourteen octet", false)])
    func `a name stands where it has room`(name: String, inData: Bool) {
        let configuration = {
            var configuration = CarConfiguration(keys: [])
            configuration.name = name
            return configuration
        }()
        let advertising = CarAdvertising(configuration, address: Self.address, flags: [])
        #expect(advertising.data.count <= 31 && advertising.scanResponse.count <= 31)
        #expect((advertising.data.count > 16) == inData)
        #expect((advertising.scanResponse.count > 18) != inData)
    }

    @Test func `the flags follow the car`() throws {
        let scene = Scene()
        func flags() -> UInt8? {
            scene.world.run(for: .seconds(1))
            return scene.recorder.packets(of: ControllerID(rawValue: 0))
                .last { $0.isFromHost && $0.packet.octets.starts(with: [0x08, 0x20]) }
                .map { $0.packet.octets[13] }
        }
        #expect(flags() == 0x02)
        scene.car.openPairingWindow()
        #expect(flags() == 0x03)
        scene.car.change { $0.doorsLocked = 0 }
        #expect(flags() == 0x01)
        scene.car.closePairingWindow()
        #expect(flags() == 0x00)
    }

    // MARK: Sessions

    @Test func `a session over the air`() throws {
        let scene = Scene(slot: nil) { $0.pairingCode = EnginePhone.code }
        let phone = scene.phone()
        #expect(scene.world.run(until: { phone.isReady }))
        scene.world.run(for: .seconds(1))
        #expect(phone.info.map { Hex.text($0) } == "01" + "1000" + Hex.text(Array("BLECAP01".utf8)))
        var talk = Talk(scene, phone)
        #expect(try talk.ask("STATUS_QUERY") == ["STATUS_QUERY 2"])
        var variables = FormulaVariables()
        variables[FormulaVariable.pairingCode] = Array(EnginePhone.code.utf8)
        let proof = try Dialect.reference1.proofs.activation.value(key: EnginePhone.key, variables)
        #expect(
            try talk.ask("ACTIVATE", ["keyId": .octets(EnginePhone.keyID), "proof": .octets(proof)])
                == ["ACTIVATE 0"])
        #expect(try talk.authenticate(7) == ["AUTH_FINISH 0", "PROXIMITY_EVENT"])
        #expect(scene.car.sessions == 1)
        #expect(try talk.ask("DOOR_UNLOCK", ["doors": .unsigned(0xFF)]) == ["DOOR_UNLOCK 0", "STATUS_EVENT"])
        #expect(scene.car.vehicle.doorsLocked == 0)
        #expect(try talk.ask("STATUS_QUERY") == ["STATUS_QUERY 0"])
        scene.car.sense(.inside, rssi: -30)
        scene.car.raiseFault(VehicleFault(code: 7, severity: 2))
        scene.world.run(for: .seconds(1))
        #expect(
            try talk.heard().map { try talk.text($0.octets, $0.id) } == ["PROXIMITY_EVENT", "FAULT_EVENT"])
        phone.disconnect()
        scene.world.run(for: .seconds(2))
        #expect(phone.isDisconnected)
        #expect(scene.car.links == 0 && scene.car.pairingCode == nil)
        #expect(scene.car.keys.first?.slot == 0 && scene.car.keys.first?.authCounter == 7)
        #expect(scene.events.all.contains(.session(keyID: EnginePhone.keyID, authCounter: 7)))
        #expect(scene.events.all.last == .pairingWindowClosed)
    }

    @Test func `two phones at once, and one's end does not stop the other`() throws {
        let scene = Scene()
        let (one, other) = (scene.phone(), scene.phone())
        #expect(scene.world.run(until: { one.isReady && other.isReady }))
        #expect(scene.car.links == 2)
        var first = Talk(scene, one)
        var second = Talk(scene, other)
        #expect(try first.authenticate(1) == ["AUTH_FINISH 0", "PROXIMITY_EVENT"])
        #expect(try second.authenticate(2) == ["AUTH_FINISH 0", "PROXIMITY_EVENT"])
        #expect(scene.car.sessions == 2)
        #expect(try first.ask("DOOR_UNLOCK", ["doors": .unsigned(1)]) == ["DOOR_UNLOCK 0", "STATUS_EVENT"])
        #expect(try second.heard().map { try second.text($0.octets, $0.id) } == ["STATUS_EVENT"])
        one.disconnect()
        scene.world.run(for: .seconds(2))
        #expect(scene.car.links == 1 && scene.car.sessions == 1)
        #expect(try second.ask("DOOR_LOCK", ["doors": .unsigned(1)]) == ["DOOR_LOCK 0", "STATUS_EVENT"])
    }

    @Test func `a message cut in time is answered when its time is over`() throws {
        let scene = Scene()
        let phone = scene.phone()
        #expect(scene.world.run(until: { phone.isReady }))
        let talk = Talk(scene, phone)
        let octets = try talk.dialect.request("STATUS_QUERY").encoded(talk.dialect, id: 4)
        phone.write([try talk.dialect.values(of: octets, id: 4, valueOctets: 10)[0]])
        scene.world.run(for: .milliseconds(1_900))
        #expect(try talk.heard().isEmpty)
        scene.world.run(for: .milliseconds(400))
        #expect(try talk.heard().map { try talk.text($0.octets, $0.id) } == ["STATUS_QUERY 8"])
    }

    @Test func `more answers than the queue takes go out in order when it has room`() throws {
        let scene = Scene()
        let phone = scene.phone()
        #expect(scene.world.run(until: { phone.isReady }))
        let talk = Talk(scene, phone)
        // Sixty requests in one breath, without waiting for anything.
        let octets = try talk.dialect.request("STATUS_QUERY")
        for id in 0..<UInt64(60) {
            phone.write(
                try talk.dialect.values(
                    of: octets.encoded(talk.dialect, id: id), id: id, valueOctets: phone.valueOctets))
        }
        scene.world.run(for: .seconds(30))
        #expect(try talk.heard().map(\.id) == Array(0..<60))
    }

    @Test func `a flood of events is held within bounds and the link lives on`() throws {
        let scene = Scene()
        let phone = scene.phone()
        #expect(scene.world.run(until: { phone.isReady }))
        var talk = Talk(scene, phone)
        #expect(try talk.authenticate(1).first == "AUTH_FINISH 0")
        for _ in 0..<2_000 { scene.car.change { $0.odometer += 1 } }
        #expect(scene.events.all.contains { if case .problem = $0 { true } else { false } })
        scene.world.run(for: .seconds(60))
        let events = try talk.heard()
        #expect(events.count > 100 && events.count < 2_000)
        #expect(try talk.ask("STATUS_QUERY") == ["STATUS_QUERY 0"])
    }

    @Test func `a phone that does not listen still ends, and its code with it`() throws {
        let scene = Scene(slot: nil) { $0.pairingCode = EnginePhone.code }
        let phone = scene.phone(subscribes: false)
        #expect(scene.world.run(until: { phone.isReady }))
        let dialect = Dialect.reference1
        let octets = try dialect.request(
            "ACTIVATE",
            [
                "keyId": .octets(EnginePhone.keyID), "proof": .octets([UInt8](repeating: 0, count: 8)),
            ]
        ).encoded(dialect, id: 0)
        phone.write(try dialect.values(of: octets, id: 0, valueOctets: phone.valueOctets))
        scene.world.run(for: .seconds(1))
        #expect(scene.car.pairingCode == EnginePhone.code)
        phone.disconnect()
        scene.world.run(for: .seconds(2))
        #expect(scene.car.links == 0)
        #expect(scene.car.pairingCode != nil && scene.car.pairingCode != EnginePhone.code)
        #expect(phone.heard.isEmpty)
    }

    @Test func `random writes over the air leave it able to serve`() throws {
        let scene = Scene()
        let (hostile, honest) = (scene.phone(), scene.phone())
        #expect(scene.world.run(until: { hostile.isReady && honest.isReady }))
        var random = SplitMix(state: 99)
        for _ in 0..<300 {
            let value = (0..<random.next(below: 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            hostile.write([value], random.next(below: 2) == 0 ? .withResponse : .withoutResponse)
            scene.world.run(for: .milliseconds(20))
        }
        scene.world.run(for: .seconds(10))
        var talk = Talk(scene, honest)
        #expect(try talk.authenticate(1) == ["AUTH_FINISH 0", "PROXIMITY_EVENT"])
        #expect(try talk.ask("DOOR_UNLOCK", ["doors": .unsigned(1)]) == ["DOOR_UNLOCK 0", "STATUS_EVENT"])
    }

    @Test func `a run depends on its seed alone`() throws {
        func run(_ seed: UInt64) throws -> [RecordedPacket] {
            let scene = Scene(seed: seed)
            let phone = scene.phone()
            #expect(scene.world.run(until: { phone.isReady }))
            var talk = Talk(scene, phone)
            _ = try talk.authenticate(1)
            return scene.recorder.packets(of: scene.adapters[0].controller)
        }
        let first = try run(1)
        #expect(try run(1) == first)
        #expect(try run(2) != first)
    }
}
