import BluetoothCore
import CommandLineKit
import Crypto
import PayloadFormat
import Profiles
import Rendering
import WireBytes

/// The command `blecap profile show`: the content of profiles, for reading.
struct ProfileShow {
    let arguments: ParsedArguments

    func run() throws(Failure) -> ExitStatus {
        var text = ""
        for name in arguments.operands {
            let profile = try ProfileFiles.read(name, arguments.environment)
            if !text.isEmpty { text += "\n" }
            text += ProfileText(profile, width: arguments.environment.output.columns ?? 100).text
        }
        return try Command.show(text, arguments.environment)
    }
}

/// The command `blecap profile list`: the built-in profiles, a line each.
struct ProfileList {
    let arguments: ParsedArguments

    func run() throws(Failure) -> ExitStatus {
        let names = Profile.shippedDocuments.map(\.key)
        let column = (names.map(\.columns).max() ?? 0) + 2
        let width = arguments.environment.output.columns ?? 100
        var text = ""
        for source in ProfileSource.shipped {
            let name = source.name + String(repeating: " ", count: column - source.name.columns)
            let lines = (name + (source.title ?? "")).visible.wrapped(to: width, indent: column)
            text += lines.joined(separator: "\n") + "\n"
        }
        return try Command.show(text, arguments.environment)
    }
}

/// A profile as text: its channels, their messages and the fields of each, and its pairs.
struct ProfileText {
    private(set) var text = ""
    private let width: Int
    /// The named message types that fields use.
    private var types: [String: [MessageMember]] = [:]

    init(_ profile: Profile, width: Int) {
        self.width = width
        line(profile.name + (profile.title.map { ": \($0)" } ?? ""), depth: 0)
        for channel in profile.channels { add(channel) }
        for (name, members) in types.sorted(by: { $0.key < $1.key }) {
            text += "\n"
            line("\(name):", depth: 0)
            add(members, depth: 1)
        }
        if !profile.pairs.isEmpty { text += "\n" }
        for pair in profile.pairs {
            let time = pair.timeout % 1_000 == 0 ? "\(pair.timeout / 1_000) s" : "\(pair.timeout) ms"
            line("\(pair.request) is answered by \(pair.response) within \(time)", depth: 0)
        }
    }

    private mutating func line(_ words: String, depth: Int) {
        let lines = (String(repeating: " ", count: 2 * depth) + words).visible
            .wrapped(to: width, indent: 2 * depth + 4)
        text += lines.joined(separator: "\n") + "\n"
    }

    private mutating func add(_ channel: ProfileChannel) {
        text += "\n"
        line(channel.name, depth: 0)
        for selector in channel.attributes { line(selector.words, depth: 1) }
        for selector in channel.advertising { line(selector.words, depth: 1) }
        for selector in channel.l2cap { line(selector.words, depth: 1) }
        let frame = channel.frameWords
        if !frame.isEmpty { line("frame: " + frame.joined(separator: ", "), depth: 1) }
        for message in channel.messages {
            let codes = message.values.map(\.code).joined(separator: " or ")
            let value = codes.isEmpty ? (channel.messages.count > 1 ? " (any other)" : "") : " (\(codes))"
            line(message.name + value, depth: 1)
            add(message.layout.fields, depth: 2)
            for value in message.remembered { line(value.words, depth: 2) }
        }
    }

    private mutating func add(_ fields: [FieldLayout], depth: Int) {
        for field in fields {
            line("\(field.name): " + field.words.joined(separator: ", "), depth: depth)
            switch field.shape {
            case .bits(_, _, let parts):
                for part in parts {
                    line("\(part.name): " + part.words.joined(separator: ", "), depth: depth + 1)
                }
            case .list(_, let items), .group(_, let items), .encrypted(_, _, let items):
                add(items, depth: depth + 1)
            case .choice(_, _, let cases, let otherwise):
                for (code, fields) in cases.sorted(by: { $0.key < $1.key }) {
                    add(fields, of: code.code, depth: depth + 1)
                }
                if let otherwise { add(otherwise, of: "any other", depth: depth + 1) }
            case .message(_, let layout):
                types.merge(layout.types) { first, _ in first }
                add(layout.root, depth: depth + 1)
            default: break
            }
        }
    }

