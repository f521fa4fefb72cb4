import PayloadFormat
import WireBytes

/// The fields of bodies that the rules of authentications ask for.
enum SessionField: Int, CaseIterable, Sendable {
    case keyID
    case proof
    case vehicleProof
    case phoneProof
    case authCounter
    case lifetime

    /// Its name in layouts.
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

/// Where a body has a field.
struct FieldPlace: Sendable {
    /// Its octets, from the start of the body.
    var octets: Range<Int>
    /// Whether it is shown as octets.
    var isOctets = false
    /// The order of its octets where they are an unsigned integer that is taken as it is; nil elsewhere.
    var order: OctetOrder?
}

/// What is known of bodies before any is read.
struct BodyFacts: Sendable {
    /// The octets of a body that fits, where that is the only rule; nil where its octets must be looked at.
    let plainWidth: Int?
    /// Where a body of that width has the fields that rules ask for.
    private var places = [FieldPlace?](repeating: nil, count: SessionField.allCases.count)
    /// A bit for each of them that a body may have at all.
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

    /// Whether a body may have a field.
    func mayHave(_ field: SessionField) -> Bool { present & 1 << UInt8(field.rawValue) != 0 }

    /// Where a body of the ``plainWidth`` has a field; of several of a name the last.
    subscript(field: SessionField) -> FieldPlace? { places[field.rawValue] }
}

extension Layout {
    /// The octets of such a message where it fits if it has as many, whatever they are; else nil.
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
