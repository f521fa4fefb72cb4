import PayloadFormat

/// Checks that the parts of a dialect fit each other, after each was read by itself.
struct DialectCheck {
    private let dialect: Dialect
    private let root: JSONNode

    init(_ dialect: Dialect, _ root: JSONNode) {
        self.dialect = dialect
        self.root = root
    }

    func run(_ problems: inout DocumentProblems) {
        checkHeaders(&problems)
        checkCommands(&problems)
        checkStatuses(&problems)
        checkAdvertising(&problems)
        checkProofs(&problems)
        if let securing = dialect.securing { check(securing, &problems) }
    }

    /// Returns the node of a member, or the document itself if the member comes from the reference format.
    private func node(_ name: String) -> JSONNode {
        guard case .object(let members) = root.value else { return root }
        return members.first { $0.name == name }?.node ?? root
    }

    private func fits(_ value: UInt64, _ field: HeaderField?) -> Bool {
        field.map { value & ~HeaderFormat.mask($0.bits) == 0 } ?? true
    }

    private func checkHeaders(_ problems: inout DocumentProblems) {
        let message = dialect.message
        let header = message.header
        let place = node("message")
        if header.field(.command) == nil {
            problems.add(place, found: "no command in the header", expected: "a field with this role")
        }
        let kinds = [message.requestKind, message.responseKind, message.eventKind]
        if let kind = header.field(.kind), Set(kinds).count != 3 || !kinds.allSatisfy({ fits($0, kind) }) {
            problems.add(place, found: "kinds \(kinds)", expected: "three different ones that fit the field")
        }
        if dialect.securing != nil {
            let flag = message.securedFlag
            if flag == 0 || flag & (flag - 1) != 0 || header.field(.flags) == nil
                || !fits(flag, header.field(.flags))
            {
                problems.add(place, found: "no flag for secured", expected: "one bit of a field \"flags\"")
            }
        }
        guard let fragments = dialect.fragments else { return }
        let format = fragments.format.header
        let spot = node("fragments")
        if format.field(.index) == nil
            || (format.field(.last) == nil && format.field(.more) == nil && format.field(.count) == nil)
        {
            problems.add(
                spot, found: "a header without an index or an end", expected: "index, and last, more or count"
            )
        }
        for flag in [format.field(.last), format.field(.more)] {
            guard let flag, flag.bits != 1 else { continue }
            problems.add(spot, found: "\(flag.bits) bits for an end", expected: "1 bit")
        }
        if let id = format.field(.messageID) {
            if !fits(fragments.requestIDs.upperBound, id) || !fits(fragments.eventIDs.upperBound, id)
                || fragments.requestIDs.overlaps(fragments.eventIDs)
            {
                problems.add(spot, found: "ids that do not fit", expected: "two ranges that fit the field")
            }
        }
        let last = UInt64(dialect.limits.fragments - 1) + fragments.format.firstIndex
        if !fits(last, format.field(.index)) {
            problems.add(
                spot, found: "an index too narrow for \(dialect.limits.fragments) fragments",
                expected: "fewer of them in limits.fragments")
        }
        if format.width >= dialect.limits.valueOctets {
            problems.add(spot, found: "a header as long as a value", expected: "a shorter one")
        }
    }

    private func checkCommands(_ problems: inout DocumentProblems) {
        let place = node("commands")
        let field = dialect.message.header.field(.command)
        if Set(dialect.commands.map(\.code)).count != dialect.commands.count {
            problems.add(place, found: "a code of two commands", expected: "codes of their own")
        }
        for command in dialect.commands where !fits(command.code, field) {
            problems.add(place, found: "the code of \(command.name)", expected: "one that fits the header")
        }
        for purpose in [CommandPurpose.activate, .authBegin, .authFinish]
        where dialect.commands.count(where: { $0.purpose == purpose }) > 1 {
            problems.add(place, found: "two commands for \(purpose)", expected: "one at most")
        }
    }

    private func checkStatuses(_ problems: inout DocumentProblems) {
        let status = dialect.status
        if status.code(.success) == nil {
            problems.add(node("status"), found: "no status named success", expected: "one")
        }
        if Set(status.names.values).count != status.names.count
            || status.names.keys.contains(where: { $0 & ~HeaderFormat.mask(8 * status.width) != 0 })
        {
            problems.add(
                node("status"), found: "a name twice, or a value too wide",
                expected: "each once, within \(status.width) bytes")
        }
    }

    private func checkAdvertising(_ problems: inout DocumentProblems) {
        let address = dialect.advertising.layout.fields.first { $0.name == "address" }
        if address?.shape != .octets(.fixed(6)) {
            problems.add(
                node("advertising"), found: "no address", expected: "a field \"address\" of 6 bytes")
        }
    }

    // MARK: Formulas

