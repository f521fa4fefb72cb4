import WireBytes

extension Layout {
    /// Encodes a message with those values that its fields can hold; fields without a value are 0.
    ///
    /// For a sender that knows the meaning of its values but not which of them the described message carries.
    public func encode(filling values: [String: AnnotationValue]) -> [UInt8] {
        fields.flatMap { field -> [UInt8] in
            if let constant = field.constant { return constant }
            if let value = values[field.name], let octets = try? field.encode(value) { return octets }
            return field.zeros
        }
    }
}

extension FieldLayout {
    /// The empty field: zeros if its length is fixed, otherwise no bytes.
    fileprivate var zeros: [UInt8] { [UInt8](repeating: 0, count: min(max(0, fixedWidth ?? 0), 4_096)) }
}
