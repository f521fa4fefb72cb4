import BluetoothCore
import Crypto
import LEHost
import Runtime

/// Two hosts, and between them controllers and an air that do what an input says: mostly what they should, so
/// that discoveries and pairings come far, and now and then what nobody must do.
///
/// At the end of a run all links end and time passes: then nothing may be pending, and no host have grown.
public struct HostileAir {
    /// What a run came to.
    public struct Report: Sendable {
        public var steps = 0
        public var links = 0
        public var pairings = 0
        public var encryptions = 0
        public var operations = 0
        public var channels = 0
        public var sdus = 0
        /// The most that a host held at a time, in elements of all its collections.
        public var weight = 0
        /// What must not have been.
        public var violations: [String] = []

        public init() {}

        public mutating func add(_ other: Report) {
            steps += other.steps
            links += other.links
            pairings += other.pairings
            encryptions += other.encryptions
            operations += other.operations
            channels += other.channels
            sdus += other.sdus
            weight = max(weight, other.weight)
            violations += other.violations
        }
    }

    /// A host, with what its controller and its application have to do.
    struct Side {
        var host: LEHost
        var commands: [HCIPacket] = []
        var data: [HCIPacket] = []
        var pending: Set<GATTToken> = []
        var openings: Set<ChannelToken> = []
        var channels: [ChannelID] = []
        var questions: [(LinkID, PairingQuestion)] = []
        /// What its application was told of pairings.
        var events: [HostEvent] = []
        /// Whether its controller has every command and feature, and a resolving list; else it has the least.
        var hasAll = false
    }

    /// A link between both, or the half of one that the other side knows nothing of.
    struct Wire {
        var handle: UInt16
        var central: Int
        /// The octets of LE Enable Encryption after the handle.
        var asked: [UInt8] = []
    }

    /// What a host may hold at most, in elements.
    static let heaviest = 4_000

    var choices: Choices
    var sides: [Side]
    var wires: [Wire] = []
    var now = Instant.zero
    var report = Report()
    var shown: UInt32?
    /// Who is in the middle of both; nil for nobody.
    var stripper: LegacyStripper?
    private var nextToken: UInt64 = 1
    private var draws: UInt64 = 0

    /// Of so many chances to do what nobody must, one is taken.
    let calm: Int

    static let addresses = [
        DeviceAddress(0x0200_0000_0001, .public), DeviceAddress(0x0200_0000_0002, .public),
    ]

    /// Runs an input to its end.
    public static func run(_ input: [UInt8]) -> Report {
        var air = HostileAir(input)
        air.run()
        return air.report
    }

