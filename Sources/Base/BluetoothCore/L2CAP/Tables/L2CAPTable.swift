public import WireBytes

/// The commands of L2CAP signalling.
public enum L2CAPTable {
    /// Rows by code, with the fields after the command's header.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.
    static let commands = PDUTable(
        trusting: """
            #= L2CAPSignallingCode 1 fields: The code of a signalling command: its first byte.
            # Source: Core Specification, Vol 3, Part A, 4.
            @channels "Destination CID":2=l2cap_channel "Source CID":2=l2cap_channel
            @options "Configuration Options":[](Type:1=l2cap_option Length:1 Value:[Length])
            @limits MTU:2 MPS:2 "Initial Credits":2
            01 4.1 Command Reject
            > Reason:2=l2cap_reject_reason "Reason Data":*
            02 4.2 Connection Request
            > PSM:2x "Source CID":2=l2cap_channel
            03 4.3 Connection Response
            > @channels Result:2=l2cap_connection_result Status:2=l2cap_connection_status
            04 4.4 Configuration Request
            > "Destination CID":2=l2cap_channel Flags:2|l2cap_configuration_flags @options
            05 4.5 Configuration Response
            > "Source CID":2=l2cap_channel Flags:2|l2cap_configuration_flags
              Result:2=l2cap_configuration_result @options
            06 4.6 Disconnection Request
            > @channels
            07 4.7 Disconnection Response
            > @channels
            08 4.8 Echo Request
            > "Echo Data":*
            09 4.9 Echo Response
            > "Echo Data":*
            0A 4.10 Information Request
            > InfoType:2=l2cap_information_type
            0B 4.11 Information Response
            > InfoType:2=l2cap_information_type Result:2=l2cap_information_result Data:*
            # Those of alternate controllers, which the specification no longer has.
            0C Create Channel Request
            > ?
            0D Create Channel Response
            > ?
            0E Move Channel Request
            > ?
            0F Move Channel Response
            > ?
            10 Move Channel Confirmation Request
            > ?
            11 Move Channel Confirmation Response
            > ?
            12 4.20 Connection Parameter Update Request
            > "Interval Min":2*1.25ms "Interval Max":2*1.25ms Latency:2 Timeout:2*10ms
            13 4.21 Connection Parameter Update Response
            > Result:2=l2cap_parameter_update_result
            14 4.22 LE Credit Based Connection Request
            > SPSM:2x "Source CID":2=l2cap_channel @limits
            15 4.23 LE Credit Based Connection Response
            > "Destination CID":2=l2cap_channel @limits Result:2=l2cap_credit_based_result_of_one
            16 4.24 Flow Control Credit
            > CID:2=l2cap_channel Credits:2
            17 4.25 Credit Based Connection Request
            > SPSM:2x @limits "Source CIDs":[/2](CID:2=l2cap_channel)
            18 4.26 Credit Based Connection Response
            > @limits Result:2=l2cap_credit_based_result "Destination CIDs":[/2](CID:2=l2cap_channel)
            19 4.27 Credit Based Reconfigure Request
            > MTU:2 MPS:2 "Destination CIDs":[/2](CID:2=l2cap_channel)
            1A 4.28 Credit Based Reconfigure Response
            > Result:2=l2cap_reconfigure_result
            """)

    /// Length of a command's header in bytes: code, identifier and length.
    static let headerSize = 4

    /// Returns the reason why a command, from its header, doesn't fill `command` or fit its definition; nil
    /// if it does both.
    ///
    /// Bytes after the last field but within the command's length are not a fault.
    public static func fault(in command: RawSpan) -> DecodeError? {
        guard let code = command.octet(at: 0), let length = command.u16le(at: 2).map(Int.init) else {
            return DecodeError(.truncated(need: headerSize, have: command.byteCount), at: 0)
        }
        let have = command.byteCount &- headerSize
        guard have >= length else {
            return DecodeError(.truncated(need: length, have: have), at: headerSize)
        }
        let parameters = command.clamped(0..<headerSize &+ length)
        if let fault = layout(L2CAPSignallingCode(rawValue: code))?.fault(in: parameters, after: headerSize) {
            return fault
        }
        return have > length
            ? DecodeError(.trailingOctets(have &- length), at: headerSize &+ length) : nil
    }
}