    /// Returns the length in bytes of each field that has a fixed length.
    private func widths(_ layouts: [Layout?]) -> [String: Int] {
        var widths: [String: Int] = [:]
        for field in layouts.compactMap({ $0 }).flatMap(\.fields) {
            if let width = field.fixedWidth { widths[field.name] = width }
        }
        return widths
    }

    private var handshakeWidths: [String: Int] {
        let begin = dialect.command(for: .authBegin)
        return widths([begin?.request, begin?.response, dialect.command(for: .authFinish)?.request])
    }

    private func checkProofs(_ problems: inout DocumentProblems) {
        let proofs = dialect.proofs
        let begin = dialect.command(for: .authBegin)
        let activate = dialect.command(for: .activate)
        if let activate {
            check(proofs.activation, "proof", in: activate.request, widths([activate.request]), &problems)
        }
        if let begin {
            check(
                proofs.vehicle, "vehicleProof", in: begin.response, widths([begin.request, begin.response]),
                &problems)
        }
        if let finish = dialect.command(for: .authFinish) {
            check(proofs.phone, "phoneProof", in: finish.request, handshakeWidths, &problems)
        }
        guard dialect.securing != nil || proofs.sessionKey.algorithm != .none else { return }
        checkTerms(proofs.sessionKey.terms, handshakeWidths, node("proofs"), &problems)
        checkLength(proofs.sessionKey, &problems)
        let keyed = [activate, begin].compactMap { $0 }
        if !keyed.allSatisfy({ widths([$0.request])["keyId"] != nil }) {
            problems.add(
                node("commands"), found: "a request without the key's id",
                expected: "a field \"keyId\" of fixed length in activate and authBegin")
        }
    }

    private func check(
        _ formula: Formula, _ field: String, in layout: Layout, _ known: [String: Int],
        _ problems: inout DocumentProblems
    ) {
        guard formula.algorithm != .none else { return }
        let place = node("proofs")
        if widths([layout])[field] != formula.length {
            problems.add(
                place, found: "\(formula.length) bytes of proof",
                expected: "a field \"\(field)\" of as many in the message")
        }
        checkLength(formula, &problems)
        checkTerms(formula.terms, known, place, &problems)
    }

    private func checkLength(_ formula: Formula, _ problems: inout DocumentProblems) {
        let whole: Int
        switch formula.algorithm {
        case .aesCMAC: whole = 16
        case .hmacSHA256: whole = 32
        case .aesCCM, .none: return
        }
        if formula.length > whole {
            problems.add(
                node("proofs"), found: "\(formula.length) bytes kept", expected: "at most \(whole)")
        }
        if formula.algorithm == .aesCMAC && dialect.limits.keyOctets != 16 {
            problems.add(
                node("limits"), found: "keys of \(dialect.limits.keyOctets) bytes", expected: "16 for AES")
        }
    }

    /// Returns the length of a concatenation in bytes; nil if it varies. Unknown names are reported as
    /// problems.
    @discardableResult
    private func checkTerms(
        _ terms: [FormulaTerm], _ known: [String: Int], _ place: JSONNode,
        _ problems: inout DocumentProblems
    ) -> Int? {
        var all = known.mapValues(Optional.some)
        all.updateValue(nil, forKey: FormulaVariable.pairingCode)
        return terms.check(all, at: place, &problems)
    }

    private func check(_ format: SecuringFormat, _ problems: inout DocumentProblems) {
        let place = node("securing")
        var known = handshakeWidths
        known[FormulaVariable.direction] = format.phoneDirection.count
        known[FormulaVariable.counter] = format.counterWidth
        known[FormulaVariable.messageHeader] = dialect.message.header.width
        known[FormulaVariable.messageID] = dialect.idOctets(0).count
        let nonce = checkTerms(format.nonce, known, place, &problems)
        checkTerms(format.additionalData, known, place, &problems)
        if format.phoneDirection.count != format.carDirection.count {
            problems.add(place, found: "directions of two lengths", expected: "one length")
        }
        let key = dialect.proofs.sessionKey
        let keyLength = key.algorithm == .none ? min(key.length, dialect.limits.keyOctets) : key.length
        switch format.algorithm {
        case .aesCCM:
            if let nonce, !(7...13).contains(nonce) {
                problems.add(place, found: "a nonce of \(nonce) bytes", expected: "7 to 13")
            }
            if format.tagLength > 16 || format.tagLength % 2 != 0 {
                problems.add(place, found: "a tag of \(format.tagLength)", expected: "4 to 16, even")
            }
        case .aesCMAC where format.tagLength > 16:
            problems.add(place, found: "a tag of \(format.tagLength)", expected: "at most 16")
        default: break
        }
        if format.algorithm != .hmacSHA256 && keyLength != 16 {
            problems.add(place, found: "a session key of \(keyLength) bytes", expected: "16 for AES")
        }
    }
}
