import BluetoothCore
import Runtime

/// A host's state of a link.
struct HostLink: Sendable {
    var link: Link
    /// The addresses with which the link was established; its pairing uses them.
    let onAir: (own: DeviceAddress, peer: DeviceAddress)
    var reassembler = L2CAPReassembler()
    var client = ATTClient()
    var server = ATTServer()
    var security = HostLinkSecurity()
    var peerDatabase = PeerDatabaseState()
    var channels: LinkChannels
    /// Whether Disconnect was sent.
    var isClosing = false
    /// Whether the application cancelled the connection before it was established, so that the link is not
    /// reported.
    var isUnwanted = false
    /// Whether the peer has used this host's server.
    var hasUsedServer = false
    /// Whether a value without response was refused for lack of room, or took the last room.
    var isFull = false

    /// The parameters that a peripheral requests from its central, until the controllers or the hosts have
    /// decided.
    var parameterWish: ConnectionParameters?
    /// The identifier of the parameter request that the peer's host has not answered.
    var parameterRequest: UInt8?
    /// The parameter request to the peer's host that is pending, with its timeout.
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
