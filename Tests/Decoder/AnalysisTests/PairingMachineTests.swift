import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// Pairing on one link, by itself: PDUs in, what they come to out.
@Suite struct PairingMachineTests {
    private var pairing = Pairing()
    private var frame = 0

    /// A PDU of so many zeros after its code, that many seconds after the first.
    private mutating func take(
        _ code: SMPCode, _ sender: Side?, at seconds: Int64 = 0, _ parameters: [UInt8]? = nil,
        isShown: Bool = true
    ) -> Pairing.Outcome {
        frame += 1
        let pdu = [code.rawValue] + (parameters ?? code.validParameters)
        return pairing.receive(
            pdu.borrowedOctets, isCut: false, from: sender, at: FramePlace(file: 0, frame: frame),
            Self.time(seconds), isShown: isShown, encrypts: true)
    }

    private static func time(_ seconds: Int64) -> CaptureTime {
        CaptureTime(nanoseconds: seconds * 1_000_000_000)
    }

    @Test mutating func `a response is joined to the other side's request`() {
        #expect(take(.pairingRequest, .host).begins)
        let response = take(SMPCode(rawValue: 2), .peer, at: 1)
        #expect(response.request?.frame == 1 && response.request?.latency == 1_000_000_000)
        #expect(!response.begins && response.problem == nil)
        // A device does not answer its own request.
        #expect(take(SMPCode(rawValue: 2), .peer, at: 2).request?.frame == 1)
        #expect(take(SMPCode(rawValue: 2), .host, at: 2).request == nil)
    }

    @Test mutating func `time runs out once, thirty seconds after the last PDU`() {
        _ = take(.pairingRequest, .host)
        _ = take(SMPCode(rawValue: 2), .peer, at: 20)
        #expect(pairing.deadline == 50_000_000_000)
        #expect(pairing.overdue(at: Self.time(50)) == nil)
        let problem = pairing.overdue(at: Self.time(51))
        #expect(problem?.code == .pairingUnanswered && problem?.side == .host)
        #expect(pairing.wasUnfinished && pairing.deadline == .max)
        #expect(pairing.overdue(at: Self.time(90)) == nil && pairing.close(at: Self.time(90), by: nil) == nil)
    }

    @Test mutating func `a link that ends leaves it unfinished, one that is encrypted does not`() {
        _ = take(.pairingRequest, .host)
        var stopped = pairing
        stopped.stop()
        #expect(stopped.close(at: Self.time(2), by: nil) == nil && stopped.open(at: 0, isOnAir: false) == nil)
        #expect(!stopped.wasUnfinished)
        let problem = pairing.close(at: Self.time(2), by: nil)
        #expect(problem?.code == .pairingUnfinished && problem?.side == .peer)
    }

    @Test mutating func `packets lost before an answer do not hide that pairing stopped after it`() {
        _ = take(.pairingRequest, .host)
        pairing.stop()
        _ = take(.pairingResponse, .peer)
        var lost = pairing
        lost.stop()
        #expect(lost.close(at: Self.time(2), by: nil) == nil)
        let problem = pairing.close(at: Self.time(2), by: nil)
        #expect(problem?.code == .pairingUnfinished && problem?.side == .host)
    }

    @Test(arguments: [Problem.Party.host, .peer])
    mutating func `a pairing is broken off by the side that ends the connection, if it did not wait`(
        _ ender: Problem.Party
    ) {
        _ = take(.pairingRequest, .host)
        var late = pairing
        let problem = pairing.close(at: Self.time(0), by: ender)
        #expect(problem?.side == ender)
        #expect(problem?.hint.map { "\($0)".hasPrefix("this side did not wait") } == true)
        let given = late.close(at: Self.time(20), by: ender)
        #expect(given?.hint.map { "\($0)".hasPrefix("usually a person") } == true && given?.side == .peer)
    }

    @Test(
        arguments: [
            ([3, 0, 1, 16, 0, 0], nil), ([5, 0, 1, 16, 0, 0], "IO Capability is 5 (0 to 4)"),
            ([3, 2, 1, 16, 0, 0], "OOB data flag is 2 (0 or 1)"),
            ([3, 0, 2, 16, 0, 0], "Bonding_Flags is 2 (0 or 1)"),
            ([3, 0, 1, 253, 0, 0], "Maximum Encryption Key Size is 253 (7 to 16)"),
        ] as [([UInt8], String?)])
    mutating func `features with an invalid value are told, with their sender`(
        _ pdu: [UInt8], _ fault: String?
    ) {
        for (code, sender) in [(SMPCode.pairingRequest, Side.peer), (.pairingResponse, .host)] {
            let problem = take(code, sender, at: 0, pdu).problem
            let told = fault.map { "invalid value: \($0)" }
            #expect(problem?.sentence == told && problem?.side == fault.map { _ in Problem.Party(sender) })
        }
    }

    @Test mutating func `a request under way at the end of the log waits`() {
        _ = take(.pairingRequest, .peer)
        let open = pairing.open(at: 3_000_000_000, isOnAir: false)
        #expect(open?.name == "the peer's Pairing Request" && open?.waited == 3_000_000_000)
        #expect(pairing.wasUnfinished)
    }

    @Test(arguments: [true, false])
    mutating func `what is not followed has no deadline`(_ isShown: Bool) {
        _ = take(.pairingRequest, .host, isShown: isShown)
        #expect((pairing.deadline < .max) == isShown)
    }

