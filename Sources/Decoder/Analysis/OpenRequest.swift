import PayloadFormat

/// A request that had no response when the log ended, and still had time for one.
public struct OpenRequest: Sendable {
    /// How many are kept of a link.
    static let limit = 8

    /// The least wait, in nanoseconds, of a request that is worth a word: what was asked just before the
    /// recorder stopped, or just before the one who asked ended the connection, was on its way.
    static let shortestWait: Int64 = 1_000_000_000

    /// The frame that asked.
    public var place: FramePlace
    /// What it asked: the name of the message, or of the ATT PDU.
    public var name: String
    /// Nanoseconds from the asking frame to the log's last record.
    public var waited: Int64
    /// The attribute that it names, and the side that has it; nil of other layers than ATT.
    public internal(set) var use: (request: RefusedRequest, server: Problem.Party)?
    /// Whether it asked for a connection, which had not come about.
    public internal(set) var isConnect = false

    /// The number of that frame in its file.
    public var frame: Int { place.frame }
}
