import BluetoothCore
import Testing
import WireBytes

@Suite struct AssignedNumbersTests {
    static func text(_ span: RawSpan?) -> String? {
        guard let span else { return nil }
        return String(decoding: span.copied(), as: UTF8.self)
    }

    @Test(arguments: [
        (UInt16(0x0000), "Ericsson AB"), (0x0002, "Intel Corp."), (0x004C, "Apple, Inc."),
        (0x0059, "Nordic Semiconductor ASA"), (0x00E0, "Google"), (0x10AE, "Raycon Inc."),
        (0x07E9, "Häfele GmbH & Co KG"),
    ]) func `a company identifier has its company`(identifier: UInt16, name: String) {
        #expect(Self.text(AssignedNumbers.company(identifier)) == name)
    }

    @Test func `numbers that are not assigned have no name`() {
        #expect(Self.text(AssignedNumbers.company(0xFFFE)) == nil)
        #expect(Self.text(AssignedNumbers.service(0x17FF)) == nil)
        #expect(Self.text(AssignedNumbers.characteristic(0x29FF)) == nil)
        #expect(Self.text(AssignedNumbers.characteristic(0xFFFF)) == nil)
        #expect(Self.text(AssignedNumbers.descriptor(0x2A00)) == nil)
    }

    @Test func `a UUID has a name only in the use it was assigned for`() {
        #expect(Self.text(AssignedNumbers.name(of: 0x180F, as: .service)) == "Battery")
        #expect(Self.text(AssignedNumbers.name(of: 0x180F, as: .characteristic)) == nil)
        #expect(Self.text(AssignedNumbers.name(of: 0x2A19, as: .characteristic)) == "Battery Level")
        #expect(Self.text(AssignedNumbers.name(of: 0x2A19, as: .service)) == nil)
        for (service, isForeign) in [(0x2C00, true), (0x180F, false), (0xFFE0, false)] as [(UInt16, Bool)] {
            let use = AssignedNumbers.UUIDUse.characteristic(in: BluetoothUUID(service))
            #expect((Self.text(AssignedNumbers.name(of: 0x2C01, as: use)) == nil) == isForeign)
        }
        #expect(
            Self.text(AssignedNumbers.name(of: 0x2902, as: .descriptor))
                == "Client Characteristic Configuration")
        #expect(Self.text(AssignedNumbers.name(of: 0x2803, as: .declaration)) == "Characteristic")
        #expect(Self.text(AssignedNumbers.name(of: 0x2803, as: .characteristic)) == nil)
    }

    /// Members and other organizations got these numbers as services; gadgets use them for characteristics.
    @Test func `no member's or organization's UUID names a characteristic or a descriptor`() {
        #expect(Self.text(AssignedNumbers.name(of: 0xFFF2, as: .service)) == "Aliro")
        #expect(
            Self.text(AssignedNumbers.name(of: 0xFFF5, as: .service)) == "Car Connectivity Consortium, LLC")
        #expect(Self.text(AssignedNumbers.name(of: 0xFEF9, as: .service)) == "PayPal, Inc.")
        for uuid in UInt16(0xFC00)...0xFFFF {
            for use in [AssignedNumbers.UUIDUse.characteristic, .descriptor, .declaration] {
                #expect(Self.text(AssignedNumbers.name(of: uuid, as: use)) == nil, "\(uuid)")
            }
        }
    }

    @Test func `appearances have a category and a kind within it`() {
        #expect(Self.text(AssignedNumbers.appearanceCategory(0x0083)) == "Computer")
        #expect(Self.text(AssignedNumbers.appearanceSubcategory(0x0083)) == "Laptop")
        #expect(Self.text(AssignedNumbers.appearanceSubcategory(0x0080)) == nil)
        #expect(Self.text(AssignedNumbers.appearanceCategory(0x03C1)) == "Human Interface Device")
        #expect(Self.text(AssignedNumbers.appearanceSubcategory(0x03C1)) == "Keyboard")
    }

    @Test func `every name is whole, printable and without a separator`() {
        var count = 0
        for number in UInt16.min...UInt16.max {
            for name in [
                Self.text(AssignedNumbers.company(number)), Self.text(AssignedNumbers.service(number)),
                Self.text(AssignedNumbers.memberService(number)),
                Self.text(AssignedNumbers.organizationService(number)),
                Self.text(AssignedNumbers.serviceClass(number)),
                Self.text(AssignedNumbers.characteristic(number)),
                Self.text(AssignedNumbers.descriptor(number)),
                Self.text(AssignedNumbers.appearanceSubcategory(number)),
            ].compactMap(\.self) {
                count += 1
                #expect(!name.isEmpty && !name.contains("~") && !name.contains("\n"), "\(number) \(name)")
                #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0xFFFD })
            }
        }
        // 4008 companies, 75 services, 699 and 17 service UUIDs, 502 characteristics and so on
        #expect(count > 5500)
    }
}
