extension HCINames {
    /// The kinds of a device address (Vol 4, Part E, 7.7.65.2 and others).
    @Sendable public static func addressType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "public"
        case 1: "random"
        case 2: "public identity"
        case 3: "random identity"
        case 0xFE: "random, unresolved"
        case 0xFF: "anonymous"
        default: nil
        }
    }

    /// Which address the controller uses as its own (7.8.5).
    @Sendable public static func ownAddressType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "public"
        case 1: "random"
        case 2: "resolvable or public"
        case 3: "resolvable or random"
        default: nil
        }
    }

    /// The role in a connection.
    @Sendable public static func role(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "central"
        case 1: "peripheral"
        default: nil
        }
    }

    /// Off or on.
    @Sendable public static func enable(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "disabled"
        case 1: "enabled"
        default: nil
        }
    }

    /// The sleep clock accuracy of a device, in parts per million (7.7.65.1).
    @Sendable public static func clockAccuracy(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "500 ppm"
        case 1: "250 ppm"
        case 2: "150 ppm"
        case 3: "100 ppm"
        case 4: "75 ppm"
        case 5: "50 ppm"
        case 6: "30 ppm"
        case 7: "20 ppm"
        default: nil
        }
    }

    /// The kinds of legacy advertising (7.8.5).
    @Sendable public static func advertisingType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "connectable undirected"
        case 1: "connectable directed, high duty cycle"
        case 2: "scannable undirected"
        case 3: "non-connectable undirected"
        case 4: "connectable directed, low duty cycle"
        default: nil
        }
    }

    /// The kinds of legacy PDU that a report stands for (7.7.65.2).
    @Sendable public static func advertisingReportType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "ADV_IND"
        case 1: "ADV_DIRECT_IND"
        case 2: "ADV_SCAN_IND"
        case 3: "ADV_NONCONN_IND"
        case 4: "SCAN_RSP"
        default: nil
        }
    }

    /// Whose scan and connection requests are answered (7.8.5).
    @Sendable public static func advertisingFilterPolicy(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "any device"
        case 1: "scan requests by accept list"
        case 2: "connection requests by accept list"
        case 3: "accept list only"
        default: nil
        }
    }

    /// Whether a scanner asks for scan responses.
    @Sendable public static func scanType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "passive"
        case 1: "active"
        default: nil
        }
    }

    /// Which advertisements a scanner keeps (7.8.10).
    @Sendable public static func scanFilterPolicy(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "basic unfiltered"
        case 1: "basic filtered"
        case 2: "extended unfiltered"
        case 3: "extended filtered"
        default: nil
        }
    }

    /// Whether an initiator uses the Filter Accept List (7.8.12, 7.8.66).
    @Sendable public static func initiatorFilterPolicy(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "peer address"
        case 1: "filter accept list"
        case 2: "any decision PDU"
        case 3: "accept list, decision PDUs too"
        case 4: "accept list, decision PDUs only"
        default: nil
        }
    }

    /// Whether duplicate reports are dropped (7.8.65).
    @Sendable public static func filterDuplicates(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "disabled"
        case 1: "enabled"
        case 2: "enabled, reset each period"
        default: nil
        }
    }

    /// A PHY by its number.
    @Sendable public static func phy(_ value: UInt64) -> StaticString? {
        switch value {
        case 1: "LE 1M"
        case 2: "LE 2M"
        case 3: "LE Coded"
        default: nil
        }
    }

    /// A PHY by its number, with the coding told apart (7.8.117).
    @Sendable public static func powerPHY(_ value: UInt64) -> StaticString? {
        switch value {
        case 1: "LE 1M"
        case 2: "LE 2M"
        case 3: "LE Coded S=8"
        case 4: "LE Coded S=2"
        default: nil
        }
    }

    /// The PHY of a transmitter test (7.8.29).
    @Sendable public static func testPHY(_ value: UInt64) -> StaticString? {
        switch value {
        case 1: "LE 1M"
        case 2: "LE 2M"
        case 3: "LE Coded S=8"
        case 4: "LE Coded S=2"
        default: nil
        }
    }

    /// The preferred or required coding of an advertising PHY (7.8.53).
    @Sendable public static func phyOptions(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "no preference"
        case 1: "S=2 preferred"
        case 2: "S=8 preferred"
        case 3: "S=2 required"
        case 4: "S=8 required"
        default: nil
        }
    }

    /// The preferred coding on the LE Coded PHY (7.8.49).
    @Sendable public static func codedPHYOptions(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "no preference"
        case 1: "S=2 preferred"
        case 2: "S=8 preferred"
        case 3: "S=2 required"
        case 4: "S=8 required"
        default: nil
        }
    }

    /// What a fragment of advertising data is (7.8.54).
    @Sendable public static func dataOperation(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "intermediate fragment"
        case 1: "first fragment"
        case 2: "last fragment"
        case 3: "complete"
        case 4: "unchanged"
        default: nil
        }
    }

    /// Whether the controller may cut advertising data.
    @Sendable public static func fragmentPreference(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "may fragment"
        case 1: "should not fragment"
        default: nil
        }
    }

    /// How the sleep clock accuracy is to change (7.8.94).
    @Sendable public static func sleepClockAction(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "more accurate"
        case 1: "less accurate"
        default: nil
        }
    }

    /// LE features that the host owns, by bit number (7.8.115).
    @Sendable public static func leFeatureBit(_ value: UInt64) -> StaticString? {
        switch value {
        case 32: "Connected Isochronous Stream (Host Support)"
        case 38: "Connection Subrating (Host Support)"
        case 47: "Channel Sounding (Host Support)"
        case 65: "LL Extended Feature Set (Host Support)"
        default: nil
        }
    }

    /// Which private key makes a Diffie-Hellman key (7.8.37).
    @Sendable public static func dhKeyType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "generated private key"
        case 1: "debug private key"
        default: nil
        }
    }

    /// How strictly a peer's identity address is kept out (7.8.77).
    @Sendable public static func privacyMode(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "network privacy"
        case 1: "device privacy"
        default: nil
        }
    }

    /// What the controller does with a received periodic sync (7.8.91).
    @Sendable public static func syncTransferMode(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "ignored"
        case 1: "reports disabled"
        case 2: "reports enabled"
        case 3: "reports enabled, duplicates filtered"
        default: nil
        }
    }

    /// The kinds of a Constant Tone Extension.
    @Sendable public static func cteType(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "AoA"
        case 1: "AoD 1 us slots"
        case 2: "AoD 2 us slots"
        case 0xFF: "none"
        default: nil
        }
    }

    /// The length of CTE switching and sampling slots.
    @Sendable public static func slotDurations(_ value: UInt64) -> StaticString? {
        switch value {
        case 1: "1 us"
        case 2: "2 us"
        default: nil
        }
    }

    /// What a test packet carries (7.8.29).
    @Sendable public static func testPayload(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "PRBS9"
        case 1: "11110000"
        case 2: "10101010"
        case 3: "PRBS15"
        case 4: "11111111"
        case 5: "00000000"
        case 6: "00001111"
        case 7: "01010101"
        default: nil
        }
    }

    /// What a receiver test assumes of the transmitter.
    @Sendable public static func modulationIndex(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "standard"
        case 1: "stable"
        default: nil
        }
    }

    /// The Channel Selection Algorithm in use (7.7.65.20).
    @Sendable public static func channelSelection(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "#1"
        case 1: "#2"
        default: nil
        }
    }

    /// Where the path loss stands (7.7.65.32).
    @Sendable public static func pathLossZone(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "low"
        case 1: "middle"
        case 2: "high"
        default: nil
        }
    }

    /// Why a power level is reported (7.7.65.33).
    @Sendable public static func powerReportReason(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "local change"
        case 1: "remote change"
        case 2: "read remote completed"
        default: nil
        }
    }

    /// Who asked for a new frame space (7.7.65.48).
    @Sendable public static func frameSpaceInitiator(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "local host"
        case 1: "local controller"
        case 2: "peer"
        default: nil
        }
    }

    /// What happened to a monitored advertiser (7.7.65.47).
    @Sendable public static func monitoredCondition(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "lost"
        case 1: "found"
        default: nil
        }
    }

    /// Whether reported data is whole.
    @Sendable public static func dataStatus(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "complete"
        case 1: "incomplete, more to come"
        case 2: "incomplete, truncated"
        case 0xFF: "failed to receive"
        default: nil
        }
    }

    /// Whether a subevent indication was sent.
    @Sendable public static func txStatus(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "transmitted"
        case 1: "not transmitted"
        default: nil
        }
    }
}
