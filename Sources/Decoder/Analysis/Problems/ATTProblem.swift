public import BluetoothCore
import CaptureFile
public import PayloadFormat
import WireBytes

/// A problem of Attribute Protocol PDUs, or in the order of requests and responses.
public enum ATTProblem: LayerProblem {
    /// The fields end too early or contradict each other at this offset in the PDU, in bytes.
    case malformed(at: Int)
    case unknownOpcode(ATTOpcode)
    /// The server of this side refused a request; the breach is nil unless the client knew better.
    case error(ATTErrorCode, AttributeUse, by: Problem.Party, RequestBreach?)
    /// A request has timed out.
    case timeout(UnansweredRequest)
    /// The connection ended before the response; the reason is nil if the log does not show it.
    case noResponse(UnansweredRequest, HCIStatus?)
    case unexpectedResponse
    /// A client repeats the same request, and gets the same answer each time.
    case askedAgain(RepeatedRequest)
    /// A control point refused a request. If it had just accepted the same one, the frame of that one: then
    /// the client asks for what is already so.
    case controlRefused(ControlRefusal, accepted: FramePlace?)
    /// A request was sent while the request of this frame had no response yet.
    case requestWhilePending(FramePlace)
    /// Nothing subscribed to the value with this handle, which was notified or indicated.
    case notSubscribed(UInt16, isIndication: Bool)
    /// The response characteristic was never enabled; the text names it.
    case notEnabled(Sentence)
    /// A PDU of this many bytes is longer than ATT_MTU.
    case mtuExceeded(Int, mtu: UInt16)
    case mtuTooSmall(UInt16)
    case mtuRepeated
    /// The peer sent no value although the host subscribed and wrote; on connection `besides`, it sent one.
    /// `notEnabled` is the handle that the host enabled only there.
    case noValues(besides: Int, notEnabled: UInt16?)

    func row(by side: Problem.Party?) -> Problem.Row {
        func row(
            _ code: Problem.Code, severity: Problem.Severity? = nil,
            _ sentence: @escaping @Sendable () -> Sentence
        ) -> Problem.Row {
            Problem.Row(code, .named("values"), severity: severity, sentence: sentence)
        }
        return switch self {
        case .malformed(let offset): row(.malformedATT) { "malformed ATT PDU at +\(offset)" }
        case .unknownOpcode(let opcode):
            row(.unknownATT) { "unassigned ATT opcode \(ProblemText.hex(opcode.rawValue))" }
        case .error(let error, let request, let server, _):
            Problem.Row(
                .attError, .request(request.opcode), severity: request.isUsuallyRefused(error) ? .note : nil,
                status: .att(error), setback: .refusal(request, server == .host ? .host : .peer)
            ) {
                (server == .host ? "\(Side.host) refused \(Side.peer): " : "ATT error: ")
                    + "\(ProblemText.named(error.name, error.rawValue))"
            }
        case .timeout(let request):
            Problem.Row(
                .attTimeout, .request(request.opcode), severity: request.isFromCentralServer ? .warning : nil,
                traits: request.isIndication
                    ? [.unanswered, .overdue] : [.unanswered, .overdue, .decisive], frame: request.place
            ) {
                "\(request.text(side)) had no response \(ProblemText.timeAllowed)"
            }
        case .noResponse(let request, let reason):
            noResponse(request, ConnectionEnd(waited: request.waited, reason: reason), by: side)
        case .unexpectedResponse: row(.unexpectedResponse) { "a response without a request in this log" }
        case .askedAgain(let request):
            Problem.Row(.askedAgain, .named("discovery"), frame: request.first) {
                let name = request.opcode.name.map { "\($0)" } ?? "request"
                return "the same \(name) (\(ProblemText.hex(request.range.lowerBound)) to "
                    + "\(ProblemText.hex(request.range.upperBound))) \(request.count) times in a row since "
                    + "frame \(request.first), with the same answer"
            }
        case .controlRefused(let refusal, let accepted):
            Problem.Row(
                .controlRefused, .named("values"), severity: accepted == nil ? nil : .warning,
                frame: accepted, setback: .control(refusal.handle, refusal.request)
            ) {
                "\(refusal.text)"
                    + (accepted.map { ", after it accepted the same at frame \($0)" }
                        ?? "")
            }
        case .requestWhilePending(let place):
            Problem.Row(.requestWhilePending, .named("values"), frame: place) {
                "a request while the one of frame \(place) had no response yet"
            }
        case .notSubscribed: row(.notSubscribed) { "nothing on this connection subscribed to this value" }
        case .notEnabled(let text):
            Problem.Row(.notEnabled, .named("values"), side: .host) { text }
        case .mtuExceeded(let count, let mtu):
            // The peer drops a PDU that is too long for it.
            row(.mtuExceeded, severity: side == .host ? .error : nil) {
                "an ATT PDU of \(count) bytes where ATT_MTU is \(mtu)"
            }
        case .mtuTooSmall(let mtu): row(.mtuTooSmall) { "MTU \(mtu) is below the minimum of 23" }
        case .mtuRepeated: row(.mtuRepeated) { "a second MTU request; a client may send one" }
        case .noValues(let number, let missing):
            Problem.Row(.noValues, .named("values")) {
                guard let missing else {
                    return "\(Side.host) subscribed and wrote but got no value; connection \(number) got one"
                }
                return "\(Side.host) wrote but got no value: it had not subscribed to "
                    + "\(ProblemText.hex(missing)), which gave connection \(number) one"
            }
        }
    }

