import Crypto
import PayloadFormat
import WireBytes

/// The parts of a secured payload as sent on the wire.
public struct SecuredPayload: Hashable, Sendable {
    /// The counter of the sender's direction.
    public var counter: UInt64
    /// The body: encrypted, or in clear if the dialect only authenticates.
    public var body: [UInt8]
    /// The authentication tag.
    public var tag: [UInt8]

    /// Splits a payload; nil if it is shorter than counter and tag.
    public init?(_ payload: [UInt8], _ format: borrowing SecuringFormat) {
        guard let facts = SecuringFacts(format),
            let places = SecuredPlaces(payload.borrowedOctets, facts)
        else { return nil }
        counter = places.counter
        body = Array(payload[places.body])
        tag = Array(payload[places.tag])
    }

    /// Returns the bytes of the payload.
    public func encoded(_ format: SecuringFormat) -> [UInt8] {
        var octets: [UInt8] = []
        for part in format.parts {
            switch part {
            case .counter: octets += format.counterOctets(counter)
            case .body: octets += body
            case .tag: octets += tag
            }
        }
        return octets
    }

    init(counter: UInt64, body: [UInt8], tag: [UInt8]) {
        self.counter = counter
        self.body = body
        self.tag = tag
    }
}

/// A session's key and formula values: seals and opens payloads of both directions.
public struct SessionCipher: Hashable, Sendable {
    private let key: [UInt8]
    private let shared: SharedDialect
    private let variables: FormulaVariables

    /// Derives the session's cipher from a digital key and `variables`, the fields of the authentication
    /// messages.
    public init(
        _ dialect: Dialect, digitalKey: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) {
        try self.init(SharedDialect(dialect), digitalKey: digitalKey, variables)
    }

    init(
        _ shared: SharedDialect, digitalKey: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) {
        self.shared = shared
        self.variables = variables
        key = try shared.dialect.proofs.sessionKey.value(key: digitalKey, variables)
    }

    /// Returns a message with `body` secured in its payload.
    public func seal(
        _ kind: MessageKind, command: UInt64, body: [UInt8], id: UInt64, counter: UInt64
    ) throws(UQDKEncodeError) -> Message {
        guard let format = shared.dialect.securing else { throw .notSecured }
        guard counter < format.lastCounter else { throw .counterUsedUp }
        let length = format.counterWidth + body.count + format.tagLength
        var message = Message(
            kind, command: command, isSecured: true, payload: [UInt8](repeating: 0, count: length))
        let sender: Sender = kind == .request ? .phone : .car
        let header = message.header(shared.dialect, id: id)
        let inputs = try inputs(format, sender, header: header, id: id, counter: counter)
        let sealed: (ciphertext: [UInt8], tag: [UInt8])
        do throws(CryptoError) {
            if format.algorithm == .aesCCM {
                sealed = try AESCCM.seal(
                    key: key, nonce: inputs.nonce, additionalData: inputs.additional, plaintext: body,
                    tagLength: format.tagLength)
            } else {
                sealed = (body, try tag(format, inputs, body))
            }
        } catch {
            throw .cryptography
        }
        message.payload = SecuredPayload(counter: counter, body: sealed.ciphertext, tag: sealed.tag)
            .encoded(format)
        return message
    }

    /// Returns the body of a secured message with this header; nil if the tag is wrong.
    public func open(
        _ payload: SecuredPayload, from sender: Sender, header: [UInt8], id: UInt64
    ) throws(UQDKEncodeError) -> [UInt8]? {
        guard let format = shared.dialect.securing else { throw .notSecured }
        let inputs = try inputs(format, sender, header: header, id: id, counter: payload.counter)
        do throws(CryptoError) {
            if format.algorithm == .aesCCM {
                return try AESCCM.open(
                    key: key, nonce: inputs.nonce, additionalData: inputs.additional,
                    ciphertext: payload.body, tag: payload.tag)
            }
            let right = try tag(format, inputs, payload.body)
            return ConstantTime.equal(right, payload.tag) ? payload.body : nil
        } catch {
            if error == .notAuthentic { return nil }
            throw .cryptography
        }
    }

