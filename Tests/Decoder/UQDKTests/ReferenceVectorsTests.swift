import PayloadFormat
import Testing
import UQDK
import WireBytes

@Suite struct ReferenceVectorsTests {
    let dialect = Dialect.reference1

    @Test func `proofs and the session key are those of the vectors`() throws {
        let variables = ReferenceVectors.variables
        let key = ReferenceVectors.key
        let proofs = dialect.proofs
        #expect(Hex.text(try proofs.activation.value(key: key, variables)) == "064b7ed42959d4e8")
        #expect(Hex.text(try proofs.vehicle.value(key: key, variables)) == "b73a9aebed7c0dbc")
        #expect(Hex.text(try proofs.phone.value(key: key, variables)) == "402c2ef6d7513e03")
        #expect(
            Hex.text(try proofs.sessionKey.value(key: key, variables)) == "1f5286e7a0fe8800a6aba31e1637456e")
        #expect(Checksum.crc16CCITTFalse.value(of: "123456789".utf8) == 0x29B1)
    }

    /// Each message as the values of its fields; secured ones with their counter.
    static let messages:
        [(
            ReferenceVectors.Exchange, command: String, body: [String: AnnotationValue], counter: UInt64?
        )] = [
            (
                ReferenceVectors.activate, "ACTIVATE",
                [
                    "keyId": .octets(ReferenceVectors.keyID),
                    "proof": .octets([0x06, 0x4B, 0x7E, 0xD4, 0x29, 0x59, 0xD4, 0xE8]),
                ], nil
            ),
            (ReferenceVectors.activated, "ACTIVATE", ["slot": .unsigned(2)], nil),
            (
                ReferenceVectors.begin, "AUTH_BEGIN",
                [
                    "keyId": .octets(ReferenceVectors.keyID),
                    "phoneNonce": .octets(ReferenceVectors.phoneNonce),
                ], nil
            ),
            (
                ReferenceVectors.begun, "AUTH_BEGIN",
                [
                    "vehicleNonce": .octets(ReferenceVectors.vehicleNonce),
                    "vehicleProof": .octets([0xB7, 0x3A, 0x9A, 0xEB, 0xED, 0x7C, 0x0D, 0xBC]),
                ], nil
            ),
            (
                ReferenceVectors.finish, "AUTH_FINISH",
                [
                    "authCounter": .unsigned(7),
                    "phoneProof": .octets([0x40, 0x2C, 0x2E, 0xF6, 0xD7, 0x51, 0x3E, 0x03]),
                ], nil
            ),
            (ReferenceVectors.finished, "AUTH_FINISH", ["lifetime": .unsigned(300)], nil),
            (ReferenceVectors.unlock, "DOOR_UNLOCK", ["doors": .text("all")], 1),
            (ReferenceVectors.unlocked, "DOOR_UNLOCK", [:], 1),
            (
                ReferenceVectors.status, "STATUS_EVENT",
                [
                    "doorsLocked": .unsigned(0), "doorsOpen": .unsigned(1), "engine": .text("off"),
                    "battery": .unsigned(60), "range": .unsigned(412),
                    "odometer": .decimal(FixedDecimal(mantissa: 123_456, places: 1)),
                ], 2
            ),
        ]

    @Test(arguments: messages)
    func `a message is written as its vector`(
        exchange: ReferenceVectors.Exchange, command: String, body: [String: AnnotationValue],
        counter: UInt64?
    ) throws {
        let isResponse = exchange.name.hasSuffix("response")
        var message =
            isResponse
            ? try dialect.response(command, body) : try dialect.request(command, body)
        if let counter {
            message = try ReferenceVectors.cipher().seal(
                message.kind, command: message.command, body: message.payload, id: exchange.id,
                counter: counter)
        }
        let values = try dialect.values(of: message.encoded(dialect), id: exchange.id, valueOctets: 20)
        #expect(values.map { Hex.text($0) } == exchange.values)
    }

    @Test(arguments: messages)
    func `a vector is read as its message`(
        exchange: ReferenceVectors.Exchange, command: String, body: [String: AnnotationValue],
        counter: UInt64?
    ) throws {
        let octets = try ReferenceVectors.octets(exchange)
        let message = try Message(decoding: octets, dialect, from: exchange.sender)
        let definition = try #require(dialect.command(named: command))
        #expect(message.command == definition.code && message.isSecured == (counter != nil))
        var payload = message.payload
        if let counter, let format = dialect.securing {
            let parts = try #require(SecuredPayload(message.payload, format))
            #expect(parts.counter == counter)
            payload = try #require(
                try ReferenceVectors.cipher().open(
                    parts, from: exchange.sender, header: message.header(dialect), id: exchange.id))
        }
        if message.kind == .response {
            #expect(dialect.statusCode(payload) == 0)
            payload.removeFirst()
        }
        let layout = message.kind == .response ? definition.response : definition.request
        let decoded = layout.decode(payload)
        #expect(decoded.misfit == nil)
        #expect(try layout.encode(decoded.fields) == payload)
        #expect(try layout.encode(body) == payload)
        #expect(message.encoded(dialect) == octets)
    }

    @Test(arguments: ReferenceVectors.all)
    func `every single flipped bit of a message breaks a rule`(exchange: ReferenceVectors.Exchange) throws {
        let octets = try ReferenceVectors.octets(exchange)
        for bit in 0..<8 * octets.count {
            var wrong = octets
            wrong[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: MessageError.self) {
                try Message(decoding: wrong, dialect, from: exchange.sender)
            }
        }
        for length in 0..<octets.count {
            #expect(throws: MessageError.self) {
                try Message(decoding: Array(octets.prefix(length)), dialect, from: exchange.sender)
            }
        }
        #expect(throws: MessageError.self) {
            try Message(decoding: octets + [0], dialect, from: exchange.sender)
        }
    }

    @Test func `a tag does not open under another id, direction, counter or header`() throws {
        let cipher = try ReferenceVectors.cipher()
        let format = try #require(dialect.securing)
        let octets = try ReferenceVectors.octets(ReferenceVectors.unlock)
        let message = try Message(decoding: octets, dialect, from: .phone)
        let parts = try #require(SecuredPayload(message.payload, format))
        let header = message.header(dialect)
        #expect(try cipher.open(parts, from: .phone, header: header, id: 3) == [0xFF])
        #expect(try cipher.open(parts, from: .phone, header: header, id: 4) == nil)
        #expect(try cipher.open(parts, from: .car, header: header, id: 3) == nil)
        var later = parts
        later.counter = 2
        #expect(try cipher.open(later, from: .phone, header: header, id: 3) == nil)
        var other = header
        other[5] = 1
        #expect(try cipher.open(parts, from: .phone, header: other, id: 3) == nil)
    }
}
