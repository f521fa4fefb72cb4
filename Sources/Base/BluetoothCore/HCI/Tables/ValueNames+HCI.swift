import WireBytes

extension ValueNames {
    /// Names of the values and bits in HCI commands and events, in alphabetical order of the sets.
    ///
    /// Source: Vol 4, Part E, 7, at the commands and events that use a set; features: Vol 2, Part C, 3.3 and
    /// Vol 6, Part B, 4.6.
    static let hci: StaticText = """
        acl_packet_types: 1=no 2-DH1; no 3-DH1; DM1; DH1; 8=no 2-DH3; no 3-DH3; DM3; DH3; no 2-DH5;
          no 3-DH5; DM5; DH5
        address_change_reasons: advertising data changes; scan response data changes
        address_type: public; random; public identity; random identity; FE=random, unresolved; anonymous
        advertising_channels: 37; 38; 39
        advertising_event_properties: connectable; scannable; directed; high duty cycle directed;
          legacy PDUs; anonymous; include TX power; decision PDUs; AdvA in decision PDUs;
          ADI in decision PDUs
        advertising_filter_policy: any device; scan requests by accept list;
          connection requests by accept list; accept list only
        advertising_report_type: ADV_IND; ADV_DIRECT_IND; ADV_SCAN_IND; ADV_NONCONN_IND; SCAN_RSP
        advertising_type: connectable undirected; connectable directed, high duty cycle;
          scannable undirected; non-connectable undirected; connectable directed, low duty cycle
        air_mode: mu-law; A-law; CVSD; transparent
        all_phys: no TX preference; no RX preference
        authentication_requirements: no MITM, no bonding; MITM, no bonding; no MITM, dedicated bonding;
          MITM, dedicated bonding; no MITM, general bonding; MITM, general bonding
        auto_accept: 1=left to the host; accepted without role switch; accepted with role switch
        channel_selection: #1; #2
        clock_accuracy: 500 ppm; 250 ppm; 150 ppm; 100 ppm; 75 ppm; 50 ppm; 30 ppm; 20 ppm
        codec_transports: BR/EDR ACL; BR/EDR SCO or eSCO; LE CIS; LE BIS
        coded_phy_options: no preference; S=2 preferred; S=8 preferred; S=2 required; S=8 required
        coding_format: mu-law; A-law; CVSD; transparent; linear PCM; mSBC; LC3; G.729A; FF=vendor
        create_sync_options: use periodic advertiser list; reports disabled at first; duplicate filtering
        cs_action: removed; created
        cs_channel_selection: #3b; #3c
        cs_context: local; local and remote
        cs_done: all results complete; partial, more to come; F=aborted
        cs_modes: mode 3
        cs_role: initiator; reflector
        cs_roles: initiator; reflector
        cs_rtt: AA only; sounding; random payload
        cs_rtt_type: AA only; 32-bit sounding; 96-bit sounding; 32-bit random; 64-bit random; 96-bit random;
          128-bit random
        cs_shape: hat; X
        cs_snr: 18 dB; 21 dB; 24 dB; 27 dB; 30 dB; FF=none
        cs_subfeatures: 1=no frequency error; channel selection #3c;
          phase-based ranging from sounding sequence
        cs_sync_phys: 1=LE 2M; LE 2M 2BT
        cte_type: AoA; AoD 1 us slots; AoD 2 us slots; FF=none
        cte_types: AoA; AoD 1 us slots; AoD 2 us slots
        data_operation: intermediate fragment; first fragment; last fragment; complete; unchanged
        data_path_direction: host to controller; controller to host
        data_path_directions: host to controller; controller to host
        data_path_id: HCI; FF=disabled
        data_status: complete; incomplete, more to come; incomplete, truncated; FF=failed to receive
        dh_key_type: generated private key; debug private key
        enable: disabled; enabled
        encryption: off; on; on (AES-CCM)
        #= HCIStatus: The outcome of a command or an event, or the reason for a disconnection: a controller
        # error code. Source: Vol 1, Part F, 1.3.
        error_code: Success; Unknown HCI Command; Unknown Connection Identifier; Hardware Failure;
          Page Timeout; Authentication Failure; PIN or Key Missing; Memory Capacity Exceeded;
          Connection Timeout; Connection Limit Exceeded; Synchronous Connection Limit to a Device Exceeded;
          Connection Already Exists; Command Disallowed; Connection Rejected due to Limited Resources;
          Connection Rejected due to Security Reasons; Connection Rejected due to Unacceptable BD_ADDR;
          Connection Accept Timeout Exceeded; Unsupported Feature or Parameter Value;
          Invalid HCI Command Parameters; Remote User Terminated Connection;
          Remote Device Terminated Connection due to Low Resources;
          Remote Device Terminated Connection due to Power Off; Connection Terminated by Local Host;
          Repeated Attempts; Pairing Not Allowed; Unknown LMP PDU; Unsupported Remote Feature;
          SCO Offset Rejected; SCO Interval Rejected; SCO Air Mode Rejected;
          Invalid LMP Parameters or LL Parameters; Unspecified Error;
          Unsupported LMP Parameter Value or LL Parameter Value; Role Change Not Allowed;
          LMP Response Timeout or LL Response Timeout;
          LMP Error Transaction Collision or LL Procedure Collision; LMP PDU Not Allowed;
          Encryption Mode Not Acceptable; Link Key cannot be Changed; Requested QoS Not Supported;
          Instant Passed; Pairing with Unit Key Not Supported; Different Transaction Collision;
          2C=QoS Unacceptable Parameter; QoS Rejected; Channel Classification Not Supported;
          Insufficient Security; Parameter Out Of Mandatory Range; 32=Role Switch Pending;
          34=Reserved Slot Violation; Role Switch Failed; Extended Inquiry Response Too Large;
          Secure Simple Pairing Not Supported By Host; Host Busy - Pairing;
          Connection Rejected due to No Suitable Channel Found; Controller Busy;
          Unacceptable Connection Parameters; Advertising Timeout; Connection Terminated due to MIC Failure;
          Connection Failed to be Established or Synchronization Timeout; MAC Connection Failed;
          Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging;
          Type0 Submap Not Defined; Unknown Advertising Identifier; Limit Reached;
          Operation Cancelled by Host; Packet Too Long; Too Late; Too Early; Insufficient Channels
        event_mask: Inquiry Complete; Inquiry Result; Connection Complete; Connection Request;
          Disconnection Complete; Authentication Complete; Remote Name Request Complete;
          Encryption Change [v1]; Change Connection Link Key Complete; Link Key Type Changed;
          Read Remote Supported Features Complete; Read Remote Version Information Complete;
          QoS Setup Complete; F=Hardware Error; Flush Occurred; Role Change; 13=Mode Change;
          Return Link Keys; PIN Code Request; Link Key Request; Link Key Notification; Loopback Command;
          Data Buffer Overflow; Max Slots Change; Read Clock Offset Complete;
          Connection Packet Type Changed; QoS Violation; 1F=Page Scan Repetition Mode Change;
          Flow Specification Complete; Inquiry Result with RSSI; Read Remote Extended Features Complete;
          2B=Synchronous Connection Complete; Synchronous Connection Changed; Sniff Subrating;
          Extended Inquiry Result; Encryption Key Refresh Complete; IO Capability Request;
          IO Capability Response; User Confirmation Request; User Passkey Request; Remote OOB Data Request;
          Simple Pairing Complete; 37=Link Supervision Timeout Changed; Enhanced Flush Complete;
          3A=User Passkey Notification; Keypress Notification; Remote Host Supported Features Notification;
          LE Meta
        event_mask_page2: 8=Number Of Completed Data Blocks; E=Triggered Clock Capture;
          Synchronization Train Complete; Synchronization Train Received;
          Connectionless Peripheral Broadcast Receive; Connectionless Peripheral Broadcast Timeout;
          Truncated Page Complete; Peripheral Page Response Timeout;
          Connectionless Peripheral Broadcast Channel Map Change; Inquiry Response Notification;
          Authenticated Payload Timeout Expired; SAM Status Change; Encryption Change [v2]
        extended_event_type: connectable; scannable; directed; scan response; legacy; more data to come;
          data truncated
        filter_condition: any; class of device; address
        filter_duplicates: disabled; enabled; enabled, reset each period
        filter_type: clear all; inquiry result; connection setup
        flow_control_mode: packets; data blocks
        flow_direction: outgoing; incoming
        flush_type: automatically flushable only
        fragment_preference: may fragment; should not fragment
        frame_space_initiator: local host; local controller; peer
        framing: unframed; framed, segmentable; framed, unsegmented
        hold_mode_activity: page scan; inquiry scan; periodic inquiries
        host_flow_control: ACL data; synchronous data
        initiator_filter_policy: peer address; filter accept list; any decision PDU;
          accept list, decision PDUs too; accept list, decision PDUs only
        inquiry_mode: standard; with RSSI; with RSSI or extended
        inquiry_scan_type: standard; interlaced
        io_capability: DisplayOnly; DisplayYesNo; KeyboardOnly; NoInputNoOutput
        iq_packet_status: CRC correct; CRC wrong, length used; CRC wrong, length found otherwise;
          FF=not enough resources
        iso_test_payload: zero length; variable length; maximum length
        key_flag: semi-permanent; temporary
        key_type: combination; local unit; remote unit; debug combination; unauthenticated P-192;
          authenticated P-192; changed combination; unauthenticated P-256; authenticated P-256
        keypress: entry started; digit entered; digit erased; cleared; entry completed
        le_event_mask: LE Connection Complete; LE Advertising Report; LE Connection Update Complete;
          LE Read Remote Features Page 0 Complete; LE Long Term Key Request;
          LE Remote Connection Parameter Request; LE Data Length Change;
          LE Read Local P-256 Public Key Complete; LE Generate DHKey Complete;
          LE Enhanced Connection Complete [v1]; LE Directed Advertising Report; LE PHY Update Complete;
          LE Extended Advertising Report; LE Periodic Advertising Sync Established [v1];
          LE Periodic Advertising Report [v1]; LE Periodic Advertising Sync Lost; LE Scan Timeout;
          LE Advertising Set Terminated; LE Scan Request Received; LE Channel Selection Algorithm;
          LE Connectionless IQ Report; LE Connection IQ Report; LE CTE Request Failed;
          LE Periodic Advertising Sync Transfer Received [v1]; LE CIS Established [v1]; LE CIS Request;
          LE Create BIG Complete; LE Terminate BIG Complete; LE BIG Sync Established; LE BIG Sync Lost;
          LE Request Peer SCA Complete; LE Path Loss Threshold; LE Transmit Power Reporting;
          LE BIGInfo Advertising Report; LE Subrate Change; LE Periodic Advertising Sync Established [v2];
          LE Periodic Advertising Report [v2]; LE Periodic Advertising Sync Transfer Received [v2];
          LE Periodic Advertising Subevent Data Request; LE Periodic Advertising Response Report;
          LE Enhanced Connection Complete [v2]; LE CIS Established [v2];
          LE Read All Remote Features Complete; LE CS Read Remote Supported Capabilities Complete;
          LE CS Read Remote FAE Table Complete; LE CS Security Enable Complete; LE CS Config Complete;
          LE CS Procedure Enable Complete; LE CS Subevent Result; LE CS Subevent Result Continue;
          LE CS Test End Complete; LE Monitored Advertisers Report; LE Frame Space Update Complete
        le_feature_bit: 20=Connected Isochronous Stream (Host Support);
          26=Connection Subrating (Host Support); 2F=Channel Sounding (Host Support);
          41=LL Extended Feature Set (Host Support)
        #= LEFeatures 8 bits: The Link Layer features of a device. Source: Vol 6, Part B, 4.6.
        le_features: LE Encryption; Connection Parameters Request Procedure; Extended Reject Indication;
          Peripheral-initiated Features Exchange; LE Ping; LE Data Packet Length Extension; LL Privacy;
          Extended Scanning Filter Policies; LE 2M PHY; Stable Modulation Index - Transmitter;
          Stable Modulation Index - Receiver; LE Coded PHY; LE Extended Advertising;
          LE Periodic Advertising; Channel Selection Algorithm #2; LE Power Class 1;
          Minimum Number of Used Channels Procedure; Connection CTE Request; Connection CTE Response;
          Connectionless CTE Transmitter; Connectionless CTE Receiver;
          Antenna Switching During CTE Transmission (AoD); Antenna Switching During CTE Reception (AoA);
          Receiving Constant Tone Extensions; Periodic Advertising Sync Transfer - Sender;
          Periodic Advertising Sync Transfer - Recipient; Sleep Clock Accuracy Updates;
          Remote Public Key Validation; Connected Isochronous Stream - Central;
          Connected Isochronous Stream - Peripheral; Isochronous Broadcaster; Synchronized Receiver;
          Connected Isochronous Stream (Host Support); LE Power Control Request; LE Power Change Indication;
          LE Path Loss Monitoring; Periodic Advertising ADI Support; Connection Subrating;
          Connection Subrating (Host Support); Channel Classification; Advertising Coding Selection;
          Advertising Coding Selection (Host Support); Decision-Based Advertising Filtering;
          Periodic Advertising with Responses - Advertiser; Periodic Advertising with Responses - Scanner;
          Unsegmented Framed Mode; Channel Sounding; Channel Sounding (Host Support);
          Channel Sounding Tone Quality Indication; 3F=LL Extended Feature Set
        link_policy: role switch; hold mode; sniff mode
        link_type: SCO; ACL; eSCO
        lmp_features: 3 slot packets; 5 slot packets; Encryption; Slot offset; Timing accuracy; Role switch;
          Hold mode; Sniff mode; 9=Power control requests; CQDDR; SCO link; HV2 packets; HV3 packets;
          mu-law log data; A-law log data; CVSD data; Paging parameter negotiation; Power control;
          Transparent synchronous data; 17=Broadcast encryption; 19=EDR ACL 2 Mb/s; EDR ACL 3 Mb/s;
          Enhanced inquiry scan; Interlaced inquiry scan; Interlaced page scan; RSSI with inquiry results;
          EV3 packets; EV4 packets; EV5 packets; 23=AFH capable peripheral; AFH classification peripheral;
          BR/EDR not supported; LE supported (controller); 3-slot EDR ACL packets; 5-slot EDR ACL packets;
          Sniff subrating; Pause encryption; AFH capable central; AFH classification central;
          EDR eSCO 2 Mb/s; EDR eSCO 3 Mb/s; 3-slot EDR eSCO packets; Extended inquiry response;
          Simultaneous LE and BR/EDR (controller); 33=Secure Simple Pairing (controller); Encapsulated PDU;
          Erroneous data reporting; Non-flushable packet boundary flag;
          38=HCI_Link_Supervision_Timeout_Changed event; Variable inquiry TX power; Enhanced power control;
          3F=Extended features
        logical_transport: BR/EDR ACL; BR/EDR SCO or eSCO; LE CIS; LE BIS
        loopback: none; local; remote
        mode: active; hold; sniff; park
        modulation_index: standard; stable
        monitored_condition: lost; found
        oob_data: none; P-192; P-256; P-192 and P-256
        own_address_type: public; random; resolvable or public; resolvable or random
        packing: sequential; interleaved
        page_scan_repetition: R0; R1; R2
        pairing_options: remote public key validation
        path_loss_zone: low; middle; high
        pcm_format: none; 1's complement; 2's complement; sign and magnitude; unsigned
        periodic_enable: enabled; include ADI
        periodic_properties: 6=include TX power
        #= LEPHY: A physical layer of LE. Source: Vol 4, Part E, 7.8.47.
        phy: 1=LE 1M; LE 2M; LE Coded
        phy_options: no preference; S=2 preferred; S=8 preferred; S=2 required; S=8 required
        #= LEPHYs 1 bits: A set of physical layers, as in commands. Source: Vol 4, Part E, 7.8.48.
        phys: LE 1M; LE 2M; LE Coded
        pin_type: variable; fixed
        power_level_flags: minimum; maximum
        power_level_type: current; maximum
        power_phy: 1=LE 1M; LE 2M; LE Coded S=8; LE Coded S=2
        power_report_reason: local change; remote change; read remote completed
        privacy_mode: network privacy; device privacy
        receive_enable: reporting; duplicate filtering
        retransmission_effort: none; for power; for quality; FF=no preference
        role: central; peripheral
        sampling_rates: 1 us AoD transmit; 1 us AoD receive; 1 us AoA receive
        scan_enable: none; inquiry scan; page scan; inquiry and page scan
        scan_filter_policy: basic unfiltered; basic filtered; extended unfiltered; extended filtered
        scan_type: passive; active
        service_type: no traffic; best effort; guaranteed
        sleep_clock_action: more accurate; less accurate
        slot_durations: 1=1 us; 2 us
        spacing_types: T_IFS_ACL_CP; T_IFS_ACL_PC; T_MCES; T_IFS_CIS; T_MSS_CIS
        sync_cte_type: not AoA; not AoD 1 us; not AoD 2 us; not type 3; not without CTE
        sync_transfer_mode: ignored; reports disabled; reports enabled; reports enabled, duplicates filtered
        synchronous_packet_types: HV1; HV2; HV3; EV3; EV4; EV5; no 2-EV3; no 3-EV3; no 2-EV5; no 3-EV5
        test_payload: PRBS9; 11110000; 10101010; PRBS15; 11111111; 00000000; 00001111; 01010101
        test_phy: 1=LE 1M; LE 2M; LE Coded S=8; LE Coded S=2
        tx_status: transmitted; not transmitted
        version: 1.0b; 1.1; 1.2; 2.0 + EDR; 2.1 + EDR; 3.0 + HS; 4.0; 4.1; 4.2; 5.0; 5.1; 5.2; 5.3; 5.4;
          6.0; 6.1; 6.2
        which_clock: local; piconet
        """
}
