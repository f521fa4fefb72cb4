import BluetoothCore
import WireBytes

/// One line of text for a PDU, from its declared fields.
enum PDUText {
    static func text(_ entry: TraceEntry) -> String {
        text(entry.octets, entry.channel)
    }

    /// - Parameter label: the attribute's name, which follows its handle.
    static func text(_ octets: [UInt8], _ channel: L2CAPChannelID, label: String? = nil) -> String {
        switch channel {
        case .attribute: attribute(octets, label)
        case .leSignalling: signal(octets)
        case .securityManager: security(octets)
        default: "L2CAP channel \(Self.hex(UInt64(channel.rawValue), digits: 4)) \(Hex.text(octets))"
        }
    }

    /// Returns only the features in a Security Manager PDU, because its other parameters may be keys.
    private static func security(_ octets: [UInt8]) -> String {
        let code = SMPCode(rawValue: octets.first ?? 0)
        let text = "SMP " + (code.name.map { "\($0)" } ?? "PDU")
        guard code == .pairingRequest || code == .pairingResponse else { return text }
        var coder = FieldText(octets.borrowedOctets.dropping(1))
        _ = try? SMPTable.code(code, &coder)
        return text + coder.text
    }

    private static func attribute(_ octets: [UInt8], _ label: String?) -> String {
        guard let first = octets.first else { return "ATT PDU without bytes" }
        let opcode = ATTOpcode(rawValue: first)
        let name = opcode.name.map { "\($0)" } ?? "opcode " + hex(UInt64(first), digits: 2)
        guard opcode.places.isAttribute, let handle = octets.attributeHandle else {
            return "ATT \(name)" + fields(Array(octets.dropFirst()), of: opcode)
        }
        var text = "ATT \(name) \(Self.handle(handle))"
        if let label { text += " \(label)" }
        if octets.count > 3 { text += " \(Hex.text(Array(octets[3...])))" }
        return text
    }

    private static func fields(_ octets: [UInt8], of opcode: ATTOpcode) -> String {
        var coder = FieldText(octets.borrowedOctets)
        do throws(DecodeError) {
            try ATTTable.code(opcode, &coder)
        } catch {
            return " \(Hex.text(octets)) [malformed at +\(error.offset)]"
        }
        return coder.text + (coder.rest.isEmpty ? "" : " \(Hex.text(coder.rest))")
    }

    private static func signal(_ octets: [UInt8]) -> String {
        guard octets.count >= 4 else { return "L2CAP signal \(Hex.text(octets))" }
        let code = L2CAPSignallingCode(rawValue: octets[0])
        let name = code.name.map { "\($0)" } ?? "code " + hex(UInt64(octets[0]), digits: 2)
        var coder = FieldText(octets.borrowedOctets.dropping(4))
        do throws(DecodeError) {
            try L2CAPTable.code(code, &coder)
        } catch {
            return "L2CAP \(name) id \(octets[1]) \(Hex.text(Array(octets[4...])))"
        }
        return "L2CAP \(name) id \(octets[1])" + coder.text
    }

    static func handle(_ handle: UInt16) -> String { hex(UInt64(handle), digits: 4) }

    static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// Writes every field of a PDU as ` name=value`, from its bytes.
struct FieldText: ReadingCoder, ~Copyable, ~Escapable {
    var reader: ByteReader
    // A `String` here makes the compiler copy the reader, which it then refuses.
    private var out = TextBuffer()

    @_lifetime(copy octets)
    init(_ octets: RawSpan) { reader = ByteReader(octets) }

    var text: String { out.text }
    /// Bytes that no field covered.
    var rest: [UInt8] { reader.peekRest().copied() }

    @_lifetime(self: copy self)
    private mutating func put(_ name: StaticText, _ value: String) { out.put(" \(name)=\(value)") }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.unsigned(width: width)
        switch meaning {
        case .hex, .handle, .link, .opcode, .company, .status, .bits:
            put(name, PDUText.hex(value, digits: 2 * width))
        case .number, .steps, .dBm: put(name, "\(value)")
        case .secret: put(name, "(not shown)")
        case .code(let names):
            put(name, names.name(value).map { "\($0)" } ?? PDUText.hex(value, digits: 2 * width))
        }
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try reader.signed(width: width)
        put(name, "\(value)")
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try reader.u48le(), value.kind)
        put(name, "\(value)")
    }

    @_lifetime(self: copy self)
    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError) {
        value = try BluetoothUUID(decoding: &reader, width: width)
        put(name, "\(value)")
    }

    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        let taken = try reader.take(count ?? reader.remaining)
        if case .secret = meaning { return put(name, "(not shown)") }
        put(name, Hex.text(taken.copied()))
    }

    @_lifetime(self: copy self)
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout FieldText) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        out.put(" \(name)=[")
        try elements(count, element)
        out.put(" ]")
    }
}
