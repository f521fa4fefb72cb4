import BluetoothCore
import PayloadFormat
import Runtime
import Testing
import UQDK

@testable import SimulatedDevices

/// Fragments, the pairing code's life, counters that are used up, and what strangers send.
@Suite struct CarRulesTests {
    // MARK: Fragments

    static func query(_ phone: EnginePhone, id: UInt64) throws -> [[UInt8]] {
        let message = try phone.dialect.request(
            "ACTIVATE",
            [
                "keyId": .octets(EnginePhone.keyID), "proof": .octets([UInt8](repeating: 0, count: 8)),
            ])
        return try phone.dialect.values(of: message.encoded(phone.dialect, id: id), id: id, valueOctets: 11)
    }

    @Test func `repeats of a fragment are ignored, also of the last one`() throws {
        var phone = EnginePhone()
        let values = try Self.query(phone, id: 3)
        #expect(values.count == 3)
        let replies = try phone.write([values[0], values[0], values[1], values[1], values[2], values[2]])
        #expect(replies.map(\.status) == [.refusedInState])
        #expect(try phone.write([values[2]]).isEmpty)
    }

    @Test func `a gap and a different repeat end the message with one answer, others go on`() throws {
        var phone = EnginePhone()
        let (one, other) = (try Self.query(phone, id: 3), try Self.query(phone, id: 4))
        #expect(try phone.write([one[0], other[0]]).isEmpty)
        let gap = try phone.write([one[2]])
        #expect(gap.map(\.status) == [.badMessage])
        #expect(gap.map(\.id) == [3])
        #expect(gap.map(\.command) == ["ACTIVATE"])
        #expect(try phone.write([one[1], one[2]]).isEmpty)
        #expect(try phone.write([other[1], other[2]]).map(\.status) == [.refusedInState])
        var different = one[1]
        different[4] ^= 1
        phone.wait(.seconds(3))
        #expect(try phone.write([one[0], one[1], different]).map(\.status) == [.badMessage])
        #expect(try phone.write([one[2]]).isEmpty)
    }

    @Test func `a new message in the old one's place ends that and goes on`() throws {
        var phone = EnginePhone()
        let values = try Self.query(phone, id: 3)
        var other = try phone.dialect.values(
            of: try phone.dialect.request("STATUS_QUERY").encoded(phone.dialect, id: 3), id: 3,
            valueOctets: 11)
        #expect(try phone.write([values[0], values[1], other.removeFirst()]).map(\.status) == [.badMessage])
        #expect(try phone.write(other).map(\.status) == [.authenticationRequired])
    }

    @Test func `a disconnection clears all`() throws {
        var phone = EnginePhone()
        let values = try Self.query(phone, id: 3)
        _ = try phone.write([values[0]])
        phone.engine.end(phone.link)
        phone.engine.begin(phone.link, DeviceAddress(0xF1))
        #expect(phone.engine.nextDeadline == nil)
        #expect(try phone.write([values[1]]).map(\.status) == [.badMessage])
    }

    // MARK: The pairing code

    @Test func `the pairing code lives as long as the link that used it, or until an activation`() throws {
        var phone = EnginePhone(slot: nil) { $0.pairingCode = EnginePhone.code }
        let link = phone.link
        // A link that did not use the code leaves it.
        phone.engine.end(link)
        #expect(phone.engine.pairingCode == Array(EnginePhone.code.utf8))
        phone.engine.begin(link, DeviceAddress(0xF1))
        #expect(try phone.activate("000001").first?.status == .badProof)
        #expect(phone.engine.pairingCode == Array(EnginePhone.code.utf8))
        phone.engine.end(link)
        let second = try #require(phone.engine.pairingCode)
        #expect(second != Array(EnginePhone.code.utf8))
        #expect(second.count == 6 && second.allSatisfy { (0x30...0x39).contains($0) })
        phone.engine.begin(link, DeviceAddress(0xF1))
        let code = String(decoding: second, as: UTF8.self)
        #expect(try phone.activate(code).first?.fields == ["slot": 0])
        // A repeat for the same key gives the same slot.
        #expect(try phone.activate(code).first?.fields == ["slot": 0])
        phone.engine.end(link)
        #expect(phone.engine.pairingCode == nil)
        #expect(phone.engine.advertisedFlags == ["locked"])
        phone.engine.begin(link, DeviceAddress(0xF1))
        #expect(try phone.activate(code).first?.status == .refusedInState)
    }

    // MARK: Counters

