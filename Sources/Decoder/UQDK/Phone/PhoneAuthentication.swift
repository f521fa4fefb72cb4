import PayloadFormat
import WireBytes

/// The phone's side of activation and authentication: what it sends, and what it believes.
///
/// A value without I/O that holds a key: it is used, and never shown. The nonce is handed in.
public struct PhoneAuthentication: Sendable {
    private let dialect: Dialect
    private let keyID: [UInt8]
    private let key: [UInt8]
    /// The fields of the messages so far.
    private var variables = FormulaVariables()

    /// The phone's side of a digital key.
    public init(_ dialect: Dialect, keyID: [UInt8], key: [UInt8]) {
        self.dialect = dialect
        self.keyID = keyID
        self.key = key
    }

    /// Octets of the phone's nonce; 0 where the dialect has none of a fixed length.
    public var nonceOctets: Int {
        dialect.command(for: .authBegin)?.request.fields.first { $0.name == "phoneNonce" }?.fixedWidth ?? 0
    }

    /// The request that takes the key into use, with the digits that the car shows.
    public func activation(pairingCode: [UInt8]) throws(UQDKEncodeError) -> Message {
        var all = FormulaVariables()
        all[FormulaVariable.pairingCode] = pairingCode
        return try request(.activate, [:], proof: "proof", dialect.proofs.activation, &all)
    }

    /// The request that begins: what went before is forgotten.
    public mutating func begin(nonce: [UInt8]) throws(UQDKEncodeError) -> Message {
        var all = FormulaVariables()
        let message = try request(
            .authBegin, ["phoneNonce": .octets(nonce)], proof: nil, dialect.proofs.vehicle, &all)
        variables = all
        return message
    }

    /// Takes the body of the answer, after its status, and proves the vehicle by it in constant time.
    ///
    /// - Returns: false where the vehicle does not know the key, or the body is another.
    public mutating func accepts(challenge body: [UInt8]) -> Bool {
        guard let command = dialect.command(for: .authBegin) else { return false }
        let decoded = command.response.decode(body)
        guard decoded.misfit == nil else { return false }
        variables.add(decoded.fields, of: body[...])
        let proven = try? dialect.proofs.vehicle.verifies(variables["vehicleProof"], key: key, variables)
        return proven == true
    }

    /// The request that ends it, with a counter that the car has not seen.
    public mutating func finish(authCounter: UInt64) throws(UQDKEncodeError) -> Message {
        try request(
            .authFinish, ["authCounter": .unsigned(authCounter)], proof: "phoneProof", dialect.proofs.phone,
            &variables)
    }

    /// The session that the answer to ``finish(authCounter:)`` gives, by its body after the status.
    public func session(_ body: [UInt8]) throws(UQDKEncodeError) -> PhoneSession {
        let fields = dialect.command(for: .authFinish)?.response.decode(body).fields ?? []
        let lifetime = fields.number("lifetime").map { Int64(min($0, 1 << 32)) }
        var cipher: SessionCipher?
        if dialect.securing != nil { cipher = try SessionCipher(dialect, digitalKey: key, variables) }
        return PhoneSession(dialect, cipher, lifetime: lifetime)
    }

    /// A request whose proof is made of all its other fields and of what is known; its fields are added.
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

    /// The octets of a body, whose fields are known from now on.
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
