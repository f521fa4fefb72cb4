extension HCINames {
    /// The kinds of a BR/EDR link (Vol 4, Part E, 7.7.3).
    @Sendable public static func linkType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "SCO"
        case 1: "ACL"
        case 2: "eSCO"
        default: nil
        }
    }

    /// How audio is coded over the air (7.7.35).
    @Sendable public static func airMode(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "mu-law"
        case 1: "A-law"
        case 2: "CVSD"
        case 3: "transparent"
        default: nil
        }
    }

    /// The mode of a connection (7.7.20).
    @Sendable public static func mode(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "active"
        case 1: "hold"
        case 2: "sniff"
        case 3: "park"
        default: nil
        }
    }

    /// What service a flow asks for (7.2.6).
    @Sendable public static func serviceType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "no traffic"
        case 1: "best effort"
        case 2: "guaranteed"
        default: nil
        }
    }

    /// Which way a flow goes (7.2.13).
    @Sendable public static func flowDirection(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "outgoing"
        case 1: "incoming"
        default: nil
        }
    }

    /// Whose clock is meant (7.5.6).
    @Sendable public static func whichClock(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "local"
        case 1: "piconet"
        default: nil
        }
    }

    /// How often a device scans for pages.
    @Sendable public static func pageScanRepetition(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "R0"
        case 1: "R1"
        case 2: "R2"
        default: nil
        }
    }

    /// Whether a link is encrypted, and how (7.7.8).
    @Sendable public static func encryption(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "off"
        case 1: "on"
        case 2: "on (AES-CCM)"
        default: nil
        }
    }

    /// Which link key is in use (7.7.10).
    @Sendable public static func keyFlag(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "semi-permanent"
        case 1: "temporary"
        default: nil
        }
    }

    /// What a link key came from (7.7.24).
    @Sendable public static func keyType(_ value: UInt64) -> StaticString? {
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

    /// What a device can show and be told (7.7.41).
    @Sendable public static func ioCapability(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "DisplayOnly"
        case 1: "DisplayYesNo"
        case 2: "KeyboardOnly"
        case 3: "NoInputNoOutput"
        default: nil
        }
    }

    /// Which out-of-band data is there (7.1.29).
    @Sendable public static func oobData(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "none"
        case 1: "P-192"
        case 2: "P-256"
        case 3: "P-192 and P-256"
        default: nil
        }
    }

    /// What pairing has to reach (7.1.29).
    @Sendable public static func authenticationRequirements(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "no MITM, no bonding"
        case 1: "MITM, no bonding"
        case 2: "no MITM, dedicated bonding"
        case 3: "MITM, dedicated bonding"
        case 4: "no MITM, general bonding"
        case 5: "MITM, general bonding"
        default: nil
        }
    }

    /// Where data is looped back (7.6.1).
    @Sendable public static func loopback(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "none"
        case 1: "local"
        case 2: "remote"
        default: nil
        }
    }

    /// What happened to a passkey's digits (7.7.49).
    @Sendable public static func keypress(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "entry started"
        case 1: "digit entered"
        case 2: "digit erased"
        case 3: "cleared"
        case 4: "entry completed"
        default: nil
        }
    }

    /// The versions of the Core Specification (Assigned Numbers, 2.1).
    @Sendable public static func version(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "1.0b"
        case 1: "1.1"
        case 2: "1.2"
        case 3: "2.0 + EDR"
        case 4: "2.1 + EDR"
        case 5: "3.0 + HS"
        case 6: "4.0"
        case 7: "4.1"
        case 8: "4.2"
        case 9: "5.0"
        case 10: "5.1"
        case 11: "5.2"
        case 12: "5.3"
        case 13: "5.4"
        case 14: "6.0"
        case 15: "6.1"
        case 16: "6.2"
        default: nil
        }
    }
}
