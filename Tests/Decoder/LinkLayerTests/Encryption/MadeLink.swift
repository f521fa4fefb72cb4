import BluetoothCore
import Crypto
import LinkLayer
import WireBytes

/// A link whose two ends are made here: it encrypts as a controller does, and gives each PDU to a
/// ``LinkSecurity`` as a follower would.
struct MadeLink {
    static let central = DeviceAddress(0xA1_A2_A3_A4_A5_A6, .public)
    static let peripheral = DeviceAddress(0xF1_B2_B3_B4_B5_B6, .random)

    var security: LinkSecurity
    var keys = LinkKeys()
    private var sessionKey: [UInt8] = []
    private var iv: [UInt8] = []
    /// Counters of the next packets: of the central, and of the peripheral.
    var counters: (central: UInt64, peripheral: UInt64) = (0, 0)
    /// Number of starts, from which SKD and IV follow.
    private var starts: UInt8 = 0

    init(_ security: LinkSecurity = LinkSecurity(central: Self.central, peripheral: Self.peripheral)) {
        self.security = security
    }

    /// Gives a PDU to the link's security, as a follower does.
    @discardableResult
    mutating func hear(_ header: UInt8, _ payload: [UInt8], fromCentral: Bool) -> LinkSecurity.Opened {
        let result = security.open(
            header: header, payload: payload.borrowedOctets, fromCentral: fromCentral, keys: &keys)
        var plaintexts: [[UInt8]] = []
        switch result {
        case .clear, .plaintext: plaintexts = [payload]
        case .opened(let plaintext): plaintexts = [plaintext]
        case .confirmed(let pending, let plaintext): plaintexts = [pending, plaintext]
        case .pending, .closed: break
        }
        for plaintext in plaintexts {
            if header & 3 == 3 {
                security.receive(control: plaintext.borrowedOctets)
            } else if plaintext.count > 4, plaintext[2] == 6, plaintext[3] == 0 {
                security.receive(pairing: Array(plaintext[4...]), fromCentral: fromCentral, keys: &keys)
            }
        }
        return result
    }

    /// A control PDU in clear.
    mutating func control(_ pdu: [UInt8], fromCentral: Bool) { hear(3, pdu, fromCentral: fromCentral) }

    /// A Security Manager PDU in clear.
    mutating func pairing(_ pdu: [UInt8], fromCentral: Bool) {
        hear(2, [UInt8(pdu.count), 0, 6, 0] + pdu, fromCentral: fromCentral)
    }

    /// The payload with MIC of a PDU, which counts as sent.
    mutating func sealed(_ plaintext: [UInt8], header: UInt8 = 2, fromCentral: Bool) throws -> [UInt8] {
        let counter = fromCentral ? counters.central : counters.peripheral
        if fromCentral { counters.central += 1 } else { counters.peripheral += 1 }
        var nonce = (0..<5).map { UInt8(truncatingIfNeeded: counter >> UInt64(8 * $0)) }
        if fromCentral { nonce[4] |= 0x80 }
        let result = try AESCCM.seal(
            key: sessionKey, nonce: nonce + iv, additionalData: [header & 0xE3], plaintext: plaintext,
            tagLength: 4)
        return result.ciphertext + result.tag
    }

    /// An encrypted PDU that the sniffer heard.
    @discardableResult
    mutating func send(
        _ plaintext: [UInt8], header: UInt8 = 2, fromCentral: Bool
    ) throws -> LinkSecurity.Opened {
        hear(
            header, try sealed(plaintext, header: header, fromCentral: fromCentral), fromCentral: fromCentral)
    }

    /// Which PDUs of a start the sniffer missed.
    struct Missed: OptionSet {
        var rawValue: Int
        static let request = Missed(rawValue: 1)
        static let answer = Missed(rawValue: 2)
        static let start = Missed(rawValue: 4)
        static let centralResponse = Missed(rawValue: 8)
        static let peripheralResponse = Missed(rawValue: 16)
    }

