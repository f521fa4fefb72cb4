import WireBytes

extension HCIEventTable {
    /// LE Meta events by their subevent code, with the fields after it.
    ///
    /// Source: Vol 4, Part E, 7.7.65.
    static let leEvents = PDUTable(
        trusting: """
            #= LESubeventCode: The subevent code of an LE Meta event.
            # Source: Vol 4, Part E, 7.7.65.
            @cs_capabilities num_config_supported:1 max_consecutive_procedures_supported:2
              num_antennas_supported:1 max_antenna_paths_supported:1 roles_supported:1|cs_roles
              modes_supported:1|cs_modes rtt_capability:1|cs_rtt rtt_aa_only_n:1 rtt_sounding_n:1
              rtt_random_payload_n:1 nadm_sounding_capability:2x nadm_random_capability:2x
              cs_sync_phys_supported:1|cs_sync_phys subfeatures_supported:2|cs_subfeatures
              t_ip1_times_supported:2x t_ip2_times_supported:2x t_fcs_times_supported:2x
              t_pm_times_supported:2x t_sw_time_supported:1*us tx_snr_capability:1x
            @cs_step step_mode:1 step_channel:1 step_data_length:1 step_data:[step_data_length]
            @cs_inline_phase_capabilities t_ip2_ipt_times_supported:2x t_sw_ipt_times_supported:1*us
              rtt_2m_aa_only_n:1 rtt_2m_sounding_n:1 rtt_2m_random_payload_n:1
            01 7.7.65.1 LE Connection Complete
            #= LEConnectionComplete: Reports that a connection was established or failed; sent by older
            # controllers.
            > status connection_handle role:1=role peer_address_type:1=address_type peer_address:addr
              connection_interval:2*1.25ms peripheral_latency:2 supervision_timeout:2*10ms
              central_clock_accuracy:1=clock_accuracy
            02 7.7.65.2 LE Advertising Report
            #= LEAdvertisingReport reports=LEAdvertisingReportItem: Reports received advertisements,
            # from legacy PDUs only.
            > num_reports:1 reports:[num_reports](event_type:1=advertising_report_type
              address_type:1=address_type address:addr data_length:1 data:[data_length]ad rssi:dBm)
            03 7.7.65.3 LE Connection Update Complete
            #= LEConnectionUpdateComplete: Reports that the parameters of a connection changed, or could
            # not be changed.
            > status connection_handle connection_interval:2*1.25ms peripheral_latency:2
              supervision_timeout:2*10ms
            04 7.7.65.4 LE Read Remote Features Page 0 Complete
            #= LEReadRemoteFeaturesComplete: Reports the peer's LE features, or that they could not be
            # read.
            > status connection_handle le_features:8|le_features
            05 7.7.65.5 LE Long Term Key Request
            #= LELongTermKeyRequest: Reports that the central requests encryption with the key that EDIV
            # and Rand identify.
            > connection_handle random_number:8x encrypted_diversifier:2x
            06 7.7.65.6 LE Remote Connection Parameter Request
            #= LERemoteConnectionParameterRequest: Reports that the peer requests other connection
            # parameters.
            > connection_handle interval_min:2*1.25ms interval_max:2*1.25ms max_latency:2 timeout:2*10ms
            07 7.7.65.7 LE Data Length Change
            #= LEDataLengthChange: Reports that the length of Link Layer payloads on a connection
            # changed.
            > connection_handle max_tx_octets:2 max_tx_time:2*us max_rx_octets:2 max_rx_time:2*us
            08 7.7.65.8 LE Read Local P-256 Public Key Complete
            > status key_x_coordinate:32 key_y_coordinate:32
            09 7.7.65.9 LE Generate DH Key Complete
            > status dhkey:32!
            0A 7.7.65.10 LE Enhanced Connection Complete [v1]
            #= LEEnhancedConnectionComplete: Reports that a connection was established or failed, with
            # the resolvable private addresses in use.
            > status connection_handle role:1=role peer_address_type:1=address_type peer_address:addr
              local_resolvable_private_address:addr peer_resolvable_private_address:addr
              connection_interval:2*1.25ms peripheral_latency:2 supervision_timeout:2*10ms
              central_clock_accuracy:1=clock_accuracy
            0B 7.7.65.11 LE Directed Advertising Report
            > num_reports:1 reports:[num_reports](event_type:1=advertising_report_type
              address_type:1=address_type address:addr direct_address_type:1=address_type
              direct_address:addr rssi:dBm)
            0C 7.7.65.12 LE PHY Update Complete
            #= LEPHYUpdateComplete: Reports that the PHYs of a connection changed, or that a request for
            # others had no effect.
            > status connection_handle tx_phy:1=phy rx_phy:1=phy
            0D 7.7.65.13 LE Extended Advertising Report
            #= LEExtendedAdvertisingReport reports=LEExtendedAdvertisingReportItem
            # secondary_phy=LEPHY(rawValue:0) advertising_sid=0xFF tx_power=127 rssi=127: Reports
            # advertisements received while scanning with extended commands.
            > num_reports:1 reports:[num_reports](event_type:2|extended_event_type
              address_type:1=address_type address:addr primary_phy:1=phy secondary_phy:1=phy
              advertising_sid:1 tx_power:dBm rssi:dBm periodic_advertising_interval:2*1.25ms
              direct_address_type:1=address_type direct_address:addr data_length:1 data:[data_length]ad)
            0E 7.7.65.14 LE Periodic Advertising Sync Established [v1]
            > status sync_handle:2h advertising_sid:1 advertiser_address_type:1=address_type
              advertiser_address:addr advertiser_phy:1=phy periodic_advertising_interval:2*1.25ms
              advertiser_clock_accuracy:1=clock_accuracy
            0F 7.7.65.15 LE Periodic Advertising Report [v1]
            > sync_handle:2h tx_power:dBm rssi:dBm cte_type:1=cte_type data_status:1=data_status
              data_length:1 data:[data_length]ad
            10 7.7.65.16 LE Periodic Advertising Sync Lost
            > sync_handle:2h
            11 7.7.65.17 LE Scan Timeout
            #= LEScanTimeout: Reports that scanning ended after its duration.
            12 7.7.65.18 LE Advertising Set Terminated
            #= LEAdvertisingSetTerminated: Reports that advertising of a set ended: by a connection, its
            # duration or its limit.
            > status advertising_handle:1h connection_handle num_completed_extended_advertising_events:1
            13 7.7.65.19 LE Scan Request Received
            #= LEScanRequestReceived: Reports that a scanner requested the scan response of an
            # advertising set.
            > advertising_handle:1h scanner_address_type:1=address_type scanner_address:addr
            14 7.7.65.20 LE Channel Selection Algorithm
            > connection_handle channel_selection_algorithm:1=channel_selection
            15 7.7.65.21 LE Connectionless IQ Report
            > sync_handle:2h channel_index:1 rssi_tenths:i2 rssi_antenna_id:1 cte_type:1=cte_type
              slot_durations:1=slot_durations packet_status:1=iq_packet_status periodic_event_counter:2
              sample_count:1 samples:[sample_count](i_sample:i1 q_sample:i1)
            16 7.7.65.22 LE Connection IQ Report
            > connection_handle rx_phy:1=phy data_channel_index:1 rssi_tenths:i2 rssi_antenna_id:1
              cte_type:1=cte_type slot_durations:1=slot_durations packet_status:1=iq_packet_status
              connection_event_counter:2 sample_count:1 samples:[sample_count](i_sample:i1 q_sample:i1)
            17 7.7.65.23 LE CTE Request Failed
            > status connection_handle
            18 7.7.65.24 LE Periodic Advertising Sync Transfer Received [v1]
            > status connection_handle service_data:2x sync_handle:2h advertising_sid:1
              advertiser_address_type:1=address_type advertiser_address:addr advertiser_phy:1=phy
              periodic_advertising_interval:2*1.25ms advertiser_clock_accuracy:1=clock_accuracy
            19 7.7.65.25 LE CIS Established [v1]
            > status connection_handle:cis cig_sync_delay:3*us cis_sync_delay:3*us
              transport_latency_c_to_p:3*us transport_latency_p_to_c:3*us phy_c_to_p:1=phy phy_p_to_c:1=phy
              nse:1 bn_c_to_p:1 bn_p_to_c:1 ft_c_to_p:1 ft_p_to_c:1 max_pdu_c_to_p:2 max_pdu_p_to_c:2
              iso_interval:2*1.25ms
            1A 7.7.65.26 LE CIS Request
            > acl_connection_handle:acl cis_connection_handle:cis cig_id:1 cis_id:1
            1B 7.7.65.27 LE Create BIG Complete
            > status big_handle:1h big_sync_delay:3*us transport_latency_big:3*us phy:1=phy nse:1 bn:1 pto:1
              irc:1 max_pdu:2 iso_interval:2*1.25ms num_bis:1 handles:[num_bis](connection_handle:bis)
            1C 7.7.65.28 LE Terminate BIG Complete
            > big_handle:1h reason:status
            1D 7.7.65.29 LE BIG Sync Established
            > status big_handle:1h transport_latency_big:3*us nse:1 bn:1 pto:1 irc:1 max_pdu:2
              iso_interval:2*1.25ms num_bis:1 handles:[num_bis](connection_handle:bis)
            1E 7.7.65.30 LE BIG Sync Lost
            > big_handle:1h reason:status
            1F 7.7.65.31 LE Request Peer SCA Complete
            > status connection_handle peer_clock_accuracy:1=clock_accuracy
            20 7.7.65.32 LE Path Loss Threshold
            > connection_handle current_path_loss:1 zone_entered:1=path_loss_zone
            21 7.7.65.33 LE Transmit Power Reporting
            > status connection_handle reason:1=power_report_reason phy:1=power_phy tx_power_level:dBm
              tx_power_level_flag:1|power_level_flags delta:i1
            22 7.7.65.34 LE BIGInfo Advertising Report
            > sync_handle:2h num_bis:1 nse:1 iso_interval:2*1.25ms bn:1 pto:1 irc:1 max_pdu:2
              sdu_interval:3*us max_sdu:2 phy:1=phy framing:1=framing encryption:1=enable
            23 7.7.65.35 LE Subrate Change
            > status connection_handle subrate_factor:2 peripheral_latency:2 continuation_number:2
              supervision_timeout:2*10ms
            24 7.7.65.14 LE Periodic Advertising Sync Established [v2]
            > status sync_handle:2h advertising_sid:1 advertiser_address_type:1=address_type
              advertiser_address:addr advertiser_phy:1=phy periodic_advertising_interval:2*1.25ms
              advertiser_clock_accuracy:1=clock_accuracy num_subevents:1 subevent_interval:1*1.25ms
              response_slot_delay:1*1.25ms response_slot_spacing:1*125us
            25 7.7.65.15 LE Periodic Advertising Report [v2]
            > sync_handle:2h tx_power:dBm rssi:dBm cte_type:1=cte_type periodic_event_counter:2 subevent:1
              data_status:1=data_status data_length:1 data:[data_length]ad
            26 7.7.65.24 LE Periodic Advertising Sync Transfer Received [v2]
            > status connection_handle service_data:2x sync_handle:2h advertising_sid:1
              advertiser_address_type:1=address_type advertiser_address:addr advertiser_phy:1=phy
              periodic_advertising_interval:2*1.25ms advertiser_clock_accuracy:1=clock_accuracy
              num_subevents:1 subevent_interval:1*1.25ms response_slot_delay:1*1.25ms
              response_slot_spacing:1*125us
            27 7.7.65.36 LE Periodic Advertising Subevent Data Request
            > advertising_handle:1h subevent_start:1 subevent_data_count:1
            28 7.7.65.37 LE Periodic Advertising Response Report
            > advertising_handle:1h subevent:1 tx_status:1=tx_status num_responses:1
              responses:[num_responses](tx_power:dBm rssi:dBm cte_type:1=cte_type response_slot:1
              data_status:1=data_status data_length:1 data:[data_length]ad)
            29 7.7.65.10 LE Enhanced Connection Complete [v2]
            > status connection_handle role:1=role peer_address_type:1=address_type peer_address:addr
              local_resolvable_private_address:addr peer_resolvable_private_address:addr
              connection_interval:2*1.25ms peripheral_latency:2 supervision_timeout:2*10ms
              central_clock_accuracy:1=clock_accuracy advertising_handle:1h sync_handle:2h
            2A 7.7.65.25 LE CIS Established [v2]
            > status connection_handle:cis cig_sync_delay:3*us cis_sync_delay:3*us
              transport_latency_c_to_p:3*us transport_latency_p_to_c:3*us phy_c_to_p:1=phy phy_p_to_c:1=phy
              nse:1 bn_c_to_p:1 bn_p_to_c:1 ft_c_to_p:1 ft_p_to_c:1 max_pdu_c_to_p:2 max_pdu_p_to_c:2
              iso_interval:2*1.25ms sub_interval:3*us max_sdu_c_to_p:2 max_sdu_p_to_c:2
              sdu_interval_c_to_p:3*us sdu_interval_p_to_c:3*us framing:1=framing
            2B 7.7.65.38 LE Read All Remote Features Complete
            > status connection_handle max_remote_page:1 max_valid_page:1 le_features:248
            2C 7.7.65.39 LE CS Read Remote Supported Capabilities Complete [v1]
            > status connection_handle @cs_capabilities
            2D 7.7.65.40 LE CS Read Remote FAE Table Complete
            > status connection_handle remote_fae_table:72
            2E 7.7.65.41 LE CS Security Enable Complete
            > status connection_handle
            2F 7.7.65.42 LE CS Config Complete
            > status connection_handle config_id:1 action:1=cs_action main_mode_type:1 sub_mode_type:1
              min_main_mode_steps:1 max_main_mode_steps:1 main_mode_repetition:1 mode_0_steps:1
              role:1=cs_role rtt_type:1=cs_rtt_type cs_sync_phy:1=phy channel_map:10
              channel_map_repetition:1 channel_selection_type:1=cs_channel_selection ch3c_shape:1=cs_shape
              ch3c_jump:1 cs_enhancements:1x t_ip1_time:1*us t_ip2_time:1*us t_fcs_time:1*us t_pm_time:1*us
            30 7.7.65.43 LE CS Procedure Enable Complete
            > status connection_handle config_id:1 state:1=enable tone_antenna_config_selection:1
              selected_tx_power:dBm subevent_len:3*us subevents_per_event:1 subevent_interval:2*625us
              event_interval:2 procedure_interval:2 procedure_count:2 max_procedure_len:2*625us
            31 7.7.65.44 LE CS Subevent Result
            > connection_handle config_id:1 start_acl_conn_event_counter:2 procedure_counter:2
              frequency_compensation:2x reference_power_level:dBm procedure_done_status:1=cs_done
              subevent_done_status:1=cs_done abort_reason:1x num_antenna_paths:1 num_steps_reported:1
              steps:[num_steps_reported](@cs_step)
            32 7.7.65.45 LE CS Subevent Result Continue
            > connection_handle config_id:1 procedure_done_status:1=cs_done subevent_done_status:1=cs_done
              abort_reason:1x num_antenna_paths:1 num_steps_reported:1 steps:[num_steps_reported](@cs_step)
            33 7.7.65.46 LE CS Test End Complete
            > connection_handle status
            34 7.7.65.47 LE Monitored Advertisers Report
            > address_type:1=address_type address:addr condition:1=monitored_condition
            35 7.7.65.48 LE Frame Space Update Complete
            > status connection_handle initiator:1=frame_space_initiator frame_space:2*us phys:1|phys
              spacing_types:2|spacing_types
            36 LE UTP Receive
            > ?
            37 7.7.65.50 LE Connection Rate Change
            > status connection_handle connection_interval:2*125us subrate_factor:2 peripheral_latency:2
              continuation_number:2 supervision_timeout:2*10ms
            38 7.7.65.39 LE CS Read Remote Supported Capabilities Complete [v2]
            > status connection_handle @cs_capabilities @cs_inline_phase_capabilities
            """)
}
