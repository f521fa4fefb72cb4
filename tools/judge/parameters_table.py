"""Which field of tshark holds which parameter of an HCI command or event.

A line is the name of a command or event, a bar, and its parameters as `blecap annotate --format ndjson` names
them, each with the field of tshark that has the same value; `*` stands for every command or event that says
nothing else about that parameter. Fields without a dot are in `bthci_cmd` (commands) or `bthci_evt`.

`ours=theirs`     the same number, address, name or bytes
`ours`            the same, and tshark has the same name for it
`ours=theirs~N`   tshark also gives the value N, where the specification says that there is none
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
Create Connection | reserved=page_scan_mode
Delete Stored Link Key | delete_all=delete_all_flag
Enhanced Flush | packet_type=flush_packet_type
Accept Connection Request | role=acr.role
Host Buffer Size | host_acl_data_packet_length=max_data_length_acl
Host Buffer Size | host_synchronous_data_packet_length=max_data_length_sco
Host Buffer Size | host_total_num_acl_data_packets=max_data_num_acl
Host Buffer Size | host_total_num_synchronous_data_packets=max_data_num_sco
Inquiry | inquiry_length=inq_length
LE Enable Encryption | encrypted_diversifier=le_encrypted_diversifier random_number=<le_random_number
LE Extended Create Connection [v1] | initiating_phys=le_init_phys
LE Set Address Resolution Enable | address_resolution_enable=le_address_resolution_enable
LE Set Advertising Data | advertising_data_length=le_data_length advertising_data=-
LE Set Advertising Enable | advertising_enable=le_advts_enable
LE Set Advertising Parameters | advertising_interval_min=le_advts_interval_min
LE Set Advertising Parameters | advertising_interval_max=le_advts_interval_max
LE Set Advertising Parameters | advertising_type=le_advts_type peer_address_type=le_direct_address_type
LE Set Advertising Parameters | advertising_channel_map={CHANNELS}
LE Set Data Length | tx_octets=le_tx_octets tx_time=le_tx_time
LE Set Default PHY | all_phys tx_phys rx_phys
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
LE Set Periodic Advertising Enable | enable=le_advts_enable
LE Set Privacy Mode | privacy_mode=le_privacy_mode
LE Set Resolvable Private Address Timeout [v1] | rpa_timeout=le_rpa_timeout
LE Set Scan Enable | le_scan_enable
LE Set Scan Response Data | scan_response_data_length=le_data_length scan_response_data=-
LE Write Suggested Default Data Length | suggested_max_tx_octets=le_suggested_max_tx_octets
LE Write Suggested Default Data Length | suggested_max_tx_time=le_suggested_max_tx_time
Remote Name Request | reserved=page_scan_mode
Set AFH Host Channel Classification | afh_host_channel_classification=-
Set Event Mask | event_mask=evt_mask_*
Set Event Mask Page 2 | event_mask_page_2=evt_mask2_*
Set MWS Channel Parameters | mws_channel_enable=mws_channel mws_channel_type
Set MWS Channel Parameters | mws_rx_center_frequency mws_tx_center_frequency
Set MWS Channel Parameters | mws_rx_channel_bandwidth mws_tx_channel_bandwidth
Sniff Mode | sniff_min_interval=sniff_min_int sniff_max_interval=sniff_max_int sniff_attempt
Sniff Mode | sniff_timeout=timeout
Sniff Subrating | max_latency min_remote_timeout min_local_timeout
Write Authenticated Payload Timeout | authenticated_payload_timeout
Write Authentication Enable | authentication_enable=auth_enable
Write Current IAC LAP | num_current_iac=num_curr_iac iac_lap=num_iac_lap
Write Default Erroneous Data Reporting | erroneous_data_reporting=err_data_reporting
Write Default Link Policy Settings | default_link_policy_settings={LINK_POLICY}
Write Inquiry Mode | inquiry_mode=inq_mode
Write Inquiry Scan Activity | inquiry_scan_interval=interval inquiry_scan_window=window
Write Inquiry Scan Type | scan_type=inq_scan_type
Write LE Host Support | le_supported_host unused=le_simultaneous_host
Write Link Policy Settings | link_policy_settings={LINK_POLICY}
Write Link Supervision Timeout | link_supervision_timeout=timeout
Write Local Name | local_name=device_name
Write Page Scan Activity | page_scan_interval=interval page_scan_window=window
Write Page Scan Type | page_scan_type=inq_scan_type
Write Page Timeout | page_timeout=timeout
Write Secure Connections Host Support | secure_connections_host_support=secure_connection_host_support
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
Connection Complete | encryption_enabled=encryption_mode
LE Advertising Report | advertising.event_type=le_advts_event_type
LE Data Length Change | max_tx_octets max_tx_time max_rx_octets max_rx_time
LE Extended Advertising Report | advertising.event_type=le_ext_advts_event_type
LE Extended Advertising Report | advertising.primary_phy=primary_phy advertising.sid=advertising_sid~255
LE Extended Advertising Report | advertising.secondary_phy=secondary_phy
LE Extended Advertising Report | advertising.tx_power=tx_power~127
LE Long Term Key Request | encrypted_diversifier=le_encrypted_diversifier random_number=<le_random_number
Max Slots Change | lmp_max_slots=max_slots
Mode Change | current_mode interval
Number Of Completed Packets | num_handles num_completed_packets=num_compl_packets
Read Remote Version Information Complete | version=lmp_vers_nr company_identifier=comp_id
Read Remote Version Information Complete | subversion=lmp_sub_vers_nr
Remote Name Request Complete | remote_name
Role Change | new_role=role
"""

