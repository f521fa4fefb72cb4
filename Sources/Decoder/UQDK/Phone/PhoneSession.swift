import PayloadFormat

/// The phone's side of an established session: secures requests and opens the car's messages.
public struct PhoneSession: Sendable {
    /// Reason for rejecting a secured message.
    public enum Rejection: Error, Hashable, Sendable {
        /// The payload is shorter than counter and tag, or the dialect doesn't secure payloads.
        case malformed
        /// The tag doesn't match the message.
        case wrongTag
        /// The counter is not above the highest accepted one.
        case replayed(counter: UInt64)
    }

    /// Lifetime in seconds, counted from the response that created the session; nil for as long as the link.
    public let lifetime: Int64?
    private let dialect: Dialect
    private let cipher: SessionCipher?
    private var nextCounter: UInt64
    /// Highest counter that the car has used; nil before its first.
    private var received: UInt64?

    init(_ dialect: Dialect, _ cipher: SessionCipher?, lifetime: Int64?) {
        self.dialect = dialect
        self.cipher = cipher
        self.lifetime = lifetime
        nextCounter = dialect.securing?.firstCounter ?? 0
    }

    /// Whether a direction has used its last counter, which ends the session.
    public var isUsedUp: Bool {
        guard let last = dialect.securing?.lastCounter else { return false }
        return nextCounter >= last || received == last
    }

    /// Returns a request with its body secured under the next counter, or in clear if the dialect secures
    /// nothing.
    public mutating func seal(
        command: UInt64, body: [UInt8], id: UInt64
    ) throws(UQDKEncodeError) -> Message {
        guard let cipher else { return Message(.request, command: command, payload: body) }
        let message = try cipher.seal(.request, command: command, body: body, id: id, counter: nextCounter)
        nextCounter += 1
        return message
    }

    /// Returns the counter and body of a secured message from the car.
    ///
    /// `header` is the bytes of its header. Only an authentic and new message advances the counter.
    public mutating func open(
        _ message: Message, header: [UInt8], id: UInt64
    ) throws(Rejection) -> (counter: UInt64, body: [UInt8]) {
        guard let cipher, let format = dialect.securing,
            let payload = SecuredPayload(message.payload, format)
        else { throw .malformed }
        let opened: [UInt8]?
        do throws(UQDKEncodeError) {
            opened = try cipher.open(payload, from: .car, header: header, id: id)
        } catch {
            throw .malformed
        }
        guard let body = opened else { throw .wrongTag }
        let isNew = received.map { payload.counter > $0 } ?? (payload.counter >= format.firstCounter)
        guard isNew else { throw .replayed(counter: payload.counter) }
        received = payload.counter
        return (payload.counter, body)
    }
}

extension PhoneSession.Rejection: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed: "a secured message without room for counter and tag"
        case .wrongTag: "a secured message with a wrong tag"
        case .replayed(let counter): "a secured message with counter \(counter), which is not above the last"
        }
    }
}

// Queries that only the phone's side needs.
extension Dialect {
    /// Range of ids that the phone may give its requests.
    ///
    /// It is 0...0 if messages carry no ids, so only one request can be outstanding.
    public var requestIDs: ClosedRange<UInt64> {
        if let fragments, fragments.format.header.field(.messageID) != nil { return fragments.requestIDs }
        guard let field = message.header.field(.messageID) else { return 0...0 }
        return fragments?.requestIDs ?? 0...HeaderFormat.mask(field.bits)
    }

    /// Returns the id of a message whose fragments arrived under `id`.
    public func messageID(of octets: [UInt8], fragments id: UInt64) -> UInt64 {
        if fragments?.format.header.field(.messageID) != nil { return id }
        return message.header.readPrefix(octets[...])[.messageID] ?? 0
    }

    /// Whether a session secures requests with this code.
    public func secures(_ code: UInt64) -> Bool { securing != nil && needsSession(code) }

    /// Returns the value of a command's field that is a set of named bits, such as doors.
    ///
    /// - Parameter names: the bits to set; nil for all, which is the field's value named `all` if it has one.
    /// - Returns: nil if the field is absent, is not a set of bits, or lacks one of the bits.
    public func bits(_ names: [String]?, of field: String, in command: String) -> AnnotationValue? {
        guard let layout = self.command(named: command)?.request.fields.first(where: { $0.name == field }),
            case .integer(_, _, _, let presentation) = layout.shape, !presentation.flags.isEmpty
        else { return nil }
        if names == nil, let all = presentation.names.first(where: { $0.value == "all" })?.key {
            return .unsigned(all)
        }
        var raw: UInt64 = 0
        for name in names ?? Array(presentation.flags.values) {
            guard let bit = presentation.flags.first(where: { $0.value == name })?.key, bit < 64 else {
                return nil
            }
            raw |= 1 << UInt64(bit)
        }
        return .unsigned(raw)
    }
}
