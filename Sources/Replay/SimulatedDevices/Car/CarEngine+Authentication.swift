import PayloadFormat
import Runtime
import UQDK
import WireBytes

// Activation and authentication, the requests that are not secured.
extension CarEngine {
    typealias Answer = (status: StatusName, values: [String: AnnotationValue])

    private struct Refusal: Error {
        var status: StatusName
        init(_ status: StatusName) { self.status = status }
    }

    /// Performs a request that needs no session.
    mutating func attempt(
        _ command: DialectCommand?, _ body: [UInt8], on link: CarLinkID, at now: Instant
    ) -> Answer {
        guard let command, !command.isEvent else { return (.unsupportedCommand, [:]) }
        let decoded = command.request.decode(body)
        guard decoded.misfit == nil else { return (.badMessage, [:]) }
        var variables = FormulaVariables()
        variables.add(decoded.fields, of: body[...])
        do throws(Refusal) {
            switch command.purpose {
            case .activate: return try activate(variables, on: link, at: now)
            case .authBegin: return try begin(variables, on: link, at: now)
            case .authFinish: return try finish(decoded.fields, body, on: link, at: now)
            case .ordinary:
                let outcome = vehicle.perform(command.name, decoded.fields, at: now)
                return (outcome.status, outcome.values)
            }
        } catch {
            return (error.status, [:])
        }
    }

    private mutating func activate(
        _ fields: FormulaVariables, on link: CarLinkID, at now: Instant
    ) throws(Refusal) -> Answer {
        guard let pairingCode else { throw Refusal(.refusedInState) }
        let index = try usableKey(fields["keyId"], at: now)
        links[link]?.hasUsedCode = true
        var variables = fields
        variables[FormulaVariable.pairingCode] = pairingCode
        try check(fields["proof"], dialect.proofs.activation, variables, of: index, at: now)
        if keys[index].slot == nil {
            let taken = Set(keys.compactMap(\.slot))
            guard let free = (0..<configuration.slots).first(where: { !taken.contains($0) }) else {
                throw Refusal(.refusedInState)
            }
            keys[index].slot = free
        }
        links[link]?.hasActivated = true
        let slot = keys[index].slot ?? 0
        note(.activated(keyID: keys[index].keyID, slot: slot))
        return (.success, ["slot": .unsigned(UInt64(slot))])
    }

    private mutating func begin(
        _ fields: FormulaVariables, on link: CarLinkID, at now: Instant
    ) throws(Refusal) -> Answer {
        let index = try usableKey(fields["keyId"], at: now)
        guard keys[index].slot != nil else { throw Refusal(.refusedInState) }
        let width = dialect.responseWidth(.authBegin, of: "vehicleNonce") ?? 16
        guard let nonce = try? entropy.octets(width, for: .nonce) else { throw Refusal(.busy) }
        var variables = fields
        variables["vehicleNonce"] = nonce
        let isImpostor = tampers(.impostor)
        links[link]?.isImpostor = isImpostor
        let key = isImpostor ? keys[index].key.map { ~$0 } : keys[index].key
        guard let proof = try? dialect.proofs.vehicle.value(key: key, variables) else {
            throw Refusal(.busy)
        }
        links[link]?.begun = variables
        return (.success, ["vehicleNonce": .octets(nonce), "vehicleProof": .octets(proof)])
    }

    private mutating func finish(
        _ fields: [DecodedField], _ body: [UInt8], on link: CarLinkID, at now: Instant
    ) throws(Refusal) -> Answer {
        guard var variables = links[link]?.begun else { throw Refusal(.authenticationRequired) }
        // The vehicle's nonce is valid for one attempt.
        links[link]?.begun = nil
        variables.add(fields, of: body[...])
        let index = try usableKey(variables["keyId"], at: now)
        try check(variables["phoneProof"], dialect.proofs.phone, variables, of: index, at: now)
        let counter = fields.number("authCounter")
        if let counter {
            if let highest = keys[index].authCounter, counter <= highest { throw Refusal(.counterReplayed) }
            if keys[index].authCounter == nil, counter == 0 { throw Refusal(.counterReplayed) }
        }
        var cipher: SessionCipher?
        if dialect.securing != nil {
            guard let made = try? SessionCipher(dialect, digitalKey: keys[index].key, variables) else {
                throw Refusal(.busy)
            }
            cipher = made
        }
        if let counter { keys[index].authCounter = counter }
        let session = CarSession(
            cipher: cipher, keyID: keys[index].keyID,
            end: now.advanced(by: .seconds(Int64(configuration.lifetime))),
            next: dialect.securing?.firstCounter ?? 0)
        links[link]?.session = session
        note(.session(keyID: keys[index].keyID, authCounter: counter))
        return (.success, ["lifetime": .unsigned(UInt64(configuration.lifetime))])
    }

    private func usableKey(_ keyID: [UInt8]?, at now: Instant) throws(Refusal) -> Int {
        guard let keyID, let index = keys.firstIndex(where: { $0.keyID == keyID }),
            !keys[index].isRevoked
        else { throw Refusal(.keyRevoked) }
        if let until = keys[index].lockedUntil, now < until { throw Refusal(.keyLockedOut) }
        return index
    }

    /// Checks a proof. Consecutive bad proofs lock the key out.
    private mutating func check(
        _ proof: [UInt8]?, _ formula: Formula, _ variables: FormulaVariables, of index: Int, at now: Instant
    ) throws(Refusal) {
        guard let isRight = try? formula.verifies(proof, key: keys[index].key, variables) else {
            throw Refusal(.badMessage)
        }
        if isRight {
            keys[index].badProofs = 0
            keys[index].lockedUntil = nil
            return
        }
        keys[index].badProofs += 1
        if keys[index].badProofs >= dialect.limits.badProofs {
            keys[index].badProofs = 0
            keys[index].lockedUntil = now.advanced(by: .milliseconds(dialect.limits.lockout))
            note(.problem("key \(Hex.text(keys[index].keyID)) is locked out"))
        }
        throw Refusal(.badProof)
    }
}
