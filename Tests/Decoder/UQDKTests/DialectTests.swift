import BluetoothCore
import PayloadFormat
import TestSupport
import Testing
import UQDK
import WireBytes

@Suite struct DialectTests {
    @Test func `the complete file of reference format 1 says what the program does`() throws {
        let json = try PackageFile.octets("dialects/reference-1.json")
        #expect(Dialect.check(json) == [])
        #expect(try Dialect(json: json) == .reference1)
    }

    @Test func `every value of a dialect counts`() throws {
        let root = try JSONParser.parse(try PackageFile.octets("dialects/reference-1.json"))
        var count = 0
        for leaf in JSONLeaves.all(of: root) where leaf != "$.comment" && leaf != "$.$schema" {
            let changed = JSONLeaves.text(of: root, changing: leaf)
            count += 1
            guard let dialect = try? Dialect(json: Array(changed.utf8)) else { continue }
            #expect(dialect != .reference1, "\(leaf) is not read")
        }
        #expect(count > 300)
    }

    @Test func `the other dialect differs in every point`() throws {
        let (one, other) = (Dialect.reference1, try OtherDialect.dialect())
        #expect(one.gatt.service != other.gatt.service && one.gatt.command != other.gatt.command)
        #expect(one.gatt.event != other.gatt.event && other.gatt.info == nil)
        #expect(one.gatt.infoLayout != other.gatt.infoLayout)
        #expect(one.advertising.companyID != other.advertising.companyID)
        #expect(one.advertising.layout != other.advertising.layout)
        #expect(one.advertising.addressOrder != other.advertising.addressOrder)
        #expect(one.advertising.nameMayBeAddress != other.advertising.nameMayBeAddress)
        let (a, b) = (try #require(one.fragments), try #require(other.fragments))
        #expect(a.format.header != b.format.header && a.format.firstIndex != b.format.firstIndex)
        #expect(a.requestIDs != b.requestIDs && a.eventIDs != b.eventIDs)
        #expect(one.message.header != other.message.header)
        #expect(one.message.lengthMeaning != other.message.lengthMeaning)
        #expect(one.message.requestKind != other.message.requestKind)
        #expect(one.message.responseKind != other.message.responseKind)
        #expect(one.message.eventKind != other.message.eventKind)
        #expect(one.message.securedFlag != other.message.securedFlag)
        let (first, second) = (try #require(one.checksum), try #require(other.checksum))
        #expect(first.checksum != second.checksum && first.order != second.order)
        #expect(first.skipsFirst != second.skipsFirst)
        #expect(one.status.width != other.status.width && one.status.names != other.status.names)
        for command in one.commands {
            #expect(other.command(named: command.name)?.code != command.code, "\(command.name)")
        }
        let formulas = { (proofs: DialectProofs) in
            [proofs.activation, proofs.vehicle, proofs.phone, proofs.sessionKey]
        }
        for (mine, theirs) in zip(formulas(one.proofs), formulas(other.proofs)) {
            #expect(mine.algorithm != theirs.algorithm && mine.terms != theirs.terms)
        }
        let (plain, secured) = (try #require(one.securing), try #require(other.securing))
        #expect(plain.parts != secured.parts && plain.counterWidth != secured.counterWidth)
        #expect(plain.counterOrder != secured.counterOrder && plain.firstCounter != secured.firstCounter)
        #expect(plain.tagLength != secured.tagLength && plain.nonce != secured.nonce)
        #expect(plain.additionalData != secured.additionalData)
        #expect(plain.phoneDirection != secured.phoneDirection && plain.carDirection != secured.carDirection)
        #expect(one.limits != other.limits)
    }

    @Test func `a session of the other dialect is read with its key`() throws {
        var link = LinkHarness([try OtherDialect.dialect()], keys: OtherDialect.keys)
        var notes: [MessageNote] = []
        for exchange in OtherDialect.session {
            let annotation = try link.send(exchange)
            #expect(annotation.problems.isEmpty, "\(exchange.name): \(annotation.problems)")
            #expect(annotation.dialect == "Other dialect")
            notes.append(try #require(annotation.message))
        }
        #expect(
            notes.map { $0.proof?.verification == .verified } == [1, 0, 0, 1, 1, 0, 0, 0, 0].map { $0 == 1 })
        #expect(notes.map { $0.tag == .verified } == [0, 0, 0, 0, 0, 0, 1, 1, 1].map { $0 == 1 })
        #expect(notes[5].body.first?.value == .unsigned(70_000))
        #expect(
            notes[6].body.first?.value
                == .group([
                    DecodedField("door", .named(2, "passenger")),
                    DecodedField("silent", .flags(1, ["silent"])),
                ]))
        #expect(notes[7].body.first?.value == .unsigned(1234) && notes[7].statusName == "success")
        #expect(notes[8].body.first?.value == .decimal(FixedDecimal(mantissa: -425, places: 1)))
        #expect(notes[8].body.last?.value == .text("wärmer"))
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `a session of the other dialect is written`() throws {
        let dialect = try OtherDialect.dialect()
        let key = OtherDialect.keys.uqdk[0]
        var variables = FormulaVariables()
        variables["keyId"] = key.keyID
        variables["pairingCode"] = key.pairingCode
        variables["phoneNonce"] = OtherDialect.phoneNonce
        variables["vehicleNonce"] = OtherDialect.vehicleNonce
        variables["authCounter"] = [1, 2]
        let proofs = dialect.proofs
        let activation = try proofs.activation.value(key: key.key, variables)
        let vehicle = try proofs.vehicle.value(key: key.key, variables)
        let phone = try proofs.phone.value(key: key.key, variables)
        let cipher = try SessionCipher(dialect, digitalKey: key.key, variables)
        let id = AnnotationValue.octets(key.keyID)
        let unlock = try dialect.request(
            "DOOR_UNLOCK",
            [
                "choice": .group([
                    DecodedField("door", .text("passenger")), DecodedField("silent", .bool(true)),
                ])
            ])
        let unlocked = try dialect.response("DOOR_UNLOCK", ["count": .unsigned(1234)])
        let status = try dialect.request(
            "STATUS_EVENT",
            [
                "temperature": .decimal(FixedDecimal(mantissa: -425, places: 1)), "message": .text("wärmer"),
            ])
        let messages: [Message] = [
            try dialect.request("ACTIVATE", ["keyId": id, "proof": .octets(activation)]),
            try dialect.response("ACTIVATE"),
            try dialect.request("AUTH_BEGIN", ["keyId": id, "phoneNonce": .octets(OtherDialect.phoneNonce)]),
            try dialect.response(
                "AUTH_BEGIN",
                ["vehicleNonce": .octets(OtherDialect.vehicleNonce), "vehicleProof": .octets(vehicle)]),
            try dialect.request(
                "AUTH_FINISH", ["authCounter": .unsigned(513), "phoneProof": .octets(phone)]),
            try dialect.response("AUTH_FINISH", ["lifetime": .unsigned(70_000)]),
            try cipher.seal(.request, command: unlock.command, body: unlock.payload, id: 0x103, counter: 0),
            try cipher.seal(
                .response, command: unlock.command, body: unlocked.payload, id: 0x103, counter: 0),
            try cipher.seal(.event, command: status.command, body: status.payload, id: 0x200, counter: 1),
        ]
        for (message, exchange) in zip(messages, OtherDialect.session) {
            let values = try dialect.values(of: message.encoded(dialect), id: exchange.id, valueOctets: 20)
            #expect(values.map { Hex.text($0) } == exchange.values, "\(exchange.name)")
        }
    }

    @Test func `each link says which of several dialects it speaks`() throws {
        let dialects = [Dialect.reference1, try OtherDialect.dialect()]
        var keys = LinkHarness.keys
        keys.uqdk += OtherDialect.keys.uqdk
        // One set of characteristics that both could be meant by, with labels and without.
        for isLabelled in [true, false] {
            for (session, name) in [
                (ReferenceVectors.all, "UQDK reference format 1"), (OtherDialect.session, "Other dialect"),
            ] {
                var link = LinkHarness(dialects, keys: keys)
                link.isLabelled = isLabelled
                for exchange in session {
                    let annotation = try link.send(exchange)
                    #expect(annotation.dialect == name && annotation.problems.isEmpty, "\(exchange.name)")
                }
                #expect(link.tracker.dialect == name)
            }
        }
        let knowledge = UQDKKnowledge(dialects: dialects)
        #expect(knowledge.attribute(of: BluetoothUUID(UInt16(0xFD02)))?.dialects == [1])
    }

    @Test(arguments: [
        ("{}", "$", "no member \"name\""),
        ("[]", "$", "an array"),
        ("{\"name\": \"x\", \"nam\": 1}", "$.nam", "an unknown member"),
        ("{\"name\": \"x\", \"message\": {\"securedFlag\": 3}}", "$.message", "no flag for secured"),
        (
            "{\"name\": \"x\", \"message\": {\"fields\": [{\"role\": \"kind\", \"bits\": 8}]}}", "$.message",
            "no command in the header"
        ),
        (
            "{\"name\": \"x\", \"fragments\": {\"fields\": [{\"role\": \"index\", \"bits\": 7}]}}",
            "$.fragments", "a header of 7 bits"
        ),
        (
            "{\"name\": \"x\", \"proofs\": {\"phone\": {\"algorithm\": \"aes-cmac\", \"length\": 8, "
                + "\"concatenate\": [{\"use\": \"colour\"}]}}}", "$.proofs", "the value \"colour\""
        ),
        (
            "{\"name\": \"x\", \"proofs\": {\"phone\": {\"algorithm\": \"aes-cmac\", \"length\": 9, "
                + "\"concatenate\": []}}}", "$.proofs", "9 bytes of proof"
        ),
        (
            "{\"name\": \"x\", \"securing\": {\"nonce\": [{\"use\": \"counter\"}]}}", "$.securing",
            "a nonce of 4 bytes"
        ),
        ("{\"name\": \"x\", \"securing\": {\"tagLength\": 7}}", "$.securing", "a tag of 7"),
        ("{\"name\": \"x\", \"checksum\": {\"name\": \"crc17\"}}", "$.checksum.name", "\"crc17\""),
        ("{\"name\": \"x\", \"limits\": {\"keyOctets\": 20}}", "$.limits", "keys of 20 bytes"),
        (
            "{\"name\": \"x\", \"commands\": [{\"name\": \"DOOR_LOCK\", \"code\": 514}]}", "$.commands",
            "a code of two commands"
        ),
        (
            "{\"name\": \"x\", \"commands\": [{\"name\": \"NEW\"}]}", "$.commands[0]",
            "a new command without a code"
        ),
        ("{\"name\": \"x\"", "$", "neither a comma nor the end of the object"),
    ])
    func `a dialect that does not fit is refused with its place`(
        json: String, path: String, found: String
    ) throws {
        let problems = Dialect.check(Array(json.utf8))
        #expect(problems.contains { $0.path == path && $0.found == found }, "\(problems)")
        #expect(throws: DocumentError.self) { try Dialect(json: Array(json.utf8)) }
    }

    @Test func `a dialect may secure by a code alone, or not at all, and have no fragments`() throws {
        let json = """
            {"name": "mac", "fragments": null, "proofs": {"sessionKey": {"algorithm": "hmac-sha-256",
             "concatenate": [{"use": "vehicleNonce"}], "length": 32}},
             "securing": {"algorithm": "hmac-sha-256", "tagLength": 20,
              "additionalData": [{"use": "messageHeader"}]}}
            """
        let dialect = try Dialect(json: Array(json.utf8))
        let cipher = try SessionCipher(dialect, digitalKey: ReferenceVectors.key, ReferenceVectors.variables)
        let message = try cipher.seal(.request, command: 0x202, body: [0xFF], id: 0, counter: 1)
        let format = try #require(dialect.securing)
        let parts = try #require(SecuredPayload(message.payload, format))
        #expect(parts.body == [0xFF] && parts.tag.count == 20)
        #expect(try cipher.open(parts, from: .phone, header: message.header(dialect), id: 0) == [0xFF])
        #expect(try cipher.open(parts, from: .car, header: message.header(dialect), id: 0) == nil)
        let value = message.encoded(dialect)
        #expect(try dialect.values(of: value, id: 0, valueOctets: 244) == [value])
        #expect(throws: UQDKEncodeError.self) { try dialect.values(of: value, id: 0, valueOctets: 20) }
        var link = LinkHarness([dialect], startSeen: false)
        let annotation = try link.note(value, .phone)
        #expect(annotation.fragment == nil && annotation.message?.counter == 1)
        #expect(annotation.problems.isEmpty)

        let bare = try Dialect(
            json: Array("{\"name\": \"bare\", \"securing\": null, \"checksum\": null}".utf8))
        #expect(bare.securing == nil && bare.checksum == nil)
        let plain = try bare.request("TRUNK_OPEN").encoded(bare)
        #expect(Hex.text(plain) == "555101010203000000")
    }
}
