import PayloadFormat

/// A request that was unanswered when the log ended, and had not timed out.
public struct OpenRequest: Sendable {
    /// Limit of the requests kept for each link.
    static let limit = 8

    /// Shortest wait that is reported, in nanoseconds. After less, the answer was on its way when the
    /// recording or the connection ended.
    static let shortestWait: Int64 = 1_000_000_000

    /// The frame of the request.
    public var place: FramePlace
    /// The name of the requesting message, or of the ATT PDU.
    public var name: String
    /// Nanoseconds from the request to the log's last record.
    public var waited: Int64
    /// The attribute that the request names, and the side that has the attribute; nil for other layers than
    /// ATT.
    public internal(set) var use: (request: RefusedRequest, server: Problem.Party)?
    /// Whether it requested a connection that was not established.
    public internal(set) var isConnect = false
    /// Whether a sniffer heard the request, but no packet of the connection.
    public internal(set) var isOnAir = false

    /// The number of the request's frame in its file.
    public var frame: Int { place.frame }
}
