/// Writes the Swift type of a row.
struct TypeWriter {
    private let row: TypedRow
    private var elements = ""
    private(set) var text = ""

    init(_ row: TypedRow) throws {
        self.row = row
        let about =
            row.kind == .record
            ? "Source: net/bluetooth/hci_mon.h of the Linux kernel."
            : row.kind == .attribute
                ? "Source: Core Specification, Vol 3, Part F, \(row.section)."
                : "HCI_" + row.name.replacing(" ", with: "_") + (row.kind == .command ? " command" : " event")
                    + ". Source: Vol 4, Part E, \(row.section)."
        let (conformance, code): (String, String?) =
            switch row.kind {
            case .command: ("HCICommand", "opcode: HCIOpcode { HCIOpcode")
            case .event: ("HCIEvent", "eventCode: HCIEventCode { HCIEventCode")
            case .leEvent: ("LEEvent", "subeventCode: LESubeventCode { LESubeventCode")
            case .attribute: ("ATTPDU", "opcode: ATTOpcode { ATTOpcode")
            case .record: ("PDUFields, Equatable", nil)
            }
        var head = code.map { ["@inlinable public static var \($0)(rawValue: \(row.code)) }"] } ?? []
        if row.kind == .command { head += try returned() }
        let type = try structure(
            row.type, conformance, "\(row.summary)\n///\n/// \(about)", row.parameters, row.properties,
            head: head)
        text = elements + type
    }

    /// Returns the members for the return parameters.
    private mutating func returned() throws -> [String] {
        let fields = row.returnParameters
        let shared: String? =
            switch fields?.map(\.name) {
            case nil: "HCINoReturn"
            case ["status"]: "HCIStatusReturn"
            case ["status", "connection_handle"]: "HCIConnectionStatusReturn"
            default: nil
            }
        if let shared { return ["public typealias ReturnParameters = \(shared)"] }
        return [
            try structure(
                "ReturnParameters", "PDUFields, Equatable", "Return parameters of ``\(row.type)``.",
                fields ?? [],
                isReturn: true)
        ]
    }

    private mutating func structure(
        _ name: String, _ conformance: String, _ about: String, _ fields: [RowField], _ names: [String] = [],
        head: [String] = [], isReturn: Bool = false
    ) throws -> String {
        var properties: [String] = []
        var steps: [String] = []
        var arguments: [String] = []
        for (place, field) in fields.enumerated() {
            // A count is coded with what it counts.
            if fields.dropFirst(place + 1).first?.type.hasPrefix("[\(field.name)]") == true { continue }
            // A name, and for a list the type of its elements with their names.
            let words = place < names.count ? names[place].split(separator: ":").map(String.init) : []
            let property = words.first ?? Self.property(field.name)
            let form = try form(
                field, before: place > 0 ? fields[place - 1].name : "", words.dropFirst().first)
            if let unit = form.unit { properties.append("/// In \(unit).") }
            let value = row.options[field.name].flatMap { field.element.isEmpty ? $0 : nil } ?? form.value
            let declaration = "\(property): \(form.type)"
            properties.append("public var \(declaration) = \(value)")
            // A PDU of ATT has no field that may be left out.
            arguments.append(declaration + (row.kind == .attribute ? "" : " = \(value)"))
            if form.type == "DeviceAddress", place > 0, fields[place - 1].name == field.name + "_type" {
                steps.append("\(property).kind = DeviceAddress.Kind(hciType: \(property)Type)")
            }
            if field.type == "attribute_type" {
                properties += [
                    "/// Width of the type on the wire in bytes: 2 or 16.", "public var typeWidth: UInt8 = 2",
                ]
            }
            // The width of the elements is in the field before, whose value can be impossible.
            if form.guards != nil { steps.insert("let start = coder.offset", at: max(0, steps.count - 1)) }
            steps += form.guards.map { [$0] } ?? []
            steps.append("try coder." + form.step.replacing("$", with: "\"\(field.name)\", &\(property)"))
            if isReturn, place == 0, field.name == "status" {
                steps.append("if coder.ends(after: status) { return }")
            }
        }
        properties += Self.initializer(arguments)
        // Events are decoded by the million, and commands are not.
        let isHot = row.kind == .event || row.kind == .leEvent
        let (frozen, inlinable) = isHot ? ("@frozen ", "@inlinable ") : ("", "")
        let members = (head + properties).joined(separator: "\n")
        return """

            /// \(about)
            \(frozen)public struct \(name): \(conformance) {
            \(members)
            \(inlinable)public init() {}
            \(inlinable)public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(
                _ coder: inout C
            ) throws(DecodeError) {
            \(steps.joined(separator: "\n"))
            }
            }

            """
    }

