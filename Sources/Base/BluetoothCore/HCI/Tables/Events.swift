import WireBytes

extension HCIEventTable {
    /// Events; those in LE Meta have a table of their own.
    ///
    /// Source: Vol 4, Part E, 7.7.
    static let events = PDUTable(
        trusting: """
            #= HCIEventCode: The code of an HCI event.
            # Source: Vol 4, Part E, 5.4.4 and 7.7.
            01 7.7.1 Inquiry Complete
            > status
            02 7.7.2 Inquiry Result
            > num_responses:1 responses:[num_responses](bd_addr
              page_scan_repetition_mode:1=page_scan_repetition reserved:2x class_of_device:3x
              clock_offset:2x)
            03 7.7.3 Connection Complete
            #= HCIConnectionComplete: Reports that a BR/EDR connection was established or failed.
            > status connection_handle bd_addr link_type:1=link_type encryption_enabled:1=enable
            04 7.7.4 Connection Request
            > bd_addr class_of_device:3x link_type:1=link_type
            05 7.7.5 Disconnection Complete
            #= HCIDisconnectionComplete: Reports that a connection ended, or could not be ended.
            > status connection_handle:link reason:status
            06 7.7.6 Authentication Complete
            > status connection_handle
            07 7.7.7 Remote Name Request Complete
            > status bd_addr remote_name:248"
            08 7.7.8 Encryption Change [v1]
            #= HCIEncryptionChange: Reports that encryption was turned on or off, or could not be.
            > status connection_handle encryption_enabled:1=encryption
            09 7.7.9 Change Connection Link Key Complete
            > status connection_handle
            0A 7.7.10 Link Key Type Changed
            > status connection_handle key_flag:1=key_flag
            0B 7.7.11 Read Remote Supported Features Complete
            > status connection_handle lmp_features:8|lmp_features
            0C 7.7.12 Read Remote Version Information Complete
            #= HCIReadRemoteVersionInformationComplete: Reports the version and the manufacturer of the
            # peer's controller, or that they could not be read.
            > status connection_handle version:1=version company_identifier:company subversion:2x
            0D 7.7.13 QoS Setup Complete
            > status connection_handle unused:1 service_type:1=service_type token_rate:4 peak_bandwidth:4
              latency:4*us delay_variation:4*us
            0E 7.7.14 Command Complete
            #= HCICommandComplete: Reports that a command is done; its return parameters follow these
            # fields.
            > num_hci_command_packets:1 command_opcode:opcode
            0F 7.7.15 Command Status
            #= HCICommandStatus: Reports that a command was started or refused.
            > status num_hci_command_packets:1 command_opcode:opcode
            10 7.7.16 Hardware Error
            #= HCIHardwareError: Reports a hardware failure of the controller, with the vendor's code.
            > hardware_code:1x
            11 7.7.17 Flush Occurred
            > handle:acl
            12 7.7.18 Role Change
            > status bd_addr new_role:1=role
            13 7.7.19 Number Of Completed Packets
            #= HCINumberOfCompletedPackets connections=HCICompletedPackets: Reports packets that left
            # the controller's buffers, so that the host may send as many more.
            > num_handles:1 connections:[num_handles](connection_handle:link num_completed_packets:2)
            14 7.7.20 Mode Change
            > status connection_handle current_mode:1=mode interval:2*625us
            15 7.7.21 Return Link Keys
            > num_keys:1 keys:[num_keys](bd_addr link_key:16!)
            16 7.7.22 PIN Code Request
            > bd_addr
            17 7.7.23 Link Key Request
            > bd_addr
            18 7.7.24 Link Key Notification
            > bd_addr link_key:16! key_type:1=key_type
            19 7.7.25 Loopback Command
            > hci_command_packet:*
            1A 7.7.26 Data Buffer Overflow
            #= HCIDataBufferOverflow: Reports that the host sent more than the controller can hold.
            > link_type:1=link_type
            1B 7.7.27 Max Slots Change
            > connection_handle lmp_max_slots:1
            1C 7.7.28 Read Clock Offset Complete
            > status connection_handle clock_offset:2x
            1D 7.7.29 Connection Packet Type Changed
            > status connection_handle packet_type:2x
            1E 7.7.30 QoS Violation
            > handle:acl
            1F Page Scan Mode Change
            > ?
            20 7.7.31 Page Scan Repetition Mode Change
            > bd_addr page_scan_repetition_mode:1=page_scan_repetition
            21 7.7.32 Flow Specification Complete
            > status connection_handle unused:1 flow_direction:1=flow_direction service_type:1=service_type
              token_rate:4 token_bucket_size:4 peak_bandwidth:4 access_latency:4*us
            22 7.7.33 Inquiry Result with RSSI
            > num_responses:1 responses:[num_responses](bd_addr
              page_scan_repetition_mode:1=page_scan_repetition reserved:1x class_of_device:3x
              clock_offset:2x rssi:dBm)
            23 7.7.34 Read Remote Extended Features Complete
            > status connection_handle page_number:1 maximum_page_number:1 extended_lmp_features:8x
            2C 7.7.35 Synchronous Connection Complete
            > status connection_handle:sco bd_addr link_type:1=link_type transmission_interval:1*625us
              retransmission_window:1*625us rx_packet_length:2 tx_packet_length:2 air_mode:1=air_mode
            2D 7.7.36 Synchronous Connection Changed
            > status connection_handle:sco transmission_interval:1*625us retransmission_window:1*625us
              rx_packet_length:2 tx_packet_length:2
            2E 7.7.37 Sniff Subrating
            > status connection_handle max_tx_latency:2*625us max_rx_latency:2*625us
              min_remote_timeout:2*625us min_local_timeout:2*625us
            2F 7.7.38 Extended Inquiry Result
            > num_responses:1 bd_addr page_scan_repetition_mode:1=page_scan_repetition reserved:1x
              class_of_device:3x clock_offset:2x rssi:dBm extended_inquiry_response:240ad
            30 7.7.39 Encryption Key Refresh Complete
            #= HCIEncryptionKeyRefreshComplete: Reports that encryption continues with another key.
            > status connection_handle
            31 7.7.40 IO Capability Request
            > bd_addr
            32 7.7.41 IO Capability Response
            > bd_addr io_capability:1=io_capability oob_data_present:1=oob_data
              authentication_requirements:1=authentication_requirements
            33 7.7.42 User Confirmation Request
            > bd_addr numeric_value:4
            34 7.7.43 User Passkey Request
            > bd_addr
            35 7.7.44 Remote OOB Data Request
            > bd_addr
            36 7.7.45 Simple Pairing Complete
            > status bd_addr
            38 7.7.46 Link Supervision Timeout Changed
            > connection_handle link_supervision_timeout:2*625us
            39 7.7.47 Enhanced Flush Complete
            > handle:acl
            3B 7.7.48 User Passkey Notification
            > bd_addr passkey:4!
            3C 7.7.49 Keypress Notification
            > bd_addr notification_type:1=keypress
            3D 7.7.50 Remote Host Supported Features Notification
            > bd_addr host_supported_features:8x
            3E LE Meta
            > ?
            40 Physical Link Complete
            > ?
            41 Channel Selected
            > ?
            42 Disconnection Physical Link Complete
            > ?
            43 Physical Link Loss Early Warning
            > ?
            44 Physical Link Recovery
            > ?
            45 Logical Link Complete
            > ?
            46 Disconnection Logical Link Complete
            > ?
            47 Flow Spec Modify Complete
            > ?
            48 7.7.60 Number Of Completed Data Blocks
            > total_num_data_blocks:2 num_handles:1 connections:[num_handles](connection_handle:link
              num_completed_packets:2 num_completed_blocks:2)
            49 AMP Start Test
            > ?
            4A AMP Test End
            > ?
            4B AMP Receiver Report
            > ?
            4C Short Range Mode Change Complete
            > ?
            4D AMP Status Change
            > ?
            4E 7.7.66 Triggered Clock Capture
            > connection_handle which_clock:1=which_clock clock:4 slot_offset:2*us
            4F 7.7.67 Synchronization Train Complete
            > status
            50 7.7.68 Synchronization Train Received
            > status bd_addr clock_offset:4 afh_channel_map:10 lt_addr:1 next_broadcast_instant:4
              connectionless_peripheral_broadcast_interval:2*625us service_data:1x
            51 7.7.69 Connectionless Peripheral Broadcast Receive
            > bd_addr lt_addr:1 clock:4 offset:4 rx_status:1 fragment:1=data_operation data_length:1
              data:[data_length]
            52 7.7.70 Connectionless Peripheral Broadcast Timeout
            > bd_addr lt_addr:1
            53 7.7.71 Truncated Page Complete
            > status bd_addr
            54 7.7.72 Peripheral Page Response Timeout
            55 7.7.73 Connectionless Peripheral Broadcast Channel Map Change
            > channel_map:10
            56 7.7.74 Inquiry Response Notification
            > lap:3x rssi:dBm
            57 7.7.75 Authenticated Payload Timeout Expired
            #= HCIAuthenticatedPayloadTimeoutExpired: Reports that an encrypted connection received no
            # authenticated packet within its timeout.
            > connection_handle
            58 7.7.76 SAM Status Change
            > connection_handle local_sam_index:1 local_sam_tx_availability:1 local_sam_rx_availability:1
              remote_sam_index:1 remote_sam_tx_availability:1 remote_sam_rx_availability:1
            59 7.7.8 Encryption Change [v2]
            > status connection_handle encryption_enabled:1=encryption encryption_key_size:1
            FF Vendor
            > ?
            """)
}
