// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// The optionals are Apple's: code for iOS uses the streams as they are, and with a question mark.

public import Foundation

/// The number of a service that accepts L2CAP channels: its SPSM on LE.
public typealias CBL2CAPPSM = UInt16

/// A connection-oriented channel: an LE credit-based one, whose SDUs carry the bytes of two streams.
///
/// It closes when both streams are closed, or when it and its streams are released.
open class CBL2CAPChannel: NSObject, @unchecked Sendable {
    /// The service that it connects to.
    public let psm: CBL2CAPPSM
    private let other: CBPeer
    // The streams are released with the channel, which closes them.
    private let input: ChannelInputStream
    private let output: ChannelOutputStream

    init(psm: CBL2CAPPSM, peer: CBPeer, input: ChannelInputStream, output: ChannelOutputStream) {
        self.psm = psm
        other = peer
        self.input = input
        self.output = output
    }

    /// The device at its other end.
    open var peer: CBPeer! { other }
    /// The bytes from the peer.
    open var inputStream: InputStream! { input }
    /// The bytes to the peer.
    open var outputStream: OutputStream! { output }
}
