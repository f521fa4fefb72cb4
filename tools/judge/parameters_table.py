"""Which field of tshark holds which parameter of an HCI command or event.

A line is the name of a command or event, a bar, and its parameters as `blecap annotate --format ndjson` names
them, each with the field of tshark that has the same value; `*` stands for every command or event that says
nothing else about that parameter. Fields without a dot are in `bthci_cmd` (commands) or `bthci_evt`.

`ours=theirs`     the same number, address, name or bytes
`ours`            the same, and tshark has the same name for it
`ours=theirs~N`   tshark also gives the value N, where the specification says "no value"
`ours=<theirs`    tshark gives the bytes as they came, least significant first, for our number
`ours=a@0+b@1:3`  tshark gives single bits: the field `a` is bit 0, `b` the three bits from bit 1
`ours=-`          tshark has no field with the value (it shows what is in it, or nothing)
`ours=name_*`     tshark gives single bits, in fields that end in the number of the byte and of the bit
"""

# The features of LMP in tshark's order, page by page; a number after the name is its bits, where not one.
# tshark shows whether any of the four bits of `-` is set.
LMP_FEATURES = (
    """
    3slot_packets 5slot_packets encryption slot_offset timing_accuracy role_switch hold_mode sniff_mode
    park_state power_control_requests channel_quality_driven_data_rate sco_link hv2_packets hv3_packets
    u_law_log_synchronous_data a_law_log_synchronous_data
    cvsd_synchronous_data paging_parameter_negotiation power_control transparent_synchronous_data
    flow_control_lag:3 broadcast_encryption
    reserved.24 edr_acl_2mbps_mode edr_acl_3mbps_mode enhanced_inquiry_scan interlaced_inquiry_scan
    interlaced_page_scan rssi_with_inquiry_results ev3_packets
    ev4_packets ev5_packets reserved.34 afh_capable_slave afh_classification_slave br_edr_not_supported
    le_supported_controller 3slot_edr_acl_packets
    5slot_edr_acl_packets sniff_subrating pause_encryption afh_capable_master afh_classification_master
    edr_esco_2mbps_mode edr_esco_3mbps_mode 3slot_edr_esco_packets
    extended_inquiry_response simultaneous_le_and_br_edr.controller reserved.50 secure_simple_pairing
    encapsulated_pdu erroneous_data_reporting non_flushable_packet_boundary_flag reserved.55
    supervision_timeout_changed_event inquiry_tx_power_level enhanced_power_control -:4
    extended_features
    """,
    """
    secure_simple_pairing_host le_supported.host simultaneous_le_and_br_edr.host secure_connections_host
    reserved.68_71:4
    """,
    """
    csb_master_operation csb_slave_operation synchronization_train synchronization_scan
    inquiry_response_notification_event generalized_interlaced_scan coarse_clock_adjustment reserved_135
    secure_connections_controller ping reserved_138 train_nudging slot_availability_mask
    """,
)


def _lmp_features():
    """The features of every page as the bits of one number; a packet has those of its page only."""
    bits = []
    for page in LMP_FEATURES:
        at = 0
        for word in page.split():
            name, _, width = word.partition(':')
            if name != '-':
                bits.append(f'lmp_features.{name}@{at}:{width or 1}')
            at += int(width or 1)
    return '+'.join(bits)


CLASS_OF_DEVICE = 'class_of_device=btcommon.cod.class_of_device'
CLOCK_OFFSET = 'clock_offset=clock_offset@0:15+clock_offset_valid@15'
LINK_POLICY = 'link_policy_switch@0+link_policy_hold@1+link_policy_sniff@2+link_policy_park@3'
VOICE = ('voice_setting=voice.air_coding_format@0:2+voice.linear_pcm_bit_pos@2:3+voice.input_sample_size@5'
         '+voice.input_data_format@6:2+voice.input_coding@8:2+voice.unused@10:6')
CHANNELS = 'le_advts_ch_map_1@0+le_advts_ch_map_2@1+le_advts_ch_map_3@2'

