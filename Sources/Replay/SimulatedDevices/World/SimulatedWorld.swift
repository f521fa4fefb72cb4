public import BluetoothCore
public import CoreBluetooth
public import Runtime
public import VirtualController

/// Devices and phones on one virtual air. In virtual time, a run depends on its seed alone.
public final class SimulatedWorld: Sendable {
    /// The world's time: virtual time moves only in ``run(for:until:)``.
    public let time: any PassingTime
    /// Brings the callbacks of all managers of the world to their queues.
    public let delivery = SettlingDelivery()
    /// The air.
    public let radio: VirtualRadio
    private let seed: UInt64
    private let wallClockOrigin: Int64

    /// A world without anyone in it.
    ///
    /// - Parameters:
    ///   - seed: what all that is left to chance follows from.
    ///   - wallClockOrigin: nanoseconds from 1970 (UTC) to the beginning of its time.
    ///   - time: where its time comes from.
    ///   - tap: hears every packet between a controller and its host.
    public init(
        seed: UInt64 = 1, wallClockOrigin: Int64 = 0, time: any PassingTime = VirtualTime(),
        tap: VirtualRadio.Tap? = nil
    ) {
        self.time = time
        self.seed = seed
        self.wallClockOrigin = wallClockOrigin
        radio = VirtualRadio(seed: seed, scheduler: time, tap: tap)
    }

    /// Puts a controller on the air, with a host on it.
    ///
    /// - Parameters:
    ///   - address: its public address.
    ///   - entropy: where its random octets come from; nil for what follows from the world's seed.
    ///   - configure: changes how it is set up.
    public func adapter(
        _ address: DeviceAddress, entropy: (any Entropy)? = nil,
        configure: (inout BluetoothAdapter.Configuration) -> Void = { _ in }
    ) -> SimulatedAdapter {
        let radio = radio
        let controller = radio.add(
            ControllerConfiguration(publicAddress: DeviceAddress(address.value, .public)))
        let pipe = PacketPipe(
            attach: { radio.attach(controller, $0) }, send: { radio.send($0, from: controller) })
        var configuration = BluetoothAdapter.Configuration()
        configuration.source = .host.numbered(controller.rawValue)
        configuration.wallClockOrigin = wallClockOrigin
        configure(&configuration)
        var mixed = SplitMix(state: seed ^ UInt64(controller.rawValue) << 32)
        let adapter = BluetoothAdapter(
            pipe: pipe, time: time, entropy: entropy ?? SeededEntropy(seed: mixed.next()),
            delivery: delivery, configuration: configuration)
        return SimulatedAdapter(bluetooth: adapter, controller: controller, address: address)
    }

    /// Lets time pass until the condition holds, but no longer than `limit`.
    ///
    /// - Returns: whether the condition held.
    @discardableResult
    public func run(for limit: Duration = .seconds(60), until condition: () -> Bool = { false }) -> Bool {
        delivery.run(time, for: limit, until: condition)
    }
}

/// One of a world's adapters.
public struct SimulatedAdapter: Sendable {
    /// What managers are made on.
    public let bluetooth: BluetoothAdapter
    /// Its controller on the air.
    public let controller: ControllerID
    /// Its public address.
    public let address: DeviceAddress

    public init(bluetooth: BluetoothAdapter, controller: ControllerID, address: DeviceAddress) {
        self.bluetooth = bluetooth
        self.controller = controller
        self.address = address
    }
}
