import BluetoothCore
import PayloadFormat

extension Dialect {
    /// Reads a dialect, given as differences from reference format 1; throws its problems.
    public init(json: [UInt8]) throws(DocumentError) {
        let (dialect, problems) = Self.read(json)
        guard let dialect else { throw DocumentError(problems: problems) }
        self = dialect
    }

    /// Returns the problems of a dialect's text; empty if it is valid.
    public static func check(_ json: [UInt8]) -> [DocumentProblem] { read(json).problems }

    private static func read(_ json: [UInt8]) -> (document: Dialect?, problems: [DocumentProblem]) {
        DocumentProblems.read(json) { root, problems in
            var document = DialectDocument()
            let dialect = document.read(root, &problems)
            if let dialect, problems.isEmpty { DialectCheck(dialect, root).run(&problems) }
            return dialect
        }
    }
}

/// Reads the members of a dialect over those of reference format 1.
struct DialectDocument {
    private var dialect = Dialect.reference1
    /// The byte order of fields that don't state one.
    private var order = OctetOrder.big

    mutating func read(_ root: JSONNode, _ problems: inout DocumentProblems) -> Dialect? {
        guard var object = JSONObjectReader(root, &problems) else { return nil }
        if let node = object.member("name", required: true, &problems), let name = node.string(&problems) {
            dialect.name = name
            if !(1...60).contains(name.utf8.count) || name.unicodeScalars.contains(where: { $0.value < 0x20 })
            {
                problems.add(node, found: "\(name.utf8.count) bytes", expected: "1 to 60, no controls")
            }
        }
        order = object.choice("endian", LayoutDocument.orders, &problems) ?? .big
        if let gatt = object.object("gatt", &problems) { self.gatt(gatt, &problems) }
        if let advertising = object.object("advertising", &problems) {
            self.advertising(advertising, &problems)
        }
        if let fragments = object.member("fragments", &problems) { self.fragments(fragments, &problems) }
        if let message = object.object("message", &problems) { self.message(message, &problems) }
        if let checksum = object.member("checksum", &problems) { self.checksum(checksum, &problems) }
        if let status = object.object("status", &problems) { self.status(status, &problems) }
        for node in object.array("commands", &problems) ?? [] { command(node, &problems) }
        if let proofs = object.object("proofs", &problems) { self.proofs(proofs, &problems) }
        if let securing = object.member("securing", &problems) { self.securing(securing, &problems) }
        if let limits = object.object("limits", &problems) {
            DialectDocument.limits(limits, &dialect.limits, &problems)
        }
        object.finish(&problems)
        return dialect
    }

    private func fields(
        _ nodes: [JSONNode]?, _ problems: inout DocumentProblems
    ) -> Layout? {
        guard let nodes else { return nil }
        var document = LayoutDocument(order: order)
        return Layout(document.fields(nodes, &problems))
    }

    private mutating func gatt(_ object: JSONObjectReader, _ problems: inout DocumentProblems) {
        var object = object
        dialect.gatt.service = object.uuid("service", &problems) ?? dialect.gatt.service
        dialect.gatt.command = object.uuid("command", &problems) ?? dialect.gatt.command
        dialect.gatt.event = object.uuid("event", &problems) ?? dialect.gatt.event
        if let node = object.member("info", &problems) {
            dialect.gatt.info = if case .null = node.value { nil } else { object.uuid("info", &problems) }
        }
        if let layout = fields(object.array("infoFields", &problems), &problems) {
            dialect.gatt.infoLayout = layout
        }
        object.finish(&problems)
    }

    private mutating func advertising(_ object: JSONObjectReader, _ problems: inout DocumentProblems) {
        var object = object
        if let company = object.code("companyId", limit: 0xFFFF, &problems) {
            dialect.advertising.companyID = UInt16(truncatingIfNeeded: company)
        }
        if let layout = fields(object.array("fields", &problems), &problems) {
            dialect.advertising.layout = layout
        }
        if let order = object.choice("addressOrder", LayoutDocument.orders, &problems) {
            dialect.advertising.addressOrder = order
        }
        if let may = object.bool("nameMayBeAddress", &problems) { dialect.advertising.nameMayBeAddress = may }
        object.finish(&problems)
    }

    private mutating func fragments(_ node: JSONNode, _ problems: inout DocumentProblems) {
        if case .null = node.value {
            dialect.fragments = nil
            return
        }
        guard var object = JSONObjectReader(node, &problems) else { return }
        let roles: KeyValuePairs<String, HeaderRole> = [
            "messageId": .messageID, "index": .index, "last": .last, "more": .more, "count": .count,
            "reserved": .reserved,
        ]
        let order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        let header = HeaderDocument.header(&object, roles, order, &problems)
        let first = object.integer("firstIndex", 0...1, &problems) ?? 0
        let requests = object.range("requestIds", &problems)
        let events = object.range("eventIds", &problems)
        object.finish(&problems)
        dialect.fragments = DialectFragments(
            format: FragmentFormat(header: header, firstIndex: UInt64(first)),
            requestIDs: requests ?? 0...0x7F,
            eventIDs: events ?? 0x80...0xFF)
    }

