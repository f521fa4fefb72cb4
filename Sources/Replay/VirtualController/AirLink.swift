import BluetoothCore
import Runtime
import WireBytes

/// A link on the air, with the pending PDUs of its two ends.
struct AirLink: Sendable {
    /// A Link Layer PDU with a host's data.
    struct DataPDU: Sendable {
        var isStart: Bool
        var octets: [UInt8]
        /// Whether it is the last PDU of the host's packet.
        var endsPacket: Bool
    }

    enum Control: Sendable {
        case terminate(HCIStatus)
        case update(LinkParameters)
        case parameterRequest(LERemoteConnectionParameterRequest)
        case parameterReject(HCIStatus)
        case featureRequest
        case featureResponse
        case versionRequest
        case versionResponse
        case length(UInt16)
        case phyRequest(PHYPreference)
        case phyReject
        case encryptionRequest(LEEnableEncryption)
        /// The key from the peripheral's host.
        case encryptionStart([UInt8])
        case encryptionReject(HCIStatus)
    }

    enum Event: Sendable {
        case connectionEvent
        case applyParameters(LinkParameters)
        case supervisionTimeout
        /// A host has not answered a key request for 40 s.
        case encryptionTimeout(attempt: Int)
        case applyPHYs(PHYChange)
        /// One end of a separated link has received no authenticated packet for its timeout.
        case payloadTimeout(side: Int, separation: Int)
    }

    struct End: Sendable {
        var controller: Int
        var handle: UInt16
        var address: DeviceAddress
        var data: [DataPDU] = []
        var control: [Control] = []
        /// Maximum PDU payload that it sends, in octets.
        var txOctets: UInt16 = 27
        var txPHY = LEPHY.le1M
        /// The PHYs that the host permits on this link.
        var phys = PHYPreference.all
        /// Steps of 10 ms (Vol 4, Part E, 7.3.94).
        var payloadTimeout: UInt16 = 3000
        /// Time of the last received packet with a message integrity check.
        var authenticated = Instant.zero
        /// Number of the host's packets in the buffers for this link.
        var held = 0
        /// Whether the host was informed of the end of the link, or the controller was reset.
        var isGone = false
        var terminating: HCIStatus?

        var isPending: Bool { !data.isEmpty || !control.isEmpty }
    }

    let id: UInt32
    /// The central, then the peripheral.
    var ends: [End]
    var parameters: LinkParameters
    /// Time of connection event 0.
    var anchor: Instant
    var scheduled: (event: EventID, at: Instant)?
    var supervision: EventID?
    /// The central's key until both ends encrypt. No data is sent meanwhile.
    var encrypting: [UInt8]?
    var isEncrypted = false
    var encryptionAttempt = 0
    /// Whether the peripheral received the packet that makes the connection, which can be lost.
    var isEstablished = true
    /// Whether the ends can't hear each other.
    var isSeparated = false
    /// Incremented each time the ends lose each other.
    var separation = 0
    /// Time since when all connection events were lost; nil if the last one was received.
    var lostSince: Instant?
    var isEnded = false

    /// Records that both ends hear each other.
    mutating func heard(at now: Instant) {
        lostSince = nil
        for side in ends.indices where isEncrypted { ends[side].authenticated = now }
    }

    func joins(_ one: ControllerID, _ other: ControllerID) -> Bool {
        Set(ends.map(\.controller)) == [one.rawValue, other.rawValue]
    }

    /// Returns the end of a controller: 0 for the central, 1 for the peripheral.
    func side(of controller: Int, handle: UInt16) -> Int? {
        ends.firstIndex { $0.controller == controller && $0.handle == handle && !$0.isGone }
    }
}

// Connection events, the PDUs on the link, and its end.

extension AirLink {
    /// Schedules the next connection event with pending PDUs.
    mutating func schedule(_ air: inout AirMedium) {
        let isOpen = encrypting == nil
        let isPending = ends.contains { !$0.control.isEmpty || isOpen && !$0.data.isEmpty }
        guard !isSeparated, isPending else { return }
        let interval = parameters.intervalNanoseconds
        let since = air.now.nanoseconds - anchor.nanoseconds
        var event = since < 0 ? 0 : since / interval + 1
        // A peripheral with nothing to send may skip some events.
        if !ends[1].isPending {
            let step = Int64(parameters.latency) + 1
            event = (event + step - 1) / step * step
        }
        let time = anchor.advanced(by: .nanoseconds(event * interval))
        if let scheduled {
            guard time < scheduled.at else { return }
            air.heap.remove(scheduled.event)
        }
        scheduled = (air.heap.push(.link(id, .connectionEvent), at: time, from: .controller), time)
    }

