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
