public import BluetoothCore
public import WireBytes

/// A value of a JSON member.
public protocol JSONWritable {
    func write(json out: inout TextBuffer)
}

extension JSONWritable where Self: FixedWidthInteger {
    @inline(__always)
    public func write(json out: inout TextBuffer) {
        if Self.isSigned { out.decimal(Int(self)) } else { out.decimal(UInt64(self)) }
    }
}

extension Int: JSONWritable {}
extension Int8: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension Bool: JSONWritable {
    @inline(__always)
    public func write(json out: inout TextBuffer) { out.put(self ? "true" : "false") }
}

extension StaticText: JSONWritable {
    /// Assigned names contain no characters to escape.
    @inline(__always)
    public func write(json out: inout TextBuffer) { out.jsonQuoted { $0.put(self) } }
}

extension DeviceAddress: JSONWritable {
    @inline(__always)
    public func write(json out: inout TextBuffer) { out.jsonQuoted { $0.put(self) } }
}

extension BluetoothUUID: JSONWritable {
    @inline(__always)
    public func write(json out: inout TextBuffer) { out.jsonQuoted { $0.put(self) } }
}

/// A duration in microseconds, written with three decimals if it is not whole.
struct Microseconds: JSONWritable {
    private let nanoseconds: Int64

    init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    func write(json out: inout TextBuffer) {
        if nanoseconds < 0 { out.put(0x2D) }
        out.decimal(UInt64(nanoseconds.magnitude / 1000))
        let rest = nanoseconds.magnitude % 1000
        guard rest > 0 else { return }
        out.put(0x2E)
        out.decimal(UInt64(rest), digits: 3)
    }
}

/// JSON, member by member. The last byte written decides whether a comma is needed; absent values are left
/// out.
extension TextBuffer {
    /// Writes a comma, unless an object, an array or a member has just begun.
    @inline(__always)
    public mutating func separator() {
        switch octets.octet(at: count &- 1) {
        case nil, 0x7B, 0x5B, 0x3A: break
        default: put(0x2C)
        }
    }

    /// Begins a member, whose value follows.
    @inline(__always)
    public mutating func member(_ name: StaticText) { jsonMember(name) }

    @inline(__always)
    public mutating func member(_ name: StaticText, _ value: some JSONWritable) {
        jsonMember(name)
        value.write(json: &self)
    }

    @inline(__always)
    public mutating func member(_ name: StaticText, _ value: (some JSONWritable)?) {
        if let value { member(name, value) }
    }

    @inline(__always)
    public mutating func member(_ name: StaticText, _ value: StaticText) {
        jsonMember(name, plain: value)
    }

    /// Disfavoured, since a literal would otherwise become a `String` first.
    @_disfavoredOverload
    public mutating func member(_ name: StaticText, _ value: String?) {
        guard let value else { return }
        jsonMember(name)
        jsonString(value)
    }

    @_disfavoredOverload
    public mutating func member(_ name: StaticText, _ values: [String]) {
        array(name, of: values) { $0.jsonString($1) }
    }

    /// Writes a flag if it is set.
    @inline(__always)
    mutating func member(_ name: StaticText, if isSet: Bool) {
        if isSet { member(name, true) }
    }

    /// Writes bytes in lower-case hexadecimal.
    @inline(__always)
    mutating func member(_ name: StaticText, hex octets: RawSpan) {
        jsonMember(name)
        jsonHex(octets)
    }

    /// Writes untrusted text.
    mutating func member(_ name: StaticText, text: RawSpan) {
        jsonMember(name)
        jsonString(text)
    }

    /// Writes text without any characters to escape.
    @inline(__always)
    mutating func member(_ name: StaticText, plain text: RawSpan) {
        jsonMember(name)
        put(0x22)
        put(text)
        put(0x22)
    }

    @inline(__always)
    public mutating func null(_ name: StaticText) {
        jsonMember(name)
        put("null")
    }

    mutating func member(_ name: StaticText, orNull value: String?) {
        if let value { member(name, value) } else { null(name) }
    }

    /// Begins a member whose name comes from a protocol.
    mutating func member(named name: String) {
        separator()
        jsonString(name)
        put(0x3A)
    }

    /// Begins a member with a field's name, in lower case with underscores.
    mutating func member(ofField name: StaticText) {
        beginJSONMember()
        identifier(name)
        put("\":")
    }

    /// Begins the object of a line.
    @inline(__always)
    public mutating func line(_ kind: StaticText) {
        put("{\"kind\":\"")
        put(kind)
        put(0x22)
    }

    /// Begins an object in an array.
    @inline(__always)
    public mutating func element() {
        separator()
        put(0x7B)
    }

    /// Begins an object that is a member.
    @inline(__always)
    public mutating func object(_ name: StaticText) {
        jsonMember(name)
        put(0x7B)
    }

    @inline(__always)
    public mutating func endObject() { put(0x7D) }

    /// Begins an array that is a member.
    @inline(__always)
    public mutating func array(_ name: StaticText) {
        jsonMember(name)
        put(0x5B)
    }

    @inline(__always)
    public mutating func endArray() { put(0x5D) }

    /// Appends an array with one value for each element, which `body` appends.
    public mutating func array<Elements: Sequence>(
        _ name: StaticText, of elements: Elements, _ body: (inout TextBuffer, Elements.Element) -> Void
    ) {
        array(name)
        for element in elements {
            separator()
            body(&self, element)
        }
        endArray()
    }

    /// Appends an array with one object for each element, whose members `body` appends.
    public mutating func objects<Elements: Sequence>(
        _ name: StaticText, of elements: Elements, _ body: (inout TextBuffer, Elements.Element) -> Void
    ) {
        array(name, of: elements) { out, element in
            out.put(0x7B)
            body(&out, element)
            out.put(0x7D)
        }
    }

    /// Appends an array with one array for each element, whose values `body` appends as cells.
    mutating func rows<Elements: Sequence>(
        _ name: StaticText, of elements: Elements, _ body: (inout TextBuffer, Elements.Element) -> Void
    ) {
        array(name, of: elements) { out, element in
            out.put(0x5B)
            body(&out, element)
            out.put(0x5D)
        }
    }

    /// Appends a value of an array; null if it is nil.
    mutating func cell(_ value: (some JSONWritable)?) {
        separator()
        if let value { value.write(json: &self) } else { put("null") }
    }

    /// Appends a string of an array.
    @_disfavoredOverload
    mutating func cell(_ text: String) {
        separator()
        jsonString(text)
    }
}

extension TextBuffer {
    @inline(__always)
    mutating func jsonQuoted(_ body: (inout TextBuffer) -> Void) {
        put(0x22)
        body(&self)
        put(0x22)
    }

    /// Writes bytes as a string of lower-case hexadecimal.
    @inline(__always)
    mutating func jsonHex(_ octets: RawSpan) {
        put(0x22)
        hexOctets(octets)
        put(0x22)
    }

    /// Writes a text's bytes as a member, `"name_octets":"…"`, if the string of the text does not show them
    /// all.
    ///
    /// - Parameter isPadded: whether a zero terminates the text.
    mutating func jsonOctets(ofText octets: RawSpan, _ name: StaticText, isPadded: Bool = false) {
        if TextValues.isLossless(octets, isPadded: isPadded) { return }
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
}
