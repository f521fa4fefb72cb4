import WireBytes

/// The fields of a signalling command that the analysis follows, read where its row says they stand.
public struct L2CAPSignalFields: Sendable {
    /// The service asked for: a PSM or SPSM; 0 in other commands.
    public var psm: UInt16 = 0
    /// Bytes of the longest SDU that the sender receives; 0 in other commands.
    public var mtu: UInt16 = 0
    /// Whether a request is granted, or why it or a command is refused.
    public var result: UInt16 = 0
    /// Ends of channels at the device that sends the request: at most five.
    public var sourceCIDs: [UInt16] = []
    /// Ends of channels at the device that answers: at most five, 0 for a channel that is refused.
    public var destinationCIDs: [UInt16] = []

    /// Reads a command, header first; a field that it doesn't have stays as it is above.
    public init(_ command: RawSpan) {
        let code = L2CAPSignallingCode(rawValue: command.octet(at: 0) ?? 0)
        guard let layout = L2CAPTable.layout(code) else { return }
        let parameters = command.dropping(L2CAPTable.headerSize)
        psm = layout.word("PSM", in: parameters) ?? layout.word("SPSM", in: parameters) ?? 0
        mtu = layout.word("MTU", in: parameters) ?? 0
        result = layout.word("Result", in: parameters) ?? layout.word("Reason", in: parameters) ?? 0
        sourceCIDs = Self.channels("Source CID", "Source CIDs", layout, parameters)
        destinationCIDs = Self.channels("Destination CID", "Destination CIDs", layout, parameters)
    }

    private static func channels(
        _ one: StaticText, _ list: StaticText, _ layout: PDULayout, _ parameters: RawSpan
    ) -> [UInt16] {
        if let cid = layout.word(one, in: parameters) { return [cid] }
        guard let start = layout.place(of: list) else { return [] }
        return (0..<5).compactMap { parameters.u16le(at: start &+ 2 &* $0) }
    }
}

extension PDULayout {
    /// The field of two bytes with a name; nil if the PDU has none, or if its place depends on the values.
    fileprivate func word(_ name: StaticText, in octets: RawSpan) -> UInt16? {
        place(of: name).flatMap { octets.u16le(at: $0) }
    }
}
