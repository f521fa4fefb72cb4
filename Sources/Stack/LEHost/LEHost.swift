public import BluetoothCore
public import Runtime

/// A Bluetooth LE host, central and peripheral: a state machine without I/O.
///
/// Each input comes with its time; the effects are returned in the order in which they must be executed. The
/// host is a value without clock, tasks or randomness, so a copy is independent. Its owner passes it the
/// controller's packets, sends the packets that it returns, and calls it again at ``nextDeadline``.
public struct LEHost: Sendable {
    /// The host's state.
    public internal(set) var state = HostState.off
    /// The address in use on the air; nil before the host is ready.
    public internal(set) var address: DeviceAddress?

    var context: HostContext
    var links: [HostLink] = []
    /// The place from which the links take turns to send.
    var turn = 0
    var bringUp = BringUp()
    var scanner = Scanner()
    var initiator = Initiator()
    var advertiser = Advertiser()
    var privacy = PrivacyState()
    var nextLinkID: UInt32 = 1

    /// Creates a host that is off.
    public init(_ configuration: HostConfiguration = HostConfiguration()) {
        context = HostContext(configuration)
    }

    /// The host's configuration.
    public var configuration: HostConfiguration { context.configuration }

    /// The permanent address, which devices get when they pair; nil before the host is ready.
    public var identityAddress: DeviceAddress? { context.identityAddress }

    /// Bonds with devices.
    public var bonds: [Bond] { context.bonds }

    var now: Instant { context.now }

    /// Handles an input at a time, and returns its effects.
    public mutating func handle(_ input: HostInput, at now: Instant) -> [HostEffect] {
        context.now = max(context.now, now)
        take(input)
        reconcilePrivacy()
        release()
        defer { context.effects = [] }
        return context.effects
    }

    /// The time at which the host needs ``HostInput/timeReached``; nil if nothing waits.
    public var nextDeadline: Instant? {
        var earliest = context.commands.deadline
        earliest.lower(to: privacyDeadline)
        earliest.lower(to: context.linkDeadline)
        return earliest
    }

    /// The open links, in order of creation.
    public var openLinks: [Link] { links.map(\.link) }

    /// Whether a value without response would be sent now, and not dropped.
    public func canWriteCommand(on link: LinkID) -> Bool {
        links.contains { $0.link.id == link && $0.hasRoom(context) }
    }

    /// Whether an operation waits for others to end before it sends its first request.
    public func hasWaitingOperation(on link: LinkID) -> Bool {
        links.contains { $0.link.id == link && $0.client.waiting > 0 }
    }

    /// Whether a value for the client would be sent now. It is dropped if the link is full or the client
    /// assumes an earlier database, and waits while an indication is not confirmed.
    public func canUpdate(_ valueHandle: UInt16, on link: LinkID) -> Bool {
        links.contains { $0.link.id == link && $0.canUpdate(valueHandle, context) }
    }

    /// Whether a link exists and is not ending.
    public func isOpen(_ link: LinkID) -> Bool { links.contains { $0.link.id == link && !$0.isClosing } }

    /// Returns the protection of a link.
    public func security(of link: LinkID) -> LinkSecurity {
        links.first { $0.link.id == link }?.security.current ?? LinkSecurity()
    }

    /// Whether a link is being paired.
    public func isPairing(_ link: LinkID) -> Bool {
        links.contains { $0.link.id == link && $0.security.isPairing }
    }

    /// Returns the ATT_MTU of a link, in bytes; nil if the link is gone.
    public func mtu(of link: LinkID) -> Int? { links.first { $0.link.id == link }?.client.mtu }

    /// Whether a channel is open and accepts an SDU now.
    public func canSend(on channel: ChannelID) -> Bool {
        links.contains {
            $0.link.id == channel.link && !$0.isClosing && $0.channels.hasRoom(channel: channel.number)
        }
    }

    /// The lowest dynamic SPSM without a listener; nil if all have one.
    public var freeSPSM: UInt16? {
        (0x80...0xFF).first { spsm in !context.listeners.contains { $0.spsm == spsm } }
    }

    private mutating func take(_ input: HostInput) {
        switch input {
        case .powerOn: powerOn()
        case .powerOff: powerOff()
        case .packet(let packet): take(packet)
        case .transportFailed: fail(.transport)
        case .timeReached: timeReached()
        case .startScanning(let parameters):
            scanner.wanted = parameters
            reconcileScanner()
        case .stopScanning:
            scanner.wanted = nil
            reconcileScanner()
        case .connect(let address): connect(address)
        case .cancelConnect(let address): cancelConnect(address)
        case .disconnect(let link, let reason): with(link) { $0.disconnect(reason, &$1) }
        case .readRSSI(let link):
            with(link, orElse: .rssi(link, .unknownConnectionIdentifier, 127)) { $0.readRSSI(&$1) }
        case .updateParameters(let wish, let link):
            let canRequest = bringUp.leFeatures.contains(.connectionParametersRequestProcedure)
            with(link) { $0.updateParameters(wish, throughController: canRequest, &$1) }
        case .perform(let operation, let token, let link):
            with(link, orElse: .finished(link, token, .failure(.disconnected))) {
                $0.perform(operation, token, &$1)
            }
        case .writeCommand(let handle, let value, let link):
            with(link, orElse: .writeCommandDropped(link, handle: handle)) {
                $0.writeCommand(handle, value, &$1)
            }
        case .setDatabase(let new): setDatabase(new)
        case .setBonds(let new):
            context.bonds = new
            withEach { $0.server.hasKey = $1.bond(with: $0.link.peer) != nil }
        case .assume(let cache, let peer): context.assumed[peer] = cache.isEmpty ? nil : cache
        case .secure(let link): with(link) { $0.secure(&$1) }
        case .answerPairing(let answer, let link): with(link) { $0.step(&$1) { $0.answer(answer, at: $1) } }
        case .pairingRandomness(let randomness, let link): with(link) { $0.takeRandomness(randomness, &$1) }
        case .addressRandomness(let octets): takeAddressRandomness(octets)
        case .setOutOfBand(let new): context.outOfBand = new
        case .setSecurity(let new): context.configuration.security = new
        case .startAdvertising(let parameters): advertise(parameters)
        case .stopAdvertising: advertise(nil)
        case .answerRead(let request, let result, let link):
            with(link) { $0.answerRead(request, result, &$1) }
        case .answerWrite(let request, let error, let link):
            with(link) { $0.apply($0.server.answer(request, write: error), &$1) }
        case .update(let handle, let value, let link):
            with(link, orElse: .updateDropped(link, valueHandle: handle)) { $0.update(handle, value, &$1) }
        case .channel(let request): take(request)
        }
    }