COMMANDS = f"""
* | connection_handle handle=connection_handle bd_addr reason role page_number num_responses lap
* | page_scan_repetition_mode packet_type allow_role_switch scan_enable simple_pairing_mode fec_required
* | filter_type filter_condition_type encryption_enable advertising_handle address=bd_addr
* | address_type=le_address_type random_address=bd_addr peer_address=bd_addr
* | peer_address_type=le_peer_address_type own_address_type=le_own_address_type
* | peer_identity_address=bd_addr peer_identity_address_type=le_peer_identity_address_type
* | connection_interval_min=le_con_interval_min connection_interval_max=le_con_interval_max
* | max_latency=le_con_latency supervision_timeout=le_supv_timeout
* | min_ce_length=le_min_ce_length max_ce_length=le_max_ce_length
* | le_scan_interval le_scan_window le_scan_type scan_interval=le_scan_interval scan_window=le_scan_window
* | scanning_filter_policy=le_scan_filter_policy initiator_filter_policy=le_initiator_filter_policy
* | filter_duplicates=le_filter_duplicates advertising_filter_policy=le_advts_filter_policy
* | {CLASS_OF_DEVICE} {CLOCK_OFFSET} {VOICE} extended_inquiry_response=-
* | type=tx_power_level_type lt_addr interval_min=interval.min interval_max=interval.max
* | service_data=service_data_past transmit_bandwidth=tx_bandwidth receive_bandwidth=rx_bandwidth
* | retransmission_effort transmit_codec_frame_size receive_codec_frame_size input_bandwidth
* | output_bandwidth input_coded_data_size output_coded_data_size input_pcm_data_format
* | output_pcm_data_format input_pcm_sample_payload_msb_position output_pcm_sample_payload_msb_position
* | input_data_path output_data_path input_transport_unit_size output_transport_unit_size enable=cte_enable
* | lpo_allowed skip unused=flags service_type token_rate peak_bandwidth rx_channel=rx_frequency
* | tx_channel=tx_frequency test_data_length=le_test_data_length packet_payload=le_test_payload phy
* | modulation_index advertising_sid advertiser_address_type=le_peer_address_type advertiser_address=bd_addr
* | sync_timeout=le_supv_timeout sync_handle slot_durations
* | switching_pattern_length=antenna_switching_pattern_length antenna_id cte_length cte_type
* | sampling_enable=iq_sampling_enable mode=sync_mode cig_id sdu_interval_c_to_p=sdu_interval_m_to_s
* | sdu_interval_p_to_c=sdu_interval_s_to_m worst_case_sca=slaves_clock_accuracy packing framing cis_count
* | cis_id max_sdu_c_to_p=max_sdu_m_to_s max_sdu_p_to_c=max_sdu_s_to_m phy_c_to_p=phy_m_to_s
* | phy_p_to_c=phy_s_to_m iso_interval nse big_handle num_bis sdu_interval max_sdu encryption
* | data_path_direction payload_type subrate_min subrate_max continuation_number which_clock
Accept Connection Request | role=acr.role
Accept Synchronous Connection Request | max_latency=max_latency_ms packet_type=sco_packet_type
Create Connection | reserved=page_scan_mode
Delete Stored Link Key | delete_all=delete_all_flag
Enhanced Accept Synchronous Connection Request | max_latency=max_latency_ms packet_type=sco_packet_type
Enhanced Flush | packet_type=flush_packet_type
Enhanced Setup Synchronous Connection | max_latency=max_latency_ms packet_type=sco_packet_type
Flow Specification | flow_direction token_bucket_size access_latency=latency
Hold Mode | hold_mode_max_interval=hold_mode_max_int hold_mode_min_interval=hold_mode_min_int
Host Buffer Size | host_acl_data_packet_length=max_data_length_acl
Host Buffer Size | host_synchronous_data_packet_length=max_data_length_sco
Host Buffer Size | host_total_num_acl_data_packets=max_data_num_acl
Host Buffer Size | host_total_num_synchronous_data_packets=max_data_num_sco
Host Number Of Completed Packets | num_handles num_completed_packets=num_compl_packets
IO Capability Request Reply | io_capability oob_data_present authentication_requirements=auth_requirements
Inquiry | inquiry_length=inq_length
LE Accept CIS Request | connection_handle=cis_handle
LE BIG Create Sync | mse big_sync_timeout=sync_timeout bis=bis_index
LE Connection CTE Request Enable | cte_request_interval requested_cte_length=cte_length
LE Connection CTE Request Enable | requested_cte_type=cte_type
LE Create BIG | max_transport_latency rtn
LE Create BIG Test | max_pdu bn irc pto
LE Create CIS | cis_connection_handle=cis_handle acl_connection_handle=connection_handle
LE Enable Encryption | encrypted_diversifier=le_encrypted_diversifier random_number=<le_random_number
LE Enhanced Read Transmit Power Level | phy=phy_and_coding
LE Extended Create Connection [v1] | initiating_phys=le_init_phys
LE Generate DHKey [v2] | key_type
LE ISO Read Test Counters | connection_handle=cis_bis_handle
LE ISO Receive Test | connection_handle=cis_bis_handle
LE ISO Test End | connection_handle=cis_bis_handle
LE ISO Transmit Test | connection_handle=cis_bis_handle
LE Modify Sleep Clock Accuracy | action=sca_action
LE Periodic Advertising Create Sync | options=le_sync_filter_policy sync_cte_type
LE Read ISO Link Quality | connection_handle=cis_bis_handle
LE Read ISO TX Sync | connection_handle=cis_bis_handle
LE Read Remote Transmit Power Level | phy=phy_and_coding
LE Receiver Test [v3] | expected_cte_length=cte_length expected_cte_type=cte_type
LE Remote Connection Parameter Request Reply | interval_min=le_con_interval_min
LE Remote Connection Parameter Request Reply | interval_max=le_con_interval_max timeout=le_supv_timeout
LE Remove ISO Data Path | connection_handle=cis_bis_handle
LE Set Address Resolution Enable | address_resolution_enable=le_address_resolution_enable
LE Set Advertising Data | advertising_data_length=le_data_length advertising_data=-
LE Set Advertising Enable | advertising_enable=le_advts_enable
LE Set Advertising Parameters | advertising_interval_min=le_advts_interval_min
LE Set Advertising Parameters | advertising_interval_max=le_advts_interval_max
LE Set Advertising Parameters | advertising_type=le_advts_type peer_address_type=le_direct_address_type
LE Set Advertising Parameters | advertising_channel_map={CHANNELS}
LE Set CIG Parameters | max_transport_latency_c_to_p=max_transport_latency_m_to_s
LE Set CIG Parameters | max_transport_latency_p_to_c=max_transport_latency_s_to_m rtn_c_to_p=rtn_m_to_s
LE Set CIG Parameters | rtn_p_to_c=rtn_s_to_m
LE Set CIG Parameters Test | ft_c_to_p=ft_m_to_s ft_p_to_c=ft_s_to_m max_pdu_c_to_p=max_pdu_m_to_s
LE Set CIG Parameters Test | max_pdu_p_to_c=max_pdu_s_to_m bn_c_to_p=bn_m_to_s bn_p_to_c=bn_s_to_m
LE Set Connection CTE Transmit Parameters | cte_types
LE Set Connectionless CTE Transmit Enable | cte_enable
LE Set Connectionless CTE Transmit Parameters | cte_count
LE Set Connectionless IQ Sampling Enable | max_sampled_ctes
LE Set Data Length | tx_octets=le_tx_octets tx_time=le_tx_time
LE Set Data Related Address Changes | change_reasons=addr_change_reasons
LE Set Default PHY | all_phys tx_phys rx_phys
LE Set Default Periodic Advertising Sync Transfer Parameters | cte_type=sync_cte_type
LE Set Event Mask | le_event_mask
LE Set Extended Advertising Data | advertising_data_length=le_data_length operation=adv_data_operation
LE Set Extended Advertising Data | fragment_preference=adv_fragment_preference advertising_data=-
LE Set Extended Advertising Enable | enable=le_advts_enable num_sets=adv_num_sets duration=adv_duration
LE Set Extended Advertising Enable | max_extended_advertising_events
LE Set Extended Advertising Parameters [v1] | advertising_event_properties=advertising_properties
LE Set Extended Advertising Parameters [v1] | primary_advertising_interval_min=le_advts_interval_min
LE Set Extended Advertising Parameters [v1] | primary_advertising_interval_max=le_advts_interval_max
LE Set Extended Advertising Parameters [v1] | primary_advertising_channel_map={CHANNELS}
LE Set Extended Advertising Parameters [v1] | advertising_tx_power=power_level primary_advertising_phy
LE Set Extended Advertising Parameters [v1] | secondary_advertising_max_skip secondary_advertising_phy
LE Set Extended Advertising Parameters [v1] | advertising_sid scan_request_notification_enable
LE Set Extended Scan Enable | enable=le_scan_enable duration=scan_duration period=scan_period
LE Set Extended Scan Parameters | scanning_phys=le_scan_phys scan_type=le_scan_type
LE Set Extended Scan Response Data | scan_response_data_length=le_data_length
LE Set Extended Scan Response Data | operation=adv_data_operation scan_response_data=-
LE Set Extended Scan Response Data | fragment_preference=adv_fragment_preference
LE Set Host Channel Classification | channel_map=<le_channel_map
LE Set Host Feature [v1] | bit_number=feature_bit_number bit_value=feature_bit_value
LE Set PHY | all_phys tx_phys rx_phys phy_options
LE Set Path Loss Reporting Enable | enable=reporting_enable
LE Set Path Loss Reporting Parameters | high_threshold high_hysteresis low_threshold low_hysteresis
LE Set Path Loss Reporting Parameters | min_time_spent
LE Set Periodic Advertising Data | operation=adv_data_operation advertising_data_length=le_data_length
LE Set Periodic Advertising Enable | enable=le_advts_enable
LE Set Periodic Advertising Parameters [v1] | periodic_advertising_interval_min=le_advts_interval_min
LE Set Periodic Advertising Parameters [v1] | periodic_advertising_interval_max=le_advts_interval_max
LE Set Periodic Advertising Parameters [v1] | periodic_advertising_properties=periodic_adv_properties
LE Set Periodic Advertising Receive Enable | enable=reporting_enable
LE Set Periodic Advertising Sync Transfer Parameters | cte_type=sync_cte_type
LE Set Privacy Mode | privacy_mode=le_privacy_mode
LE Set Resolvable Private Address Timeout [v1] | rpa_timeout=le_rpa_timeout
LE Set Scan Enable | le_scan_enable
LE Set Scan Response Data | scan_response_data_length=le_data_length scan_response_data=-
LE Set Transmit Power Reporting Enable | local_enable=local_reporting_enable
LE Set Transmit Power Reporting Enable | remote_enable=remote_reporting_enable
LE Setup ISO Data Path | connection_handle=cis_bis_handle data_path_id coding_format=codec_id
LE Setup ISO Data Path | company_identifier=company_id vendor_codec_id controller_delay
LE Setup ISO Data Path | codec_configuration_length=codec_config_length
LE Write RF Path Compensation | rf_tx_path_compensation_value rf_rx_path_compensation_value
LE Write Suggested Default Data Length | suggested_max_tx_octets=le_suggested_max_tx_octets
LE Write Suggested Default Data Length | suggested_max_tx_time=le_suggested_max_tx_time
Link Key Selection | key_flag
PIN Code Request Reply | pin_code_length
Periodic Inquiry Mode | max_period_length min_period_length inquiry_length=inq_length
QoS Setup | latency delay_variation
Read Stored Link Key | read_all=read_all_flag
Receive Synchronization Train | sync_scan_timeout=synchronization_scan_to sync_scan_window=window
Receive Synchronization Train | sync_scan_interval=interval
Remote Name Request | reserved=page_scan_mode
Send Keypress Notification | notification_type
Set AFH Host Channel Classification | afh_host_channel_classification=-
Set Connectionless Peripheral Broadcast | enable=connectionless_slave_broadcast
Set Connectionless Peripheral Broadcast | supervision_timeout=csb_supervision_to
Set Connectionless Peripheral Broadcast Data | fragment=csb.fragment data_length=csb.data_length
Set Connectionless Peripheral Broadcast Data | data=csb.data
Set Connectionless Peripheral Broadcast Receive | interval
Set Connectionless Peripheral Broadcast Receive | clock_offset=clock_offset_32
Set Connectionless Peripheral Broadcast Receive | enable=connectionless_slave_broadcast_receive
Set Connectionless Peripheral Broadcast Receive | supervision_timeout=csb_supervision_to
Set Connectionless Peripheral Broadcast Receive | remote_timing_accuracy skip=csb_skip afh_channel_map
Set Controller To Host Flow Control | flow_control_enable=flow_contr_enable
Set Event Mask | event_mask=evt_mask_*
Set Event Mask Page 2 | event_mask_page_2=evt_mask2_*
Set MWS Channel Parameters | mws_channel_enable=mws_channel mws_channel_type
Set MWS Channel Parameters | mws_rx_center_frequency mws_tx_center_frequency
Set MWS Channel Parameters | mws_rx_channel_bandwidth mws_tx_channel_bandwidth
Set MWS Transport Layer | transport_layer=mws.transport_layer to_mws_baud_rate=mws.to_baud_rate
Set MWS Transport Layer | from_mws_baud_rate=mws.from_baud_rate
Set Triggered Clock Capture | enable=triggered_clock_capture
Set Triggered Clock Capture | num_clock_captures_to_filter=number_of_clock_captures_to_filter
Setup Synchronous Connection | max_latency=max_latency_ms packet_type=sco_packet_type
Sniff Mode | sniff_min_interval=sniff_min_int sniff_max_interval=sniff_max_int sniff_attempt
Sniff Mode | sniff_timeout=timeout
Sniff Subrating | max_latency min_remote_timeout min_local_timeout
Write AFH Channel Assessment Mode | afh_channel_assessment_mode=afh_ch_assessment_mode
Write Authenticated Payload Timeout | authenticated_payload_timeout
Write Authentication Enable | authentication_enable=auth_enable
Write Automatic Flush Timeout | flush_timeout=timeout
Write Connection Accept Timeout | connection_accept_timeout=timeout
Write Current IAC LAP | num_current_iac=num_curr_iac iac_lap=num_iac_lap
Write Default Erroneous Data Reporting | erroneous_data_reporting=err_data_reporting
Write Default Link Policy Settings | default_link_policy_settings={LINK_POLICY}
Write Extended Inquiry Length | extended_inquiry_length
Write Extended Page Timeout | extended_page_timeout=timeout
Write Flow Control Mode | flow_control_mode
Write Inquiry Mode | inquiry_mode=inq_mode
Write Inquiry Scan Activity | inquiry_scan_interval=interval inquiry_scan_window=window
Write Inquiry Scan Type | scan_type=inq_scan_type
Write Inquiry Transmit Power Level | tx_power=power_level
Write LE Host Support | le_supported_host unused=le_simultaneous_host
Write Link Policy Settings | link_policy_settings={LINK_POLICY}
Write Link Supervision Timeout | link_supervision_timeout=timeout
Write Local Name | local_name=device_name
Write Loopback Mode | loopback_mode
Write Num Broadcast Retransmissions | num_broadcast_retransmissions=num_broad_retran
Write PIN Type | pin_type
Write Page Scan Activity | page_scan_interval=interval page_scan_window=window
Write Page Scan Type | page_scan_type=inq_scan_type
Write Page Timeout | page_timeout=timeout
Write Secure Connections Host Support | secure_connections_host_support=secure_connection_host_support
Write Secure Connections Test Mode | dm1_acl_u_mode esco_loopback_mode
Write Simple Pairing Debug Mode | simple_pairing_debug_mode
Write Stored Link Key | num_keys_to_write=num_link_keys
Write Synchronization Train Parameters | synchronization_train_timeout=sync_train_to service_data
Write Synchronous Flow Control Enable | synchronous_flow_control_enable=flow_control
"""

