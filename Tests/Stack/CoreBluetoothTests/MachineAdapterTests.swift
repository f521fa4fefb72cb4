import Adapters
import BluetoothCore
import CoreBluetooth
import Foundation
import LEHost
import Runtime
import TestSupport
import Testing
import VirtualController

/// Code written for iOS, which names no adapter, on one that BLECAP_ADAPTER names. Each test is a process of
/// its own: the machine's adapter is looked for once.
@Suite struct MachineAdapterTests {
    /// A device at a socket: a host that advertises, and a controller for whoever comes.
    final class Device: Sendable {
        let time = RealTime()
        let listener: HCIListener
        private let runner: HostRunner

        init(_ place: AdapterAddress) throws {
            let time = time
            let radio = VirtualRadio(seed: 1, scheduler: time)
            let own = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xD1, .public)))
            let other = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xA1, .public)))
            runner = HostRunner(
                LEHost(), transport: RadioEnd(radio, own), scheduler: time
            ) { _ in }
            listener = try place.listen(time) { stream in
                radio.attach(other) { packet in try? stream.send(packet) }
                try? stream.open { radio.send($0, from: other) }
            }
            try runner.open()
            runner.put(.powerOn)
            var parameters = AdvertisingParameters()
            parameters.data = [2, 1, 6, 4, 9] + Array("dev".utf8)
            runner.put(.startAdvertising(parameters))
            time.start()
        }
    }

    /// A manager that scans as an application does, on its own queue.
    final class Scanner: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
        let found = DispatchSemaphore(value: 0)
        private(set) var names: [String] = []
        private(set) var states: [CBManagerState] = []

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            states.append(central.state)
            if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
            if central.state == .unsupported { found.signal() }
        }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any], rssi: NSNumber
        ) {
            names.append(advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "?")
            found.signal()
        }
    }

    @Test(.process) func `a plain program scans over the adapter that the environment names`() async {
        await #expect(processExitsWith: .success) {
            let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
            let device = try Device(.unix(path))
            unsafe setenv("BLECAP_ADAPTER", "unix:\(path)", 1)
            unsafe setenv("XDG_STATE_HOME", "\(path).state", 1)
            let scanner = Scanner()
            let manager = CBCentralManager(delegate: scanner, queue: DispatchQueue(label: "app"))
            let isFound = scanner.found.wait(timeout: .now() + 600) == .success
            device.listener.close()
            withExtendedLifetime(manager) {}
            guard isFound, scanner.names.first == "dev" else { exit(1) }
        }
    }

    @Test(.process) func `a misuse on the machine's adapter is a line on standard error`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
            // Nobody answers, so that the manager is never powered on.
            let listener = try AdapterAddress.unix(path).listen(RealTime()) { _ in }
            unsafe setenv("BLECAP_ADAPTER", "unix:\(path)", 1)
            unsafe setenv("XDG_STATE_HOME", "\(path).state", 1)
            let manager = CBCentralManager(delegate: nil, queue: DispatchQueue(label: "app"))
            manager.stopScan()
            manager.stopScan()
            listener.close()
        }
        let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let line = "CoreBluetooth: API MISUSE: stopScan can only be used while in the powered on state"
        #expect(said.split(separator: "\n").filter { $0 == line }.count == 1)
    }

    @Test(.process) func `an adapter that can't be used leaves managers unsupported, and says why`()
        async throws
    {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            unsafe setenv("BLECAP_ADAPTER", "unix:/nowhere/socket", 1)
            let scanner = Scanner()
            let manager = CBCentralManager(delegate: scanner, queue: DispatchQueue(label: "app"))
            guard scanner.found.wait(timeout: .now() + 600) == .success, manager.state == .unsupported else {
                exit(1)
            }
        }
        let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(said.contains("CoreBluetooth: unix:/nowhere/socket: no such file or directory"))
    }
}

/// A transport to a controller on the air.
private final class RadioEnd: HCITransport {
    private let radio: VirtualRadio
    private let controller: ControllerID

    init(_ radio: VirtualRadio, _ controller: ControllerID) {
        self.radio = radio
        self.controller = controller
    }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        radio.attach(controller, receive)
    }

    func send(_ packet: HCIPacket) throws(HCITransportError) { radio.send(packet, from: controller) }

    func close() { radio.attach(controller, nil) }
}
