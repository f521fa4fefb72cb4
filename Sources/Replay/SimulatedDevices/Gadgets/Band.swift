public import BluetoothCore
import Gadgets

/// The band named "MI": the battery command, answered by a notification with a checksum.
///
/// The level drops by a tenth with each answer, down to 0. Other commands are refused with 0x80.
public struct Band: Gadget {
    private static let unknownCommand: UInt8 = 0x80
    private var tenths: UInt8
    private var command: [UInt8] = []

    /// Creates a band with a level of 0 to 10 tenths.
    public init(tenths: UInt8 = 6) { self.tenths = min(tenths, 10) }

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFEE0,
                [
                    GadgetCharacteristic(0xFF01, [.read, .notify]),
                    GadgetCharacteristic(0xFF02, [.read, .write, .writeWithoutResponse]),
                ])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFEE0], name: "MI", manufacturerAddress: address)
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] {
        uuid == BluetoothUUID(UInt16(0xFF01)) ? Array("MI 手环".utf8) : command
    }

    public func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal? {
        value == BandBattery.command ? nil : .application(Self.unknownCommand)
    }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        command = value
        guard let answer = BandBattery(tenths: tenths) else { return [] }
        if tenths > 0 { tenths -= 1 }
        return [GadgetUpdate(0xFF01, answer.octets)]
    }
}
