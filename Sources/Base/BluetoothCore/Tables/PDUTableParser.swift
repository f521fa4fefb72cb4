import WireBytes

/// Reads the text of a ``PDUTable``.
struct PDUTableParser {
    /// A field, with the fields in its brackets.
    struct Node {
        enum Shape {
            case unsigned(width: Int, FieldMeaning)
            case signed(width: Int, FieldMeaning)
            case address
            case uuid(width: Int)
            case attributeType
            case octets(PDULayout.Count, PayloadMeaning)
            case list(PDULayout.Count, [Node])
            case when(register: Int, UInt64, [Node])
        }

        var name: StaticText
        var shape: Shape
        var register: Int
    }

    /// Maximum nesting of groups, lists and conditions.
    static let depthLimit = 8
    /// Maximum number of fields in a row, including those of its groups.
    static let fieldLimit = 500

    var rows: [PDUTable.Row] = []
    private var groups: [StaticText: (text: StaticText, at: Int)] = [:]
    private var text: StaticText = ""
    private var at = 0
    private var line = 1
    private var depth = 0
    private var fieldCount = 0
    /// Names of the fields to which counts and conditions of the current row or group refer.
    private var counted: [StaticText] = []
    /// Names of the current row's fields that later fields may use as a count, with their registers.
    private var registers: [(name: StaticText, register: Int)] = []

    /// Adds the rows and groups of `text`.
    mutating func read(_ text: StaticText) throws(PDUTableError) {
        self.text = text
        (at, line) = (0, 1)
        while let octet = peek() {
            switch octet {
            case 0x0A: at += 1
            case 0x23: skipLine()
            case 0x30...0x39, 0x41...0x46: try header()
            case 0x3E, 0x3C: try layout(isReturn: octet == 0x3C)
            case 0x40:
                at += 1
                let name = word()
                groups[name] = (text, at)
                _ = try row()
            default: throw error("a line that begins with no code, >, <, @ or #")
            }
            if text.octets.octet(at: at - 1) == 0x0A { line += 1 }
        }
    }

    private func peek() -> UInt8? { text.octets.octet(at: at) }

    private func error(_ reason: StaticText) -> PDUTableError { PDUTableError(line: line, reason: reason) }

    private mutating func skipLine() {
        while let octet = peek() {
            at += 1
            if octet == 0x0A { return }
        }
    }

    private mutating func expect(_ octet: UInt8, _ reason: StaticText) throws(PDUTableError) {
        guard peek() == octet else { throw error(reason) }
        at += 1
    }

    private mutating func word() -> StaticText {
        let start = at
        while let octet = peek(), octet.isWord { at += 1 }
        return text[start..<at]
    }

    /// Reads a field's name: a word, or anything between quotation marks.
    private mutating func fieldName() throws(PDUTableError) -> StaticText {
        guard peek() == 0x22 else { return word() }
        let name = quotedName(at: at)
        at += name.count + 1
        try expect(0x22, "a name without its closing quotation mark")
        return name
    }

    /// Returns the name after the quotation mark at an index.
    private func quotedName(at mark: Int) -> StaticText {
        var end = mark + 1
        while let octet = text.octets.octet(at: end), octet != 0x22, octet != 0x0A { end += 1 }
        return text[mark + 1..<end]
    }

    private mutating func number() throws(PDUTableError) -> Int {
        var value = 0
        let start = at
        while let octet = peek(), (0x30...0x39).contains(octet) {
            value = value * 10 + Int(octet - 0x30)
            guard value <= 0xFFFF else { throw error("a number over 65535") }
            at += 1
        }
        guard at > start else { throw error("no number where one belongs") }
        return value
    }

    /// Reads `2030 7.8.47 LE Read PHY`.
    private mutating func header() throws(PDUTableError) {
        var code = 0
        while let octet = peek(), let digit = Hex.value(ofDigit: octet) {
            code = code << 4 | Int(digit)
            at += 1
            guard code <= 0xFFFF else { throw error("a code over FFFF") }
        }
        try expect(0x20, "no space after the code")
        let start = at
        skipLine()
        let end = text.octets.octet(at: at - 1) == 0x0A ? at - 1 : at
        var name = text[start..<end]
        var section: StaticText = ""
        let space = (0..<name.count).first { name.octets.octet(at: $0) == 0x20 } ?? name.count
        let first = name[0..<space]
        if (0..<space).allSatisfy({ first.octets.octet(at: $0).map { $0 == 0x2E || $0.isDigit } ?? false }) {
            section = first
            name = name[min(space + 1, name.count)..<name.count]
        }
        guard name.count > 0 else { throw error("a row without a name") }
        rows.append(
            PDUTable.Row(
                code: UInt16(code), name: name, section: section,
                parameters: .empty, returnParameters: nil))
    }

