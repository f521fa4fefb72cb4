import WireBytes

extension ManagementTable {
    /// Events that the kernel sends to a program.
    ///
    /// Source: the management interface of the Linux kernel (mgmt-api).
    static let events = PDUTable(
        trusting: """
            #= ManagementEvent 2: The code of an event that the kernel sends to a program.
            # Source: the management interface of the Linux kernel (mgmt-api).
            @peer address:addr address_type:1=mgmt_address_type
            @link_key @peer key_type:1=link_key_type value:16! pin_length:1
            @long_term_key @peer key_type:1=ltk_type central:1 encryption_size:1 encryption_diversifier:2x
              random_number:8x value:16!
            @identity_resolving_key @peer value:16!
            0001 Command Complete
            > ?
            0002 Command Status
            > ?
            0003 Controller Error
            > error_code:1x
            0004 Index Added
            > ?
            0005 Index Removed
            > ?
            0006 New Settings
            > current_settings:4|setting
            0007 Class Of Device Changed
            > class_of_device:3x
            0008 Local Name Changed
            > name:249" short_name:11"
            0009 New Link Key
            > store_hint:1=mgmt_enable @link_key
            000A New Long Term Key
            > store_hint:1=mgmt_enable @long_term_key
            000B Device Connected
            > @peer flags:4|found_flag eir_data_length:2 eir_data:[eir_data_length]ad
            000C Device Disconnected
            > @peer reason:1=disconnect_reason
            000D Connect Failed
            > @peer status:1=mgmt_status
            000E PIN Code Request
            > @peer secure:1=mgmt_enable
            000F User Confirmation Request
            > @peer confirm_hint:1=mgmt_enable value:4
            0010 User Passkey Request
            > @peer
            0011 Authentication Failed
            > @peer status:1=mgmt_status
            0012 Device Found
            > @peer rssi:dBm flags:4|found_flag eir_data_length:2 eir_data:[eir_data_length]ad
            0013 Discovering
            > address_type:1|discovery_type discovering:1=mgmt_enable
            0014 Device Blocked
            > @peer
            0015 Device Unblocked
            > @peer
            0016 Device Unpaired
            > @peer
            0017 Passkey Notify
            > @peer passkey:4! entered:1
            0018 New Identity Resolving Key
            > store_hint:1=mgmt_enable random_address:addr @identity_resolving_key
            0019 New Signature Resolving Key
            > store_hint:1=mgmt_enable @peer key_type:1=csrk_type value:16!
            001A Device Added
            > @peer action:1=device_action
            001B Device Removed
            > @peer
            001C New Connection Parameter
            > @peer store_hint:1=mgmt_enable connection_interval_min:2*1.25ms
              connection_interval_max:2*1.25ms latency:2 supervision_timeout:2*10ms
            001D Unconfigured Index Added
            > ?
            001E Unconfigured Index Removed
            > ?
            001F New Configuration Options
            > ?
            0020 Extended Index Added
            > type:1=controller_type bus:1=bus
            0021 Extended Index Removed
            > type:1=controller_type bus:1=bus
            0022 Local Out Of Band Extended Data Updated
            > ?!
            0023 Advertising Added
            > instance:1
            0024 Advertising Removed
            > instance:1
            0025 Extended Controller Information Changed
            > ?
            0026 PHY Configuration Changed
            > selected_phys:4|mgmt_phy
            0027 Experimental Feature Changed
            > uuid:uuid16 flags:4x
            0028 Default System Configuration Changed
            > ?
            0029 Default Runtime Configuration Changed
            > ?
            002A Device Flags Changed
            > @peer supported_flags:4|device_flag current_flags:4|device_flag
            002B Advertisement Monitor Added
            > monitor_handle:2x
            002C Advertisement Monitor Removed
            > monitor_handle:2x
            002D Controller Suspend
            > ?
            002E Controller Resume
            > ?
            002F Advertisement Monitor Device Found
            > monitor_handle:2x @peer rssi:dBm flags:4|found_flag eir_data_length:2
              eir_data:[eir_data_length]ad
            0030 Advertisement Monitor Device Lost
            > monitor_handle:2x @peer
            0031 Mesh Packet Found
            > ?
            0032 Mesh Packet Transmission Complete
            > ?
            """)
}
