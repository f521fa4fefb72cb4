import BluetoothCore
import CaptureFile
import CoreBluetooth
import Foundation
import LEHost
import Replay
import Runtime
import SimulatedDevices
import Synchronization

/// What a fob's controller and its host said to each other while a phone paired with the fob.
enum RecordedFob {
    static let fob = DeviceAddress(0x0246_4F42_0002, .public)
    static let phone = DeviceAddress(0x0246_4F42_00F0, .public)

    /// How the fob and the phone of a log pair.
    struct Way: Hashable, Sendable {
        var pairing = Fob.Pairing.justWorks
        var isSecure = true
        /// Whether the fob sends a Security Request, and does not wait to be asked for a value.
        var asksForSecurity = false
        /// Whether the phone subscribes without having read the value.
        var subscribesFirst = false
        /// Phones one after another: all but the last want no bond, and have no identity to give.
        var phones = 1
        /// Whether keys are given without a bond.
        var givesKeys = false
        /// Links of each phone one after another: the first pairs, the others use the bond.
        var links = 1
        /// Whether the fob has forgotten the bond when the phone comes back.
        var losesBond = false
        /// How the pairing on the first link comes to nothing.
        var failure: Failure?
    }

    /// How a pairing comes to nothing.
    enum Failure: CaseIterable {
        /// The person at one of the devices refuses, or stops entering the passkey.
        case phoneRefuses, fobRefuses
        /// Who enters the passkey makes a mistake.
        case wrongPasskey
        /// The fob does not pair.
        case notPairable
        /// The phone's person does nothing until the link is gone.
        case phoneLeaves
    }

    /// Whose controller is listened to.
    enum Side { case fob, phone }

    /// The fob's log: on each link the phone reads a value, subscribes, writes, hears the answer, and goes.
    static func model(_ way: Way, of side: Side = .fob) throws -> SessionModel {
        try Recording.model(records(way, of: side))
    }

    /// - Parameter side: whose log it is; of several phones the first one's.
    static func records(_ way: Way, of side: Side = .fob) -> [Recording.Kept] {
        let recorder = PacketRecorder()
        let persons = Persons(way.failure)
        let world = SimulatedWorld(seed: 5, tap: recorder.tap)
        var policy = way.pairing.policy
        policy.offersSecureConnections = way.isSecure
        policy.acceptsLegacyPairing = true
        // No means, no other data, no bond; a key of 16 octets; keys and identities of both.
        let unbonded: [UInt8]? = way.givesKeys ? [3, 0, way.isSecure ? 8 : 0, 16, 3, 3] : nil
        policy.features = unbonded
        policy.setIdentityKey([UInt8](repeating: 0xF0, count: 16))
        let adapter = world.adapter(fob) { configuration in
            configuration.host.security = way.failure == .notPairable ? nil : policy
            configuration.pairingAgent = persons.agent(.fob)
        }
        let gadget = SimulatedGadget(Fob(), on: adapter.bluetooth)
        var listened = adapter.controller
        for number in 0..<way.phones {
            policy = SecurityPolicy()
            policy.ioCapability = .keyboardDisplay
            policy.bonds = number == way.phones - 1
            if policy.bonds { policy.setIdentityKey([UInt8](repeating: 0xA5, count: 16)) }
            policy.features = unbonded
            if unbonded != nil { policy.setIdentityKey([UInt8](repeating: 0xA5, count: 16)) }
            let address = DeviceAddress(phone.value + UInt64(number), .public)
            let own = world.adapter(address) { configuration in
                configuration.host.security = policy
                configuration.pairingAgent = persons.agent(.phone)
            }
            if side == .phone, number == 0 { listened = own.controller }
            let central = Phone(own.bluetooth, world.delivery, way)
            if way.asksForSecurity {
                world.run { central.isConnected }
                adapter.bluetooth.secure(address)
            }
            if way.failure != nil, number == 0 {
                world.run(for: .seconds(5))
                persons.succeed()
                central.leave()
            }
            if way.losesBond {
                world.run { central.hasLeft }
                adapter.bluetooth.setBonds([])
            }
            world.run { central.isDone }
            world.run(for: .seconds(1))
        }
        return withExtendedLifetime(gadget) { kept(recorder.packets(of: listened)) }
    }

