public import WireBytes

/// The PDUs of the Security Manager Protocol.
public enum SMPTable {
    /// Rows by code, with the fields after it.
    ///
    /// Source: Core Specification, Vol 3, Part H, 3.5 and 3.6.
    static let pdus = PDUTable(
        trusting: """
            #= SMPCode 1 fields: The code of a Security Manager PDU: its first byte.
            # Source: Core Specification, Vol 3, Part H, 3.3.
            @features "IO Capability":1=smp_io_capability "OOB data flag":1=smp_oob_flag
              AuthReq:1|smp_auth_req "Maximum Encryption Key Size":1
              "Initiator Key Distribution":1|smp_key_distribution
              "Responder Key Distribution":1|smp_key_distribution
            01 3.5.1 Pairing Request
            > @features
            02 3.5.2 Pairing Response
            > @features
            03 3.5.3 Pairing Confirm
            > "Confirm value":16
            04 3.5.4 Pairing Random
            > "Random value":16
            05 3.5.5 Pairing Failed
            > Reason:1=smp_failure_reason
            06 3.6.2 Encryption Information
            > "Long Term Key":16!
            07 3.6.3 Central Identification
            > EDIV:2x Rand:8x
            08 3.6.4 Identity Information
            > "Identity Resolving Key":16!
            09 3.6.5 Identity Address Information
            > AddrType:1=smp_address_type BD_ADDR:addr
            0A 3.6.6 Signing Information
            > "Signature Key":16!
            0B 3.6.7 Security Request
            > AuthReq:1|smp_auth_req
            0C 3.5.6 Pairing Public Key
            > "Public Key X":32 "Public Key Y":32
            0D 3.5.7 Pairing DHKey Check
            > "DHKey Check":16
            0E 3.5.8 Pairing Keypress Notification
            > "Notification Type":1=smp_keypress
            """)

    /// Returns the reason why a PDU, from its code, doesn't fit its definition; nil if it fits or its code is
    /// unassigned.
    ///
    /// Bytes after the last field are not a fault.
    public static func fault(in pdu: RawSpan) -> DecodeError? {
        pdu.octet(at: 0).flatMap { layout(SMPCode(rawValue: $0)) }?.fault(in: pdu, after: 1)
    }
}

// The fields that the analysis reads. Positions are in bytes from the code.
extension SMPTable {
    /// Returns the reason in a Pairing Failed.
    public static func reason(ofFailure pdu: RawSpan) -> UInt8? { pdu.octet(at: 1) }

    /// Range of the key in an Identity Information, least significant byte first.
    public static var identityKey: Range<Int> { 1..<17 }

    /// Returns the address in an Identity Address Information.
    public static func identityAddress(in pdu: RawSpan) -> DeviceAddress? {
        guard let type = pdu.octet(at: 1) else { return nil }
        var reader = ByteReader(pdu, from: 2)
        return try? DeviceAddress(
            decoding: &reader, kind: type == 0 ? .public : type == 1 ? .random : .unknown)
    }
}
