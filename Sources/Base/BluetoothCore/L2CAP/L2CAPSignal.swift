public import WireBytes

/// A signalling command: what it is, the identifier that joins a response to its request, and its parameters.
///
/// Source: Core Specification, Vol 3, Part A, 4.
public struct L2CAPSignal<Payload: PDUPayload & Hashable>: Hashable, Sendable {
    /// Octets of the header: code, identifier and length.
    @inlinable public static var headerSize: Int { 4 }

    /// Joins a response to its request; never 0.
    public var identifier: UInt8
    /// The parameters.
    public var parameters: L2CAPSignalParameters<Payload>

    @inlinable
    public init(identifier: UInt8, _ parameters: L2CAPSignalParameters<Payload>) {
        self.identifier = identifier
        self.parameters = parameters
    }

    /// Reads one command, header and all; the reader goes to the end of its length whatever the parameters
    /// take. Payloads are ranges from the start of the reader's span.
    public init(decoding reader: inout ByteReader) throws(DecodeError) {
        guard reader.remaining >= 4 else {
            throw DecodeError(.truncated(need: 4, have: reader.remaining), at: reader.offset)
        }
        let code = L2CAPSignallingCode(rawValue: try reader.u8())
        identifier = try reader.u8()
        let length = Int(try reader.u16le())
        guard reader.remaining >= length else {
            throw DecodeError(.truncated(need: length, have: reader.remaining), at: reader.offset)
        }
        parameters = L2CAPSignalParameters(code)
        var coder = FieldReader(reader.wholeSpan.clamped(0..<reader.offset &+ length), from: reader.offset)
        try parameters.code(&coder)
        try reader.skip(length)
    }

    /// Reads one command from the start of `octets`.
    public init(decoding octets: RawSpan) throws(DecodeError) {
        var reader = ByteReader(octets)
        try self.init(decoding: &reader)
    }

    /// Appends the header and the parameters.
    public func encode(into writer: inout ByteWriter) {
        writer.u8(parameters.signallingCode.rawValue)
        writer.u8(identifier)
        let lengthAt = writer.count
        writer.u16le(0)
        var copy = parameters
        var coder = FieldWriter(writer)
        // A writer has no end and refuses nothing, so no field can fail.
        try? copy.code(&coder)
        writer = coder.writer
        writer.patchU16LE(UInt16(clamping: writer.count - lengthAt - 2), at: lengthAt)
    }

    /// The command as octets.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.octets
    }
}
