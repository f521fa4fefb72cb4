import PayloadFormat
import WireBytes

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
