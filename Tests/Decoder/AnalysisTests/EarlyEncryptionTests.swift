import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing

/// Encryption that is asked for while a pairing has no key yet, and refusals that ask for encryption.
@Suite struct EarlyEncryptionTests {
    typealias Way = Trace.Way

    let peer = "00:11:22:33:44:55"
    static let secure: [(Way, SMPCode)] = [
        (.tx, .pairingRequest), (.rx, .pairingResponse), (.tx, .pairingPublicKey), (.rx, .pairingPublicKey),
        (.rx, .pairingConfirm), (.tx, .pairingRandom), (.rx, .pairingRandom), (.tx, .pairingDHKeyCheck),
        (.rx, .pairingDHKeyCheck),
    ]
    static let legacy: [(Way, SMPCode)] = [
        (.tx, .pairingRequest), (.rx, .pairingResponse), (.tx, .pairingConfirm), (.rx, .pairingConfirm),
        (.tx, .pairingRandom), (.rx, .pairingRandom),
    ]

    private static func pair(_ trace: inout Trace, _ steps: some Sequence<(Way, SMPCode)>) {
        let isSecure = steps.contains { $0.1 == .pairingPublicKey }
        for (way, code) in steps {
            let isFeatures = code == .pairingRequest || code == .pairingResponse
            trace.smp(0x40, way, code, isFeatures ? [3, 0, isSecure ? 8 : 0, 16, 0, 0] : nil)
        }
    }

    /// The host asks for encryption, with these Rand and EDIV.
    @discardableResult
    private static func askEncryption(_ trace: inout Trace, name: String = "0000000000000000 0000") -> Int {
        trace.add(
            .command, .hostToController,
            octets("19 20 1C 40 00 \(name)") + [UInt8](repeating: 0, count: 16))
    }

    @Test(arguments: [secure, legacy])
    func `encryption is too early until the responder's half of the key`(_ steps: [(Way, SMPCode)]) {
        for count in 2...steps.count {
            var trace = Trace()
            trace.connect(0x40, peer)
            Self.pair(&trace, steps.prefix(count))
            let last = trace.last
            let asked = Self.askEncryption(&trace)
            let encrypted = trace.encrypted(0x40)
            let outcome = trace.run()
            let isEarly = count < steps.count
            #expect(outcome.frames(with: .encryptedEarly) == (isEarly ? [asked, encrypted] : []))
            #expect(outcome.links.first?.pairingStopped?.frame == (isEarly ? last : nil))
            guard isEarly else { continue }
            #expect(outcome[asked].problems.first?.side == .host)
            #expect(outcome[encrypted].problems.first?.side == .peer)
            #expect(outcome.totals?.firstError?.problem.side == .host)
        }
    }

