import WireBytes

extension Layout {
    /// The bytes of a message with those of the values that its fields can hold; what has no value is 0.
    ///
    /// For a sender that knows what its values mean but not which of them a described message carries.
    public func encode(filling values: [String: AnnotationValue]) -> [UInt8] {
        fields.flatMap { field -> [UInt8] in
            if let constant = field.constant { return constant }
            if let value = values[field.name], let octets = try? field.encode(value) { return octets }
            return field.zeros
        }
    }
}

extension FieldLayout {
    /// The field with nothing in it: zeros if its length is fixed, no bytes if it is not.
    fileprivate var zeros: [UInt8] { [UInt8](repeating: 0, count: min(max(0, fixedWidth ?? 0), 4_096)) }
}
