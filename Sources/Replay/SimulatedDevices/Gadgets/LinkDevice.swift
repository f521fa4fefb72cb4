public import BluetoothCore
import Gadgets
import WireBytes

/// A device of BLELinkManager with a single characteristic, identified by the MAC address in its advertising.
///
/// A frame that sets the upload rate is answered with `SPEED n`, a command with its type before that,
/// anything else with `ERR`. The last answer can also be read. These texts are the project's choice.
public struct LinkDevice: Gadget {
    private var answer: String

    /// Creates a device whose value is its number until the first write.
    public init(number: Int = 1) { answer = "LINK \(number)" }

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFFE0,
                [GadgetCharacteristic(0xFFE1, [.read, .write, .writeWithoutResponse, .notify], text: "data")])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFFE0], name: "BLE-LINK", manufacturerAddress: address)
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] { Array(answer.utf8) }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        answer = Self.answer(to: value)
        return [GadgetUpdate(0xFFE1, Array(answer.utf8))]
    }

    private static func answer(to value: [UInt8]) -> String {
        if let command = command(value) {
            return "\(command.kind)".uppercased() + " SPEED \(command.frame.number)"
        }
        guard let frame = frame(value), LinkFrame.speeds.contains(frame.number) else { return "ERR" }
        return "SPEED \(frame.number)"
    }

    private static func command(_ value: [UInt8]) -> LinkCommand? {
        var reader = ByteReader(value.borrowedOctets)
        return try? LinkCommand(decoding: &reader)
    }

    private static func frame(_ value: [UInt8]) -> LinkFrame? {
        var reader = ByteReader(value.borrowedOctets)
        return try? LinkFrame(decoding: &reader)
    }
}
