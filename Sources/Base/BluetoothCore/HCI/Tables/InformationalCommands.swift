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
}
