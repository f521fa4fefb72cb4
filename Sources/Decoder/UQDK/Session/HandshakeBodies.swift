import PayloadFormat

/// The bodies of an authentication's messages, oldest first.
///
/// Fields are cut out only when a rule or a key asks for them; without a key few do.
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

    mutating func add(_ note: borrowing MessageFacts, command: Int) {
        hasLatest = note.content.hasFields
        guard hasLatest else { return }
        bodies.append(
            Body(
                command: command, ofResponse: note.kind == .response,
                octets: note.content.octets[note.content.place]))
    }

    func latest(_ field: SessionField) -> ArraySlice<UInt8>? {
        guard hasLatest, !bodies.isEmpty else { return nil }
        return octets(field, body: bodies.count - 1)
    }

    /// The bytes of a field, from the latest body that has it; nil if absent.
    subscript(field: SessionField) -> ArraySlice<UInt8>? {
        for index in bodies.indices.reversed() {
            if let octets = octets(field, body: index) { return octets }
        }
        return nil
    }

    func latestNumber(_ field: SessionField) -> UInt64? {
        guard hasLatest, let body = bodies.last else { return nil }
        if shared.plainWidth(command: body.command, ofResponse: body.ofResponse) == body.octets.count,
            let place = shared.place(of: field, command: body.command, ofResponse: body.ofResponse),
            let order = place.order
        {
            let start = body.octets.startIndex
            var number: UInt64 = 0
            for index in place.octets {
                let octet =
                    order == .big ? index : place.octets.upperBound - 1 - (index - place.octets.lowerBound)
                number = number << 8 | UInt64(body.octets[start + octet])
            }
            return number
        }
        let layout = shared.layout(command: body.command, ofResponse: body.ofResponse)
        return layout.decode(body.octets).fields.number(field.name)
    }

    /// Whether the latest body's proof is all zeros: no key makes such a proof but by a chance of one in
    /// 2^64.
    var hasZeroProof: Bool { latest(.phoneProof).map { $0.count >= 8 && $0.allSatisfy { $0 == 0 } } ?? false }

    /// The bytes of every field.
    var variables: FormulaVariables {
        var all = FormulaVariables()
        for body in bodies {
            let layout = shared.layout(command: body.command, ofResponse: body.ofResponse)
            all.add(layout.decode(body.octets).fields, of: body.octets)
        }
        return all
    }

    /// Whether a field of one of these names is in none of the bodies.
    func lack(_ names: [String]) -> Bool { names.contains { !has($0) } }

    private func has(_ name: String) -> Bool {
        for body in bodies {
            let layout = shared.layout(command: body.command, ofResponse: body.ofResponse)
            guard layout.fields.contains(where: { $0.name == name }) else { continue }
            // A body of that width has every field; any other has the fields up to the first that does not
            // fit.
            if shared.plainWidth(command: body.command, ofResponse: body.ofResponse) == body.octets.count
                || layout.decode(body.octets).fields.contains(where: { $0.name == name })
            {
                return true
            }
        }
        return false
    }

    private func octets(_ field: SessionField, body index: Int) -> ArraySlice<UInt8>? {
        let (command, ofResponse) = (bodies[index].command, bodies[index].ofResponse)
        guard shared.mayHave(field, command: command, ofResponse: ofResponse) else { return nil }
        let body = bodies[index].octets
        let place: Range<Int>?
        if shared.plainWidth(command: command, ofResponse: ofResponse) == body.count {
            place = shared.place(of: field, command: command, ofResponse: ofResponse)?.octets
        } else {
            let layout = shared.layout(command: command, ofResponse: ofResponse)
            place = layout.decode(body).fields.last { $0.name == field.name }?.range
        }
        guard let place, place.upperBound <= body.count else { return nil }
        return body[place.lowerBound + body.startIndex..<place.upperBound + body.startIndex]
    }
}