EVENTS = f"""
* | status connection_handle handle=connection_handle bd_addr reason
* | num_hci_command_packets=num_command_packets
* | command_opcode=opcode link_type packet_type clock_offset=clock_offset@0:15
* | encryption_enabled=encryption_enable page_scan_repetition_mode reserved num_responses rssi role
* | connection_interval=le_con_interval peripheral_latency=le_con_latency
* | supervision_timeout=le_supv_timeout central_clock_accuracy=le_master_clock_accuracy
* | peer_address=bd_addr peer_address_type=le_peer_address_type le_features page_number
* | maximum_page_number=max_page_number link_supervision_timeout {CLASS_OF_DEVICE}
* | extended_inquiry_response=-
* | local_resolvable_private_address=le_local_rpa peer_resolvable_private_address=le_peer_rpa
* | lmp_features={_lmp_features()}
* | extended_lmp_features={_lmp_features()}
* | advertising.address=bd_addr advertising.address_type=le_peer_address_type advertising.rssi=rssi
* | tx_power_level=transmit_power_level lt_addr sync_train_interval service_data tx_phy=le_tx_phy
* | rx_phy=le_rx_phy sync_handle cig_id cis_count big_handle received_sdu_count=received_packet_counter
* | missed_sdu_count=missed_packet_counter failed_sdu_count=failed_packet_counter phy=phy_and_coding
* | afh_channel_map clock total_num_data_blocks unused=flags service_type token_rate peak_bandwidth
* | transmission_interval=sync_tx_interval retransmission_window=sync_rtx_window
* | rx_packet_length=sync_rx_pkt_len tx_packet_length=sync_tx_pkt_len data_length data advertising_sid
* | advertiser_address_type=le_peer_address_type advertiser_address=bd_addr advertiser_phy=adv_phy
* | periodic_advertising_interval advertiser_clock_accuracy=adv_clock_accuracy cte_type
* | advertising_handle=adv_handle rssi_tenths=cte_rssi rssi_antenna_id=antenna_id slot_durations
* | packet_status sample_count i_sample q_sample nse iso_interval
* | transport_latency_big=big_transport_latency bn pto irc max_pdu num_bis
Connection Complete | encryption_enabled=encryption_mode
Connectionless Peripheral Broadcast Channel Map Change | channel_map=afh_channel_map
Connectionless Peripheral Broadcast Receive | rx_status=receive_status fragment
Flow Specification Complete | flow_direction token_bucket_size access_latency=latency
Hardware Error | hardware_code
IO Capability Response | io_capability oob_data_present authentication_requirements=auth_requirements
Inquiry Result | reserved=-
Inquiry Response Notification | lap=iac_lap
Keypress Notification | notification_type
LE Advertising Report | advertising.event_type=le_advts_event_type
LE Advertising Set Terminated | num_completed_extended_advertising_events=num_compl_ext_adv_events
LE BIG Sync Established | connection_handle=bis_handle
LE BIGInfo Advertising Report | sdu_interval max_sdu phy framing encryption=encryption_mode
LE CIS Established [v1] | connection_handle=cis_handle cig_sync_delay cis_sync_delay
LE CIS Established [v1] | transport_latency_c_to_p=transport_latency_m_to_s
LE CIS Established [v1] | transport_latency_p_to_c=transport_latency_s_to_m phy_c_to_p=phy_m_to_s
LE CIS Established [v1] | phy_p_to_c=phy_s_to_m bn_c_to_p=bn_m_to_s bn_p_to_c=bn_s_to_m ft_c_to_p=ft_m_to_s
LE CIS Established [v1] | ft_p_to_c=ft_s_to_m max_pdu_c_to_p=max_pdu_m_to_s max_pdu_p_to_c=max_pdu_s_to_m
LE CIS Request | acl_connection_handle=connection_handle cis_connection_handle=cis_handle cis_id
LE Channel Selection Algorithm | channel_selection_algorithm
LE Connection IQ Report | data_channel_index=channel_index connection_event_counter=event_counter
LE Connectionless IQ Report | channel_index periodic_event_counter=event_counter
LE Create BIG Complete | connection_handle=- big_sync_delay phy
LE Data Length Change | max_tx_octets max_tx_time max_rx_octets max_rx_time
LE Directed Advertising Report | num_reports=number_of_reports event_type
LE Directed Advertising Report | address_type=le_direct_address_type address=direct_bd_addr
LE Directed Advertising Report | direct_address_type=le_address_type direct_address=bd_addr rssi=le_rssi
LE Extended Advertising Report | advertising.event_type=le_ext_advts_event_type
LE Extended Advertising Report | advertising.primary_phy=primary_phy advertising.sid=advertising_sid~255
LE Extended Advertising Report | advertising.secondary_phy=secondary_phy
LE Extended Advertising Report | advertising.tx_power=tx_power~127
LE Long Term Key Request | encrypted_diversifier=le_encrypted_diversifier random_number=<le_random_number
LE Path Loss Threshold | current_path_loss zone_entered
LE Periodic Advertising Report [v1] | tx_power data_status
LE Periodic Advertising Sync Transfer Received [v1] | service_data=service_data_past
LE Remote Connection Parameter Request | interval_min=le_min_interval interval_max=le_max_interval
LE Remote Connection Parameter Request | max_latency=le_con_latency timeout=le_supv_timeout
LE Request Peer SCA Complete | peer_clock_accuracy
LE Scan Request Received | scanner_address_type=le_address_type scanner_address=bd_addr
LE Subrate Change | subrate_factor continuation_number
LE Transmit Power Reporting | reason=power_report_reason tx_power_level_flag=power_level_flags
LE Transmit Power Reporting | delta=power_level_delta
Link Key Notification | key_type
Link Key Type Changed | key_flag
Max Slots Change | lmp_max_slots=max_slots
Mode Change | current_mode interval
Number Of Completed Data Blocks | num_handles num_completed_packets=num_compl_packets
Number Of Completed Data Blocks | num_completed_blocks=num_compl_blocks
Number Of Completed Packets | num_handles num_completed_packets=num_compl_packets
QoS Setup Complete | latency delay_variation
Read Remote Version Information Complete | version=lmp_vers_nr company_identifier=comp_id
Read Remote Version Information Complete | subversion=lmp_sub_vers_nr
Remote Name Request Complete | remote_name
Return Link Keys | num_keys
Role Change | new_role=role
SAM Status Change | local_sam_index local_sam_tx_availability local_sam_rx_availability remote_sam_index
SAM Status Change | remote_sam_tx_availability remote_sam_rx_availability
Sniff Subrating | max_tx_latency max_rx_latency min_remote_timeout min_local_timeout
Synchronization Train Received | clock_offset=clock_offset_32
Synchronous Connection Complete | link_type=sync_link_type air_mode
Triggered Clock Capture | which_clock slot_offset
User Confirmation Request | numeric_value
"""

