import BluetoothCore
import Crypto
import LEHost
import Runtime

/// Someone in the middle of a phone (side 0) and a fob (side 1), with each one's address towards the other.
///
/// Takes LE Secure Connections out of what both say; finds the passkey from the phone's confirm value and
/// random number by trying all; makes a random number that fits the confirm value that the phone already has;
/// and pairs with the fob by that passkey.
struct LegacyStripper {
    /// The passkey, once it is found.
    private(set) var passkey: UInt32?
    /// What the phone and the fob take for the other one's key, most significant octet first.
    private(set) var keys: [[UInt8]] = [[], []]
    /// Pairing Request and Pairing Response, as the phone has them and as the fob has them.
    private var features: [(request: [UInt8], response: [UInt8])] = [([], []), ([], [])]
    private var phoneConfirm: [UInt8] = []
    private static let confirm = [UInt8](repeating: 0x5A, count: 16)
    private static let random = [UInt8](repeating: 0xA5, count: 16)

    /// Takes what a side has sent, and gives what goes where.
    mutating func take(_ pdu: [UInt8], from side: Int) -> [(to: Int, pdu: [UInt8])] {
        let value = Array(pdu.dropFirst().reversed())
        switch SMPCode(rawValue: pdu[0]) {
        case .pairingRequest:
            features[0].request = pdu
            features[1].request = Self.withoutSecureConnections(pdu)
            return [(1, features[1].request)]
        case .pairingResponse:
            features[1].response = pdu
            features[0].response = Self.withoutSecureConnections(pdu)
            return [(0, features[0].response)]
        case .pairingConfirm where side == 0:
            phoneConfirm = value
            return [(0, Self.pdu(.pairingConfirm, Self.confirm))]
        case .pairingConfirm: return [(1, Self.pdu(.pairingRandom, Self.random))]
        case .pairingRandom where side == 0:
            guard let key = find(value) else { return [] }
            let fitting = fit(key)
            keys[0] = (try? PairingFunctions.s1(key: key, responder: fitting, initiator: value)) ?? []
            let confirm = confirm(key, Self.random, of: 1)
            return [(0, Self.pdu(.pairingRandom, fitting)), (1, Self.pdu(.pairingConfirm, confirm))]
        case .pairingRandom:
            let key = Self.key(passkey ?? 0)
            keys[1] = (try? PairingFunctions.s1(key: key, responder: value, initiator: Self.random)) ?? []
            return []
        default: return [(1 - side, pdu)]
        }
    }

    private static func withoutSecureConnections(_ pdu: [UInt8]) -> [UInt8] {
        pdu[..<3] + [pdu[3] & ~8] + pdu[4...]
    }

    private static func pdu(_ code: SMPCode, _ value: [UInt8]) -> [UInt8] {
        [code.rawValue] + value.reversed()
    }

    private static func key(_ passkey: UInt32) -> [UInt8] {
        [UInt8](repeating: 0, count: 12)
            + (0..<4).map { UInt8(truncatingIfNeeded: passkey >> (24 - 8 * UInt32($0))) }
    }

    private func confirm(_ key: [UInt8], _ random: [UInt8], of side: Int) -> [UInt8] {
        let confirm = try? PairingFunctions.c1(
            key: key, random: random, request: features[side].request.reversed(),
            response: features[side].response.reversed(), initiator: Self.address(0),
            responder: Self.address(1))
        return confirm ?? []
    }

    private static func address(_ side: Int) -> [UInt8] { [0] + HostileAir.addresses[side].octets }

    /// The key of the passkey that the phone has confirmed with this random number.
    private mutating func find(_ random: [UInt8]) -> [UInt8]? {
        passkey = (0..<1_000_000).first { confirm(Self.key($0), random, of: 0) == phoneConfirm }
        return passkey.map(Self.key)
    }

    /// The random number whose confirm value the phone was given before the passkey was known: c1 backwards.
    private func fit(_ key: [UInt8]) -> [UInt8] {
        let first = features[0].response.reversed() + features[0].request.reversed() + [0, 0]
        let second = [0, 0, 0, 0] + Self.address(0).dropFirst() + Self.address(1).dropFirst()
        let inner = AESBackwards.block(Self.confirm, key)
        let outer = AESBackwards.block(zip(inner, second).map { $0 ^ $1 }, key)
        return zip(outer, first).map { $0 ^ $1 }
    }
}

/// What two hosts are left with that have paired through a ``LegacyStripper``.
public struct StrippedPairing: Sendable {
    /// The phone's host and the fob's.
    public var hosts: [LEHost]
    /// What both were told.
    public var events: [[HostEvent]]
    /// The passkey that one of them has shown, and the one that was found.
    public var shown: UInt32?
    public var found: UInt32?

    /// So many draws before that whichever side shows a passkey shows a low one, for a short search.
    private static let draws: UInt64 =
        (0..<10_000).first { before in
            (1...2).allSatisfy { number in
                (try? PairingRandomness(SeededEntropy(seed: before + number)))?.passkey ?? .max < 30_000
            }
        } ?? 0

    /// Lets both pair, with persons who enter what is shown and agree to everything.
    public init(phone: SecurityPolicy, fob: SecurityPolicy) {
        var air = HostileAir([phone, fob], draws: Self.draws)
        air.stripper = LegacyStripper()
        air.pair()
        hosts = air.sides.map(\.host)
        events = air.sides.map(\.events)
        shown = air.shown
        found = air.stripper?.passkey
    }
}

extension HostileAir {
    /// Connects both hosts and has the first one pair, with nothing wrong but what the middle does.
    fileprivate mutating func pair() {
        for side in 0..<2 {
            put(.powerOn, side)
            while !sides[side].commands.isEmpty { answer(side) }
        }
        join()
        guard let link = sides[0].host.openLinks.first else { return }
        put(.secure(link.id), 0)
        while true {
            // The phone's link is encrypted once both have a key.
            if let side = (0..<2).first(where: { !sides[$0].data.isEmpty }) {
                carry(side)
            } else if let side = (0..<2).first(where: { !sides[$0].questions.isEmpty }) {
                answerQuestion(side)
            } else if let side = (0..<2).first(where: { !sides[$0].commands.isEmpty }) {
                answer(side)
            } else {
                return
            }
        }
    }
}
