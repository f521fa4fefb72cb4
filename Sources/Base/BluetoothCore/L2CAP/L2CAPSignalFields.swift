import WireBytes

/// The fields of the signalling commands that open and close channels or give credits; their table rows have
/// the positions.
public struct L2CAPSignalFields: Hashable, Sendable {
    /// The requested service, a PSM or SPSM; 0 in other commands.
    public var psm: UInt16 = 0
    /// The longest SDU that the sender can receive, in bytes; 0 in other commands.
    public var mtu: UInt16 = 0
    /// The longest K-frame payload that the sender can receive, in bytes; 0 in other commands.
    public var mps: UInt16 = 0
    /// Number of K-frames, initial or additional, that the sender accepts; 0 in other commands.
    public var credits: UInt16 = 0
    /// The result of a request, or the reason for a rejection.
    public var result: UInt16 = 0
    /// Endpoints of channels at the device that sends the request or gives credits: at most five.
    public var sourceCIDs: [UInt16] = []
    /// Endpoints of channels at the responding device: at most five, 0 for a refused channel.
    public var destinationCIDs: [UInt16] = []

    public init() {}

    /// Decodes a command from its header; missing fields keep their defaults.
    public init(_ command: RawSpan) {
        let code = L2CAPSignallingCode(rawValue: command.octet(at: 0) ?? 0)
        guard let layout = L2CAPTable.layout(code) else { return }
        let parameters = command.dropping(L2CAPTable.headerSize)
        psm = layout.word("PSM", in: parameters) ?? layout.word("SPSM", in: parameters) ?? 0
        mtu = layout.word("MTU", in: parameters) ?? 0
        mps = layout.word("MPS", in: parameters) ?? 0
        credits =
            layout.word("Initial Credits", in: parameters) ?? layout.word("Credits", in: parameters) ?? 0
        result = layout.word("Result", in: parameters) ?? layout.word("Reason", in: parameters) ?? 0
        sourceCIDs = Self.channels("Source CID", "Source CIDs", layout, parameters)
        destinationCIDs = Self.channels("Destination CID", "Destination CIDs", layout, parameters)
    }

    private static func channels(
        _ one: StaticText, _ list: StaticText, _ layout: PDULayout, _ parameters: RawSpan
    ) -> [UInt16] {
        if let cid = layout.word(one, in: parameters) { return [cid] }
        if one == "Source CID", let cid = layout.word("CID", in: parameters) { return [cid] }
        guard let start = layout.place(of: list) else { return [] }
        return (0..<5).compactMap { parameters.u16le(at: start &+ 2 &* $0) }
    }

    /// Encodes a command with these fields, from its header; of a list, only the first element is written.
    ///
    /// - Parameter rest: bytes after the last of these fields, such as the data of a rejection.
    public func command(
        _ code: L2CAPSignallingCode, identifier: UInt8, rest: [UInt8] = []
    ) -> [UInt8] {
        let layout = L2CAPTable.layout(code)
        var writer = ByteWriter()
        writer.u8(code.rawValue)
        writer.u8(identifier)
        let size = (layout?.sufficientSize ?? 0) + rest.count
        writer.u16le(UInt16(clamping: size))
        writer.fill(0, count: size - rest.count)
        writer.bytes(rest)
        let values: [(StaticText, UInt16)] = [
            ("PSM", psm), ("SPSM", psm), ("MTU", mtu), ("MPS", mps), ("Initial Credits", credits),
            ("Credits", credits), ("Result", result), ("Reason", result), ("CID", sourceCIDs.first ?? 0),
            ("Source CID", sourceCIDs.first ?? 0), ("Destination CID", destinationCIDs.first ?? 0),
        ]
        for (name, value) in values {
            if let place = layout?.place(of: name) {
                writer.patchU16LE(value, at: L2CAPTable.headerSize + place)
            }
        }
        return writer.octets
    }
}

extension PDULayout {
    /// Returns the two-byte field with a name; nil if there is no such field, or if its position depends on
    /// values.
    fileprivate func word(_ name: StaticText, in octets: RawSpan) -> UInt16? {
        place(of: name).flatMap { octets.u16le(at: $0) }
    }
}

/// The result of opening an LE credit-based channel.
///
/// Source: Core Specification, Vol 3, Part A, 4.23.
@frozen
public struct L2CAPCreditBasedResult: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable public static var success: Self { .init(rawValue: 0x0000) }
    @inlinable public static var spsmNotSupported: Self { .init(rawValue: 0x0002) }
    @inlinable public static var noResources: Self { .init(rawValue: 0x0004) }
    @inlinable public static var insufficientAuthentication: Self { .init(rawValue: 0x0005) }
    @inlinable public static var insufficientAuthorization: Self { .init(rawValue: 0x0006) }
    @inlinable public static var insufficientKeySize: Self { .init(rawValue: 0x0007) }
    @inlinable public static var insufficientEncryption: Self { .init(rawValue: 0x0008) }
    @inlinable public static var invalidSourceCID: Self { .init(rawValue: 0x0009) }
    @inlinable public static var sourceCIDAllocated: Self { .init(rawValue: 0x000A) }
    @inlinable public static var unacceptableParameters: Self { .init(rawValue: 0x000B) }
}
