import WireBytes

extension HCICommandTable {
    /// Status parameters (OGF 5).
    ///
    /// Source: Vol 4, Part E, 7.5.
    static let status = PDUTable(
        trusting: """
            1401 7.5.1 Read Failed Contact Counter
            > handle:acl
            < status handle:acl failed_contact_counter:2
            1402 7.5.2 Reset Failed Contact Counter
            > handle:acl
            < status handle:acl
            1403 7.5.3 Read Link Quality
            > handle:acl
            < status handle:acl link_quality:1
            1405 7.5.4 Read RSSI
            #= HCIReadRSSI: Reads the signal strength of a connection.
            > handle:acl
            < status handle:acl rssi:dBm
            1406 7.5.5 Read AFH Channel Map
            > connection_handle
            < status connection_handle afh_mode:1=enable afh_channel_map:10
            1407 7.5.6 Read Clock
            > connection_handle which_clock:1=which_clock
            < status connection_handle clock:4 accuracy:2
            1408 7.5.7 Read Encryption Key Size
            > connection_handle
            < status connection_handle key_size:1
            1409 Read Local AMP Info
            > ?
            140A Read Local AMP ASSOC
            > ?
            140B Write Remote AMP ASSOC
            > ?
            140C Get MWS Transport Layer Configuration
            > ?
            140D 7.5.12 Set Triggered Clock Capture
            > connection_handle enable:1=enable which_clock:1=which_clock lpo_allowed:1
              num_clock_captures_to_filter:1
            < status
            """)

    /// Testing commands (OGF 6).
    ///
    /// Source: Vol 4, Part E, 7.6.
    static let testing = PDUTable(
        trusting: """
            1801 7.6.1 Read Loopback Mode
            < status loopback_mode:1=loopback
            1802 7.6.2 Write Loopback Mode
            > loopback_mode:1=loopback
            < status
            1803 7.6.3 Enable Device Under Test Mode
            < status
            1804 7.6.4 Write Simple Pairing Debug Mode
            > simple_pairing_debug_mode:1=enable
            < status
            1807 Enable AMP Receiver Reports
            > ?
            1808 AMP Test End
            > ?
            1809 AMP Test
            > ?
            180A 7.6.8 Write Secure Connections Test Mode
            > connection_handle dm1_acl_u_mode:1=enable esco_loopback_mode:1=enable
            < status connection_handle
            """)
}
