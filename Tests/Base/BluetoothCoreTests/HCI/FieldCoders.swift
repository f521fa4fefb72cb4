import BluetoothCore
import WireBytes

/// Makes a PDU's octets from random values: every field gets one and is written at once.
struct RandomCoder: FieldCoder {
    var writer = ByteWriter()
    var random: SeededOctets
    /// Whether a status is always success, so that everything after it is there.
    var succeeds = true
    let remaining = Int.max

    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = random.next()
        if case .status = meaning, succeeds { value = 0 }
        if width < 8 { value &= 1 << UInt64(8 * width) - 1 }
        // Counts and lengths stay small enough to read.
        if case .number = meaning, Self.isCount(name.description) { value %= 9 }
        for index in 0..<width { writer.u8(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    static func isCount(_ name: String) -> Bool {
        name.hasPrefix("num_") || name.hasSuffix("length") || name.hasSuffix("count")
    }

    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = Int64(Int8(truncatingIfNeeded: random.next()))
        for index in 0..<width { writer.u8(UInt8(truncatingIfNeeded: value >> Int64(8 * index))) }
    }

    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {
        value = DeviceAddress(random.next(), value.kind)
        writer.u48le(value.value)
    }

    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        value = BluetoothUUID(UInt32(truncatingIfNeeded: random.next()))
        writer.fill(0xAA, count: width)
    }

    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        for _ in 0..<(count ?? Int(random.next() % 12)) {
            writer.u8(UInt8(truncatingIfNeeded: random.next()))
        }
    }

    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout RandomCoder) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        for _ in 0..<(count ?? Int(random.next() % 4)) { try element(&self) }
    }
}