    /// Returns an initializer with an argument for each property.
    private static func initializer(_ arguments: [String]) -> [String] {
        guard !arguments.isEmpty else { return [] }
        let names = arguments.map { $0.prefix { $0 != ":" } }
        var lines = ["public init(\(arguments.joined(separator: ", "))) {"]
        lines += names.map { "self.\($0) = \($0)" }
        if arguments.last == "type: BluetoothUUID" { lines.append("typeWidth = type.attributeWidth") }
        return lines + ["}"]
    }

    private struct Form {
        var type: String
        var value = "0"
        /// The call that codes it; `$` stands for its name and property.
        var step: String
        var unit: String?
        /// A check before it, which may use `start`, the place of the field before.
        var guards: String?
    }

    /// - Parameters:
    ///   - before: name of the preceding field.
    ///   - element: the type of an element that stays bytes, and its properties.
    private mutating func form(_ field: RowField, before: String, _ element: String?) throws -> Form {
        switch (field.type, field.name) {
        case ("*", _): return Form(type: "[UInt8]", value: "[]", step: "octets($, .attributeValue)")
        case ("attribute_type", _):
            return Form(
                type: "BluetoothUUID", value: "BluetoothUUID(UInt16(0))",
                step: "attributeType($, width: &typeWidth)")
        case ("uuid2", _):
            return Form(type: "BluetoothUUID", value: "BluetoothUUID(UInt16(0))", step: "uuid($, width: 2)")
        case ("[]", _): return Form(type: "[UInt8]", value: "[]", step: "octets($)")
        case (let type, _) where type.hasPrefix("[/"): return try bytes(field, before: before, element)
        case ("", "status"), ("status", _):
            return Form(type: "HCIStatus", value: ".success", step: "code($, width: 1, .status)")
        case ("", "connection_handle"), ("link", _), ("acl", _):
            return Form(type: "UInt16", step: "number($)")
        case ("", "bd_addr"): return Self.address(".public")
        case ("addr", let name):
            let isRandom = name.contains("resolvable") || name == "random_address"
            return Self.address(isRandom ? ".random" : nil)
        case ("opcode", _):
            return Form(
                type: "HCIOpcode", value: "HCIOpcode(rawValue: 0)", step: "code($, width: 2, .opcode)")
        case ("company", _): return Form(type: "UInt16", step: "number($, .company)")
        case ("dBm", _): return Form(type: "Int8", step: "i8($)", unit: "dBm; 127 if not available")
        case (let type, _) where type.hasPrefix("["): return try counted(field, before: before)
        default: return try sized(field)
        }
    }

    private static func address(_ kind: String?) -> Form {
        let argument = kind.map { ", " + $0 } ?? ""
        return Form(
            type: "DeviceAddress", value: "DeviceAddress(0\(argument))", step: "address($)")
    }

    /// Elements that stay bytes in the PDU, with their width in brackets.
    private mutating func bytes(_ field: RowField, before: String, _ element: String?) throws -> Form {
        guard let found = field.type.wholeMatch(of: #/\[/(\w+)(?:=([0-9]+),([0-9]+))?\]/#) else {
            throw error(field)
        }
        if let words = element?.split(separator: ",").map(String.init), let name = words.first {
            elements += try structure(
                name, "PDUFields, Hashable, Codable", "An element of ``\(row.type)``.", field.element,
                Array(words.dropFirst()))
        }
        var form = Form(type: "[UInt8]", value: "[]", step: "attributeElements($, width: width)")
        let property = Self.property(before.lowercased())
        if let first = found.2, let second = found.3 {
            form.guards =
                "guard let width = [1: \(first), 2: \(second)][\(property)] else { "
                + "throw DecodeError(.invalidValue, at: start) }"
        } else if Int(found.1) == nil {
            let least = field.element.reduce(0) { $0 + ($1.type.hasPrefix("2") ? 2 : 0) }
            form.guards =
                "let width = Int(\(property))\n"
                + "guard width >= \(least) else { throw DecodeError(.invalidLength, at: start) }"
        } else {
            form.step = "attributeElements($, width: \(found.1))"
        }
        return form
    }