    /// Starts encryption with a Long Term Key; returns what became of both LL_START_ENC_RSP.
    @discardableResult
    mutating func startEncryption(
        _ longTermKey: [UInt8], ediv: UInt16 = 0, rand: UInt64 = 0, missed: Missed = []
    ) throws -> [LinkSecurity.Opened] {
        starts += 1
        let skd = (0..<16).map { $0 &* 7 &+ starts }
        iv = (0..<8).map { $0 &* 11 &+ starts }
        counters = (0, 0)
        sessionKey = try AESBlockCipher(key: longTermKey).encrypt(Array(skd.reversed()))
        let names =
            (0..<8).map { UInt8(truncatingIfNeeded: rand >> UInt64(8 * $0)) }
            + [UInt8(truncatingIfNeeded: ediv), UInt8(ediv >> 8)]
        if !missed.contains(.request) {
            control([0x03] + names + skd[..<8] + iv[..<4], fromCentral: true)
        }
        if !missed.contains(.answer) { control([0x04] + skd[8...] + iv[4...], fromCentral: false) }
        if !missed.contains(.start) { control([0x05], fromCentral: false) }
        var results: [LinkSecurity.Opened] = []
        let first = try sealed([0x06], header: 3, fromCentral: true)
        if !missed.contains(.centralResponse) { results.append(hear(3, first, fromCentral: true)) }
        let second = try sealed([0x06], header: 3, fromCentral: false)
        if !missed.contains(.peripheralResponse) { results.append(hear(3, second, fromCentral: false)) }
        return results
    }

    /// Pauses encryption.
    mutating func pauseEncryption() throws {
        try send([0x0A], header: 3, fromCentral: true)
        try send([0x0B], header: 3, fromCentral: false)
        control([0x0B], fromCentral: true)
    }
}

/// The two ends of a legacy pairing.
struct LegacyPairing {
    var request: [UInt8] = [1, 4, 0, 5, 16, 7, 7]
    var response: [UInt8] = [2, 2, 0, 5, 16, 7, 7]
    /// Random numbers, most significant byte first.
    var randoms: (central: [UInt8], peripheral: [UInt8]) = (
        (0..<16).map { $0 &* 13 &+ 5 }, (0..<16).map { $0 &* 17 &+ 3 }
    )
    var temporaryKey: [UInt8]

    init(passkey: UInt32) {
        temporaryKey =
            [UInt8](repeating: 0, count: 12)
            + (0..<4).map { UInt8(truncatingIfNeeded: passkey >> UInt32(24 - 8 * $0)) }
    }

    init(outOfBand key: [UInt8]) {
        temporaryKey = key
        request[2] = 1
        response[2] = 1
    }

    /// The Short Term Key.
    func shortTermKey() throws -> [UInt8] {
        let key = try PairingFunctions.s1(
            key: temporaryKey, responder: randoms.peripheral, initiator: randoms.central)
        let size = Int(min(request[4], response[4]))
        return [UInt8](repeating: 0, count: 16 - size) + key.suffix(size)
    }

    /// The pairing's PDUs in their order, with their senders.
    func pdus() throws -> [(pdu: [UInt8], fromCentral: Bool)] {
        func confirm(_ random: [UInt8]) throws -> [UInt8] {
            try PairingFunctions.c1(
                key: temporaryKey, random: random, request: request.reversed(),
                response: response.reversed(), initiator: [0] + MadeLink.central.octets,
                responder: [1] + MadeLink.peripheral.octets)
        }
        return [
            (request, true), (response, false),
            ([3] + (try confirm(randoms.central)).reversed(), true),
            ([3] + (try confirm(randoms.peripheral)).reversed(), false),
            ([4] + randoms.central.reversed(), true), ([4] + randoms.peripheral.reversed(), false),
        ]
    }
}
