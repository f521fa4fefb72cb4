import BluetoothCore
public import WireBytes

// JSON is written member by member: each writes a comma first if another member precedes it.

extension TextBuffer {
    /// Writes a comma unless the object or array has just been opened.
    @inline(__always)
    mutating func jsonSeparator(_ isFirst: inout Bool) {
        if isFirst { isFirst = false } else { put(0x2C) }
    }

    /// Writes `"name":` for a field's name, converted to lower case with underscores.
    mutating func jsonName(ofField name: StaticText) {
        put(0x22)
        identifier(name)
        put("\":")
    }

    /// Writes bytes as a string of lower-case hexadecimal.
    @inline(__always)
    mutating func jsonHex(_ octets: RawSpan) {
        put(0x22)
        hexOctets(octets)
        put(0x22)
    }

    /// Writes a text's bytes as a member, `,"name_octets":"…"`, unless its string represents them exactly.
    ///
    /// - Parameter isPadded: whether a zero terminates the text.
    mutating func jsonOctets(ofText octets: RawSpan, _ name: StaticText, isPadded: Bool = false) {
        if TextValues.isTold(octets, isPadded: isPadded) { return }
        put(",\"")
        identifier(name)
        put("_octets\":")
        jsonHex(octets)
    }

    /// Writes untrusted text as a string.
    mutating func jsonString(_ octets: RawSpan) {
        put(0x22)
        jsonEscaped(octets)
        put(0x22)
    }

    /// Writes a string.
    public mutating func jsonString(_ text: String) {
        put(0x22)
        jsonEscaped(text)
        put(0x22)
    }

    /// Writes a literal that needs no escape as a string.
    @inline(__always)
    mutating func jsonString(_ text: StaticText) {
        put(0x22)
        put(text)
        put(0x22)
    }

    /// Writes an address as a string.
    @inline(__always)
    mutating func jsonString(_ address: DeviceAddress) {
        put(0x22)
        put(address)
        put(0x22)
    }

    /// Writes a UUID as a string.
    @inline(__always)
    mutating func jsonString(_ uuid: BluetoothUUID) {
        put(0x22)
        put(uuid)
        put(0x22)
    }
}
