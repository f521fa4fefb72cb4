public import BluetoothCore
public import LEHost

/// A key fob for paired centrals only. Its value reads "bonded", and it answers each button press.
public struct Fob: Gadget {
    /// The pairing method of a fob.
    public enum Pairing: String, CaseIterable, Sendable {
        /// No user interaction.
        case justWorks = "just-works"
        /// Both sides show a number, and the user confirms that they are the same.
        case compare
        /// The fob shows a passkey.
        case shows
        /// The user enters the central's passkey at the fob.
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