    private func inputs(
        _ format: SecuringFormat, _ sender: Sender, header: [UInt8], id: UInt64, counter: UInt64
    ) throws(UQDKEncodeError) -> (nonce: [UInt8], additional: [UInt8]) {
        var all = variables
        all[FormulaVariable.direction] = sender == .phone ? format.phoneDirection : format.carDirection
        all[FormulaVariable.counter] = format.counterOctets(counter)
        all[FormulaVariable.messageHeader] = header
        all[FormulaVariable.messageID] = shared.dialect.idOctets(id)
        return (
            try format.nonce.octets(all),
            try format.additionalData.octets(all)
        )
    }

    private func tag(
        _ format: SecuringFormat, _ inputs: (nonce: [UInt8], additional: [UInt8]), _ body: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let input = inputs.nonce + inputs.additional + body
        let whole =
            format.algorithm == .hmacSHA256
            ? try MessageAuthentication.hmacSHA256(key: key, input)
            : try MessageAuthentication.cmac(key: key, input)
        return Array(whole.prefix(format.tagLength))
    }
}

extension SecuringFormat {
    func counterOctets(_ counter: UInt64) -> [UInt8] {
        let little = counter.littleOctets(counterWidth)
        return counterOrder == .little ? little : little.reversed()
    }
}

extension Dialect {
    /// Returns the bytes of a message id in the width and order of the header that carries it.
    func idOctets(_ id: UInt64) -> [UInt8] {
        if let fragments, fragments.format.header.field(.messageID) != nil {
            return fragments.format.header.octets(of: .messageID, id)
        }
        return message.header.octets(of: .messageID, id)
    }
}

/// The numbers of a format that every secured payload needs; a few integers, so they are cheap to pass.
struct SecuringFacts: Sendable {
    let algorithm: DialectAlgorithm
    let counterWidth: Int
    let counterOrder: OctetOrder
    let tagLength: Int
    /// The counter of a direction's first message.
    let firstCounter: UInt64
    /// The largest counter; using it ends the session.
    let lastCounter: UInt64
    /// Fixed number of bytes before each part, not counting the body, and whether the body precedes the part.
    fileprivate let counter: (octets: Int, isBehindBody: Bool)
    fileprivate let tag: (octets: Int, isBehindBody: Bool)
    fileprivate let body: Int

    /// Fails if the format lacks a part or has one twice.
    init?(_ format: borrowing SecuringFormat) {
        guard format.parts.count == 3, let counterPlace = format.parts.firstIndex(of: .counter),
            let bodyPlace = format.parts.firstIndex(of: .body),
            let tagPlace = format.parts.firstIndex(of: .tag)
        else { return nil }
        algorithm = format.algorithm
        counterWidth = format.counterWidth
        counterOrder = format.counterOrder
        tagLength = format.tagLength
        firstCounter = format.firstCounter
        lastCounter = format.lastCounter
        counter = (counterPlace > tagPlace ? format.tagLength : 0, counterPlace > bodyPlace)
        tag = (tagPlace > counterPlace ? format.counterWidth : 0, tagPlace > bodyPlace)
        body =
            (bodyPlace > counterPlace ? format.counterWidth : 0)
            + (bodyPlace > tagPlace ? format.tagLength : 0)
    }
}

struct SecuredPlaces {
    /// The counter of the sender's direction.
    let counter: UInt64
    let body: Range<Int>
    let tag: Range<Int>

    /// Splits a payload; nil if it is shorter than counter and tag.
    init?(_ payload: RawSpan, _ facts: SecuringFacts) {
        let bodyLength = payload.byteCount - facts.counterWidth - facts.tagLength
        guard bodyLength >= 0 else { return nil }
        let counterStart = facts.counter.octets + (facts.counter.isBehindBody ? bodyLength : 0)
        var counter: UInt64 = 0
        for place in 0..<facts.counterWidth {
            let fromStart = facts.counterOrder == .big ? place : facts.counterWidth - 1 - place
            counter = counter &<< 8 | UInt64(payload.octet(at: counterStart + fromStart) ?? 0)
        }
        self.counter = counter
        body = facts.body..<facts.body + bodyLength
        let tagStart = facts.tag.octets + (facts.tag.isBehindBody ? bodyLength : 0)
        tag = tagStart..<tagStart + facts.tagLength
    }
}