    private func noResponse(
        _ request: UnansweredRequest, _ end: ConnectionEnd, by side: Problem.Party?
    ) -> Problem.Row {
        Problem.Row(
            .noResponse, .request(request.opcode),
            severity: end.severity(ofSilent: side, longWait: ConnectionEnd.longATTWait),
            traits: [.unanswered, .endsWithLink], cause: end.reason.map { .hci($0) }, frame: request.place
        ) {
            let what = request.text(side)
            let ending: Sentence
            switch end.ender {
            case .host: ending = "\(Side.host) ended the connection"
            case .peer: ending = "\(Side.peer) ended the connection"
            case .link: ending = "the connection was lost"
            default: return "\(what) never got a response"
            }
            return "\(what) had no response when \(ending), \(TextDuration.text(request.waited)) later"
        }
    }

    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.error(let error, let request, let server, _), .error(let before, let asked, let other, _)):
            error == before && request == asked && server == other
        case (.askedAgain(let request), .askedAgain(let before)):
            request.opcode == before.opcode && request.range == before.range
        case (.controlRefused(let refusal, let accepted), .controlRefused(let before, let earlier)):
            refusal == before && (accepted == nil) == (earlier == nil)
        case (.notEnabled(let text), .notEnabled(let before)): text == before
        case (.noValues(_, let missing), .noValues(_, let before)): missing == before
        case (.timeout(let request), .timeout(let before)): request.isIndication == before.isIndication
        default: true
        }
    }
}

extension Problem.Code {
    public static let malformedATT = Self(.att, "malformed-att", .warning, .malformed)
    public static let attError = Self(.att, "att-error", .error, .labelled)
    public static let attTimeout = Self(.att, "att-timeout", .unanswered)
    public static let noResponse = Self(.att, "no-response", .error)
    public static let unexpectedResponse = Self(.att, "unexpected-response")
    public static let askedAgain = Self(.att, "request-repeated", .error)
    public static let controlRefused = Self(.att, "control-point-refused", .error)
    public static let requestWhilePending = Self(.att, "request-while-pending")
    public static let notSubscribed = Self(.att, "notification-without-subscription", .warning, .labelled)
    public static let mtuExceeded = Self(.att, "att-mtu-exceeded", .warning, .decisive)
    public static let mtuTooSmall = Self(.att, "att-mtu-too-small")
    public static let mtuRepeated = Self(.att, "att-mtu-repeated", .note)
    public static let notEnabled = Self(.att, "notifications-not-enabled", .unanswered, .decisive)
    public static let noValues = Self(.att, "no-values")
    public static let unknownATT = Self(.att, "unknown-att-opcode", .warning, .malformed)
}

/// An attribute and the opcode that used it.
public struct AttributeUse: Hashable, Sendable {
    public var opcode: ATTOpcode
    /// The attribute's handle; 0 if the request contains none.
    public var handle: UInt16
    /// The state to which it sets a CCCD; not part of equality, since refusals repeat each other without it.
    var configured: UInt16?

    public static func == (left: Self, right: Self) -> Bool {
        left.opcode == right.opcode && left.handle == right.handle
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(opcode)
        hasher.combine(handle)
    }

