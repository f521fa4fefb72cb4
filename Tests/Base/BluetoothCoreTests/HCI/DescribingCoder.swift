import BluetoothCore
import WireBytes

/// Writes every field as `name=value`, one after another, as a printer of captures would.
struct DescribingCoder: FieldCoder {
    let octets: [UInt8]
    var position = 0
    var words: [String] = []

    /// The end of the element that is read, or of the PDU.
    var end: Int

    init(_ octets: [UInt8]) {
        self.octets = octets
        end = octets.count
    }

    var remaining: Int { end - position }
    var offset: Int { position }
    var text: String { words.joined(separator: " ") }

    mutating func read<T>(_ body: (inout ByteReader) throws(DecodeError) -> T) throws(DecodeError) -> T {
        let part = Array(octets[position..<end])
        let read = try part.withReader { (reader: inout ByteReader) throws(DecodeError) in
            let value = try body(&reader)
            return (value, reader.offset)
        }
        position += read.1
        return read.0
    }

    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let read = try read { (reader: inout ByteReader) throws(DecodeError) in
            try reader.unsigned(width: width)
        }
        value = read
        words.append("\(name)=\(Self.describe(read, width, meaning))")
    }

    static func describe(_ value: UInt64, _ width: Int, _ meaning: FieldMeaning) -> String {
        let hex = String(value, radix: 16, uppercase: true)
        switch meaning {
        case .number: return "\(value)"
        case .hex, .handle, .link: return "0x" + hex
        case .steps(let nanoseconds):
            let micros = Int64(value) * nanoseconds / 1000
            return micros % 1000 == 0 ? "\(micros / 1000)ms" : "\(micros)us"
        case .dBm: return "\(value)dBm"
        case .code(let names): return names.name(value).map { "<\($0)>" } ?? "<\(value)>"
        case .bits(let names):
            let set = (0..<8 * width).filter { value >> UInt64($0) & 1 == 1 }
            return "{"
                + set.map { bit in names.name(UInt64(bit)).map { "\($0)" } ?? "\(bit)" }.joined(
                    separator: ",")
                + "}"
        case .secret: return "hidden"
        case .status: return "<" + HCIStatus(rawValue: UInt8(truncatingIfNeeded: value)).description + ">"
        case .opcode: return "<" + HCIOpcode(rawValue: UInt16(truncatingIfNeeded: value)).description + ">"
        case .company:
            return AssignedNumbersTests.text(
                AssignedNumbers.company(UInt16(truncatingIfNeeded: value))
            )
            .map { "<\($0)>" } ?? "<\(value)>"
        }
    }

    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        let read = try read { (reader: inout ByteReader) throws(DecodeError) in
            try reader.signed(width: width)
        }
        value = read
        if case .dBm = meaning { words.append("\(name)=\(read)dBm") } else { words.append("\(name)=\(read)") }
    }

    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(
            try read { (reader: inout ByteReader) throws(DecodeError) in try reader.u48le() }, value.kind)
        words.append("\(name)=\(value)")
    }

    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        value = try read { (reader: inout ByteReader) throws(DecodeError) in
            try BluetoothUUID(decoding: &reader, width: width)
        }
        words.append("\(name)=\(value)")
    }

    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        let wanted = count ?? remaining
        let part = try read { (reader: inout ByteReader) throws(DecodeError) in
            try reader.take(wanted).copied()
        }
        switch meaning {
        case .secret: words.append("\(name)=hidden")
        case .text:
            words.append("\(name)='\(String(decoding: part.prefix { $0 != 0 }, as: UTF8.self))'")
        case .octets, .attributeValue: words.append("\(name)=\(Hex.text(part))")
        case .advertising: words.append("\(name)=AD:\(Hex.text(part))")
        }
    }

    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout DescribingCoder) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        words.append("\(name)=[")
        var done = 0
        while count.map({ done < $0 }) ?? (remaining > 0) {
            try element(&self)
            done += 1
        }
        words.append("]")
    }

    mutating func within(
        _ width: Int, _ element: (inout DescribingCoder) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        let outer = end
        end = position + width
        try element(&self)
        (position, end) = (end, outer)
    }
}
