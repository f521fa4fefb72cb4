public import BluetoothCore

/// A central that has a link to us.
open class CBCentral: CBPeer, @unchecked Sendable {
    let mtu = Guarded(23)

    /// The address that the identifier stands for. Not part of Apple's API.
    @_spi(Host) public var address: DeviceAddress { place }

    /// Octets that one update to it can hold: ATT_MTU − 3.
    open var maximumUpdateValueLength: Int { min(mtu.current - 3, 512) }
}
