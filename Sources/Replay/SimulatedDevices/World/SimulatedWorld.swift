public import BluetoothCore
public import CoreBluetooth
public import Runtime
public import VirtualController

/// Devices and phones on one virtual air. In virtual time, a run depends only on its seed.
public final class SimulatedWorld: Sendable {
    /// The world's time: virtual time moves only in ``run(for:until:)``.
    public let time: any PassingTime
    /// Delivers the callbacks of all managers of the world to their queues.
    public let delivery = SettlingDelivery()
    /// The world's radio.
    public let radio: VirtualRadio
    private let seed: UInt64
    private let wallClockOrigin: Int64

    /// Creates an empty world.
    ///
    /// - Parameters:
    ///   - seed: random seed.
    ///   - wallClockOrigin: nanoseconds from 1970 (UTC) to the beginning of its time.
    ///   - time: the source of time.
    ///   - tap: receives every packet between a controller and its host.
    public init(
        seed: UInt64 = 1, wallClockOrigin: Int64 = 0, time: any PassingTime = VirtualTime(),
        tap: VirtualRadio.Tap? = nil
    ) {
        self.time = time
        self.seed = seed
        self.wallClockOrigin = wallClockOrigin
        radio = VirtualRadio(seed: seed, scheduler: time, tap: tap)
    }

    /// Adds a controller with a host.
    ///
    /// - Parameters:
    ///   - address: the public address.
    ///   - entropy: the source of random bytes; nil for the world's seed.
    ///   - configure: changes the configuration of the adapter.
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

    /// Advances time until the condition is met, or for at most `limit`.
    ///
    /// - Returns: whether the condition was met.
    @discardableResult
    public func run(for limit: Duration = .seconds(60), until condition: () -> Bool = { false }) -> Bool {
        delivery.run(time, for: limit, until: condition)
    }
}

/// An adapter in a world.
public struct SimulatedAdapter: Sendable {
    /// The adapter to create managers on.
    public let bluetooth: BluetoothAdapter
    /// The adapter's controller on the air.
    public let controller: ControllerID
    /// The public address.
    public let address: DeviceAddress

    public init(bluetooth: BluetoothAdapter, controller: ControllerID, address: DeviceAddress) {
        self.bluetooth = bluetooth
        self.controller = controller
        self.address = address
    }
}
