import BluetoothCore
import CoreBluetooth
import LEHost
import Runtime
import Synchronization
import UQDK
import UQDKBle
import VirtualController
import WireBytes

/// Adapters on one virtual air, in virtual time.
final class TestWorld: Sendable {
    let time = VirtualTime()
    let delivery = SettlingDelivery()
    let radio: VirtualRadio

    private let sent = Box<(UInt64, HCIPacket)>()
    private let addresses = Box<(ControllerID, UInt64)>()

    init(seed: UInt64 = 1) {
        let (sent, addresses) = (sent, addresses)
        radio = VirtualRadio(seed: seed, scheduler: time) { _, controller, packet, isFromHost in
            guard isFromHost, let address = addresses.all.first(where: { $0.0 == controller })?.1 else {
                return
            }
            sent.put((address, packet))
        }
    }

    /// An adapter whose controller has this public address, at the default ATT_MTU if no other is given.
    func adapter(
        _ address: UInt64, nonces: [[UInt8]] = [], mtu: UInt16? = nil
    ) -> BluetoothAdapter {
        let radio = radio
        let controller = radio.add(ControllerConfiguration(publicAddress: DeviceAddress(address, .public)))
        addresses.put((controller, address))
        let pipe = PacketPipe(
            attach: { radio.attach(controller, $0) }, send: { radio.send($0, from: controller) })
        var configuration = BluetoothAdapter.Configuration()
        configuration.source = .host.numbered(controller.rawValue)
        configuration.host.clientMTU = mtu
        return BluetoothAdapter(
            pipe: pipe, time: time,
            entropy: RecordedEntropy([.nonce: nonces], fallback: SeededEntropy(seed: address)),
            delivery: delivery, configuration: configuration)
    }

    /// Lets two adapters hear each other no more, or again.
    func separate(_ one: UInt64, _ other: UInt64, _ isApart: Bool) {
        let found = addresses.all
        guard let first = found.first(where: { $0.1 == one })?.0,
            let second = found.first(where: { $0.1 == other })?.0
        else { return }
        if isApart { radio.separate(first, second) } else { radio.rejoin(first, second) }
    }

    /// The HCI commands of an adapter's host, in hex.
    func commands(of address: UInt64) -> [String] {
        sent.all.filter { $0.0 == address && $0.1.type == .command }.map { Hex.text($0.1.octets) }
    }

    /// How many ATT Write Requests the host of an adapter has sent.
    func writes(of address: UInt64) -> Int {
        sent.all.count { one in
            guard one.0 == address, one.1.type == .acl, one.1.octets.count > 8 else { return false }
            return one.1.octets[8] == 0x12
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
}

/// A value that callbacks leave.
final class Box<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])
    func put(_ value: Value) { kept.withLock { $0.append(value) } }
    var all: [Value] { kept.withLock { $0 } }
    var last: Value? { all.last }
    var count: Int { all.count }
}

/// The published vectors: key, nonces, and every value that the phone writes.
enum Vectors {
    static let key = Array(UInt8(0)..<16)
    static let keyID: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    static let phoneNonce = Array(UInt8(0xA0)..<0xB0)
    static let vehicleNonce = Array(UInt8(0xC0)..<0xD0)
    static let code = "314159"
    static let phone = [
        "0000555101010001000010112233445566778806", "00814b7ed42959d4e844a5",
        "01005551010101010000181122334455667788a0", "0181a1a2a3a4a5a6a7a8a9aaabacadaeaff7c3",
        "020055510101010200000c00000007402c2ef6d7", "0281513e033947",
        "030055510101020201000d0000000189f1b1d123", "03816aef5b1d7b6e",
    ]
    static let car = [
        "00805551010200010000020002aa27",
        "010055510102010100001900c0c1c2c3c4c5c6c7", "0181c8c9cacbcccdcecfb73a9aebed7c0dbc6d71",
        "028055510102010200000300012c6af8",
        "030055510102020201000d00000001538e326134", "0381ffa5c5a9abf9",
        "800055510103040101001600000002dce20825a1", "8081d9a4a344800b74b9c15373b4ee88e2",
    ]
}

/// A phone with its manager, and one scripted car.
final class Bench: Sendable {
    static let mac = "02:55:51:00:00:01"

    let world: TestWorld
    let car: ScriptedCar
    let phone: BluetoothAdapter
    let data: UQDKDataManager
    let manager: UQDKBleManager
    let statuses = Box<UQDKBleStatus>()
    let events = Box<UQDKBleEvent>()

    init(
        seed: UInt64 = 1, nonces: [[UInt8]] = [Vectors.phoneNonce], mtu: UInt16? = nil,
        mac: String = Bench.mac, options change: (inout UQDKBleOptions) -> Void = { _ in },
        car setUp: (ScriptedCar) -> Void = { _ in }
    ) throws {
        world = TestWorld(seed: seed)
        car = ScriptedCar(world.adapter(0x0255_5100_0001, mtu: mtu))
        setUp(car)
        phone = world.adapter(0x0200_0000_0010, nonces: nonces, mtu: mtu)
        data = UQDKDataManager(keyID: Vectors.keyID, key: Vectors.key, authCounter: 6)
        var options = UQDKBleOptions()
        change(&options)
        manager = try UQDKBleManager.createBLE(
            mac: mac, data: data, options: options,
            context: ManagerContext(adapter: phone, queue: world.delivery.inline))
        let (statuses, events) = (statuses, events)
        manager.deviceStatusChanged = { statuses.put($0) }
        manager.onEvent = { events.put($0) }
    }

    /// Connects and returns the error, nil inside for success.
    @discardableResult
    func connect(for limit: Duration = .seconds(30)) -> UQDKBleError?? {
        let done = Box<UQDKBleError?>()
        manager.connectToVehicle { done.put($0) }
        world.run(for: limit) { done.count > 0 }
        return done.all.first
    }

    @discardableResult
    func authenticate(for limit: Duration = .seconds(30)) -> UQDKBleError?? {
        let done = Box<UQDKBleError?>()
        manager.authenticate { done.put($0) }
        world.run(for: limit) { done.count > 0 }
        return done.all.first
    }

    /// Does one thing and goes on until it is answered.
    func result(
        for limit: Duration = .seconds(30), _ act: (UQDKBleManager, @escaping UQDKCompletion) -> Void
    ) -> Result<UQDKResponse, UQDKBleError>? {
        let done = Box<Result<UQDKResponse, UQDKBleError>>()
        act(manager) { done.put($0) }
        world.run(for: limit) { done.count > 0 }
        return done.all.first
    }

    /// Connects and authenticates.
    func open() -> Bool {
        guard case .some(nil) = connect() else { return false }
        guard case .some(nil) = authenticate() else { return false }
        return true
    }

    /// What was not taken.
    var problems: [UQDKBleProblem.Kind] {
        events.all.compactMap { if case .problem(let problem) = $0 { problem.kind } else { nil } }
    }

    /// What the car told by itself.
    var vehicleEvents: [UQDKVehicleEvent] {
        events.all.compactMap { if case .vehicle(let event) = $0 { event } else { nil } }
    }
}