    private mutating func message(_ object: JSONObjectReader, _ problems: inout DocumentProblems) {
        var object = object
        let roles: KeyValuePairs<String, HeaderRole> = [
            "messageId": .messageID, "magic": .magic, "version": .version, "kind": .kind,
            "command": .command, "flags": .flags, "length": .length, "reserved": .reserved,
        ]
        let order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        if object.member("fields", &problems) != nil {
            dialect.message.header = HeaderDocument.header(&object, roles, order, &problems)
        }
        if let meaning = object.choice(
            "lengthCounts", ["payload": MessageFormat.LengthMeaning.payload, "message": .message], &problems)
        {
            dialect.message.lengthMeaning = meaning
        }
        if var kinds = object.object("kinds", &problems) {
            if let kind = kinds.code("request", limit: .max, &problems) { dialect.message.requestKind = kind }
            if let kind = kinds.code("response", limit: .max, &problems) {
                dialect.message.responseKind = kind
            }
            if let kind = kinds.code("event", limit: .max, &problems) { dialect.message.eventKind = kind }
            kinds.finish(&problems)
        }
        if let flag = object.code("securedFlag", limit: .max, &problems) {
            dialect.message.securedFlag = flag
        }
        object.finish(&problems)
    }

    private mutating func checksum(_ node: JSONNode, _ problems: inout DocumentProblems) {
        if case .null = node.value {
            dialect.checksum = nil
            return
        }
        guard var object = JSONObjectReader(node, &problems) else { return }
        let checksum = object.checksum(&problems)
        let order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        let skips = object.integer("skipsFirst", 0...64, &problems) ?? 0
        object.finish(&problems)
        guard let checksum else { return }
        dialect.checksum = ChecksumPlacement(checksum: checksum, order: order, skipsFirst: Int(skips))
    }

    private mutating func status(_ object: JSONObjectReader, _ problems: inout DocumentProblems) {
        var object = object
        if let width = object.integer("width", 1...4, &problems) { dialect.status.width = Int(width) }
        dialect.status.order = object.choice("endian", LayoutDocument.orders, &problems) ?? self.order
        if let node = object.member("names", &problems) {
            guard case .object(let members) = node.value else {
                return problems.kind(node, expected: "an object of names")
            }
            dialect.status.names = [:]
            for member in members {
                guard let code = JSONNode.code(member.name), dialect.status.names[code] == nil else {
                    problems.add(member.node, found: "a key that is not a number", expected: "a number, once")
                    continue
                }
                dialect.status.names[code] = member.node.string(&problems)
            }
        }
        object.finish(&problems)
    }

    private mutating func command(_ node: JSONNode, _ problems: inout DocumentProblems) {
        guard var object = JSONObjectReader(node, &problems) else { return }
        let name = object.name(&problems)
        let code = object.code("code", limit: .max, &problems)
        let purpose = object.choice(
            "purpose",
            [
                "activate": CommandPurpose.activate, "authBegin": .authBegin, "authFinish": .authFinish,
                "ordinary": .ordinary,
            ], &problems)
        let isEvent = object.bool("event", &problems)
        let isSecured = object.bool("secured", &problems)
        let request = fields(object.array("request", &problems), &problems)
        let response = fields(object.array("response", &problems), &problems)
        let isRemoved = object.bool("remove", &problems) ?? false
        object.finish(&problems)
        guard let name else { return }
        let index = dialect.commands.firstIndex { $0.name == name }
        if isRemoved {
            if let index { dialect.commands.remove(at: index) }
            return
        }
        var command =
            index.map { dialect.commands[$0] }
            ?? DialectCommand(
                code: 0, name: name, purpose: .ordinary, isEvent: false, isSecured: true, request: Layout(),
                response: Layout())
        if code == nil && index == nil {
            problems.add(node, found: "a new command without a code", expected: "a member \"code\"")
        }
        command.code = code ?? command.code
        command.purpose = purpose ?? command.purpose
        command.isEvent = isEvent ?? command.isEvent
        command.isSecured = isSecured ?? command.isSecured
        command.request = request ?? command.request
        command.response = response ?? command.response
        if let index { dialect.commands[index] = command } else { dialect.commands.append(command) }
    }
}

// MARK: Cryptography

extension DialectDocument {
    private mutating func proofs(_ object: JSONObjectReader, _ problems: inout DocumentProblems) {
        var object = object
        if let formula = formula("activation", &object, &problems) { dialect.proofs.activation = formula }
        if let formula = formula("vehicle", &object, &problems) { dialect.proofs.vehicle = formula }
        if let formula = formula("phone", &object, &problems) { dialect.proofs.phone = formula }
        if let formula = formula("sessionKey", &object, &problems) { dialect.proofs.sessionKey = formula }
        object.finish(&problems)
    }