    @Test func `the session ends where a counter is used up, the car's or the phone's`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        phone.engine.links[phone.link]?.session?.next = 0xFFFF_FFFE
        #expect(try phone.command("STATUS_QUERY").map(\.status) == [.success])
        let after = try phone.command("STATUS_QUERY")
        #expect(after.map(\.status) == [.authenticationRequired])
        #expect(after.first?.isSecured == false)
        #expect(try phone.command("STATUS_QUERY").map(\.status) == [.authenticationRequired])
        try phone.authenticate()
        phone.counter = 0xFFFF_FFFE
        #expect(try phone.command("STATUS_QUERY").map(\.status) == [.success])
        #expect(phone.engine.links[phone.link]?.session?.highest == 0xFFFF_FFFE)
    }

    // MARK: Several phones

    @Test func `an event goes to every phone with a session, with ids and counters of each`() throws {
        var phone = EnginePhone()
        let other = CarLinkID(rawValue: 2)
        let stranger = CarLinkID(rawValue: 3)
        try phone.authenticate()
        var second = EnginePhone(link: other)
        phone.engine.begin(other, DeviceAddress(0xF2))
        phone.engine.begin(stranger, DeviceAddress(0xF3))
        phone.engine.links[other]?.isSubscribed = true
        phone.engine.links[stranger]?.isSubscribed = true
        second.engine = phone.engine
        second.authCounter = 5
        second.now = phone.now
        try second.authenticate()
        phone.engine = second.engine
        let id = phone.takeID()
        let octets = try phone.secured("DOOR_UNLOCK", ["doors": .unsigned(0xFF)], id: id)
        for value in try phone.dialect.values(of: octets, id: id, valueOctets: 20) {
            phone.engine.receive(value, on: phone.link, at: phone.now)
        }
        // Both phones look at the same answers; each opens its own.
        second.engine = phone.engine
        #expect(try phone.replies().map(\.command) == ["DOOR_UNLOCK", "STATUS_EVENT"])
        let heard = try second.replies()
        #expect(heard.map(\.command) == ["STATUS_EVENT"])
        #expect(heard.map(\.id) == [0x81])
    }

    @Test func `event ids wrap within the car's range`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        var ids: [UInt64] = []
        for _ in 0..<130 {
            phone.engine.change(at: phone.now) { $0.odometer += 1 }
            ids += try phone.replies().map(\.id)
        }
        #expect(ids == (0..<130).map { 0x80 + ($0 + 1) % 0x80 })
    }

    @Test func `an engine started from afar stops after its minutes, and phones are told`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        #expect(try phone.command("ENGINE_START", ["duration": .unsigned(2)]).last?.fields["engine"] == 1)
        #expect(phone.engine.nextDeadline == Instant(nanoseconds: 120_000_000_000))
        phone.wait(.seconds(120))
        phone.engine.advance(to: phone.now)
        let told = try phone.replies()
        #expect(told.map(\.command) == ["STATUS_EVENT"])
        #expect(told.first?.fields["engine"] == 0)
    }

    // MARK: Strangers

    @Test(arguments: [UInt64(1), 2, 3, 4]) func `random octets never harm it`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var phone = EnginePhone { $0.pairingCode = EnginePhone.code }
        try phone.authenticate()
        let whole = try phone.dialect.values(
            of: try phone.secured("DOOR_UNLOCK", ["doors": .unsigned(1)], id: 9), id: 9, valueOctets: 20)
        for round in 0..<5_000 {
            var value = (0..<random.next(below: 30)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            switch random.next(below: 4) {
            case 0:
                value = whole[random.next(below: whole.count)]
                if !value.isEmpty {
                    value[random.next(below: value.count)] ^= 1 << UInt8(random.next(below: 8))
                }
            case 1 where value.count > 4: value[2...3] = [0x55, 0x51]
            default: break
            }
            phone.engine.receive(value, on: phone.link, at: phone.now)
            if random.next(below: 50) == 0 { phone.wait(.milliseconds(Int64(random.next(below: 3_000)))) }
            if random.next(below: 100) == 0 { phone.engine.advance(to: phone.now) }
            if round % 100 == 0 { _ = phone.engine.takeOutputs() }
        }
        let link = try #require(phone.engine.links[phone.link])
        #expect(link.reassembler.openCount <= Reassembler.maximumOpen)
        #expect(link.commands.count <= Reassembler.maximumOpen)
        #expect(phone.engine.vehicle.doorsLocked == Vehicle.everyDoor)
        // It still answers who behaves.
        phone.wait(.seconds(10))
        phone.engine.advance(to: phone.now)
        _ = phone.engine.takeOutputs()
        phone.authCounter = 100
        let answers = try phone.authenticate()
        #expect(answers.first?.status == .success, "seed \(seed)")
    }

    @Test func `links are bounded`() {
        var phone = EnginePhone()
        for number in UInt64(2)..<200 {
            phone.engine.begin(CarLinkID(rawValue: number), DeviceAddress(number))
        }
        #expect(phone.engine.links.count == CarEngine.linkLimit)
    }
}
