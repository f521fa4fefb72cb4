import BluetoothCore
import Runtime

/// The credit-based channels of one link, with the signalling that opens and closes them.
///
/// A state machine without I/O. Source: Core Specification, Vol 3, Part A, 4.1, 4.6, 4.7 and 4.22 to 4.24.
struct LinkChannels: Sendable {
    enum Output: Equatable {
        /// Send a signalling command.
        case signal([UInt8])
        case event(ChannelEvent)
        /// The peer refused to open a channel; a more secure link may help.
        case refused(Opening, L2CAPCreditBasedResult)
    }

    /// A request of this side for a channel, until it is answered.
    struct Opening: Equatable {
        let spsm: UInt16
        let parameters: ChannelParameters
        let token: ChannelToken
        /// Whether this is the second attempt, on a more secure link.
        var isRepeated = false
        fileprivate(set) var cid: UInt16 = 0
        fileprivate(set) var identifier: UInt8 = 0
        fileprivate(set) var deadline = Instant.distantFuture
    }

    private enum Phase: Equatable {
        case open
        /// The application has closed the channel, and its queued data is being sent.
        case draining(until: Instant)
        /// A Disconnection Request was sent; the CIDs stay in use until it is answered.
        case disconnecting(identifier: UInt8, until: Instant)
    }

    private struct Entry {
        let id: ChannelID
        let cid: UInt16
        let peerCID: UInt16
        var data: CreditBasedChannel
        var phase = Phase.open

        var isDisconnecting: Bool { if case .disconnecting = phase { true } else { false } }

        func isOpen(_ number: UInt32) -> Bool { id.number == number && phase == .open }

        mutating func receive(_ payload: [UInt8], _ link: inout LinkChannels) {
            guard !isDisconnecting else { return }
            switch data.receive(payload) {
            case .pending: giveCredits(&link)
            case .sdu(let sdu):
                link.tell(.received(id, sdu))
                giveCredits(&link)
            case .violation(let violation): disconnect(.violation(violation), &link)
            }
        }

        mutating func consumed(_ count: Int, _ link: inout LinkChannels) {
            data.consumed(count)
            giveCredits(&link)
        }

        private mutating func giveCredits(_ link: inout LinkChannels) {
            guard !isDisconnecting, let credits = data.creditsToGive() else { return }
            var fields = L2CAPSignalFields()
            fields.sourceCIDs = [cid]
            fields.credits = credits
            link.signal(.flowControlCredit, link.takeIdentifier(), fields)
        }

        mutating func takeCredits(_ count: UInt16, _ link: inout LinkChannels) {
            if !data.addCredits(count) { disconnect(.violation(.creditOverflow), &link) }
        }

        /// Handles what follows when a K-frame of the link was taken.
        mutating func frameTaken(_ link: inout LinkChannels) {
            if data.takeReadiness(), phase == .open { link.tell(.ready(id)) }
            if case .draining = phase, data.isDrained { disconnect(.closed, &link) }
        }

        mutating func close(_ link: inout LinkChannels) {
            if data.isDrained { return disconnect(.closed, &link) }
            phase = .draining(until: link.now.advanced(by: LinkChannels.responseTimeout))
        }

        mutating func timeReached(_ link: inout LinkChannels) {
            if case .draining(let until) = phase, until <= link.now { disconnect(.closed, &link) }
        }

        /// Asks the peer to close the channel, and reports its end to the application.
        mutating func disconnect(_ end: ChannelEnd?, _ link: inout LinkChannels) {
            let identifier = link.takeIdentifier()
            let until = link.now.advanced(by: LinkChannels.responseTimeout)
            phase = .disconnecting(identifier: identifier, until: until)
            link.signal(
                .disconnectionRequest, identifier, L2CAPSignalFields(destination: peerCID, source: cid))
            if let end { link.tell(.closed(id, end)) }
        }
    }

    /// Time limit of a peer's answer: the RTX timer, 1 to 60 s (Vol 3, Part A, 6.2.1).
    static var responseTimeout: Duration { .seconds(10) }
    /// Longest wait of an opening for a secure link.
    static var securityTimeout: Duration { .seconds(30) }
    /// The dynamic CIDs of an LE link (Vol 3, Part A, 2.1).
    private static let dynamicCIDs: ClosedRange<UInt16> = 0x40...0x7F

    private let link: LinkID
    private let limit: Int
    private var entries: [Entry] = []
    private var openings: [Opening] = []
    private var held: [(opening: Opening, failure: ChannelFailure)] = []
    private var lastIdentifier: UInt8 = 0
    private var nextNumber: UInt32 = 1
    private var turn = 0
    private var now = Instant.zero
    private var outputs: [Output] = []

