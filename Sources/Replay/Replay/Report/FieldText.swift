import BluetoothCore
import WireBytes

/// Writes every field of a PDU as ` name=value`, from its bytes.
struct FieldText: FieldCoder {
    private let octets: [UInt8]
    private(set) var offset = 0
    private(set) var text = ""
    /// The end of the current element, or of the PDU.
    private var end: Int

    init(_ octets: [UInt8]) {
        self.octets = octets
        end = octets.count
    }

    var remaining: Int { end - offset }
    /// Bytes that no field covered.
    var rest: [UInt8] { Array(octets[offset...]) }

    private mutating func take(_ count: Int) throws(DecodeError) -> [UInt8] {
        guard count >= 0, count <= remaining else {
            throw DecodeError(.truncated(need: count, have: remaining), at: offset)
        }
        defer { offset += count }
        return Array(octets[offset..<offset + count])
    }

    private mutating func number(_ width: Int) throws(DecodeError) -> UInt64 {
        try take(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func put(_ name: StaticText, _ value: String) { text += " \(name)=\(value)" }

    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = try number(width)
        switch meaning {
        case .hex, .handle, .link, .opcode, .company, .status, .bits: put(name, PDUText.hex(value, 2 * width))
        case .number, .steps, .dBm: put(name, "\(value)")
        case .secret: put(name, "(not shown)")
        case .code(let names): put(name, names.name(value).map { "\($0)" } ?? PDUText.hex(value, 2 * width))
        }
    }

    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let raw = try number(width)
        value = width == 1 ? Int64(Int8(truncatingIfNeeded: raw)) : Int64(Int16(truncatingIfNeeded: raw))
        put(name, "\(value)")
    }

    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(try number(6), value.kind)
        put(name, "\(value)")
    }

    mutating func uuid(_ name: StaticText, _ value: inout BluetoothUUID, width: Int) throws(DecodeError) {
        let taken = try take(width)
        value = try taken.withReader { (reader: inout ByteReader) throws(DecodeError) in
            try BluetoothUUID(decoding: &reader, width: width)
        }
        put(name, "\(value)")
    }

    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        let taken = try take(count ?? remaining)
        if case .secret = meaning { return put(name, "(not shown)") }
        put(name, Hex.text(taken))
    }

    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout FieldText) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        text += " \(name)=["
        var done = 0
        while count.map({ done < $0 }) ?? (remaining > 0) {
            let before = offset
            try element(&self)
            guard offset > before else { throw DecodeError(.invalidLength, at: before) }
            done += 1
        }
        text += " ]"
    }

    mutating func within(
        _ width: Int, _ element: (inout FieldText) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        let outer = end
        end = min(offset + width, outer)
        try element(&self)
        (offset, end) = (end, outer)
    }
}