    /// Adds the members of a message type, unless they stand under its name.
    private mutating func add(_ type: MessageReference, depth: Int) {
        if case .inline(let members) = type { add(members, depth: depth) }
    }

    private mutating func add(_ members: [MessageMember], depth: Int) {
        for member in members {
            line(member.title + ": " + member.words.joined(separator: ", "), depth: depth)
            if let reference = member.reference { add(reference, depth: depth + 1) }
        }
    }

    /// Adds the fields of a case.
    private mutating func add(_ fields: [FieldLayout], of code: String, depth: Int) {
        line(fields.isEmpty ? "\(code): nothing" : "\(code):", depth: depth)
        add(fields, depth: depth + 1)
    }
}

extension AttributeSelector {
    /// The selector in words.
    fileprivate var words: String {
        let order: [(ProfileOperation, String)] = [(.write, "write"), (.notify, "notify"), (.read, "read")]
        let all = order.filter { operations.contains($0.0) }.map(\.1).joined(separator: ", ")
        var words = operations.count == order.count ? "any value" : all
        if let characteristic { words += " of \(Self.name(characteristic, as: .characteristic))" }
        if let service { words += " in \(Self.name(service, as: .service))" }
        if let handle { words += " of handle \(String(hex: UInt64(handle), digits: 4)), if it has no label" }
        if !valuePrefix.isEmpty { words += " that starts with \(Hex.text(valuePrefix))" }
        return words
    }

    private static func name(_ uuid: BluetoothUUID, as use: AssignedNumbers.UUIDUse) -> String {
        "\(uuid)" + (AssignedNumbers.text(uuid, as: use).map { " (\($0))" } ?? "")
    }
}

extension AdvertisingSelector {
    /// The selector in words.
    fileprivate var words: String {
        let prefix = valuePrefix.isEmpty ? "" : " that starts with \(Hex.text(valuePrefix))"
        switch owner {
        case .company(let company):
            var name = ""
            if let octets = AssignedNumbers.company(company) {
                name = " (\(String(decoding: octets.copied(), as: UTF8.self)))"
            }
            return "manufacturer data of \(String(hex: UInt64(company), digits: 4))\(name)" + prefix
        case .service(let uuid): return "service data of \(uuid)" + prefix
        }
    }
}

extension L2CAPSelector {
    /// The selector in words.
    fileprivate var words: String {
        switch self {
        case .psm(let psm): "L2CAP channels to SPSM \(String(hex: UInt64(psm), digits: 4))"
        case .field(let field): "L2CAP channels to the SPSM that \(field) announces"
        }
    }
}

extension ProfileChannel {
    /// The parts around the fields, in words.
    fileprivate var frameWords: [String] {
        var words: [String] = []
        if !framing.prefix.isEmpty { words.append("starts with \(Hex.text(framing.prefix))") }
        if let length = framing.length {
            let part =
                switch length.meaning {
                case .frame: "the frame"
                case .body: "the fields"
                case .rest: "what follows it"
                }
            words.append("length of \(part) at \(length.offset)")
        }
        if let checksum { words.append("checksum \(checksum.checksum.name)") }
        if !framing.trailer.isEmpty { words.append("ends with \(Hex.text(framing.trailer))") }
        if framing.fragments != nil { words.append("in fragments with headers") }
        if framing.stream != nil { words.append("over several values") }
        return words
    }
}

