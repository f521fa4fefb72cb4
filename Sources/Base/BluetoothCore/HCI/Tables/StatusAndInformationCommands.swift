import WireBytes

extension HCICommandTable {
    /// Informational parameters (OGF 4).
    ///
    /// Source: Vol 4, Part E, 7.4.
    static let informational = PDUTable(
        trusting: """
            1001 7.4.1 Read Local Version Information
            #= HCIReadLocalVersionInformation: Reads the version and the manufacturer of the controller.
            < status hci_version:1=version hci_subversion:2x lmp_version:1=version
              company_identifier:company lmp_subversion:2x
            1002 7.4.2 Read Local Supported Commands
            #= HCIReadLocalSupportedCommands: Reads the commands that the controller supports, one bit
            # each.
            < status supported_commands:64
            1003 7.4.3 Read Local Supported Features
            #= HCIReadLocalSupportedFeatures: Reads the LMP features of the controller.
            < status lmp_features:8|lmp_features
            1004 7.4.4 Read Local Extended Features
            > page_number:1
            < status page_number:1 maximum_page_number:1 extended_lmp_features:8x
            1005 7.4.5 Read Buffer Size
            #= HCIReadBufferSize: Reads the number and the size of the controller's BR/EDR packet
            # buffers.
            < status acl_data_packet_length:2 synchronous_data_packet_length:1 total_num_acl_data_packets:2
              total_num_synchronous_data_packets:2
            1007 Read Country Code
            > ?
            1009 7.4.6 Read BD_ADDR
            #= HCIReadBDADDR: Reads the controller's public device address.
            < status bd_addr
            100A 7.4.7 Read Data Block Size
            < status max_acl_data_packet_length:2 data_block_length:2 total_num_data_blocks:2
            100B 7.4.8 Read Local Supported Codecs [v1]
            < status num_supported_standard_codecs:1
              standard_codecs:[num_supported_standard_codecs](codec_id:1=coding_format)
              num_supported_vendor_specific_codecs:1
              vendor_codecs:[num_supported_vendor_specific_codecs](company_identifier:company
              vendor_codec_id:2x)
            100C 7.4.9 Read Local Simple Pairing Options
            < status simple_pairing_options:1|pairing_options max_encryption_key_size:1
            100D 7.4.8 Read Local Supported Codecs [v2]
            < status num_supported_standard_codecs:1
              standard_codecs:[num_supported_standard_codecs](codec_id:1=coding_format
              codec_transport:1|codec_transports) num_supported_vendor_specific_codecs:1
              vendor_codecs:[num_supported_vendor_specific_codecs](company_identifier:company
              vendor_codec_id:2x codec_transport:1|codec_transports)
            100E 7.4.10 Read Local Supported Codec Capabilities
            > coding_format:1=coding_format company_identifier:company vendor_codec_id:2x
              logical_transport_type:1=logical_transport direction:1=data_path_direction
            < status num_codec_capabilities:1
              capabilities:[num_codec_capabilities](codec_capability_length:1
              codec_capability:[codec_capability_length])
            100F 7.4.11 Read Local Supported Controller Delay
            > coding_format:1=coding_format company_identifier:company vendor_codec_id:2x
              logical_transport_type:1=logical_transport direction:1=data_path_direction
              codec_configuration_length:1 codec_configuration:[codec_configuration_length]
            < status min_controller_delay:3*us max_controller_delay:3*us
            """)

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
