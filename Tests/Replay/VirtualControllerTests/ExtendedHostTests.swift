import BluetoothCore
import FoundationEssentials
import LEHost
import Runtime
import Testing
import VirtualController

typealias Version = ControllerConfiguration.Version

/// Hosts on controllers of several versions: they use what the controllers have.
@Suite struct ExtendedHostTests {
    /// A phone and a car that answers reads.
    static func world(
        seed: UInt64 = 1, phone: Version, car: Version, host: (inout HostConfiguration) -> Void = { _ in }
    ) -> World {
        var world = World(seed: seed)
        for (address, version) in [(UInt64(0xF1), phone), (0xC1, car)] {
            world.add(address) {
                $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: version)
            } host: {
                host(&$0)
            }
        }
        world.answers[1] = { event in
            switch event {
            case .readRequested(let link, let request, _, let offset):
                [.answerRead(request, .success(Array(WorldTests.long.dropFirst(offset))), on: link)]
            case .writeRequested(let link, let request?, _): [.answerWrite(request, nil, on: link)]
            default: []
            }
        }
        world.powerOn()
        world.put(.setDatabase(WorldTests.database), 1)
        return world
    }

    static func data(_ count: Int) -> [UInt8] {
        // Manufacturer data of a length that an AD structure can have, in as many structures as it takes.
        var octets: [UInt8] = []
        while octets.count < count {
            let length = min(255, count - octets.count - 1)
            octets += [UInt8(length), 0xFF] + [UInt8](repeating: 0x5A, count: length - 1)
        }
        return octets
    }

    static func heard(_ world: inout World) -> Advertisement? {
        world.await(0, within: .seconds(5)) { event in
            if case .advertisement(let one) = event, !one.isScanResponse { one } else { nil }
        }
    }

    static let pairs = Version.allCases.flatMap { phone in Version.allCases.map { (phone, $0) } }

    @Test(arguments: pairs)
    func `every version finds, connects to and uses every other`(phone: Version, car: Version) throws {
        var world = Self.world(phone: phone, car: car) { $0.requests2M = true }
        var advertising = AdvertisingParameters()
        advertising.data = [2, 1, 6]
        advertising.scanResponse = [4, 9, 0x43, 0x61, 0x72]
        world.put(.startAdvertising(advertising), 1)
        world.put(.startScanning(ScanParameters()), 0)
        let response = world.await(0) { event -> Advertisement? in
            if case .advertisement(let one) = event, one.isScanResponse { one } else { nil }
        }
        #expect(response?.data == advertising.scanResponse)
        let (link, there) = try world.connect(0, to: 1)
        #expect(world.perform(.read(3), 0, on: link) == .success(.value(WorldTests.long)))
        world.put(.disconnect(link), 0)
        world.run(.seconds(2))
        // The goal to advertise survives the connection.
        let (again, _) = try world.connect(0, to: 1)
        #expect(again != link && there == LinkID(rawValue: 1))
        world.put(.stopScanning, 0)
        world.put(.stopAdvertising, 1)
        world.run(.seconds(2))
        #expect(world.unknown.isEmpty)
        #expect(world.commands.contains(0x2043) == [.v50, .v53].contains(phone))
        #expect(world.commands.contains(0x2036) == [.v50, .v53].contains(car))
        #expect(!world.events.contains { if case .problem = $0.event { true } else { false } })
    }

    /// Of high and of low duty cycle; for one central, or for that and another that the initiator waits for.
    @Test(arguments: [1, 4] as [UInt8], [false, true])
    func `a device that advertises to a host alone is heard and connected to by no other`(
        kind: UInt8, waitsForAnother: Bool
    ) throws {
        for version in Version.allCases {
            var world = Self.world(phone: version, car: .v42)
            world.add(0xEE)
            world.put(.powerOn, 2)
            func call() {
                world.command(
                    LESetAdvertisingParameters {
                        $0.advertisingIntervalMin = 0x20
                        $0.advertisingIntervalMax = 0x20
                        $0.advertisingType = kind
                        $0.peerAddress = DeviceAddress(0xF1, .public)
                        $0.advertisingChannelMap = 7
                    }.packet, 1)
                world.command(LESetAdvertisingEnable { $0.advertisingEnable = 1 }.packet, 1)
            }
            for host in [0, 2] { world.put(.startScanning(ScanParameters()), host) }
            call()
            let heard = Self.heard(&world)
            #expect(heard?.isConnectable == true && heard?.data == [])
            world.put(.stopScanning, 0)
            world.run(.seconds(2))
            if waitsForAnother { world.put(.connect(DeviceAddress(0xC0FF_EE00_0009, .random)), 0) }
            for host in [2, 0] { world.put(.connect(DeviceAddress(0xC1, .public)), host) }
            call()
            let link = world.await(0) { if case .connected(let link) = $0 { link } else { nil } }
            #expect(link?.peer == DeviceAddress(0xC1, .public))
            world.run(.seconds(2))
            let stranger = world.events.filter { $0.host == 2 }.map(\.event)
            #expect(stranger.allSatisfy { if case .advertisement = $0 { false } else { true } })
            #expect(world.hosts[2].openLinks.isEmpty)
        }
    }

    @Test func `more than 31 bytes of data arrive whole, where both controllers can`() {
        var advertising = AdvertisingParameters()
        advertising.isConnectable = false
        for count in [32, 251, 252, 502, 503, 1650] {
            advertising.data = Self.data(count)
            var world = Self.world(phone: .v53, car: .v53)
            world.put(.startAdvertising(advertising), 1)
            world.put(.startScanning(ScanParameters()), 0)
            #expect(Self.heard(&world)?.data == advertising.data)
        }
        var world = Self.world(phone: .v42, car: .v53)
        world.put(.startAdvertising(advertising), 1)
        world.put(.startScanning(ScanParameters()), 0)
        #expect(Self.heard(&world) == nil)
        world = Self.world(phone: .v53, car: .v42)
        world.put(.startAdvertising(advertising), 1)
        let refused = world.await(1) { event -> HCIStatus? in
            if case .advertisingFailed(let status) = event { status } else { nil }
        }
        #expect(refused == .invalidHCICommandParameters)
    }

    @Test func `a device with long data is connected to, and shorter data follow`() throws {
        var advertising = AdvertisingParameters()
        advertising.data = Self.data(40)
        advertising.scanResponse = [4, 9, 0x43, 0x61, 0x72]
        var world = Self.world(phone: .v53, car: .v53) {
            $0.staticAddress = DeviceAddress(0xC000_0000_0000, .random)
        }
        world.put(.startAdvertising(advertising), 1)
        world.put(.startScanning(ScanParameters()), 0)
        let seen = Self.heard(&world)
        #expect(seen?.data == advertising.data + advertising.scanResponse)
        #expect(seen?.isConnectable == true)
        #expect(seen?.address == DeviceAddress(0xC000_0000_0000, .random))
        world.put(.stopAdvertising, 1)
        advertising.data = [2, 1, 6]
        world.put(.startAdvertising(advertising), 1)
        world.unread = world.events.count
        #expect(Self.heard(&world)?.data == advertising.data)
        _ = try world.connect(0, to: 1)
        #expect(!world.events.contains { if case .problem = $0.event { true } else { false } })
    }

    @Test func `unfinished data of many advertisers are kept within a bound`() {
        var world = Self.world(phone: .v53, car: .v40)
        world.put(.startScanning(ScanParameters()), 0)
        func report(_ device: Int, _ type: UInt16, _ data: [UInt8]) -> HCIPacket {
            HCIPacket(
                .event,
                LEExtendedAdvertisingReport {
                    $0.reports = [
                        LEExtendedAdvertisingReportItem {
                            $0.eventType = type
                            $0.address = DeviceAddress(UInt64(device), .public)
                            $0.data = data
                        }
                    ]
                }.packet)
        }
        var events: [HostEvent] = []
        func take(_ packet: HCIPacket) {
            for effect in world.hosts[0].handle(.packet(packet), at: world.now) {
                if case .event(let event) = effect { events.append(event) }
            }
        }
        let part = [UInt8](repeating: 1, count: 229)
        for device in 1...17 { take(report(device, 0x20, part)) }
        for _ in 0..<20 { take(report(17, 0x20, part)) }
        #expect(events.isEmpty)
        for device in [1, 17] { take(report(device, 0, [2])) }
        let data = events.compactMap { if case .advertisement(let one) = $0 { one.data } else { nil } }
        // The first made room for the last, which sent more than can be.
        #expect(data.map(\.count) == [1, 1650])
    }

    @Test func `both are told of the data length and the PHY that they agree on`() throws {
        var world = Self.world(phone: .v53, car: .v53) { $0.requests2M = true }
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        _ = try world.connect(0, to: 1)
        world.run(.seconds(2))
        for host in 0..<2 {
            let told = world.events.filter { $0.host == host }.map(\.event)
            let link = try #require(world.hosts[host].openLinks.first).id
            #expect(told.contains(.dataLengthChanged(link, tx: 251, rx: 251)))
            #expect(told.contains(.phyChanged(link, .success, tx: .le2M, rx: .le2M)))
        }
        world = Self.world(phone: .v53, car: .v53) { $0.requestsDataLength = false }
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        _ = try world.connect(0, to: 1)
        world.run(.seconds(2))
        for event in world.events {
            switch event.event {
            case .dataLengthChanged, .phyChanged: Issue.record("\(event)")
            default: break
            }
        }
    }

    /// How a wish of a host for other parameters ends: what each side is told.
    static func ask(
        _ host: Int, phone: Version, car: Version, rules: ConnectionParameters.Rules = .specification
    ) throws -> (told: [HCIStatus], intervals: [UInt16], commands: Set<UInt16>) {
        var world = world(phone: phone, car: car) { $0.rules = rules }
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        let (link, there) = try world.connect(0, to: 1)
        world.run(.seconds(1))
        let wish = ConnectionParameters(intervalMin: 50, intervalMax: 60, latency: 0, timeout: 300)
        world.unread = world.events.count
        world.put(.updateParameters(wish, on: host == 0 ? link : there), host)
        world.run(.seconds(5))
        let told = world.events[world.unread...].compactMap { one -> HCIStatus? in
            guard one.host == host, case .parametersChanged(_, let status, _, _, _) = one.event else {
                return nil
            }
            return status
        }
        #expect(world.unknown.isEmpty)
        return (told, world.hosts.map { $0.openLinks.first?.intervalUnits ?? 0 }, world.commands)
    }

    @Test(arguments: pairs)
    func `either side gets other parameters, whatever the controllers have`(
        phone: Version, car: Version
    ) throws {
        for host in 0..<2 {
            let outcome = try Self.ask(host, phone: phone, car: car)
            #expect(outcome.told == [.success])
            #expect(outcome.intervals == [50, 50])
        }
    }

    @Test func `a peripheral that may not have them is told so by either way`() throws {
        for phone in [Version.v40, .v42] {
            let outcome = try Self.ask(1, phone: phone, car: .v42, rules: .apple)
            #expect(outcome.told == [.unacceptableConnectionParameters])
            #expect(outcome.intervals == [24, 24])
            // By the host's answer to L2CAP, or to its controller.
            #expect(outcome.commands.contains(0x2021) == (phone == .v42))
        }
    }

    @Test func `parameters that no controller accepts are not asked for`() throws {
        var world = Self.world(phone: .v42, car: .v42)
        world.put(.startAdvertising(AdvertisingParameters()), 1)
        let (link, _) = try world.connect(0, to: 1)
        let wish = ConnectionParameters(intervalMin: 60, intervalMax: 50, latency: 0, timeout: 300)
        world.put(.updateParameters(wish, on: link), 0)
        let told = world.events.last?.event
        guard case .parametersChanged(link, .invalidHCICommandParameters, 24, 0, 420) = told else {
            Issue.record("\(String(describing: told))")
            return
        }
    }

    @Test func `one seed gives one session, with losses and delays too`() throws {
        func run(_ seed: UInt64) throws -> [String] {
            var world = World(seed: seed)
            for address in [UInt64(0xF1), 0xC1] {
                world.add(address) {
                    $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: .v53)
                    $0.hostLatency = .milliseconds(3)
                }
            }
            for host in 0..<2 { world.put(.powerOn, host) }
            world.run(.seconds(1))
            #expect(world.hosts.allSatisfy { $0.state == .ready })
            var path = RadioPath(rssi: -80)
            path.variation = 8
            path.lossPerMille = 200
            world.air.setPath(path, between: ControllerID(rawValue: 0), and: ControllerID(rawValue: 1))
            var advertising = AdvertisingParameters()
            advertising.isConnectable = true
            advertising.data = Self.data(60)
            world.put(.startAdvertising(advertising), 1)
            world.put(.startScanning(ScanParameters()), 0)
            world.run(.seconds(1))
            world.put(.connect(DeviceAddress(0xC1, .public)), 0)
            world.run(.seconds(20))
            return world.transcript
        }
        let first = try run(7)
        #expect(first.count > 30)
        #expect(try run(7) == first)
        #expect(try run(8) != first)
    }

    // MARK: Commands that the host sends

    static let sent: [any HCICommand.Type] = [
        HCIReset.self, HCIReadLocalVersionInformation.self, HCIReadBDADDR.self,
        HCIReadLocalSupportedFeatures.self, HCIReadLocalSupportedCommands.self, HCISetEventMask.self,
        HCISetEventMaskPage2.self, HCIDisconnect.self, HCIReadRSSI.self, LESetEventMask.self,
        LEReadLocalSupportedFeatures.self, LEReadBufferSize.self, LEReadFilterAcceptListSize.self,
        LESetRandomAddress.self, LEReadMaximumDataLength.self, LEWriteSuggestedDefaultDataLength.self,
        LEReadMaximumAdvertisingDataLength.self, LESetScanParameters.self, LESetScanEnable.self,
        LESetExtendedScanParameters.self, LESetExtendedScanEnable.self, LESetAdvertisingParameters.self,
        LESetAdvertisingData.self, LESetScanResponseData.self, LESetAdvertisingEnable.self,
        LEClearAdvertisingSets.self, LESetExtendedAdvertisingParameters.self,
        LESetAdvertisingSetRandomAddress.self, LESetExtendedAdvertisingData.self,
        LESetExtendedScanResponseData.self, LESetExtendedAdvertisingEnable.self,
        LEClearFilterAcceptList.self, LEAddDeviceToFilterAcceptList.self, LECreateConnection.self,
        LEExtendedCreateConnection.self, LECreateConnectionCancel.self, LEConnectionUpdate.self,
        LERemoteConnectionParameterRequestReply.self, LERemoteConnectionParameterRequestNegativeReply.self,
        LESetPHY.self, LEEnableEncryption.self, LELongTermKeyRequestReply.self,
        LELongTermKeyRequestNegativeReply.self, LESetResolvablePrivateAddressTimeout.self,
        LESetAddressResolutionEnable.self, LEAddDeviceToResolvingList.self,
        LERemoveDeviceFromResolvingList.self, LEClearResolvingList.self, LEReadResolvingListSize.self,
        LESetPrivacyMode.self,
    ]

    @Test func `every command that the host's sources send is known to a controller`() throws {
        for type in Self.sent {
            var air = AirHarness {
                $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: .v53)
                $0.resolvingListSize = 8
            }
            let opcode = type.opcode.rawValue
            air.send(HCIPacket(.command, [UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0]), air.phone)
            let answer = try #require(air.told(air.phone).first).octets
            let status = answer[0] == 0x0F ? answer[2] : answer[5]
            #expect(status != HCIStatus.unknownHCICommand.rawValue, "\(type)")
        }
        // BR/EDR's host support and buffers concern controllers that have BR/EDR, too.
        let known = Set(Self.sent.map { "\($0)" } + ["HCIWriteLEHostSupport", "HCIReadBufferSize"])
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Stack/LEHost").standardizedFileURL.path
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var found: Set<String> = []
        let pattern = try Regex(
            "send\\(\\s*((?!HCIPacket)(?:HCI|LE)[A-Z]\\w+)", as: (Substring, Substring).self)
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            for match in text.matches(of: pattern) { found.insert(String(match.1)) }
        }
        #expect(found.count > 35)
        #expect(found.subtracting(known).isEmpty)
    }
}
