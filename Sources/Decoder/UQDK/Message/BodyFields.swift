public import BluetoothCore
import PayloadFormat
import WireBytes

extension [DecodedField] {
    /// Returns the raw integer of a field; nil if absent or not an integer.
    public func number(_ name: String) -> UInt64? {
        switch first(where: { $0.name == name })?.value {
        case .unsigned(let raw)?, .hex(let raw, _)?, .named(let raw, _)?, .flags(let raw, _)?: raw
        case .signed(let raw)?: UInt64(exactly: raw)
        default: nil
        }
    }

    /// Returns the bytes of a field; nil if absent or not bytes.
    public func octets(_ name: String) -> [UInt8]? {
        guard case .octets(let octets)? = first(where: { $0.name == name })?.value else { return nil }
        return octets
    }
}

extension Dialect {
    /// Whether a session secures a command.
    ///
    /// Among codes that the dialect doesn't know, those from its lowest secured command on are secured.
    public func needsSession(_ code: UInt64) -> Bool {
        if let command = command(code) { return command.isSecured }
        let lowest = commands.filter { $0.isSecured && !$0.isEvent }.map(\.code).min()
        return lowest.map { code >= $0 } ?? false
    }

    /// Returns the payload of a response: the status, and after success the fields of the body.
    ///
    /// Fields without a value are 0.
    public func responsePayload(
        _ command: DialectCommand?, _ name: StatusName, _ values: [String: AnnotationValue] = [:]
    ) -> [UInt8] {
        let octets = statusOctets(code(nearest: name))
        guard name == .success, let command else { return octets }
        return octets + command.response.encode(filling: values)
    }

    /// Returns an event's body.
    ///
    /// Fields without a value are 0.
    public func eventBody(_ command: DialectCommand, _ values: [String: AnnotationValue]) -> [UInt8] {
        command.request.encode(filling: values)
    }

    /// Returns the value of the info characteristic.
    public func infoValue(vehicleID: [UInt8]) -> [UInt8] {
        gatt.infoLayout.encode(filling: [
            "version": .unsigned(message.header.field(.version)?.constant ?? 0),
            "maxMessageSize": .unsigned(UInt64(max(0, limits.messageOctets))),
            "vehicleId": .octets(vehicleID),
        ])
    }

    /// Returns the length in bytes of a field of a command's response; nil if it depends on the message.
    public func responseWidth(_ purpose: CommandPurpose, of field: String) -> Int? {
        command(for: purpose)?.response.fields.first { $0.name == field }?.fixedWidth
    }

    /// Whether the phone may give this id to a request.
    public func isRequestID(_ id: UInt64) -> Bool {
        guard let fragments, fragments.format.header.field(.messageID) != nil else { return true }
        return fragments.requestIDs.contains(id)
    }

    /// Returns the event id after this one; the first if `id` is nil.
    public func eventID(after id: UInt64?) -> UInt64 {
        guard let range = fragments?.eventIDs else { return 0 }
        guard let id, range.contains(id), id < range.upperBound else { return range.lowerBound }
        return id + 1
    }

    /// Returns the value of a status, or of another failure if the dialect lacks it.
    private func code(nearest name: StatusName) -> UInt64 {
        if let code = status.code(name) { return code }
        let others: [StatusName] = [.badMessage, .refusedInState, .authenticationRequired, .busy, .badProof]
        for other in others {
            if let code = status.code(other) { return code }
        }
        let success = status.code(.success)
        return status.names.keys.filter { $0 != success }.min() ?? 1
    }
}

extension DialectAdvertising {
    /// Encodes the data after the company identifier in a car's manufacturer specific data.
    ///
    /// - Parameter flags: the names of the bits to set, in whatever field has them.
    public func encode(address: DeviceAddress, flags: Set<String>) -> [UInt8] {
        let octets = addressOrder == .big ? address.octets : address.octets.reversed()
        var values: [String: AnnotationValue] = ["address": .octets(octets)]
        for field in layout.fields {
            guard case .integer(_, _, _, let presentation) = field.shape, !presentation.flags.isEmpty else {
                continue
            }
            let set = presentation.flags.filter { flags.contains($0.value) }.keys
            values[field.name] = .unsigned(set.reduce(0) { $0 | 1 << UInt64($1) })
        }
        return layout.encode(filling: values)
    }
}

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

    /// Returns the bytes of a status.
    public func statusOctets(_ code: UInt64) -> [UInt8] {
        let little = code.littleOctets(status.width)
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
