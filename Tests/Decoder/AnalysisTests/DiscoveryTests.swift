import BluetoothCore
import Testing
import WireBytes

@testable import Analysis

/// What responses teach an attribute database, by itself: PDUs in, attributes out.
@Suite struct DiscoveryTests {
    private var database = AttributeDatabase()

    private func request(
        _ opcode: ATTOpcode, _ range: ClosedRange<UInt16> = 1...0xFFFF, type: UInt16? = nil,
        sought: UInt16? = nil
    ) -> PendingRequest {
        var request = PendingRequest()
        request.opcode = opcode
        (request.handle, request.endHandle) = (range.lowerBound, range.upperBound)
        request.type = type.map { BluetoothUUID($0) }
        request.sought = sought.map { BluetoothUUID($0) }
        return request
    }

    private func origin(_ link: Int) -> AttributeDatabase.Origin {
        AttributeDatabase.Origin(source: .discovered, frame: 7, link: link)
    }

    @discardableResult
    private mutating func learn(
        _ hex: String, to request: PendingRequest, isCut: Bool = false, link: Int = 1
    ) -> AttributeDatabase.FoundValues {
        database.learn(octets(hex).borrowedOctets, to: request, isCut: isCut, from: origin(link))
    }

    private mutating func learnCharacteristics(link: Int = 1) {
        // Declarations at 2 and 5, with their values behind them.
        learn(
            "09 07 0200 12 0300 F1FF 0500 0C 0600 F2FF", to: request(.readByTypeRequest, 1...6, type: 0x2803),
            link: link)
    }

    @Test mutating func `services are learned with their ranges, and others there are gone`() {
        database.add(
            .init(start: 20, end: 29, uuid: BluetoothUUID(0x180F as UInt16), origin: origin(1)))
        let primary = request(.readByGroupTypeRequest, type: 0x2800)
        learn("11 06 0100 0900 0018 0A00 1D00 0D18", to: primary, link: 2)
        #expect(database.services.map(\.start) == [1, 10])
        #expect(database.services.map(\.end) == [9, 29])
        #expect(database.services.allSatisfy { $0.isPrimary && $0.origin.link == 2 })
    }

    @Test mutating func `a list that descends or leaves its range is believed no further`() {
        let primary = request(.readByGroupTypeRequest, 1...19, type: 0x2800)
        learn("11 06 0500 0900 0018 0100 0200 0D18", to: primary)
        learn("11 06 1400 1900 0018", to: primary)
        #expect(database.services.map(\.start) == [5])
    }

    @Test mutating func `a service that was looked for is primary or secondary as it was asked`() {
        learn("07 0100 0900", to: request(.findByTypeValueRequest, type: 0x2801, sought: 0x1812))
        #expect(database.services.map(\.uuid.assigned16) == [0x1812])
        #expect(database.services.first?.isPrimary == false)
    }

    @Test mutating func `descriptors belong to a characteristic once all declarations are known`() {
        learn("05 01 0400 0229", to: request(.findInformationRequest, 4...4))
        #expect(database.valueHandle(ofDescriptor: 4) == nil)
        learnCharacteristics()
        #expect(database.valueHandle(ofDescriptor: 4) == 3)
        #expect(database.label(of: 4, onLink: 1)?.isClientConfiguration == true)
        #expect(database.label(of: 3, onLink: 2)?.source == .earlierLink)
    }

    @Test mutating func `a cut declaration keeps its handles, and nothing behind it is confirmed`() {
        let declarations = request(.readByTypeRequest, type: 0x2803)
        learn("09 07 0200 12 0300", to: declarations, isCut: true)
        #expect(database.characteristics.map(\.value) == [3])
        #expect(database.characteristics.first?.uuid == nil && database.declared.isEmpty)
    }

    @Test mutating func `what ends a discovery tells what is not there`() {
        learnCharacteristics(link: 1)
        database.learnEnd(of: request(.readByTypeRequest, 4...9, type: 0x2803), link: 2)
        #expect(database.characteristics.map(\.declaration) == [2])
        database.learnEnd(of: request(.readByTypeRequest, 1...9, type: 0x2A00), link: 2)
        #expect(database.characteristics.map(\.declaration) == [2])
    }

    @Test mutating func `configurations and the name are found by their types`() {
        let configurations = learn(
            "09 04 0400 0100 0800 0200", to: request(.readByTypeRequest, type: 0x2902)
        ).configurations
        #expect(configurations.map(\.descriptor) == [4, 8] && configurations.map(\.value) == [1, 2])
        let name = learn("09 05 0300 636172", to: request(.readByTypeRequest, type: 0x2A00)).deviceName
        #expect(name == Array("car".utf8))
    }

    @Test mutating func `what tells nothing new changes nothing`() {
        let configurations = request(.readByTypeRequest, type: 0x2902)
        var changes: [Bool] = []
        for hex in ["09 04 0400 0100", "09 04 0400 0200", "09 04 0500 0200"] {
            learn(hex, to: configurations)
            changes.append(database.takeChange())
        }
        #expect(changes == [true, false, true])
    }

    @Test func `a hash is one of sixteen bytes that was asked for`() {
        let hash = [UInt8](1...16)
        let response = [9, 18, 3, 0] + hash
        let asked = request(.readByTypeRequest, type: 0x2B2A)
        #expect(AttributeDatabase.hash(in: response.borrowedOctets, to: asked) == hash)
        let cut = Array(response.dropLast())
        #expect(AttributeDatabase.hash(in: cut.borrowedOctets, to: asked) == nil)
        let other = request(.readByTypeRequest, type: 0x2A00)
        #expect(AttributeDatabase.hash(in: response.borrowedOctets, to: other) == nil)
    }

    @Test mutating func `another hash takes away what earlier links taught, on the same link all`() {
        learnCharacteristics(link: 1)
        database.noteHash([1], link: 1, same: nil)
        #expect(database.characteristics.count == 2)
        learn("05 01 0400 0229", to: request(.findInformationRequest, 4...4), link: 2)
        database.noteHash([2], link: 2, same: nil)
        #expect(database.characteristics.isEmpty && database.attributes.count == 1)
        database.noteHash([3], link: 2, same: nil)
        #expect(database.isEmpty && database.hash == [3])
    }

    @Test mutating func `a database with the same hash is taken over, once`() {
        learnCharacteristics()
        let other = database
        database = AttributeDatabase()
        var changes: [Bool] = []
        for generation in [5, 5, 6] {
            database.noteHash([1], link: 3, same: (other, generation))
            changes.append(database.takeChange())
        }
        #expect(changes == [true, false, true])
        #expect(database.characteristics.map(\.value) == [3, 6])
        #expect(database.label(of: 3, onLink: 3)?.source == .databaseHash)
    }
}
