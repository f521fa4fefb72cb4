import BluetoothCore
import LEHost
import Runtime
import Testing
import VirtualController

/// A phone and two cars do what comes into their heads: nothing may be lost, doubled or stuck.
@Suite struct RandomWalkTests {
    struct Walk {
        var world: World
        var random: SplitMix
        var tokens: UInt64 = 0
        var isApart = [false, false]

        init(seed: UInt64) {
            random = SplitMix(state: seed)
            world = World(seed: seed)
            world.add(0xF1)
            for car in 1...2 {
                world.add(0xC0 + UInt64(car), controller: { $0.aclPacketCount = UInt8(car) })
                world.answers[car] = { event in
                    switch event {
                    case .readRequested(let link, let request, _, let offset):
                        [.answerRead(request, .success(Array(WorldTests.long.dropFirst(offset))), on: link)]
                    case .writeRequested(let link, let request?, _): [.answerWrite(request, nil, on: link)]
                    default: []
                    }
                }
            }
            world.powerOn()
            for car in 1...2 { world.put(.setDatabase(WorldTests.database), car) }
        }

        func address(_ car: Int) -> DeviceAddress { DeviceAddress(0xC0 + UInt64(car), .public) }

        mutating func somePhoneLink() -> LinkID? {
            let links = world.hosts[0].openLinks
            return links.isEmpty ? nil : links[random.next(below: links.count)].id
        }

        mutating func step() {
            let car = 1 + random.next(below: 2)
            switch random.next(below: 14) {
            case 0, 1: world.put(.startAdvertising(AdvertisingParameters()), car)
            case 2: world.put(.stopAdvertising, car)
            case 3, 4: world.put(.connect(address(car)), 0)
            case 5: world.put(.cancelConnect(address(car)), 0)
            case 6:
                world.put(random.next(below: 2) == 0 ? .startScanning(ScanParameters()) : .stopScanning, 0)
            case 7:
                if random.next(below: 4) == 0, let link = somePhoneLink() { world.put(.disconnect(link), 0) }
            case 8: if random.next(below: 4) == 0 { separateOrRejoin(car) }
            case 9:
                if let link = world.hosts[car].openLinks.last {
                    world.put(.update(valueHandle: 3, [1, 2, 3], on: link.id), car)
                }
            case 10:
                if random.next(below: 25) == 0 {
                    world.put(.powerOff, 0)
                    world.run(.milliseconds(random.next(below: 50)))
                    world.put(.powerOn, 0)
                }
            default: if let link = somePhoneLink() { perform(on: link) }
            }
            if random.next(below: 3) == 0 { world.run(.milliseconds(random.next(below: 400))) }
        }

        mutating func separateOrRejoin(_ car: Int) {
            let pair = (ControllerID(rawValue: 0), ControllerID(rawValue: car))
            if isApart[car - 1] {
                world.air.rejoin(pair.0, pair.1)
            } else {
                world.air.separate(pair.0, pair.1)
            }
            isApart[car - 1].toggle()
        }

        mutating func perform(on link: LinkID) {
            let operations: [GATTOperation] = [
                .discoverServices(), .discoverCharacteristics(1...7), .discoverDescriptors(4...4), .read(3),
                .write(3, [1]), .write(3, WorldTests.long), .write(4, [1, 0]), .write(7, [2, 0]),
            ]
            tokens += 1
            let operation = operations[random.next(below: operations.count)]
            world.put(.perform(operation, GATTToken(rawValue: tokens), on: link), 0)
        }
    }

    /// What must hold of all that was told.
    static func check(_ world: World, _ operations: UInt64, _ seed: UInt64) {
        var finished: [UInt64: Int] = [:]
        var open: [Set<LinkID>] = [[], [], []]
        for (host, _, event) in world.events {
            switch event {
            case .finished(_, let token, _): finished[token.rawValue, default: 0] += 1
            case .connected(let link):
                #expect(open[host].insert(link.id).inserted, "seed \(seed): connected twice")
            case .disconnected(let link, _, _):
                #expect(open[host].remove(link) != nil, "seed \(seed): ended without a beginning")
            case .problem(let problem): Issue.record("seed \(seed): \(problem)")
            default: break
            }
        }
        for token in 1...max(1, operations) where operations > 0 {
            #expect(
                finished[token] == 1, "seed \(seed): operation \(token) ended \(finished[token] ?? 0) times")
        }
        for host in 0..<3 {
            #expect(open[host] == Set(world.hosts[host].openLinks.map(\.id)), "seed \(seed): host \(host)")
        }
    }

    @Test(arguments: 1...60)
    func `after a random walk everything has ended once, and everything still works`(seed: Int) throws {
        var walk = Walk(seed: UInt64(seed))
        for _ in 0..<250 { walk.step() }
        for car in 1...2 where walk.isApart[car - 1] { walk.separateOrRejoin(car) }
        for car in 1...2 { walk.world.put(.cancelConnect(walk.address(car)), 0) }
        walk.world.run(.seconds(70))
        Self.check(walk.world, walk.tokens, UInt64(seed))
        // All links are ended, and each car can be reached anew.
        for link in walk.world.hosts[0].openLinks { walk.world.put(.disconnect(link.id), 0) }
        walk.world.run(.seconds(5))
        #expect(walk.world.hosts.allSatisfy { $0.openLinks.isEmpty })
        #expect(walk.world.air.openLinks == 0)
        walk.world.unread = walk.world.events.count
        for car in 1...2 {
            walk.world.put(.startAdvertising(AdvertisingParameters()), car)
            let (link, _) = try walk.world.connect(0, to: car)
            #expect(
                walk.world.perform(.read(3), 0, on: link, token: 1_000_000 + UInt64(car))
                    == .success(.value(WorldTests.long)))
        }
    }
}