    /// Creates the channels of a link.
    ///
    /// - Parameter limit: maximum number of channels, including those being opened or closed.
    init(_ link: LinkID, limit: Int) {
        self.link = link
        self.limit = limit
    }

    /// The time at which ``timeReached(_:)`` must be called; nil if nothing waits.
    var deadline: Instant? {
        let phases = entries.compactMap { entry -> Instant? in
            switch entry.phase {
            case .open: nil
            case .draining(let until), .disconnecting(_, let until): until
            }
        }
        return (openings.map(\.deadline) + held.map(\.opening.deadline) + phases).min()
    }

    /// Whether there are no channels, not even one that is being closed.
    var isEmpty: Bool { entries.isEmpty }

    /// Whether a channel accepts another SDU.
    func hasRoom(channel number: UInt32) -> Bool {
        entries.contains { $0.isOpen(number) && $0.data.hasRoom }
    }

    private mutating func taken() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    private mutating func tell(_ event: ChannelEvent) { outputs.append(.event(event)) }

    private mutating func signal(
        _ code: L2CAPSignallingCode, _ identifier: UInt8, _ fields: L2CAPSignalFields, rest: [UInt8] = []
    ) {
        outputs.append(.signal(fields.command(code, identifier: identifier, rest: rest)))
    }

    /// Lets a channel handle something; returns whether there is one.
    @discardableResult private mutating func with(
        _ place: Int?, _ handler: (inout Entry, inout LinkChannels) -> Void
    ) -> Bool {
        guard let place else { return false }
        var entry = entries.remove(at: place)
        handler(&entry, &self)
        entries.insert(entry, at: place)
        return true
    }

    private var isFull: Bool { entries.count + openings.count + held.count >= limit }

    private var freeCID: UInt16? {
        Self.dynamicCIDs.first { cid in
            !entries.contains { $0.cid == cid } && !openings.contains { $0.cid == cid }
        }
    }

    /// Returns an identifier for a signalling request (1 to 255) that no outstanding request uses.
    mutating func takeIdentifier() -> UInt8 {
        var taken = Set(openings.map(\.identifier))
        for entry in entries { if case .disconnecting(let one, _) = entry.phase { taken.insert(one) } }
        repeat {
            lastIdentifier = lastIdentifier == 255 ? 1 : lastIdentifier + 1
        } while taken.contains(lastIdentifier)
        return lastIdentifier
    }
}

// MARK: Requests of the application

extension LinkChannels {
    /// Requests a channel from the peer.
    mutating func open(_ opening: Opening, at now: Instant) -> [Output] {
        self.now = now
        guard !isFull, let cid = freeCID else {
            return [.event(.openFailed(link, opening.token, .noResources))]
        }
        var opening = opening
        opening.cid = cid
        opening.identifier = takeIdentifier()
        opening.deadline = now.advanced(by: Self.responseTimeout)
        openings.append(opening)
        var fields = L2CAPSignalFields()
        fields.psm = opening.spsm
        fields.sourceCIDs = [cid]
        fields.take(opening.parameters)
        signal(.leCreditBasedConnectionRequest, opening.identifier, fields)
        return taken()
    }

    /// Keeps a refused opening until the link is more secure.
    mutating func hold(_ opening: Opening, _ failure: ChannelFailure, at now: Instant) {
        var opening = opening
        opening.isRepeated = true
        opening.deadline = now.advanced(by: Self.securityTimeout)
        held.append((opening, failure))
    }

    /// Repeats the openings that waited for security.
    mutating func resume(at now: Instant) -> [Output] {
        let waiting = held
        held = []
        return waiting.flatMap { open($0.opening, at: now) }
    }

    /// Fails the openings that waited for security, with the failures that made them wait.
    mutating func giveUp() -> [Output] {
        for one in held { tell(.openFailed(link, one.opening.token, one.failure)) }
        held = []
        return taken()
    }

    mutating func send(_ sdu: [UInt8], channel number: UInt32) -> [Output] {
        var isQueued = false
        with(entries.firstIndex { $0.isOpen(number) }) { entry, _ in isQueued = entry.data.enqueue(sdu) }
        return isQueued ? [] : [.event(.dropped(ChannelID(link: link, number: number)))]
    }

    mutating func consumed(_ count: Int, channel number: UInt32) -> [Output] {
        with(entries.firstIndex { $0.id.number == number }) { $0.consumed(count, &$1) }
        return taken()
    }

