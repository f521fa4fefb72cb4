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
        adapter.core(adapter.serverCore, ServerCore.init)
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
            read(request, of: handle, from: offset, on: link)
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

// Requests of centrals.
extension ServerCore {
    func read(_ request: ServerRequestID, of handle: UInt16, from offset: Int, on link: LinkID) {
        guard let (characteristic, role) = characteristic(at: handle), let central = central(on: link),
            let manager = role.manager
        else { return adapter.put(.answerRead(request, .failure(.unlikelyError), on: link)) }
        let asked = CBATTRequest(
            central: central, characteristic: characteristic, offset: offset, value: nil,
            request: (request, link), isRead: true)
        manager.call { [weak manager, weak adapter] in
            guard let manager, let delegate = manager.delegate else {
                // Without an answer the central would wait for 30 s and then end the link.
                adapter?.submit { $0.put(.answerRead(request, .failure(.unlikelyError), on: link)) }
                return
            }
            delegate.peripheralManager(manager, didReceiveRead: asked)
        }
    }

    func write(_ request: ServerRequestID?, _ writes: [ServerWrite], on link: LinkID) {
        if let error = refusal(of: writes, isCommand: request == nil) {
            if let request { adapter.put(.answerWrite(request, error, on: link)) }
            return
        }
        guard let central = central(on: link), let first = writes.first,
            let (_, role) = characteristic(at: first.handle), let manager = role.manager
        else {
            if let request { adapter.put(.answerWrite(request, .unlikelyError, on: link)) }
            return
        }
        let asked = writes.compactMap { write -> CBATTRequest? in
            guard let (characteristic, _) = characteristic(at: write.handle) else { return nil }
            return CBATTRequest(
                central: central, characteristic: characteristic, offset: write.offset,
                value: Data(write.value), request: request.map { ($0, link) }, isRead: false)
        }
        manager.call { [weak manager, weak adapter] in
            guard let manager, let delegate = manager.delegate else {
                guard let request else { return }
                adapter?.submit { $0.put(.answerWrite(request, .unlikelyError, on: link)) }
                return
            }
            delegate.peripheralManager(manager, didReceiveWrite: asked)
        }
    }

    // A batch gets one answer, so all of it must belong to one manager, and each characteristic's properties
    // must permit the write.
    private func refusal(of writes: [ServerWrite], isCommand: Bool) -> ATTErrorCode? {
        let owners = writes.map { characteristic(at: $0.handle) }
        for owner in owners {
            guard let (characteristic, role) = owner, role === owners.first??.1 else { return .unlikelyError }
            let way: CBCharacteristicProperties = isCommand ? .writeWithoutResponse : .write
            guard characteristic.properties.contains(way) else { return .writeNotPermitted }
        }
        return nil
    }

    func respond(
        _ answered: (id: ServerRequestID, link: LinkID), _ isRead: Bool, _ value: [UInt8],
        _ result: CBATTError.Code
    ) {
        let error = result == .success ? nil : ATTErrorCode(rawValue: UInt8(clamping: result.rawValue))
        guard isRead else { return adapter.put(.answerWrite(answered.id, error, on: answered.link)) }
        adapter.put(
            .answerRead(answered.id, error.map { .failure($0) } ?? .success(value), on: answered.link))
    }

    func subscription(of handle: UInt16, _ configuration: GATTClientConfiguration, on link: LinkID) {
        guard let central = central(on: link), let (characteristic, role) = characteristic(at: handle) else {
            return
        }
        guard configuration != [] else { return unsubscribe(central, from: characteristic, role) }
        guard let mutable = characteristic as? CBMutableCharacteristic else { return }
        role.manager?.call { [weak manager = role.manager] in
            let isNew = mutable.subscribers.change { subscribers in
                guard !subscribers.contains(where: { $0 === central }) else { return false }
                subscribers.append(central)
                return true
            }
            guard isNew, let manager else { return }
            manager.delegate?.peripheralManager(manager, central: central, didSubscribeTo: mutable)
        }
    }

    func unsubscribe(_ central: CBCentral, from characteristic: CBCharacteristic, _ role: ServerRole) {
        guard let mutable = characteristic as? CBMutableCharacteristic else { return }
        role.manager?.call { [weak manager = role.manager] in
            let wasThere = mutable.subscribers.change { subscribers in
                defer { subscribers.removeAll { $0 === central } }
                return subscribers.contains { $0 === central }
            }
            guard wasThere, let manager else { return }
            manager.delegate?.peripheralManager(manager, central: central, didUnsubscribeFrom: mutable)
        }
    }
}

/// The two services that every server has: Generic Access, with the device's name and appearance, and Generic
/// Attribute, with Service Changed.
///
/// Source: Core Specification, Vol 3, Part C, 12, and Vol 3, Part G, 7.
struct GenericServices {
    static let name = "blecap"
    /// Handle of the name; nil if absent.
    private(set) var deviceName: UInt16?

    /// Adds the services to an empty database.
    ///
    /// For a host that bonds, they include what clients need to cache their discovery between links.
    ///
    /// - Parameter add: adds a service to the database.
    mutating func place(bonds: Bool, _ add: (GATTServiceDefinition) -> GATTPlacedService?) {
        let access = add(
            GATTServiceDefinition(
                uuid: BluetoothUUID(UInt16(0x1800)),
                characteristics: [
                    .init(
                        uuid: BluetoothUUID(UInt16(0x2A00)), properties: [.read],
                        value: .fixed(Array(Self.name.utf8)), permissions: [.readable]),
                    // Appearance: unknown.
                    .init(
                        uuid: BluetoothUUID(UInt16(0x2A01)), properties: [.read], value: .fixed([0, 0]),
                        permissions: [.readable]),
                ]))
        var characteristics: [GATTServiceDefinition.Characteristic] = [
            .init(uuid: .serviceChanged, properties: [.indicate], value: .fixed([]), permissions: [])
        ]
        if bonds {
            characteristics += [
                .init(
                    uuid: .clientSupportedFeatures, properties: [.read, .write], value: .clientFeatures,
                    permissions: [.readable, .writeable]),
                .init(
                    uuid: .databaseHash, properties: [.read], value: .databaseHash, permissions: [.readable]),
            ]
        }
        _ = add(GATTServiceDefinition(uuid: .genericAttributeService, characteristics: characteristics))
        deviceName = access?.characteristics.first?.valueHandle
    }
}
