import BluetoothCore
import Testing

@testable import LEHost

/// What the SIG's test suite of the Generic Access Profile asks for beside what other tests hold;
/// docs/stack.md has the ids.
@Suite struct ConformanceGAPTests {
    @Test(
        arguments: [
            (true, [], 0), (false, [], 3), (false, [2, 0x0A, 4], 2),
        ] as [(Bool, [UInt8], UInt8)])
    func `whether centrals may connect, and may ask for more, is in what is advertised`(
        isConnectable: Bool, scanResponse: [UInt8], type: UInt8
    ) throws {
        var harness = HostHarness()
        harness.bringUp()
        var parameters = AdvertisingParameters()
        parameters.isConnectable = isConnectable
        parameters.scanResponse = scanResponse
        parameters.data = [2, 1, 6]
        harness.put(.startAdvertising(parameters))
        var sent: [HCIOpcode: [UInt8]] = [:]
        while let command = harness.takeSent().first {
            let opcode = HCIOpcode(rawValue: UInt16(command.octets[0]) | UInt16(command.octets[1]) << 8)
            sent[opcode] = command.octets
            harness.complete(opcode)
        }
        // Behind opcode, length and two intervals.
        #expect(sent[LESetAdvertisingParameters.opcode]?[7] == type)
        #expect(sent[LESetAdvertisingData.opcode]?[3..<7] == [3, 2, 1, 6])
        #expect(sent[LESetScanResponseData.opcode]?[3] == UInt8(scanResponse.count))
        #expect(harness.takeEvents().last == .advertising(true))
    }

    @Test(arguments: [false, true])
    func `an observer hears broadcasters and connects to none, with scan responses if it asks for them`(
        isActive: Bool
    ) throws {
        var harness = HostHarness()
        harness.bringUp()
        var parameters = ScanParameters()
        parameters.isActive = isActive
        harness.put(.startScanning(parameters))
        var sent: [HCIOpcode: [UInt8]] = [:]
        while let command = harness.takeSent().first {
            let opcode = HCIOpcode(rawValue: UInt16(command.octets[0]) | UInt16(command.octets[1]) << 8)
            sent[opcode] = command.octets
            harness.complete(opcode)
        }
        #expect(sent[LESetScanParameters.opcode]?[3] == (isActive ? 1 : 0))
        _ = harness.takeEvents()
        // Broadcasts that can't be connected to: with and without a scan response.
        var kinds: [(type: UInt8, data: [UInt8])] = [(3, octets("02 01 04")), (2, octets("03 FF 34 12"))]
        if isActive { kinds.append((4, octets("03 09 41 42"))) }
        for (type, data) in kinds {
            var report = LEAdvertisingReport()
            report.reports = [
                LEAdvertisingReportItem {
                    $0.eventType = type
                    $0.addressType = 1
                    $0.address = HostHarness.car
                    $0.data = data
                    $0.rssi = -40
                }
            ]
            harness.event(report.packet)
        }
        let heard = harness.takeEvents().compactMap { event -> Advertisement? in
            if case .advertisement(let heard) = event { heard } else { nil }
        }
        #expect(heard.map(\.data) == kinds.map(\.data))
        #expect(heard.map(\.isScanResponse) == kinds.map { $0.type == 4 })
        #expect(heard.allSatisfy { !$0.isConnectable && $0.address == HostHarness.car && $0.rssi == -40 })
        #expect(harness.takeSent().isEmpty)
    }

    @Test func `a peripheral answers its central's Link Layer, and refuses what only a central decides`()
        throws
    {
        var both = try PeripheralHarness(SecurityPolicy())
        for (maximum, opcode) in [(UInt16(40), UInt8(0x20)), (3201, 0x21)] {
            both.harness.event(
                LERemoteConnectionParameterRequest {
                    $0.connectionHandle = 0x40
                    $0.intervalMin = 24
                    $0.intervalMax = maximum
                    $0.timeout = 420
                }.packet)
            #expect(both.harness.takeSent().map { $0.octets[0] } == [opcode])
            both.harness.complete(HCIOpcode(rawValue: UInt16(opcode) | 0x2000), [0, 0x40, 0])
        }
        both.harness.data(0x40, .leSignalling, "12 05 0800 1000 2000 0000 C800")
        both.harness.expect([octets("4000 0A00 0600 0500 01 05 0200 0000")])
    }
}
