import WireBytes

extension HCICommandTable {
    /// Link control commands (OGF 1).
    ///
    /// Source: Vol 4, Part E, 7.1.
    static let linkControl = PDUTable(
        trusting: """
            @synchronous_parameters transmit_bandwidth:4 receive_bandwidth:4
              transmit_coding_format:1=coding_format transmit_company_identifier:company
              transmit_vendor_codec_id:2x receive_coding_format:1=coding_format
              receive_company_identifier:company receive_vendor_codec_id:2x transmit_codec_frame_size:2
              receive_codec_frame_size:2 input_bandwidth:4 output_bandwidth:4
              input_coding_format:1=coding_format input_company_identifier:company input_vendor_codec_id:2x
              output_coding_format:1=coding_format output_company_identifier:company
              output_vendor_codec_id:2x input_coded_data_size:2 output_coded_data_size:2
              input_pcm_data_format:1=pcm_format output_pcm_data_format:1=pcm_format
              input_pcm_sample_payload_msb_position:1 output_pcm_sample_payload_msb_position:1
              input_data_path:1=data_path_id output_data_path:1=data_path_id input_transport_unit_size:1
              output_transport_unit_size:1 max_latency:2*ms packet_type:2|synchronous_packet_types
              retransmission_effort:1=retransmission_effort
            0000 No Operation
            > ?
            0401 7.1.1 Inquiry
            > lap:3x inquiry_length:1*1.28s num_responses:1
            0402 7.1.2 Inquiry Cancel
            < status
            0403 7.1.3 Periodic Inquiry Mode
            > max_period_length:2*1.28s min_period_length:2*1.28s lap:3x inquiry_length:1*1.28s
              num_responses:1
            < status
            0404 7.1.4 Exit Periodic Inquiry Mode
            < status
            0405 7.1.5 Create Connection
            #= HCICreateConnection: Starts establishing a BR/EDR connection.
            > bd_addr packet_type:2|acl_packet_types page_scan_repetition_mode:1=page_scan_repetition
              reserved:1x clock_offset:2x allow_role_switch:1=enable
            0406 7.1.6 Disconnect
            #= HCIDisconnect: Ends a connection, BR/EDR or LE.
            > connection_handle:link reason:status
            0407 Add SCO Connection
            > ?
            0408 7.1.7 Create Connection Cancel
            > bd_addr
            < status bd_addr
            0409 7.1.8 Accept Connection Request
            > bd_addr role:1=role
            040A 7.1.9 Reject Connection Request
            > bd_addr reason:status
            040B 7.1.10 Link Key Request Reply
            > bd_addr link_key:16!
            < status bd_addr
            040C 7.1.11 Link Key Request Negative Reply
            > bd_addr
            < status bd_addr
            040D 7.1.12 PIN Code Request Reply
            > bd_addr pin_code_length:1 pin_code:16!
            < status bd_addr
            040E 7.1.13 PIN Code Request Negative Reply
            > bd_addr
            < status bd_addr
            040F 7.1.14 Change Connection Packet Type
            > connection_handle packet_type:2|acl_packet_types
            0411 7.1.15 Authentication Requested
            > connection_handle
            0413 7.1.16 Set Connection Encryption
            > connection_handle encryption_enable:1=enable
            0415 7.1.17 Change Connection Link Key
            > connection_handle
            0417 7.1.18 Link Key Selection
            > key_flag:1=key_flag
            0419 7.1.19 Remote Name Request
            > bd_addr page_scan_repetition_mode:1=page_scan_repetition reserved:1x clock_offset:2x
            041A 7.1.20 Remote Name Request Cancel
            > bd_addr
            < status bd_addr
            041B 7.1.21 Read Remote Supported Features
            > connection_handle
            041C 7.1.22 Read Remote Extended Features
            > connection_handle page_number:1
            041D 7.1.23 Read Remote Version Information
            #= HCIReadRemoteVersionInformation: Asks for the version and the manufacturer of the peer's
            # controller.
            > connection_handle
            041F 7.1.24 Read Clock Offset
            > connection_handle
            0420 7.1.25 Read LMP Handle
            > connection_handle
            < status connection_handle lmp_handle:1h reserved:4x
            0428 7.1.26 Setup Synchronous Connection
            > connection_handle transmit_bandwidth:4 receive_bandwidth:4 max_latency:2*ms voice_setting:2x
              retransmission_effort:1=retransmission_effort packet_type:2|synchronous_packet_types
            0429 7.1.27 Accept Synchronous Connection Request
            > bd_addr transmit_bandwidth:4 receive_bandwidth:4 max_latency:2*ms voice_setting:2x
              retransmission_effort:1=retransmission_effort packet_type:2|synchronous_packet_types
            042A 7.1.28 Reject Synchronous Connection Request
            > bd_addr reason:status
            042B 7.1.29 IO Capability Request Reply
            > bd_addr io_capability:1=io_capability oob_data_present:1=oob_data
              authentication_requirements:1=authentication_requirements
            < status bd_addr
            042C 7.1.30 User Confirmation Request Reply
            > bd_addr
            < status bd_addr
            042D 7.1.31 User Confirmation Request Negative Reply
            > bd_addr
            < status bd_addr
            042E 7.1.32 User Passkey Request Reply
            > bd_addr numeric_value:4!
            < status bd_addr
            042F 7.1.33 User Passkey Request Negative Reply
            > bd_addr
            < status bd_addr
            0430 7.1.34 Remote OOB Data Request Reply
            > bd_addr c:16! r:16!
            < status bd_addr
            0433 7.1.35 Remote OOB Data Request Negative Reply
            > bd_addr
            < status bd_addr
            0434 7.1.36 IO Capability Request Negative Reply
            > bd_addr reason:status
            < status bd_addr
            0435 Create Physical Link
            > ?
            0436 Accept Physical Link
            > ?
            0437 Disconnect Physical Link
            > ?
            0438 Create Logical Link
            > ?
            0439 Accept Logical Link
            > ?
            043A Disconnect Logical Link
            > ?
            043B Logical Link Cancel
            > ?
            043C Flow Spec Modify
            > ?
            043D 7.1.45 Enhanced Setup Synchronous Connection
            > connection_handle @synchronous_parameters
            043E 7.1.46 Enhanced Accept Synchronous Connection Request
            > bd_addr @synchronous_parameters
            043F 7.1.47 Truncated Page
            > bd_addr page_scan_repetition_mode:1=page_scan_repetition clock_offset:2x
            0440 7.1.48 Truncated Page Cancel
            > bd_addr
            < status bd_addr
            0441 7.1.49 Set Connectionless Peripheral Broadcast
            > enable:1=enable lt_addr:1 lpo_allowed:1 packet_type:2x interval_min:2*625us
              interval_max:2*625us supervision_timeout:2*625us
            < status lt_addr:1 interval:2*625us
            0442 7.1.50 Set Connectionless Peripheral Broadcast Receive
            > enable:1=enable bd_addr lt_addr:1 interval:2*625us clock_offset:4
              next_connectionless_peripheral_broadcast_clock:4 supervision_timeout:2*625us
              remote_timing_accuracy:1 skip:1 packet_type:2x afh_channel_map:10
            < status bd_addr lt_addr:1
            0443 7.1.51 Start Synchronization Train
            0444 7.1.52 Receive Synchronization Train
            > bd_addr sync_scan_timeout:2*625us sync_scan_window:2*625us sync_scan_interval:2*625us
            0445 7.1.53 Remote OOB Extended Data Request Reply
            > bd_addr c_192:16! r_192:16! c_256:16! r_256:16!
            < status bd_addr
            """)