extension FieldLayout {
    /// The type and the properties of a field, in words.
    fileprivate var words: [String] {
        var words: [String]
        switch shape {
        case .integer(let width, let signed, let order, let presentation):
            words = [(signed ? "i" : "u") + "\(8 * width)" + Self.text(order, width)] + presentation.words
        case .bits(let width, let order, _): words = ["bits of u\(8 * width)" + Self.text(order, width)]
        case .octets(let length): words = ["bytes" + Self.text(length)]
        case .text(let length):
            words = ["UTF-8" + Self.text(length)]
            words += expansions.sorted { $0.key < $1.key }.map { "\(UInt64($0.key).code) for \($0.value)" }
        case .hexText(let length): words = ["hexadecimal text" + Self.text(length)]
        case .decimalText(let length, let presentation):
            words = ["decimal text" + Self.text(length)] + presentation.words
        case .packedDecimal(let width, let order, let presentation):
            words = ["\(2 * width) decimal digits" + Self.text(order, width)] + presentation.words
        case .base100(let width, let order, let presentation):
            words = ["\(width) digits of base 100" + Self.text(order, width)] + presentation.words
        case .list(let length, _): words = ["list" + Self.text(length)]
        case .medicalFloat(let width, let order, let presentation):
            words = [(width == 2 ? "sfloat" : "float") + Self.text(order, width)] + presentation.words
        case .float(let width, let order, let presentation):
            words = ["f\(8 * width)" + Self.text(order, width)] + presentation.words
        case .group(let length, _): words = ["group" + (length.map(Self.text) ?? "")]
        case .choice(let source, let length, _, _):
            words = ["by \(source)" + (length.map(Self.text) ?? "")]
        case .encrypted(let length, let cipher, _):
            words = [cipher.title + Self.text(length)] + cipher.words
        case .message(let length, let layout):
            words = [
                (layout.notation == .cbor ? "CBOR" : "Protocol Buffers") + layout.root.words
                    + Self.text(length)
            ]
        }
        if let constant { words.append("always \(Hex.text(constant))") }
        if let condition { words.append(condition.words) }
        if isOptional { words.append("may be missing") }
        return words
    }

    private static func text(_ order: OctetOrder, _ width: Int) -> String {
        width == 1 ? "" : order == .big ? " big-endian" : " little-endian"
    }

    private static func text(_ length: FieldLength) -> String {
        switch length {
        case .fixed(let count): ", \(count)"
        case .field(let name): ", as many as \(name) says"
        case .rest: ", to the end"
        }
    }
}

extension MessageReference {
    /// The name of the type after a space; empty without a name.
    fileprivate var words: String {
        if case .named(let name) = self { return " \(name)" }
        return ""
    }
}

extension MessageMember {
    /// The number or text that it is known by, and its name unless they are the same.
    fileprivate var title: String {
        key == name ? name : "\(key.map { "\"\($0)\"" } ?? "\(number)") \(name)"
    }

    /// The type and the properties of a member, in words.
    fileprivate var words: [String] {
        var words: [String]
        switch kind {
        case .varint(let type, let presentation): words = [type.rawValue] + presentation.words
        case .fixed(let width, let signed, let presentation):
            words = [(signed ? "sfixed" : "fixed") + "\(8 * width)"] + presentation.words
        case .float(let width, let presentation):
            words = [width == 4 ? "float" : "double"] + presentation.words
        case .text: words = ["string"]
        case .octets(let reference): words = ["bytes" + (reference.map { ", perhaps of" + $0.words } ?? "")]
        case .message(let reference): words = ["message" + reference.words]
        case .encrypted(let ciphers, let reference):
            words = ["bytes" + (reference.map { " of" + $0.words } ?? "")]
            for cipher in ciphers {
                words += [cipher.title + (cipher.tag == nil ? "" : " if tagged")] + cipher.words
            }
        }
        if isRepeated { words.append("any number") }
        if isKeyed { words.append("by key") }
        if isRequired { words.append("required") }
        if let condition { words.append(condition.words) }
        return words
    }
}

