import BluetoothCore
import LEHost
import Runtime
import Synchronization
import Testing
import VirtualController

/// Carries a host's packets over a virtual radio.
final class RadioTransport: HCITransport {
    private let radio: VirtualRadio
    private let controller: ControllerID
    private let isOpen = Mutex(false)

    init(_ radio: VirtualRadio, _ controller: ControllerID) {
        self.radio = radio
        self.controller = controller
    }

    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError) {
        isOpen.withLock { $0 = true }
        radio.attach(controller, receive)
    }

    func send(_ packet: HCIPacket) throws(HCITransportError) {
        guard isOpen.withLock({ $0 }) else { throw HCITransportError(operation: "send") }
        radio.send(packet, from: controller)
    }

    func close() {
        isOpen.withLock { $0 = false }
        radio.attach(controller, nil)
    }
}

/// Lines in the order in which they were written.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var all: [String] { kept.withLock { $0 } }
}

@Suite struct RunnerTests {
    /// A phone reads a value of a car, each of them driven by its own events alone.
    static func session(seed: UInt64) throws -> (events: [String], packets: [String]) {
        let time = VirtualTime()
        let events = Lines()
        let packets = Lines()
        let radio = VirtualRadio(seed: seed, scheduler: time) { at, controller, packet, isFromHost in
            packets.add("\(at.nanoseconds) \(controller.rawValue) \(isFromHost) \(packet.octets)")
        }
        let here = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xF1, .public)))
        let there = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xC1, .public)))
        let runners = Mutex<[HostRunner]>([])
        let put: @Sendable (Int, HostInput) -> Void = { index, input in
            runners.withLock { $0[index] }.put(input)
        }
        let phone = HostRunner(
            LEHost(), transport: RadioTransport(radio, here), scheduler: time, source: .host
        ) { event in
            events.add("\(time.now.nanoseconds) phone \(event)")
            switch event {
            case .stateChanged(.ready): put(0, .connect(DeviceAddress(0xC1, .public)))
            case .connected(let link): put(0, .perform(.read(3), GATTToken(rawValue: 1), on: link.id))
            case .finished(let link, _, _): put(0, .disconnect(link))
            default: break
            }
        }
        let car = HostRunner(
            LEHost(), transport: RadioTransport(radio, there), scheduler: time, source: .host.numbered(1)
        ) { event in
            events.add("\(time.now.nanoseconds) car \(event)")
            switch event {
            case .stateChanged(.ready):
                put(1, .setDatabase(WorldTests.database))
                put(1, .startAdvertising(AdvertisingParameters()))
            case .readRequested(let link, let request, _, _):
                put(1, .answerRead(request, .success([42]), on: link))
            default: break
            }
        }
        runners.withLock { $0 = [phone, car] }
        for runner in [phone, car] {
            try runner.open()
            runner.put(.powerOn)
        }
        time.run(for: .seconds(3))
        #expect(phone.host.state == .ready)
        #expect(phone.host.openLinks.isEmpty)
        return (events.all, packets.all)
    }

    @Test func `two hosts live on a radio in virtual time, 100 times the same`() throws {
        let first = try Self.session(seed: 4)
        #expect(first.events.contains { $0.contains("finished") && $0.contains("[42]") })
        #expect(first.events.contains { $0.contains("phone disconnected") })
        #expect(first.packets.count > 40)
        for _ in 0..<100 {
            let again = try Self.session(seed: 4)
            #expect(again.events == first.events)
            #expect(again.packets == first.packets)
        }
    }

    @Test func `a timer of the host fires in virtual time, and a transport that fails is told`() throws {
        let time = VirtualTime()
        let events = Lines()
        let radio = VirtualRadio(seed: 1, scheduler: time)
        let controller = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xF1, .public)))
        let transport = RadioTransport(radio, controller)
        let runner = HostRunner(LEHost(), transport: transport, scheduler: time) { events.add("\($0)") }
        // Nothing carries the packets: the host learns it at once.
        runner.put(.powerOn)
        #expect(runner.host.state == .failed(.transport))
        try runner.open()
        radio.attach(controller, nil)
        // The packets are carried, and no answer comes.
        runner.put(.powerOn)
        #expect(runner.host.state == .starting)
        time.run(for: .milliseconds(9999))
        #expect(runner.host.state == .starting)
        time.run(for: .milliseconds(1))
        #expect(runner.host.state == .failed(.unanswered(HCIReset.opcode)))
        runner.close()
        #expect(time.pending == 0)
    }

    @Test func `power and reach are taken away and given back`() throws {
        let time = VirtualTime()
        let radio = VirtualRadio(seed: 1, scheduler: time)
        let here = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xF1, .public)))
        let there = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(0xC1, .public)))
        let told = Lines()
        let phone = HostRunner(LEHost(), transport: RadioTransport(radio, here), scheduler: time) {
            if case .disconnected(_, _, let why) = $0 { told.add("\(why)") }
        }
        let car = HostRunner(
            LEHost(), transport: RadioTransport(radio, there), scheduler: time, source: .host.numbered(1)
        ) { _ in }
        for runner in [phone, car] {
            try runner.open()
            runner.put(.powerOn)
        }
        time.run(for: .seconds(1))
        car.put(.startAdvertising(AdvertisingParameters()))
        phone.put(.connect(DeviceAddress(0xC1, .public)))
        time.run(for: .seconds(1))
        #expect(radio.air.openLinks == 1)
        radio.separate(here, there)
        time.run(for: .seconds(1))
        radio.rejoin(here, there)
        time.run(for: .seconds(10))
        #expect(told.all.isEmpty)
        radio.cutPower(of: there)
        time.run(for: .seconds(5))
        #expect(told.all == ["\(HCIStatus.connectionTimeout)"])
        #expect(radio.air.openLinks == 0)
    }
}
