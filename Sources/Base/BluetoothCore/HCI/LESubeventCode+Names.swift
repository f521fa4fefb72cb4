extension LESubeventCode {
    /// The name of the subevent, as the specification has it; nil where none is assigned.
    public var name: StaticString? {
        switch rawValue {
        case 0x01: "LE Connection Complete"
        case 0x02: "LE Advertising Report"
        case 0x03: "LE Connection Update Complete"
        case 0x04: "LE Read Remote Features Page 0 Complete"
        case 0x05: "LE Long Term Key Request"
        case 0x06: "LE Remote Connection Parameter Request"
        case 0x07: "LE Data Length Change"
        case 0x08: "LE Read Local P-256 Public Key Complete"
        case 0x09: "LE Generate DH Key Complete"
        case 0x0A: "LE Enhanced Connection Complete [v1]"
        case 0x0B: "LE Directed Advertising Report"
        case 0x0C: "LEPHY Update Complete"
        case 0x0D: "LE Extended Advertising Report"
        case 0x0E: "LE Periodic Advertising Sync Established [v1]"
        case 0x0F: "LE Periodic Advertising Report [v1]"
        case 0x10: "LE Periodic Advertising Sync Lost"
        case 0x11: "LE Scan Timeout"
        case 0x12: "LE Advertising Set Terminated"
        case 0x13: "LE Scan Request Received"
        case 0x14: "LE Channel Selection Algorithm"
        case 0x18: "LE Periodic Advertising Sync Transfer Received [v1]"
        case 0x1F: "LE Request Peer SCA Complete"
        case 0x20: "LE Path Loss Threshold"
        case 0x21: "LE Transmit Power Reporting"
        case 0x23: "LE Subrate Change"
        case 0x24: "LE Periodic Advertising Sync Established [v2]"
        case 0x25: "LE Periodic Advertising Report [v2]"
        case 0x26: "LE Periodic Advertising Sync Transfer Received [v2]"
        case 0x27: "LE Periodic Advertising Subevent Data Request"
        case 0x28: "LE Periodic Advertising Response Report"
        case 0x29: "LE Enhanced Connection Complete [v2]"
        case 0x2B: "LE Read All Remote Features Complete"
        case 0x34: "LE Monitored Advertisers Report"
        case 0x35: "LE Frame Space Update Complete"
        case 0x37: "LE Connection Rate Change"
        default: nil
        }
    }
}
