import BluetoothCore
import Runtime
public import UQDK

/// The outcome of a host's request in a replay.
///
/// A request belongs to the digital-key protocol, or to the Attribute Protocol on connections without a
/// protocol above it.
public struct RequestOutcome: Hashable, Sendable {
    /// The connection's number in the model.
    public var connection: Int
    /// The first frame of the request in the log; 0 if it is not in the log.
    public var frame: Int
    public var name: String
    /// "ok", "refused, REASON" or "no answer".
    public var ends: String
    /// The error that the application got, if it isn't the peer's.
    public var error: String?

    /// Whether the request got an answer other than a refusal.
    public var isGood: Bool { ends == Self.ok }

    /// One line for the report.
    public var text: String {
        "\(name) \(ends)" + (error.map { " (\($0))" } ?? "") + (frame > 0 ? ", frame \(frame)" : "")
    }

    fileprivate static let ok = "ok"
    fileprivate static let noAnswer = "no answer"
}

extension RequestOutcome {
    /// Returns nil if the application got no callback.
    init?(_ outcome: UQDKOutcome) {
        guard let got = outcome.got else { return nil }
        self.init(
            connection: outcome.connection, frame: outcome.frame, name: outcome.name, ends: got.text,
            error: outcome.error)
    }
}

extension [RequestOutcome] {
    /// Collects the digital-key requests in a transcript, and the Attribute Protocol requests on the other
    /// connections, for an application whose callbacks are unknown.
    public init(_ transcript: Transcript, _ model: SessionModel, _ knowledge: UQDKKnowledge) {
        let spoken = Self.keyRequests(transcript, model, knowledge)
        self =
            spoken
            + Self(transcript, attributesOf: model, besides: Set(spoken.map(\.connection)))
    }

    private static func keyRequests(
        _ transcript: Transcript, _ model: SessionModel, _ knowledge: UQDKKnowledge
    ) -> Self {
        model.connections.flatMap { connection in
            guard connection.isPlayable, connection.isCentral,
                let recorded = UQDKVisit(connection, knowledge)
            else { return [] as [RequestOutcome] }
            return recorded.outcomes(
                UQDKVisit(connection.played(transcript), knowledge), on: connection.number)
        }
    }

    /// Collects the Attribute Protocol requests on connections that have no protocol above it.
    ///
    /// A refused request doesn't count as failed if its repetition succeeds, as when hosts pair in between.
    ///
    /// - Parameter spoken: the numbers of the connections that have such a protocol.
    public init(_ transcript: Transcript, attributesOf model: SessionModel, besides spoken: Set<Int>) {
        self = []
        var last: [[UInt8]: Int] = [:]
        // The indices of refused requests that the host repeated.
        var repeated: Set<Int> = []
        for connection in model.connections
        where connection.isPlayable && connection.isCentral
            && !spoken.contains(connection.number)
        {
            last = [:]
            var open: Int?
            for entry in transcript.pdus where entry.connection == connection.number {
                guard entry.channel == .attribute, !entry.isSetUp, let first = entry.octets.first else {
                    continue
                }
                let opcode = ATTOpcode(rawValue: first)
                if entry.side == .host, opcode.kind == .request {
                    if let known = last[entry.octets], !self[known].isGood { repeated.insert(known) }
                    open = count
                    last[entry.octets] = count
                    append(.init(entry, opcode))
                } else if entry.side == .peer, opcode.kind == .response, let place = open {
                    self[place].ends = entry.refusal.map { "refused, \($0)" } ?? RequestOutcome.ok
                    open = nil
                }
            }
            // If the log ends first, an unanswered request has not failed.
            if let open, connection.end == nil { remove(at: open) }
        }
        self = enumerated().filter { !repeated.contains($0.offset) }.map(\.element)
    }
}

extension RequestOutcome {
    fileprivate init(_ entry: TraceEntry, _ opcode: ATTOpcode) {
        var name = opcode.name.map { "\($0)" } ?? "request"
        if let handle = entry.octets.attributeHandle { name += " " + PDUText.handle(handle) }
        self.init(connection: entry.connection, frame: entry.frame, name: name, ends: Self.noAnswer)
    }
}

extension TraceEntry {
    /// The server's error; nil if the PDU is not a refusal.
    fileprivate var refusal: String? {
        RecordedPDU.refusal(octets).map { code in code.name.map { "\($0)" } ?? "error \(code.rawValue)" }
    }
}

extension RecordedConnection {
    /// Returns the connection with the transcript's PDUs instead of the recorded ones.
    fileprivate func played(_ transcript: Transcript) -> RecordedConnection {
        var played = self
        played.pdus = []
        var requests: [RecordedPDU.Side: Int] = [:]
        for (number, entry) in transcript.pdus.enumerated() where entry.connection == self.number {
            var pdu = RecordedPDU(
                frame: entry.frame > 0 ? entry.frame : Self.madeUpFrames + number, time: entry.time,
                side: entry.side, channel: entry.channel, octets: entry.octets, isCut: false)
            if entry.channel == .attribute {
                switch pdu.opcode.kind {
                case .request: requests[entry.side] = played.pdus.count
                case .response: pdu.answers = requests.removeValue(forKey: entry.side.other)
                default: break
                }
            }
            played.pdus.append(pdu)
        }
        return played
    }

    /// The first of the frame numbers for PDUs that are not in the log.
    fileprivate static var madeUpFrames: Int { 1 << 40 }
}

extension RecordedPDU.Side {
    fileprivate var other: Self { self == .host ? .peer : .host }
}

extension UQDKVisit {
    /// Maximum time to wait for an answer.
    private static let longest = Duration.seconds(30)

    /// Returns the outcomes of this visit's requests, taken from the visit in the replay.
    ///
    /// A request corresponds to the replayed request with its frame, else to the next one with its name.
    /// Requests that are not in the log come last.
    fileprivate func outcomes(_ played: UQDKVisit?, on connection: Int) -> [RequestOutcome] {
        let recorded = requests.filter { $0.purpose != .authFinish }
        var rest = (played?.requests ?? []).filter { $0.purpose != .authFinish }
        var found: [Int: Request] = [:]
        for (index, request) in recorded.enumerated() {
            guard let place = rest.firstIndex(where: { $0.frames.first == request.frames.first }) else {
                continue
            }
            found[index] = rest.remove(at: place)
        }
        for (index, request) in recorded.enumerated() where found[index] == nil {
            guard let place = rest.firstIndex(where: { $0.outcomeName == request.outcomeName }) else {
                continue
            }
            found[index] = rest.remove(at: place)
        }
        func outcome(_ request: Request, frame: Int) -> RequestOutcome? {
            guard let played else { return nil }
            let ending = played.ending(of: request, within: Self.longest)
            return RequestOutcome(
                connection: connection, frame: frame, name: request.outcomeName, ends: ending.text)
        }
        return recorded.enumerated().compactMap { index, request in
            found[index].flatMap { outcome($0, frame: request.frames.first ?? 0) }
        } + rest.compactMap { outcome($0, frame: 0) }
    }
}

extension UQDKVisit.Request {
    fileprivate var outcomeName: String { purpose == .authBegin ? "authentication" : name }
}