    /// Carries out an event that is due.
    mutating func happen(_ event: Event, _ air: inout AirMedium) {
        switch event {
        case .connectionEvent: connectionEvent(&air)
        case .applyParameters(let parameters): apply(parameters, &air)
        case .supervisionTimeout: supervisionTimedOut(&air)
        case .encryptionTimeout(let attempt):
            // The peripheral's host never answered the key request.
            guard encrypting != nil, encryptionAttempt == attempt else { return }
            close(reasons: [HCIStatus](repeating: .lmpResponseTimeoutOrLLResponseTimeout, count: 2), &air)
        case .applyPHYs(let change): apply(change, &air)
        case .payloadTimeout(let side, let separation):
            payloadTimedOut(side: side, separation: separation, &air)
        }
    }

    private mutating func connectionEvent(_ air: inout AirMedium) {
        scheduled = nil
        guard !isSeparated else { return }
        if air.isLost(from: ends[0].controller, to: ends[1].controller) { return eventLost(&air) }
        lostSince = nil
        for side in 0..<2 where !isEnded { transfer(from: side, &air) }
        if !isEnded { schedule(&air) }
    }

    /// Defers pending PDUs to the next event, unless the supervision timeout has passed.
    private mutating func eventLost(_ air: inout AirMedium) {
        let since = lostSince ?? air.now
        lostSince = since
        if since.duration(to: air.now) >= .nanoseconds(parameters.timeoutNanoseconds) {
            return supervisionTimedOut(&air)
        }
        air.noteUnanswered(self)
        schedule(&air)
    }

    private mutating func transfer(from side: Int, _ air: inout AirMedium) {
        if isEncrypted, ends[side].isPending { ends[1 - side].authenticated = air.now }
        let control = ends[side].control
        ends[side].control = []
        for pdu in control {
            air.note(pdu, from: side, of: self)
            deliver(pdu, from: side, &air)
            if isEnded { return }
        }
        let sender = ends[side].controller
        let receiver = ends[1 - side]
        guard encrypting == nil else { return }
        let count = min(ends[side].data.count, air.controllers[sender].configuration.pdusPerEvent)
        var completed: UInt16 = 0
        for pdu in ends[side].data.prefix(count) {
            air.note(.sent(pdu.traced(from: side)), of: id)
            let header = HCIACLHeader(
                handle: receiver.handle, boundary: pdu.isStart ? 2 : 1,
                dataLength: UInt16(clamping: pdu.octets.count))
            air.send(HCIPacket(.acl, header.encoded + pdu.octets), to: receiver.controller)
            if pdu.endsPacket { completed += 1 }
        }
        ends[side].data.removeFirst(count)
        guard completed > 0 else { return }
        ends[side].held -= Int(completed)
        air.controllers[sender].held -= Int(completed)
        air.tell(
            HCINumberOfCompletedPackets(connections: [
                HCICompletedPackets(connectionHandle: ends[side].handle, numCompletedPackets: completed)
            ]), to: sender)
    }

