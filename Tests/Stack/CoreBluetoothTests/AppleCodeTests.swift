@_spi(Host) import CoreBluetooth
import Testing

/// What code for iOS needs beside classes and callbacks: `ThermometerReader` is such code.
@Suite struct AppleCodeTests {
    @Test func `code with one import scans, connects and reads`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        let reader = AdapterSlot.with(world.adapter(0xF1).0) { ThermometerReader() }
        world.run(for: .seconds(20)) { reader.queue.sync { !reader.value.isEmpty } }
        #expect(reader.value == Data([1, 2, 3]) && reader.percent == 0)
        #expect(reader.localName == "gadget" && reader.identifier != nil)
        withExtendedLifetime(gadget) {}
    }

    @Test func `a refusal comes to the code as the error that it catches`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        gadget.onRead = { gadget, request in
            gadget.manager.respond(to: request, withResult: .insufficientAuthentication)
        }
        let reader = AdapterSlot.with(world.adapter(0xF1).0) { ThermometerReader() }
        world.run(for: .seconds(20)) { reader.queue.sync { !reader.failures.isEmpty } }
        #expect(reader.failures == ["not paired"])
    }

    @Test func `catch patterns tell the codes of both errors apart`() {
        let explain = ThermometerReader.explain
        #expect(explain(CBError(.connectionTimeout)) == "out of reach")
        #expect(explain(CBError(.connectionFailed)) == "gone")
        #expect(explain(CBATTError(.insufficientEncryption)) == "not paired")
        #expect(explain(CBATTError(.readNotPermitted)) == "not readable")
        #expect(explain(CBError(.unknown)) == "CBErrorDomain 0: Unknown error.")
        #expect(explain(CBATTError(.invalidHandle)) == "CBATTErrorDomain 1")
        #expect(explain(CancellationError()).hasPrefix("Swift.CancellationError"))
    }

    @Test func `errors hold what their maker said, and a text of their own`() {
        let reason = [NSLocalizedDescriptionKey: "no", "pin": 4] as [String: Any]
        for error in [CBError(.unknown, userInfo: reason), CBATTError(.invalidPdu, userInfo: reason)]
            as [any CustomNSError]
        {
            #expect(error.localizedDescription == "no" && (error as NSError).userInfo["pin"] as? Int == 4)
            #expect(error.errorUserInfo.count == 2)
        }
        #expect(CBError(.unknown, userInfo: reason).userInfo["pin"] as? Int == 4)
        #expect(CBError(.unknown).userInfo.isEmpty && CBATTError(.invalidPdu).userInfo.isEmpty)
        #expect(CBError(.unknown) == CBError(.unknown, userInfo: [:]))
        #expect(CBError(.unknown) != CBError(.unknown, userInfo: reason))
        #expect(Set([CBATTError(.invalidPdu), CBATTError(.invalidPdu)]).count == 1)
        #expect(CBATTError(.invalidHandle).errorUserInfo[NSLocalizedDescriptionKey] is String)
    }

    @Test func `an error is made of its NSError, and says its code and text`() {
        let refused = CBATTError(_nsError: CBATTError(.insufficientAuthentication) as NSError)
        #expect(refused.code == .insufficientAuthentication)
        #expect(
            "\(refused)" == "Error Domain=CBATTErrorDomain Code=5 \"Authentication is insufficient.\"")
        #expect(CBATTError(.other(0x80)).localizedDescription == "Unknown ATT error.")
        let texts = Set((0...17).compactMap(CBATTError.Code.init).map { CBATTError($0).localizedDescription })
        #expect(texts.count == 18)
        let lost = CBError(_nsError: NSError(domain: CBErrorDomain, code: 6, userInfo: ["pin": 4]))
        #expect(lost.code == .connectionTimeout && lost.userInfo["pin"] as? Int == 4)
        #expect(CBError(_nsError: NSError(domain: CBErrorDomain, code: 999)).code == .unknown)
    }

    @Test func `each number is a code of the Attribute Protocol, 18 of them with names`() {
        for number in -1...256 { #expect(CBATTError.Code(rawValue: number)?.rawValue == number) }
        #expect(CBATTError.insufficientResources == CBATTError.Code(rawValue: 0x11))
        #expect(CBATTError.Code(rawValue: 0x80) == .other(0x80) && CBATTError.success.rawValue == 0)
        #expect(CBATTError.Code.other(1) == .invalidHandle)
        #expect(ThermometerReader.isFinal(.invalidPdu) && !ThermometerReader.isFinal(.other(0x80)))
    }

    @Test func `a UUID made of nothing is a value of 128 bits`() {
        #expect(CBUUID().uuidString == "00000000-0000-0000-0000-000000000000" && CBUUID() == CBUUID())
    }

    @Test func `objects are printed by what they are, the same in each run`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        defer { withExtendedLifetime(gadget) {} }
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let service = try #require(peripheral.services?.first { $0.uuid == uuid("FF00") })
        let value = try #require(service.characteristics?.first)
        let start = "<CBPeripheral: identifier = \(peripheral.identifier), name = gadget, mtu = "
        #expect("\(peripheral)".hasPrefix(start) && "\(peripheral)".hasSuffix(", state = connected>"))
        #expect("\(service)" == "<CBService: isPrimary = YES, UUID = FF00>")
        let text = "<CBCharacteristic: UUID = FF01, properties = 0xa, value = (null), notifying = NO>"
        #expect("\(value)" == text)
        let descriptor = CBMutableDescriptor(type: uuid("2901"), value: "x")
        #expect("\(descriptor)" == "<CBMutableDescriptor: UUID = 2901>")
    }

    @Test func `code from before iOS 15 uses what an attribute belongs to as it is`() throws {
        let world = BluetoothWorld()
        let gadget = Gadget.usual(world)
        defer { withExtendedLifetime(gadget) {} }
        let phone = Phone.on(world)
        let peripheral = try #require(phone.open(0xC1))
        let value = try #require(peripheral.services?.last?.characteristics?.first)
        let isOfPeripheral = { (service: CBService) in service.peripheral === peripheral }
        #expect(isOfPeripheral(value.service) && value.service?.uuid == value.service.uuid)
        #expect(CBMutableDescriptor(type: uuid("2901"), value: "x").characteristic == nil)
    }

    /// One with names of its own, that overrides the designated initializer and so inherits the others.
    final class OwnManager: CBCentralManager, @unchecked Sendable {
        let queue = 7
        override init(
            delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
        ) { super.init(delegate: delegate, queue: queue, options: options) }
    }

    @Test func `a subclass that overrides the designated initializer has the others too`() {
        let world = BluetoothWorld()
        let (adapter, _) = world.adapter(0xF1)
        let inline = world.delivery.inline
        let managers = AdapterSlot.with(adapter) {
            [
                OwnManager(), OwnManager(delegate: nil, queue: inline),
                OwnManager(delegate: nil, queue: inline, options: nil, adapter: nil),
                OwnManager(delegate: nil, queue: inline, options: nil, adapter: adapter),
            ]
        }
        #expect(managers.map { $0.adapter === adapter } == [true, true, false, true])
        #expect(managers.map(\.queue) == [7, 7, 7, 7] && managers[1].callbackQueue === inline)
    }
}
