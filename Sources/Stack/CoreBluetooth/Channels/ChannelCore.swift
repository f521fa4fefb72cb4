import BluetoothCore
import LEHost
import Runtime

/// State shared by all managers of an adapter for channels: open, requested and published ones.
///
/// Used only within the adapter's scheduler.
final class ChannelCore: HostObserver, @unchecked Sendable {
    private enum Owner {
        case central(CentralRole, DeviceAddress)
        case server(CBL2CAPPSM)
    }

    private struct Open {
        var owner: Owner
        var pipe: ChannelPipe
        var sduLimit: Int
    }

    /// Time that a channel closed by the application has to send the written bytes.
    private static var closingTime: Duration { .seconds(10) }

    private unowned let adapter: BluetoothAdapter
    private var openings: [ChannelToken: CBPeripheral] = [:]
    private var open: [ChannelID: Open] = [:]
    private var published: [CBL2CAPPSM: ServerRole] = [:]
    private var nextToken: UInt64 = 1

    private init(_ adapter: BluetoothAdapter) { self.adapter = adapter }

    /// Returns the core of an adapter, created on first use.
    static func of(_ adapter: BluetoothAdapter) -> ChannelCore {
        adapter.core(adapter.channelCore, ChannelCore.init)
    }

    func take(_ event: HostEvent) {
        guard case .channel(let event) = event else { return }
        switch event {
        case .opened(let channel, let token?): opened(channel, token)
        case .opened(let channel, nil): accepted(channel)
        case .openFailed(_, let token, let failure):
            openings.removeValue(forKey: token).map { tell($0, failure.error) }
        case .received(let id, let sdu):
            if open[id]?.pipe.append(sdu) != true { adapter.put(.channel(.consumed(1, on: id))) }
        case .ready(let id):
            // Not from within the host's event: bytes passed on then would wait, and the freed room would not
            // be seen.
            adapter.submit { ChannelCore.of($0).pump(id) }
        case .dropped: break
        case .closed(let id, let end): open.removeValue(forKey: id)?.pipe.finish(end.error)
        }
    }

    // MARK: Centrals

    func open(_ psm: CBL2CAPPSM, _ peripheral: CBPeripheral, on link: LinkID?) {
        guard let link, adapter.host.isOpen(link) else { return tell(peripheral, CBError(.notConnected)) }
        let token = ChannelToken(rawValue: nextToken)
        nextToken += 1
        openings[token] = peripheral
        adapter.put(.channel(.open(spsm: psm, ChannelParameters(), token, on: link)))
    }

    private func opened(_ channel: L2CAPChannel, _ token: ChannelToken) {
        guard let peripheral = openings.removeValue(forKey: token) else {
            return adapter.put(.channel(.close(channel.id)))
        }
        let owner = Owner.central(peripheral.role, peripheral.address)
        let made = make(channel, peripheral, owner, peripheral.role.manager?.callbackQueue)
        peripheral.call { $1.peripheral($0, didOpen: made, error: nil) }
    }

    private func tell(_ peripheral: CBPeripheral, _ error: any Error) {
        peripheral.call { $1.peripheral($0, didOpen: nil, error: error) }
    }

