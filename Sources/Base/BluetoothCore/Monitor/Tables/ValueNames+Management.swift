import WireBytes

extension ValueNames {
    /// Names of the values and bits in the monitor channel and the management interface.
    ///
    /// Source: the management interface of the Linux kernel (mgmt-api) and its monitor channel.
    static let management: StaticText = """
        advertising: off; on; connectable
        advertising_flag: connectable; general discoverable; limited discoverable; add flags; add TX power;
          add appearance; add name; secondary LE 1M; secondary LE 2M; secondary LE Coded; duration set;
          timeout set; intervals set; TX power set; scan response set
        bus: virtual; USB; PC Card; UART; RS232; PCI; SDIO; SPI; I2C; SMD; VIRTIO; IPC
        controller_type: primary; AMP
        csrk_type: unauthenticated local; unauthenticated remote; authenticated local; authenticated remote
        debug_keys: discarded; kept; generated
        device_action: report; allow incoming connection; auto-connect
        device_flag: remote wakeup; device privacy mode; address resolution
        disconnect_reason: unspecified; connection timeout; terminated by local host;
          terminated by remote host; authentication failure; terminated by local host for suspend
        discoverable: off; general; limited
        discovery_type: BR/EDR; LE public; LE random
        found_flag: confirm name; legacy pairing; not connectable; initiated connection;
          name request failed; scan response
        link_key_type: combination; local unit; remote unit; debug combination; unauthenticated P-192;
          authenticated P-192; changed combination; unauthenticated P-256; authenticated P-256
        ltk_type: unauthenticated legacy; authenticated legacy; unauthenticated P-256; authenticated P-256;
          debug P-256
        mgmt_address_type: BR/EDR; LE public; LE random
        mgmt_enable: off; on
        mgmt_phy: BR 1M 1-slot; BR 1M 3-slot; BR 1M 5-slot; EDR 2M 1-slot; EDR 2M 3-slot; EDR 2M 5-slot;
          EDR 3M 1-slot; EDR 3M 3-slot; EDR 3M 5-slot; LE 1M TX; LE 1M RX; LE 2M TX; LE 2M RX; LE Coded TX;
          LE Coded RX
        mgmt_status: Success; Unknown Command; Not Connected; Failed; Connect Failed; Authentication Failed;
          Not Paired; No Resources; Timeout; Already Connected; Busy; Rejected; Not Supported;
          Invalid Parameters; Disconnected; Not Powered; Cancelled; Invalid Index; RFKilled; Already Paired;
          Permission Denied
        priority: emergency; alert; critical; error; warning; notice; info; debug
        privacy: off; on; limited
        secure_connections: off; on; only
        setting: powered; connectable; fast connectable; discoverable; bondable; link security;
          secure simple pairing; BR/EDR; high speed; low energy; advertising; secure connections;
          debug keys; privacy; controller configuration; static address; PHY configuration; wideband speech;
          CIS central; CIS peripheral; ISO broadcaster; sync receiver
        socket_flag: trusted
        socket_format: raw; user; management
        """
}
