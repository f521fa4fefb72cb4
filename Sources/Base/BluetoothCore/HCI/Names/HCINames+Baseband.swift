extension HCINames {
    /// ACL packet types by their bit (7.1.5): EDR bits say what must not be used.
    @Sendable public static func aclPacketTypes(_ bit: Int) -> StaticString? {
        switch bit {
        case 1: "no 2-DH1"
        case 2: "no 3-DH1"
        case 3: "DM1"
        case 4: "DH1"
        case 8: "no 2-DH3"
        case 9: "no 3-DH3"
        case 10: "DM3"
        case 11: "DH3"
        case 12: "no 2-DH5"
        case 13: "no 3-DH5"
        case 14: "DM5"
        case 15: "DH5"
        default: nil
        }
    }

    /// Synchronous packet types by their bit (7.1.26): EDR bits say what must not be used.
    @Sendable public static func synchronousPacketTypes(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "HV1"
        case 1: "HV2"
        case 2: "HV3"
        case 3: "EV3"
        case 4: "EV4"
        case 5: "EV5"
        case 6: "no 2-EV3"
        case 7: "no 3-EV3"
        case 8: "no 2-EV5"
        case 9: "no 3-EV5"
        default: nil
        }
    }

    /// Whether lost audio is sent again (7.1.26).
    @Sendable public static func retransmissionEffort(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "none"
        case 1: "for power"
        case 2: "for quality"
        case 0xFF: "no preference"
        default: nil
        }
    }

    /// How PCM samples are written (7.1.45).
    @Sendable public static func pcmFormat(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "none"
        case 1: "1's complement"
        case 2: "2's complement"
        case 3: "sign and magnitude"
        case 4: "unsigned"
        default: nil
        }
    }

    /// Whether a device answers inquiries and pages (7.3.18).
    @Sendable public static func scanEnable(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "none"
        case 1: "inquiry scan"
        case 2: "page scan"
        case 3: "inquiry and page scan"
        default: nil
        }
    }

    /// What is suspended while in hold mode (7.3.34).
    @Sendable public static func holdModeActivity(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "page scan"
        case 1: "inquiry scan"
        case 2: "periodic inquiries"
        default: nil
        }
    }

    /// Which power level is read (7.3.35).
    @Sendable public static func powerLevelType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "current"
        case 1: "maximum"
        default: nil
        }
    }

    /// What kind of PIN a host has (7.3.6).
    @Sendable public static func pinType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "variable"
        case 1: "fixed"
        default: nil
        }
    }

    /// What the controller holds back for the host (7.3.38).
    @Sendable public static func hostFlowControl(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "ACL data"
        case 1: "synchronous data"
        default: nil
        }
    }

    /// Which packets are flushed (7.3.66).
    @Sendable public static func flushType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "automatically flushable only"
        default: nil
        }
    }

    /// How the host counts buffers (7.3.73).
    @Sendable public static func flowControlMode(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "packets"
        case 1: "data blocks"
        default: nil
        }
    }

    /// How a scan hops (7.3.48).
    @Sendable public static func inquiryScanType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "standard"
        case 1: "interlaced"
        default: nil
        }
    }

    /// What inquiry results hold (7.3.50).
    @Sendable public static func inquiryMode(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "standard"
        case 1: "with RSSI"
        case 2: "with RSSI or extended"
        default: nil
        }
    }

    /// What a codec is used for (7.4.10).
    @Sendable public static func logicalTransport(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "BR/EDR ACL"
        case 1: "BR/EDR SCO or eSCO"
        case 2: "LE CIS"
        case 3: "LE BIS"
        default: nil
        }
    }

    /// What a codec can be used for (7.4.8).
    @Sendable public static func codecTransports(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "BR/EDR ACL"
        case 1: "BR/EDR SCO or eSCO"
        case 2: "LE CIS"
        case 3: "LE BIS"
        default: nil
        }
    }

    /// What Secure Simple Pairing checks (7.4.9).
    @Sendable public static func pairingOptions(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "remote public key validation"
        default: nil
        }
    }

    /// What an event filter is for (7.3.3).
    @Sendable public static func filterType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "clear all"
        case 1: "inquiry result"
        case 2: "connection setup"
        default: nil
        }
    }

    /// Which devices an event filter lets through (7.3.3).
    @Sendable public static func filterCondition(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "any"
        case 1: "class of device"
        case 2: "address"
        default: nil
        }
    }

    /// What becomes of a connection request that a filter lets through (7.3.3).
    @Sendable public static func autoAccept(_ value: UInt64) -> StaticString? {
        switch value {
        case 1: "left to the host"
        case 2: "accepted without role switch"
        case 3: "accepted with role switch"
        default: nil
        }
    }

    /// The events by their bit on page 2 of the mask (7.3.69).
    @Sendable public static func eventMaskPage2(_ bit: Int) -> StaticString? {
        switch bit {
        case 8: "Number Of Completed Data Blocks"
        case 14: "Triggered Clock Capture"
        case 15: "Synchronization Train Complete"
        case 16: "Synchronization Train Received"
        case 17: "Connectionless Peripheral Broadcast Receive"
        case 18: "Connectionless Peripheral Broadcast Timeout"
        case 19: "Truncated Page Complete"
        case 20: "Peripheral Page Response Timeout"
        case 21: "Connectionless Peripheral Broadcast Channel Map Change"
        case 22: "Inquiry Response Notification"
        case 23: "Authenticated Payload Timeout Expired"
        case 24: "SAM Status Change"
        case 25: "Encryption Change [v2]"
        default: nil
        }
    }
}
