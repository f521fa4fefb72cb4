import PayloadFormat
import WireBytes

// What the phone's side asks of a dialect beside its messages.
extension Dialect {
    /// The ids that the phone may give its requests; only 0 where messages carry none, so that one request
    /// can be outstanding.
    public var requestIDs: ClosedRange<UInt64> {
        if let fragments, fragments.format.header.field(.messageID) != nil { return fragments.requestIDs }
        guard let field = message.header.field(.messageID) else { return 0...0 }
        return fragments?.requestIDs ?? 0...HeaderFormat.mask(field.bits)
    }

    /// The id of a message that came under the id of its fragments.
    public func messageID(of octets: [UInt8], fragments id: UInt64) -> UInt64 {
        if fragments?.format.header.field(.messageID) != nil { return id }
        return message.header.readPrefix(octets[...])[.messageID] ?? 0
    }

    /// Whether a session secures requests with this code.
    public func secures(_ code: UInt64) -> Bool { securing != nil && needsSession(code) }

    /// The value of a command's field that is a set of named bits, such as doors.
    ///
    /// - Parameter names: the bits; nil for all, by the field's value of the name `all` where it has one.
    /// - Returns: nil where the field is absent, is no such set, or lacks one of the bits.
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
