import WireBytes

// The sets that code uses by name.

extension ValueSet {
    @usableFromInline static let attError: ValueSet = "att_error"
    @usableFromInline static let attExecuteWriteFlags: ValueSet = "att_execute_write_flags"
    @usableFromInline static let attInformationFormat: ValueSet = "att_information_format"
    @usableFromInline static let gattClientConfiguration: ValueSet = "gatt_client_configuration"
    @usableFromInline static let gattProperties: ValueSet = "gatt_properties"
    @usableFromInline static let l2capChannel: ValueSet = "l2cap_channel"
    /// The results of a Connection Response on BR/EDR (Vol 3, Part A, 4.3).
    public static let l2capConnectionResult: ValueSet = "l2cap_connection_result"
    /// The results of a Credit Based Connection Response (Vol 3, Part A, 4.26).
    public static let l2capCreditBasedResult: ValueSet = "l2cap_credit_based_result"
    /// The services that channels are opened to, by their fixed PSM or SPSM (Assigned Numbers, 2.5).
    public static let l2capPSM: ValueSet = "l2cap_psm"
    @usableFromInline static let managementStatus: ValueSet = "mgmt_status"
    /// Reasons why pairing failed (Vol 3, Part H, 3.5.5).
    public static let smpFailureReason: ValueSet = "smp_failure_reason"
}