    /// Whether its success makes up for the refusal of another one: it asks for the same, and enables values
    /// if that one was to enable some, by notification or indication. After a refusal to disable, any success
    /// shows that the server takes writes.
    func makesUp(for refused: Self) -> Bool {
        let wanted = (refused.configured ?? 0) & 3
        return self == refused && (wanted == 0 || (configured ?? 0) & 3 != 0)
    }

    /// Whether servers that support only the minimum MTU answer this request with this error (Vol 3, Part F,
    /// 3.4.2.2).
    fileprivate func isUsuallyRefused(_ error: ATTErrorCode) -> Bool {
        error == .requestNotSupported && opcode == .exchangeMTURequest
    }
}

/// A request or indication without its response.
public struct UnansweredRequest: Sendable {
    public var opcode: ATTOpcode
    /// The handle of the requested attribute; 0 if the request contains none.
    public var handle: UInt16
    public var place: FramePlace
    /// Nanoseconds since the request.
    public var waited: Int64

    /// Whether the client sent it before its previous request was answered.
    var isEarly: Bool
    /// Whether the silent peer sent other packets long after the request.
    var peerSentMore = false
    /// Whether it is an indication of a central's own server, as phones send for Service Changed: many
    /// devices ignore those, and nothing waits for them.
    var isFromCentralServer = false
    /// Whether it is an indication that the peer had not subscribed to.
    var isUnsubscribed = false

    var isIndication: Bool { opcode == .handleValueIndication }

    /// Returns the side whose fault the missing response is.
    func side(askedBy sender: Side) -> Problem.Party { Problem.Party(isUnsubscribed ? sender : sender.other) }

    init(_ pending: PendingRequest, at time: CaptureTime) {
        opcode = pending.opcode
        handle = pending.handle
        place = pending.frame
        waited = time.since(pending.time)
        isEarly = pending.isEarly
    }

    /// The meaning of the silence of a peer that sent more packets; nil for others.
    var hint: StaticText? {
        if isUnsubscribed { return "a server indicates only what its client has subscribed to" }
        if isIndication {
            return peerSentMore
                ? "the other side sent more after it, so it did not hang: it has to confirm each indication"
                : nil
        }
        if opcode == .exchangeMTURequest || opcode.isDiscovery {
            return "usually the other side hung: its Bluetooth stack answers this request by itself"
        }
        return peerSentMore
            ? "the other side sent more after it: usually only this request hung there, or waits for a person"
            : nil
    }

    /// Returns the request as the start of a sentence about the side that did not answer.
    fileprivate func text(_ side: Problem.Party?) -> Sentence {
        (side == .host && !isUnsubscribed ? "\(Side.peer)'s " : "the ")
            + "\(opcode.name.map { "\($0)" } ?? "request") of frame \(place)"
            + (isUnsubscribed ? ", to which \(Side.peer) had not subscribed," : "")
    }
}

/// A request or indication that had no response within the time that the specification allows.
public struct OverdueRequest: Sendable {
    public var opcode: ATTOpcode
    public var place: FramePlace
    /// Nanoseconds from it to the end of its connection.
    public var waited: Int64
}

struct ConnectionEnd: Sendable {
    /// Nanoseconds from the request to the end.
    var waited: Int64
    /// Nil if the log does not show it.
    var reason: HCIStatus?

    /// The party that ended the connection: the link, if it was lost.
    var ender: Problem.Party? { reason.map { $0.ender ?? .link } }

    /// Returns the severity of a missing response. A lost link is the real failure; a side that disconnects
    /// soon after its own request no longer wanted the answer. Nil if the log does not show the reason of the
    /// end.
    ///
    /// - Parameter longWait: the wait in nanoseconds after which a requester that disconnects wanted the
    ///   answer.
    func severity(
        ofSilent side: Problem.Party?, longWait: Int64 = OpenRequest.shortestWait
    ) -> Problem.Severity? {
        guard let ender else { return nil }
        if ender == .link { return .warning }
        if ender == side || waited >= longWait { return .error }
        return waited < OpenRequest.shortestWait ? .note : .warning
    }

    /// `longWait` of an ATT request: many programs drop such requests when they exit.
    static let longATTWait: Int64 = 5_000_000_000
}