    /// Reads `> field field …` or `< field field …`; `> ?` if only the name is known, `> ?!` if the unknown
    /// fields may hold keys.
    private mutating func layout(isReturn: Bool) throws(PDUTableError) {
        at += 1
        guard !rows.isEmpty else { throw error("fields before the first row") }
        if text[at..<at + 2] == " ?" {
            rows[rows.count - 1].parameters = nil
            rows[rows.count - 1].hidesUnknown = text.octets.octet(at: at + 2) == 0x21
            return skipLine()
        }
        let fields = try row()
        let hasStatus = fields.first.map { $0.name == "status" } ?? false
        let layout = PDULayout(fields, endsAfterFailure: isReturn && hasStatus)
        if isReturn {
            rows[rows.count - 1].returnParameters = layout
        } else {
            rows[rows.count - 1].parameters = layout
        }
    }

    /// Reads the fields of one row or group.
    private mutating func row() throws(PDUTableError) -> [Node] {
        registers = []
        fieldCount = 0
        counted = countedNames()
        return try fields(inBrackets: false)
    }

    /// Reads fields up to the end of the line and of its continuations, or up to a closing bracket.
    private mutating func fields(inBrackets: Bool) throws(PDUTableError) -> [Node] {
        var fields: [Node] = []
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw error("too many groups or brackets in each other") }
        while let octet = peek() {
            switch octet {
            case 0x20: at += 1
            case 0x0A:
                at += 1
                guard peek() == 0x20 else {
                    guard !inBrackets else { throw error("a bracket that nothing closes") }
                    return fields
                }
                line += 1
            case 0x29:
                guard inBrackets else { throw error("a bracket that nothing opens") }
                at += 1
                return fields
            case 0x40: fields += try group()
            default:
                fieldCount += 1
                guard fieldCount <= Self.fieldLimit else { throw error("too many fields") }
                fields.append(octet == 0x3F ? try condition() : try field())
            }
        }
        guard !inBrackets else { throw error("a bracket that nothing closes") }
        return fields
    }

    /// Reads `@name`: the fields of a group, which are parsed again here.
    private mutating func group() throws(PDUTableError) -> [Node] {
        at += 1
        guard let group = groups[word()] else { throw error("an unknown group") }
        let here = (text: text, at: at, line: line, counted: counted)
        (text, at) = group
        counted = countedNames()
        let fields = try fields(inBrackets: false)
        (text, at, line, counted) = here
        return fields
    }

    /// Reads `?name=1,2(field …)`.
    private mutating func condition() throws(PDUTableError) -> Node {
        at += 1
        let name = try fieldName()
        let register = try register(of: name)
        var values: UInt64 = 0
        repeat {
            at += 1
            let value = try number()
            guard value < 64 else { throw error("a condition on a value over 63") }
            values |= 1 << UInt64(value)
        } while peek() == 0x2C
        try expect(0x28, "a condition without fields")
        return Node(
            name: name, shape: .when(register: register, values, try fields(inBrackets: true)), register: -1)
    }

    private mutating func register(of name: StaticText) throws(PDUTableError) -> Int {
        guard let found = registers.last(where: { $0.name == name }) else {
            throw error("a count or condition by a field that is not there")
        }
        return found.register
    }

    /// Reads `name:type`, or only `name` if the name determines the type.
    private mutating func field() throws(PDUTableError) -> Node {
        let name = try fieldName()
        guard name.count > 0 else { throw error("a character that begins no field") }
        guard peek() == 0x3A else {
            switch name {
            case "status": return Node(name: name, shape: .unsigned(width: 1, .status), register: -1)
            case "connection_handle":
                return Node(name: name, shape: .unsigned(width: 2, .link(.acl)), register: -1)
            case "bd_addr": return Node(name: name, shape: .address, register: -1)
            default: throw error("a field without a type")
            }
        }
        at += 1
        let shape = try shape()
        guard peek().map({ $0 == 0x20 || $0 == 0x0A || $0 == 0x29 }) ?? true else {
            throw error("characters after a type")
        }
        guard case .unsigned = shape, counted.contains(name) else {
            return Node(name: name, shape: shape, register: -1)
        }
        guard registers.count < 8 else { throw error("more than eight fields that are counted by") }
        registers.append((name, registers.count))
        return Node(name: name, shape: shape, register: registers.count - 1)
    }

    /// Returns the names of the fields to which counts and conditions up to the end of the row refer.
    private func countedNames() -> [StaticText] {
        var names: [StaticText] = []
        var place = at
        while let octet = text.octets.octet(at: place) {
            place += 1
            if octet == 0x0A, text.octets.octet(at: place) != 0x20 { break }
            guard octet == 0x5B || octet == 0x3F, var first = text.octets.octet(at: place) else { continue }
            // The prefix for the number of bits, for the width of elements, or for the maximum number of
            // bytes.
            if first == 0x23 || first == 0x2F || first == 0x3C {
                place += 1
                first = text.octets.octet(at: place) ?? 0
            }
            if first == 0x22 {
                names.append(quotedName(at: place))
                continue
            }
            let start = place
            while let octet = text.octets.octet(at: place), octet.isWord { place += 1 }
            names.append(text[start..<place])
        }
        return names
    }
}

