import BluetoothCore
import CoreBluetooth
import Foundation
import Runtime
import Synchronization
import VirtualController

/// Adapters on one virtual air, in virtual time.
final class BluetoothWorld: Sendable {
    let time = VirtualTime()
    let delivery = SettlingDelivery()
    let radio: VirtualRadio
    /// Packets from hosts to their controllers, in order.
    let commands = Mutex<[(ControllerID, HCIPacket)]>([])
    private let receivers = Mutex<[ControllerID: @Sendable (HCIPacket) -> Void]>([:])

    init(seed: UInt64 = 1) { radio = VirtualRadio(seed: seed, scheduler: time) }

    /// An adapter whose controller has this public address, and takes packets so long after they were sent.
    func adapter(
        _ address: UInt64, latency: Duration = .zero,
        controller change: (inout ControllerConfiguration) -> Void = { _ in },
        _ configure: (inout BluetoothAdapter.Configuration) -> Void = { _ in }
    ) -> (BluetoothAdapter, ControllerID) {
        let radio = radio
        var shape = ControllerConfiguration(publicAddress: DeviceAddress(address, .public))
        change(&shape)
        let controller = radio.add(shape)
        let pipe = PacketPipe(
            attach: { [self] receive in
                receivers.withLock { $0[controller] = receive }
                radio.attach(controller, receive)
            },
            send: { [self] packet in
                commands.withLock { $0.append((controller, packet)) }
                guard latency > .zero else { return radio.send(packet, from: controller) }
                time.schedule(after: latency, from: .controller) { radio.send(packet, from: controller) }
            })
        var configuration = BluetoothAdapter.Configuration()
        configuration.source = .host.numbered(controller.rawValue)
        configure(&configuration)
        let adapter = BluetoothAdapter(
            pipe: pipe, time: time, entropy: SeededEntropy(seed: address), delivery: delivery,
            configuration: configuration)
        return (adapter, controller)
    }

    /// Hands a host a packet that its controller never sent.
    func inject(_ octets: [UInt8], into controller: ControllerID) {
        guard let receive = receivers.withLock({ $0[controller] }) else { return }
        time.schedule(at: time.now, from: .controller) { receive(HCIPacket(.event, octets)) }
    }

    /// Commands and data with this beginning that a host has sent so far.
    func sent(_ beginning: [UInt8], by controller: ControllerID) -> [[UInt8]] {
        commands.withLock { $0 }.filter { $0.0 == controller && $0.1.octets.starts(with: beginning) }
            .map { $0.1.octets }
    }

    /// Attribute PDUs that a host has sent whole in one packet; with this opcode, where one is given.
    func sentPDUs(_ opcode: UInt8? = nil, by controller: ControllerID) -> [[UInt8]] {
        commands.withLock { $0 }.compactMap { sender, packet in
            guard sender == controller, packet.type == .acl, packet.octets.count > 8,
                packet.octets[6] == 4, packet.octets[1] & 0x30 == 0,
                packet.octets[8] == opcode ?? packet.octets[8]
            else { return nil }
            return Array(packet.octets[8...])
        }
    }

    /// Goes on until the condition holds, or for `limit` of virtual time.
    @discardableResult
    func run(for limit: Duration = .seconds(60), until condition: () -> Bool = { false }) -> Bool {
        delivery.run(time, for: limit, until: condition)
    }
}

/// Lines in the order in which they were written.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    func add(_ line: String) { kept.withLock { $0.append(line) } }
    var all: [String] { kept.withLock { $0 } }
    func clear() { kept.withLock { $0 = [] } }
    func count(_ line: String) -> Int { all.count { $0 == line } }
    func matching(_ beginning: String) -> [String] { all.filter { $0.hasPrefix(beginning) } }
}

extension Error {
    /// The code that an application sees, with a mark for an error of the Attribute Protocol.
    var mark: String {
        let error = self as NSError
        return (error.domain == CBATTErrorDomain ? "att" : "") + "\(error.code)"
    }
}

extension (any Error)? {
    var mark: String { self?.mark ?? "nil" }
}

extension CBAttribute {
    var name: String { uuid.uuidString }
}

func uuid(_ text: String) -> CBUUID { CBUUID(string: text) }
