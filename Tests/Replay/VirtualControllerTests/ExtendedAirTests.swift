import BluetoothCore
import Runtime
import Testing
import VirtualController

/// Advertising sets, extended scanning and extended connecting.
@Suite struct ExtendedAirTests {
    static func harness(
        seed: UInt64 = 1, _ configure: (inout ControllerConfiguration) -> Void = { _ in }
    ) -> AirHarness {
        var air = AirHarness(seed: seed) {
            $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: .v53)
            configure(&$0)
        }
        for controller in [air.phone, air.car] {
            air.command(controller, LESetEventMask { $0.leEventMask = 0xFFFFF })
        }
        return air
    }

    /// Non-connectable extended advertising at 20 ms.
    static var parameters: LESetExtendedAdvertisingParameters {
        LESetExtendedAdvertisingParameters {
            $0.primaryAdvertisingIntervalMin = 0x20
            $0.primaryAdvertisingIntervalMax = 0x20
            $0.primaryAdvertisingChannelMap = 7
            $0.advertisingTxPower = 127
            $0.advertisingSID = 5
        }
    }

    static func enable(duration: UInt16 = 0, events: UInt8 = 0) -> LESetExtendedAdvertisingEnable {
        LESetExtendedAdvertisingEnable {
            $0.enable = 1
            $0.sets = [
                LEAdvertisingSetDuration {
                    $0.duration = duration
                    $0.maxExtendedAdvertisingEvents = events
                }
            ]
        }
    }

    static func data(_ operation: UInt8, _ data: [UInt8]) -> LESetExtendedAdvertisingData {
        LESetExtendedAdvertisingData {
            $0.operation = operation
            $0.advertisingData = data
        }
    }

    static func scan(
        _ air: inout AirHarness, phys: LEPHYs = .le1M, active: Bool = false,
        _ change: (inout LESetExtendedScanEnable) -> Void = { _ in }
    ) {
        let status = air.command(
            air.phone,
            LESetExtendedScanParameters {
                $0.scanningPHYs = phys
                $0.phys = Array(
                    repeating: LEScanningPHYParameters {
                        $0.scanType = active ? 1 : 0
                        $0.scanInterval = 0x10
                        $0.scanWindow = 0x10
                    }, count: phys.rawValue.nonzeroBitCount)
            })
        #expect(status == .success)
        var enable = LESetExtendedScanEnable { $0.enable = 1 }
        change(&enable)
        #expect(air.command(air.phone, enable) == .success)
    }

    static func reports(_ air: inout AirHarness) -> [LEExtendedAdvertisingReportItem] {
        air.events(air.phone, LEExtendedAdvertisingReport.self).flatMap(\.reports)
    }

    @Test func `legacy and extended commands are not mixed between two resets`() {
        var air = Self.harness()
        let legacy = LESetScanEnable()
        let extended = LESetExtendedScanEnable()
        #expect(air.command(air.phone, legacy) == .success)
        #expect(air.command(air.phone, extended) == .commandDisallowed)
        #expect(air.command(air.phone, LEReadNumberOfSupportedAdvertisingSets()) == .commandDisallowed)
        air.command(air.phone, HCIReset())
        #expect(air.command(air.phone, extended) == .success)
        #expect(air.command(air.phone, legacy) == .commandDisallowed)
        #expect(air.command(air.phone, AirHarness.createConnection) == .commandDisallowed)
        // Ending an attempt belongs to both.
        #expect(air.command(air.phone, LECreateConnectionCancel()) == .commandDisallowed)
        #expect(air.command(air.phone, LECreateConnectionCancel()) == .commandDisallowed)
    }

    @Test(arguments: ControllerConfiguration.Version.allCases)
    func `a controller knows the commands of its version, and says which`(
        version: ControllerConfiguration.Version
    ) throws {
        var air = AirHarness {
            $0 = ControllerConfiguration(publicAddress: $0.publicAddress, version: version)
        }
        func knows(_ status: HCIStatus?) -> Bool { status != .unknownHCICommand }
        let has42 = version != .v40
        let has5 = has42 && version != .v42
        #expect(knows(air.command(air.phone, LEReadMaximumDataLength())) == has42)
        #expect(knows(air.command(air.phone, LERemoteConnectionParameterRequestReply())) == has42)
        #expect(knows(air.command(air.phone, HCIReadAuthenticatedPayloadTimeout())) == has42)
        #expect(knows(air.command(air.phone, LEReadPHY())) == has5)
        #expect(knows(air.command(air.phone, LEClearAdvertisingSets())) == has5)
        air.send(HCIPacket(.command, HCIReadLocalSupportedCommands().packet), air.phone)
        let answer = try #require(air.told(air.phone).last).octets.dropFirst(6)
        let commands = Array(answer)
        #expect(commands.count == 64)
        #expect(commands[26] == 0xFF)
        #expect(commands[33] == (has42 ? 0xF0 : 0))
        #expect(commands[36] == (has5 ? 0xFE : 0))
        #expect(commands[37] == (has5 ? 0xE3 : 0))
        air.send(HCIPacket(.command, HCIReadLocalVersionInformation().packet), air.phone)
        #expect(air.told(air.phone).last?.octets[6] == version.rawValue)
    }

    @Test func `parameters of a set that are out of range or don't go together are refused`() {
        var air = Self.harness()
        for change: @Sendable (inout LESetExtendedAdvertisingParameters) -> Void in [
            { $0.advertisingHandle = 0xF0 }, { $0.primaryAdvertisingIntervalMin = 0x1F },
            { $0.primaryAdvertisingIntervalMax = 0x1F }, { $0.primaryAdvertisingChannelMap = 0 },
            { $0.ownAddressType = 4 }, { $0.advertisingFilterPolicy = 4 }, { $0.advertisingTxPower = 21 },
            // Connectable and scannable, high duty cycle, and anonymous and connectable.
            { $0.advertisingEventProperties = 0x03 }, { $0.advertisingEventProperties = 0x0D },
            { $0.advertisingEventProperties = 0x21 }, { $0.advertisingEventProperties = 0x80 },
            // Legacy PDUs that don't exist.
            { $0.advertisingEventProperties = 0x11 }, { $0.primaryAdvertisingPHY = .le2M },
            { $0.secondaryAdvertisingPHY = LEPHY(rawValue: 0) }, { $0.advertisingSID = 16 },
        ] {
            var wish = Self.parameters
            change(&wish)
            #expect(air.command(air.car, wish) == .invalidHCICommandParameters, "\(wish)")
        }
        for handle in 0..<UInt8(4) {
            var wish = Self.parameters
            wish.advertisingHandle = handle
            #expect(air.command(air.car, wish) == .success)
        }
        var fifth = Self.parameters
        fifth.advertisingHandle = 4
        #expect(air.command(air.car, fifth) == .memoryCapacityExceeded)
        #expect(air.command(air.car, LERemoveAdvertisingSet { $0.advertisingHandle = 3 }) == .success)
        #expect(air.command(air.car, fifth) == .success)
        #expect(
            air.command(air.car, LERemoveAdvertisingSet { $0.advertisingHandle = 3 })
                == .unknownAdvertisingIdentifier)
    }

    @Test func `a PHY that the controller does not have is unsupported`() {
        var air = Self.harness { $0.features.remove([.leCodedPHY]) }
        var wish = Self.parameters
        wish.primaryAdvertisingPHY = .leCoded
        #expect(air.command(air.car, wish) == .unsupportedFeatureOrParameterValue)
        let scan = LESetExtendedScanParameters {
            $0.scanningPHYs = .leCoded
            $0.phys = [
                LEScanningPHYParameters {
                    $0.scanInterval = 4
                    $0.scanWindow = 4
                }
            ]
        }
        #expect(air.command(air.phone, scan) == .unsupportedFeatureOrParameterValue)
    }

    @Test func `data come whole or in fragments, and a set with half of them is not enabled`() {
        var air = Self.harness { $0.maxAdvertisingDataLength = 500 }
        let part = [UInt8](repeating: 7, count: 251)
        #expect(air.command(air.car, Self.data(3, [1])) == .unknownAdvertisingIdentifier)
        #expect(air.command(air.car, Self.enable()) == .unknownAdvertisingIdentifier)
        #expect(air.command(air.car, Self.parameters) == .success)
        #expect(air.command(air.car, Self.data(0, part)) == .commandDisallowed)
        #expect(air.command(air.car, Self.data(1, [])) == .invalidHCICommandParameters)
        #expect(air.command(air.car, Self.data(5, part)) == .invalidHCICommandParameters)
        #expect(air.command(air.car, Self.data(1, part)) == .success)
        #expect(air.command(air.car, Self.enable()) == .commandDisallowed)
        #expect(air.command(air.car, Self.data(2, part)) == .memoryCapacityExceeded)
        #expect(air.command(air.car, Self.data(1, part)) == .success)
        #expect(air.command(air.car, Self.data(2, [8])) == .success)
        #expect(air.command(air.car, Self.enable()) == .success)
        #expect(air.command(air.car, Self.data(1, part)) == .commandDisallowed)
        #expect(air.command(air.car, Self.parameters) == .commandDisallowed)
        #expect(air.command(air.car, LEClearAdvertisingSets()) == .commandDisallowed)
        #expect(air.command(air.car, LESetExtendedAdvertisingEnable()) == .success)
        // What is there is too long for legacy PDUs.
        var legacy = Self.parameters
        legacy.advertisingEventProperties = 0x13
        #expect(air.command(air.car, legacy) == .invalidHCICommandParameters)
        #expect(air.command(air.car, LEClearAdvertisingSets()) == .success)
        #expect(air.command(air.car, legacy) == .success)
        #expect(air.command(air.car, Self.data(1, [1])) == .invalidHCICommandParameters)
        #expect(
            air.command(air.car, Self.data(3, [UInt8](repeating: 0, count: 32)))
                == .invalidHCICommandParameters)
    }

    @Test func `connectable advertising has one packet for its data`() {
        var air = Self.harness()
        var wish = Self.parameters
        wish.advertisingEventProperties = 1
        #expect(air.command(air.car, wish) == .success)
        #expect(air.command(air.car, Self.data(3, [UInt8](repeating: 7, count: 246))) == .success)
        #expect(air.command(air.car, Self.enable()) == .packetTooLong)
        #expect(air.command(air.car, Self.data(3, [UInt8](repeating: 7, count: 245))) == .success)
        #expect(air.command(air.car, Self.enable()) == .success)
    }

    @Test func `long data are reported in parts, and only to who scans by extended commands`() {
        var air = Self.harness()
        let whole = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
        air.command(air.car, Self.parameters)
        air.command(air.car, Self.data(1, Array(whole[..<251])))
        air.command(air.car, Self.data(2, Array(whole[251...])))
        #expect(air.command(air.car, Self.enable()) == .success)
        Self.scan(&air)
        air.wait(.milliseconds(20))
        let reports = Self.reports(&air)
        #expect(reports.map(\.eventType) == [0x20, 0x20, 0])
        #expect(reports.flatMap(\.data) == whole)
        #expect(reports.allSatisfy { $0.advertisingSID == 5 && $0.secondaryPHY == .le1M && $0.rssi == -60 })
        air.command(air.phone, HCIReset())
        air.unmask()
        #expect(air.command(air.phone, LESetScanEnable { $0.leScanEnable = 1 }) == .success)
        air.wait(.seconds(1))
        #expect(air.told(air.phone).isEmpty)
    }

    @Test func `legacy PDUs are reported as such, with their scan response`() {
        var air = Self.harness()
        air.advertise()
        Self.scan(&air, active: true) { $0.filterDuplicates = 1 }
        air.wait(.seconds(1))
        let reports = Self.reports(&air)
        #expect(reports.map(\.eventType) == [0x13, 0x1B])
        #expect(reports.map(\.data) == [octets("020106"), octets("0409434152")])
        #expect(reports.allSatisfy { $0.advertisingSID == 0xFF && $0.secondaryPHY.rawValue == 0 })
    }

    @Test func `a scannable set answers scan requests, and tells its host if asked to`() {
        var air = Self.harness()
        var wish = Self.parameters
        wish.advertisingEventProperties = 2
        wish.scanRequestNotificationEnable = 1
        air.command(air.car, wish)
        #expect(air.command(air.car, Self.data(3, [1])) == .invalidHCICommandParameters)
        #expect(air.command(air.car, Self.enable()) == .commandDisallowed)
        let response = LESetExtendedScanResponseData {
            $0.operation = 3
            $0.scanResponseData = [9, 9]
        }
        #expect(air.command(air.car, response) == .success)
        #expect(air.command(air.car, Self.enable()) == .success)
        Self.scan(&air, active: true) { $0.filterDuplicates = 1 }
        air.wait(.seconds(1))
        let reports = Self.reports(&air)
        #expect(reports.map(\.eventType) == [2, 0x0A])
        #expect(reports.map(\.data) == [[], [9, 9]])
        let requests = air.events(air.car, LEScanRequestReceived.self)
        #expect(requests.first?.scannerAddress == AirHarness.phoneAddress)
    }

    @Test func `new data pass the filter of duplicates`() {
        var air = Self.harness()
        air.command(air.car, Self.parameters)
        air.command(air.car, Self.data(3, [1]))
        air.command(air.car, Self.enable())
        Self.scan(&air) { $0.filterDuplicates = 1 }
        air.wait(.seconds(1))
        #expect(Self.reports(&air).map(\.data) == [[1]])
        air.command(air.car, Self.data(3, [2]))
        air.wait(.seconds(1))
        #expect(Self.reports(&air).map(\.data) == [[2]])
    }

    @Test func `a set ends after its duration or its events`() {
        var air = Self.harness()
        air.command(air.car, Self.parameters)
        #expect(air.command(air.car, Self.enable(duration: 100)) == .success)
        air.wait(.milliseconds(990))
        #expect(air.told(air.car).isEmpty)
        air.wait(.milliseconds(10))
        let timed = air.events(air.car, LEAdvertisingSetTerminated.self)
        #expect(timed.map(\.status) == [.advertisingTimeout])
        #expect(air.command(air.car, Self.enable(events: 3)) == .success)
        Self.scan(&air)
        air.wait(.seconds(1))
        let limited = air.events(air.car, LEAdvertisingSetTerminated.self)
        #expect(limited.map(\.status) == [.limitReached])
        #expect(limited.map(\.numCompletedExtendedAdvertisingEvents) == [3])
        #expect(Self.reports(&air).count == 3)
    }

    @Test func `scanning ends after its duration, or comes back in each period`() {
        var air = Self.harness()
        air.command(air.car, Self.parameters)
        air.command(air.car, Self.enable())
        Self.scan(&air) { $0.duration = 50 }
        air.wait(.seconds(2))
        let told = air.told(air.phone)
        #expect(told.last?.octets == octets("3E 01 11"))
        #expect((16...26).contains(told.count))
        Self.scan(&air) {
            $0.filterDuplicates = 2
            $0.duration = 50
            $0.period = 1
        }
        air.wait(.milliseconds(1280 * 4))
        #expect(Self.reports(&air).count == 4)
        for wrong: @Sendable (inout LESetExtendedScanEnable) -> Void in [
            { $0.filterDuplicates = 2 }, { $0.filterDuplicates = 3 }, { $0.period = 1 },
            {
                $0.duration = 128
                $0.period = 1
            },
        ] {
            var enable = LESetExtendedScanEnable { $0.enable = 1 }
            wrong(&enable)
            #expect(air.command(air.phone, enable) == .invalidHCICommandParameters, "\(enable)")
        }
    }

    static var createConnection: LEExtendedCreateConnection {
        LEExtendedCreateConnection {
            $0.peerAddress = AirHarness.carAddress
            $0.initiatingPHYs = [.le1M, .le2M]
            $0.phys = [UInt16(24), 48].map { interval in
                LEInitiatingPHYParameters {
                    $0.scanInterval = 0x60
                    $0.scanWindow = 0x30
                    $0.connectionIntervalMin = interval
                    $0.connectionIntervalMax = interval
                    $0.supervisionTimeout = 100
                }
            }
        }
    }

    @Test func `a connection begins on the advertiser's secondary PHY, with the parameters for it`() {
        var air = Self.harness()
        var wish = Self.parameters
        wish.advertisingEventProperties = 1
        wish.secondaryAdvertisingPHY = .le2M
        air.command(air.car, wish)
        air.command(air.car, Self.enable())
        var onlyTwo = Self.createConnection
        onlyTwo.initiatingPHYs = .le2M
        onlyTwo.phys = [onlyTwo.phys[1]]
        #expect(air.command(air.phone, onlyTwo) == .invalidHCICommandParameters)
        #expect(air.command(air.phone, Self.createConnection) == .success)
        air.wait(.milliseconds(40))
        let made = air.events(air.phone, LEEnhancedConnectionComplete.self)
        #expect(made.map(\.connectionInterval) == [48])
        let told = air.told(air.car)
        #expect(told.map { $0.octets[2] } == [0x0A, 0x12], "the connection, then the end of the set")
        air.send(HCIPacket(.command, LEReadPHY { $0.connectionHandle = 0x40 }.packet), air.phone)
        #expect(air.told(air.phone).map(\.octets) == [octets("0E 08 01 3020 00 4000 02 02")])
    }

    @Test func `an initiator without extended commands does not connect to extended advertising`() {
        var air = Self.harness()
        var wish = Self.parameters
        wish.advertisingEventProperties = 1
        air.command(air.car, wish)
        air.command(air.car, Self.enable())
        #expect(air.command(air.phone, AirHarness.createConnection) == .success)
        air.wait(.seconds(5))
        #expect(air.air.openLinks == 0)
    }

    @Test func `a set with a random address of its own is known by it`() {
        var air = Self.harness()
        var wish = Self.parameters
        wish.ownAddressType = 1
        air.command(air.car, wish)
        #expect(air.command(air.car, Self.enable()) == .invalidHCICommandParameters)
        let own = DeviceAddress(0xC000_0000_0001, .random)
        #expect(
            air.command(air.car, LESetAdvertisingSetRandomAddress { $0.randomAddress = own }) == .success)
        #expect(air.command(air.car, Self.enable()) == .success)
        Self.scan(&air) { $0.filterDuplicates = 1 }
        air.wait(.seconds(1))
        #expect(Self.reports(&air).map(\.address) == [own])
    }

    @Test(arguments: [false, true])
    func `the air is told that scanning begins, and that it ends`(isExtended: Bool) throws {
        var core = ControllerCore(
            ControllerConfiguration(publicAddress: AirHarness.carAddress, version: .v53))
        var random = SplitMix(state: 1)
        var told: [Bool] = []
        for enable in [UInt8(1), 0] {
            let (opcode, packet) =
                isExtended
                ? (LESetExtendedScanEnable.opcode, LESetExtendedScanEnable { $0.enable = enable }.packet)
                : (LESetScanEnable.opcode, LESetScanEnable { $0.leScanEnable = enable }.packet)
            _ = try core.perform(opcode, Array(packet.dropFirst(3)), at: .zero, &random)
            if case .scanning = core.change { told.append(core.scanning.isEnabled) }
        }
        #expect(told == [true, false])
    }
}