# What Command Complete holds after the opcode, by the command; the rest is as of every event.
RETURNED = """
Delete Stored Link Key | num_keys_deleted
LE Read Advertising Physical Channel Tx Power | tx_power_level=transmit_power_level
LE Read Buffer Size [v1] | le_acl_data_packet_length=le_acl_data_pkt_len
LE Read Buffer Size [v1] | total_num_le_acl_data_packets=le_total_num_acl_data_pkts
LE Read Buffer Size [v2] | le_acl_data_packet_length=le_acl_data_pkt_len
LE Read Buffer Size [v2] | total_num_le_acl_data_packets=le_total_num_acl_data_pkts
LE Read Buffer Size [v2] | iso_data_packet_length=iso_data_pkt_len
LE Read Buffer Size [v2] | total_num_iso_data_packets=total_num_iso_data_pkts
LE Read Filter Accept List Size | filter_accept_list_size=le_white_list_size
LE Read Maximum Advertising Data Length | max_advertising_data_length=max_adv_data_length
LE Read Maximum Data Length | supported_max_tx_octets=suggested_max_tx_octets
LE Read Maximum Data Length | supported_max_tx_time=suggested_max_tx_time
LE Read Maximum Data Length | supported_max_rx_octets=suggested_max_rx_octets
LE Read Maximum Data Length | supported_max_rx_time=suggested_max_rx_time
LE Read Number Of Supported Advertising Sets | num_supported_advertising_sets=num_supported_adv_sets
LE Read Peer Resolvable Address | peer_resolvable_address=bd_addr
LE Read Periodic Advertiser List Size | periodic_advertiser_list_size=le_periodic_adv_list_size
LE Read Resolving List Size | resolving_list_size
LE Read Suggested Default Data Length | suggested_max_tx_octets suggested_max_tx_time
LE Read Supported States | le_states=le_states_*
LE Read Transmit Power | min_tx_power max_tx_power
LE Set Extended Advertising Parameters [v1] | selected_tx_power=transmit_power_level
Read Buffer Size | acl_data_packet_length=max_data_length_acl total_num_acl_data_packets=max_data_num_acl
Read Buffer Size | synchronous_data_packet_length=max_data_length_sco
Read Buffer Size | total_num_synchronous_data_packets=max_data_num_sco
Read Default Erroneous Data Reporting | erroneous_data_reporting=err_data_reporting
Read Encryption Key Size | key_size=enc_key_size
Read Local Name | local_name=device_name
Read Local Supported Codecs [v1] | num_supported_standard_codecs=number_of_supported_codecs codec_id
Read Local Supported Codecs [v1] | num_supported_vendor_specific_codecs=number_of_supported_vendor_codecs
Read Local Supported Commands | supported_commands=local_supported_cmds
Read Local Version Information | hci_version=hci_vers_nr hci_subversion=hci_vers_nr lmp_version=lmp_vers_nr
Read Local Version Information | company_identifier=comp_id lmp_subversion=lmp_sub_vers_nr
"""
