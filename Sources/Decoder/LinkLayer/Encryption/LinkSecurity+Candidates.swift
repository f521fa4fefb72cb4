import Crypto

extension LinkSecurity {
    /// Gives the session the keys that may open it: of the pairing on this link, then of the ring.
    mutating func findCandidates(
        _ packets: [EncryptedPacket], _ keys: inout LinkKeys
    ) throws(CryptoError) {
        let diversifier = session.diversifier ?? LinkKeys.Diversifier(ediv: 0, rand: 0)
        var found: [EncryptedSession.Candidate] = []
        if diversifier.isZero { found = try pairingKeys(packets, &keys) }
        found += keys.longTermKeys(for: diversifier, central, peripheral).map { known in
            EncryptedSession.Candidate(
                key: known.key.key, origin: known.key.origin, isHinted: known.isHinted)
        }
        try session.setCandidates(found, revision: keys.revision)
    }

    /// The keys that follow from the pairing on this link.
    private func pairingKeys(
        _ packets: [EncryptedPacket], _ keys: inout LinkKeys
    ) throws(CryptoError) -> [EncryptedSession.Candidate] {
        if let found = pairing.longTermKey(keys.privateKeys, central, peripheral) {
            let kind = LinkKeys.Learned.Kind.longTerm(LinkKeys.Diversifier(ediv: 0, rand: 0))
            return [.init(key: found.key, origin: found.origin, isHinted: true, kind: kind)]
        }
        guard let input = pairing.shortTermInput else { return [] }
        var temporaryKeys = knownTemporaryKeys(keys)
        if let confirmation = pairing.confirmation(central, peripheral) {
            var trial = try AESKeyTrial()
            var confirmed: [TemporaryKey] = []
            for key in temporaryKeys where try confirmation.isMade(by: key.block, &trial) {
                confirmed = [key]
                break
            }
            if confirmed.isEmpty, keys.effort.spend(TemporaryKey.searchUnits),
                let passkey = try TemporaryKeySearch.passkey(for: confirmation)
            {
                confirmed = [TemporaryKey(block: TemporaryKeySearch.key(passkey), origin: .passkey)]
            }
            temporaryKeys = confirmed
        } else {
            for packet in packets {
                guard let found = try passkeyByPacket(input, packet, &keys.effort) else { continue }
                temporaryKeys = [found]
                break
            }
        }
        var result: [EncryptedSession.Candidate] = []
        for key in temporaryKeys {
            let shortTermKey = pairing.reduced(try AESBlockCipher(key: key.block.bytes).encrypt(input))
            result.append(
                .init(
                    key: SecretKey(shortTermKey), origin: key.origin, isHinted: true, kind: .shortTerm))
        }
        return result
    }

    private func knownTemporaryKeys(_ keys: LinkKeys) -> [TemporaryKey] {
        [TemporaryKey(block: TemporaryKeySearch.key(0), origin: .justWorks)]
            + keys.passkeys.map { TemporaryKey(block: TemporaryKeySearch.key($0), origin: .passkey) }
            // Programs show out-of-band data in either order.
            + keys.temporaryKeys.flatMap { key in
                [key.octets, key.octets.reversed()].map {
                    TemporaryKey(block: .init(bytes: $0), origin: .outOfBand)
                }
            }
    }

    /// Searches the passkey without a confirm value.
    private func passkeyByPacket(
        _ input: [UInt8], _ packet: EncryptedPacket, _ effort: inout SearchEffort
    ) throws(CryptoError) -> TemporaryKey? {
        guard let iv = session.iv, let diversifier = session.keyDiversifier, packet.mayBeStartResponse,
            !pairing.isOutOfBand, effort.spend(TemporaryKey.searchUnits)
        else { return nil }
        let passkey = try TemporaryKeySearch.passkey(
            input: .init(bytes: input), mask: pairing.keyMask, diversifier: .init(bytes: diversifier),
            packet: packet, iv: iv)
        return passkey.map {
            TemporaryKey(block: TemporaryKeySearch.key($0), origin: $0 == 0 ? .justWorks : .passkey)
        }
    }
}

private struct TemporaryKey {
    /// A search of all passkeys in units of ``SearchEffort``.
    static let searchUnits = 8

    var block: AESKeyTrial.Block
    var origin: LinkKeys.Origin
}
