import PayloadFormat

/// The phone's side of activation and authentication: the requests that it sends and its checks of the
/// answers.
///
/// A value without I/O. It holds a key, which it uses and never shows. The caller supplies the nonce.
public struct PhoneAuthentication: Sendable {
    private let dialect: Dialect
    private let keyID: [UInt8]
    private let key: [UInt8]
    /// Fields of the messages so far.
    private var variables = FormulaVariables()

    /// Creates the phone's side for one digital key.
    public init(_ dialect: Dialect, keyID: [UInt8], key: [UInt8]) {
        self.dialect = dialect
        self.keyID = keyID
        self.key = key
    }

    /// Length of the phone's nonce in bytes; 0 if the dialect has no nonce of fixed length.
    public var nonceOctets: Int {
        dialect.command(for: .authBegin)?.request.fields.first { $0.name == "phoneNonce" }?.fixedWidth ?? 0
    }

    /// Returns the request that activates the key, with the digits that the car shows.
    public func activation(pairingCode: [UInt8]) throws(UQDKEncodeError) -> Message {
        var all = FormulaVariables()
        all[FormulaVariable.pairingCode] = pairingCode
        return try request(.activate, [:], proof: "proof", dialect.proofs.activation, &all)
    }

    /// Returns the request that begins an authentication; earlier messages are forgotten.
    public mutating func begin(nonce: [UInt8]) throws(UQDKEncodeError) -> Message {
        var all = FormulaVariables()
        let message = try request(
            .authBegin, ["phoneNonce": .octets(nonce)], proof: nil, dialect.proofs.vehicle, &all)
        variables = all
        return message
    }

    /// Reads the body of the response, after its status, and checks the vehicle's proof in constant time.
    ///
    /// - Returns: false if the vehicle doesn't know the key or the body has another format.
    public mutating func accepts(challenge body: [UInt8]) -> Bool {
        guard let command = dialect.command(for: .authBegin) else { return false }
        let decoded = command.response.decode(body)
        guard decoded.misfit == nil else { return false }
        variables.add(decoded.fields, of: body[...])
        let proven = try? dialect.proofs.vehicle.verifies(variables["vehicleProof"], key: key, variables)
        return proven == true
    }

    /// Returns the request that finishes the authentication; its counter must be new to the car.
    public mutating func finish(authCounter: UInt64) throws(UQDKEncodeError) -> Message {
        try request(
            .authFinish, ["authCounter": .unsigned(authCounter)], proof: "phoneProof", dialect.proofs.phone,
            &variables)
    }

    /// Returns the session that the response to ``finish(authCounter:)`` creates, from its body after the
    /// status.
    public func session(_ body: [UInt8]) throws(UQDKEncodeError) -> PhoneSession {
        let fields = dialect.command(for: .authFinish)?.response.decode(body).fields ?? []
        let lifetime = fields.number("lifetime").map { Int64(min($0, 1 << 32)) }
        var cipher: SessionCipher?
        if dialect.securing != nil { cipher = try SessionCipher(dialect, digitalKey: key, variables) }
        return PhoneSession(dialect, cipher, lifetime: lifetime)
    }

    /// Returns a request whose proof covers its other fields and the known variables; adds its fields to
    /// them.
    private func request(
        _ purpose: CommandPurpose, _ values: [String: AnnotationValue], proof: String?, _ formula: Formula,
        _ all: inout FormulaVariables
    ) throws(UQDKEncodeError) -> Message {
        guard let command = dialect.command(for: purpose) else {
            throw .unknownCommand(String(describing: purpose))
        }
        var values = values
        values["keyId"] = .octets(keyID)
        let field = command.request.fields.first { $0.name == proof }
        if let field, formula.algorithm != .none {
            let width = field.fixedWidth ?? formula.length
            values[field.name] = .octets([UInt8](repeating: 0, count: max(0, width)))
            _ = try learn(command.request, values, &all)
            values[field.name] = .octets(try formula.value(key: key, all))
        }
        let body = try learn(command.request, values, &all)
        return Message(.request, command: command.code, payload: body)
    }

    /// Encodes a body and adds its fields to the known variables.
    private func learn(
        _ layout: Layout, _ values: [String: AnnotationValue], _ all: inout FormulaVariables
    ) throws(UQDKEncodeError) -> [UInt8] {
        let body: [UInt8]
        do throws(LayoutError) {
            body = try layout.encode(values)
        } catch {
            throw .body(error)
        }
        all.add(layout.decode(body).fields, of: body[...])
        return body
    }
}