extension BitFieldLayout {
    /// The place and the properties of a bit field, in words.
    fileprivate var words: [String] {
        [width == 1 ? "bit \(shift)" : "bits \(shift) to \(shift + width - 1)"]
            + (isSigned ? ["signed"] : []) + presentation.words
    }
}

extension FieldCipher {
    /// Its purpose and its algorithm, in words.
    fileprivate var title: String {
        "\(encrypts ? "encrypted" : "authenticated") by \(algorithm.rawValue)"
    }

    /// The inputs beside the field itself, in words; a key that the profile holds is not shown.
    fileprivate var words: [String] {
        let inputs = [("nonce", nonce), ("additional data", additionalData)].filter { !$0.1.isEmpty }
        return inputs.map { "\($0.0) \($0.1.words)" }
            + (tag.map { ["tag in \($0)"] } ?? [])
    }
}

extension FormulaTerm {
    /// The value that is taken, in words.
    fileprivate var words: String {
        switch self {
        case .octets(let octets): Hex.text(octets)
        case .variable(let name, nil): name
        case .variable(let name, let range?): "\(name)[\(range.lowerBound)..<\(range.upperBound)]"
        case .reversed(let term): "\(term.words) reversed"
        case .either(let term, let other): "\(term.words) or \(other.words)"
        case .earlier(let name, let by): name + (by.isEmpty ? "" : " by \(by.words)")
        case .function(let function, let key, let terms):
            "\(function?.rawValue ?? "")(\(key.isEmpty ? "" : key.words + ", ")\(terms.words))"
        case .part(let term, let range): "\(term.words)[\(range.lowerBound)..<\(range.upperBound)]"
        }
    }
}

extension [FormulaTerm] {
    /// The concatenation in words.
    fileprivate var words: String { map(\.words).joined(separator: " + ") }
}

extension RememberedValue {
    /// The name and the terms, in words.
    fileprivate var words: String {
        "remembered as \(name): \(value.words)" + (by.isEmpty ? "" : " by \(by.words)")
    }
}

extension FieldCondition {
    /// The condition in words.
    fileprivate var words: String {
        let codes = values.sorted().map(\.code).joined(separator: " or ")
        let bits = mask == .max ? "" : " & \(mask.code)"
        return "if \(field)\(bits) is \(isInverted ? "not " : "")\(codes)"
    }
}

extension FieldPresentation {
    /// Most names that are listed of one field.
    private static let limit = 12

    /// The unit and the names of values, in words.
    fileprivate var words: [String] {
        var words: [String] = []
        let step = scale.map { " × \($0.words)" } ?? ""
        let start = offset.map { $0.mantissa < 0 ? " - " + $0.words.dropFirst() : " + " + $0.words } ?? ""
        if !step.isEmpty || !start.isEmpty {
            words.append("value" + step + start + (unit.map { " \($0)" } ?? ""))
        } else if let unit {
            words.append("in \(unit)")
        }
        if style == .hex { words.append("hexadecimal") }
        words += Self.list(
            names.sorted { $0.key < $1.key }.map {
                "\($0.key.code) \($0.value)" + (refusals.contains($0.key) ? " (refused)" : "")
            })
        if let otherName { words.append("else \(otherName)" + (refusesOthers ? " (refused)" : "")) }
        words += Self.list(flags.sorted { $0.key < $1.key }.map { "bit \($0.key) \($0.value)" })
        return words
    }

    private static func list(_ names: [String]) -> [String] {
        names.count > limit ? names.prefix(limit) + ["and \(names.count - limit) more names"] : names
    }
}

extension UInt64 {
    /// The number as profiles write codes: in hexadecimal, with whole bytes.
    fileprivate var code: String {
        String(hex: self, digits: Swift.max(2, (64 - leadingZeroBitCount + 7) / 8 * 2))
    }
}

extension JSONNumber {
    /// The number in decimal.
    fileprivate var words: String {
        integer.map { "\($0)" } ?? "\(FixedDecimal(mantissa: mantissa, places: 0 - exponent))"
    }
}
