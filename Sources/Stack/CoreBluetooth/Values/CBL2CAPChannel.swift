// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// The optionals are Apple's: code for iOS uses the streams as they are, and with a question mark.

public import Foundation

/// The number of a channel that L2CAP opens for a protocol.
public typealias CBL2CAPPSM = UInt16

/// A connection-oriented channel. The host here has none: asking for one ends with
/// ``CBError/Code/operationNotSupported``, and no program ever sees an object of this class.
open class CBL2CAPChannel: NSObject, @unchecked Sendable {
    /// Which protocol it is for.
    public let psm: CBL2CAPPSM
    private let other: CBPeer

    init(psm: CBL2CAPPSM, peer: CBPeer) {
        self.psm = psm
        other = peer
    }

    /// Who is at its other end.
    open var peer: CBPeer! { other }
    /// What the other end sends; nil, as there are no channels.
    open var inputStream: InputStream! { nil }
    /// What is sent to the other end; nil, as there are no channels.
    open var outputStream: OutputStream! { nil }
}
