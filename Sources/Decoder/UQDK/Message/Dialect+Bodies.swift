import PayloadFormat
import WireBytes

extension Dialect {
    /// Returns a request or an event with the values of its fields.
    public func request(
        _ name: String, _ values: [String: AnnotationValue] = [:]
    ) throws(UQDKEncodeError) -> Message {
        guard let command = command(named: name) else { throw .unknownCommand(name) }
        return Message(
            command.isEvent ? .event : .request, command: command.code,
            payload: try body(command.request, values))
    }

    /// Returns a response: a status, and after success the values of the body's fields.
    public func response(
        _ name: String, status code: StatusName = .success, _ values: [String: AnnotationValue] = [:]
    ) throws(UQDKEncodeError) -> Message {
        guard let command = command(named: name) else { throw .unknownCommand(name) }
        guard let raw = status.code(code) else { throw .body(.unfit(code.rawValue)) }
        var payload = statusOctets(raw)
        if code == .success { payload += try body(command.response, values) }
        return Message(.response, command: command.code, payload: payload)
    }

    /// Returns the bytes of a status.
    public func statusOctets(_ code: UInt64) -> [UInt8] {
        let little = (0..<status.width).map { UInt8(truncatingIfNeeded: code >> UInt64(8 * $0)) }
        return status.order == .little ? little : little.reversed()
    }

    /// Returns the status at the start of a response's body; nil if the body is too short.
    public func statusCode(_ body: [UInt8]) -> UInt64? {
        guard body.count >= status.width else { return nil }
        let octets = body.prefix(status.width)
        let ordered = status.order == .big ? Array(octets) : octets.reversed()
        return ordered.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func body(
        _ layout: Layout, _ values: [String: AnnotationValue]
    ) throws(UQDKEncodeError) -> [UInt8] {
        do throws(LayoutError) {
            return try layout.encode(values)
        } catch {
            throw .body(error)
        }
    }
}