    /// Runs an input of a thousand octets or more that follows from a seed.
    public static func run(seed: UInt64) -> Report {
        var generator = SplitMix(state: seed)
        let count = 1_000 + Int(generator.next() % 8_000)
        return run((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 24) })
    }

    private init(_ input: [UInt8]) {
        choices = Choices(input)
        calm = [1, 2, 4, 8, 16, 64, 256, 256][choices.pick(8)]
        sides = []
        for side in 0..<2 {
            sides.append(Side(host: LEHost(configuration(side)), hasAll: choices.isOne(in: 2)))
        }
    }

    /// Hosts that pair by these policies, and nothing that goes wrong by chance.
    init(_ policies: [SecurityPolicy], draws: UInt64) {
        choices = Choices([])
        self.draws = draws
        calm = 256
        sides = policies.map { policy in
            var configuration = HostConfiguration()
            configuration.security = policy
            return Side(host: LEHost(configuration))
        }
    }

    private mutating func configuration(_ side: Int) -> HostConfiguration {
        var configuration = HostConfiguration()
        if choices.isOne(in: 2) {
            configuration.privacy = HostPrivacy(
                identityKey: SecretKey([UInt8](repeating: UInt8(side) + 1, count: 16)))
        }
        if !choices.isOne(in: 8) {
            var policy = SecurityPolicy()
            policy.ioCapability = IOCapability(rawValue: UInt8(choices.pick(5))) ?? .noInputNoOutput
            let flags = choices.octet()
            policy.offersSecureConnections = flags & 1 == 0
            policy.needsProtection = flags & 6 == 6
            policy.asksForProtection = flags & 8 != 0
            policy.acceptsLegacyPairing = flags & 4 != 0
            configuration.cachesDatabases = flags & 0x80 != 0
            policy.bonds = flags & 0x30 != 0x30
            policy.asksConsent = flags & 0xC0 == 0xC0
            policy.needsComparison = flags & 0x46 == 0x42
            policy.minimumKeySize = 7
            configuration.security = policy
        }
        return configuration
    }

    private mutating func run() {
        for side in 0..<2 {
            put(.setDatabase(Self.database), side)
            for service in Self.services { put(.channel(.listen(service)), side) }
            put(.powerOn, side)
            while !sides[side].commands.isEmpty { answer(side) }
        }
        let empty = sides.map { Self.weight($0.host) }
        while !choices.areOver {
            step()
            report.steps += 1
            if report.steps % 64 == 0 { weigh() }
        }
        weigh()
        settle()
        for side in 0..<2 {
            expect(sides[side].host.openLinks.isEmpty, "a link is open")
            expect(sides[side].pending.isEmpty, "an operation has not ended")
            expect(sides[side].openings.isEmpty, "an opening has not ended")
            expect(sides[side].channels.isEmpty, "a channel outlives its link")
            expect(sides[side].host.nextDeadline == nil, "a deadline is left")
            // With a bond, what was discovered may be kept.
            let found = sides[side].host.bonds.map { Self.weight($0.peerDatabase) }.reduce(0, +)
            let allowed = empty[side] + 8 * sides[side].host.bonds.count + 2 * found + 200
            expect(Self.weight(sides[side].host) <= allowed, "it has grown")
        }
    }

    mutating func expect(_ holds: Bool, _ fault: String) { if !holds { report.violations.append(fault) } }

    static let database: GATTDatabase = {
        var database = GATTDatabase()
        let values: [(UInt16, GATTCharacteristicProperties, ATTPermissions)] = [
            (0xFF01, [.read, .write, .notify], [.readable, .writeable]),
            (0xFF02, [.read, .indicate], [.readEncryptionRequired]),
            (0xFF03, [.write, .writeWithoutResponse], [.writeEncryptionRequired]),
        ]
        _ = database.add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0xFF00)),
                characteristics: values.map {
                    GATTServiceDefinition.Characteristic(
                        uuid: BluetoothUUID($0.0), properties: $0.1, permissions: $0.2)
                }))
        return database
    }()

    // MARK: Inputs and effects

    mutating func put(_ input: HostInput, _ side: Int) {
        let effects = sides[side].host.handle(input, at: now)
        expect(effects.count < 2_000, "one input has \(effects.count) effects")
        for effect in effects {
            switch effect {
            case .send(let packet):
                if packet.type == .command {
                    sides[side].commands.append(packet)
                } else {
                    sides[side].data.append(packet)
                }
            case .event(let event): take(event, side)
            case .draw(let link):
                draws += 1
                let randomness = try? PairingRandomness(SeededEntropy(seed: draws))
                put(.pairingRandomness(choices.isOne(in: 32) ? nil : randomness, on: link), side)
            case .drawAddress:
                let octets = choices.isOne(in: 32) ? nil : (0..<3).map { _ in choices.octet() }
                put(.addressRandomness(octets), side)
            }
        }
    }

    mutating func event(_ packet: [UInt8], _ side: Int) { put(.packet(HCIPacket(.event, packet)), side) }

    mutating func takeToken() -> UInt64 {
        defer { nextToken += 1 }
        return nextToken
    }

    mutating func perform(_ operation: GATTOperation, on link: LinkID, _ side: Int) {
        let token = GATTToken(rawValue: takeToken())
        sides[side].pending.insert(token)
        put(.perform(operation, token, on: link), side)
    }

    private mutating func take(_ event: HostEvent, _ side: Int) {
        switch event {
        case .finished(_, let token, _):
            report.operations += 1
            expect(sides[side].pending.remove(token) != nil, "an operation has ended twice")
        case .channel(let event): take(event, side)
        case .connected: report.links += 1
        case .paired:
            report.pairings += 1
            if stripper != nil { sides[side].events.append(event) }
        case .pairingFailed, .pairingIsLegacy: if stripper != nil { sides[side].events.append(event) }
        case .securityChanged(_, let security): report.encryptions += security.isEncrypted ? 1 : 0
        case .pairingAsks(let link, let question):
            if case .display(let number) = question {
                shown = number
            } else {
                sides[side].questions.append((link, question))
            }
        case .readRequested(let link, let request, _, _):
            if choices.isOne(in: 16) { return }
            let isRefused = choices.isOne(in: 8)
            put(
                .answerRead(request, isRefused ? .failure(.unlikelyError) : .success([1, 2, 3]), on: link),
                side)
        case .writeRequested(let link, let request?, _):
            if !choices.isOne(in: 16) { put(.answerWrite(request, nil, on: link), side) }
        default: break
        }
    }

    mutating func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        for side in 0..<2 {
            var left = 100
            while let deadline = sides[side].host.nextDeadline, deadline <= now, left > 0 {
                put(.timeReached, side)
                left -= 1
            }
            expect(left > 0, "a deadline stays")
        }
    }

    // MARK: The end

    /// Ends all links, and lets time pass until the hosts wait for nothing.
    private mutating func settle() {
        for side in 0..<2 {
            for link in sides[side].host.openLinks { end(link.handle, side) }
            if choices.isOne(in: 2) { while !sides[side].commands.isEmpty { answer(side) } }
        }
        for _ in 0..<20 {
            for side in 0..<2 { for link in sides[side].host.openLinks { end(link.handle, side) } }
            pass(.seconds(31))
        }
        for side in 0..<2 {
            expect(sides[side].pending.isEmpty, "an operation outlives its link")
            put(.stopScanning, side)
            put(.stopAdvertising, side)
            put(.powerOff, side)
            while !sides[side].commands.isEmpty { answer(side) }
        }
        pass(.seconds(31))
    }

    mutating func end(_ handle: UInt16, _ side: Int) {
        event(
            HCIDisconnectionComplete {
                $0.connectionHandle = handle
                $0.reason = .connectionTimeout
            }.packet, side)
    }

    // MARK: Growth

    private mutating func weigh() {
        for side in 0..<2 {
            let weight = Self.weight(sides[side].host)
            report.weight = max(report.weight, weight)
            expect(weight < Self.heaviest, "a host holds \(weight) elements")
        }
    }

    /// The elements of all collections in a value, octets counted in groups of 32.
    static func weight(_ value: Any) -> Int {
        if let octets = value as? [UInt8] { return 1 + octets.count / 32 }
        let mirror = Mirror(reflecting: value)
        let isCollection =
            mirror.displayStyle == .collection || mirror.displayStyle == .dictionary
            || mirror.displayStyle == .set
        return mirror.children.reduce(isCollection ? mirror.children.count : 0) { $0 + weight($1.value) }
    }
}
