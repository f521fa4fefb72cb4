import CoreBluetooth
import Testing

/// What Apple's types are as objects: code for iOS counts on it.
@Suite struct ObjectTests {
    /// A protocol of an application, on top of Apple's.
    private protocol Screen: CBCentralManagerDelegate {
        var title: String { get }
    }

    private final class Home: NSObject, Screen {
        let title = "home"
        func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    }

    @Test func `a delegate is an object of Foundation`() {
        let screen = Home()
        let delegate: any CBCentralManagerDelegate = screen
        let object: any NSObjectProtocol = delegate
        #expect(object.isEqual(screen) && (object as? any Screen)?.title == "home")
        #expect(object.hash == screen.hash)
    }

    @Test func `a UUID and a peripheral can be copied, and be keys of a dictionary of Foundation`() throws {
        let short = CBUUID(string: "180D")
        let long = CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")
        #expect(short.copy() as? CBUUID === short)
        let names: NSDictionary = [short: "heart rate"]
        #expect(names.object(forKey: long) as? String == "heart rate")
        let world = BluetoothWorld()
        let phone = Phone.on(world)
        let peripheral = try #require(phone.peripheral(0xC1))
        #expect(peripheral.copy() as? CBPeripheral === peripheral)
        #expect(NSSet(object: peripheral).contains(peripheral))
    }
}