// MARK: - Types

extension PDUTableParser {
    private mutating func shape() throws(PDUTableError) -> Node.Shape {
        switch peek() {
        case .some(0x30...0x39): return try sized(try number())
        case 0x5B:
            at += 1
            let count = try count()
            try expect(0x5D, "a count without its closing bracket")
            if peek() == 0x28 {
                at += 1
                return .list(count, try fields(inBrackets: true))
            }
            return .octets(count, try payload() ?? .octets)
        case 0x2A:
            at += 1
            guard peek() == 0x2D else { return .octets(.rest, try payload() ?? .octets) }
            at += 1
            return .octets(.restBut(try number()), .octets)
        default: return try named(word())
        }
    }

    /// Reads the content of square brackets: nothing, a number, a field's name with or without a prefix, or
    /// the width of the elements.
    private mutating func count() throws(PDUTableError) -> PDULayout.Count {
        switch peek() {
        case 0x5D: return .rest
        case .some(0x30...0x39): return .fixed(try number())
        case 0x23:
            at += 1
            return .bits(of: try register(of: fieldName()))
        case 0x3C:
            at += 1
            return .atMost(of: try register(of: fieldName()))
        case 0x2F:
            at += 1
            if let octet = peek(), octet.isDigit { return .widths(.fixed(try width())) }
            let register = try register(of: fieldName())
            guard peek() == 0x3D else { return .widths(.value(of: register)) }
            at += 1
            let first = try width()
            try expect(0x2C, "one width where two belong")
            return .widths(.choice(of: register, first, try width()))
        default: return .value(of: try register(of: fieldName()))
        }
    }

    private mutating func width() throws(PDUTableError) -> Int {
        let width = try number()
        guard width > 0 else { throw error("elements of no bytes") }
        return width
    }

    /// Reads a type that begins with a number of bytes.
    private mutating func sized(_ width: Int) throws(PDUTableError) -> Node.Shape {
        switch peek() {
        case 0x78: return try unsigned(width, .hex)
        case 0x68: return try unsigned(width, .handle)
        case 0x21 where width <= 8: return try unsigned(width, .secret)
        case 0x62:
            at += 1
            return .octets(.fixed(width), .octets)
        case 0x3D:
            at += 1
            return .unsigned(width: width, .code(try set()))
        case 0x7C:
            at += 1
            return .unsigned(width: width, .bits(try set()))
        case 0x2A:
            at += 1
            return .unsigned(width: width, .steps(nanoseconds: try step()))
        default:
            if let meaning = try payload() { return .octets(.fixed(width), meaning) }
            return (1...8).contains(width)
                ? .unsigned(width: width, .number) : .octets(.fixed(width), .octets)
        }
    }

    private mutating func unsigned(
        _ width: Int, _ meaning: FieldMeaning
    ) throws(PDUTableError) -> Node.Shape {
        guard (1...8).contains(width) else { throw error("an integer of no or more than eight bytes") }
        at += 1
        return .unsigned(width: width, meaning)
    }

    /// Reads the content of a byte string, if the type gives it.
    private mutating func payload() throws(PDUTableError) -> PayloadMeaning? {
        switch peek() {
        case 0x22:
            at += 1
            return .text
        case 0x21:
            at += 1
            return .secret
        case 0x61:
            guard word() == "ad" else { throw error("an unknown kind of bytes") }
            return .advertising
        default: return nil
        }
    }

    private mutating func set() throws(PDUTableError) -> ValueSet {
        guard let set = ValueSet(named: word()) else { throw error("an unknown set of names") }
        return set
    }

