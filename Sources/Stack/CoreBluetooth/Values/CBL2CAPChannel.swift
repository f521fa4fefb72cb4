/// The number of a channel that L2CAP opens for a protocol.
public typealias CBL2CAPPSM = UInt16

/// A connection-oriented channel. The host here has none: asking for one ends with
/// ``CBError/Code/operationNotSupported``, and no program ever sees an object of this class.
public final class CBL2CAPChannel: Sendable {
    /// Which protocol it is for.
    public let psm: CBL2CAPPSM
    /// Who is at its other end.
    public let peer: CBPeer

    init(psm: CBL2CAPPSM, peer: CBPeer) {
        self.psm = psm
        self.peer = peer
    }
}
