import CoreBluetooth
import Foundation
import LEHost
import Testing
import VirtualController

/// Rows 17, 18, 21 and 24: values read and written with a response.
@Suite struct ValueTests {
    static func place(_ world: BluetoothWorld, mtu: UInt16?) -> Phone {
        let phone = Phone(world, world.adapter(0xF1, { $0.host.clientMTU = mtu }))
        world.run(for: .seconds(1))
        return phone
    }

    static let pattern = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test(arguments: [0, 1, 19, 20, 21, 22, 23, 44, 45, 511, 512], [nil, 65, 517] as [UInt16?])
    func `rows 17 and 21: a value of any length is written and read whole, whatever a PDU holds`(
        count: Int, mtu: UInt16?
    ) throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Self.place(world, mtu: mtu)
        let peripheral = try #require(phone.open(0xC1))
        let value = Array(Self.pattern.prefix(count))
        let characteristic = try #require(peripheral.characteristic("FF01"))
        gadget.values["FF01"] = []
        let isLong = count > Int(mtu ?? 23) - 3
        peripheral.writeValue(Data(value), for: characteristic, type: .withResponse)
        #expect(phone.wait("wrote FF01 nil", for: .seconds(30)))
        #expect(gadget.values["FF01"] == value)
        // A long one is one batch, answered once.
        let parts = gadget.lines.matching("written")
        #expect(parts.count == 1 && parts[0].contains(", ") == (isLong && count > Int(mtu ?? 23) - 5))
        peripheral.readValue(for: characteristic)
        phone.wait("value", for: .seconds(30))
        #expect(characteristic.value == Data(value))
        let blobs = gadget.lines.matching("read").map { Int($0.split(separator: " ")[2]) }
        #expect(
            blobs == stride(from: 0, through: count, by: Int(mtu ?? 23) - 1).filter { $0 < 512 }.map { $0 })
    }

    @Test func `row 17: more than 512 octets are refused, and nothing is sent`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        peripheral.writeValue(
            Data(count: 513), for: try #require(peripheral.characteristic("FF01")), type: .withResponse)
        #expect(phone.wait("wrote FF01 att13") && gadget.lines.matching("written").isEmpty)
    }

    @Test func `row 17: a refusal of one part refuses the value, and the rest is taken back`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Self.place(world, mtu: nil)
        let peripheral = try #require(phone.open(0xC1))
        gadget.onWrite = { $0.manager.respond(to: $1[0], withResult: .invalidAttributeValueLength) }
        let characteristic = try #require(peripheral.characteristic("FF01"))
        peripheral.writeValue(Data(count: 100), for: characteristic, type: .withResponse)
        #expect(phone.wait("wrote FF01 att13"))
        gadget.onWrite = nil
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        #expect(phone.wait("wrote FF01 nil") && gadget.values["FF01"] == [1])
    }

    @Test(arguments: [(nil, 20), (65, 62), (517, 512)] as [(UInt16?, Int)])
    func `row 18: what can be written at once follows from the exchange, which needs no call`(
        mtu: UInt16?, expected: Int
    ) throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Self.place(world, mtu: mtu)
        let peripheral = try #require(phone.peripheral(0xC1))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        _ = phone.open(0xC1, discovers: false)
        world.run(for: .seconds(1))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == expected)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        phone.manager.cancelPeripheralConnection(peripheral)
        phone.wait("disconnected")
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        withExtendedLifetime(gadget) {}
    }

    @Test(arguments: [CBATTError.Code.attributeNotLong, .invalidOffset])
    func `row 21: a peripheral that refuses to go on has sent the whole value`(code: CBATTError.Code) throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Self.place(world, mtu: nil)
        let peripheral = try #require(phone.open(0xC1))
        gadget.onRead = { gadget, request in
            request.value = Data(count: 22)
            gadget.manager.respond(to: request, withResult: request.offset == 0 ? .success : code)
        }
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        #expect(phone.wait("value FF01 22 bytes nil"))
    }

    @Test func `row 21: a value that never ends is cut at 512 octets`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let phone = Self.place(world, mtu: nil)
        let peripheral = try #require(phone.open(0xC1))
        gadget.onRead = { gadget, request in
            request.value = Data(count: 22)
            gadget.manager.respond(to: request, withResult: .success)
        }
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        #expect(phone.wait("value FF01 5", for: .seconds(30)))
        #expect((512...534).contains(try #require(peripheral.characteristic("FF01")?.value).count))
    }

    /// A device with one characteristic, and a phone that has opened it.
    private static func opened(
        _ properties: [CBCharacteristicProperties], _ permissions: [CBAttributePermissions]
    ) throws -> (Gadget, Phone, CBPeripheral) {
        let world = BluetoothWorld()
        let gadget = Gadget(
            world, world.adapter(0xC1),
            [
                Gadget.service(
                    "FF00",
                    [("FF01", CBCharacteristicProperties(properties), CBAttributePermissions(permissions))])
            ])
        world.run(for: .seconds(1))
        let phone = Phone.on(world)
        return (gadget, phone, try #require(phone.open(0xC1)))
    }

    @Test(
        arguments: [
            ([CBCharacteristicProperties.read], [CBAttributePermissions.readEncryptionRequired], "att5"),
            ([.read], [], "att2"), ([.write], [.readable], "att2"),
        ] as [([CBCharacteristicProperties], [CBAttributePermissions], String)])
    func `row 24: a read that is not allowed says why; there is no pairing to come`(
        properties: [CBCharacteristicProperties], permissions: [CBAttributePermissions], error: String
    ) throws {
        let (gadget, phone, peripheral) = try Self.opened(properties, permissions)
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        #expect(phone.wait("value FF01 [] \(error)"))
        withExtendedLifetime(gadget) {}
    }

    @Test(
        arguments: [
            ([CBCharacteristicProperties.write], [CBAttributePermissions.writeEncryptionRequired], "att5"),
            ([.write], [], "att3"), ([.read], [.writeable], "att3"),
            ([.writeWithoutResponse], [.writeable], "att3"),
        ] as [([CBCharacteristicProperties], [CBAttributePermissions], String)])
    func `row 24: a write that is not allowed says why`(
        properties: [CBCharacteristicProperties], permissions: [CBAttributePermissions], error: String
    ) throws {
        let (gadget, phone, peripheral) = try Self.opened(properties, permissions)
        let characteristic = try #require(peripheral.characteristic("FF01"))
        for count in [1, 512] {
            peripheral.writeValue(Data(count: count), for: characteristic, type: .withResponse)
            #expect(phone.wait("wrote FF01 \(error)"))
        }
        #expect(gadget.lines.matching("written").isEmpty)
    }
}