    /// Detaches a manager from a device's link.
    func leave(_ role: CentralRole, _ address: DeviceAddress) {
        let over = openings.filter { $0.value.role === role && $0.value.address == address }
        for (token, peripheral) in over.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            openings[token] = nil
            tell(peripheral, CBError(.notConnected))
        }
        end(CBError(.notConnected)) { owner in
            if case .central(let other, address) = owner { other === role } else { false }
        }
    }

    // MARK: Peripherals

    /// Lets centrals open channels to a new service.
    func publish(_ role: ServerRole, isEncrypted: Bool) {
        guard let psm = adapter.host.freeSPSM else {
            return role.tell {
                $1.peripheralManager($0, didPublishL2CAPChannel: 0, error: CBError(.outOfSpace))
            }
        }
        published[psm] = role
        var listener = ChannelListener(spsm: psm)
        listener.needsEncryption = isEncrypted
        adapter.put(.channel(.listen(listener)))
        role.tell { $1.peripheralManager($0, didPublishL2CAPChannel: psm, error: nil) }
    }

    /// Unpublishes a service; its channels end.
    func unpublish(_ psm: CBL2CAPPSM, _ role: ServerRole) {
        let isThere = published[psm] === role
        if isThere { unpublish(psm) }
        let error = isThere ? nil : CBError(.invalidParameters)
        role.tell { $1.peripheralManager($0, didUnpublishL2CAPChannel: psm, error: error) }
    }

    /// Unpublishes the services of a manager, or of all managers.
    func unpublishAll(_ role: ServerRole? = nil) {
        for psm in published.keys.sorted() where role == nil || published[psm] === role { unpublish(psm) }
    }

    private func unpublish(_ psm: CBL2CAPPSM) {
        published[psm] = nil
        adapter.put(.channel(.stopListening(spsm: psm)))
        end(nil) { owner in if case .server(psm) = owner { true } else { false } }
    }

    private func accepted(_ channel: L2CAPChannel) {
        guard let role = published[channel.spsm], let manager = role.manager,
            let central = ServerCore.of(adapter).central(on: channel.id.link)
        else { return adapter.put(.channel(.close(channel.id))) }
        let made = make(channel, central, .server(channel.spsm), manager.callbackQueue)
        role.tell { $1.peripheralManager($0, didOpen: made, error: nil) }
    }

    // MARK: Channels

    private func make(
        _ channel: L2CAPChannel, _ peer: CBPeer, _ owner: Owner, _ queue: DispatchQueue?
    ) -> CBL2CAPChannel {
        let pipe = ChannelPipe(
            input: StreamSide(adapter, queue), output: StreamSide(adapter, queue),
            blocks: adapter.delivery is LiveDelivery)
        let id = channel.id
        open[id] = Open(owner: owner, pipe: pipe, sduLimit: Int(channel.peerMTU))
        let life = ChannelLife(pipe) { [weak adapter] change in
            adapter?.submit { ChannelCore.of($0).take(change, id) }
        }
        return CBL2CAPChannel(
            psm: channel.spsm, peer: peer, input: ChannelInputStream(life),
            output: ChannelOutputStream(life))
    }

    private func take(_ change: ChannelLife.Change, _ id: ChannelID) {
        switch change {
        case .consumed(let count): adapter.put(.channel(.consumed(count, on: id)))
        case .changed:
            pump(id)
            guard let one = open[id], one.pipe.input.isClosed, one.pipe.output.isClosed else { return }
            // Bytes for which the peer gives no credits are not waited for forever.
            adapter.time.schedule(after: Self.closingTime, from: .application) { [weak adapter] in
                adapter.map { ChannelCore.of($0).end(id) }
            }
        case .released:
            // Written bytes are still sent.
            _ = open[id]?.pipe.input.close()
            _ = open[id]?.pipe.output.close()
            take(.changed, id)
        }
    }

    /// Passes written bytes on, as far as the host accepts them.
    private func pump(_ id: ChannelID) {
        guard let one = open[id] else { return }
        while adapter.host.canSend(on: id), let sdu = one.pipe.takeOutgoing(one.sduLimit) {
            adapter.put(.channel(.send(sdu, on: id)))
        }
        if one.pipe.isDone { end(id) }
    }

    private func end(_ id: ChannelID) {
        guard let one = open.removeValue(forKey: id) else { return }
        one.pipe.finish(nil)
        adapter.put(.channel(.close(id)))
    }

    private func end(_ error: CBError?, where isMeant: (Owner) -> Bool) {
        let over = open.filter { isMeant($0.value.owner) }.keys
        for id in over.sorted(by: { ($0.link, $0.number) < ($1.link, $1.number) }) {
            open.removeValue(forKey: id)?.pipe.finish(error)
            adapter.put(.channel(.close(id)))
        }
    }
}

extension ServerRole {
    /// Calls the manager's delegate, in the manager's queue.
    fileprivate func tell(
        _ body: @escaping @Sendable (CBPeripheralManager, any CBPeripheralManagerDelegate) -> Void
    ) {
        manager?.call { [weak manager] in
            if let manager, let delegate = manager.delegate { body(manager, delegate) }
        }
    }
}

extension ChannelFailure {
    fileprivate var error: any Error {
        switch self {
        case .refused(.insufficientAuthentication): CBATTError(onAir: .insufficientAuthentication)
        case .refused(.insufficientAuthorization): CBATTError(onAir: .insufficientAuthorization)
        case .refused(.insufficientEncryption): CBATTError(onAir: .insufficientEncryption)
        case .refused(.insufficientKeySize): CBATTError(.insufficientEncryptionKeySize)
        case .refused(.spsmNotSupported), .rejected: CBError(.operationNotSupported)
        case .refused(.noResources), .noResources: CBError(.outOfSpace)
        case .refused, .malformedResponse: CBError(.connectionFailed)
        case .timedOut: CBError(.connectionTimeout)
        case .disconnected: CBError(.notConnected)
        }
    }
}

extension ChannelEnd {
    /// The error of the streams; nil for a regular end.
    fileprivate var error: CBError? {
        switch self {
        case .closed, .closedByPeer: nil
        case .disconnected: CBError(.peripheralDisconnected)
        case .violation: CBError(.connectionFailed)
        }
    }
}
