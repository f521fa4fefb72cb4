import PayloadFormat

/// Body fields that the authentication rules need.
enum SessionField: Int, CaseIterable, Sendable {
    case keyID
    case proof
    case vehicleProof
    case phoneProof
    case authCounter
    case lifetime

    var name: String {
        switch self {
        case .keyID: FormulaVariable.keyID
        case .proof: "proof"
        case .vehicleProof: "vehicleProof"
        case .phoneProof: "phoneProof"
        case .authCounter: "authCounter"
        case .lifetime: "lifetime"
        }
    }
}

struct FieldPlace: Sendable {
    /// Its byte range, from the start of the body.
    var octets: Range<Int>
    var isOctets = false
    /// Its byte order if it is a plain unsigned integer; otherwise nil.
    var order: OctetOrder?
}

/// Facts about bodies, computed from the layout once.
struct BodyFacts: Sendable {
    /// Length in bytes of a valid body if the length is the only rule; nil if its bytes must be checked.
    let plainWidth: Int?
    /// Positions of the fields that rules need, in a body of that width.
    private var places = [FieldPlace?](repeating: nil, count: SessionField.allCases.count)
    /// One bit for each of these fields that a body may have.
    private var present: UInt8 = 0

    init(_ layout: Layout) {
        plainWidth = layout.plainWidth
        for field in SessionField.allCases where layout.fields.contains(where: { $0.name == field.name }) {
            present |= 1 << UInt8(field.rawValue)
        }
        guard plainWidth != nil else { return }
        var start = 0
        for layout in layout.fields {
            let end = start + (layout.fixedWidth ?? 0)
            if let field = SessionField.allCases.first(where: { $0.name == layout.name }) {
                var place = FieldPlace(octets: start..<end)
                if case .octets = layout.shape { place.isOctets = true }
                if case .integer(_, false, let order, let presentation) = layout.shape,
                    presentation.scale == nil, presentation.offset == nil
                {
                    place.order = order
                }
                places[field.rawValue] = place
            }
            start = end
        }
    }

    func mayHave(_ field: SessionField) -> Bool { present & 1 << UInt8(field.rawValue) != 0 }

    /// Position of a field in a body of ``plainWidth``; of several with one name, the last.
    subscript(field: SessionField) -> FieldPlace? { places[field.rawValue] }
}

extension Layout {
    /// Length in bytes of a valid message if the length is the only rule; otherwise nil.
    var plainWidth: Int? {
        for field in fields {
            guard field.constant == nil else { return nil }
            switch field.shape {
            case .integer, .bits, .octets(.fixed): continue
            default: return nil
            }
        }
        return fixedWidth
    }
}