# What Command Complete holds after the opcode, by the command; the rest is as of every event.
RETURNED = f"""
Delete Stored Link Key | num_keys_deleted
Host Number Of Completed Packets | status=-
LE Enhanced Read Transmit Power Level | current_tx_power_level=transmit_power_level
LE Enhanced Read Transmit Power Level | max_tx_power_level=max_transmit_power_level
LE ISO Read Test Counters | connection_handle=cis_bis_handle
LE ISO Receive Test | connection_handle=cis_bis_handle
LE ISO Test End | connection_handle=cis_bis_handle
LE ISO Transmit Test | connection_handle=cis_bis_handle
LE Read Advertising Physical Channel Tx Power | tx_power_level=transmit_power_level
LE Read Antenna Information | supported_switching_sampling_rates=supported_switching_sample_rates
LE Read Antenna Information | num_antennae=number_antennae
LE Read Antenna Information | max_switching_pattern_length=max_length_antenna_switching_pattern
LE Read Antenna Information | max_cte_length
LE Read Buffer Size [v1] | le_acl_data_packet_length=le_acl_data_pkt_len
LE Read Buffer Size [v1] | total_num_le_acl_data_packets=le_total_num_acl_data_pkts
LE Read Buffer Size [v2] | le_acl_data_packet_length=le_acl_data_pkt_len
LE Read Buffer Size [v2] | total_num_le_acl_data_packets=le_total_num_acl_data_pkts
LE Read Buffer Size [v2] | iso_data_packet_length=iso_data_pkt_len
LE Read Buffer Size [v2] | total_num_iso_data_packets=total_num_iso_data_pkts
LE Read Filter Accept List Size | filter_accept_list_size=le_white_list_size
LE Read ISO Link Quality | connection_handle=cis_bis_handle tx_unacked_packets=pkt_count_tx_unacked
LE Read ISO Link Quality | tx_flushed_packets=pkt_count_tx_flushed
LE Read ISO Link Quality | tx_last_subevent_packets=pkt_count_tx_last_subevent
LE Read ISO Link Quality | retransmitted_packets=pkt_count_tx_retransmitted
LE Read ISO Link Quality | crc_error_packets=pkt_count_rx_crc_error
LE Read ISO Link Quality | rx_unreceived_packets=pkt_count_rx_unreceived
LE Read ISO Link Quality | duplicate_packets=pkt_count_rx_duplicate
LE Read ISO TX Sync | connection_handle=cis_bis_handle packet_sequence_number=sdu_packet_seq_num
LE Read ISO TX Sync | tx_time_stamp=sdu_packet_timestamp time_offset=sdu_packet_offset
LE Read Local Resolvable Address | local_resolvable_address=bd_addr
LE Read Maximum Advertising Data Length | max_advertising_data_length=max_adv_data_length
LE Read Maximum Data Length | supported_max_tx_octets=suggested_max_tx_octets
LE Read Maximum Data Length | supported_max_tx_time=suggested_max_tx_time
LE Read Maximum Data Length | supported_max_rx_octets=suggested_max_rx_octets
LE Read Maximum Data Length | supported_max_rx_time=suggested_max_rx_time
LE Read Number Of Supported Advertising Sets | num_supported_advertising_sets=num_supported_adv_sets
LE Read Peer Resolvable Address | peer_resolvable_address=bd_addr
LE Read Periodic Advertiser List Size | periodic_advertiser_list_size=le_periodic_adv_list_size
LE Read RF Path Compensation | rf_tx_path_compensation_value rf_rx_path_compensation_value
LE Read Resolving List Size | resolving_list_size
LE Read Suggested Default Data Length | suggested_max_tx_octets suggested_max_tx_time
LE Read Supported States | le_states=le_states_*
LE Read Transmit Power | min_tx_power max_tx_power
LE Reject CIS Request | connection_handle=cis_handle
LE Remove ISO Data Path | connection_handle=cis_bis_handle
LE Set CIG Parameters | connection_handle=cis_handle
LE Set CIG Parameters Test | connection_handle=cis_handle
LE Set Extended Advertising Parameters [v1] | selected_tx_power=transmit_power_level
LE Setup ISO Data Path | connection_handle=cis_bis_handle
LE Test End | num_packets=le_num_packets
Read AFH Channel Assessment Mode | afh_channel_assessment_mode=afh_ch_assessment_mode
Read AFH Channel Map | afh_mode
Read Authenticated Payload Timeout | authenticated_payload_timeout
Read Authentication Enable | authentication_enable=auth_enable
Read Automatic Flush Timeout | flush_timeout=timeout
Read Buffer Size | acl_data_packet_length=max_data_length_acl total_num_acl_data_packets=max_data_num_acl
Read Buffer Size | synchronous_data_packet_length=max_data_length_sco
Read Buffer Size | total_num_synchronous_data_packets=max_data_num_sco
Read Clock | accuracy=clock_accuracy
Read Connection Accept Timeout | connection_accept_timeout=timeout
Read Current IAC LAP | num_current_iac=num_curr_iac iac_lap
Read Data Block Size | max_acl_data_packet_length data_block_length
Read Default Erroneous Data Reporting | erroneous_data_reporting=err_data_reporting
Read Encryption Key Size | key_size=enc_key_size
Read Enhanced Transmit Power Level | tx_power_level_gfsk=transmit_power_level_gfsk
Read Enhanced Transmit Power Level | tx_power_level_dqpsk=transmit_power_level_dqpsk
Read Enhanced Transmit Power Level | tx_power_level_8dpsk=transmit_power_level_8dpsk
Read Extended Inquiry Length | extended_inquiry_length
Read Extended Page Timeout | extended_page_timeout=timeout
Read Failed Contact Counter | failed_contact_counter
Read Flow Control Mode | flow_control_mode
Read Inquiry Mode | inquiry_mode=inq_mode
Read Inquiry Scan Activity | inquiry_scan_interval=interval inquiry_scan_window=window
Read Inquiry Scan Type | scan_type=inq_scan_type
Read LE Host Support | unused=-
Read Default Link Policy Settings | default_link_policy_settings={LINK_POLICY}
Read Link Policy Settings | link_policy_settings={LINK_POLICY}
Read Voice Setting | {VOICE}
Read LMP Handle | lmp_handle reserved=-
Read Link Quality | link_quality
Read Link Supervision Timeout | link_supervision_timeout=timeout
Read Local Name | local_name=device_name
Read Local Simple Pairing Options | simple_pairing_options max_encryption_key_size
Read Local Supported Codecs [v1] | num_supported_standard_codecs=number_of_supported_codecs codec_id
Read Local Supported Codecs [v1] | num_supported_vendor_specific_codecs=number_of_supported_vendor_codecs
Read Local Supported Codecs [v1] | company_identifier=comp_id vendor_codec_id=vendor_codecs.item.codec_id
Read Local Supported Commands | supported_commands=local_supported_cmds
Read Local Version Information | hci_version=hci_vers_nr hci_subversion=hci_vers_nr lmp_version=lmp_vers_nr
Read Local Version Information | company_identifier=comp_id lmp_subversion=lmp_sub_vers_nr
Read Loopback Mode | loopback_mode
Read Num Broadcast Retransmissions | num_broadcast_retransmissions=num_broad_retran
Read Number Of Supported IAC | num_supported_iac=num_supp_iac
Read PIN Type | pin_type
Read Page Scan Activity | page_scan_interval=interval page_scan_window=window
Read Page Scan Type | page_scan_type=inq_scan_type
Read Page Timeout | page_timeout=timeout
Read Scan Enable | scan_enable
Read Secure Connections Host Support | secure_connections_host_support=secure_connection_host_support
Read Simple Pairing Mode | simple_pairing_mode
Read Stored Link Key | max_num_keys num_keys_read
Read Synchronization Train Parameters | synchronization_train_timeout=sync_train_to
Read Synchronous Flow Control Enable | synchronous_flow_control_enable=sco_flow_cont_enable
Role Discovery | current_role=curr_role
Set Connectionless Peripheral Broadcast | interval=connectionless_slave_broadcast_interval
Write Stored Link Key | num_keys_written
"""
