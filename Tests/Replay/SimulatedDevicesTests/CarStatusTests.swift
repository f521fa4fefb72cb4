import PayloadFormat
import Runtime
import Testing
import UQDK

@testable import SimulatedDevices

/// Every status that a car answers with, and why.
@Suite struct CarStatusTests {
    @Test func `0 success: every command of the table`() throws {
        var phone = EnginePhone(slot: nil) { $0.pairingCode = EnginePhone.code }
        let activated = try phone.activate()
        #expect(activated.map(\.status) == [.success])
        #expect(activated.first?.fields == ["slot": 0])
        let session = try phone.authenticate()
        #expect(session.map(\.command) == ["AUTH_FINISH", "PROXIMITY_EVENT"])
        #expect(session.first?.fields == ["lifetime": 300])
        #expect(session.last?.isSecured == true)
        #expect(session.last?.fields["zone"] == 2)
        let commands: [(String, [String: AnnotationValue], [String])] = [
            ("STATUS_QUERY", [:], []),
            ("DOOR_UNLOCK", ["doors": .unsigned(0xFF)], ["STATUS_EVENT"]),
            ("DOOR_UNLOCK", ["doors": .unsigned(0xFF)], []),
            ("DOOR_LOCK", ["doors": .unsigned(0x0F)], ["STATUS_EVENT"]),
            ("FIND_VEHICLE", ["duration": .unsigned(5), "mode": .unsigned(3)], []),
            ("ENGINE_START", ["duration": .unsigned(10)], ["STATUS_EVENT"]),
            ("ENGINE_STOP", [:], ["STATUS_EVENT"]),
            ("WINDOW_SET", ["windows": .unsigned(1), "open": .unsigned(50)], []),
            ("TRUNK_OPEN", [:], ["STATUS_EVENT"]),
        ]
        for (name, values, events) in commands {
            let replies = try phone.command(name, values)
            #expect(replies.map(\.command) == [name] + events)
            #expect(replies.first?.status == .success)
            #expect(!replies.contains { !$0.isSecured })
        }
        #expect(phone.engine.vehicle.doorsLocked == 0x0F)
        #expect(phone.engine.vehicle.doorsOpen == Vehicle.trunk)
        #expect(phone.engine.vehicle.windows == [50, 0, 0, 0])
    }

