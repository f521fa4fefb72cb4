import BluetoothCore
import PayloadFormat

extension Profile {
    /// Reads a profile; throws its problems, each with path, line, the value found and the value expected.
    ///
    /// - Parameter reserved: the names of layers, by which frames are selected as by the names of profiles:
    ///   the profile may not have one of them.
    public init(json: [UInt8], reserved: [String] = []) throws(DocumentError) {
        let (profile, problems) = Self.read(json, reserved)
        guard let profile else { throw DocumentError(problems: problems) }
        self = profile
    }

    /// Returns the problems in the text of a profile, as ``init(json:reserved:)``; empty if it is valid.
    public static func check(_ json: [UInt8], reserved: [String] = []) -> [DocumentProblem] {
        read(json, reserved).problems
    }

    private static func read(
        _ json: [UInt8], _ reserved: [String]
    ) -> (document: Profile?, problems: [DocumentProblem]) {
        DocumentProblems.read(json) { root, problems in
            var reader = ProfileDocument()
            return reader.profile(root, reserved: reserved, &problems)
        }
    }
}

struct ProfileDocument {
    /// The byte order of fields that state none.
    private var order = OctetOrder.big
    private var lists: [String: JSONNode] = [:]
    /// The named types of Protocol Buffers.
    private var protobuf = MessageDocument()
    private var cbor = MessageDocument(.cbor)
    private var ciphers: CipherDocument?
    /// Names of the messages so far, with the names of their fields.
    private var messageFields: [String: Set<String>] = [:]
    /// The fields that are said to announce an SPSM, and the places that say so.
    private var announcing: [(node: JSONNode, field: String)] = []

    mutating func profile(
        _ root: JSONNode, reserved: [String] = [], _ problems: inout DocumentProblems
    ) -> Profile? {
        guard var object = JSONObjectReader(root, &problems) else { return nil }
        let name = object.name(&problems)
        if let name, reserved.contains(name.lowercased()) {
            problems.add(root, found: "the name \"\(name)\", which is a layer's", expected: "another")
        }
        let title = object.string("title", &problems)
        let isStrict = object.bool("strict", &problems) ?? false
        order = object.choice("endian", LayoutDocument.orders, &problems) ?? .big
        let ciphers = CipherDocument(
            object.member("ciphers", &problems), remembered: Self.remembered(root), &problems)
        self.ciphers = ciphers
        protobuf = MessageDocument(.protobuf, ciphers)
        cbor = MessageDocument(.cbor, ciphers)
        if let node = object.member("protobuf", &problems) {
            protobuf = MessageDocument(node, takesRefusals: true, ciphers: ciphers, &problems)
        }
        if let node = object.member("cbor", &problems) {
            cbor = MessageDocument(node, as: .cbor, takesRefusals: true, ciphers: ciphers, &problems)
        }
        if let node = object.member("fields", &problems) {
            if case .object(let members) = node.value, !members.isEmpty {
                lists = Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
                // Lists that no field uses are not read further.
                for list in members where list.name != "comment" { _ = list.node.array(&problems) }
            } else {
                problems.kind(node, expected: "an object of arrays of fields, not empty")
            }
        }
        var channels: [ProfileChannel] = []
        for node in object.nonEmptyArray("channels", &problems) {
            guard let channel = channel(node, &problems) else { continue }
            if channels.contains(where: { $0.name == channel.name }) {
                problems.add(node, found: "the name \"\(channel.name)\" a second time", expected: "another")
            }
            channels.append(channel)
        }
        for (node, field) in announcing where !messageFields.values.contains(where: { $0.contains(field) }) {
            problems.add(node, found: "\"\(field.prefix(40))\"", expected: "the name of a message's field")
        }
        var pairs: [ProfilePair] = []
        for node in object.array("pairs", &problems) ?? [] {
            if let pair = pair(node, &problems) { pairs.append(pair) }
        }
        object.finish(&problems)
        guard let name else { return nil }
        return Profile(name: name, title: title, isStrict: isStrict, channels: channels, pairs: pairs)
    }