    /// Reads `625us`, `1.25ms`, `10ms` or `s`: a unit, after a factor other than 1.
    private mutating func step() throws(PDUTableError) -> Int64 {
        var factor: Int64 = 1000
        if let octet = peek(), octet.isDigit {
            factor = Int64(try number()) * 1000
            if peek() == 0x2E {
                at += 1
                let start = at
                let fraction = Int64(try number())
                guard at - start == 2 else { throw error("a factor without two decimal places") }
                factor += fraction * 10
            }
        }
        switch word() {
        case "us": return factor
        case "ms": return factor * 1_000
        case "s": return factor * 1_000_000
        default: throw error("an unknown unit")
        }
    }

    private func named(_ word: StaticText) throws(PDUTableError) -> Node.Shape {
        switch word {
        case "addr": .address
        case "status": .unsigned(width: 1, .status)
        case "opcode": .unsigned(width: 2, .opcode)
        case "company": .unsigned(width: 2, .company)
        case "dBm": .signed(width: 1, .dBm)
        case "i1": .signed(width: 1, .number)
        case "i2": .signed(width: 2, .number)
        case "uuid2": .uuid(width: 2)
        case "uuid4": .uuid(width: 4)
        case "uuid16": .uuid(width: 16)
        case "attribute_type": .attributeType
        case "acl": .unsigned(width: 2, .link(.acl))
        case "sco": .unsigned(width: 2, .link(.sco))
        case "cis": .unsigned(width: 2, .link(.cis))
        case "bis": .unsigned(width: 2, .link(.bis))
        case "link": .unsigned(width: 2, .link(.any))
        default: throw error("an unknown type")
        }
    }
}

extension PDULayout {
    /// The layout without fields.
    static let empty = PDULayout([], endsAfterFailure: false)

    /// Creates a layout from `nodes`, with the facts derived from them.
    convenience init(_ nodes: [PDUTableParser.Node], endsAfterFailure: Bool) {
        var builder = PDULayoutBuilder()
        let top = builder.add(nodes, inList: false)
        self.init(
            fields: builder.fields, top: top, endsAfterFailure: endsAfterFailure, size: builder.size,
            handle: builder.handle, listsHandles: builder.listsHandles, address: builder.address,
            holdsSecret: builder.holdsSecret)
    }
}

/// Stores the fields of a tree in one array, each level in one piece.
private struct PDULayoutBuilder {
    var fields: [PDULayout.Field] = []
    var size: Int? = 0
    var handle: PDULayout.Handle?
    var listsHandles = false
    var address: Int?
    var holdsSecret = false

    mutating func add(_ nodes: [PDUTableParser.Node], inList: Bool) -> Range<Int> {
        let start = fields.count
        for node in nodes {
            fields.append(PDULayout.Field(name: node.name, shape: .address, register: node.register))
        }
        for (index, node) in nodes.enumerated() {
            if address == nil, node.name == "bd_addr" { address = size }
            fields[start + index].shape = shape(node.shape, inList: inList)
        }
        return start..<start + nodes.count
    }

    private mutating func shape(_ shape: PDUTableParser.Node.Shape, inList: Bool) -> PDULayout.Shape {
        switch shape {
        case .unsigned(let width, let meaning):
            note(meaning, inList: inList)
            grow(width)
            return .unsigned(width: width, meaning)
        case .signed(let width, let meaning):
            grow(width)
            return .signed(width: width, meaning)
        case .address:
            grow(6)
            return .address
        case .uuid(let width):
            grow(width)
            return .uuid(width: width)
        case .attributeType:
            size = nil
            return .attributeType
        case .octets(let count, let meaning):
            if case .secret = meaning { holdsSecret = true }
            if case .fixed(let count) = count { grow(count) } else { size = nil }
            return .octets(count, meaning)
        case .list(let count, let part):
            if address == nil, part.first?.name == "bd_addr" { address = size }
            size = nil
            return .list(count, add(part, inList: true))
        case .when(let register, let values, let part):
            size = nil
            return .when(register: register, values, add(part, inList: inList))
        }
    }

    private mutating func note(_ meaning: FieldMeaning, inList: Bool) {
        switch meaning {
        case .secret: holdsSecret = true
        case .link(.bis): break
        case .link(let kind) where inList: listsHandles = listsHandles || kind == .acl || kind == .any
        case .link(let kind):
            if handle == nil, let size { handle = PDULayout.Handle(offset: size, kind: kind) }
        default: break
        }
    }

    private mutating func grow(_ width: Int) { if let known = size { size = known + width } }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isWord: Bool {
        isDigit || (0x61...0x7A).contains(self) || (0x41...0x5A).contains(self) || self == 0x5F
    }
}
