import BluetoothCore
import PayloadFormat
import Testing
import UQDK
import WireBytes

@Suite struct RecognitionTests {
    @Test func `values without a label are recognized by a whole message whose checksum is right`() throws {
        var link = LinkHarness()
        link.isLabelled = false
        #expect(link.send(try Hex.octets(ReferenceVectors.activate.values[0]), .phone) == nil)
        let whole = try link.note(try Hex.octets(ReferenceVectors.activate.values[1]), .phone)
        #expect(whole.recognition == .content && whole.message?.frames == [1, 2])
        #expect(whole.message?.proof?.verification == .verified)
        let answer = try link.send(ReferenceVectors.activated)
        #expect(answer.recognition == .content && answer.message?.requestFrame == 2)
        // From now on the first fragment is known too.
        let next = try link.note(try Hex.octets(ReferenceVectors.begin.values[0]), .phone)
        #expect(next.fragment?.state == .open && next.message?.name == "AUTH_BEGIN")
        #expect(next.fragment?.count == 2)
    }

    @Test(arguments: ["", "00", "0080", "00805551", "0080555101020001000002000200", "5551", "ffffffffffff"])
    func `values that are no message stay unnamed`(hex: String) throws {
        var link = LinkHarness()
        link.isLabelled = false
        for _ in 0..<3 { #expect(link.send(try Hex.octets(hex), .phone) == nil) }
    }

    @Test func `a message with a wrong checksum is not recognized by content`() throws {
        var link = LinkHarness()
        link.isLabelled = false
        var value = try Hex.octets(ReferenceVectors.activated.values[0])
        value[value.count - 1] ^= 1
        #expect(link.send(value, .car) == nil)
        value[value.count - 1] ^= 1
        #expect(link.send(value, .car)?.message?.name == "ACTIVATE")
    }

    @Test func `characteristics are known by their UUID`() throws {
        let knowledge = UQDKKnowledge()
        let roles: [(String, UQDKAttribute.Role)] = [("2", .command), ("3", .event), ("4", .info)]
        for (number, role) in roles {
            let uuid = try #require(BluetoothUUID("5551444B-000\(number)-4449-4749-54414C4B4559"))
            #expect(knowledge.attribute(of: uuid) == UQDKAttribute(role: role, dialects: [0]))
        }
        #expect(knowledge.attribute(of: BluetoothUUID(UInt16(0x2A00))) == nil)
    }

    @Test func `advertising and the info value are read field by field`() throws {
        let knowledge = UQDKKnowledge()
        let data = try Hex.octets("555103a1b2c3d4e5f6")
        let annotation = try #require(Self.advertisement(knowledge, 0xFFFF, data))
        #expect(
            WalkedLines.of(annotation).filter { $0.contains("fields") } == [
                "fields.magic=5551", "fields.flags=pairingWindowOpen+locked",
                "fields.address=A1:B2:C3:D4:E5:F6",
            ])
        for (company, hex) in [
            (0xFFFE, "555103a1b2c3d4e5f6"), (0xFFFF, "555203a1b2c3d4e5f6"), (0xFFFF, "5551"),
        ] {
            let other = try Hex.octets(hex)
            #expect(Self.advertisement(knowledge, UInt16(company), other) == nil)
        }
        let address = try #require(DeviceAddress("A1:B2:C3:D4:E5:F6"))
        #expect(try CarAdvertisement.encode(address: address, ["flags": .unsigned(3)], .reference1) == data)
        #expect(CarAdvertisement.address(fromName: "a1b2c3d4e5f6", .reference1) == address)
        #expect(CarAdvertisement.address(fromName: "My car", .reference1) == nil)

        var tracker = UQDKTracker(knowledge)
        let attribute = UQDKAttribute(role: .info, dialects: [0])
        let source = UQDKSource(handle: 9, sender: .car, time: 0, frame: 1, originalLength: 11)
        let value = try Hex.octets("011000" + "0102030405060708")
        let read = value.withReader { reader in tracker.handle(reader.takeRest(), attribute, from: source) }
        let info = try #require(read)
        #expect(info.problems.isEmpty)
        #expect(
            WalkedLines.of(info).filter { $0.contains("fields") } == [
                "fields.version=1", "fields.maxMessageSize=4096", "fields.vehicleId=0102030405060708",
            ])
    }

    @Test func `a cut value names what is left of it and is never completed`() throws {
        var link = LinkHarness()
        let first = try Hex.octets(ReferenceVectors.begin.values[0])
        let cut = try link.note(Array(first.prefix(8)), .phone, originalLength: 20)
        #expect(cut.codes == ["uqdk.fragment.cut"] && cut.message?.name == "AUTH_BEGIN")
        let second = try link.note(try Hex.octets(ReferenceVectors.begin.values[1]), .phone)
        #expect(second.fragment?.state == .dropped && second.message == nil && second.problems.isEmpty)
        // The request was asked all the same, so its response is joined to it.
        let answer = try link.send(ReferenceVectors.begun)
        #expect(answer.message?.requestFrame == 2 && answer.problems.isEmpty)
        let three = try link.note(Array(first.prefix(1)), .phone, originalLength: 20)
        #expect(three.codes == ["uqdk.fragment.cut"] && three.fragment == nil)
    }

    private static func advertisement(
        _ knowledge: UQDKKnowledge, _ company: UInt16, _ data: [UInt8]
    ) -> UQDKAnnotation? {
        data.withReader { reader in knowledge.advertisement(company: company, data: reader.takeRest()) }
    }
}

extension CarAdvertisement {
    /// Encodes the data after the company identifier; `values` are the layout's fields except the address.
    fileprivate static func encode(
        address: DeviceAddress, _ values: [String: AnnotationValue], _ dialect: Dialect
    ) throws(LayoutError) -> [UInt8] {
        var all = values
        let octets = address.octets
        all["address"] = .octets(dialect.advertising.addressOrder == .big ? octets : octets.reversed())
        return try dialect.advertising.layout.encode(all)
    }
}
