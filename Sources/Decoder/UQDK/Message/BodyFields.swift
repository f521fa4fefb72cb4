public import BluetoothCore
import PayloadFormat
import WireBytes

extension [DecodedField] {
    /// The raw integer of a field; nil if absent or not an integer.
    public func number(_ name: String) -> UInt64? {
        switch first(where: { $0.name == name })?.value {
        case .unsigned(let raw)?, .hex(let raw, _)?, .named(let raw, _)?, .flags(let raw, _)?: raw
        case .signed(let raw)?: UInt64(exactly: raw)
        default: nil
        }
    }

    /// The octets of a field; nil if absent or not octets.
    public func octets(_ name: String) -> [UInt8]? {
        guard case .octets(let octets)? = first(where: { $0.name == name })?.value else { return nil }
        return octets
    }
}

extension Dialect {
    /// Whether a command is one that a session secures: of those that the dialect does not know, the codes
    /// from its lowest secured command on.
    public func needsSession(_ code: UInt64) -> Bool {
        if let command = command(code) { return command.isSecured }
        let lowest = commands.filter { $0.isSecured && !$0.isEvent }.map(\.code).min()
        return lowest.map { code >= $0 } ?? false
    }

    /// The payload of a response: the status, and after success the fields of the body. Fields that the
    /// sender has no value for are 0.
    public func responsePayload(
        _ command: DialectCommand?, _ name: StatusName, _ values: [String: AnnotationValue] = [:]
    ) -> [UInt8] {
        let octets = statusOctets(code(nearest: name))
        guard name == .success, let command else { return octets }
        return octets + command.response.encode(filling: values)
    }

    /// An event's body. Fields that the sender has no value for are 0.
    public func eventBody(_ command: DialectCommand, _ values: [String: AnnotationValue]) -> [UInt8] {
        command.request.encode(filling: values)
    }

    /// The value of the info characteristic.
    public func infoValue(vehicleID: [UInt8]) -> [UInt8] {
        gatt.infoLayout.encode(filling: [
            "version": .unsigned(message.header.field(.version)?.constant ?? 0),
            "maxMessageSize": .unsigned(UInt64(max(0, limits.messageOctets))),
            "vehicleId": .octets(vehicleID),
        ])
    }

    /// The octets that a command's response has for a field; nil where that depends on the message.
    public func responseWidth(_ purpose: CommandPurpose, of field: String) -> Int? {
        command(for: purpose)?.response.fields.first { $0.name == field }?.fixedWidth
    }

    /// Whether a message id is one that the phone gives its requests.
    public func isRequestID(_ id: UInt64) -> Bool {
        guard let fragments, fragments.format.header.field(.messageID) != nil else { return true }
        return fragments.requestIDs.contains(id)
    }

    /// The id of the event after the one with this id; the first where that is nil.
    public func eventID(after id: UInt64?) -> UInt64 {
        guard let range = fragments?.eventIDs else { return 0 }
        guard let id, range.contains(id), id < range.upperBound else { return range.lowerBound }
        return id + 1
    }

    /// The value of a status; where the dialect has no such status that of another failure.
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
    /// What follows the company identifier in a car's manufacturer specific data.
    ///
    /// - Parameter flags: the names of the bits that are set, in whatever field has them.
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
