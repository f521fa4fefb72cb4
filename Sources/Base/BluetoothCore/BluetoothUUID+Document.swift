public import WireBytes

extension JSONObjectReader {
    /// A UUID of four, eight or 32 digits; nil and a problem for anything else.
    public mutating func uuid(_ name: String, _ problems: inout DocumentProblems) -> BluetoothUUID? {
        guard let node = member(name, &problems), let text = node.string(&problems) else { return nil }
        if let uuid = BluetoothUUID(text) { return uuid }
        problems.add(
            node, found: "\"\(text.prefix(40))\"", expected: "a UUID of 16, 32 or 128 bits, in digits")
        return nil
    }
}
