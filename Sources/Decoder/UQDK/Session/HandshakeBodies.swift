import WireBytes

/// The bodies of the messages of an authentication, the oldest first.
///
/// Their fields are cut out when a rule or a key asks for them: without a key few are.
struct HandshakeBodies: Sendable {
    private struct Body: Sendable {
        let command: Int
        let ofResponse: Bool
        let octets: ArraySlice<UInt8>
    }

    private let shared: SharedDialect
    private var bodies: [Body] = []
    /// Whether the latest message had a body that could be read.
    private var hasLatest = false

    init(_ shared: SharedDialect) { self.shared = shared }

    /// Adds the body of the next message.
    mutating func add(_ note: borrowing MessageFacts, command: Int) {
        hasLatest = note.content.hasFields
        guard hasLatest else { return }
        bodies.append(
            Body(
                command: command, ofResponse: note.kind == .response,
                octets: note.content.octets[note.content.place]))
    }

    /// The octets of a field of the latest body; nil where it has none of this name.
    func latest(_ name: String) -> ArraySlice<UInt8>? {
        guard hasLatest, let body = bodies.last else { return nil }
        return octets(name, body)
    }

    /// The octets of a field: the latest of this name; nil where there is none.
    subscript(name: String) -> ArraySlice<UInt8>? {
        for body in bodies.reversed() {
            if let octets = octets(name, body) { return octets }
        }
        return nil
    }

    /// The number that a field of the latest body holds; nil where it has none of this name.
    func latestNumber(_ name: String) -> UInt64? {
        guard hasLatest, let body = bodies.last else { return nil }
        let facts = shared.facts(body.command, ofResponse: body.ofResponse)
        let layout = shared.layout(body.command, ofResponse: body.ofResponse)
        guard facts.plainWidth == body.octets.count else {
            return layout.decode(body.octets).fields.number(name)
        }
        guard let index = layout.fields.firstIndex(where: { $0.name == name }) else { return nil }
        let start = body.octets.startIndex
        let place = facts.places[index].lowerBound + start..<facts.places[index].upperBound + start
        return Layout([layout.fields[index]]).decode(body.octets[place]).fields.number(name)
    }

    /// The octets of every field.
    var variables: FormulaVariables {
        var all = FormulaVariables()
        for body in bodies {
            let layout = shared.layout(body.command, ofResponse: body.ofResponse)
            all.add(layout.decode(body.octets).fields, of: body.octets)
        }
        return all
    }

    private func octets(_ name: String, _ body: Body) -> ArraySlice<UInt8>? {
        let layout = shared.layout(body.command, ofResponse: body.ofResponse)
        let facts = shared.facts(body.command, ofResponse: body.ofResponse)
        let start = body.octets.startIndex
        let place: Range<Int>?
        if facts.plainWidth == body.octets.count {
            place = layout.fields.lastIndex { $0.name == name }.map { facts.places[$0] }
        } else {
            place = layout.decode(body.octets).fields.last { $0.name == name }?.range
        }
        guard let place, place.upperBound <= body.octets.count else { return nil }
        return body.octets[place.lowerBound + start..<place.upperBound + start]
    }
}
