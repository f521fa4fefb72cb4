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

    /// What a peripheral asks its central for, until the controllers or the hosts have answered.
    var parameterWish: ConnectionParameters?
    /// The identifier of the request for parameters that the peer's host has not answered.
    var parameterRequest: UInt8?
    private var lastIdentifier: UInt8 = 0

    /// An identifier for a request on the signalling channel: 1 to 255, in turn.
    mutating func nextSignallingIdentifier() -> UInt8 {
        lastIdentifier = lastIdentifier == 255 ? 1 : lastIdentifier + 1
        return lastIdentifier
    }

    init(_ link: Link, own: DeviceAddress, peer: DeviceAddress) {
        self.link = link
        onAir = (own, peer)
    }
}
