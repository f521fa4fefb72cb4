import WireBytes

extension ManagementTable {
    /// Commands that a program gives to the kernel.
    ///
    /// Source: the management interface of the Linux kernel (mgmt-api).
    static let commands = PDUTable(
        trusting: """
            #= ManagementCommand 2: The opcode of a command that a program gives to the kernel.
            # Source: the management interface of the Linux kernel (mgmt-api).
            @peer address:addr address_type:1=mgmt_address_type
            @long_term_key @peer key_type:1=ltk_type central:1 encryption_size:1 encryption_diversifier:2x
              random_number:8x value:16!
            0001 Read Management Version Information
            > ?
            < version:1 revision:2
            0002 Read Management Supported Commands
            > ?
            < num_commands:2 num_events:2 commands:[num_commands](code:2x) events:[num_events](code:2x)
            0003 Read Controller Index List
            > ?
            < num_controllers:2 indices:[num_controllers](index:2)
            0004 Read Controller Information
            > ?
            < address:addr bluetooth_version:1=version manufacturer:company supported_settings:4|setting
              current_settings:4|setting class_of_device:3x name:249" short_name:11"
            0005 Set Powered
            > powered:1=mgmt_enable
            < current_settings:4|setting
            0006 Set Discoverable
            > discoverable:1=discoverable timeout:2*s
            < current_settings:4|setting
            0007 Set Connectable
            > connectable:1=mgmt_enable
            < current_settings:4|setting
            0008 Set Fast Connectable
            > enable:1=mgmt_enable
            < current_settings:4|setting
            0009 Set Bondable
            > bondable:1=mgmt_enable
            < current_settings:4|setting
            000A Set Link Security
            > link_security:1=mgmt_enable
            < current_settings:4|setting
            000B Set Secure Simple Pairing
            > secure_simple_pairing:1=mgmt_enable
            < current_settings:4|setting
            000C Set High Speed
            > high_speed:1=mgmt_enable
            < current_settings:4|setting
            000D Set Low Energy
            > low_energy:1=mgmt_enable
            < current_settings:4|setting
            000E Set Device Class
            > major_class:1x minor_class:1x
            < class_of_device:3x
            000F Set Local Name
            > name:249" short_name:11"
            < name:249" short_name:11"
            0010 Add UUID
            > uuid:uuid16 service_hint:1x
            < class_of_device:3x
            0011 Remove UUID
            > uuid:uuid16
            < class_of_device:3x
            0012 Load Link Keys
            > debug_keys:1=mgmt_enable key_count:2 keys:[key_count](@peer key_type:1=link_key_type value:16!
              pin_length:1)
            0013 Load Long Term Keys
            > key_count:2 keys:[key_count](@long_term_key)
            0014 Disconnect
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0015 Get Connections
            > ?
            < connection_count:2 connections:[connection_count](address:addr
              address_type:1=mgmt_address_type)
            0016 PIN Code Reply
            > @peer pin_length:1 pin_code:16!
            < address:addr address_type:1=mgmt_address_type
            0017 PIN Code Negative Reply
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0018 Set IO Capability
            > io_capability:1=io_capability
            0019 Pair Device
            > @peer io_capability:1=io_capability
            < address:addr address_type:1=mgmt_address_type
            001A Cancel Pair Device
            > @peer
            < address:addr address_type:1=mgmt_address_type
            001B Unpair Device
            > @peer disconnect:1=mgmt_enable
            < address:addr address_type:1=mgmt_address_type
            001C User Confirmation Reply
            > @peer
            < address:addr address_type:1=mgmt_address_type
            001D User Confirmation Negative Reply
            > @peer
            < address:addr address_type:1=mgmt_address_type
            001E User Passkey Reply
            > @peer passkey:4!
            < address:addr address_type:1=mgmt_address_type
            001F User Passkey Negative Reply
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0020 Read Local Out Of Band Data
            > ?!
            0021 Add Remote Out Of Band Data
            > ?!
            0022 Remove Remote Out Of Band Data
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0023 Start Discovery
            > address_type:1|discovery_type
            < address_type:1|discovery_type
            0024 Stop Discovery
            > address_type:1|discovery_type
            < address_type:1|discovery_type
            0025 Confirm Name
            > @peer name_known:1=mgmt_enable
            < address:addr address_type:1=mgmt_address_type
            0026 Block Device
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0027 Unblock Device
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0028 Set Device ID
            > source:2 vendor:2x product:2x version:2x
            0029 Set Advertising
            > advertising:1=advertising
            < current_settings:4|setting
            002A Set BR/EDR
            > br_edr:1=mgmt_enable
            < current_settings:4|setting
            002B Set Static Address
            > address:addr
            < current_settings:4|setting
            002C Set Scan Parameters
            > interval:2*625us window:2*625us
            002D Set Secure Connections
            > secure_connections:1=secure_connections
            < current_settings:4|setting
            002E Set Debug Keys
            > debug_keys:1=debug_keys
            < current_settings:4|setting
            002F Set Privacy
            > privacy:1=privacy identity_resolving_key:16!
            < current_settings:4|setting
            0030 Load Identity Resolving Keys
            > key_count:2 keys:[key_count](@peer value:16!)
            0031 Get Connection Information
            > @peer
            < @peer rssi:dBm tx_power:dBm max_tx_power:dBm
            0032 Get Clock Information
            > @peer
            < @peer local_clock:4 piconet_clock:4 accuracy:2
            0033 Add Device
            > @peer action:1=device_action
            < address:addr address_type:1=mgmt_address_type
            0034 Remove Device
            > @peer
            < address:addr address_type:1=mgmt_address_type
            0035 Load Connection Parameters
            > parameter_count:2 parameters:[parameter_count](@peer connection_interval_min:2*1.25ms
              connection_interval_max:2*1.25ms latency:2 supervision_timeout:2*10ms)
            0036 Read Unconfigured Controller Index List
            > ?
            < num_controllers:2 indices:[num_controllers](index:2)
            0037 Read Controller Configuration Information
            > ?
            < manufacturer:company supported_options:4x missing_options:4x
            0038 Set External Configuration
            > ?
            0039 Set Public Address
            > ?
            003A Start Service Discovery
            > address_type:1|discovery_type rssi_threshold:dBm uuid_count:2 uuids:[uuid_count](uuid:uuid16)
            < address_type:1|discovery_type
            003B Read Local Out Of Band Extended Data
            > ?!
            003C Read Extended Controller Index List
            > ?
            < num_controllers:2 indices:[num_controllers](index:2 type:1=controller_type bus:1=bus)
            003D Read Advertising Features
            > ?
            < supported_flags:4|advertising_flag max_advertising_data_length:1 max_scan_response_length:1
              max_instances:1 num_instances:1 instances:[num_instances](instance:1)
            003E Add Advertising
            > instance:1 flags:4|advertising_flag duration:2*s timeout:2*s advertising_data_length:1
              scan_response_length:1 advertising_data:[advertising_data_length]ad
              scan_response:[scan_response_length]ad
            < instance:1
            003F Remove Advertising
            > instance:1
            < instance:1
            0040 Get Advertising Size Information
            > instance:1 flags:4|advertising_flag
            < instance:1 flags:4|advertising_flag max_advertising_data_length:1 max_scan_response_length:1
            0041 Start Limited Discovery
            > address_type:1|discovery_type
            < address_type:1|discovery_type
            0042 Read Extended Controller Information
            > ?
            < address:addr bluetooth_version:1=version manufacturer:company supported_settings:4|setting
              current_settings:4|setting eir_data_length:2 eir_data:[eir_data_length]ad
            0043 Set Appearance
            > appearance:2x
            0044 Get PHY Configuration
            > ?
            < supported_phys:4|mgmt_phy configurable_phys:4|mgmt_phy selected_phys:4|mgmt_phy
            0045 Set PHY Configuration
            > selected_phys:4|mgmt_phy
            0046 Load Blocked Keys
            > ?!
            0047 Set Wideband Speech
            > wideband_speech:1=mgmt_enable
            < current_settings:4|setting
            0048 Read Controller Capabilities
            > ?
            0049 Read Experimental Features Information
            > ?
            < feature_count:2 features:[feature_count](uuid:uuid16 flags:4x)
            004A Set Experimental Feature
            > uuid:uuid16 action:1=mgmt_enable
            < uuid:uuid16 flags:4x
            004B Read Default System Configuration
            > ?
            004C Set Default System Configuration
            > ?
            004D Read Default Runtime Configuration
            > ?
            004E Set Default Runtime Configuration
            > ?
            004F Get Device Flags
            > @peer
            < @peer supported_flags:4|device_flag current_flags:4|device_flag
            0050 Set Device Flags
            > @peer current_flags:4|device_flag
            < address:addr address_type:1=mgmt_address_type
            0051 Read Advertisement Monitor Features
            > ?
            < supported_features:4x enabled_features:4x max_num_handles:2 max_num_patterns:1 num_handles:2
              monitors:[num_handles](monitor_handle:2x)
            0052 Add Advertisement Patterns Monitor
            > pattern_count:1 patterns:[pattern_count](ad_type:1x offset:1 pattern_length:1 value:31)
            < monitor_handle:2x
            0053 Remove Advertisement Monitors
            > monitor_handle:2x
            < monitor_handle:2x
            0054 Add Extended Advertising Parameters
            > instance:1 flags:4|advertising_flag duration:2*s timeout:2*s interval_min:4*625us
              interval_max:4*625us tx_power:dBm
            < instance:1 tx_power:dBm max_advertising_data_length:1 max_scan_response_length:1
            0055 Add Extended Advertising Data
            > instance:1 advertising_data_length:1 scan_response_length:1
              advertising_data:[advertising_data_length]ad scan_response:[scan_response_length]ad
            < instance:1
            0056 Add Advertisement Patterns Monitor With RSSI Threshold
            > high_threshold:dBm high_timeout:2*s low_threshold:dBm low_timeout:2*s sampling_period:1*100ms
              pattern_count:1 patterns:[pattern_count](ad_type:1x offset:1 pattern_length:1 value:31)
            < monitor_handle:2x
            0057 Set Mesh Receiver
            > ?
            0058 Read Mesh Features
            > ?
            0059 Transmit Mesh Packet
            > ?
            005A Cancel Transmit Mesh Packet
            > ?
            """)
}
