public import BluetoothCore

/// eswiftBLE's example device: the greatest, the least and the mean battery level, one unsigned byte each.
///
/// Writing a least level above the greatest also raises the greatest, and notifies the central that wrote it.
public struct Mobike: Gadget {
    private var greatest: UInt8
    private var least: UInt8

    /// Creates a device with these levels.
    public init(greatest: UInt8 = 90, least: UInt8 = 10) {
        self.greatest = max(greatest, least)
        self.least = least
    }

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFFEE,
                [
                    GadgetCharacteristic(0xFFE1, [.read, .notify]),
                    GadgetCharacteristic(0xFFE2, [.read, .write]), GadgetCharacteristic(0xFFE3, [.read]),
                ])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFF00], name: "Mobike")
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] {
        switch uuid {
        case BluetoothUUID(UInt16(0xFFE1)): [greatest]
        case BluetoothUUID(UInt16(0xFFE2)): [least]
        default: [UInt8((UInt16(greatest) + UInt16(least)) / 2)]
        }
    }

    public func refusal(of value: [UInt8], to uuid: BluetoothUUID) -> GadgetRefusal? {
        value.count == 1 ? nil : .length
    }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        least = value.first ?? least
        guard least > greatest else { return [] }
        greatest = least
        return [GadgetUpdate(0xFFE1, [greatest])]
    }
}