    /// The names of the values that the messages of a profile remember; types that use them are read before.
    private static func remembered(_ root: JSONNode) -> Set<String> {
        func elements(_ node: JSONNode?) -> [JSONNode] {
            if case .array(let elements)? = node?.value { elements } else { [] }
        }
        let messages = elements(root.member("channels")).flatMap { elements($0.member("messages")) }
        return Set(
            messages.flatMap { message -> [String] in
                guard case .object(let members)? = message.member("remember")?.value else { return [] }
                return members.map(\.name)
            })
    }

    /// Returns a profile whose channels are read one by one, by ``channel(_:)``, from a text that is known to
    /// be right.
    mutating func frame(_ root: JSONNode) -> Profile? {
        var problems = DocumentProblems()
        return profile(root, &problems)
    }

    /// Returns a channel of the profile from a text that is known to be right.
    mutating func channel(_ node: JSONNode) -> ProfileChannel? {
        var problems = DocumentProblems()
        return channel(node, &problems)
    }

    private mutating func channel(_ node: JSONNode, _ problems: inout DocumentProblems) -> ProfileChannel? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let name = object.name(&problems)
        // One of the lists is required.
        let isAdvertised = object.has("advertising")
        let advertised = isAdvertised ? object.nonEmptyArray("advertising", &problems) : []
        let advertising = advertised.compactMap { advertisingSelector($0, &problems) }
        let isOfL2CAP = object.has("l2cap")
        var l2cap: [L2CAPSelector] = []
        for node in isOfL2CAP ? object.nonEmptyArray("l2cap", &problems) : [] {
            if let selector = l2capSelector(node, &problems) { l2cap.append(selector) }
        }
        let attributes =
            (isAdvertised || isOfL2CAP) && !object.has("attributes")
            ? [] : object.nonEmptyArray("attributes", &problems).compactMap { attribute($0, &problems) }
        let framing = framing(object.object("framing", &problems), &problems)
        if isAdvertised, framing.fragments != nil || framing.stream != nil {
            problems.add(
                node, found: "fragments or a stream in advertising data", expected: "a frame in one value")
        }
        let checksum = object.object("checksum", &problems).flatMap { self.checksum($0, &problems) }
        let selector = object.object("select", &problems).flatMap { self.selector($0, &problems) }
        let shared = object.array("fields", &problems) ?? []
        var messages: [ProfileMessage] = []
        for node in object.nonEmptyArray("messages", &problems) {
            guard let message = message(node, selector, after: shared, &problems) else { continue }
            if messages.contains(where: { message.hasValue(of: $0) }) {
                problems.add(
                    node, found: "a message that can't be told from another",
                    expected: selector == nil ? "one message, or a member \"select\"" : "a value of its own")
            }
            messages.append(message)
        }
        object.finish(&problems)
        guard let name else { return nil }
        return ProfileChannel(
            name: name, attributes: attributes, advertising: advertising, l2cap: l2cap, framing: framing,
            checksum: checksum, selector: selector, messages: messages)
    }

    private func advertisingSelector(
        _ node: JSONNode, _ problems: inout DocumentProblems
    ) -> AdvertisingSelector? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let company = object.code("company", limit: 0xFFFF, &problems).map { UInt16(truncatingIfNeeded: $0) }
        let service: BluetoothUUID? = object.uuid("serviceData", &problems)
        let prefix = object.octets("valuePrefix", 1...64, &problems) ?? []
        object.finish(&problems)
        if object.has("company") == object.has("serviceData") {
            problems.add(
                node,
                found: object.has("company") ? "a company and a UUID" : "nothing that identifies its values",
                expected: "a company, or the UUID of service data")
        }
        let owner = company.map { AdvertisingSelector.Owner.company($0) } ?? service.map { .service($0) }
        return owner.map { AdvertisingSelector(owner: $0, valuePrefix: prefix) }
    }

    private mutating func l2capSelector(
        _ node: JSONNode, _ problems: inout DocumentProblems
    ) -> L2CAPSelector? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let psm = object.code("psm", limit: 0xFFFF, &problems).map { UInt16(truncatingIfNeeded: $0) }
        let field = object.string("psmField", &problems)
        object.finish(&problems)
        if object.has("psm") == object.has("psmField") {
            problems.add(
                node, found: object.has("psm") ? "an SPSM and a field" : "nothing that identifies its values",
                expected: "an SPSM, or the field that announces it")
        }
        if let field { announcing.append((node, field)) }
        return psm.map { .psm($0) } ?? field.map { .field($0) }
    }

    private func attribute(
        _ node: JSONNode, _ problems: inout DocumentProblems
    ) -> AttributeSelector? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let service: BluetoothUUID? = object.uuid("service", &problems)
        let characteristic: BluetoothUUID? = object.uuid("characteristic", &problems)
        let handle = object.code("handle", limit: 0xFFFF, &problems).map { UInt16(truncatingIfNeeded: $0) }
        let prefix = object.octets("valuePrefix", 1...64, &problems) ?? []
        var operations: Set<ProfileOperation> = []
        if let nodes = object.array("operations", &problems) {
            for node in nodes {
                guard let text = node.string(&problems) else { continue }
                guard let operation = ProfileOperation(rawValue: text), operations.insert(operation).inserted
                else {
                    problems.add(
                        node, found: "\"\(text.prefix(40))\"", expected: "write, notify or read, each once")
                    continue
                }
            }
            if nodes.isEmpty { problems.add(node, found: "no operation", expected: "one or more") }
        } else {
            operations = Set(ProfileOperation.allCases)
        }
        if characteristic == nil && handle == nil && prefix.isEmpty {
            problems.add(
                node, found: "nothing that identifies its values",
                expected: "a characteristic, a handle or a valuePrefix")
        }
        if characteristic == nil && service != nil || characteristic != nil && handle != nil {
            problems.add(
                node, found: characteristic == nil ? "a service alone" : "a characteristic and a handle",
                expected: "service and characteristic, or a handle for links without discovery")
        }
        object.finish(&problems)
        return AttributeSelector(
            service: service, characteristic: characteristic, operations: operations, handle: handle,
            valuePrefix: prefix)
    }

    private func framing(
        _ object: JSONObjectReader?, _ problems: inout DocumentProblems
    ) -> ProfileFraming {
        var framing = ProfileFraming()
        guard var object else { return framing }
        framing.prefix = object.octets("prefix", 1...64, &problems) ?? []
        framing.trailer = object.octets("trailer", 1...64, &problems) ?? []
        framing.bodyOffset = object.integer("bodyAt", 0...512, &problems).map { Int($0) }
        if var length = object.object("length", &problems) {
            framing.length = FrameLength(
                offset: Int(length.integer("at", 0...511, required: true, &problems) ?? 0),
                width: Int(length.integer("width", 1...4, &problems) ?? 1),
                order: length.choice("endian", LayoutDocument.orders, &problems) ?? order,
                meaning: length.choice(
                    "counts", ["frame": FrameLength.Meaning.frame, "body": .body, "rest": .rest],
                    required: true, &problems) ?? .frame,
                adjustment: Int(length.integer("add", -512...512, &problems) ?? 0))
            length.finish(&problems)
        }
        if var fragments = object.object("fragments", &problems) {
            framing.fragments = self.fragments(&fragments, &framing.limits, &problems)
            fragments.finish(&problems)
        }
        if var stream = object.object("stream", &problems) {
            framing.stream = self.stream(&stream, framing, &problems)
            stream.finish(&problems)
        }
        object.finish(&problems)
        return framing
    }

    private func fragments(
        _ object: inout JSONObjectReader, _ limits: inout ReassemblyLimits,
        _ problems: inout DocumentProblems
    ) -> FragmentFormat {
        let roles: KeyValuePairs<String, HeaderRole> = [
            "key": .messageID, "index": .index, "last": .last, "more": .more, "count": .count,
            "fixed": .reserved,
        ]
        let order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        let header = HeaderDocument.header(&object, roles, order, &problems)
        let first = object.integer("firstIndex", 0...1, &problems) ?? 0
        if let octets = object.integer("maximumOctets", 1...65_536, &problems) { limits.octets = Int(octets) }
        if let count = object.integer("maximumFragments", 1...4_096, &problems) {
            limits.fragments = Int(count)
        }
        if let time = object.integer("timeoutMs", 1...600_000, &problems) {
            limits.timeout = time * 1_000_000
        }
        return FragmentFormat(header: header, firstIndex: UInt64(first))
    }

    private func stream(
        _ object: inout JSONObjectReader, _ framing: ProfileFraming, _ problems: inout DocumentProblems
    ) -> StreamFormat {
        var stream = StreamFormat()
        stream.size = object.integer("size", 1...65_536, &problems).map { Int($0) }
        if let gap = object.integer("gapMs", 1...600_000, &problems) { stream.gap = gap * 1_000_000 }
        if let octets = object.integer("maximumOctets", 1...65_536, &problems) { stream.octets = Int(octets) }
        if framing.fragments != nil {
            problems.add(object.node, found: "fragments and a stream", expected: "one of them")
        } else if framing.length == nil && framing.trailer.isEmpty && stream.size == nil {
            problems.add(
                object.node, found: "a stream whose messages have no end",
                expected: "a length, a trailer or a size")
        }
        return stream
    }

    private func checksum(
        _ object: JSONObjectReader, _ problems: inout DocumentProblems
    ) -> FrameChecksum? {
        var object = object
        let checksum = object.checksum(&problems)
        let order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        let from = Int(object.integer("from", -512...512, &problems) ?? 0)
        let to = object.integer("to", -512...512, &problems).map { Int($0) }
        let place = object.integer("at", -512...512, &problems).map { Int($0) }
        object.finish(&problems)
        return checksum.map { FrameChecksum(checksum: $0, order: order, from: from, to: to, offset: place) }
    }

    private func selector(
        _ object: JSONObjectReader, _ problems: inout DocumentProblems
    ) -> MessageSelector? {
        var object = object
        let offset = object.integer("at", 0...512, required: true, &problems) ?? 0
        let width = Int(object.integer("width", 1...8, &problems) ?? 1)
        let order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        let limit = UInt64.max >> UInt64(64 - 8 * width)
        let mask = object.code("mask", limit: limit, &problems) ?? limit
        object.finish(&problems)
        return MessageSelector(offset: Int(offset), width: width, order: order, mask: mask)
    }

    private mutating func message(
        _ node: JSONNode, _ selector: MessageSelector?, after shared: [JSONNode],
        _ problems: inout DocumentProblems
    ) -> ProfileMessage? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let name = object.name(&problems)
        let values = values(object.member("value", &problems), selector, &problems)
        var document = LayoutDocument(order: order)
        document.takesRefusals = true
        document.ciphers = ciphers
        document.lists = lists
        document.protobuf = protobuf
        document.cbor = cbor
        let own = object.array("fields", required: true, &problems) ?? []
        let fields = document.fields(shared + own, &problems)
        let remembered = remembered(object.member("remember", &problems), fields, &problems)
        let restarts = object.bool("restarts", &problems) ?? false
        object.finish(&problems)
        guard let name else { return nil }
        if messageFields[name] != nil {
            problems.add(node, found: "the name \"\(name)\" a second time", expected: "another")
        }
        messageFields[name] = Set(fields.flatMap(\.namesInside))
        return ProfileMessage(
            name: name, values: values, layout: Layout(fields), remembered: remembered, restarts: restarts)
    }

    /// Reads the value that selects a message, or the list of several.
    private func values(
        _ node: JSONNode?, _ selector: MessageSelector?, _ problems: inout DocumentProblems
    ) -> [UInt64] {
        guard let node else { return [] }
        let nodes: [JSONNode] = if case .array(let all) = node.value { all } else { [node] }
        let values = nodes.compactMap { $0.code(limit: selector?.mask ?? .max, &problems) }
        if selector == nil {
            problems.add(node, found: "a value without \"select\"", expected: "\"select\" in the channel")
        }
        if let selector, values.contains(where: { $0 & ~selector.mask != 0 }) {
            problems.add(node, found: "a value with bits that the mask drops", expected: "one that it keeps")
        }
        if nodes.isEmpty || Set(values).count < values.count {
            problems.add(node, found: "no value, or one twice", expected: "values, each once")
        }
        return values
    }

    /// Reads the values of a message with these fields that later messages may use.
    private func remembered(
        _ node: JSONNode?, _ fields: [FieldLayout], _ problems: inout DocumentProblems
    ) -> [RememberedValue] {
        guard let node else { return [] }
        guard case .object(let members) = node.value, !members.isEmpty else {
            problems.kind(node, expected: "an object of values, not empty")
            return []
        }
        var remembered: [RememberedValue] = []
        for member in members where member.name != "comment" {
            guard let name = member.node.name(member.name, &problems),
                var object = JSONObjectReader(member.node, &problems)
            else { continue }
            _ = object.member("value", required: true, &problems)
            let one = RememberedValue(
                name: FormulaVariables.earlierPrefix + name, value: object.terms("value", &problems) ?? [],
                by: object.terms("by", &problems) ?? [])
            object.finish(&problems)
            let terms = one.value + one.by
            let names = fields.map(\.name) + terms.flatMap(\.names)
            terms.check([String: Int?](of: names) { fields.width(at: $0) }, at: member.node, &problems)
            remembered.append(one)
        }
        return remembered
    }

    private func pair(_ node: JSONNode, _ problems: inout DocumentProblems) -> ProfilePair? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let request = object.string("request", required: true, &problems)
        let response = object.string("response", required: true, &problems)
        for name in [request, response].compactMap({ $0 }) where messageFields[name] == nil {
            problems.add(node, found: "\"\(name.prefix(40))\"", expected: "the name of a message")
        }
        var fields: ProfilePair.MatchingFields?
        var isLatest = false
        if let by = object.member("by", &problems) {
            if case .string("latest") = by.value {
                isLatest = true
            } else if case .string("order") = by.value {
                isLatest = false
            } else if var names = JSONObjectReader(by, &problems) {
                let asked = names.string("request", required: true, &problems)
                let answered = names.string("response", required: true, &problems)
                names.finish(&problems)
                isLatest = true
                if let asked, let answered {
                    fields = ProfilePair.MatchingFields(request: asked, response: answered)
                    for (message, field) in [(request, asked), (response, answered)] {
                        guard let message, let known = messageFields[message], !known.contains(field) else {
                            continue
                        }
                        problems.add(
                            by, found: "\"\(field.prefix(40))\"", expected: "a field of \(message)")
                    }
                }
            }
        }
        let timeout = object.integer("timeoutMs", 1...600_000, &problems) ?? 5_000
        object.finish(&problems)
        guard let request, let response else { return nil }
        return ProfilePair(
            request: request, response: response, fields: fields, isLatest: isLatest, timeout: timeout)
    }
}

extension ProfileMessage {
    fileprivate func hasValue(of other: ProfileMessage) -> Bool {
        values.isEmpty ? other.values.isEmpty : values.contains(where: other.values.contains)
    }
}

extension FieldLayout {
    /// Its name, and those of its bit fields or members.
    fileprivate var namesInside: [String] {
        switch shape {
        case .bits(_, _, let parts): [name] + parts.map(\.name)
        case .message(_, let layout): [name] + layout.names
        default: [name]
        }
    }
}

extension JSONObjectReader {
    /// Returns the elements of an array that is required and must not be empty; none if it is missing.
    fileprivate mutating func nonEmptyArray(
        _ name: String, _ problems: inout DocumentProblems
    ) -> [JSONNode] {
        guard let node = member(name, required: true, &problems), let nodes = node.array(&problems) else {
            return []
        }
        if nodes.isEmpty { problems.add(node, found: "an empty array", expected: "one element or more") }
        return nodes
    }
}
