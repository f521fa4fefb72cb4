/// A value that was read, as far as it came: its reader may ask for what follows.
struct LongRead: Sendable {
    /// The attribute handle.
    var handle: UInt16
    /// Octets of the value that came so far, which is the offset that its next piece has.
    var end: Int
    /// Those octets; empty where the recorder did not keep them all, and where no more are expected.
    var octets: [UInt8] = []
    /// Whether what came so far went to the protocols above ATT as the whole value, or can't go there.
    var isDone: Bool

    /// The most octets that are kept: an attribute value has at most 512.
    static let limit = 4096
}