    private mutating func deliver(_ pdu: Control, from side: Int, _ air: inout AirMedium) {
        let peer = ends[1 - side]
        switch pdu {
        case .terminate(let reason):
            let own = HCIStatus.connectionTerminatedByLocalHost
            close(reasons: side == 0 ? [own, reason] : [reason, own], &air)
        case .update(let parameters):
            // The change takes effect six events later (Vol 6, Part B, 5.1.1).
            air.heap.push(
                .link(id, .applyParameters(parameters)), at: inSixEvents(air.now), from: .controller)
        case .parameterRequest(var request):
            request.connectionHandle = peer.handle
            let features = air.controllers[peer.controller].configuration.features
            guard features.contains(.connectionParametersRequestProcedure),
                air.controllers[peer.controller].lets(LERemoteConnectionParameterRequest.subeventCode)
            else {
                return ends[1 - side].control.append(.parameterReject(.unsupportedRemoteFeature))
            }
            air.tell(request, to: peer.controller)
        case .parameterReject(let reason):
            air.tell(
                LEConnectionUpdateComplete(status: reason, connectionHandle: peer.handle), to: peer.controller
            )
        case .featureRequest: ends[1 - side].control.append(.featureResponse)
        case .featureResponse:
            let features = air.controllers[ends[side].controller].configuration.supported.rawValue
            air.tell(
                LEReadRemoteFeaturesComplete(connectionHandle: peer.handle, leFeatures: features),
                to: peer.controller)
        case .versionRequest: ends[1 - side].control.append(.versionResponse)
        case .versionResponse:
            let sender = air.controllers[ends[side].controller].configuration
            air.tell(
                HCIReadRemoteVersionInformationComplete(
                    connectionHandle: peer.handle, version: sender.version,
                    companyIdentifier: sender.company), to: peer.controller)
        case .length(let octets): agreeLength(octets, from: side, &air)
        case .phyRequest(let wish): choosePHYs(wish, from: side, &air)
        case .phyReject: tellPHYs(of: 1 - side, .unsupportedRemoteFeature, &air)
        case .encryptionRequest, .encryptionStart, .encryptionReject: deliverEncryption(pdu, &air)
        }
    }

    /// Maximum time that a Link Layer waits for the other's part of a procedure (Vol 6, Part B, 5.2).
    static var procedureTimeout: Duration { .seconds(40) }

    /// Handles control PDUs of encryption, which succeeds if both hosts provided the same key.
    ///
    /// Source: Core Specification, Vol 6, Part B, 5.1.3.
    private mutating func deliverEncryption(_ pdu: Control, _ air: inout AirMedium) {
        switch pdu {
        case .encryptionRequest(let request):
            guard air.controllers[ends[1].controller].configuration.features.contains(.leEncryption),
                air.controllers[ends[1].controller].lets(LELongTermKeyRequest.subeventCode)
            else {
                return ends[1].control.append(.encryptionReject(.unsupportedRemoteFeature))
            }
            air.tell(
                LELongTermKeyRequest(
                    connectionHandle: ends[1].handle, randomNumber: request.randomNumber,
                    encryptedDiversifier: request.encryptedDiversifier), to: ends[1].controller)
        case .encryptionStart(let key):
            guard let wanted = encrypting else { return }
            guard key == wanted else {
                // From here on neither can decrypt the other's packets.
                return close(
                    reasons: [HCIStatus](repeating: .connectionTerminatedDueToMICFailure, count: 2), &air)
            }
            endEncrypting(.success, &air)
        case .encryptionReject(let reason):
            guard encrypting != nil else { return }
            endEncrypting(reason, &air)
        default: break
        }
    }

    private mutating func endEncrypting(_ status: HCIStatus, _ air: inout AirMedium) {
        let wasEncrypted = isEncrypted
        encrypting = nil
        if status == .success {
            isEncrypted = true
            heard(at: air.now)
        }
        for (side, end) in ends.enumerated() where status == .success || side == 0 {
            if wasEncrypted {
                air.tell(
                    HCIEncryptionKeyRefreshComplete(status: status, connectionHandle: end.handle),
                    to: end.controller)
            } else {
                air.tell(
                    HCIEncryptionChange(
                        status: status, connectionHandle: end.handle,
                        encryptionEnabled: status == .success ? 1 : 0), to: end.controller)
            }
        }
        schedule(&air)
    }

    private mutating func agreeLength(_ octets: UInt16, from side: Int, _ air: inout AirMedium) {
        let configurations = ends.map { air.controllers[$0.controller].configuration }
        guard configurations.allSatisfy({ $0.features.contains(.leDataPacketLengthExtension) }) else {
            return
        }
        let limits = configurations.map(\.maxDataOctets)
        let agreed = max(27, min(octets, limits[0], limits[1]))
        guard ends[side].txOctets != agreed else { return }
        ends[side].txOctets = agreed
        for own in 0..<2 {
            let tx = ends[own].txOctets
            let rx = ends[1 - own].txOctets
            air.tell(
                LEDataLengthChange(
                    connectionHandle: ends[own].handle, maxTxOctets: tx, maxTxTime: (tx + 14) * 8,
                    maxRxOctets: rx, maxRxTime: (rx + 14) * 8), to: ends[own].controller)
        }
    }

