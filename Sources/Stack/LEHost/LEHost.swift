public import BluetoothCore
public import Runtime

/// A Bluetooth LE host, central and peripheral: a state machine without I/O.
///
/// Each input comes with its time; the effects are returned in the order in which they must be executed. The
/// host is a value without clock, tasks or randomness, so a copy is independent. Its owner passes it the
/// controller's packets, sends the packets that it returns, and calls it again at ``nextDeadline``.
public struct LEHost: Sendable {
    /// The host's configuration.
    public private(set) var configuration: HostConfiguration
    /// The host's state.
    public internal(set) var state = HostState.off
    /// The address in use on the air; nil before the host is ready.
    public internal(set) var address: DeviceAddress?
    /// The permanent address, which devices get when they pair; nil before the host is ready.
    public internal(set) var identityAddress: DeviceAddress?

    var commands = HCICommandFlow<CommandPurpose>()
    var data = ACLFlow()
    var bringUp = BringUp()
    var scanner = Scanner()
    var initiator = Initiator()
    var advertiser = Advertiser()
    var database = GATTDatabase()
    /// Hash of the database; empty before the first database.
    var databaseHash: [UInt8] = []
    var listeners: [ChannelListener] = []
    var links: [HostLink] = []
    /// Bonds with devices.
    public internal(set) var bonds: [Bond] = [] {
        didSet {
            // A change of client records does not change which devices are bonded.
            if !bonds.elementsEqual(oldValue, by: { $0.isListed(as: $1) }) { bondsChanged() }
        }
    }
    /// Attributes of servers without a bond, by address; the most recent is last.
    var strangers: [(peer: DeviceAddress, database: AttributeCache)] = []
    /// Attributes with which links to these addresses start.
    var assumed: [DeviceAddress: AttributeCache] = [:]
    var privacy = PrivacyState()
    var resolver: PeerResolver
    var outOfBand = OutOfBand()
    var attempts: [(peer: DeviceAddress, wait: Duration, until: Instant)] = []
    /// Peripherals that were paired again because their Security Request asked for a better key.
    var upgraded: [DeviceAddress] = []
    var nextLinkID: UInt32 = 1
    var now = Instant.zero
    var effects: [HostEffect] = []

    /// Creates a host that is off.
    public init(_ configuration: HostConfiguration = HostConfiguration()) {
        self.configuration = configuration
        bonds = configuration.bonds
        resolver = PeerResolver(configuration.bonds)
        outOfBand = configuration.security?.outOfBand ?? outOfBand
    }

    /// Handles an input at a time, and returns its effects.
    public mutating func handle(_ input: HostInput, at now: Instant) -> [HostEffect] {
        self.now = max(self.now, now)
        take(input)
        reconcilePrivacy()
        release()
        defer { effects = [] }
        return effects
    }

    /// The time at which the host needs ``HostInput/timeReached``; nil if nothing waits.
    public var nextDeadline: Instant? {
        var earliest = commands.deadline
        func consider(_ deadline: Instant?) {
            guard let deadline else { return }
            earliest = min(earliest ?? deadline, deadline)
        }
        consider(privacyDeadline)
        for index in links.indices {
            consider(links[index].client.deadline)
            consider(links[index].server.deadline)
            consider(links[index].security.pairing?.deadline)
            consider(links[index].channels.deadline)
            consider(links[index].parameterAsked?.until)
        }
        return earliest
    }

    /// The open links, in order of creation.
    public var openLinks: [Link] { links.map(\.link) }

    /// Whether a value without response would be sent now, and not dropped.
    public func canWriteCommand(on link: LinkID) -> Bool {
        guard let index = usable(link) else { return false }
        return data.waiting(links[index].link.handle) < configuration.writeCommandLimit
    }

    /// Whether an operation waits for others to end before it sends its first request.
    public func hasWaitingOperation(on link: LinkID) -> Bool {
        place(of: link).map { links[$0].client.waiting > 0 } ?? false
    }

    /// Whether a value for the client would be sent now. It is dropped if the link is full or the client
    /// assumes an earlier database, and waits while an indication is not confirmed.
    public func canUpdate(_ valueHandle: UInt16, on link: LinkID) -> Bool {
        guard canWriteCommand(on: link), let index = place(of: link), !links[index].server.isUnaware else {
            return false
        }
        return
            !(links[index].server.isIndicating
            && links[index].server.indicates(valueHandle, database))
    }

    /// Whether a link exists and is not ending.
    public func isOpen(_ link: LinkID) -> Bool { usable(link) != nil }

    /// Returns the protection of a link.
    public func security(of link: LinkID) -> LinkSecurity {
        links.first { $0.link.id == link }?.security.current ?? LinkSecurity()
    }

    /// Whether a link is being paired.
    public func isPairing(_ link: LinkID) -> Bool {
        links.first { $0.link.id == link }.map { $0.security.pairing != nil || $0.security.waiting != nil }
            ?? false
    }

