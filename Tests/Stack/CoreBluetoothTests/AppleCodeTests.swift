import CoreBluetooth
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
}
