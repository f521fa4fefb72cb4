import BluetoothCore
import LEHost
import Runtime
import Testing
import VirtualController

/// Two real hosts on two virtual controllers: a phone and a car.
@Suite struct WorldTests {
    static let service = BluetoothUUID(high: 0x5551_444B_0001_4449, low: 0x4749_5441_4C4B_4559)
    static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

    /// 1 the service; 2 to 4 a value that is read, written and notified; 5 to 7 one that is indicated.
    static var database: GATTDatabase {
        var database = GATTDatabase()
        _ = database.add(
            GATTServiceDefinition(
                uuid: service,
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0xFFE1)),
                        properties: [.read, .write, .writeWithoutResponse, .notify],
                        permissions: [.readable, .writeable]),
                    .init(uuid: BluetoothUUID(UInt16(0xFFE2)), properties: .indicate, permissions: []),
                ]))
        return database
    }

    /// A phone and a car that advertises; the car answers reads with a long value and takes all writes.
    static func world(seed: UInt64 = 1, mtu: UInt16 = 185) -> World {
        var world = World(seed: seed)
        world.add(0xF1, host: { $0.clientMTU = mtu })
        let car = world.add(0xC1)
        world.answers[car] = { event in
            switch event {
            case .readRequested(let link, let request, _, let offset):
                [.answerRead(request, .success(Array(long.dropFirst(offset))), on: link)]
            case .writeRequested(let link, let request?, _): [.answerWrite(request, nil, on: link)]
            default: []
            }
        }
        world.powerOn()
        world.put(.setDatabase(database), car)
        var advertising = AdvertisingParameters()
        var data = ADBuilder()
        _ = data.append([.leGeneralDiscoverableMode, .brEDRNotSupported] as ADFlags)
        _ = data.append(services: [service])
        advertising.data = data.octets
        var response = ADBuilder()
        _ = response.append(name: "Car")
        advertising.scanResponse = response.octets
        advertising.endsWithConnection = true
        world.put(.startAdvertising(advertising), car)
        return world
    }

    @Test func `a phone finds, connects to, discovers and uses a car`() throws {
        var world = Self.world()
        world.put(.startScanning(ScanParameters()), 0)
        let seen = world.await(0) { event -> Advertisement? in
            if case .advertisement(let seen) = event, seen.isScanResponse { seen } else { nil }
        }
        #expect(seen?.address == DeviceAddress(0xC1, .public))
        #expect(seen?.data == [4, 9] + Array("Car".utf8))
        world.put(.stopScanning, 0)

        let (link, there) = try world.connect(0, to: 1)
        let mtu = world.await(0) { if case .mtuChanged(link, let mtu) = $0 { mtu } else { nil } }
        #expect(mtu == 185)
        #expect(world.hosts[1].mtu(of: there) == 185)

        let services = world.perform(.discoverServices(Self.service), 0, on: link)
        #expect(
            services == .success(.services([GATTService(uuid: Self.service, handle: 1, endHandle: 7)])))
        guard
            case .success(.characteristics(let found))? = world.perform(
                .discoverCharacteristics(1...7), 0, on: link)
        else {
            Issue.record("no characteristics")
            return
        }
        #expect(found.map(\.valueHandle) == [3, 6])
        #expect(
            world.perform(.discoverDescriptors(4...4), 0, on: link)
                == .success(
                    .descriptors([GATTDescriptor(uuid: .clientCharacteristicConfiguration, handle: 4)])))

        // Longer than one response, and than one request.
        #expect(world.perform(.read(3), 0, on: link) == .success(.value(Self.long)))
        #expect(world.perform(.write(3, Self.long), 0, on: link) == .success(.written))
        let written = world.events.compactMap { event -> [ServerWrite]? in
            if case .writeRequested(_, _, let writes) = event.event { writes } else { nil }
        }
        #expect(written.last.map { $0.flatMap(\.value) } == Self.long)

        #expect(world.perform(.write(4, [1, 0]), 0, on: link) == .success(.written))
        world.put(.update(valueHandle: 3, [7, 8], on: there), 1)
        let notified = world.await(0) { event -> [UInt8]? in
            if case .value(link, handle: 3, let value, isIndication: false) = event { value } else { nil }
        }
        #expect(notified == [7, 8])
        #expect(world.perform(.write(7, [2, 0]), 0, on: link) == .success(.written))
        world.put(.update(valueHandle: 6, [9], on: there), 1)
        let confirmed = world.await(1) { event -> Bool? in
            if case .indicated(there, valueHandle: 6, let confirmed) = event { confirmed } else { nil }
        }
        #expect(confirmed == true)

        world.put(.disconnect(link), 0)
        let reason = world.await(0) { if case .disconnected(link, _, let why) = $0 { why } else { nil } }
        #expect(reason == .connectionTerminatedByLocalHost)
        let other = world.events.compactMap { event -> HostStatusOfEnd? in
            if event.host == 1, case .disconnected(there, _, let why) = event.event {
                HostStatusOfEnd(why)
            } else {
                nil
            }
        }
        #expect(other == [HostStatusOfEnd(.remoteUserTerminatedConnection)])
        let problems = world.events.filter { if case .problem = $0.event { true } else { false } }
        #expect(problems.isEmpty)
    }

    struct HostStatusOfEnd: Equatable {
        var status: HCIStatus
        init(_ status: HCIStatus) { self.status = status }
    }

    @Test func `1000 values without response all arrive, in order, whatever the buffers`() throws {
        for packets in [UInt8(1), 4] {
            var world = World(seed: 5)
            world.add(0xF1, controller: { $0.aclPacketCount = packets })
            world.add(0xC1)
            world.powerOn()
            world.put(.setDatabase(Self.database), 1)
            world.put(.startAdvertising(AdvertisingParameters()), 1)
            let (link, _) = try world.connect(0, to: 1)
            world.run(.seconds(1))
            var next = 0
            while next < 1000 {
                while next < 1000, world.hosts[0].canWriteCommand(on: link) {
                    let value = [UInt8(truncatingIfNeeded: next), UInt8(truncatingIfNeeded: next >> 8)]
                    world.put(.writeCommand(handle: 3, value, on: link), 0)
                    next += 1
                }
                guard next < 1000 else { break }
                let ready: Void? = world.await(0) {
                    if case .writeCommandReady(link) = $0 { () } else { nil }
                }
                guard ready != nil else {
                    Issue.record("never ready again")
                    return
                }
            }
            world.run(.seconds(60))
            let arrived = world.events.compactMap { event -> Int? in
                guard case .writeRequested(_, nil, let writes) = event.event, let value = writes.first?.value
                else { return nil }
                return Int(value[0]) | Int(value[1]) << 8
            }
            #expect(arrived == Array(0..<1000))
        }
    }

    @Test func `a car that goes out of reach is lost by the supervision timeout, and found again`() throws {
        var world = Self.world()
        let (link, _) = try world.connect(0, to: 1)
        world.put(.perform(.read(3), GATTToken(rawValue: 5), on: link), 0)
        world.air.separate(ControllerID(rawValue: 0), ControllerID(rawValue: 1))
        let start = world.now
        let reason = world.await(0) { if case .disconnected(link, _, let why) = $0 { why } else { nil } }
        #expect(reason == .connectionTimeout)
        #expect(start.duration(to: world.now) <= .milliseconds(4210))
        #expect(
            world.events.contains {
                if case .finished(link, GATTToken(rawValue: 5), .failure(.disconnected)) = $0.event {
                    true
                } else {
                    false
                }
            })
        world.air.rejoin(ControllerID(rawValue: 0), ControllerID(rawValue: 1))
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        let (again, _) = try world.connect(0, to: 1)
        #expect(again != link)
        #expect(world.perform(.read(3), 0, on: again) == .success(.value(Self.long)))
    }

    @Test func `a car whose application is silent costs the link after 30 seconds`() throws {
        var world = Self.world()
        world.answers[1] = nil
        let (link, _) = try world.connect(0, to: 1)
        world.run(.seconds(1))
        let start = world.now
        #expect(world.perform(.read(3), 0, on: link) == .failure(.timedOut))
        #expect(start.duration(to: world.now) == .seconds(30))
        let reason = world.await(0) { if case .disconnected(link, _, let why) = $0 { why } else { nil } }
        #expect(reason == .connectionTerminatedByLocalHost)
    }

    @Test func `a phone holds links to three cars and tells them apart`() throws {
        var world = World(seed: 9)
        world.add(0xF1)
        for car in 1...3 {
            world.add(0xC0 + UInt64(car))
            world.answers[car] = { event in
                guard case .readRequested(let link, let request, _, _) = event else { return [] }
                return [.answerRead(request, .success([UInt8(car)]), on: link)]
            }
        }
        world.powerOn()
        for car in 1...3 {
            world.put(.setDatabase(Self.database), car)
            world.put(.startAdvertising(AdvertisingParameters()), car)
            world.put(.connect(DeviceAddress(0xC0 + UInt64(car), .public)), 0)
        }
        world.run(.seconds(5))
        let links = world.hosts[0].openLinks
        #expect(links.count == 3)
        for link in links {
            let car = UInt8(truncatingIfNeeded: link.peer.value & 0xF)
            #expect(world.perform(.read(3), 0, on: link.id) == .success(.value([car])))
        }
    }

    @Test func `100 runs from one seed take one course`() throws {
        func course(_ seed: UInt64) throws -> [String] {
            var world = Self.world(seed: seed)
            let (link, there) = try world.connect(0, to: 1)
            _ = world.perform(.discoverServices(), 0, on: link)
            _ = world.perform(.write(4, [1, 0]), 0, on: link)
            world.put(.update(valueHandle: 3, [1], on: there), 1)
            _ = world.perform(.read(3), 0, on: link)
            world.put(.disconnect(link), 0)
            world.run(.seconds(5))
            return world.transcript
        }
        let first = try course(3)
        #expect(first.count > 12)
        for _ in 0..<100 { #expect(try course(3) == first) }
    }

    @Test func `a fork of the world has the same future, and does not touch the first`() throws {
        var world = Self.world()
        let (link, _) = try world.connect(0, to: 1)
        var fork = world
        #expect(fork.perform(.read(3), 0, on: link) == .success(.value(Self.long)))
        let before = world.events.count
        #expect(world.perform(.read(3), 0, on: link) == .success(.value(Self.long)))
        #expect(before < world.events.count)
        #expect(world.transcript == fork.transcript)
    }
}