    private mutating func apply(_ new: LinkParameters, _ air: inout AirMedium) {
        guard !isSeparated else { return }
        parameters = new
        anchor = air.now
        air.note(.interval(new.interval), of: id)
        cancelEvent(&air)
        for end in ends {
            air.tell(
                LEConnectionUpdateComplete(
                    connectionHandle: end.handle, connectionInterval: new.interval,
                    peripheralLatency: new.latency, supervisionTimeout: new.timeout),
                to: end.controller)
        }
        schedule(&air)
    }

    private mutating func cancelEvent(_ air: inout AirMedium) {
        if let scheduled { air.heap.remove(scheduled.event) }
        scheduled = nil
    }

    /// Time of the sixth event from now, with which a change takes effect.
    func inSixEvents(_ now: Instant) -> Instant {
        now.advanced(by: .nanoseconds(6 * parameters.intervalNanoseconds))
    }

    /// Separates the ends of the link, which no longer hear each other.
    mutating func lose(_ air: inout AirMedium) {
        air.note(.senders(central: !ends[0].isGone, peripheral: false), of: id)
        guard !isSeparated else { return }
        isSeparated = true
        separation += 1
        startPayloadTimeouts(&air)
        cancelEvent(&air)
        // The last event that both ends heard is at most one interval ago.
        let interval = parameters.intervalNanoseconds
        let since = max(0, air.now.nanoseconds - anchor.nanoseconds)
        let last = anchor.advanced(by: .nanoseconds(since / interval * interval))
        let deadline = last.advanced(by: .nanoseconds(parameters.timeoutNanoseconds))
        supervise(until: max(air.now, deadline), &air)
    }

    /// Schedules the end of the link by its supervision timeout.
    mutating func supervise(until deadline: Instant, _ air: inout AirMedium) {
        supervision = air.heap.push(.link(id, .supervisionTimeout), at: deadline, from: .controller)
    }

    /// Lets the ends of the link hear each other again.
    mutating func rejoin(_ air: inout AirMedium) {
        guard !ends.contains(where: \.isGone) else { return }
        isSeparated = false
        heard(at: air.now)
        if let supervision { air.heap.remove(supervision) }
        supervision = nil
        air.note(.senders(central: true, peripheral: true), of: id)
        schedule(&air)
    }

    /// Makes the peer of a controller that was reset lose the link.
    mutating func leave(controller: Int, _ air: inout AirMedium) {
        guard let side = ends.firstIndex(where: { $0.controller == controller && !$0.isGone }) else { return }
        ends[side].isGone = true
        if ends[1 - side].isGone { close(reasons: [.success, .success], &air) } else { lose(&air) }
    }

    private mutating func supervisionTimedOut(_ air: inout AirMedium) {
        // An end that wanted to terminate the link gets its own reason.
        let reasons = ends.map { end -> HCIStatus in
            guard isEstablished else { return .connectionFailedToBeEstablishedOrSynchronizationTimeout }
            return end.terminating == nil ? .connectionTimeout : .connectionTerminatedByLocalHost
        }
        close(reasons: reasons, &air)
    }

    /// Ends the link and reports it to both hosts, except for ends that are gone.
    private mutating func close(reasons: [HCIStatus], _ air: inout AirMedium) {
        isEnded = true
        air.note(.end, of: id)
        cancelEvent(&air)
        if let supervision { air.heap.remove(supervision) }
        for (end, reason) in zip(ends, reasons) where !end.isGone {
            air.controllers[end.controller].held -= end.held
            air.tell(
                HCIDisconnectionComplete(connectionHandle: end.handle, reason: reason), to: end.controller)
        }
    }

    /// Takes ACL data from an end's host.
    mutating func take(
        _ data: ArraySlice<UInt8>, isContinuation: Bool, from side: Int, _ air: inout AirMedium
    ) {
        let limit = Int(ends[side].txOctets)
        var isStart = !isContinuation
        var rest = data
        repeat {
            let part = rest.prefix(limit)
            rest = rest.dropFirst(part.count)
            ends[side].data.append(
                DataPDU(isStart: isStart, octets: Array(part), endsPacket: rest.isEmpty))
            isStart = false
        } while !rest.isEmpty
        ends[side].held += 1
        air.controllers[ends[side].controller].held += 1
        schedule(&air)
    }
}
