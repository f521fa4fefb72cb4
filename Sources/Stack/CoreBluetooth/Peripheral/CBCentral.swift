public import BluetoothCore

/// A central with a link to this device.
open class CBCentral: CBPeer, @unchecked Sendable {
    let mtu = Guarded(23)

    /// The device's address.
    ///
    /// Not part of Apple's API.
    @_spi(Host) public var address: DeviceAddress { place }

    /// Maximum length of one update in bytes: ATT_MTU − 3.
    open var maximumUpdateValueLength: Int { min(mtu.current - 3, 512) }
}
