import BluetoothCore
import Foundation
import LEHost

/// State shared by all peripheral managers of an adapter: the attributes, and the links of centrals.
///
/// Used only within the adapter's scheduler.
final class ServerCore: HostObserver, @unchecked Sendable {
    /// A manager's service with its place in the database.
    struct Placed {
        var service: CBMutableService
        var role: ServerRole
        var place: GATTPlacedService
    }

    /// A value waiting for room at the host.
    struct Update {
        var handle: UInt16
        var value: [UInt8]
        var link: LinkID
        var call: UpdateCall
    }

    /// A call of an application, until its value was passed to every link.
    final class UpdateCall {
        let role: ServerRole
        var left: Int

        init(_ role: ServerRole, left: Int) {
            self.role = role
            self.left = left
        }
    }

    /// The owner.
    unowned let adapter: BluetoothAdapter
    private(set) var roles: [ServerRole] = []
    var database = GATTDatabase()
    var placed: [Placed] = []
    var centrals: [LinkID: CBCentral] = [:]
    var backlog: [Update] = []
    /// The adapter's own services.
    var generic = GenericServices()
    /// Places of services that have not been added.
    var layout: GATTLayout?
    private(set) var state = CBManagerState.unknown

    private init(_ adapter: BluetoothAdapter) {
        self.adapter = adapter
        layout = adapter.configuration.layout
        placeGeneric()
    }

    /// Returns the core of an adapter, created with the first manager.
    static func of(_ adapter: BluetoothAdapter) -> ServerCore {
        adapter.serverCore.change { core in
            if let core { return core }
            let new = ServerCore(adapter)
            adapter.add(new)
            core = new
            return new
        }
    }

    func add(_ role: ServerRole) {
        roles.append(role)
        if state == .unknown {
            state = adapter.standing
            if state == .poweredOn { adapter.put(.setDatabase(database)) }
        }
        adapter.open()
        if state != .unknown { announce(state, to: role) }
    }

    func remove(_ role: ServerRole) {
        removeAll(role)
        ChannelCore.of(adapter).unpublishAll(role)
        stopAdvertising(role)
        roles.removeAll { $0 === role }
    }

    func take(_ event: HostEvent) {
        switch event {
        case .stateChanged(let new): take(new)
        case .connected(let link) where !link.isCentral: take(link)
        case .disconnected(let link, _, _): ended(link)
        case .mtuChanged(let link, let mtu): centrals[link]?.mtu.current = mtu
        case .advertising(let isOn): advertising(isOn)
        case .advertisingFailed: advertisingFailed()
        case .readRequested(let link, let request, let handle, let offset):
            read(request, handle, offset, on: link)
        case .writeRequested(let link, let request, let writes): write(request, writes, on: link)
        case .subscriptionChanged(let link, let handle, let configuration):
            subscription(of: handle, configuration, on: link)
        case .writeCommandReady, .indicated:
            // Not from within the host's event: values passed on then would wait, and the freed room would
            // not be seen.
            adapter.submit { ServerCore.of($0).sendBacklog() }
        default: break
        }
    }

    private func take(_ new: HostState) {
        guard let now = CBManagerState(new, after: state), now != state else { return }
        state = now
        // Below powered off, services are lost and must be added again; when powered off they stay.
        if state.rawValue < CBManagerState.poweredOff.rawValue {
            removeAll()
            ChannelCore.of(adapter).unpublishAll()
        }
        if state == .poweredOn { adapter.put(.setDatabase(database)) }
        // A failed host would resume it after recovery.
        if state != .poweredOn { adapter.put(.stopAdvertising) }
        for role in roles {
            if state != .poweredOn { advertisingLost(role) }
            announce(state, to: role)
        }
    }

    private func announce(_ state: CBManagerState, to role: ServerRole) {
        role.manager?.call { [weak manager = role.manager] in manager?.become(state) }
    }

    /// Returns the device at the other end of a link.
    ///
    /// A device that we connected to becomes a central too, once it sends a request.
    func central(on link: LinkID) -> CBCentral? {
        if let central = centrals[link] { return central }
        guard var made = adapter.askHost({ $0.openLinks.first { $0.id == link } }) else { return nil }
        made.peer = adapter.known(made.peer)
        take(made)
        return centrals[link]
    }

    private func take(_ link: Link) {
        let central = CBCentral(identifier: adapter.identifier(of: link.peer), address: link.peer)
        central.mtu.current = adapter.askHost { $0.mtu(of: link.id) } ?? 23
        centrals[link.id] = central
        tell(central, isLinked: true)
    }

    private func ended(_ link: LinkID) {
        guard let central = centrals.removeValue(forKey: link) else { return }
        let gone = backlog.filter { $0.link == link }
        backlog.removeAll { $0.link == link }
        for update in gone { settle(update) }
        for one in placed {
            for characteristic in one.service.characteristics ?? [] {
                unsubscribe(central, from: characteristic, one.role)
            }
        }
        tell(central, isLinked: false)
    }

    private func tell(_ central: CBCentral, isLinked: Bool) {
        for role in roles {
            role.manager?.call { [weak manager = role.manager] in manager?.onLink?(central, isLinked) }
        }
    }
}

extension ServerCore {
    /// Requests the connection interval for a latency from a central's host or controller.
    func ask(_ latency: CBPeripheralManagerConnectionLatency, of central: CBCentral) {
        guard let link = centrals.first(where: { $0.value === central })?.key else { return }
        adapter.put(.updateParameters(ConnectionParameters(latency), on: link))
    }
}

extension ConnectionParameters {
    /// Intervals that Apple's devices accept too: steps of 15 ms, a range of 15 ms or more.
    fileprivate init(_ latency: CBPeripheralManagerConnectionLatency) {
        let shortest: UInt16
        switch latency {
        case .low: shortest = 12
        case .medium: shortest = 60
        case .high: shortest = 240
        }
        self.init(intervalMin: shortest, intervalMax: shortest + 12, latency: 0, timeout: 420)
    }
}

/// State that an adapter keeps for one of its peripheral managers; used within the scheduler, except for the
/// owner.
final class ServerRole: @unchecked Sendable {
    private let owner = Guarded(Weak<CBPeripheralManager>(nil))
    var advertised: AdvertisingPayload?
    /// Number of calls to stop before the pending call to start; nil if no start is pending.
    var starting: UInt64?

    var manager: CBPeripheralManager? { owner.current.object }

    func begin(_ manager: CBPeripheralManager) { owner.current = Weak(manager) }
}
