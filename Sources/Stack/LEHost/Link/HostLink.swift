import BluetoothCore
import Runtime

/// A host's state of one link.
struct HostLink: Sendable {
    var link: Link
    /// The addresses with which the link was established, which its pairing uses.
    let onAir: (own: DeviceAddress, peer: DeviceAddress)
    var reassembler = L2CAPReassembler()
    var client = ATTClient()
    var server = ATTServer()
    var security = HostLinkSecurity()
    var peerDatabase = PeerDatabaseState()
    var channels: LinkChannels
    /// Whether Disconnect was sent.
    var isClosing = false
    /// Whether the application cancelled before the link was established, and it was not reported.
    var isUnwanted = false
    /// Whether the peer has used this host's server.
    var hasUsedServer = false
    /// Whether a value without response was refused for lack of room, or used the last of it.
    var isFull = false

    /// Parameters that a peripheral requests from its central, until the controllers or the hosts have
    /// answered.
    var parameterWish: ConnectionParameters?
    /// Identifier of the parameter request that the peer's host has not answered.
    var parameterRequest: UInt8?
    /// The open parameter request to the peer's host, with its timeout.
    var parameterAsked: (wish: ConnectionParameters, until: Instant)?

    /// Creates the state of a link.
    ///
    /// - Parameter channelLimit: maximum number of credit-based channels.
    init(_ link: Link, own: DeviceAddress, peer: DeviceAddress, channelLimit: Int) {
        self.link = link
        onAir = (own, peer)
        channels = LinkChannels(link.id, limit: channelLimit)
    }
}
