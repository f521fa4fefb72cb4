import WireBytes

extension ValueNames {
    /// Names of the codes, values and bits in ATT, GATT, SMP, L2CAP and advertising data.
    ///
    /// Sources: Vol 3, Part F, 3.3 and 3.4.1.1; Part G, 3.3 and 7; Part H, 3; Part A, 2.1, 4 and 5; the
    /// Supplement, Part A; Assigned Numbers, 2.3.
    static let protocols: StaticText = """
        ad_address_type: Public; Random
        #= ADFlags 1 bits: Discoverability flags of a device.
        # Source: Supplement to the Core Specification, Part A, 1.3.
        ad_flags: LE Limited Discoverable Mode; LE General Discoverable Mode; BR/EDR Not Supported;
          Simultaneous LE and BR/EDR (Controller); Simultaneous LE and BR/EDR (Host)
        ad_role: Only Peripheral Role supported; Only Central Role supported;
          Peripheral and Central Role supported, Peripheral Role preferred;
          Peripheral and Central Role supported, Central Role preferred
        ad_security_manager_flags: OOB data present; LE supported; Simultaneous LE and BR/EDR;
          Random address
        ad_vendor_id_source: 1=Bluetooth SIG; USB Implementer's Forum
        #= ATTErrorCode: Reason why a server refused a request.
        # Source: Core Specification, Vol 3, Part F, 3.4.1.1; the common profile and service codes are those
        # of the Supplement, Part B, 1.2.
        att_error: 1=Invalid Handle; Read Not Permitted; Write Not Permitted; Invalid PDU;
          Insufficient Authentication; Request Not Supported; Invalid Offset; Insufficient Authorization;
          Prepare Queue Full; Attribute Not Found; Attribute Not Long; Encryption Key Size Too Short;
          Invalid Attribute Value Length; Unlikely Error; Insufficient Encryption; Unsupported Group Type;
          Insufficient Resources; Database Out Of Sync; Value Not Allowed; 80-9F=Application Error;
          E0-FB=Common Profile or Service Error; Write Request Rejected;
          Client Characteristic Configuration Descriptor Improperly Configured;
          Procedure Already in Progress; Out of Range
        att_execute_write_flags: Cancel all prepared writes; Write all pending values
        att_information_format: 1=16-bit UUIDs; 128-bit UUIDs
        #= GATTClientConfiguration 2 bits: The value updates that a client requests for a characteristic.
        # Source: Core Specification, Vol 3, Part G, 3.3.3.3.
        gatt_client_configuration: Notification; Indication
        #= GATTCharacteristicProperties 1 bits: Operations that a characteristic permits on its value.
        # Source: Core Specification, Vol 3, Part G, 3.3.1.1.
        gatt_properties: Broadcast; Read; Write Without Response; Write; Notify; Indicate;
          Authenticated Signed Writes; Extended Properties
        l2cap_channel: 1=L2CAP Signalling; Connectionless; AMP Manager; ATT; LE L2CAP Signalling; SMP;
          BR/EDR SMP; 3F=AMP Test Manager
        l2cap_configuration_flags: Continuation
        l2cap_configuration_result: Success; Failure - unacceptable parameters;
          Failure - rejected (no reason provided); Failure - unknown options; Pending;
          Failure - flow spec rejected
        l2cap_connection_result: Connection successful; Connection pending;
          Connection refused - PSM not supported; Connection refused - security block;
          Connection refused - no resources available; 6=Connection refused - invalid Source CID;
          Connection refused - Source CID already allocated
        l2cap_connection_status: No further information available; Authentication pending;
          Authorization pending
        l2cap_credit_based_result: All connections successful;
          2=All connections refused - SPSM not supported;
          4=Some connections refused - insufficient resources available;
          All connections refused - insufficient authentication;
          All connections refused - insufficient authorization;
          All connections refused - encryption key size too short;
          All connections refused - insufficient encryption; Some connections refused - invalid Source CID;
          Some connections refused - Source CID already allocated;
          All connections refused - unacceptable parameters; All connections refused - invalid parameters;
          All connections pending - no further information available;
          All connections pending - authentication pending; All connections pending - authorization pending
        l2cap_psm: 1=SDP; 3=RFCOMM; 5=TCS-BIN; F=BNEP; 11=HID Control; 13=HID Interrupt; 17=AVCTP; 19=AVDTP;
          1B=AVCTP Browsing; 1F=ATT; 21=3DSP; 23=IPSP; 25=OTS; 27=EATT
        rfcomm_frame: F=DM (not open); 2F=SABM (open); 43=DISC (close); 63=UA (accepted); EF=UIH (data)
        l2cap_credit_based_result_of_one: Connection successful; 2=Connection refused - SPSM not supported;
          4=Connection refused - no resources available; Connection refused - insufficient authentication;
          Connection refused - insufficient authorization;
          Connection refused - encryption key size too short; Connection refused - insufficient encryption;
          Connection refused - invalid Source CID; Connection refused - Source CID already allocated;
          Connection refused - unacceptable parameters
        l2cap_information_result: Success; Not supported
        l2cap_information_type: 1=Connectionless MTU; Extended Features Supported;
          Fixed Channels Supported over BR/EDR
        l2cap_option: 1=MTU; Flush Timeout; QoS; Retransmission and Flow Control; FCS;
          Extended Flow Specification; Extended Window Size; 81=MTU; Flush Timeout; QoS;
          Retransmission and Flow Control; FCS; Extended Flow Specification; Extended Window Size
        l2cap_parameter_update_result: Accepted; Rejected
        l2cap_reconfigure_result: Reconfiguration successful;
          Reconfiguration failed - reduction in size of MTU not allowed;
          3=Reconfiguration failed - one or more Destination CIDs invalid;
          Reconfiguration failed - other unacceptable parameters
        #= L2CAPRejectReason 2: Reason why a signalling command was rejected.
        # Source: Core Specification, Vol 3, Part A, 4.1.
        l2cap_reject_reason: Command not understood; Signaling MTU exceeded; Invalid CID in request
        smp_address_type: Public; Static random
        smp_auth_req: Bonding; 2=MITM; SC; Keypress; CT2
        #= PairingReason: The reasons of Pairing Failed.
        # Source: Core Specification, Vol 3, Part H, 3.5.5.
        smp_failure_reason: 1=Passkey Entry Failed; OOB Not Available; Authentication Requirements;
          Confirm Value Failed; Pairing Not Supported; Encryption Key Size; Command Not Supported;
          Unspecified Reason; Repeated Attempts; Invalid Parameters; DHKey Check Failed;
          Numeric Comparison Failed; BR/EDR pairing in progress;
          Cross-transport Key Derivation/Generation not allowed; Key Rejected; Busy
        smp_io_capability: DisplayOnly; DisplayYesNo; KeyboardOnly; NoInputNoOutput; KeyboardDisplay
        smp_key_distribution: EncKey; IdKey; SignKey; LinkKey
        smp_keypress: Passkey entry started; Passkey digit entered; Passkey digit erased; Passkey cleared;
          Passkey entry completed
        smp_oob_flag: Not present; Present
        """
}