    mutating func close(channel number: UInt32, at now: Instant) -> [Output] {
        self.now = now
        with(entries.firstIndex { $0.isOpen(number) }) { $0.close(&$1) }
        return taken()
    }

    /// Returns the next K-frame for the peer with its CID; the channels take turns.
    mutating func nextFrame(at now: Instant) -> (cid: UInt16, payload: [UInt8])? {
        self.now = now
        for step in 0..<entries.count {
            let index = (turn + step) % entries.count
            guard !entries[index].isDisconnecting, let payload = entries[index].data.nextFrame() else {
                continue
            }
            turn = index + 1
            return (entries[index].peerCID, payload)
        }
        return nil
    }

    /// Handles what follows when a K-frame was taken.
    mutating func frameTaken() -> [Output] {
        for place in entries.indices { with(place) { $0.frameTaken(&$1) } }
        return taken()
    }

    mutating func timeReached(_ now: Instant) -> [Output] {
        self.now = now
        for opening in openings where opening.deadline <= now {
            tell(.openFailed(link, opening.token, .timedOut))
        }
        openings.removeAll { $0.deadline <= now }
        for one in held where one.opening.deadline <= now {
            tell(.openFailed(link, one.opening.token, one.failure))
        }
        held.removeAll { $0.opening.deadline <= now }
        entries.removeAll { entry in
            if case .disconnecting(_, let until) = entry.phase { until <= now } else { false }
        }
        for place in entries.indices { with(place) { $0.timeReached(&$1) } }
        return taken()
    }

    /// Ends all channels because the link has ended.
    mutating func linkEnded() -> [Output] {
        for opening in openings { tell(.openFailed(link, opening.token, .disconnected)) }
        for one in held { tell(.openFailed(link, one.opening.token, .disconnected)) }
        for entry in entries where !entry.isDisconnecting {
            tell(.closed(entry.id, .disconnected))
        }
        (openings, held, entries) = ([], [], [])
        return taken()
    }
}

// MARK: Frames and commands of the peer

extension LinkChannels {
    /// Handles a K-frame's payload.
    ///
    /// - Returns: nil if there is no such channel.
    mutating func receive(_ payload: [UInt8], on cid: UInt16, at now: Instant) -> [Output]? {
        self.now = now
        return with(entries.firstIndex { $0.cid == cid }) { $0.receive(payload, &$1) } ? taken() : nil
    }

    /// Answers a peer's request to open a channel.
    ///
    /// - Parameter judgement: the receive parameters of the service, or the reason to refuse it.
    mutating func takeRequest(
        _ identifier: UInt8, _ fields: L2CAPSignalFields,
        _ judgement: Result<ChannelParameters, L2CAPRefusal>
    ) -> [Output] {
        var answer = L2CAPSignalFields()
        let verdict = judgement.flatMap { parameters in
            answerable(fields).map { ($0.own, $0.peer, parameters) }
        }
        switch verdict {
        case .failure(let refusal):
            answer.result = refusal.result.rawValue
            signal(.leCreditBasedConnectionResponse, identifier, answer)
        case .success(let (cid, peerCID, parameters)):
            answer.destinationCIDs = [cid]
            answer.take(parameters)
            signal(.leCreditBasedConnectionResponse, identifier, answer)
            tell(.opened(add(cid, peerCID: peerCID, parameters, fields, nil), nil))
        }
        return taken()
    }

    /// Returns the endpoints of a requested channel, or the reason to refuse the request.
    private func answerable(
        _ fields: L2CAPSignalFields
    ) -> Result<(own: UInt16, peer: UInt16), L2CAPRefusal> {
        guard let peer = fields.sourceCIDs.first, Self.dynamicCIDs.contains(peer) else {
            return .failure(L2CAPRefusal(.invalidSourceCID))
        }
        guard !entries.contains(where: { $0.peerCID == peer }) else {
            return .failure(L2CAPRefusal(.sourceCIDAllocated))
        }
        guard fields.hasValidLimits else { return .failure(L2CAPRefusal(.unacceptableParameters)) }
        guard !isFull, let own = freeCID else { return .failure(L2CAPRefusal(.noResources)) }
        return .success((own, peer))
    }

    /// Adds a channel that this side has requested with `opening`, or else the peer.
    private mutating func add(
        _ cid: UInt16, peerCID: UInt16, _ own: ChannelParameters, _ peer: L2CAPSignalFields,
        _ opening: Opening?
    ) -> L2CAPChannel {
        let id = ChannelID(link: link, number: nextNumber)
        nextNumber += 1
        let data = CreditBasedChannel(own, peerMTU: peer.mtu, peerMPS: peer.mps, credits: peer.credits)
        entries.append(Entry(id: id, cid: cid, peerCID: peerCID, data: data))
        return L2CAPChannel(
            id: id, spsm: opening?.spsm ?? peer.psm, isInitiator: opening != nil,
            cid: L2CAPChannelID(rawValue: cid), peerCID: L2CAPChannelID(rawValue: peerCID),
            peerMTU: peer.mtu, peerMPS: peer.mps)
    }

