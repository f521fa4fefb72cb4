import PayloadFormat

/// Writes a JSON text again with one value changed.
enum JSONLeaves {
    /// The paths of all values that are neither objects nor arrays.
    static func all(of node: JSONNode) -> [String] {
        switch node.value {
        case .array(let nodes): nodes.flatMap { all(of: $0) }
        case .object(let members): members.flatMap { all(of: $0.node) }
        default: [node.path]
        }
    }

    /// The text of `node` with another value of the same kind at `path`.
    static func text(of node: JSONNode, changing path: String) -> String {
        let isChanged = node.path == path
        switch node.value {
        case .null: return isChanged ? "0" : "null"
        case .bool(let value): return "\(value != isChanged)"
        case .number(let number):
            return "\(number.mantissa + (isChanged ? 1 : 0))e\(number.exponent)"
        case .string(let text): return isChanged ? changed(text) : "\"\(text)\""
        case .array(let nodes):
            return "[" + nodes.map { self.text(of: $0, changing: path) }.joined(separator: ",") + "]"
        case .object(let members):
            let parts = members.map { "\"\($0.name)\":" + text(of: $0.node, changing: path) }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    /// A string that says something else and is as likely to be allowed.
    private static func changed(_ text: String) -> String {
        let others = [
            "big": "little", "aes-cmac": "hmac-sha-256", "activate": "ordinary", "start": "end",
            "payload": "message", "crc16-ccitt-false": "crc16-modbus", "hex": "number", "last": "more",
            "u8": "i8", "u16": "i16", "u32": "i32", "i8": "u8",
        ]
        if let other = others[text] { return "\"\(other)\"" }
        guard let last = text.last, let digit = last.hexDigitValue else { return "\"\(text)x\"" }
        return "\"\(text.dropLast())\(String((digit + 1) % 10))\""
    }
}
