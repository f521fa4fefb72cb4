extension MonitorOpcode {
    /// The packet type of a record that is an HCI packet; nil for the channel's own records.
    @inlinable public var packetType: HCIPacketType? {
        switch rawValue {
        case 2: .command
        case 3: .event
        case 4, 5: .acl
        case 6, 7: .synchronous
        case 18, 19: .iso
        default: nil
        }
    }
}
