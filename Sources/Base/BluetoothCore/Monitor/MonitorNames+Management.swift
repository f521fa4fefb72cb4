extension MonitorNames {
    /// What a controller may be set to, by its bit.
    @Sendable public static func setting(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "powered"
        case 1: "connectable"
        case 2: "fast connectable"
        case 3: "discoverable"
        case 4: "bondable"
        case 5: "link security"
        case 6: "secure simple pairing"
        case 7: "BR/EDR"
        case 8: "high speed"
        case 9: "low energy"
        case 10: "advertising"
        case 11: "secure connections"
        case 12: "debug keys"
        case 13: "privacy"
        case 14: "controller configuration"
        case 15: "static address"
        case 16: "PHY configuration"
        case 17: "wideband speech"
        case 18: "CIS central"
        case 19: "CIS peripheral"
        case 20: "ISO broadcaster"
        case 21: "sync receiver"
        default: nil
        }
    }

    /// Which kinds of device are looked for, by their bit.
    @Sendable public static func discoveryType(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "BR/EDR"
        case 1: "LE public"
        case 2: "LE random"
        default: nil
        }
    }

    /// What the kernel says of a device it found, by its bit.
    @Sendable public static func foundFlag(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "confirm name"
        case 1: "legacy pairing"
        case 2: "not connectable"
        case 3: "initiated connection"
        case 4: "name request failed"
        case 5: "scan response"
        default: nil
        }
    }

    /// What a device may do, by its bit.
    @Sendable public static func deviceFlag(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "remote wakeup"
        case 1: "device privacy mode"
        case 2: "address resolution"
        default: nil
        }
    }

    /// How an instance is advertised, by its bit.
    @Sendable public static func advertisingFlag(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "connectable"
        case 1: "general discoverable"
        case 2: "limited discoverable"
        case 3: "add flags"
        case 4: "add TX power"
        case 5: "add appearance"
        case 6: "add name"
        case 7: "secondary LE 1M"
        case 8: "secondary LE 2M"
        case 9: "secondary LE Coded"
        case 10: "duration set"
        case 11: "timeout set"
        case 12: "intervals set"
        case 13: "TX power set"
        case 14: "scan response set"
        default: nil
        }
    }

    /// PHYs and packet types by their bit.
    @Sendable public static func phy(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "BR 1M 1-slot"
        case 1: "BR 1M 3-slot"
        case 2: "BR 1M 5-slot"
        case 3: "EDR 2M 1-slot"
        case 4: "EDR 2M 3-slot"
        case 5: "EDR 2M 5-slot"
        case 6: "EDR 3M 1-slot"
        case 7: "EDR 3M 3-slot"
        case 8: "EDR 3M 5-slot"
        case 9: "LE 1M TX"
        case 10: "LE 1M RX"
        case 11: "LE 2M TX"
        case 12: "LE 2M RX"
        case 13: "LE Coded TX"
        case 14: "LE Coded RX"
        default: nil
        }
    }

    /// Off or on.
    @Sendable public static func enable(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "off"
        case 1: "on"
        default: nil
        }
    }

    /// How a controller can be found.
    @Sendable public static func discoverable(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "off"
        case 1: "general"
        case 2: "limited"
        default: nil
        }
    }

    /// How a controller advertises.
    @Sendable public static func advertising(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "off"
        case 1: "on"
        case 2: "connectable"
        default: nil
        }
    }

    /// Whether pairing is by Secure Connections.
    @Sendable public static func secureConnections(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "off"
        case 1: "on"
        case 2: "only"
        default: nil
        }
    }

    /// What becomes of debug keys.
    @Sendable public static func debugKeys(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "discarded"
        case 1: "kept"
        case 2: "generated"
        default: nil
        }
    }

    /// Whether private addresses are used.
    @Sendable public static func privacy(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "off"
        case 1: "on"
        case 2: "limited"
        default: nil
        }
    }

    /// What the kernel does when it finds a device.
    @Sendable public static func deviceAction(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "report"
        case 1: "allow incoming connection"
        case 2: "auto-connect"
        default: nil
        }
    }

    /// What a link key came from.
    @Sendable public static func linkKeyType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "combination"
        case 1: "local unit"
        case 2: "remote unit"
        case 3: "debug combination"
        case 4: "unauthenticated P-192"
        case 5: "authenticated P-192"
        case 6: "changed combination"
        case 7: "unauthenticated P-256"
        case 8: "authenticated P-256"
        default: nil
        }
    }

    /// What a long term key came from.
    @Sendable public static func ltkType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "unauthenticated legacy"
        case 1: "authenticated legacy"
        case 2: "unauthenticated P-256"
        case 3: "authenticated P-256"
        case 4: "debug P-256"
        default: nil
        }
    }

    /// What a signature key came from.
    @Sendable public static func csrkType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "unauthenticated local"
        case 1: "unauthenticated remote"
        case 2: "authenticated local"
        case 3: "authenticated remote"
        default: nil
        }
    }
}
