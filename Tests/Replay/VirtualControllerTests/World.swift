import BluetoothCore
import LEHost
import Runtime
import Testing
import VirtualController

/// Hosts on controllers on one air: a whole world, and a value.
struct World {
    var air: VirtualAir
    var hosts: [LEHost] = []
    var now = Instant.zero
    var events: [(host: Int, at: Instant, event: HostEvent)] = []
    var unread = 0
    /// Every packet between a host and its controller.
    var log: [(host: Int, at: Instant, packet: HCIPacket, isFromHost: Bool)] = []
    /// Opcodes of the commands that hosts have sent, and of those that their controllers did not know.
    var commands: Set<UInt16> = []
    var unknown: Set<UInt16> = []
    private var draws: UInt64 = 0
    private var addresses: SplitMix
    private var packets: [(host: Int, HCIPacket)] = []
    /// What a host's application does when it is told something.
    var answers: [Int: @Sendable (HostEvent) -> [HostInput]] = [:]

    init(seed: UInt64) {
        air = VirtualAir(seed: seed)
        addresses = SplitMix(state: ~seed)
    }

    @discardableResult
    mutating func add(
        _ address: UInt64, controller: (inout ControllerConfiguration) -> Void = { _ in },
        host: (inout HostConfiguration) -> Void = { _ in }
    ) -> Int {
        var one = ControllerConfiguration(publicAddress: DeviceAddress(address, .public))
        controller(&one)
        _ = air.add(one)
        var configuration = HostConfiguration()
        host(&configuration)
        hosts.append(LEHost(configuration))
        return hosts.count - 1
    }

    mutating func put(_ input: HostInput, _ host: Int) {
        take(hosts[host].handle(input, at: now), host)
        settle()
    }

    /// Gives a controller a command that its host does not know of.
    mutating func command(_ octets: [UInt8], _ host: Int) {
        _ = air.receive(HCIPacket(.command, octets), for: ControllerID(rawValue: host), at: now)
    }

    private mutating func take(_ effects: [HostEffect], _ host: Int) {
        var inputs: [HostInput] = []
        for effect in effects {
            switch effect {
            case .send(let packet): packets.append((host, packet))
            case .draw(let link):
                draws += 1
                inputs.append(
                    .pairingRandomness(try? PairingRandomness(SeededEntropy(seed: draws)), on: link))
            case .drawAddress:
                inputs.append(
                    .addressRandomness((0..<3).map { _ in UInt8(truncatingIfNeeded: addresses.next()) }))
            case .event(let event):
                events.append((host, now, event))
                inputs += answers[host]?(event) ?? []
            }
        }
        for input in inputs { take(hosts[host].handle(input, at: now), host) }
    }

    private mutating func settle() {
        while !packets.isEmpty {
            let (host, packet) = packets.removeFirst()
            log.append((host, now, packet, true))
            if packet.type == .command {
                commands.insert(UInt16(packet.octets[0]) | UInt16(packet.octets[1]) << 8)
            }
            receive(air.receive(packet, for: ControllerID(rawValue: host), at: now))
        }
    }

    private mutating func receive(_ effects: [AirEffect]) {
        for effect in effects {
            let host = effect.controller.rawValue
            log.append((host, now, effect.packet, false))
            let event = effect.packet.octets
            // Command Status of Unknown HCI Command.
            if effect.packet.type == .event, event.starts(with: [0x0F, 4, 1]) {
                unknown.insert(UInt16(event[4]) | UInt16(event[5]) << 8)
            }
            take(hosts[host].handle(.packet(effect.packet), at: now), host)
        }
    }

    /// Lets time go on to the next thing that happens, but not past `limit`.
    private mutating func step(_ limit: Instant) -> Bool {
        let deadlines = [air.nextDeadline] + hosts.map(\.nextDeadline)
        guard let next = deadlines.compactMap({ $0 }).min(), next <= limit else { return false }
        now = max(now, next)
        receive(air.advance(to: now))
        settle()
        for host in hosts.indices {
            guard let deadline = hosts[host].nextDeadline, deadline <= now else { continue }
            put(.timeReached, host)
        }
        return true
    }

    mutating func run(_ duration: Duration) {
        let limit = now.advanced(by: duration)
        while step(limit) {}
        now = limit
        receive(air.advance(to: now))
        settle()
    }

    /// Lets time go on until a host is told something that fits; nil where that does not happen in time.
    mutating func await<Found>(
        _ host: Int, within duration: Duration = .seconds(60), _ find: (HostEvent) -> Found?
    ) -> Found? {
        let limit = now.advanced(by: duration)
        while true {
            while unread < events.count {
                let event = events[unread]
                unread += 1
                if event.host == host, let found = find(event.event) { return found }
            }
            guard step(limit) else { return nil }
        }
    }

    /// Performs an operation to its end.
    mutating func perform(
        _ operation: GATTOperation, _ host: Int, on link: LinkID, token: UInt64 = 1
    ) -> Result<GATTOutcome, GATTFailure>? {
        put(.perform(operation, GATTToken(rawValue: token), on: link), host)
        return self.await(host) { event in
            guard case .finished(link, GATTToken(rawValue: token), let result) = event else { return nil }
            return result
        }
    }

    mutating func powerOn() {
        for host in hosts.indices { put(.powerOn, host) }
        #expect(hosts.allSatisfy { $0.state == .ready })
    }

    /// Connects a host to a device that advertises: the link at the host and the link at the device.
    mutating func connect(_ central: Int, to peripheral: Int) throws -> (LinkID, LinkID) {
        let address = try #require(hosts[peripheral].address)
        put(.connect(address), central)
        let here = self.await(central) { event -> LinkID? in
            if case .connected(let link) = event { link.id } else { nil }
        }
        let there = hosts[peripheral].openLinks.last?.id
        return (try #require(here), try #require(there))
    }

    /// All that was told, as lines.
    var transcript: [String] { events.map { "\($0.at.nanoseconds) \($0.host) \($0.event)" } }
}
