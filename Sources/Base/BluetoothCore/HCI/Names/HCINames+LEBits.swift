extension HCINames {
    /// The LE events by their bit in the mask (Vol 4, Part E, 7.8.1).
    @Sendable public static func leEventMask(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "LE Connection Complete"
        case 1: "LE Advertising Report"
        case 2: "LE Connection Update Complete"
        case 3: "LE Read Remote Features Page 0 Complete"
        case 4: "LE Long Term Key Request"
        case 5: "LE Remote Connection Parameter Request"
        case 6: "LE Data Length Change"
        case 7: "LE Read Local P-256 Public Key Complete"
        case 8: "LE Generate DHKey Complete"
        case 9: "LE Enhanced Connection Complete [v1]"
        case 10: "LE Directed Advertising Report"
        case 11: "LE PHY Update Complete"
        case 12: "LE Extended Advertising Report"
        case 13: "LE Periodic Advertising Sync Established [v1]"
        case 14: "LE Periodic Advertising Report [v1]"
        case 15: "LE Periodic Advertising Sync Lost"
        case 16: "LE Scan Timeout"
        case 17: "LE Advertising Set Terminated"
        case 18: "LE Scan Request Received"
        case 19: "LE Channel Selection Algorithm"
        case 20: "LE Connectionless IQ Report"
        case 21: "LE Connection IQ Report"
        case 22: "LE CTE Request Failed"
        case 23: "LE Periodic Advertising Sync Transfer Received [v1]"
        case 24: "LE CIS Established [v1]"
        case 25: "LE CIS Request"
        case 26: "LE Create BIG Complete"
        case 27: "LE Terminate BIG Complete"
        case 28: "LE BIG Sync Established"
        case 29: "LE BIG Sync Lost"
        case 30: "LE Request Peer SCA Complete"
        case 31: "LE Path Loss Threshold"
        case 32: "LE Transmit Power Reporting"
        case 33: "LE BIGInfo Advertising Report"
        case 34: "LE Subrate Change"
        case 35: "LE Periodic Advertising Sync Established [v2]"
        case 36: "LE Periodic Advertising Report [v2]"
        case 37: "LE Periodic Advertising Sync Transfer Received [v2]"
        case 38: "LE Periodic Advertising Subevent Data Request"
        case 39: "LE Periodic Advertising Response Report"
        case 40: "LE Enhanced Connection Complete [v2]"
        case 41: "LE CIS Established [v2]"
        case 42: "LE Read All Remote Features Complete"
        case 43: "LE CS Read Remote Supported Capabilities Complete"
        case 44: "LE CS Read Remote FAE Table Complete"
        case 45: "LE CS Security Enable Complete"
        case 46: "LE CS Config Complete"
        case 47: "LE CS Procedure Enable Complete"
        case 48: "LE CS Subevent Result"
        case 49: "LE CS Subevent Result Continue"
        case 50: "LE CS Test End Complete"
        case 51: "LE Monitored Advertisers Report"
        case 52: "LE Frame Space Update Complete"
        default: nil
        }
    }

    /// The LE features by their bit (Vol 6, Part B, 4.6).
    @Sendable public static func leFeatures(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "LE Encryption"
        case 1: "Connection Parameters Request Procedure"
        case 2: "Extended Reject Indication"
        case 3: "Peripheral-initiated Features Exchange"
        case 4: "LE Ping"
        case 5: "LE Data Packet Length Extension"
        case 6: "LL Privacy"
        case 7: "Extended Scanning Filter Policies"
        case 8: "LE 2M PHY"
        case 9: "Stable Modulation Index - Transmitter"
        case 10: "Stable Modulation Index - Receiver"
        case 11: "LE Coded PHY"
        case 12: "LE Extended Advertising"
        case 13: "LE Periodic Advertising"
        case 14: "Channel Selection Algorithm #2"
        case 15: "LE Power Class 1"
        case 16: "Minimum Number of Used Channels Procedure"
        case 17: "Connection CTE Request"
        case 18: "Connection CTE Response"
        case 19: "Connectionless CTE Transmitter"
        case 20: "Connectionless CTE Receiver"
        case 21: "Antenna Switching During CTE Transmission (AoD)"
        case 22: "Antenna Switching During CTE Reception (AoA)"
        case 23: "Receiving Constant Tone Extensions"
        case 24: "Periodic Advertising Sync Transfer - Sender"
        case 25: "Periodic Advertising Sync Transfer - Recipient"
        case 26: "Sleep Clock Accuracy Updates"
        case 27: "Remote Public Key Validation"
        case 28: "Connected Isochronous Stream - Central"
        case 29: "Connected Isochronous Stream - Peripheral"
        case 30: "Isochronous Broadcaster"
        case 31: "Synchronized Receiver"
        case 32: "Connected Isochronous Stream (Host Support)"
        case 33: "LE Power Control Request"
        case 34: "LE Power Change Indication"
        case 35: "LE Path Loss Monitoring"
        case 36: "Periodic Advertising ADI Support"
        case 37: "Connection Subrating"
        case 38: "Connection Subrating (Host Support)"
        case 39: "Channel Classification"
        case 40: "Advertising Coding Selection"
        case 41: "Advertising Coding Selection (Host Support)"
        case 42: "Decision-Based Advertising Filtering"
        case 43: "Periodic Advertising with Responses - Advertiser"
        case 44: "Periodic Advertising with Responses - Scanner"
        case 45: "Unsegmented Framed Mode"
        case 46: "Channel Sounding"
        case 47: "Channel Sounding (Host Support)"
        case 48: "Channel Sounding Tone Quality Indication"
        case 63: "LL Extended Feature Set"
        default: nil
        }
    }

    /// The primary advertising channels (7.8.5).
    @Sendable public static func advertisingChannels(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "37"
        case 1: "38"
        case 2: "39"
        default: nil
        }
    }

    /// PHYs by their bit.
    @Sendable public static func phys(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "LE 1M"
        case 1: "LE 2M"
        case 2: "LE Coded"
        default: nil
        }
    }

    /// Directions without a preference (7.8.48).
    @Sendable public static func allPHYs(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "no TX preference"
        case 1: "no RX preference"
        default: nil
        }
    }

    /// What an advertising set does (7.8.53).
    @Sendable public static func advertisingEventProperties(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "connectable"
        case 1: "scannable"
        case 2: "directed"
        case 3: "high duty cycle directed"
        case 4: "legacy PDUs"
        case 5: "anonymous"
        case 6: "include TX power"
        case 7: "decision PDUs"
        case 8: "AdvA in decision PDUs"
        case 9: "ADI in decision PDUs"
        default: nil
        }
    }

    /// What makes an advertising address change (7.8.122).
    @Sendable public static func addressChangeReasons(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "advertising data changes"
        case 1: "scan response data changes"
        default: nil
        }
    }

    /// What a periodic advertisement includes (7.8.61).
    @Sendable public static func periodicProperties(_ bit: Int) -> StaticString? {
        switch bit {
        case 6: "include TX power"
        default: nil
        }
    }

    /// How periodic advertising is enabled (7.8.63).
    @Sendable public static func periodicEnable(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "enabled"
        case 1: "include ADI"
        default: nil
        }
    }

    /// How periodic reports are enabled (7.8.88).
    @Sendable public static func receiveEnable(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "reporting"
        case 1: "duplicate filtering"
        default: nil
        }
    }

    /// How to synchronize (7.8.67).
    @Sendable public static func createSyncOptions(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "use periodic advertiser list"
        case 1: "reports disabled at first"
        case 2: "duplicate filtering"
        default: nil
        }
    }

    /// Which Constant Tone Extensions not to synchronize with (7.8.67).
    @Sendable public static func syncCTEType(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "not AoA"
        case 1: "not AoD 1 us"
        case 2: "not AoD 2 us"
        case 3: "not type 3"
        case 4: "not without CTE"
        default: nil
        }
    }

    /// Constant Tone Extensions by their bit (7.8.84).
    @Sendable public static func cteTypes(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "AoA"
        case 1: "AoD 1 us slots"
        case 2: "AoD 2 us slots"
        default: nil
        }
    }

    /// What an antenna switch can do (7.8.87).
    @Sendable public static func samplingRates(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "1 us AoD transmit"
        case 1: "1 us AoD receive"
        case 2: "1 us AoA receive"
        default: nil
        }
    }

    /// Which spacings change (7.8.151).
    @Sendable public static func spacingTypes(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "T_IFS_ACL_CP"
        case 1: "T_IFS_ACL_PC"
        case 2: "T_MCES"
        case 3: "T_IFS_CIS"
        case 4: "T_MSS_CIS"
        default: nil
        }
    }

    /// What an extended report tells of the PDU (7.7.65.13); bits 5 and 6 are the data status.
    @Sendable public static func extendedEventType(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "connectable"
        case 1: "scannable"
        case 2: "directed"
        case 3: "scan response"
        case 4: "legacy"
        case 5: "more data to come"
        case 6: "data truncated"
        default: nil
        }
    }

    /// Whether a power level is at its end (7.7.65.33).
    @Sendable public static func powerLevelFlags(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "minimum"
        case 1: "maximum"
        default: nil
        }
    }
}
