import CoreBluetooth
import Foundation
import Runtime
import Testing

/// The peripheral side: requests of centrals, and their answers.
@Suite struct ServingTests {
    static func pair(_ world: BluetoothWorld, mtu: UInt16? = nil) throws -> (Gadget, Phone, CBPeripheral) {
        let gadget = Gadget.usual(world)
        let phone = ValueTests.place(world, mtu: mtu)
        return (gadget, phone, try #require(phone.open(0xC1)))
    }

    @Test func `a long read is asked for by offset`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        gadget.values["FF01"] = Array(ValueTests.pattern.prefix(50))
        peripheral.readValue(for: try #require(peripheral.characteristic("FF01")))
        phone.wait("value")
        #expect(gadget.lines.matching("read") == ["read FF01 0", "read FF01 22", "read FF01 44"])
    }

    @Test(arguments: [
        (CBATTError.Code.readNotPermitted, "att2"), (.invalidOffset, "att7"), (.unlikelyError, "att14"),
        (.insufficientEncryption, "att15"), (.other(0x85), "att133"),
    ])
    func `an answer with an error comes as that error`(code: CBATTError.Code, shown: String) throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        gadget.onRead = { $0.manager.respond(to: $1, withResult: code) }
        gadget.onWrite = { $0.manager.respond(to: $1[0], withResult: code) }
        let characteristic = try #require(peripheral.characteristic("FF01"))
        peripheral.readValue(for: characteristic)
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        world.run(for: .seconds(2))
        #expect(phone.lines.all == ["value FF01 [] \(shown)", "wrote FF01 \(shown)"])
    }

    @Test func `prepared writes come as one batch, with offsets, and have one answer`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        gadget.values["FF01"] = []
        peripheral.writeValue(
            Data(ValueTests.pattern.prefix(50)), for: try #require(peripheral.characteristic("FF01")),
            type: .withResponse)
        #expect(phone.wait("wrote FF01 nil"))
        #expect(
            gadget.lines.matching("written") == ["written [\"FF01 0+18\", \"FF01 18+18\", \"FF01 36+14\"]"])
        #expect(gadget.values["FF01"] == Array(ValueTests.pattern.prefix(50)))
    }

    @Test func `an answer given twice, or to a write without response, harms nothing`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        gadget.onWrite = { gadget, requests in
            gadget.manager.respond(to: requests[0], withResult: .success)
            gadget.manager.respond(to: requests[0], withResult: .unlikelyError)
        }
        let value = try #require(peripheral.characteristic("FF01"))
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        peripheral.writeValue(
            Data([2]), for: try #require(peripheral.characteristic("FF04")), type: .withoutResponse)
        peripheral.writeValue(Data([3]), for: value, type: .withResponse)
        world.run(for: .seconds(2))
        #expect(phone.lines.all == ["wrote FF01 nil", "wrote FF01 nil"] && gadget.commands == [[2]])
    }

    @Test func `a write without response to what takes none is not told`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        peripheral.writeValue(
            Data([2]), for: try #require(peripheral.characteristic("FF01")), type: .withoutResponse)
        world.run(for: .seconds(2))
        #expect(gadget.lines.matching("written").isEmpty && phone.lines.all.isEmpty)
    }

    @Test func `without a delegate each request is answered with an error, at once`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        gadget.manager.delegate = nil
        let value = try #require(peripheral.characteristic("FF01"))
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        world.run(for: .seconds(2))
        #expect(phone.lines.all == ["value FF01 [] att14", "wrote FF01 att14"])
    }

    @Test func `a delegate that does not take requests refuses them`() throws {
        final class Plain: NSObject, CBPeripheralManagerDelegate {
            func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
        }
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        let plain = Plain()
        gadget.manager.delegate = plain
        let value = try #require(peripheral.characteristic("FF01"))
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        world.run(for: .seconds(2))
        #expect(phone.lines.all == ["value FF01 [] att6", "wrote FF01 att6"])
        withExtendedLifetime(plain) {}
    }

    @Test func `answers that come late still come, and in the order of the requests`() throws {
        let world = BluetoothWorld()
        let (gadget, phone, peripheral) = try Self.pair(world)
        var number: UInt8 = 0
        gadget.onRead = { gadget, request in
            number += 1
            request.value = Data([number])
            gadget.adapter.asyncAfter(.seconds(20), on: gadget.world.delivery.inline) {
                gadget.manager.respond(to: request, withResult: .success)
            }
        }
        for _ in 0..<3 { peripheral.readValue(for: try #require(peripheral.characteristic("FF01"))) }
        world.run(for: .seconds(65))
        #expect(phone.lines.all == (1...3).map { "value FF01 [\($0)] nil" })
    }
}