    private func formula(
        _ name: String, _ outer: inout JSONObjectReader, _ problems: inout DocumentProblems
    ) -> Formula? {
        guard var object = outer.object(name, &problems) else { return nil }
        let algorithm = object.choice(
            "algorithm",
            ["aes-cmac": DialectAlgorithm.aesCMAC, "hmac-sha-256": .hmacSHA256, "none": .none],
            required: true, &problems)
        let terms = object.terms("concatenate", &problems) ?? []
        let length = object.integer("length", 1...32, &problems)
        let keepsEnd = object.choice("keep", ["start": false, "end": true], &problems) ?? false
        if algorithm != DialectAlgorithm.none && length == nil {
            problems.add(object.node, found: "no length", expected: "the bytes that are kept")
        }
        object.finish(&problems)
        return algorithm.map { Formula($0, terms, length: Int(length ?? 32), keepsEnd: keepsEnd) }
    }

    private mutating func securing(_ node: JSONNode, _ problems: inout DocumentProblems) {
        if case .null = node.value {
            dialect.securing = nil
            return
        }
        guard var object = JSONObjectReader(node, &problems) else { return }
        guard var format = dialect.securing else { return }
        if let algorithm = object.choice(
            "algorithm",
            ["aes-ccm": DialectAlgorithm.aesCCM, "aes-cmac": .aesCMAC, "hmac-sha-256": .hmacSHA256],
            &problems)
        {
            format.algorithm = algorithm
        }
        if let nodes = object.array("parts", &problems) {
            let names = nodes.compactMap { $0.string(&problems) }
            let all: [String: SecuringFormat.Part] = ["counter": .counter, "body": .body, "tag": .tag]
            format.parts = names.compactMap { all[$0] }
            if names.count != 3 || Set(format.parts).count != 3 {
                problems.add(node, found: "other parts", expected: "counter, body and tag, each once")
            }
        }
        if let width = object.integer("counterWidth", 1...8, &problems) { format.counterWidth = Int(width) }
        if let order = object.choice("counterEndian", LayoutDocument.orders, &problems) {
            format.counterOrder = order
        }
        if let first = object.integer("firstCounter", 0...0xFFFF, &problems) {
            format.firstCounter = UInt64(first)
        }
        if let length = object.integer("tagLength", 4...32, &problems) { format.tagLength = Int(length) }
        if let terms = object.terms("nonce", &problems) { format.nonce = terms }
        if let terms = object.terms("additionalData", &problems) { format.additionalData = terms }
        if var directions = object.object("directions", &problems) {
            if let octets = directions.octets("phone", 1...8, &problems) { format.phoneDirection = octets }
            if let octets = directions.octets("car", 1...8, &problems) { format.carDirection = octets }
            directions.finish(&problems)
        }
        object.finish(&problems)
        dialect.securing = format
    }

    private static func limits(
        _ object: JSONObjectReader, _ limits: inout DialectLimits, _ problems: inout DocumentProblems
    ) {
        var object = object
        let times: [(String, WritableKeyPath<DialectLimits, Int64>)] = [
            ("scanMs", \.scan), ("connectMs", \.connect), ("discoveryMs", \.discovery),
            ("authenticationMs", \.authentication), ("commandMs", \.command),
            ("reassemblyMs", \.reassembly), ("lockoutMs", \.lockout),
        ]
        for (name, path) in times {
            if let time = object.integer(name, 1...3_600_000, &problems) { limits[keyPath: path] = time }
        }
        let counts: [(String, WritableKeyPath<DialectLimits, Int>, Int64)] = [
            ("notificationTries", \.notificationTries, 100),
            ("authenticationTries", \.authenticationTries, 100), ("badProofs", \.badProofs, 1000),
            ("messageOctets", \.messageOctets, 65_536), ("fragments", \.fragments, 65_536),
            ("valueOctets", \.valueOctets, 512), ("outstanding", \.outstanding, 256),
            ("keyOctets", \.keyOctets, 64), ("pairingCodeDigits", \.pairingCodeDigits, 16),
        ]
        for (name, path, largest) in counts {
            if let count = object.integer(name, 1...largest, &problems) { limits[keyPath: path] = Int(count) }
        }
        object.finish(&problems)
    }
}

extension JSONObjectReader {
    /// Reads an inclusive range of ids: an array of two whole numbers.
    fileprivate mutating func range(
        _ name: String, _ problems: inout DocumentProblems
    ) -> ClosedRange<UInt64>? {
        guard let node = member(name, &problems), let nodes = node.array(&problems) else { return nil }
        let numbers = nodes.compactMap { $0.code(limit: 0xFFFF_FFFF, &problems) }
        guard numbers.count == 2, nodes.count == 2, numbers[0] <= numbers[1] else {
            problems.add(node, found: "no range", expected: "[first, last]")
            return nil
        }
        return numbers[0]...numbers[1]
    }
}
