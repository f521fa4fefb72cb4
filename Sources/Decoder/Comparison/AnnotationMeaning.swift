import Analysis
import PayloadFormat
import WireBytes

/// The content of an annotation that is the same in each session: the message's name, its result, and the
/// fields that are not volatile.
struct AnnotationMeaning: AnnotationVisitor {
    private var members: [String: String] = [:]
    private var groups: [String] = []
    private(set) var values: [Act.Value] = []

    init(_ annotation: Annotation) {
        annotation.walk(&self)
        for field in annotation.details.fields where !field.isVolatile { add(field) }
    }

    var isWhole: Bool { name != nil && members["message.whole"] != "no" && members["fragment"] != "open" }

    private var name: String? { members["message.name"] ?? members["message.command"] ?? members["message"] }

    var what: String {
        let owner = members["profile"] ?? "UQDK"
        return [owner, name ?? "message", members["message.kind"]].compactMap { $0 }.joined(separator: " ")
    }

    /// The result: a response's status, and failed checks of the message.
    var status: String {
        var words = members["message.status"].map { [$0] } ?? []
        for check in ["message.checksum", "message.tag", "message.proof", "checksum"]
        where members[check] == "wrong" {
            words.append("\(check.split(separator: ".").last ?? "") wrong")
        }
        return words.joined(separator: ", ")
    }

    private mutating func add(_ field: DecodedField) {
        switch field.value {
        case .group(let fields): for inner in fields where !inner.isVolatile { add(inner) }
        case .list: break
        default:
            // A request is the same each time; the content of an answer changes with the device.
            let kind = members["message.kind"]
            let isSteady = members["profile"] == nil && (kind == nil || kind == "request")
            values.append(Act.Value(name: field.name, text: Self.text(field.value), isSteady: isSteady))
        }
    }

    private static func text(_ value: AnnotationValue) -> String {
        switch value {
        case .unsigned(let number): "\(number)"
        case .signed(let number): "\(number)"
        case .decimal(let number): number.description
        case .hex(let number, _): "0x" + String(number, radix: 16)
        case .octets(let octets): "\(octets.count.counting("byte"))"
        case .text(let text): text
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .named(let code, let name): name ?? "\(code)"
        case .flags(let bits, let names): names.isEmpty ? "\(bits)" : names.joined(separator: "|")
        case .numbers(let numbers): numbers.map { "\($0)" }.joined(separator: ",")
        case .group, .list: ""
        }
    }

    // MARK: Walk

    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?) {
        // The fields that a document names are added separately, since some are volatile.
        guard !groups.contains("fields"), members.count < 32 else { return }
        members[(groups + [name]).joined(separator: ".")] = Self.text(value)
    }

    mutating func openGroup(_ name: String) { groups.append(name) }
    mutating func closeGroup() { groups.removeLast() }
    mutating func openList(_ name: String) { groups.append(name) }
    mutating func openElement() {}
    mutating func closeElement() {}
    mutating func closeList() { groups.removeLast() }
}