    /// Link policy commands (OGF 2).
    ///
    /// Source: Vol 4, Part E, 7.2.
    static let linkPolicy = PDUTable(
        trusting: """
            0801 7.2.1 Hold Mode
            > connection_handle hold_mode_max_interval:2*625us hold_mode_min_interval:2*625us
            0803 7.2.2 Sniff Mode
            > connection_handle sniff_max_interval:2*625us sniff_min_interval:2*625us sniff_attempt:2
              sniff_timeout:2
            0804 7.2.3 Exit Sniff Mode
            > connection_handle
            0805 Park State
            > ?
            0806 Exit Park State
            > ?
            0807 7.2.6 QoS Setup
            > connection_handle unused:1x service_type:1=service_type token_rate:4 peak_bandwidth:4
              latency:4*us delay_variation:4*us
            0809 7.2.7 Role Discovery
            > connection_handle
            < status connection_handle current_role:1=role
            080B 7.2.8 Switch Role
            > bd_addr role:1=role
            080C 7.2.9 Read Link Policy Settings
            > connection_handle
            < status connection_handle link_policy_settings:2|link_policy
            080D 7.2.10 Write Link Policy Settings
            > connection_handle link_policy_settings:2|link_policy
            < status connection_handle
            080E 7.2.11 Read Default Link Policy Settings
            < status default_link_policy_settings:2|link_policy
            080F 7.2.12 Write Default Link Policy Settings
            > default_link_policy_settings:2|link_policy
            < status
            0810 7.2.13 Flow Specification
            > connection_handle unused:1x flow_direction:1=flow_direction service_type:1=service_type
              token_rate:4 token_bucket_size:4 peak_bandwidth:4 access_latency:4*us
            0811 7.2.14 Sniff Subrating
            > connection_handle max_latency:2*625us min_remote_timeout:2*625us min_local_timeout:2*625us
            < status connection_handle
            """)
}