    /// A field whose count is in brackets.
    private mutating func counted(_ field: RowField, before: String) throws -> Form {
        guard let found = field.type.wholeMatch(of: /\[(#?)(\w+)\](ad)?/) else { throw error(field) }
        let isBits = !found.1.isEmpty
        guard isBits || found.2 == before else { throw error(field) }
        if field.element.isEmpty {
            return Form(
                type: "[UInt8]", value: "[]",
                step: "sizedOctets(\"\(before)\", $" + (found.3 == nil ? ")" : ", .advertising)"))
        }
        guard let element = row.options[field.name] else { throw error(field) }
        elements += try structure(
            element, "PDUFields, Equatable", "An element of ``\(row.type)``.", field.element)
        let count = "\(Self.property(String(found.2))).rawValue.nonzeroBitCount"
        return Form(
            type: "[\(element)]", value: "[]",
            step: isBits ? "list($, count: \(count))" : "counted(\"\(before)\", $)")
    }

    /// A field whose type begins with its number of bytes.
    private func sized(_ field: RowField) throws -> Form {
        guard let found = field.type.wholeMatch(of: /([0-9]+)(.*)/), let width = Int(found.1) else {
            throw error(field)
        }
        let rest = found.2
        switch rest {
        case "=phy": return Form(type: "LEPHY", value: "LEPHY.le1M", step: "code($, width: 1, .number)")
        case "=att_opcode", "=att_error":
            let type = rest == "=att_error" ? "ATTErrorCode" : "ATTOpcode"
            return Form(type: type, value: "\(type)(rawValue: 0)", step: "code($, width: 1, \(type).meaning)")
        case "|phys": return Form(type: "LEPHYs", value: "[]", step: "code($, width: 1, .hex)")
        case "ad", "b", "\"", "!", "", "x":
            guard width > 8 || rest == "ad" || rest == "b" || rest == "\"" else { break }
            let meaning = ["ad": ", .advertising", "\"": ", .text", "!": ", .secret"][String(rest)] ?? ""
            return Form(type: "[UInt8]", value: "[]", step: "octets($, count: \(width)\(meaning))")
        default: break
        }
        guard let bits = [1: 8, 2: 16, 3: 32, 4: 32, 8: 64][width] else { throw error(field) }
        let meaning = ["x": ", .hex", "h": ", .handle", "!": ", .secret"][String(rest)] ?? ""
        let unit = rest.first == "*" ? rest.dropFirst() : ""
        let step = unit.firstMatch(of: /[a-z]/).map { (unit[..<$0.startIndex], unit[$0.startIndex...]) }
        return Form(
            type: "UInt\(bits)", step: "number($\(width * 8 == bits ? "" : ", width: \(width)")\(meaning))",
            unit: step.map {
                "units of " + ($0.0.isEmpty ? "1" : $0.0) + " " + $0.1.replacing("us", with: "µs")
            })
    }

    private func error(_ field: RowField) -> RowError {
        RowError(row: row.name, reason: "\(field.name):\(field.type) has no type in Swift")
    }

    private static let acronyms: Set = ["sid", "phy", "ce", "acl", "le", "irk", "hci"]

    /// The name of a field's property.
    private static func property(_ name: String) -> String {
        let words = name.split(separator: "_").map(String.init)
        return words.prefix(1).joined()
            + words.dropFirst().map { word in
                word == "phys"
                    ? "PHYs" : acronyms.contains(word) ? word.uppercased() : word.capitalized(first: 1)
            }.joined()
    }
}

extension String {
    fileprivate func capitalized(first count: Int) -> String { prefix(count).uppercased() + dropFirst(count) }
}
