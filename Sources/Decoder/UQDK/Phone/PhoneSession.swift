/// The phone's side of a session that stands: it secures requests and opens what the car sends.
public struct PhoneSession: Sendable {
    /// Why a secured message is not taken.
    public enum Rejection: Error, Hashable, Sendable {
        /// The payload is shorter than counter and tag, or the dialect secures nothing.
        case malformed
        /// The tag is not that of the message.
        case wrongTag
        /// The counter is not above the highest one taken.
        case replayed(counter: UInt64)
    }

    /// How long it stands, in seconds from the answer that made it; nil for as long as the link.
    public let lifetime: Int64?
    private let dialect: Dialect
    private let cipher: SessionCipher?
    private var nextCounter: UInt64
    /// The highest counter that the car has used; nil before its first.
    private var received: UInt64?

    init(_ dialect: Dialect, _ cipher: SessionCipher?, lifetime: Int64?) {
        self.dialect = dialect
        self.cipher = cipher
        self.lifetime = lifetime
        nextCounter = dialect.securing?.firstCounter ?? 0
    }

    /// Whether a direction has used its last counter: then the session has ended.
    public var isUsedUp: Bool {
        guard let last = dialect.securing?.lastCounter else { return false }
        return nextCounter >= last || received == last
    }

    /// A request with its body secured under the next counter; in clear where the dialect secures nothing.
    public mutating func seal(
        command: UInt64, body: [UInt8], id: UInt64
    ) throws(UQDKEncodeError) -> Message {
        guard let cipher else { return Message(.request, command: command, payload: body) }
        let message = try cipher.seal(.request, command: command, body: body, id: id, counter: nextCounter)
        nextCounter += 1
        return message
    }

    /// The counter and body of a secured message of the car, with the octets of its header. Only what is
    /// authentic and new moves the counter.
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