    @Test func `a public key in a legacy pairing and what follows is its sender's fault`() {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.smp(0x40, .tx, .pairingRequest, [3, 0, 0x0D, 16, 7, 7])
        trace.smp(0x40, .rx, .pairingResponse, [3, 0, 0x05, 16, 7, 7])
        let key = trace.smp(0x40, .tx, .pairingPublicKey)
        trace.smp(0x40, .rx, .pairingPublicKey)
        let failed = trace.smp(0x40, .rx, .pairingFailed, [8])
        let outcome = trace.run()
        #expect(outcome.frames(with: .misplacedPairingPDU) == [key])
        #expect(outcome[key].problems.map(\.side) == [.host])
        #expect(outcome[failed].problems.map(\.side) == [.host])
        #expect(
            outcome[key].problems.first?.sentence == "Pairing Public Key in a legacy pairing, which has none")
    }

    @Test(arguments: [SMPCode.pairingConfirm, .pairingRandom, .pairingDHKeyCheck])
    func `secure connections begin with public keys`(_ code: SMPCode) {
        for isWhole in [true, false] {
            var trace = Trace()
            trace.connect(0x40, peer)
            trace.smp(0x40, .tx, .pairingRequest, [3, 0, 0x0D, 16, 7, 7])
            trace.smp(0x40, .rx, .pairingResponse, [3, 0, 0x0D, 16, 7, 7])
            if !isWhole { trace.drops += 1 }
            let early = trace.smp(0x40, .rx, code)
            let outcome = trace.run()
            #expect(outcome.frames(with: .misplacedPairingPDU) == (isWhole ? [early] : []))
        }
    }

    @Test func `a peripheral's host sees the peer ask too early, and accepts or refuses`() {
        for accepts in [true, false] {
            var trace = Trace()
            trace.connect(0x40, peer, role: 1)
            Self.pair(&trace, Self.secure.prefix(8).map { ($0.0 == .tx ? .rx : .tx, $0.1) })
            let asked = trace.event(octets("3E 0D 05 40 00") + [UInt8](repeating: 0, count: 10))
            let reply = octets(accepts ? "1A 20 12 40 00" : "1B 20 02 40 00")
            let answered = trace.add(
                .command, .hostToController, reply + [UInt8](repeating: 0, count: accepts ? 16 : 0))
            let outcome = trace.run()
            #expect(outcome.frames(with: .encryptedEarly) == (accepts ? [asked, answered] : [asked]))
            #expect(outcome[asked].problems.first?.side == .peer)
            if accepts { #expect(outcome[answered].problems.first?.side == .host) }
        }
    }

    @Test func `a pairing in the log shows early encryption even if the link's beginning is missing`() {
        for count in 2...Self.legacy.count {
            var trace = Trace()
            trace.smp(0x40, .rx, .securityRequest)
            Self.pair(&trace, Self.legacy.prefix(count))
            let last = trace.last
            let asked = Self.askEncryption(&trace)
            let encrypted = trace.encrypted(0x40)
            let outcome = trace.run()
            let isEarly = count < Self.legacy.count
            #expect(outcome.frames(with: .encryptedEarly) == (isEarly ? [asked, encrypted] : []))
            #expect(outcome.links.first?.pairingStopped?.frame == (isEarly ? last : nil))
        }
    }

    @Test func `the key of a pairing has no name`() {
        for (steps, name, isWrong) in [
            (Self.secure, "0100000000000000 0000", true), (Self.secure, "0000000000000000 3412", true),
            (Self.secure, "0000000000000000 0000", false), (Self.legacy, "0000000000000000 0000", false),
            (Self.legacy, "0100000000000000 0000", true),
        ] {
            var trace = Trace()
            trace.connect(0x40, peer)
            Self.pair(&trace, steps)
            let asked = Self.askEncryption(&trace, name: name)
            trace.encrypted(0x40)
            // A key that the peer has distributed since then does have a name.
            Self.askEncryption(&trace, name: "0100000000000000 3412")
            let outcome = trace.run()
            #expect(outcome.frames(with: .wrongKeyIdentifier) == (isWrong ? [asked] : []))
            guard isWrong else { continue }
            let problem = outcome[asked].problems.first
            #expect(problem?.severity == .warning && problem?.side == .host)
        }
        var trace = Trace()
        trace.connect(0x40, peer, role: 1)
        Self.pair(&trace, Self.secure.map { ($0.0.other, $0.1) })
        let asked = trace.event(octets("3E 0D 05 40 00 0100000000000000 3412"))
        #expect(trace.run()[asked].problems.map(\.code) == [.wrongKeyIdentifier])
        #expect(trace.run()[asked].problems.first?.side == .peer)
    }

    @Test func `each refusal of a name that the key lacks is the asker's, also after lost packets`() {
        for (lost, pause, retry, isWrong) in [
            (UInt32(3), 0.5, 0.8, true), (3, 3, 0.8, false), (0, 3, 1.5, true),
        ] {
            var trace = Trace()
            trace.connect(0x40, peer)
            Self.pair(&trace, Self.legacy)
            trace.drops = lost
            trace.wait(seconds: pause)
            var asked: [Int] = []
            for _ in 0..<3 {
                asked.append(Self.askEncryption(&trace, name: "0100000000000000 3412"))
                trace.wait(seconds: retry)
                trace.event(
                    HCIEncryptionChange {
                        $0.status = HCIStatus(rawValue: 0x06)
                        $0.connectionHandle = 0x40
                    }.packet)
            }
            let outcome = trace.run()
            #expect(outcome.frames(with: .wrongKeyIdentifier) == (isWrong ? asked : []))
            let sides = outcome.frames(with: .encryptionFailed).map { outcome[$0].problems.first?.side }
            #expect(sides == [Problem.Party?](repeating: isWrong ? .host : .peer, count: 3))
        }
    }

    @Test func `a refusal of encryption with a name that a pairing's key lacks is the asker's fault`() {
        for (name, side) in [("0100000000000000 3412", Problem.Party.host), ("0000000000000000 0000", .peer)]
        {
            var trace = Trace()
            trace.connect(0x40, peer)
            Self.pair(&trace, Self.legacy)
            Self.askEncryption(&trace, name: name)
            let refused = trace.event(octets("08 04 06 4000 00"))
            let problem = trace.run()[refused].problems.first
            #expect(problem?.code == .encryptionFailed && problem?.side == side)
        }
    }

    @Test func `encryption with a bond's key, after a pairing or in an unseen one is not too early`() {
        var bonded = Trace()
        bonded.connect(0x40, peer)
        bonded.smp(0x40, .rx, .securityRequest, [1])
        var failed = Trace()
        failed.connect(0x40, peer)
        Self.pair(&failed, Self.secure.prefix(2))
        failed.smp(0x40, .rx, .pairingFailed, [5])
        var lost = Trace()
        lost.connect(0x40, peer)
        Self.pair(&lost, Self.secure.prefix(8))
        lost.drops = 1
        var keypress = Trace()
        keypress.connect(0x40, peer)
        Self.pair(&keypress, Self.secure)
        keypress.smp(0x40, .rx, SMPCode(rawValue: 0x0E), [4])
        var oneSided = Trace()
        oneSided.connect(0x40, peer)
        Self.pair(&oneSided, Self.secure.filter { $0.0 == .tx })
        var cut = Trace()
        cut.connect(0x40, peer)
        Self.pair(&cut, Self.secure.dropLast())
        cut.acl(0x40, .rx, boundary: 2, octets("11 00 06 00 0D") + [UInt8](repeating: 1, count: 16), kept: 5)
        for trace in [bonded, failed, lost, keypress, oneSided, cut] {
            var trace = trace
            Self.askEncryption(&trace)
            trace.encrypted(0x40)
            #expect(trace.run().frames(with: .encryptedEarly).isEmpty)
        }
    }

    // MARK: Refusals that ask for security

    private func refused(
        _ error: ATTErrorCode, then play: (inout Trace) -> Void
    ) -> (isOvercome: [Bool], first: Problem.Code?) {
        var trace = Trace()
        trace.connect(0x40, peer)
        trace.att(0x40, .tx, ATTReadRequest(handle: 7))
        trace.att(0x40, .rx, ATTErrorResponse(request: .readRequest, handle: 7, error: error))
        play(&trace)
        let outcome = trace.run()
        let incidents = outcome.totals?.incidents.filter { $0.problem.code == .attError } ?? []
        return (incidents.map(\.problem.isOvercome), outcome.totals?.firstError?.problem.code)
    }

    @Test(arguments: [ATTErrorCode.insufficientAuthentication, .insufficientEncryption])
    func `a refusal that pairing answers is overcome, even if nothing after it can be read`(
        _ error: ATTErrorCode
    ) {
        let paired = refused(error) {
            Self.pair(&$0, Self.secure)
            Self.askEncryption(&$0)
            $0.encrypted(0x40)
        }
        #expect(paired.isOvercome == [true] && paired.first == nil)
    }

    @Test func `a refusal without encryption after it stays, and a failed pairing comes before it`() {
        let alone = refused(.insufficientAuthentication) { $0.wait(seconds: 1) }
        #expect(alone.isOvercome == [false] && alone.first == .attError)
        let failed = refused(.insufficientAuthentication) {
            Self.pair(&$0, Self.secure.prefix(7))
            $0.smp(0x40, .rx, .pairingFailed, [4])
        }
        #expect(failed.isOvercome == [false] && failed.first == .pairingFailed)
        let other = refused(.readNotPermitted) { $0.encrypted(0x40) }
        #expect(other.isOvercome == [false] && other.first == .attError)
    }

    @Test func `a request that is refused again after encryption failed`() {
        let again = refused(.insufficientEncryption) {
            Self.pair(&$0, Self.secure)
            $0.encrypted(0x40)
            $0.att(0x40, .tx, ATTReadRequest(handle: 7))
            $0.att(
                0x40, .rx,
                ATTErrorResponse(request: .readRequest, handle: 7, error: .insufficientAuthentication))
        }
        #expect(again.isOvercome.contains(false) && again.first == .attError)
    }
}
