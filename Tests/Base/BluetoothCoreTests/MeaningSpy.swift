import BluetoothCore
import WireBytes

/// Reads fields, keeps their names and counts those that are secret.
struct MeaningSpy: FieldCoder, ~Copyable, ~Escapable {
    var reader: FieldReader
    var names: [String] = []
    var secrets = 0

    @_lifetime(copy octets)
    init(_ octets: RawSpan) { reader = FieldReader(octets) }

    var remaining: Int { reader.remaining }
    var offset: Int { reader.offset }

    @_lifetime(self: copy self)
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        names.append("\(name)")
        try reader.unsigned(name, &value, width: width, meaning)
    }

    @_lifetime(self: copy self)
    mutating func signed(
        _ name: StaticString, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        names.append("\(name)")
        try reader.signed(name, &value, width: width, meaning)
    }

    @_lifetime(self: copy self)
    mutating func address(_ name: StaticString, _ value: inout DeviceAddress) throws(DecodeError) {
        names.append("\(name)")
        try reader.address(name, &value)
    }

    @_lifetime(self: copy self)
    mutating func uuid(
        _ name: StaticString, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {
        names.append("\(name)")
        try reader.uuid(name, &value, width: width)
    }

    @_lifetime(self: copy self)
    mutating func payload<P: PDUPayload>(
        _ name: StaticString, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        names.append("\(name)")
        if case .secret = meaning { secrets += 1 }
        try reader.payload(name, &value, count: count, meaning)
    }

    @_lifetime(self: copy self)
    mutating func list<Element: PDUFields>(
        _ name: StaticString, _ elements: inout [Element], count: Int?
    ) throws(DecodeError) {
        names.append("\(name)")
        try reader.list(name, &elements, count: count)
    }
}
