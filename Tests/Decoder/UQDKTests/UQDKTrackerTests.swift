import PayloadFormat
import Testing
import UQDK
import WireBytes

@Suite struct UQDKTrackerTests {
    @Test func `with the key the whole reference session is verified and read`() throws {
        var link = LinkHarness()
        let activate = try link.send(ReferenceVectors.activate)
        #expect(activate.message?.proof?.verification == .verified)
        #expect(try link.send(ReferenceVectors.activated).message?.requestFrame == 2)
        #expect(try link.send(ReferenceVectors.begin).session == .authenticating)
        #expect(try link.send(ReferenceVectors.begun).message?.proof?.verification == .verified)
        #expect(try link.send(ReferenceVectors.finish).message?.proof?.verification == .verified)
        #expect(try link.send(ReferenceVectors.finished).session == .established)
        let unlock = try link.send(ReferenceVectors.unlock)
        #expect(unlock.problems.isEmpty)
        #expect(
            WalkedLines.of(unlock) == [
                "dialect=UQDK reference format 1", "recognized_by=label", "fragment.message_id=3",
                "fragment.index=1", "fragment.last=true", "fragment.count=2", "fragment.state=complete",
                "message.message_id=3", "message.kind=request", "message.command=0x202",
                "message.name=DOOR_UNLOCK", "message.whole=true", "message.secured=true",
                "message.frames=11,12", "message.length=24", "message.checksum=right",
                "message.counter=1", "message.tag=verified", "message.fields.doors=all",
                "session=established",
            ])
        let unlocked = try link.send(ReferenceVectors.unlocked)
        #expect(unlocked.message?.statusName == "success" && unlocked.message?.requestFrame == 12)
        #expect(unlocked.message?.latency == 20_000_000)
        let status = try link.send(ReferenceVectors.status)
        #expect(
            WalkedLines.of(status).filter { $0.contains("fields") } == [
                "message.fields.doorsLocked=", "message.fields.doorsOpen=frontLeft",
                "message.fields.engine=off", "message.fields.battery=60 %", "message.fields.range=412 km",
                "message.fields.odometer=12345.6 km",
            ])
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `without the key nothing is claimed and nothing is wrong`() throws {
        var link = LinkHarness(keys: KeyStore())
        for exchange in ReferenceVectors.all {
            let annotation = try link.send(exchange)
            #expect(annotation.problems.isEmpty, "\(exchange.name): \(annotation.problems)")
            let note = try #require(annotation.message)
            if note.isSecured {
                #expect(note.tag == .notCheckable(.noKey))
                #expect(note.body.isEmpty && note.opaque != nil && note.counter != nil)
            }
            if let proof = note.proof { #expect(proof.verification.word == "not checkable") }
        }
    }

    @Test func `text says why something can't be checked`() throws {
        var link = LinkHarness(keys: KeyStore())
        for exchange in ReferenceVectors.all {
            let annotation = try link.send(exchange)
            var buffer = TextBuffer()
            annotation.put(summary: &buffer)
            let text = String(decoding: buffer.octets.copied(), as: UTF8.self)
            let isProven = annotation.message?.tag != nil || annotation.message?.proof != nil
            #expect(text.contains("not checkable (no key for this key id)") == isProven, "\(text)")
        }
    }

    @Test func `under a wrong key proofs and tags are wrong, not unknown`() throws {
        var keys = LinkHarness.keys
        keys.uqdk[0].key[0] ^= 1
        var link = LinkHarness(keys: keys)
        let expected: [[String]] = [
            ["uqdk.proof.wrong"], [], [], ["uqdk.proof.wrong"], ["uqdk.proof.wrong"], [],
            ["uqdk.tag.wrong"], ["uqdk.tag.wrong"], ["uqdk.tag.wrong"],
        ]
        for (exchange, codes) in zip(ReferenceVectors.all, expected) {
            #expect(try link.send(exchange).codes == codes, "\(exchange.name)")
        }
    }

    @Test func `a nonce that made a session is good for no second proof`() throws {
        var link = LinkHarness()
        try link.authenticate()
        let again = try link.send(ReferenceVectors.finish)
        #expect(again.codes == ["uqdk.nonce.reused", "uqdk.counter.auth-replayed"])
        #expect(again.message?.proof?.verification == .verified)
        #expect(again.session == .established)
    }

    @Test func `an authentication without its challenge is not judged by the one before`() throws {
        var link = LinkHarness()
        try link.authenticate()
        _ = try link.send(ReferenceVectors.begin)
        let proof = Message(.request, command: 0x0102, payload: [0, 0, 0, 8] + [UInt8](1...8))
        let finish = try link.send(proof, id: 6, .phone)
        #expect(finish.problems.isEmpty)
        #expect(finish.message?.proof?.verification == .notCheckable(.nonceMissing))
        let success = Message(.response, command: 0x0102, payload: [0, 1, 0x2C])
        #expect(try link.send(success, id: 6, .car).session == .established)
        let unlock = try link.send(ReferenceVectors.unlock)
        #expect(unlock.problems.isEmpty)
        #expect(unlock.message?.tag == .notCheckable(.nonceMissing))
        // The key was named, and the car took its counter.
        _ = try link.send(ReferenceVectors.begin)
        #expect(try link.send(proof, id: 7, .phone).codes == ["uqdk.counter.auth-replayed"])
    }

    @Test func `an authentication without its challenge asks for no key`() throws {
        var link = LinkHarness(keys: KeyStore())
        _ = try link.send(ReferenceVectors.begin)
        let finish = try link.send(ReferenceVectors.finish)
        #expect(finish.message?.proof?.verification == .notCheckable(.nonceMissing))
        _ = try link.send(ReferenceVectors.finished)
        #expect(try link.send(ReferenceVectors.unlock).message?.tag == .notCheckable(.nonceMissing))
    }

    @Test func `an authentication that begins anew before the answer keeps its nonce`() throws {
        var link = LinkHarness(keys: KeyStore())
        let exchanges = [ReferenceVectors.begin, ReferenceVectors.begun, ReferenceVectors.finish]
        for exchange in exchanges + [ReferenceVectors.begin, ReferenceVectors.finished] {
            _ = try link.send(exchange)
        }
        let unlock = try link.send(ReferenceVectors.unlock)
        #expect(unlock.session == .established && unlock.message?.tag == .notCheckable(.noKey))
    }

    @Test func `an authentication that begins anew before the answer goes on after it`() throws {
        var link = LinkHarness()
        let exchanges = [ReferenceVectors.begin, ReferenceVectors.begun, ReferenceVectors.finish]
        for exchange in exchanges + [ReferenceVectors.begin, ReferenceVectors.finished] {
            _ = try link.send(exchange)
        }
        // The answers that come late are joined to what asked for them.
        let begun = try link.send(ReferenceVectors.begun)
        #expect(begun.message?.proof?.verification == .verified)
        #expect(try link.send(ReferenceVectors.finish).message?.proof?.verification == .verified)
    }

    @Test func `a dialect without a nonce lacks none`() throws {
        let dialect = try Dialect(
            json: Array(
                """
                {"name": "no nonce", "commands": [{"name": "AUTH_BEGIN", "remove": true},
                  {"name": "AUTH_FINISH", "code": "0x0102", "purpose": "authFinish", "request": [
                    {"name": "keyId", "type": "bytes", "length": 8}, {"name": "authCounter", "type": "u32"},
                    {"name": "phoneProof", "type": "bytes", "length": 8}],
                   "response": [{"name": "lifetime", "type": "u16"}]}],
                 "proofs": {
                  "phone": {"algorithm": "aes-cmac",
                    "concatenate": [{"use": "keyId"}, {"use": "authCounter"}], "length": 8},
                  "sessionKey": {"algorithm": "aes-cmac",
                    "concatenate": [{"use": "keyId"}, {"use": "authCounter"}], "length": 16}},
                 "securing": {"nonce": [{"use": "direction"}, {"use": "keyId"}, {"use": "counter"}]}}
                """.utf8))
        var link = LinkHarness([dialect], keys: KeyStore())
        let body = ReferenceVectors.keyID + [0, 0, 0, 8] + [UInt8](1...8)
        let finish = try link.send(Message(.request, command: 0x0102, payload: body), id: 2, .phone)
        #expect(finish.message?.proof?.verification == .notCheckable(.noKey))
        let success = Message(.response, command: 0x0102, payload: [0, 1, 0x2C])
        #expect(try link.send(success, id: 2, .car).session == .established)
        let unlock = try link.send(ReferenceVectors.unlock)
        #expect(unlock.message?.tag == .notCheckable(.noKey))
    }

    @Test func `auth counters of keys whose ids are not in the log are not compared`() throws {
        var first = LinkHarness()
        _ = try first.send(ReferenceVectors.finish)
        _ = try first.send(ReferenceVectors.finished)
        #expect(try first.send(ReferenceVectors.unlock).message?.tag == .notCheckable(.keyIDMissing))
        #expect(first.tracker.accepted.isEmpty)
        var second = LinkHarness()
        second.tracker.remember(first.tracker.accepted)
        #expect(try second.send(ReferenceVectors.finish).problems.isEmpty)
    }

    @Test func `keys whose challenges are not in the log have counters of their own`() throws {
        var first = LinkHarness()
        for exchange in [ReferenceVectors.begin, ReferenceVectors.finish, ReferenceVectors.finished] {
            #expect(try first.send(exchange).problems.isEmpty)
        }
        var second = LinkHarness()
        second.tracker.remember(first.tracker.accepted)
        let other = try Dialect.reference1.request(
            "AUTH_BEGIN",
            [
                "keyId": .octets([0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0]),
                "phoneNonce": .octets([UInt8](1...16)),
            ])
        _ = try second.send(other, id: 1, .phone)
        #expect(try second.send(ReferenceVectors.finish).problems.isEmpty)
        // The first key's are compared on.
        var third = LinkHarness()
        third.tracker.remember(first.tracker.accepted)
        _ = try third.send(ReferenceVectors.begin)
        #expect(try third.send(ReferenceVectors.finish).codes == ["uqdk.counter.auth-replayed"])
    }

    @Test func `an auth counter belongs to the car and the key, not to the link`() throws {
        var first = LinkHarness()
        try first.authenticate()
        var second = LinkHarness()
        second.tracker.remember(first.tracker.accepted)
        _ = try second.send(ReferenceVectors.begin)
        _ = try second.send(ReferenceVectors.begun)
        let finish = try second.send(ReferenceVectors.finish)
        #expect(finish.codes == ["uqdk.counter.auth-replayed"])
        #expect(
            finish.problems[0].message.text(from: 0, isOnAir: false).hasSuffix(
                "not above 7, which the car accepted on an earlier connection"))
    }

    @Test func `a last fragment that comes once more is no new request`() throws {
        var link = LinkHarness()
        _ = try link.send(ReferenceVectors.begin)
        let asked = link.frame
        link.time += 3_000_000_000
        let stray = try link.note(try Hex.octets(ReferenceVectors.begin.values[1]), .phone)
        #expect(stray.codes == ["uqdk.fragment.gap"])
        #expect(
            link.tracker.close(at: link.time).map(\.message) == [
                "AUTH_BEGIN of frame \(FramePlace(bits: asked)) has no response"
            ])
    }

    @Test func `a log that starts within the session says so`() throws {
        var link = LinkHarness(startSeen: false)
        let unlock = try link.send(ReferenceVectors.unlock)
        #expect(unlock.problems.isEmpty && unlock.session == .unknown)
        #expect(unlock.message?.tag == .notCheckable(.startMissing))
        #expect(try link.send(ReferenceVectors.unlocked).problems.isEmpty)
        var orphan = LinkHarness(startSeen: false)
        #expect(try orphan.send(ReferenceVectors.unlocked).problems.isEmpty)
    }

    @Test func `a secured message without a session, and a response without a request, are problems`() throws
    {
        var link = LinkHarness()
        #expect(try link.send(ReferenceVectors.unlock).codes == ["uqdk.session.none"])
        var other = LinkHarness()
        #expect(try other.send(ReferenceVectors.activated).codes == ["uqdk.response.unexpected"])
    }

    @Test func `a replayed counter is flagged, a wrong tag moves none`() throws {
        var link = LinkHarness()
        try link.authenticate()
        var wrong = try LinkHarness.secured(0x0202, .request, [0xFF], id: 3, counter: 9)
        wrong.payload[6] ^= 1
        #expect(try link.send(wrong, id: 3, .phone).codes == ["uqdk.tag.wrong"])
        let refused = try link.send(
            Message(.response, command: 0x0202, payload: [7]), id: 3, .car)
        #expect(Set(refused.codes) == ["uqdk.session.unsecured-response", "uqdk.status"])
        #expect(try link.send(ReferenceVectors.unlock).problems.isEmpty)
        #expect(try link.send(ReferenceVectors.unlocked).problems.isEmpty)
        let again = try LinkHarness.secured(0x0202, .request, [0xFF], id: 4, counter: 1)
        #expect(try link.send(again, id: 4, .phone).codes == ["uqdk.counter.replayed"])
        let zero = try LinkHarness.secured(
            0x0401, .event, [UInt8](repeating: 0, count: 10), id: 0x90, counter: 1)
        #expect(try link.send(zero, id: 0x90, .car).codes == ["uqdk.counter.replayed"])
    }

    @Test func `a session ends with its lifetime, and by the status that asks for authentication`() throws {
        var link = LinkHarness()
        try link.authenticate()
        link.time += 301 * 1_000_000_000
        #expect(try link.send(ReferenceVectors.unlock).codes == ["uqdk.session.expired"])
        let answer = try link.send(Message(.response, command: 0x0202, payload: [2]), id: 3, .car)
        #expect(answer.codes == ["uqdk.status"] && answer.session == .ended)
        let late = try LinkHarness.secured(0x0202, .request, [0xFF], id: 5, counter: 2)
        #expect(try link.send(late, id: 5, .phone).codes == ["uqdk.session.none"])
    }

    @Test func `a command in clear is refused, and the session stands on`() throws {
        var link = LinkHarness()
        try link.authenticate()
        let clear = try Dialect.reference1.request("DOOR_LOCK", ["doors": .unsigned(1)])
        _ = try link.send(clear, id: 5, .phone)
        let refused = try link.send(Message(.response, command: 0x0201, payload: [2]), id: 5, .car)
        #expect(refused.codes == ["uqdk.status.authentication-required"])
        #expect(refused.session == .established)
        #expect(try link.send(ReferenceVectors.unlock).message?.tag == .verified)
    }

    @Test func `what must be secured and is not is named`() throws {
        var link = LinkHarness()
        try link.authenticate()
        let clear = try Dialect.reference1.request("DOOR_LOCK", ["doors": .unsigned(1)])
        let asked = try link.send(clear, id: 5, .phone)
        #expect(asked.codes == ["uqdk.session.unsecured-request"])
        #expect(asked.message?.body.first?.value == .flags(1, ["frontLeft"]))
        let event = try Dialect.reference1.request(
            "PROXIMITY_EVENT", ["zone": .text("inside"), "rssi": .signed(-60)])
        #expect(try link.send(event, id: 0x81, .car).codes == ["uqdk.session.unsecured-event"])
    }

    @Test func `a nonce used twice and an old auth counter are flagged`() throws {
        var link = LinkHarness()
        try link.authenticate()
        for exchange in [ReferenceVectors.begin, ReferenceVectors.begun] { _ = try link.send(exchange) }
        #expect(try link.send(ReferenceVectors.finish).codes == ["uqdk.counter.auth-replayed"])
        let refused = Message(.response, command: 0x0102, payload: [4])
        let answer = try link.send(refused, id: 2, .car)
        #expect(answer.codes == ["uqdk.status"] && answer.session == .established)
        link.time += 3_000_000_000
        let again = try link.send(ReferenceVectors.finish)
        #expect(again.codes.contains("uqdk.nonce.reused"))
    }

    @Test func `requests that wait at the end of the link are named with their frame`() throws {
        var link = LinkHarness()
        _ = try link.send(ReferenceVectors.activate)
        let left = link.tracker.close(at: link.time)
        #expect(left.map(\.code) == ["uqdk.request.unanswered"])
        #expect(left.first?.message == "ACTIVATE of frame \(FramePlace(file: 0, frame: 2)) has no response")
    }

    @Test func `a request whose time runs out is named once, and its late response still finds it`() throws {
        var link = LinkHarness()
        let asked = link.time
        _ = try link.send(ReferenceVectors.activate)
        #expect(link.tracker.waiting.map(\.name) == ["ACTIVATE"])
        let deadline = link.tracker.deadline
        #expect(deadline > asked + 5_000_000_000 && deadline < asked + 6_000_000_000)
        #expect(link.tracker.overdue(at: deadline).isEmpty)
        let late = link.tracker.overdue(at: deadline + 1)
        #expect(late.map(\.code) == ["uqdk.request.timeout"])
        #expect(
            late.first?.message.text(from: 0, isOnAir: false).contains(
                "ACTIVATE of frame 2 within the 5000 ms") == true)
        #expect(link.tracker.overdue(at: deadline + 2).isEmpty)
        #expect(link.tracker.deadline == .max && link.tracker.waiting.isEmpty)
        link.time = deadline + 1_000_000_000
        let answer = try link.send(ReferenceVectors.activated)
        #expect(answer.problems.isEmpty && answer.message?.requestFrame == 2)
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `a response says which request it answers, and when it comes too late or to another`() throws {
        var link = LinkHarness()
        _ = try link.send(ReferenceVectors.activate)
        link.time += 6_000_000_000
        #expect(try link.send(ReferenceVectors.activated).codes == ["uqdk.request.timeout"])
        _ = try link.send(ReferenceVectors.activate)
        let other = try link.send(Message(.response, command: 0x0101, payload: [1]), id: 0, .car)
        #expect(Set(other.codes) == ["uqdk.response.command", "uqdk.status"])
    }
}