    /// Returns the ATT_MTU of a link, in bytes; nil if the link is gone.
    public func mtu(of link: LinkID) -> Int? { links.first { $0.link.id == link }?.client.mtu }

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
        case .disconnect(let link, let reason): disconnect(link, reason)
        case .readRSSI(let link): readRSSI(of: link)
        case .updateParameters(let wish, let link): updateParameters(wish, on: link)
        case .perform(let operation, let token, let link): perform(operation, token, on: link)
        case .writeCommand(let handle, let value, let link): writeCommand(handle, value, on: link)
        case .setDatabase(let new): setDatabase(new)
        case .setBonds(let new): setBonds(new)
        case .assume(let cache, let peer): assume(cache, of: peer)
        case .secure(let link): secure(link)
        case .answerPairing(let answer, let link): answerPairing(answer, link)
        case .pairingRandomness(let randomness, let link): takeRandomness(randomness, link)
        case .addressRandomness(let octets): takeAddressRandomness(octets)
        case .setOutOfBand(let new): outOfBand = new
        case .setSecurity(let new): configuration.security = new
        case .startAdvertising(let parameters): advertise(parameters)
        case .stopAdvertising: advertise(nil)
        case .answerRead(let request, let result, let link): answerRead(request, result, on: link)
        case .answerWrite(let request, let error, let link): answerWrite(request, error, on: link)
        case .update(let handle, let value, let link): update(handle, value, on: link)
        case .channel(let request): take(request)
        }
    }

    mutating func send<Request: HCICommand>(_ request: Request, for purpose: CommandPurpose) {
        commands.enqueue(request, for: purpose)
    }

    mutating func tell(_ event: HostEvent) { effects.append(.event(event)) }

    mutating func setState(_ new: HostState) {
        guard new != state else { return }
        state = new
        tell(.stateChanged(new))
    }

    /// Sends the packets that the controller accepts now.
    private mutating func release() {
        while let packet = commands.next(at: now) { effects.append(.send(packet)) }
        enqueueFrames()
        while let packet = data.next() {
            effects.append(.send(packet))
            enqueueFrames()
        }
        // The link may also be full of requests and responses; that it is ready again is reported anyway.
        for index in links.indices {
            let isFull = data.waiting(links[index].link.handle) >= configuration.writeCommandLimit
            if isFull {
                links[index].isFull = true
            } else if links[index].isFull, !links[index].isClosing {
                links[index].isFull = false
                tell(.writeCommandReady(links[index].link.id))
            }
        }
    }

    private mutating func timeReached() {
        if let opcode = commands.overdue(at: now) {
            // The reset at power-off may be lost, and nothing waits for its answer.
            return state == .off ? commands.reset() : fail(.unanswered(opcode))
        }
        privacyTimeReached()
        for id in links.map(\.link.id) {
            guard let index = place(of: id) else { continue }
            apply(links[index].client.timeReached(now), to: id)
            guard let index = place(of: id) else { continue }
            apply(links[index].server.timeReached(now), to: id)
            guard let index = place(of: id) else { continue }
            apply(links[index].channels.timeReached(now), to: id)
            step(id) { $0.timeReached($1) }
            guard let index = place(of: id) else { continue }
            if let event = links[index].giveUpParameters(at: now) { tell(event) }
        }
    }

    func place(of link: LinkID) -> Int? { links.firstIndex { $0.link.id == link } }

    /// Returns the index of a link that is not ending.
    func usable(_ link: LinkID) -> Int? { links.firstIndex { $0.link.id == link && !$0.isClosing } }

    /// Returns the index of the link with this handle, or reports that it is unknown.
    mutating func known(_ handle: UInt16) -> Int? {
        let index = links.firstIndex { $0.link.handle == handle }
        if index == nil { tell(.problem(.unknownHandle(handle))) }
        return index
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

// The server side of a link.

extension LEHost {
    /// Passes a client's PDU to the server of the link.
    mutating func serve(_ pdu: [UInt8], _ id: LinkID) {
        guard let index = place(of: id) else { return }
        links[index].hasUsedServer = true
        let offer = configuration.clientMTU ?? UInt16(ATTClient.defaultMTU)
        let database = database
        let mtu = links[index].client.mtu
        serveClient(id) { $0.receive(pdu, database, mtu: mtu, offer: offer, at: $1) }
    }

    mutating func apply(_ outputs: [ATTServer.Output], to id: LinkID) {
        for output in outputs {
            switch output {
            case .send(let pdu): transmit(pdu, on: .attribute, to: id)
            case .mtuAgreed(let mtu):
                guard let index = place(of: id) else { return }
                apply(links[index].client.agree(onMTU: mtu), to: id)
            case .read(let request, let handle, let offset):
                tell(.readRequested(id, request, handle: handle, offset: offset))
            case .write(let request, let writes): tell(.writeRequested(id, request, writes))
            case .subscribed(let handle, let configuration):
                tell(.subscriptionChanged(id, valueHandle: handle, configuration))
            case .indicated(let handle, let confirmed):
                tell(.indicated(id, valueHandle: handle, confirmed: confirmed))
            case .timedOut: disconnect(id, .remoteUserTerminatedConnection)
            }
        }
    }

    mutating func answerRead(
        _ request: ServerRequestID, _ result: Result<[UInt8], ATTErrorCode>, on id: LinkID
    ) {
        guard let index = place(of: id) else { return }
        let mtu = links[index].client.mtu
        apply(links[index].server.answer(request, read: result, database, mtu: mtu), to: id)
    }

    mutating func answerWrite(_ request: ServerRequestID, _ error: ATTErrorCode?, on id: LinkID) {
        guard let index = place(of: id) else { return }
        apply(links[index].server.answer(request, write: error), to: id)
    }

    /// Sends a value to a client that has subscribed; as a notification if the client accepts both ways.
    mutating func update(_ handle: UInt16, _ value: [UInt8], on id: LinkID) {
        guard let index = place(of: id), canWriteCommand(on: id) else {
            if let index = place(of: id) { links[index].isFull = true }
            return tell(.updateDropped(id, valueHandle: handle))
        }
        let mtu = links[index].client.mtu
        if let pdu = links[index].server.notification(handle, value, database, mtu: mtu) {
            transmit(pdu, on: .attribute, to: id)
            if !canWriteCommand(on: id) { links[index].isFull = true }
            return
        }
        guard let outputs = links[index].server.indicate(handle, value, database, mtu: mtu, at: now) else {
            return tell(.updateDropped(id, valueHandle: handle))
        }
        apply(outputs, to: id)
    }
}