    @Test(
        arguments: [
            ("03 00 01", "04 00 09", false), ("04 00 05", "00 00 05", true), ("04 00 05", "03 00 05", false),
            ("04 01 05", "04 01 05", false), ("04 01 05", "04 00 05", true), ("04 00 0D", "04 00 0D", false),
            ("02 00 0D", "04 00 0D", true), ("01 00 05", "01 00 05", false), ("01 00 05", "04 00 05", true),
            ("04 01 0D", "02 00 0D", false),
        ])
    mutating func `a wrong value means a wrong passkey only where one is in use`(
        _ request: String, _ response: String, _ usesPasskey: Bool
    ) {
        _ = take(.pairingRequest, .host, at: 0, octets("\(request) 10 00 00"))
        _ = take(.pairingResponse, .peer, at: 0, octets("\(response) 10 00 00"))
        let hint = take(.pairingFailed, .peer, at: 0, [4]).problem?.hint.map { "\($0)" }
        #expect(hint?.hasPrefix(usesPasskey ? "usually a wrong passkey" : "no passkey") == true)
    }

    /// Public keys of the sample data (Core Specification, Vol 2, Part G, 7.1.2.1), a random number of it
    /// (Vol 3, Part H, D.2), and the confirm value that another AES-CMAC computes from them: the most
    /// significant byte first.
    private static let keyA = (
        x: "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6",
        y: "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"
    )
    private static let keyB = (
        x: "1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190",
        y: "4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a"
    )
    private static let nonce = "d5cb8454d177733effffb2ec712baeab"
    private static let confirm = "d1819b73ff588d15451b41aa9b895799"

    @Test(
        arguments: [
            ("", .pairingConfirm, "", nil),
            ("key", .pairingPublicKey, "is not a point on the curve P-256", .peer),
            ("keys", .pairingPublicKey, "", nil),
            ("order", .pairingPublicKey, "would be one in reverse byte order", .peer),
            ("confirm", .pairingConfirm, "does not follow from", .peer),
            ("refusal", .pairingConfirm, "although", .host),
        ] as [(String, SMPCode, String, Problem.Party?)])
    mutating func `the public values of a failed pairing show the side that computed wrongly`(
        _ fault: String, _ code: SMPCode, _ text: String, _ side: Problem.Party?
    ) {
        func number(_ text: String) -> [UInt8] { octets(text).reversed() }
        var a = number(Self.keyA.x) + number(Self.keyA.y)
        var sent = number(Self.keyB.x) + number(Self.keyB.y)
        if fault.hasPrefix("key") { sent[40] ^= 1 }
        if fault == "keys" { a[50] ^= 1 }
        if fault == "order" { sent = sent.prefix(32).reversed() + sent.suffix(32).reversed() }
        var confirm = number(Self.confirm)
        if fault == "confirm" { confirm[3] ^= 0x80 }
        _ = take(.pairingRequest, .host, octets("03 00 0D 10 00 00"))
        _ = take(.pairingResponse, .peer, octets("03 00 0D 10 00 00"))
        _ = take(.pairingPublicKey, .host, a)
        _ = take(.pairingPublicKey, .peer, sent)
        _ = take(.pairingConfirm, .peer, confirm)
        _ = take(.pairingRandom, .host)
        _ = take(.pairingRandom, .peer, number(Self.nonce))
        let isRefused = fault == "confirm" || fault == "refusal"
        let problem = take(.pairingFailed, isRefused ? .host : .peer, [isRefused ? 4 : 0x0B]).problem
        #expect(problem?.side == side ?? .peer)
        let sentence = problem?.sentence ?? ""
        #expect(sentence.contains(text), "\(sentence)")
        let place = code == .pairingPublicKey ? "the peer's Pairing Public Key of frame 4" : "of frame 5"
        #expect(sentence.contains(place) == !text.isEmpty, "\(sentence)")
        #expect((problem?.hint.map { "\($0)" }?.contains("cryptography") == true) == !text.isEmpty)
    }

    @Test mutating func `a refused PDU that nobody can accept is its sender's fault`() {
        _ = take(.pairingRequest, .host, at: 0, [5, 0, 1, 16, 0, 0])
        #expect(take(.pairingFailed, .peer, [10]).problem?.side == .host)
        _ = take(.pairingRequest, .host, at: 0, [3, 0, 1, 16, 0, 0])
        #expect(take(.pairingFailed, .peer, [10]).problem?.side == .peer)
        _ = take(.pairingRequest, .host, at: 0, [3, 0, 1, 16, 0, 0])
        _ = take(.pairingResponse, .peer, at: 0, [5, 0, 1, 16, 0, 0])
        #expect(take(.pairingFailed, .peer, [8]).problem?.side == .peer)
    }

    @Test mutating func `a failure ends it and has a side`() {
        _ = take(.pairingRequest, .host)
        let problem = take(.pairingFailed, .peer, [4]).problem
        #expect(problem?.code == .pairingFailed && problem?.side == .peer)
        #expect(pairing.deadline == .max)
        #expect(take(.pairingFailed, nil, [4]).problem?.side == .host)
    }

    @Test mutating func `the peer's identity comes with the key before it, once`() {
        let address: [UInt8] = [0, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00]
        #expect(take(.identityAddressInformation, .host, address).identity == nil)
        _ = take(.identityInformation, .peer, [UInt8](1...16))
        let identity = take(.identityAddressInformation, .peer, address).identity
        #expect(identity?.address.value == DeviceAddress("00:11:22:33:44:55")?.value)
        #expect(identity?.irk == [UInt8](1...16).reversed())
        let again = take(.identityAddressInformation, .peer, address).identity
        #expect(again != nil && again?.irk == nil)
    }

    @Test mutating func `a PDU without its fields is malformed and begins nothing`() {
        let outcome = take(.pairingRequest, .host, [1])
        #expect(outcome.problem?.code == .malformedSMP && !outcome.begins)
        #expect(pairing.deadline == .max)
    }
}
