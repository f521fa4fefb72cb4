public import BluetoothCore
public import LEHost

/// A key fob that gives its values to paired centrals alone: "bonded" to read, and an answer to each press of
/// a button.
public struct Fob: Gadget {
    /// How a fob makes sure of who pairs with it.
    public enum Pairing: String, CaseIterable, Sendable {
        /// Nobody does anything.
        case justWorks = "just-works"
        /// Both sides show a number, and someone says that it is the same.
        case compare
        /// The fob shows a passkey.
        case shows
        /// The fob asks for the passkey that the central shows.
        case asks

        /// The policy of the fob's host.
        public var policy: SecurityPolicy {
            var policy = SecurityPolicy()
            policy.needsProtection = self != .justWorks
            policy.ioCapability =
                switch self {
                case .justWorks: .noInputNoOutput
                case .compare: .displayYesNo
                case .shows: .displayOnly
                case .asks: .keyboardOnly
                }
            return policy
        }
    }

    public init() {}

    public var services: [GadgetService] {
        [
            GadgetService(
                0xFF50,
                [
                    GadgetCharacteristic(0xFF51, [.read, .notify], isEncrypted: true),
                    GadgetCharacteristic(0xFF52, [.write], isEncrypted: true),
                ])
        ]
    }

    public func advertising(_ address: DeviceAddress) -> GadgetAdvertising {
        GadgetAdvertising([0xFF50], name: "fob")
    }

    public func value(of uuid: BluetoothUUID) -> [UInt8] { Array("bonded".utf8) }

    public mutating func write(_ value: [UInt8], to uuid: BluetoothUUID) -> [GadgetUpdate] {
        [GadgetUpdate(0xFF51, value + Array("ed".utf8))]
    }
}