    /// Handles a response to this side's commands, a credit, or a request to close a channel.
    mutating func take(
        _ code: L2CAPSignallingCode, _ identifier: UInt8, _ fields: L2CAPSignalFields, at now: Instant
    ) -> [Output] {
        self.now = now
        switch code {
        case .leCreditBasedConnectionResponse: takeResponse(identifier, fields)
        case .disconnectionRequest: takeDisconnection(identifier, fields)
        case .disconnectionResponse:
            entries.removeAll { entry in
                guard case .disconnecting(identifier, _) = entry.phase else { return false }
                return entry.cid == fields.sourceCIDs.first && entry.peerCID == fields.destinationCIDs.first
            }
        case .flowControlCredit: takeCredits(fields)
        case .commandReject:
            entries.removeAll { entry in
                if case .disconnecting(identifier, _) = entry.phase { true } else { false }
            }
            guard let index = openings.firstIndex(where: { $0.identifier == identifier }) else { break }
            let reason = L2CAPRejectReason(rawValue: fields.result)
            tell(.openFailed(link, openings.remove(at: index).token, .rejected(reason)))
        default: break
        }
        return taken()
    }

    private mutating func takeResponse(_ identifier: UInt8, _ fields: L2CAPSignalFields) {
        guard let index = openings.firstIndex(where: { $0.identifier == identifier }) else { return }
        let opening = openings.remove(at: index)
        let result = L2CAPCreditBasedResult(rawValue: fields.result)
        guard result == .success else { return outputs.append(.refused(opening, result)) }
        guard let peerCID = fields.destinationCIDs.first, Self.dynamicCIDs.contains(peerCID),
            !entries.contains(where: { $0.peerCID == peerCID })
        else { return tell(.openFailed(link, opening.token, .malformedResponse)) }
        let channel = add(opening.cid, peerCID: peerCID, opening.parameters, fields, opening)
        guard fields.hasValidLimits else {
            with(entries.firstIndex { $0.id == channel.id }) { $0.disconnect(nil, &$1) }
            return tell(.openFailed(link, opening.token, .malformedResponse))
        }
        tell(.opened(channel, opening.token))
    }

    private mutating func takeDisconnection(_ identifier: UInt8, _ fields: L2CAPSignalFields) {
        let (own, peer) = (fields.destinationCIDs.first ?? 0, fields.sourceCIDs.first ?? 0)
        guard let index = entries.firstIndex(where: { $0.cid == own }) else {
            var rejection = L2CAPSignalFields()
            rejection.result = L2CAPRejectReason.invalidCIDInRequest.rawValue
            let ends = [own, peer].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            return signal(.commandReject, identifier, rejection, rest: ends)
        }
        // A request with another endpoint gets no answer (4.6).
        guard entries[index].peerCID == peer else { return }
        signal(.disconnectionResponse, identifier, L2CAPSignalFields(destination: own, source: peer))
        let entry = entries.remove(at: index)
        switch entry.phase {
        case .open: tell(.closed(entry.id, .closedByPeer))
        case .draining: tell(.closed(entry.id, .closed))
        case .disconnecting: break
        }
    }

    private mutating func takeCredits(_ fields: L2CAPSignalFields) {
        // Zero credits are invalid (4.24).
        guard fields.credits > 0 else { return }
        with(entries.firstIndex { $0.peerCID == fields.sourceCIDs.first && !$0.isDisconnecting }) {
            $0.takeCredits(fields.credits, &$1)
        }
    }
}

/// The reason why a peer's request is refused.
struct L2CAPRefusal: Error {
    var result: L2CAPCreditBasedResult

    init(_ result: L2CAPCreditBasedResult) { self.result = result }
}

extension L2CAPSignalFields {
    fileprivate init(destination: UInt16, source: UInt16) {
        self.init()
        destinationCIDs = [destination]
        sourceCIDs = [source]
    }

    fileprivate mutating func take(_ parameters: ChannelParameters) {
        mtu = parameters.mtu
        mps = parameters.mps
        credits = parameters.credits
    }

    fileprivate var hasValidLimits: Bool { mtu >= 23 && (23...65533).contains(mps) }
}
