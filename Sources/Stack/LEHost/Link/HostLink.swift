import BluetoothCore
import Runtime

/// What a host keeps of one link.
struct HostLink: Sendable {
    var link: Link
    /// The addresses that the link was made with, which its pairing goes by.
    let onAir: (own: DeviceAddress, peer: DeviceAddress)
    var reassembler = L2CAPReassembler()
    var client = ATTClient()
    var server = ATTServer()
    var security = HostLinkSecurity()
    var channels: LinkChannels
    /// Whether Disconnect was sent.
    var isClosing = false
    /// Whether the application took its wish back before the link was made, and was not told of it.
    var isUnwanted = false
    /// Whether the peer has used this host's server.
    var hasUsedServer = false
    /// Whether a value without response was refused room, or took the last of it.
    var isFull = false

    /// What a peripheral asks its central for, until the controllers or the hosts have answered.
    var parameterWish: ConnectionParameters?
    /// The identifier of the request for parameters that the peer's host has not answered.
    var parameterRequest: UInt8?
    /// The open parameter request to the peer's host, and when it times out.
    var parameterAsked: (wish: ConnectionParameters, until: Instant)?

    /// - Parameter channelLimit: credit-based channels that it may have.
    init(_ link: Link, own: DeviceAddress, peer: DeviceAddress, channelLimit: Int) {
        self.link = link
        onAir = (own, peer)
        channels = LinkChannels(link.id, limit: channelLimit)
    }
}
