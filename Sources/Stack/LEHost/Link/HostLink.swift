import BluetoothCore

/// What a host keeps of one link.
struct HostLink: Sendable {
    var link: Link
    /// The addresses that the link was made with, which its pairing goes by.
    let onAir: (own: DeviceAddress, peer: DeviceAddress)
    var reassembler = L2CAPReassembler()
    var client = ATTClient()
    var server = ATTServer()
    var security = HostLinkSecurity()
    /// Whether Disconnect was sent.
    var isClosing = false
    /// Whether the application took its wish back before the link was made, and was not told of it.
    var isUnwanted = false
    /// Whether a value without response was refused room, or took the last of it.
    var isFull = false

    init(_ link: Link, own: DeviceAddress, peer: DeviceAddress) {
        self.link = link
        onAir = (own, peer)
    }
}
