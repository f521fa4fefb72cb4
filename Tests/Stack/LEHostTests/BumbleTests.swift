import BluetoothCore
import Crypto
import Foundation
import Runtime
import TestSupport
import Testing
import WireBytes

@testable import LEHost

/// The host against a controller and a device that others wrote: Bumble, joined by H4 over a socket.
///
/// Left out where `tools/venv` has not been run.
@Suite(.judge, .serialized) struct BumbleTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let python = root.appending(path: ".cache/venv/bin/python")
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    // Starts the device, joins its socket to this program's standard input and output, ends both together.
    static let bridge = """
        import socket, subprocess, sys, tempfile, threading
        folder = tempfile.TemporaryDirectory()
        place = folder.name + "/host"
        peer = subprocess.Popen(
            [sys.executable, "-B", "-m", "peers", "--host", "unix-server:" + place, *sys.argv[1:]],
            stdout=subprocess.PIPE)
        # A device that says nothing more is ended, and is the test's error.
        watch = threading.Timer(600, peer.kill)
        watch.daemon = True
        watch.start()
        try:
            while not peer.stdout.readline().startswith(b"ready"):
                if peer.poll() is not None: sys.exit(1)
            link = socket.socket(socket.AF_UNIX)
            link.connect(place)
            def up():
                while octets := sys.stdin.buffer.raw.read(4096): link.sendall(octets)
                link.shutdown(socket.SHUT_RDWR)
            threading.Thread(target=up, daemon=True).start()
            while octets := link.recv(4096):
                sys.stdout.buffer.write(octets); sys.stdout.buffer.flush()
        finally:
            peer.kill()
        """

    /// A host on a real clock, pumped by its owner.
    final class Session {
        private let process = Process()
        private let down = Pipe()
        private let up = Pipe()
        private let start = ContinuousClock.now
        private var inbox: [UInt8] = []
        private(set) var host: LEHost
        private var events: [HostEvent] = []
        private(set) var questions: [PairingQuestion] = []
        private var addresses: UInt8 = 0

        init(_ peer: [String], host: HostConfiguration = HostConfiguration()) throws {
            self.host = LEHost(host)
            process.executableURL = BumbleTests.python
            process.arguments = ["-c", BumbleTests.bridge] + peer
            process.currentDirectoryURL = BumbleTests.root.appending(path: "tools")
            process.standardInput = down
            process.standardOutput = up
            // A device that has gone is this test's error, not the end of all tests.
            signal(SIGPIPE, SIG_IGN)
            try process.run()
        }

        deinit {
            try? down.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        var now: Instant { Instant.zero.advanced(by: start.duration(to: .now)) }

        func put(_ input: HostInput) throws {
            for effect in host.handle(input, at: now) {
                switch effect {
                case .send(let packet): try down.fileHandleForWriting.write(contentsOf: Data(packet.h4))
                case .draw(let link):
                    try put(.pairingRandomness(try PairingRandomness(SeededEntropy(seed: 1)), on: link))
                case .drawAddress:
                    addresses += 1
                    try put(.addressRandomness([0x70, 0x81, addresses]))
                case .event(.pairingAsks(let link, let question)):
                    questions.append(question)
                    // The device's person has the same number.
                    switch question {
                    case .display: break
                    case .enter: try put(.answerPairing(.passkey(BumbleTests.passkey), on: link))
                    case .compare, .consent, .replaceBond: try put(.answerPairing(.yes, on: link))
                    }
                case .event(let event): events.append(event)
                }
            }
        }

        /// Takes packets until one brings news that fits.
        func await<Found>(_ find: (HostEvent) -> Found?) throws -> Found {
            while true {
                while !events.isEmpty {
                    if let found = find(events.removeFirst()) { return found }
                }
                let octets = up.fileHandleForReading.availableData
                try #require(!octets.isEmpty, "the device has gone")
                inbox += octets
                while let length = wholeLength, inbox.count >= length {
                    let packet = try #require(HCIPacket(h4: Array(inbox[..<length])))
                    inbox.removeFirst(length)
                    try put(.packet(packet))
                }
            }
        }

        private var wholeLength: Int? {
            switch inbox.first {
            case 4? where inbox.count >= 3: 3 + Int(inbox[2])
            case 2? where inbox.count >= 5: 5 + Int(inbox[3]) + Int(inbox[4]) << 8
            default: nil
            }
        }

        /// Connects to the device that advertises.
        func connect() throws -> LinkID {
            try put(.startScanning(ScanParameters()))
            let seen = try self.await { if case .advertisement(let seen) = $0 { seen } else { nil } }
            try put(.stopScanning)
            try put(.connect(seen.address))
            let link = try self.await { if case .connected(let link) = $0 { link.id } else { nil } }
            guard host.configuration.clientMTU != nil else { return link }
            _ = try self.await { if case .mtuChanged(link, let mtu) = $0 { mtu } else { nil } }
            return link
        }

        func powerOn() throws {
            try put(.powerOn)
            let state = try self.await {
                if case .stateChanged(let new) = $0, new != .starting { new } else { nil }
            }
            #expect(state == .ready)
        }

        func perform(_ operation: GATTOperation, on link: LinkID) throws -> GATTOutcome {
            try put(.perform(operation, GATTToken(rawValue: 1), on: link))
            let result = try self.await { event -> Result<GATTOutcome, GATTFailure>? in
                if case .finished(link, _, let result) = event { result } else { nil }
            }
            return try result.get()
        }
    }

    /// The number that the host shows, and that the device's person enters or is shown.
    static let passkey = (try? PairingRandomness(SeededEntropy(seed: 1)).passkey) ?? 0

    /// A way to pair: what both sides can show, whether they are protected, whether LE Secure Connections.
    struct Way: Sendable, CustomTestStringConvertible {
        var own: IOCapability
        var device: IOCapability
        var isProtected: Bool
        var isSecure: Bool
        var testDescription: String {
            "\(own) \(device)\(isProtected ? ", protected" : "")\(isSecure ? "" : ", legacy")"
        }

        static let all = [true, false].flatMap { secure in
            [
                Way(own: .noInputNoOutput, device: .noInputNoOutput, isProtected: false, isSecure: secure),
                Way(own: .displayOnly, device: .keyboardOnly, isProtected: true, isSecure: secure),
                Way(own: .keyboardOnly, device: .displayOnly, isProtected: true, isSecure: secure),
                Way(own: .keyboardOnly, device: .keyboardOnly, isProtected: true, isSecure: secure),
                Way(own: .displayYesNo, device: .displayYesNo, isProtected: secure, isSecure: secure),
                Way(own: .keyboardDisplay, device: .keyboardDisplay, isProtected: true, isSecure: secure),
            ]
        }
    }

    @Test(.enabled(if: isThere, "tools/venv has not been run"), .timeLimit(.minutes(15)), arguments: Way.all)
    func `a fob of Bumble pairs when it must, and is bonded at its next address`(way: Way) throws {
        var configuration = HostConfiguration()
        var policy = SecurityPolicy()
        policy.ioCapability = way.own
        policy.needsProtection = way.isProtected
        policy.offersSecureConnections = way.isSecure
        policy.acceptsLegacyPairing = !way.isSecure
        configuration.security = policy
        let flags = (way.isProtected ? ["--mitm"] : []) + (way.isSecure ? [] : ["--legacy"])
        let session = try Session(
            ["fob", "--io", "\(way.device.rawValue)", "--passkey", "\(Self.passkey)"] + flags,
            host: configuration)
        try session.powerOn()
        let link = try session.connect()
        let found = try session.perform(
            .readByType(BluetoothUUID(UInt16(0xFF51)), 1...0xFFFF), on: link)
        // The value that only an encrypted link gets.
        guard case .values(let values) = found, let secret = values.first else {
            Issue.record("\(found)")
            return
        }
        #expect(secret.value == Array("bonded".utf8))
        let bond = try #require(session.host.bonds.first)
        #expect(bond.security == session.host.security(of: link))
        #expect(bond.security.isAuthenticated == (way.isProtected && way.isSecure))
        #expect(bond.security.isSecureConnections == way.isSecure)
        #expect(bond.peer.value == 0x0246_4F42_0001 && bond.identityKey != nil)
        #expect(session.questions.isEmpty != way.isProtected)

        try session.put(.disconnect(link))
        _ = try session.await { if case .disconnected(link, _, _) = $0 { true } else { nil } }
        let asked = session.questions.count
        let again = try session.connect()
        #expect(session.host.security(of: again).isEncrypted && session.questions.count == asked)
        #expect(try session.perform(.read(secret.handle), on: again) == .value(Array("bonded".utf8)))
    }

    /// Whether the host was given the fob's data, and the fob the host's; whether they are the right ones.
    static let outOfBand = [
        (true, true, true), (true, false, true), (false, true, true), (true, true, false),
    ]

    @Test(
        .enabled(if: isThere, "tools/venv has not been run"), .timeLimit(.minutes(15)), arguments: outOfBand)
    func `a fob of Bumble pairs by data that came by other means`(
        hostHas: Bool, fobHas: Bool, isRight: Bool
    ) throws {
        let host = try OwnOutOfBandData(SeededEntropy(seed: 21))
        let fob = try OwnOutOfBandData(SeededEntropy(seed: 22))
        let stranger = try OwnOutOfBandData(SeededEntropy(seed: 23))
        var configuration = HostConfiguration()
        var policy = SecurityPolicy()
        policy.needsProtection = true
        policy.outOfBand.own = host
        if hostHas { policy.outOfBand.peer = isRight ? fob.data : stranger.data }
        configuration.security = policy
        func joined(_ keys: [SecretKey]) -> String {
            keys.map { Hex.text($0.octets) }.joined(separator: ":")
        }
        let given = fobHas ? ["--oob-peer", joined([host.data.confirm, host.data.random])] : []
        let session = try Session(
            ["fob", "--mitm", "--oob", joined([fob.privateKey, fob.data.random])] + given,
            host: configuration)
        try session.powerOn()
        let link = try session.connect()
        try session.put(.secure(link))
        let failure = try session.await { event -> PairingFailure?? in
            switch event {
            case .paired(link, _): .some(nil)
            case .pairingFailed(link, let failure): failure
            default: nil
            }
        }
        #expect(failure == (isRight ? nil : .ended(.confirmValueFailed)))
        #expect(session.questions.isEmpty)
        #expect(session.host.bonds.map { $0.security.isAuthenticated } == (isRight ? [true] : []))
        #expect(session.host.bonds.allSatisfy { $0.security.isSecureConnections })
    }

    @Test(.enabled(if: isThere, "tools/venv has not been run"), .timeLimit(.minutes(15)))
    func `a fob of Bumble is found again by a host whose address changes`() throws {
        var configuration = HostConfiguration()
        configuration.security = SecurityPolicy()
        var privacy = HostPrivacy(identityKey: SecretKey([UInt8](1...16)))
        privacy.rotation = .seconds(1)
        configuration.privacy = privacy
        let session = try Session(["fob"], host: configuration)
        try session.powerOn()
        let link = try session.connect()
        // Answered once both sides have each other's keys.
        _ = try session.perform(.readByType(BluetoothUUID(UInt16(0xFF51)), 1...0xFFFF), on: link)
        let bond = try #require(session.host.bonds.first)
        let first = session.host.address
        for _ in 0..<3 {
            let open = try #require(session.host.openLinks.first)
            try session.put(.disconnect(open.id))
            _ = try session.await { if case .disconnected = $0 { true } else { nil } }
            Thread.sleep(forTimeInterval: 1.1)
            try session.put(.timeReached)
            // By its identity alone: the host looks for it.
            try session.put(.connect(bond.peer))
            let next = try session.await { event -> Link? in
                switch event {
                case .connected(let link): return link
                case .connectFailed(_, let status):
                    Issue.record("\(status)")
                    return nil
                default: return nil
                }
            }
            #expect(next.peer == bond.peer && session.host.security(of: next.id).isEncrypted)
        }
        #expect(session.host.address != first && first?.isResolvablePrivate == true)
    }

    @Test(.enabled(if: isThere, "tools/venv has not been run"), .timeLimit(.minutes(15)))
    func `a band of Bumble is found, connected to, discovered, subscribed to and left`() throws {
        let session = try Session(["band"])
        try session.powerOn()
        let link = try session.connect()
        #expect(session.host.mtu(of: link) == 517)

        guard case .services(let services) = try session.perform(.discoverServices(), on: link),
            let band = services.first(where: { $0.uuid == BluetoothUUID(UInt16(0xFEE0)) }),
            case .characteristics(let found) = try session.perform(
                .discoverCharacteristics(band.handle...band.endHandle), on: link),
            let notifying = found.first(where: { $0.properties.contains(.notify) }),
            case .descriptors(let descriptors) = try session.perform(
                .discoverDescriptors(notifying.valueHandle + 1...notifying.endHandle), on: link),
            let configuration = descriptors.first
        else {
            Issue.record("the band's service was not found")
            return
        }
        #expect(configuration.uuid == .clientCharacteristicConfiguration)
        #expect(try session.perform(.write(configuration.handle, [1, 0]), on: link) == .written)
        #expect(try session.perform(.read(configuration.handle), on: link) == .value([1, 0]))
        #expect(try session.perform(.read(3), on: link) != .value([]))

        try session.put(.disconnect(link))
        let reason = try session.await { if case .disconnected(link, _, let why) = $0 { why } else { nil } }
        #expect(reason == .connectionTerminatedByLocalHost)
    }
}
