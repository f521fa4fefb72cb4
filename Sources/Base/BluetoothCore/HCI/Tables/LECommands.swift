import WireBytes

extension HCICommandTable {
    /// LE controller commands (OGF 8).
    ///
    /// Source: Vol 4, Part E, 7.8.
    static let le = PDUTable(
        trusting: """
            @initiating_phy_parameters scan_interval:2*625us scan_window:2*625us
              connection_interval_min:2*1.25ms connection_interval_max:2*1.25ms max_latency:2
              supervision_timeout:2*10ms min_ce_length:2*625us max_ce_length:2*625us
            @cs_capabilities num_config_supported:1 max_consecutive_procedures_supported:2
              num_antennas_supported:1 max_antenna_paths_supported:1 roles_supported:1|cs_roles
              modes_supported:1|cs_modes rtt_capability:1|cs_rtt rtt_aa_only_n:1 rtt_sounding_n:1
              rtt_random_payload_n:1 nadm_sounding_capability:2x nadm_random_capability:2x
              cs_sync_phys_supported:1|cs_sync_phys subfeatures_supported:2|cs_subfeatures
              t_ip1_times_supported:2x t_ip2_times_supported:2x t_fcs_times_supported:2x
              t_pm_times_supported:2x t_sw_time_supported:1*us tx_snr_capability:1x
            @cs_inline_phase_capabilities t_ip2_ipt_times_supported:2x t_sw_ipt_times_supported:1*us
              rtt_2m_aa_only_n:1 rtt_2m_sounding_n:1 rtt_2m_random_payload_n:1
            2001 7.8.1 LE Set Event Mask
            #= LESetEventMask: Selects the LE events that the controller sends.
            > le_event_mask:8|le_event_mask
            < status
            2002 7.8.2 LE Read Buffer Size [v1]
            #= LEReadBufferSize: Reads the number and the size of the controller's LE ACL packet
            # buffers.
            < status le_acl_data_packet_length:2 total_num_le_acl_data_packets:1
            2003 7.8.3 LE Read Local Supported Features Page 0
            #= LEReadLocalSupportedFeatures: Reads the LE features of the controller.
            < status le_features:8|le_features
            2005 7.8.4 LE Set Random Address
            #= LESetRandomAddress: Sets the random device address that legacy advertising, scanning and
            # initiating use.
            > random_address:addr
            < status
            2006 7.8.5 LE Set Advertising Parameters
            #= LESetAdvertisingParameters: Sets the parameters of legacy advertising; not allowed while
            # it is enabled.
            > advertising_interval_min:2*625us advertising_interval_max:2*625us
              advertising_type:1=advertising_type own_address_type:1=own_address_type
              peer_address_type:1=address_type peer_address:addr
              advertising_channel_map:1|advertising_channels
              advertising_filter_policy:1=advertising_filter_policy
            < status
            2007 7.8.6 LE Read Advertising Physical Channel Tx Power
            #= LEReadAdvertisingPhysicalChannelTxPower: Reads the transmit power of legacy advertising.
            < status tx_power_level:dBm
            2008 7.8.7 LE Set Advertising Data
            #= LESetAdvertisingData: Sets the data of legacy advertising.
            > advertising_data_length:1 advertising_data:31ad
            < status
            2009 7.8.8 LE Set Scan Response Data
            #= LESetScanResponseData: Sets the scan response data of legacy advertising.
            > scan_response_data_length:1 scan_response_data:31ad
            < status
            200A 7.8.9 LE Set Advertising Enable
            #= LESetAdvertisingEnable: Starts or stops legacy advertising.
            > advertising_enable:1=enable
            < status
            200B 7.8.10 LE Set Scan Parameters
            #= LESetScanParameters: Sets the parameters of legacy scanning; not allowed while it is
            # enabled.
            > le_scan_type:1=scan_type le_scan_interval:2*625us le_scan_window:2*625us
              own_address_type:1=own_address_type scanning_filter_policy:1=scan_filter_policy
            < status
            200C 7.8.11 LE Set Scan Enable
            #= LESetScanEnable: Starts or stops legacy scanning.
            > le_scan_enable:1=enable filter_duplicates:1=enable
            < status
            200D 7.8.12 LE Create Connection
            #= LECreateConnection: Starts establishing a connection as the central, with legacy
            # parameters.
            > le_scan_interval:2*625us le_scan_window:2*625us
              initiator_filter_policy:1=initiator_filter_policy peer_address_type:1=address_type
              peer_address:addr own_address_type:1=own_address_type connection_interval_min:2*1.25ms
              connection_interval_max:2*1.25ms max_latency:2 supervision_timeout:2*10ms
              min_ce_length:2*625us max_ce_length:2*625us
            200E 7.8.13 LE Create Connection Cancel
            #= LECreateConnectionCancel: Cancels the creation of a connection; a connection complete
            # event follows.
            < status
            200F 7.8.14 LE Read Filter Accept List Size
            #= LEReadFilterAcceptListSize: Reads how many devices fit in the Filter Accept List.
            < status filter_accept_list_size:1
            2010 7.8.15 LE Clear Filter Accept List
            #= LEClearFilterAcceptList: Empties the Filter Accept List.
            < status
            2011 7.8.16 LE Add Device To Filter Accept List
            #= LEAddDeviceToFilterAcceptList: Adds a device to the list that filter policies refer to.
            > address_type:1=address_type address:addr
            < status
            2012 7.8.17 LE Remove Device From Filter Accept List
            #= LERemoveDeviceFromFilterAcceptList: Removes a device from the list that filter policies
            # refer to.
            > address_type:1=address_type address:addr
            < status
            2013 7.8.18 LE Connection Update
            #= LEConnectionUpdate: Changes the parameters of a connection.
            > connection_handle connection_interval_min:2*1.25ms connection_interval_max:2*1.25ms
              max_latency:2 supervision_timeout:2*10ms min_ce_length:2*625us max_ce_length:2*625us
            2014 7.8.19 LE Set Host Channel Classification
            > channel_map:5x
            < status
            2015 7.8.20 LE Read Channel Map
            > connection_handle
            < status connection_handle channel_map:5x
            2016 7.8.21 LE Read Remote Features Page 0
            #= LEReadRemoteFeatures: Asks for the peer's LE features.
            > connection_handle
            2017 7.8.22 LE Encrypt
            > key:16! plaintext_data:16!
            < status encrypted_data:16!
            2018 7.8.23 LE Rand
            #= LERand: Asks the controller for a random number.
            < status random_number:8!
            2019 7.8.24 LE Enable Encryption
            #= LEEnableEncryption: Starts or restarts encryption as the central, with the key that EDIV
            # and Rand identify.
            > connection_handle random_number:8x encrypted_diversifier:2x long_term_key:16!
            201A 7.8.25 LE Long Term Key Request Reply
            #= LELongTermKeyRequestReply: Returns the key for the encryption that the central requested.
            > connection_handle long_term_key:16!
            < status connection_handle
            201B 7.8.26 LE Long Term Key Request Negative Reply
            #= LELongTermKeyRequestNegativeReply: Reports that no key exists for the encryption that the
            # central requested.
            > connection_handle
            < status connection_handle
            201C 7.8.27 LE Read Supported States
            < status le_states:8x
            201D 7.8.28 LE Receiver Test [v1]
            > rx_channel:1
            < status
            201E 7.8.29 LE Transmitter Test [v1]
            > tx_channel:1 test_data_length:1 packet_payload:1=test_payload
            < status
            201F 7.8.30 LE Test End
            < status num_packets:2
            2020 7.8.31 LE Remote Connection Parameter Request Reply
            #= LERemoteConnectionParameterRequestReply: Accepts the connection parameters that the peer
            # requests.
            > connection_handle interval_min:2*1.25ms interval_max:2*1.25ms max_latency:2 timeout:2*10ms
              min_ce_length:2*625us max_ce_length:2*625us
            < status connection_handle
            2021 7.8.32 LE Remote Connection Parameter Request Negative Reply
            #= LERemoteConnectionParameterRequestNegativeReply: Rejects the connection parameters that
            # the peer requests.
            > connection_handle reason:status
            < status connection_handle
            2022 7.8.33 LE Set Data Length
            #= LESetDataLength: Suggests the maximum length of Link Layer payloads on one connection.
            > connection_handle tx_octets:2 tx_time:2*us
            < status connection_handle
            2023 7.8.34 LE Read Suggested Default Data Length
            #= LEReadSuggestedDefaultDataLength: Reads the data length that new connections start with.
            < status suggested_max_tx_octets:2 suggested_max_tx_time:2*us
            2024 7.8.35 LE Write Suggested Default Data Length
            #= LEWriteSuggestedDefaultDataLength: Suggests the maximum length of Link Layer payloads on
            # new connections.
            > suggested_max_tx_octets:2 suggested_max_tx_time:2*us
            < status
            2025 7.8.36 LE Read Local P-256 Public Key
            2026 7.8.37 LE Generate DHKey [v1]
            > key_x_coordinate:32 key_y_coordinate:32
            2027 7.8.38 LE Add Device To Resolving List
            #= LEAddDeviceToResolvingList: Gives the controller the keys to resolve a peer's private
            # addresses and to generate its own.
            > peer_identity_address_type:1=address_type peer_identity_address:addr peer_irk:16!
              local_irk:16!
            < status
            2028 7.8.39 LE Remove Device From Resolving List
            #= LERemoveDeviceFromResolvingList: Removes a peer's keys from the controller.
            > peer_identity_address_type:1=address_type peer_identity_address:addr
            < status
            2029 7.8.40 LE Clear Resolving List
            #= LEClearResolvingList: Empties the resolving list.
            < status
            202A 7.8.41 LE Read Resolving List Size
            #= LEReadResolvingListSize: Reads the number of devices that the resolving list can hold.
            < status resolving_list_size:1
            202B 7.8.42 LE Read Peer Resolvable Address
            #= LEReadPeerResolvableAddress: Reads the private address in use by a listed peer.
            > peer_identity_address_type:1=address_type peer_identity_address:addr
            < status peer_resolvable_address:addr
            202C 7.8.43 LE Read Local Resolvable Address
            #= LEReadLocalResolvableAddress: Reads the private address that the controller uses towards
            # a listed peer.
            > peer_identity_address_type:1=address_type peer_identity_address:addr
            < status local_resolvable_address:addr
            202D 7.8.44 LE Set Address Resolution Enable
            #= LESetAddressResolutionEnable: Turns the controller's resolution of private addresses on
            # or off.
            > address_resolution_enable:1=enable
            < status
            202E 7.8.45 LE Set Resolvable Private Address Timeout [v1]
            #= LESetResolvablePrivateAddressTimeout: Sets the time that the controller uses a private
            # address that it generated.
            > rpa_timeout:2*s
            < status
            202F 7.8.46 LE Read Maximum Data Length
            #= LEReadMaximumDataLength: Reads the longest Link Layer payloads that the controller
            # supports.
            < status supported_max_tx_octets:2 supported_max_tx_time:2*us supported_max_rx_octets:2
              supported_max_rx_time:2*us
            2030 7.8.47 LE Read PHY
            #= LEReadPHY: Reads the PHYs of a connection.
            > connection_handle
            < status connection_handle tx_phy:1=phy rx_phy:1=phy
            2031 7.8.48 LE Set Default PHY
            #= LESetDefaultPHY: Sets the PHYs that new connections may use.
            > all_phys:1|all_phys tx_phys:1|phys rx_phys:1|phys
            < status
            2032 7.8.49 LE Set PHY
            #= LESetPHY: Requests other PHYs for a connection.
            > connection_handle all_phys:1|all_phys tx_phys:1|phys rx_phys:1|phys
              phy_options:2=coded_phy_options
            2033 7.8.28 LE Receiver Test [v2]
            > rx_channel:1 phy:1=phy modulation_index:1=modulation_index
            < status
            2034 7.8.29 LE Transmitter Test [v2]
            > tx_channel:1 test_data_length:1 packet_payload:1=test_payload phy:1=test_phy
            < status
            2035 7.8.52 LE Set Advertising Set Random Address
            #= LESetAdvertisingSetRandomAddress: Sets the random device address of one advertising set.
            > advertising_handle:1h random_address:addr
            < status
            2036 7.8.53 LE Set Extended Advertising Parameters [v1]
            #= LESetExtendedAdvertisingParameters: Sets the parameters of one advertising set, and
            # creates the set if necessary.
            > advertising_handle:1h advertising_event_properties:2|advertising_event_properties
              primary_advertising_interval_min:3*625us primary_advertising_interval_max:3*625us
              primary_advertising_channel_map:1|advertising_channels own_address_type:1=own_address_type
              peer_address_type:1=address_type peer_address:addr
              advertising_filter_policy:1=advertising_filter_policy advertising_tx_power:dBm
              primary_advertising_phy:1=phy secondary_advertising_max_skip:1 secondary_advertising_phy:1=phy
              advertising_sid:1 scan_request_notification_enable:1=enable
            < status selected_tx_power:dBm
            2037 7.8.54 LE Set Extended Advertising Data
            #= LESetExtendedAdvertisingData: Sets the advertising data of one set, whole or in fragments
            # of up to 251 bytes.
            > advertising_handle:1h operation:1=data_operation fragment_preference:1=fragment_preference
              advertising_data_length:1 advertising_data:[advertising_data_length]ad
            < status
            2038 7.8.55 LE Set Extended Scan Response Data
            #= LESetExtendedScanResponseData: Sets the scan response data of one set, whole or in
            # fragments of up to 251 bytes.
            > advertising_handle:1h operation:1=data_operation fragment_preference:1=fragment_preference
              scan_response_data_length:1 scan_response_data:[scan_response_data_length]ad
            < status
            2039 7.8.56 LE Set Extended Advertising Enable
            #= LESetExtendedAdvertisingEnable sets=LEAdvertisingSetDuration: Starts or stops advertising
            # of these sets; stops all if the list is empty.
            > enable:1=enable num_sets:1 sets:[num_sets](advertising_handle:1h duration:2*10ms
              max_extended_advertising_events:1)
            < status
            203A 7.8.57 LE Read Maximum Advertising Data Length
            #= LEReadMaximumAdvertisingDataLength: Reads the maximum length of an advertising set's
            # data, in bytes.
            < status max_advertising_data_length:2
            203B 7.8.58 LE Read Number Of Supported Advertising Sets
            #= LEReadNumberOfSupportedAdvertisingSets: Reads the number of advertising sets that can
            # exist at once.
            < status num_supported_advertising_sets:1
            203C 7.8.59 LE Remove Advertising Set
            #= LERemoveAdvertisingSet: Removes an advertising set that is not enabled.
            > advertising_handle:1h
            < status
            203D 7.8.60 LE Clear Advertising Sets
            #= LEClearAdvertisingSets: Removes all advertising sets; not allowed while one is enabled.
            < status
            203E 7.8.61 LE Set Periodic Advertising Parameters [v1]
            > advertising_handle:1h periodic_advertising_interval_min:2*1.25ms
              periodic_advertising_interval_max:2*1.25ms
              periodic_advertising_properties:2|periodic_properties
            < status
            203F 7.8.62 LE Set Periodic Advertising Data
            > advertising_handle:1h operation:1=data_operation advertising_data_length:1
              advertising_data:[advertising_data_length]ad
            < status
            2040 7.8.63 LE Set Periodic Advertising Enable
            > enable:1|periodic_enable advertising_handle:1h
            < status
            2041 7.8.64 LE Set Extended Scan Parameters
            #= LESetExtendedScanParameters phys=LEScanningPHYParameters: Sets the parameters of extended
            # scanning, one set for every bit set in the PHYs.
            > own_address_type:1=own_address_type scanning_filter_policy:1=scan_filter_policy
              scanning_phys:1|phys phys:[#scanning_phys](scan_type:1=scan_type scan_interval:2*625us
              scan_window:2*625us)
            < status
            2042 7.8.65 LE Set Extended Scan Enable
            #= LESetExtendedScanEnable: Starts or stops extended scanning, with an optional duration.
            > enable:1=enable filter_duplicates:1=filter_duplicates duration:2*10ms period:2*1.28s
            < status
            2043 7.8.66 LE Extended Create Connection [v1]
            #= LEExtendedCreateConnection phys=LEInitiatingPHYParameters: Starts establishing a
            # connection as the central, with one set of parameters for every bit set in the PHYs.
            > initiator_filter_policy:1=initiator_filter_policy own_address_type:1=own_address_type
              peer_address_type:1=address_type peer_address:addr initiating_phys:1|phys
              phys:[#initiating_phys](@initiating_phy_parameters)
            2044 7.8.67 LE Periodic Advertising Create Sync
            > options:1|create_sync_options advertising_sid:1 advertiser_address_type:1=address_type
              advertiser_address:addr skip:2 sync_timeout:2*10ms sync_cte_type:1|sync_cte_type
            2045 7.8.68 LE Periodic Advertising Create Sync Cancel
            < status
            2046 7.8.69 LE Periodic Advertising Terminate Sync
            > sync_handle:2h
            < status
            2047 7.8.70 LE Add Device To Periodic Advertiser List
            > advertiser_address_type:1=address_type advertiser_address:addr advertising_sid:1
            < status
            2048 7.8.71 LE Remove Device From Periodic Advertiser List
            > advertiser_address_type:1=address_type advertiser_address:addr advertising_sid:1
            < status
            2049 7.8.72 LE Clear Periodic Advertiser List
            < status
            204A 7.8.73 LE Read Periodic Advertiser List Size
            < status periodic_advertiser_list_size:1
            204B 7.8.74 LE Read Transmit Power
            < status min_tx_power:dBm max_tx_power:dBm
            204C 7.8.75 LE Read RF Path Compensation
            < status rf_tx_path_compensation_value:i2 rf_rx_path_compensation_value:i2
            204D 7.8.76 LE Write RF Path Compensation
            > rf_tx_path_compensation_value:i2 rf_rx_path_compensation_value:i2
            < status
            204E 7.8.77 LE Set Privacy Mode
            #= LESetPrivacyMode: Sets whether packets from a listed peer's identity address are accepted
            # too.
            > peer_identity_address_type:1=address_type peer_identity_address:addr
              privacy_mode:1=privacy_mode
            < status
            204F 7.8.28 LE Receiver Test [v3]
            > rx_channel:1 phy:1=phy modulation_index:1=modulation_index expected_cte_length:1*8us
              expected_cte_type:1=cte_type slot_durations:1=slot_durations switching_pattern_length:1
              antennas:[switching_pattern_length](antenna_id:1)
            < status
            2050 7.8.29 LE Transmitter Test [v3]
            > tx_channel:1 test_data_length:1 packet_payload:1=test_payload phy:1=test_phy cte_length:1*8us
              cte_type:1=cte_type switching_pattern_length:1
              antennas:[switching_pattern_length](antenna_id:1)
            < status
            2051 7.8.80 LE Set Connectionless CTE Transmit Parameters
            > advertising_handle:1h cte_length:1*8us cte_type:1=cte_type cte_count:1
              switching_pattern_length:1 antennas:[switching_pattern_length](antenna_id:1)
            < status
            2052 7.8.81 LE Set Connectionless CTE Transmit Enable
            > advertising_handle:1h cte_enable:1=enable
            < status
            2053 7.8.82 LE Set Connectionless IQ Sampling Enable
            > sync_handle:2h sampling_enable:1=enable slot_durations:1=slot_durations max_sampled_ctes:1
              switching_pattern_length:1 antennas:[switching_pattern_length](antenna_id:1)
            < status sync_handle:2h
            2054 7.8.83 LE Set Connection CTE Receive Parameters
            > connection_handle sampling_enable:1=enable slot_durations:1=slot_durations
              switching_pattern_length:1 antennas:[switching_pattern_length](antenna_id:1)
            < status connection_handle
            2055 7.8.84 LE Set Connection CTE Transmit Parameters
            > connection_handle cte_types:1|cte_types switching_pattern_length:1
              antennas:[switching_pattern_length](antenna_id:1)
            < status connection_handle
            2056 7.8.85 LE Connection CTE Request Enable
            > connection_handle enable:1=enable cte_request_interval:2 requested_cte_length:1*8us
              requested_cte_type:1=cte_type
            < status connection_handle
            2057 7.8.86 LE Connection CTE Response Enable
            > connection_handle enable:1=enable
            < status connection_handle
            2058 7.8.87 LE Read Antenna Information
            < status supported_switching_sampling_rates:1|sampling_rates num_antennae:1
              max_switching_pattern_length:1 max_cte_length:1*8us
            2059 7.8.88 LE Set Periodic Advertising Receive Enable
            > sync_handle:2h enable:1|receive_enable
            < status
            205A 7.8.89 LE Periodic Advertising Sync Transfer
            > connection_handle service_data:2x sync_handle:2h
            < status connection_handle
            205B 7.8.90 LE Periodic Advertising Set Info Transfer
            > connection_handle service_data:2x advertising_handle:1h
            < status connection_handle
            205C 7.8.91 LE Set Periodic Advertising Sync Transfer Parameters
            > connection_handle mode:1=sync_transfer_mode skip:2 sync_timeout:2*10ms
              cte_type:1|sync_cte_type
            < status connection_handle
            205D 7.8.92 LE Set Default Periodic Advertising Sync Transfer Parameters
            > mode:1=sync_transfer_mode skip:2 sync_timeout:2*10ms cte_type:1|sync_cte_type
            < status
            205E 7.8.37 LE Generate DHKey [v2]
            > key_x_coordinate:32 key_y_coordinate:32 key_type:1=dh_key_type
            205F 7.8.94 LE Modify Sleep Clock Accuracy
            > action:1=sleep_clock_action
            < status
            2060 7.8.2 LE Read Buffer Size [v2]
            < status le_acl_data_packet_length:2 total_num_le_acl_data_packets:1 iso_data_packet_length:2
              total_num_iso_data_packets:1
            2061 7.8.96 LE Read ISO TX Sync
            > connection_handle:link
            < status connection_handle:link packet_sequence_number:2 tx_time_stamp:4 time_offset:3*us
            2062 7.8.97 LE Set CIG Parameters
            > cig_id:1 sdu_interval_c_to_p:3*us sdu_interval_p_to_c:3*us worst_case_sca:1=clock_accuracy
              packing:1=packing framing:1=framing max_transport_latency_c_to_p:2*ms
              max_transport_latency_p_to_c:2*ms cis_count:1 cis:[cis_count](cis_id:1 max_sdu_c_to_p:2
              max_sdu_p_to_c:2 phy_c_to_p:1|phys phy_p_to_c:1|phys rtn_c_to_p:1 rtn_p_to_c:1)
            < status cig_id:1 cis_count:1 handles:[cis_count](connection_handle:cis)
            2063 7.8.98 LE Set CIG Parameters Test
            > cig_id:1 sdu_interval_c_to_p:3*us sdu_interval_p_to_c:3*us ft_c_to_p:1 ft_p_to_c:1
              iso_interval:2*1.25ms worst_case_sca:1=clock_accuracy packing:1=packing framing:1=framing
              cis_count:1 cis:[cis_count](cis_id:1 nse:1 max_sdu_c_to_p:2 max_sdu_p_to_c:2 max_pdu_c_to_p:2
              max_pdu_p_to_c:2 phy_c_to_p:1|phys phy_p_to_c:1|phys bn_c_to_p:1 bn_p_to_c:1)
            < status cig_id:1 cis_count:1 handles:[cis_count](connection_handle:cis)
            2064 7.8.99 LE Create CIS
            > cis_count:1 cis:[cis_count](cis_connection_handle:cis acl_connection_handle:acl)
            2065 7.8.100 LE Remove CIG
            > cig_id:1
            < status cig_id:1
            2066 7.8.101 LE Accept CIS Request
            > connection_handle:cis
            2067 7.8.102 LE Reject CIS Request
            > connection_handle:cis reason:status
            < status connection_handle:cis
            2068 7.8.103 LE Create BIG
            > big_handle:1h advertising_handle:1h num_bis:1 sdu_interval:3*us max_sdu:2
              max_transport_latency:2*ms rtn:1 phy:1|phys packing:1=packing framing:1=framing
              encryption:1=enable broadcast_code:16!
            2069 7.8.104 LE Create BIG Test
            > big_handle:1h advertising_handle:1h num_bis:1 sdu_interval:3*us iso_interval:2*1.25ms nse:1
              max_sdu:2 max_pdu:2 phy:1|phys packing:1=packing framing:1=framing bn:1 irc:1 pto:1
              encryption:1=enable broadcast_code:16!
            206A 7.8.105 LE Terminate BIG
            > big_handle:1h reason:status
            206B 7.8.106 LE BIG Create Sync
            > big_handle:1h sync_handle:2h encryption:1=enable broadcast_code:16! mse:1
              big_sync_timeout:2*10ms num_bis:1 bis:[num_bis](bis:1)
            206C 7.8.107 LE BIG Terminate Sync
            > big_handle:1h
            < status big_handle:1h
            206D 7.8.108 LE Request Peer SCA
            > connection_handle
            206E 7.8.109 LE Setup ISO Data Path
            > connection_handle:link data_path_direction:1=data_path_direction data_path_id:1=data_path_id
              coding_format:1=coding_format company_identifier:company vendor_codec_id:2x
              controller_delay:3*us codec_configuration_length:1
              codec_configuration:[codec_configuration_length]
            < status connection_handle:link
            206F 7.8.110 LE Remove ISO Data Path
            > connection_handle:link data_path_direction:1|data_path_directions
            < status connection_handle:link
            2070 7.8.111 LE ISO Transmit Test
            > connection_handle:link payload_type:1=iso_test_payload
            < status connection_handle:link
            2071 7.8.112 LE ISO Receive Test
            > connection_handle:link payload_type:1=iso_test_payload
            < status connection_handle:link
            2072 7.8.113 LE ISO Read Test Counters
            > connection_handle:link
            < status connection_handle:link received_sdu_count:4 missed_sdu_count:4 failed_sdu_count:4
            2073 7.8.114 LE ISO Test End
            > connection_handle:link
            < status connection_handle:link received_sdu_count:4 missed_sdu_count:4 failed_sdu_count:4
            2074 7.8.115 LE Set Host Feature [v1]
            > bit_number:1=le_feature_bit bit_value:1=enable
            < status
            2075 7.8.116 LE Read ISO Link Quality
            > connection_handle:link
            < status connection_handle:link tx_unacked_packets:4 tx_flushed_packets:4
              tx_last_subevent_packets:4 retransmitted_packets:4 crc_error_packets:4 rx_unreceived_packets:4
              duplicate_packets:4
            2076 7.8.117 LE Enhanced Read Transmit Power Level
            > connection_handle phy:1=power_phy
            < status connection_handle phy:1=power_phy current_tx_power_level:dBm max_tx_power_level:dBm
            2077 7.8.118 LE Read Remote Transmit Power Level
            > connection_handle phy:1=power_phy
            2078 7.8.119 LE Set Path Loss Reporting Parameters
            > connection_handle high_threshold:1 high_hysteresis:1 low_threshold:1 low_hysteresis:1
              min_time_spent:2
            < status connection_handle
            2079 7.8.120 LE Set Path Loss Reporting Enable
            > connection_handle enable:1=enable
            < status connection_handle
            207A 7.8.121 LE Set Transmit Power Reporting Enable
            > connection_handle local_enable:1=enable remote_enable:1=enable
            < status connection_handle
            207B 7.8.29 LE Transmitter Test [v4]
            > tx_channel:1 test_data_length:1 packet_payload:1=test_payload phy:1=test_phy cte_length:1*8us
              cte_type:1=cte_type switching_pattern_length:1
              antennas:[switching_pattern_length](antenna_id:1) tx_power_level:dBm
            < status
            207C 7.8.122 LE Set Data Related Address Changes
            > advertising_handle:1h change_reasons:1|address_change_reasons
            < status
            207D 7.8.123 LE Set Default Subrate
            > subrate_min:2 subrate_max:2 max_latency:2 continuation_number:2 supervision_timeout:2*10ms
            < status
            207E 7.8.124 LE Subrate Request
            > connection_handle subrate_min:2 subrate_max:2 max_latency:2 continuation_number:2
              supervision_timeout:2*10ms
            207F 7.8.53 LE Set Extended Advertising Parameters [v2]
            > advertising_handle:1h advertising_event_properties:2|advertising_event_properties
              primary_advertising_interval_min:3*625us primary_advertising_interval_max:3*625us
              primary_advertising_channel_map:1|advertising_channels own_address_type:1=own_address_type
              peer_address_type:1=address_type peer_address:addr
              advertising_filter_policy:1=advertising_filter_policy advertising_tx_power:dBm
              primary_advertising_phy:1=phy secondary_advertising_max_skip:1 secondary_advertising_phy:1=phy
              advertising_sid:1 scan_request_notification_enable:1=enable
              primary_advertising_phy_options:1=phy_options secondary_advertising_phy_options:1=phy_options
            < status selected_tx_power:dBm
            2082 7.8.125 LE Set Periodic Advertising Subevent Data
            > advertising_handle:1h num_subevents:1 subevents:[num_subevents](subevent:1
              response_slot_start:1 response_slot_count:1 subevent_data_length:1
              subevent_data:[subevent_data_length]ad)
            < status advertising_handle:1h
            2083 7.8.126 LE Set Periodic Advertising Response Data
            > sync_handle:2h request_event:2 request_subevent:1 response_subevent:1 response_slot:1
              response_data_length:1 response_data:[response_data_length]ad
            < status sync_handle:2h
            2084 7.8.127 LE Set Periodic Sync Subevent
            > sync_handle:2h periodic_advertising_properties:2|periodic_properties num_subevents:1
              subevents:[num_subevents](subevent:1)
            < status sync_handle:2h
            2085 7.8.66 LE Extended Create Connection [v2]
            > advertising_handle:1h subevent:1 initiator_filter_policy:1=initiator_filter_policy
              own_address_type:1=own_address_type peer_address_type:1=address_type peer_address:addr
              initiating_phys:1|phys phys:[#initiating_phys](@initiating_phy_parameters)
            2086 7.8.61 LE Set Periodic Advertising Parameters [v2]
            > advertising_handle:1h periodic_advertising_interval_min:2*1.25ms
              periodic_advertising_interval_max:2*1.25ms
              periodic_advertising_properties:2|periodic_properties num_subevents:1
              subevent_interval:1*1.25ms response_slot_delay:1*1.25ms response_slot_spacing:1*125us
              num_response_slots:1
            < status advertising_handle:1h
            2087 7.8.128 LE Read All Local Supported Features
            < status max_page:1 le_features:248
            2088 7.8.129 LE Read All Remote Features
            > connection_handle pages_requested:1
            2089 7.8.130 LE CS Read Local Supported Capabilities [v1]
            < status @cs_capabilities
            208A 7.8.131 LE CS Read Remote Supported Capabilities
            > connection_handle
            208B 7.8.132 LE CS Write Cached Remote Supported Capabilities [v1]
            > connection_handle @cs_capabilities
            < status connection_handle
            208C 7.8.133 LE CS Security Enable
            > connection_handle
            208D 7.8.134 LE CS Set Default Settings
            > connection_handle role_enable:1|cs_roles cs_sync_antenna_selection:1 max_tx_power:dBm
            < status connection_handle
            208E 7.8.135 LE CS Read Remote FAE Table
            > connection_handle
            208F 7.8.136 LE CS Write Cached Remote FAE Table
            > connection_handle remote_fae_table:72
            < status connection_handle
            2090 7.8.137 LE CS Create Config
            > connection_handle config_id:1 create_context:1=cs_context main_mode_type:1 sub_mode_type:1
              min_main_mode_steps:1 max_main_mode_steps:1 main_mode_repetition:1 mode_0_steps:1
              role:1=cs_role rtt_type:1=cs_rtt_type cs_sync_phy:1=phy channel_map:10
              channel_map_repetition:1 channel_selection_type:1=cs_channel_selection ch3c_shape:1=cs_shape
              ch3c_jump:1 cs_enhancements:1x
            2091 7.8.138 LE CS Remove Config
            > connection_handle config_id:1
            2092 7.8.139 LE CS Set Channel Classification
            > channel_classification:10
            < status
            2093 7.8.140 LE CS Set Procedure Parameters
            > connection_handle config_id:1 max_procedure_len:2*625us min_procedure_interval:2
              max_procedure_interval:2 max_procedure_count:2 min_subevent_len:3*us max_subevent_len:3*us
              tone_antenna_config_selection:1 phy:1=power_phy tx_power_delta:i1 preferred_peer_antenna:1x
              snr_control_initiator:1=cs_snr snr_control_reflector:1=cs_snr
            < status connection_handle
            2094 7.8.141 LE CS Procedure Enable
            > connection_handle config_id:1 enable:1=enable
            2095 7.8.142 LE CS Test
            > main_mode_type:1 sub_mode_type:1 main_mode_repetition:1 mode_0_steps:1 role:1=cs_role
              rtt_type:1=cs_rtt_type cs_sync_phy:1=phy cs_sync_antenna_selection:1 subevent_len:3*us
              subevent_interval:2*625us max_num_subevents:1 transmit_power_level:dBm t_ip1_time:1*us
              t_ip2_time:1*us t_fcs_time:1*us t_pm_time:1*us t_sw_time:1*us tone_antenna_config_selection:1
              cs_enhancements:1x snr_control_initiator:1=cs_snr snr_control_reflector:1=cs_snr drbg_nonce:2x
              channel_map_repetition:1 override_config:2x override_parameters_length:1
              override_parameters_data:[override_parameters_length]
            < status
            2096 7.8.143 LE CS Test End
            2097 7.8.115 LE Set Host Feature [v2]
            > bit_number:2=le_feature_bit bit_value:1=enable
            < status
            2098 7.8.144 LE Add Device To Monitored Advertisers List
            > address_type:1=address_type address:addr rssi_threshold_low:dBm rssi_threshold_high:dBm
              timeout:1*s
            < status
            2099 7.8.145 LE Remove Device From Monitored Advertisers List
            > address_type:1=address_type address:addr
            < status
            209A 7.8.146 LE Clear Monitored Advertisers List
            < status
            209B 7.8.147 LE Read Monitored Advertisers List Size
            < status monitored_advertisers_list_size:1
            209C 7.8.148 LE Enable Monitoring Advertisers
            > enable:1=enable
            < status
            209D 7.8.151 LE Frame Space Update
            > connection_handle frame_space_min:2*us frame_space_max:2*us phys:1|phys
              spacing_types:2|spacing_types
            209E 7.8.45 LE Set Resolvable Private Address Timeout [v2]
            > rpa_timeout_min:2*s rpa_timeout_max:2*s
            < status
            209F LE Enable UTP OTA Mode
            > ?
            20A0 LE UTP Send
            > ?
            20A1 7.8.154 LE Connection Rate Request
            > connection_handle connection_interval_min:2*125us connection_interval_max:2*125us
              subrate_min:2 subrate_max:2 max_latency:2 continuation_number:2 supervision_timeout:2*10ms
              min_ce_length:2*125us max_ce_length:2*125us
            20A2 7.8.155 LE Set Default Rate Parameters
            > connection_interval_min:2*125us connection_interval_max:2*125us subrate_min:2 subrate_max:2
              max_latency:2 continuation_number:2 supervision_timeout:2*10ms min_ce_length:2*125us
              max_ce_length:2*125us
            < status
            20A3 7.8.156 LE Read Minimum Supported Connection Interval
            < status minimum_supported_connection_interval:1*125us num_groups:1
              groups:[num_groups](group_min:2*125us group_max:2*125us group_stride:2*125us)
            20A5 7.8.130 LE CS Read Local Supported Capabilities [v2]
            < status @cs_capabilities @cs_inline_phase_capabilities
            20A6 LE CS Write Cached Remote Supported Capabilities [v2]
            > ?
            """)
}
