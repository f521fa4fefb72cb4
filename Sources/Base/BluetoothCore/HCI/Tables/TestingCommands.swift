import WireBytes

extension HCICommandTable {
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
