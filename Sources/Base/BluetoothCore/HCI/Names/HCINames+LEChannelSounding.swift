extension HCINames {
    /// The roles in Channel Sounding by their bit.
    @Sendable public static func csRoles(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "initiator"
        case 1: "reflector"
        default: nil
        }
    }

    /// Optional modes of Channel Sounding by their bit.
    @Sendable public static func csModes(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "mode 3"
        default: nil
        }
    }

    /// What round-trip timing can do to 10 ns, by its bit.
    @Sendable public static func csRTT(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "AA only"
        case 1: "sounding"
        case 2: "random payload"
        default: nil
        }
    }

    /// Optional PHYs of CS_SYNC by their bit.
    @Sendable public static func csSyncPHYs(_ bit: Int) -> StaticString? {
        switch bit {
        case 1: "LE 2M"
        case 2: "LE 2M 2BT"
        default: nil
        }
    }

    /// Optional parts of Channel Sounding by their bit.
    @Sendable public static func csSubfeatures(_ bit: Int) -> StaticString? {
        switch bit {
        case 1: "no frequency error"
        case 2: "channel selection #3c"
        case 3: "phase-based ranging from sounding sequence"
        default: nil
        }
    }

    /// The role in a Channel Sounding configuration.
    @Sendable public static func csRole(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "initiator"
        case 1: "reflector"
        default: nil
        }
    }

    /// Where a configuration is made.
    @Sendable public static func csContext(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "local"
        case 1: "local and remote"
        default: nil
        }
    }

    /// How the round-trip time is taken.
    @Sendable public static func csRTTType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "AA only"
        case 1: "32-bit sounding"
        case 2: "96-bit sounding"
        case 3: "32-bit random"
        case 4: "64-bit random"
        case 5: "96-bit random"
        case 6: "128-bit random"
        default: nil
        }
    }

    /// How channels are chosen.
    @Sendable public static func csChannelSelection(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "#3b"
        case 1: "#3c"
        default: nil
        }
    }

    /// The shape of channel selection #3c.
    @Sendable public static func csShape(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "hat"
        case 1: "X"
        default: nil
        }
    }

    /// The signal-to-noise ratio that a transmitter adjusts to.
    @Sendable public static func csSNR(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "18 dB"
        case 1: "21 dB"
        case 2: "24 dB"
        case 3: "27 dB"
        case 4: "30 dB"
        case 0xFF: "none"
        default: nil
        }
    }

    /// What became of a configuration.
    @Sendable public static func csAction(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "removed"
        case 1: "created"
        default: nil
        }
    }

    /// Whether a procedure or subevent is done.
    @Sendable public static func csDone(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "all results complete"
        case 1: "partial, more to come"
        case 15: "aborted"
        default: nil
        }
    }
}