    private static func kept(_ packets: [RecordedPacket]) -> [Recording.Kept] {
        packets.enumerated().map { place, one in
            let octets = one.packet.octets
            let kind: RecordKind =
                switch one.packet.type {
                case .command: .command
                case .acl: .acl
                default: .event
                }
            return Recording.Kept(
                header: RecordHeader(
                    number: place + 1, fileOffset: 0,
                    time: CaptureTime(nanoseconds: one.time.nanoseconds), adapter: 0, kind: kind,
                    direction: one.isFromHost ? .hostToController : .controllerToHost,
                    originalLength: octets.count, capturedLength: octets.count),
                octets: octets)
        }
    }

    /// The persons at both devices, who tell each other what they are shown.
    private final class Persons: Sendable {
        private struct State {
            var shown: UInt32?
            var waiting: (@Sendable (PairingAnswer) -> Void)?
            var failure: Failure?
        }

        private let state: Mutex<State>

        init(_ failure: Failure?) { state = Mutex(State(failure: failure)) }

        func agent(_ side: Side) -> PairingAgent {
            { question, _, answer in self.ask(question, side, answer) }
        }

        /// From the next pairing on they do it right.
        func succeed() { state.withLock { $0 = State() } }

        private func ask(
            _ question: PairingQuestion, _ side: Side, _ answer: @escaping @Sendable (PairingAnswer) -> Void
        ) {
            let failure = state.withLock { $0.failure }
            let isAsked = if case .display = question { false } else { true }
            if isAsked, side == .phone, failure == .phoneLeaves { return }
            if isAsked, failure == (side == .phone ? .phoneRefuses : .fobRefuses) { return answer(.no) }
            let entered = { (passkey: UInt32) in
                PairingAnswer.passkey(failure == .wrongPasskey ? (passkey + 1) % 1_000_000 : passkey)
            }
            switch question {
            case .compare, .consent, .replaceBond: answer(.yes)
            case .display(let passkey):
                let waiting = state.withLock { state in
                    state.shown = passkey
                    defer { state.waiting = nil }
                    return state.waiting
                }
                waiting?(entered(passkey))
            case .enter:
                let shown = state.withLock { state in
                    if state.shown == nil { state.waiting = answer }
                    return state.shown
                }
                if let shown { answer(entered(shown)) }
            }
        }
    }

    /// A phone that uses all of the fob, on one link after another.
    private final class Phone: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, Sendable {
        private struct State {
            var peripheral: CBPeripheral?
            var links: Int
            var isConnected = false
            var hasLeft = false
        }

        private let state: Mutex<State>
        private let manager: CBCentralManager
        private let subscribesFirst: Bool

        init(_ adapter: BluetoothAdapter, _ delivery: SettlingDelivery, _ way: Way) {
            state = Mutex(State(links: way.links))
            subscribesFirst = way.subscribesFirst
            manager = CBCentralManager(
                delegate: nil, queue: delivery.inline, options: nil, adapter: adapter)
            super.init()
            manager.delegate = self
        }

        func leave() {
            if let peripheral = state.withLock({ $0.peripheral }) {
                manager.cancelPeripheralConnection(peripheral)
            }
        }

        var isConnected: Bool { state.withLock { $0.isConnected } }
        var isDone: Bool { state.withLock { $0.links == 0 } }
        var hasLeft: Bool { state.withLock { $0.hasLeft } }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
        }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any], rssi: NSNumber
        ) {
            central.stopScan()
            state.withLock { $0.peripheral = peripheral }
            peripheral.delegate = self
            central.connect(peripheral)
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            state.withLock { $0.isConnected = true }
            peripheral.discoverServices([CBUUID(string: "FF50")])
        }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            for service in peripheral.services ?? [] {
                peripheral.discoverCharacteristics(nil, for: service)
            }
        }

        func peripheral(
            _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
            error: (any Error)?
        ) {
            guard let value = service.characteristics?.first else { return }
            subscribesFirst
                ? peripheral.setNotifyValue(true, for: value) : peripheral.readValue(for: value)
        }

        func peripheral(
            _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            guard error == nil else { return }
            guard characteristic.isNotifying else {
                return peripheral.setNotifyValue(true, for: characteristic)
            }
            manager.cancelPeripheralConnection(peripheral)
        }

        func peripheral(
            _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            guard characteristic.isNotifying, let other = characteristic.service?.characteristics?.last else {
                return
            }
            peripheral.writeValue(Data([1]), for: other, type: .withResponse)
        }

        func centralManager(
            _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
            error: (any Error)?
        ) {
            let isLast = state.withLock { state in
                state.links -= 1
                state.hasLeft = true
                return state.links == 0
            }
            if !isLast { central.connect(peripheral) }
        }

        func centralManager(
            _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
        ) {
            state.withLock { $0.links = 0 }
        }
    }
}
