import WireBytes

extension HCICommandTable {
    /// Controller and baseband commands (OGF 3).
    ///
    /// Source: Vol 4, Part E, 7.3.
    static let baseband = PDUTable(
        trusting: """
            0C01 7.3.1 Set Event Mask
            #= HCISetEventMask: Selects the events that the controller sends.
            > event_mask:8|event_mask
            < status
            0C03 7.3.2 Reset
            #= HCIReset: Resets controller and link manager to their initial state, without connections.
            < status
            0C05 7.3.3 Set Event Filter
            > filter_type:1=filter_type ?filter_type=1,2( filter_condition_type:1=filter_condition
              ?filter_condition_type=1( class_of_device:3x class_of_device_mask:3x )
              ?filter_condition_type=2( bd_addr ) ?filter_type=2( auto_accept_flag:1=auto_accept ) )
            < status
            0C08 7.3.4 Flush
            > connection_handle
            < status connection_handle
            0C09 7.3.5 Read PIN Type
            < status pin_type:1=pin_type
            0C0A 7.3.6 Write PIN Type
            > pin_type:1=pin_type
            < status
            0C0B Create New Unit Key
            > ?
            0C0D 7.3.8 Read Stored Link Key
            > bd_addr read_all:1=enable
            < status max_num_keys:2 num_keys_read:2
            0C11 7.3.9 Write Stored Link Key
            > num_keys_to_write:1 keys:[num_keys_to_write](bd_addr link_key:16!)
            < status num_keys_written:1
            0C12 7.3.10 Delete Stored Link Key
            > bd_addr delete_all:1=enable
            < status num_keys_deleted:2
            0C13 7.3.11 Write Local Name
            > local_name:248"
            < status
            0C14 7.3.12 Read Local Name
            < status local_name:248"
            0C15 7.3.13 Read Connection Accept Timeout
            < status connection_accept_timeout:2*625us
            0C16 7.3.14 Write Connection Accept Timeout
            > connection_accept_timeout:2*625us
            < status
            0C17 7.3.15 Read Page Timeout
            < status page_timeout:2*625us
            0C18 7.3.16 Write Page Timeout
            > page_timeout:2*625us
            < status
            0C19 7.3.17 Read Scan Enable
            < status scan_enable:1=scan_enable
            0C1A 7.3.18 Write Scan Enable
            > scan_enable:1=scan_enable
            < status
            0C1B 7.3.19 Read Page Scan Activity
            < status page_scan_interval:2*625us page_scan_window:2*625us
            0C1C 7.3.20 Write Page Scan Activity
            > page_scan_interval:2*625us page_scan_window:2*625us
            < status
            0C1D 7.3.21 Read Inquiry Scan Activity
            < status inquiry_scan_interval:2*625us inquiry_scan_window:2*625us
            0C1E 7.3.22 Write Inquiry Scan Activity
            > inquiry_scan_interval:2*625us inquiry_scan_window:2*625us
            < status
            0C1F 7.3.23 Read Authentication Enable
            < status authentication_enable:1=enable
            0C20 7.3.24 Write Authentication Enable
            > authentication_enable:1=enable
            < status
            0C21 Read Encryption Mode
            > ?
            0C22 Write Encryption Mode
            > ?
            0C23 7.3.25 Read Class Of Device
            < status class_of_device:3x
            0C24 7.3.26 Write Class Of Device
            > class_of_device:3x
            < status
            0C25 7.3.27 Read Voice Setting
            < status voice_setting:2x
            0C26 7.3.28 Write Voice Setting
            > voice_setting:2x
            < status
            0C27 7.3.29 Read Automatic Flush Timeout
            > connection_handle
            < status connection_handle flush_timeout:2*625us
            0C28 7.3.30 Write Automatic Flush Timeout
            > connection_handle flush_timeout:2*625us
            < status connection_handle
            0C29 7.3.31 Read Num Broadcast Retransmissions
            < status num_broadcast_retransmissions:1
            0C2A 7.3.32 Write Num Broadcast Retransmissions
            > num_broadcast_retransmissions:1
            < status
            0C2B 7.3.33 Read Hold Mode Activity
            < status hold_mode_activity:1|hold_mode_activity
            0C2C 7.3.34 Write Hold Mode Activity
            > hold_mode_activity:1|hold_mode_activity
            < status
            0C2D 7.3.35 Read Transmit Power Level
            > connection_handle type:1=power_level_type
            < status connection_handle tx_power_level:dBm
            0C2E 7.3.36 Read Synchronous Flow Control Enable
            < status synchronous_flow_control_enable:1=enable
            0C2F 7.3.37 Write Synchronous Flow Control Enable
            > synchronous_flow_control_enable:1=enable
            < status
            0C31 7.3.38 Set Controller To Host Flow Control
            > flow_control_enable:1|host_flow_control
            < status
            0C33 7.3.39 Host Buffer Size
            > host_acl_data_packet_length:2 host_synchronous_data_packet_length:1
              host_total_num_acl_data_packets:2 host_total_num_synchronous_data_packets:2
            < status
            0C35 7.3.40 Host Number Of Completed Packets
            > num_handles:1 connections:[num_handles](connection_handle:link num_completed_packets:2)
            < status
            0C36 7.3.41 Read Link Supervision Timeout
            > handle:acl
            < status handle:acl link_supervision_timeout:2*625us
            0C37 7.3.42 Write Link Supervision Timeout
            > handle:acl link_supervision_timeout:2*625us
            < status handle:acl
            0C38 7.3.43 Read Number Of Supported IAC
            < status num_supported_iac:1
            0C39 7.3.44 Read Current IAC LAP
            < status num_current_iac:1 codes:[num_current_iac](iac_lap:3x)
            0C3A 7.3.45 Write Current IAC LAP
            > num_current_iac:1 codes:[num_current_iac](iac_lap:3x)
            < status
            0C3B Read Page Scan Period Mode
            > ?
            0C3C Write Page Scan Period Mode
            > ?
            0C3D Read Page Scan Mode
            > ?
            0C3E Write Page Scan Mode
            > ?
            0C3F 7.3.46 Set AFH Host Channel Classification
            > afh_host_channel_classification:10
            < status
            0C42 7.3.47 Read Inquiry Scan Type
            < status scan_type:1=inquiry_scan_type
            0C43 7.3.48 Write Inquiry Scan Type
            > scan_type:1=inquiry_scan_type
            < status
            0C44 7.3.49 Read Inquiry Mode
            < status inquiry_mode:1=inquiry_mode
            0C45 7.3.50 Write Inquiry Mode
            > inquiry_mode:1=inquiry_mode
            < status
            0C46 7.3.51 Read Page Scan Type
            < status page_scan_type:1=inquiry_scan_type
            0C47 7.3.52 Write Page Scan Type
            > page_scan_type:1=inquiry_scan_type
            < status
            0C48 7.3.53 Read AFH Channel Assessment Mode
            < status afh_channel_assessment_mode:1=enable
            0C49 7.3.54 Write AFH Channel Assessment Mode
            > afh_channel_assessment_mode:1=enable
            < status
            0C51 7.3.55 Read Extended Inquiry Response
            < status fec_required:1=enable extended_inquiry_response:240ad
            0C52 7.3.56 Write Extended Inquiry Response
            > fec_required:1=enable extended_inquiry_response:240ad
            < status
            0C53 7.3.57 Refresh Encryption Key
            > connection_handle
            0C55 7.3.58 Read Simple Pairing Mode
            < status simple_pairing_mode:1=enable
            0C56 7.3.59 Write Simple Pairing Mode
            > simple_pairing_mode:1=enable
            < status
            0C57 7.3.60 Read Local OOB Data
            < status c:16! r:16!
            0C58 7.3.61 Read Inquiry Response Transmit Power Level
            < status tx_power:dBm
            0C59 7.3.62 Write Inquiry Transmit Power Level
            > tx_power:dBm
            < status
            0C5A 7.3.64 Read Default Erroneous Data Reporting
            < status erroneous_data_reporting:1=enable
            0C5B 7.3.65 Write Default Erroneous Data Reporting
            > erroneous_data_reporting:1=enable
            < status
            0C5F 7.3.66 Enhanced Flush
            > handle:acl packet_type:1=flush_type
            0C60 7.3.63 Send Keypress Notification
            > bd_addr notification_type:1=keypress
            < status bd_addr
            0C61 Read Logical Link Accept Timeout
            > ?
            0C62 Write Logical Link Accept Timeout
            > ?
            0C63 7.3.69 Set Event Mask Page 2
            #= HCISetEventMaskPage2: Selects the events of page 2 that the controller sends.
            > event_mask_page_2:8|event_mask_page2
            < status
            0C64 Read Location Data
            > ?
            0C65 Write Location Data
            > ?
            0C66 7.3.72 Read Flow Control Mode
            < status flow_control_mode:1=flow_control_mode
            0C67 7.3.73 Write Flow Control Mode
            > flow_control_mode:1=flow_control_mode
            < status
            0C68 7.3.74 Read Enhanced Transmit Power Level
            > connection_handle type:1=power_level_type
            < status connection_handle tx_power_level_gfsk:dBm tx_power_level_dqpsk:dBm
              tx_power_level_8dpsk:dBm
            0C69 Read Best Effort Flush Timeout
            > ?
            0C6A Write Best Effort Flush Timeout
            > ?
            0C6B Short Range Mode
            > ?
            0C6C 7.3.78 Read LE Host Support
            < status le_supported_host:1=enable unused:1x
            0C6D 7.3.79 Write LE Host Support
            #= HCIWriteLEHostSupport: Sets whether the host supports LE.
            > le_supported_host:1=enable unused:1x
            < status
            0C6E 7.3.80 Set MWS Channel Parameters
            > mws_channel_enable:1=enable mws_rx_center_frequency:2 mws_tx_center_frequency:2
              mws_rx_channel_bandwidth:2 mws_tx_channel_bandwidth:2 mws_channel_type:1
            < status
            0C6F 7.3.81 Set External Frame Configuration
            > mws_frame_duration:2*us mws_frame_sync_assert_offset:i2 mws_frame_sync_assert_jitter:2*us
              ext_num_periods:1 periods:[ext_num_periods](ext_period_duration:2*us ext_period_type:1)
            < status
            0C70 Set MWS Signaling
            > ?
            0C71 7.3.83 Set MWS Transport Layer
            > transport_layer:1 to_mws_baud_rate:4 from_mws_baud_rate:4
            < status
            0C72 Set MWS Scan Frequency Table
            > ?
            0C73 Set MWS PATTERN Configuration
            > ?
            0C74 7.3.86 Set Reserved LT_ADDR
            > lt_addr:1
            < status lt_addr:1
            0C75 7.3.87 Delete Reserved LT_ADDR
            > lt_addr:1
            < status lt_addr:1
            0C76 7.3.88 Set Connectionless Peripheral Broadcast Data
            > lt_addr:1 fragment:1=data_operation data_length:1 data:[data_length]
            < status lt_addr:1
            0C77 7.3.89 Read Synchronization Train Parameters
            < status sync_train_interval:2*625us synchronization_train_timeout:4*625us service_data:1x
            0C78 7.3.90 Write Synchronization Train Parameters
            > interval_min:2*625us interval_max:2*625us synchronization_train_timeout:4*625us
              service_data:1x
            < status sync_train_interval:2*625us
            0C79 7.3.91 Read Secure Connections Host Support
            < status secure_connections_host_support:1=enable
            0C7A 7.3.92 Write Secure Connections Host Support
            > secure_connections_host_support:1=enable
            < status
            0C7B 7.3.93 Read Authenticated Payload Timeout
            #= HCIReadAuthenticatedPayloadTimeout: Reads the time that an encrypted connection may go
            # without a packet with a message integrity check.
            > connection_handle
            < status connection_handle authenticated_payload_timeout:2*10ms
            0C7C 7.3.94 Write Authenticated Payload Timeout
            #= HCIWriteAuthenticatedPayloadTimeout: Sets the time that an encrypted connection may go
            # without a packet with a message integrity check.
            > connection_handle authenticated_payload_timeout:2*10ms
            < status connection_handle
            0C7D 7.3.95 Read Local OOB Extended Data
            < status c_192:16! r_192:16! c_256:16! r_256:16!
            0C7E 7.3.96 Read Extended Page Timeout
            < status extended_page_timeout:2*625us
            0C7F 7.3.97 Write Extended Page Timeout
            > extended_page_timeout:2*625us
            < status
            0C80 7.3.98 Read Extended Inquiry Length
            < status extended_inquiry_length:2*625us
            0C81 7.3.99 Write Extended Inquiry Length
            > extended_inquiry_length:2*625us
            < status
            0C82 7.3.100 Set Ecosystem Base Interval
            > interval:2*1.25ms
            < status
            0C83 7.3.101 Configure Data Path
            > data_path_direction:1=data_path_direction data_path_id:1=data_path_id
              vendor_specific_config_length:1 vendor_specific_config:[vendor_specific_config_length]
            < status
            0C84 7.3.102 Set Min Encryption Key Size
            > min_encryption_key_size:1
            < status
            """)
}