    @Test func `the state that a query gives`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        let state = try phone.command("STATUS_QUERY").first
        #expect(
            state?.fields == [
                "doorsLocked": 0x1F, "doorsOpen": 0, "engine": 0, "battery": 60, "range": 412,
            ])
        #expect(
            state?.raw.first { $0.name == "odometer" }?.value
                == .decimal(FixedDecimal(mantissa: 123_456, places: 1)))
    }

    @Test func `1 busy: the windows still move`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        let values: [String: AnnotationValue] = ["windows": .unsigned(0xFF), "open": .unsigned(100)]
        #expect(try phone.command("WINDOW_SET", values).first?.status == .success)
        phone.wait(.milliseconds(999))
        #expect(try phone.command("WINDOW_SET", values).first?.status == .busy)
        phone.wait(.milliseconds(1))
        #expect(try phone.command("WINDOW_SET", values).first?.status == .success)
    }

    @Test func `2 authentication required: without a session, in clear, after its lifetime`() throws {
        var phone = EnginePhone()
        let before = try phone.ask("STATUS_QUERY")
        #expect(before.map(\.status) == [.authenticationRequired])
        #expect(before.first?.isSecured == false)
        let early = try phone.ask(
            "AUTH_FINISH",
            ["authCounter": .unsigned(1), "phoneProof": .octets([UInt8](repeating: 0, count: 8))])
        #expect(early.first?.status == .authenticationRequired)
        try phone.authenticate()
        #expect(try phone.ask("DOOR_UNLOCK", ["doors": .unsigned(0xFF)]).map(\.isSecured) == [false])
        #expect(try phone.ask("STATUS_QUERY").first?.status == .authenticationRequired)
        // The request in clear has not ended the session.
        #expect(try phone.command("STATUS_QUERY").first?.status == .success)
        phone.wait(.milliseconds(299_999))
        #expect(try phone.command("STATUS_QUERY").first?.status == .success)
        phone.wait(.milliseconds(1))
        let late = try phone.command("STATUS_QUERY")
        #expect(late.map(\.status) == [.authenticationRequired])
        #expect(late.first?.isSecured == false)
    }

    @Test func `3 bad proof: a wrong pairing code, a wrong key`() throws {
        var phone = EnginePhone(slot: nil) { $0.pairingCode = EnginePhone.code }
        #expect(try phone.activate("000000").first?.status == .badProof)
        #expect(phone.engine.keys.first?.slot == nil)
        try phone.activate()
        let wrong = [UInt8](repeating: 1, count: 16)
        #expect(try phone.authenticate(key: wrong).first?.status == .badProof)
        #expect(phone.engine.keys.first?.authCounter == nil)
        // The nonce was good for that one attempt.
        let again = try phone.ask(
            "AUTH_FINISH",
            ["authCounter": .unsigned(9), "phoneProof": .octets([UInt8](repeating: 0, count: 8))])
        #expect(again.first?.status == .authenticationRequired)
    }

    @Test func `4 counter replayed: of the authentication, of a message`() throws {
        var phone = EnginePhone()
        #expect(try phone.authenticate(authCounter: 7).first?.status == .success)
        #expect(try phone.authenticate(authCounter: 7).first?.status == .counterReplayed)
        // A new authentication leaves the old session standing until it succeeds.
        #expect(try phone.command("STATUS_QUERY").first?.status == .success)
        #expect(try phone.authenticate(authCounter: 8).first?.status == .success)
        let octets = try phone.secured("DOOR_UNLOCK", ["doors": .unsigned(1)], id: 0x20)
        #expect(try phone.send(octets: octets, id: 0x20).first?.status == .success)
        phone.wait(.seconds(3))
        let replayed = try phone.send(octets: octets, id: 0x20)
        #expect(replayed.map(\.status) == [.counterReplayed])
        #expect(replayed.first?.isSecured == true)
    }

    @Test func `5 unsupported command: inside a session secured, below the secured ones in clear`() throws {
        var phone = EnginePhone()
        let unknown = Message(.request, command: 0x0055, payload: [])
        #expect(
            try phone.send(octets: unknown.encoded(phone.dialect, id: 1), id: 1).first?.status
                == .unsupportedCommand)
        let high = Message(.request, command: 0x0777, payload: [])
        #expect(
            try phone.send(octets: high.encoded(phone.dialect, id: 2), id: 2).first?.status
                == .authenticationRequired)
        try phone.authenticate()
        for code in [UInt64(0x0777), 0x0401] {
            let id = phone.takeID()
            let sealed = try #require(phone.cipher).seal(
                .request, command: code, body: [], id: id, counter: phone.counter)
            phone.counter += 1
            let replies = try phone.send(octets: sealed.encoded(phone.dialect, id: id), id: id)
            #expect(replies.map(\.status) == [.unsupportedCommand])
            #expect(replies.first?.isSecured == true)
        }
    }

    @Test func `6 refused in this vehicle state`() throws {
        var phone = EnginePhone(slot: nil)
        #expect(try phone.activate().first?.status == .refusedInState)
        #expect(try phone.authenticate().first?.status == .refusedInState)
        phone = EnginePhone()
        try phone.authenticate()
        try phone.command("TRUNK_OPEN")
        let start = try phone.command("ENGINE_START", ["duration": .unsigned(10)])
        #expect(start.map(\.status) == [.refusedInState])
        #expect(start.first?.isSecured == true)
        let lock = try phone.command("DOOR_LOCK", ["doors": .unsigned(0xFF)])
        #expect(lock.map(\.command) == ["DOOR_LOCK", "FAULT_EVENT"])
        #expect(lock.first?.status == .refusedInState)
        #expect(lock.last?.fields == ["code": 0x0101, "severity": 1])
        // The door that is not ajar can be locked.
        #expect(try phone.command("DOOR_LOCK", ["doors": .unsigned(1)]).first?.status == .success)
    }

    @Test func `6 too: every slot is taken`() throws {
        var phone = EnginePhone(slot: nil) {
            $0.pairingCode = EnginePhone.code
            $0.slots = 1
            $0.keys.append(CarKey(keyID: [9], key: EnginePhone.key, slot: 0))
        }
        #expect(phone.engine.advertisedFlags == ["pairingWindowOpen", "locked", "slotsTaken"])
        #expect(try phone.activate().first?.status == .refusedInState)
    }

    @Test func `7 bad message`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        let dialect = phone.dialect
        let good = try dialect.request("STATUS_QUERY").encoded(dialect, id: 0)
        for index in good.indices {
            // The kind and the command may make another message of it; the checksum tells all the same.
            var bad = good
            bad[index] ^= 0x40
            phone.wait(.seconds(3))
            let replies = try phone.send(octets: bad, id: 0x30)
            #expect(replies.map(\.status) == [.badMessage], "byte \(index)")
            #expect(replies.first?.isSecured == false)
        }
        let events: UInt64 = 0x90
        #expect(try phone.send(octets: good, id: events).first?.status == .badMessage)
        for (name, values) in [
            ("DOOR_UNLOCK", ["doors": AnnotationValue.unsigned(0)]),
            ("DOOR_UNLOCK", ["doors": .unsigned(0x20)]),
            ("FIND_VEHICLE", ["duration": .unsigned(1), "mode": .unsigned(4)]),
            ("WINDOW_SET", ["windows": .unsigned(1), "open": .unsigned(101)]),
            ("ENGINE_START", ["duration": .unsigned(0)]),
        ] {
            #expect(try phone.command(name, values).first?.status == .badMessage, "\(name)")
        }
        // A body that is longer than the command's.
        let id = phone.takeID()
        let long = try #require(phone.cipher).seal(
            .request, command: 0x0203, body: [1], id: id, counter: phone.counter)
        phone.counter += 1
        #expect(
            try phone.send(octets: long.encoded(dialect, id: id), id: id).first?.status == .badMessage)
    }

    @Test func `7 too, in clear: a tag that fails changes no counter`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        var octets = try phone.secured("DOOR_UNLOCK", ["doors": .unsigned(0xFF)], id: 0x20)
        let good = octets
        let end = octets.count - 3
        octets[end] ^= 1
        let crc = Checksum.crc16CCITTFalse.value(of: octets.dropLast(2))
        octets[end + 1] = UInt8(truncatingIfNeeded: crc >> 8)
        octets[end + 2] = UInt8(truncatingIfNeeded: crc)
        let replies = try phone.send(octets: octets, id: 0x20)
        #expect(replies.map(\.status) == [.badMessage])
        #expect(replies.first?.isSecured == false)
        #expect(phone.engine.vehicle.doorsLocked == Vehicle.everyDoor)
        phone.wait(.seconds(3))
        #expect(try phone.send(octets: good, id: 0x20).first?.status == .success)
    }

    @Test func `8 timed out: two seconds without the next fragment`() throws {
        var phone = EnginePhone()
        let octets = try phone.dialect.request(
            "ACTIVATE",
            [
                "keyId": .octets(EnginePhone.keyID), "proof": .octets([UInt8](repeating: 0, count: 8)),
            ]
        ).encoded(phone.dialect, id: 5)
        let values = try phone.dialect.values(of: octets, id: 5, valueOctets: 20)
        #expect(try phone.write([values[0]]).isEmpty)
        #expect(phone.engine.nextDeadline == Instant(nanoseconds: 2_000_000_000))
        phone.wait(.milliseconds(1_999))
        phone.engine.advance(to: phone.now)
        #expect(try phone.replies().isEmpty)
        phone.wait(.milliseconds(1))
        phone.engine.advance(to: phone.now)
        let replies = try phone.replies()
        #expect(replies.map(\.status) == [.timedOut])
        #expect(replies.map(\.command) == ["ACTIVATE"])
        #expect(replies.map(\.id) == [5])
        #expect(phone.engine.nextDeadline == nil)
    }

    @Test func `9 key revoked or unknown`() throws {
        var phone = EnginePhone()
        try phone.authenticate()
        phone.engine.keys[0].isRevoked = true
        #expect(try phone.command("STATUS_QUERY").first?.status == .authenticationRequired)
        #expect(try phone.authenticate().first?.status == .keyRevoked)
        phone = EnginePhone { $0.keys[0].keyID = [0, 0, 0, 0, 0, 0, 0, 0] }
        #expect(try phone.authenticate().first?.status == .keyRevoked)
    }

    @Test func `10 key locked out: for a minute after five bad proofs in a row`() throws {
        var phone = EnginePhone()
        let wrong = [UInt8](repeating: 1, count: 16)
        for _ in 0..<4 { #expect(try phone.authenticate(key: wrong).first?.status == .badProof) }
        #expect(try phone.authenticate().first?.status == .success)
        // A good proof begins the row anew.
        for _ in 0..<5 { #expect(try phone.authenticate(key: wrong).first?.status == .badProof) }
        #expect(try phone.authenticate().first?.status == .keyLockedOut)
        phone.wait(.milliseconds(59_999))
        #expect(try phone.authenticate().first?.status == .keyLockedOut)
        phone.wait(.milliseconds(1))
        #expect(try phone.authenticate().first?.status == .success)
    }
}