/// A rule that a client broke with a request although the log shows that it knew better: then the refusal is
/// its fault, not the server's.
public enum RequestBreach: Sendable {
    /// Handle 0x0000 is reserved (Core Specification, Vol 3, Part F, 3.2.2).
    case zeroHandle
    /// The range ends before it starts (Vol 3, Part F, 3.4.3 and 3.4.4).
    case range
    /// The request was malformed.
    case malformed
    /// Groups can only be asked for by the declarations of services (Vol 3, Part G, 2.5.3).
    case groupType
    /// The characteristic's declaration does not list this use (Vol 3, Part G, 3.3.1.1), or can't list it.
    case notReadable, notWritable
    /// Declarations are read-only (Vol 3, Part G, 3.1 to 3.3.1).
    case declaration
    /// The descriptor is read-only (Vol 3, Part G, 3.3.3).
    case descriptor

    /// Finds the rule that a refused request broke; nil if the server refused what it promised, or if the log
    /// does not show what it promised.
    ///
    /// - Parameters:
    ///   - handle: the handle that the refusal names.
    ///   - database: the server's attributes, as far as the log has shown them.
    init?(_ error: ATTErrorCode, _ request: PendingRequest, at handle: UInt16, database: AttributeDatabase) {
        switch error {
        case .invalidHandle:
            guard request.hasHandles else { return nil }
            if request.opcode.isDiscovery {
                guard request.handle == 0 || request.endHandle < request.handle else { return nil }
                self = request.handle == 0 ? .zeroHandle : .range
            } else {
                guard request.opcode.namesOneHandle, request.handle == 0 else { return nil }
                self = .zeroHandle
            }
        case .unsupportedGroupType:
            guard let type = request.type, type != .primaryService, type != .secondaryService else {
                return nil
            }
            self = .groupType
        case .invalidPDU:
            guard request.isMalformed else { return nil }
            self = .malformed
        case .readNotPermitted, .writeNotPermitted, .requestNotSupported:
            guard let breach = Self.use(request.opcode, handle, database) else { return nil }
            self = breach
        default: return nil
        }
    }

    /// Returns the properties of a characteristic of which one allows a request; nil for other requests.
    private static func properties(neededFor opcode: ATTOpcode) -> UInt8? {
        switch opcode {
        case .readRequest, .readBlobRequest, .readByTypeRequest: 0x02
        case .writeRequest: 0x08
        // Reliable writes are an extended property.
        case .prepareWriteRequest: 0x88
        default: nil
        }
    }

    /// Returns the property, in words, by which the declaration of a value allows a use that the server does
    /// not permit at all; nil for others.
    static func contradicted(
        by error: ATTErrorCode, _ opcode: ATTOpcode, _ handle: UInt16, _ database: AttributeDatabase
    ) -> StaticText? {
        guard error == .readNotPermitted || error == .writeNotPermitted,
            let needed = properties(neededFor: opcode), let known = database.characteristic(at: handle),
            handle == known.value, known.properties & needed != 0
        else { return nil }
        return needed == 0x02 ? "readable" : "writable"
    }

    /// Returns the rule that a use of an attribute breaks; nil if its declaration allows it, or was not seen.
    private static func use(
        _ opcode: ATTOpcode, _ handle: UInt16, _ database: AttributeDatabase
    ) -> RequestBreach? {
        guard let needed = properties(neededFor: opcode) else { return nil }
        let isRead = needed == 0x02
        if !isRead {
            if database.service(at: handle)?.start == handle { return .declaration }
            if database.hasReadOnlyDescriptor(at: handle) { return .descriptor }
        }
        // Service Changed is only indicated (Vol 3, Part G, 7.1).
        if database.attribute(at: handle)?.type == BluetoothUUID(0x2A05 as UInt16) {
            return isRead ? .notReadable : .notWritable
        }
        guard let characteristic = database.characteristic(at: handle) else { return nil }
        if handle == characteristic.declaration { return isRead ? nil : .declaration }
        guard handle == characteristic.value, characteristic.properties & needed == 0 else { return nil }
        return isRead ? .notReadable : .notWritable
    }

    /// The rule and a remedy, as half a sentence.
    var hint: StaticText {
        switch self {
        case .zeroHandle: "handle 0x0000 is reserved: usually a handle that was never discovered"
        case .range: "the range ends before it starts"
        case .malformed: "the request's bytes are malformed"
        case .groupType: "groups can only be asked for by services (2800, 2801), not by this type"
        case .notReadable: "this value does not allow reads: ask only for what its declaration lists"
        case .notWritable: "this value does not allow this write: use what its declaration lists"
        case .declaration: "declarations can't be written: usually the value's handle is one higher"
        case .descriptor: "this descriptor is read-only: the one that enables values is the CCCD (2902)"
        }
    }
}