    private mutating func take(_ request: ChannelRequest) {
        switch request {
        case .open(let spsm, let parameters, let token, let link):
            let opening = LinkChannels.Opening(spsm: spsm, parameters: parameters, token: token)
            with(link, orElse: .channel(.openFailed(link, token, .disconnected))) { $0.open(opening, &$1) }
        case .listen(let listener):
            context.listeners.removeAll { $0.spsm == listener.spsm }
            if (0x01...0xFF).contains(listener.spsm) { context.listeners.append(listener) }
        case .stopListening(let spsm): context.listeners.removeAll { $0.spsm == spsm }
        case .send(let sdu, let channel):
            with(channel.link, orElse: .channel(.dropped(channel))) { $0.send(sdu, on: channel, &$1) }
        case .consumed(let count, let channel):
            with(channel.link) { $0.apply($0.channels.consumed(count, channel: channel.number), &$1) }
        case .close(let channel):
            with(channel.link) { $0.apply($0.channels.close(channel: channel.number, at: $1.now), &$1) }
        }
    }

    /// Replaces the server's attributes; clients that subscribed to Service Changed are sent the changed
    /// range.
    private mutating func setDatabase(_ new: GATTDatabase) {
        let changed = context.database.changes(to: new)
        context.database = new
        let hash = new.hash
        guard hash != context.databaseHash else { return }
        context.databaseHash = hash
        withEach { link, context in
            link.serveClient(&context) { $0.serve(new, hash, changed: changed, at: $1.now) }
        }
    }

    mutating func send<Request: HCICommand>(_ request: Request, for purpose: CommandPurpose) {
        context.send(request, for: purpose)
    }

    mutating func tell(_ event: HostEvent) { context.tell(event) }

    mutating func setState(_ new: HostState) {
        guard new != state else { return }
        state = new
        tell(.stateChanged(new))
    }

    /// Sends the packets that the controller accepts now.
    private mutating func release() {
        while let packet = context.commands.next(at: now) { context.effects.append(.send(packet)) }
        withEach { $0.enqueueFrame(&$1) }
        while let packet = nextData() {
            context.effects.append(.send(packet))
            withEach { $0.enqueueFrame(&$1) }
        }
        context.linkDeadline = nil
        withEach { $0.settle(&$1) }
    }

    /// Removes and returns the next packet for which the controller has a buffer; the links take turns.
    private mutating func nextData() -> HCIPacket? {
        var free = bringUp.packetCount
        withEach { link, _ in free -= link.data.outstanding }
        guard free > 0 else { return nil }
        for step in links.indices {
            let place = (turn + step) % links.count
            guard let packet = links[place].data.next() else { continue }
            turn = place + 1
            return packet
        }
        return nil
    }

    private mutating func timeReached() {
        if let opcode = context.commands.overdue(at: now) {
            // The reset at power-off may be lost, and nothing waits for its answer.
            return state == .off ? context.commands.reset() : fail(.unanswered(opcode))
        }
        privacyTimeReached()
        withEach { $0.timeReached(&$1) }
    }

    // MARK: Links

    typealias LinkHandler = (inout HostLink, inout HostContext) -> Void

    /// Lets a link handle something; if the link is gone, reports an event instead.
    mutating func with(_ link: LinkID, orElse event: HostEvent? = nil, _ handler: LinkHandler) {
        if let index = links.firstIndex(where: { $0.link.id == link }) {
            handler(&links[index], &context)
        } else if let event {
            tell(event)
        }
    }

    /// Lets the link with this handle handle something, or reports that the handle is unknown.
    mutating func with(handle: UInt16, _ handler: LinkHandler) {
        guard let index = links.firstIndex(where: { $0.link.handle == handle }) else {
            return tell(.problem(.unknownHandle(handle)))
        }
        handler(&links[index], &context)
    }

    private mutating func withEach(_ handler: LinkHandler) {
        for index in links.indices { handler(&links[index], &context) }
    }
}

/// The purpose of a command, which determines how its answer is handled.
enum CommandPurpose: Hashable, Sendable {
    case bringUp(BringUp.Step)
    case reset
    case scanParameters
    case scanEnable(Bool)
    case acceptList
    case privacy
    case createConnection
    case cancelConnection
    case disconnect(LinkID)
    case readRSSI(LinkID)
    case updateParameters(LinkID)
    case setPHY(LinkID)
    case parameterReply
    case enableEncryption(LinkID)
    case longTermKey(LinkID)
    case advertisingSetup
    case advertisingEnable(Bool)
}
