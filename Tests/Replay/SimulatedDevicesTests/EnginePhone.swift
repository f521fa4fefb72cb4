import BluetoothCore
import PayloadFormat
import Runtime
import Testing
import UQDK
import WireBytes

@testable import SimulatedDevices

/// A message of the car's as a phone hears it.
struct CarReply: Hashable {
    var id: UInt64
    var kind: MessageKind
    var command: String
    /// Whether it was secured, in which case it opened.
    var isSecured: Bool
    var status: StatusName?
    var fields: [String: UInt64] = [:]
    var raw: [DecodedField] = []
    /// The values in which it travelled.
    var values: [String] = []
}

/// A phone without a radio in front of a car's engine: it does what it is told, rules or not.
struct EnginePhone {
    static let link = CarLinkID(rawValue: 1)
    static let keyID: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    static let key = Array(UInt8(0)..<16)
    static let code = "314159"

    var engine: CarEngine
    var now = Instant.zero
    var cipher: SessionCipher?
    var counter: UInt64 = 1
    var nextID: UInt64 = 0
    var authCounter: UInt64 = 0
    let link: CarLinkID
    let valueOctets = 20

    var dialect: Dialect { engine.dialect }

    /// A phone linked to a car that knows its key.
    init(
        slot: UInt8? = 0, entropy: any Entropy = SeededEntropy(seed: 7), link: CarLinkID = Self.link,
        _ change: (inout CarConfiguration) -> Void = { _ in }
    ) {
        var configuration = CarConfiguration(keys: [CarKey(keyID: Self.keyID, key: Self.key, slot: slot)])
        change(&configuration)
        engine = CarEngine(configuration, entropy: entropy)
        self.link = link
        engine.begin(link, DeviceAddress(0xF1))
        engine.links[link]?.isSubscribed = true
        _ = engine.takeOutputs()
    }

    mutating func wait(_ duration: Duration) { now = now.advanced(by: duration) }

    /// The id of the next request.
    mutating func takeID() -> UInt64 {
        defer { nextID = (nextID + 1) % 0x80 }
        return nextID
    }

    /// Writes values, and hears what the car says.
    mutating func write(_ values: [[UInt8]]) throws -> [CarReply] {
        for value in values { engine.receive(value, on: link, at: now) }
        return try replies()
    }

    /// Sends the octets of a message.
    mutating func send(octets: [UInt8], id: UInt64) throws -> [CarReply] {
        try write(try dialect.values(of: octets, id: id, valueOctets: valueOctets))
    }

    /// Sends a request in clear.
    @discardableResult
    mutating func ask(_ name: String, _ values: [String: AnnotationValue] = [:]) throws -> [CarReply] {
        let id = takeID()
        let message = try dialect.request(name, values)
        return try send(octets: message.encoded(dialect, id: id), id: id)
    }

    /// The octets of a secured request with the next counter.
    mutating func secured(
        _ name: String, _ values: [String: AnnotationValue] = [:], id: UInt64
    ) throws -> [UInt8] {
        let clear = try dialect.request(name, values)
        let sealed = try #require(cipher).seal(
            .request, command: clear.command, body: clear.payload, id: id, counter: counter)
        counter += 1
        return sealed.encoded(dialect, id: id)
    }

    /// Sends a secured request.
    @discardableResult
    mutating func command(_ name: String, _ values: [String: AnnotationValue] = [:]) throws -> [CarReply] {
        let id = takeID()
        return try send(octets: try secured(name, values, id: id), id: id)
    }

    /// Sends ACTIVATE with the proof of a pairing code.
    @discardableResult
    mutating func activate(_ code: String = Self.code) throws -> [CarReply] {
        var variables = FormulaVariables()
        variables["keyId"] = Self.keyID
        variables[FormulaVariable.pairingCode] = Array(code.utf8)
        let proof = try dialect.proofs.activation.value(key: Self.key, variables)
        return try ask("ACTIVATE", ["keyId": .octets(Self.keyID), "proof": .octets(proof)])
    }

    /// Authenticates; a key other than the car's gives a bad proof.
    @discardableResult
    mutating func authenticate(
        key: [UInt8] = Self.key, authCounter wanted: UInt64? = nil
    ) throws -> [CarReply] {
        let phoneNonce = [UInt8](repeating: 0xA5, count: 16)
        let begun = try ask(
            "AUTH_BEGIN", ["keyId": .octets(Self.keyID), "phoneNonce": .octets(phoneNonce)])
        guard begun.first?.status == .success, let fields = begun.first?.raw else { return begun }
        let vehicleNonce = try #require(fields.octets("vehicleNonce"))
        authCounter = wanted ?? authCounter + 1
        var variables = FormulaVariables()
        variables["keyId"] = Self.keyID
        variables["phoneNonce"] = phoneNonce
        variables["vehicleNonce"] = vehicleNonce
        variables["authCounter"] = (0..<4).map { UInt8(truncatingIfNeeded: authCounter >> (24 - 8 * $0)) }
        let proof = try dialect.proofs.vehicle.value(key: Self.key, variables)
        #expect(fields.octets("vehicleProof") == proof)
        let own = try dialect.proofs.phone.value(key: key, variables)
        // The event after a success is secured already.
        let old = (cipher, counter)
        cipher = try SessionCipher(dialect, digitalKey: Self.key, variables)
        counter = 1
        let finished = try ask(
            "AUTH_FINISH", ["authCounter": .unsigned(authCounter), "phoneProof": .octets(own)])
        if finished.first?.status != .success { (cipher, counter) = old }
        return finished
    }

    /// What the car wants said since the last call; every message for this phone must open.
    mutating func replies() throws -> [CarReply] {
        var heard: [CarReply] = []
        for output in engine.takeOutputs() {
            guard case .send(let octets, let id, let to) = output, to == link else { continue }
            heard.append(try reply(octets, id))
        }
        return heard
    }

    private func reply(_ octets: [UInt8], _ id: UInt64) throws -> CarReply {
        let decoding = MessageDecoding(octets, dialect, from: .car, id: id)
        let message = try #require(decoding.message)
        let command = dialect.command(message.command)
        var reply = CarReply(
            id: id, kind: message.kind, command: command?.name ?? "", isSecured: message.isSecured)
        reply.values = try dialect.values(of: octets, id: id, valueOctets: valueOctets).map { Hex.text($0) }
        var body = message.payload
        if message.isSecured {
            let format = try #require(dialect.securing)
            let parts = try #require(SecuredPayload(body, format))
            body = try #require(
                try cipher?.open(parts, from: .car, header: decoding.headerOctets, id: id))
        }
        var rest = body[...]
        if message.kind == .response {
            let code = try #require(dialect.statusCode(body))
            reply.status = dialect.status.meaning(code)
            rest = rest.dropFirst(dialect.status.width)
            guard reply.status == .success else { return reply }
        }
        let layout = message.kind == .event ? command?.request : command?.response
        let decoded = (layout ?? Layout()).decode(rest)
        #expect(decoded.misfit == nil)
        reply.raw = decoded.fields
        for field in decoded.fields { reply.fields[field.name] = decoded.fields.number(field.name) }
        return reply
    }
}
