import BluetoothCore
import Runtime
import WireBytes

// Links: connection events, the PDUs on them, and the end of links.

extension VirtualAir {
    /// Schedules the next connection event with pending PDUs.
    mutating func schedule(link index: Int) {
        let link = links[index]
        let isOpen = link.encrypting == nil
        let isPending = link.ends.contains { !$0.control.isEmpty || isOpen && !$0.data.isEmpty }
        guard !link.isSeparated, isPending else { return }
        let interval = link.parameters.intervalNanoseconds
        let since = now.nanoseconds - link.anchor.nanoseconds
        var event = since < 0 ? 0 : since / interval + 1
        // A peripheral with nothing to send may skip some events.
        if !link.ends[1].isPending {
            let step = Int64(link.parameters.latency) + 1
            event = (event + step - 1) / step * step
        }
        let time = link.anchor.advanced(by: .nanoseconds(event * interval))
        if let scheduled = link.scheduled {
            guard time < scheduled.at else { return }
            heap.remove(scheduled.event)
        }
        let id = heap.push(.connectionEvent(link.id), at: time, from: .controller)
        links[index].scheduled = (id, time)
    }

    mutating func connectionEvent(link index: Int) {
        links[index].scheduled = nil
        guard !links[index].isSeparated else { return }
        let id = links[index].id
        if isLost(from: links[index].ends[0].controller, to: links[index].ends[1].controller) {
            return eventLost(link: index)
        }
        links[index].lostSince = nil
        for side in 0..<2 {
            guard let index = place(of: id) else { return }
            transfer(from: side, of: index)
        }
        guard let index = place(of: id) else { return }
        schedule(link: index)
    }

    /// Defers pending PDUs to the next event, unless the supervision timeout has passed.
    private mutating func eventLost(link index: Int) {
        let since = links[index].lostSince ?? now
        links[index].lostSince = since
        if since.duration(to: now) >= .nanoseconds(links[index].parameters.timeoutNanoseconds) {
            return supervisionTimedOut(link: index)
        }
        noteUnanswered(links[index])
        schedule(link: index)
    }

    private mutating func transfer(from side: Int, of index: Int) {
        let id = links[index].id
        if links[index].isEncrypted, links[index].ends[side].isPending {
            links[index].ends[1 - side].authenticated = now
        }
        let control = links[index].ends[side].control
        links[index].ends[side].control = []
        for pdu in control {
            if let index = place(of: id) { note(pdu, from: side, of: links[index]) }
            deliver(pdu, from: side, of: id)
            if place(of: id) == nil { return }
        }
        let sender = links[index].ends[side].controller
        let receiver = links[index].ends[1 - side]
        guard links[index].encrypting == nil else { return }
        let count = min(
            links[index].ends[side].data.count, controllers[sender].configuration.pdusPerEvent)
        var completed: UInt16 = 0
        for pdu in links[index].ends[side].data.prefix(count) {
            note(.sent(pdu.traced(from: side)), of: id)
            let header = HCIACLHeader(
                handle: receiver.handle, boundary: pdu.isStart ? 2 : 1,
                dataLength: UInt16(clamping: pdu.octets.count))
            send(HCIPacket(.acl, header.encoded + pdu.octets), to: receiver.controller)
            if pdu.endsPacket { completed += 1 }
        }
        links[index].ends[side].data.removeFirst(count)
        guard completed > 0 else { return }
        links[index].ends[side].held -= Int(completed)
        controllers[sender].held -= Int(completed)
        let handle = links[index].ends[side].handle
        tell(
            HCINumberOfCompletedPackets(connections: [
                HCICompletedPackets(connectionHandle: handle, numCompletedPackets: completed)
            ]), to: sender)
    }

    private mutating func deliver(_ pdu: AirLink.Control, from side: Int, of id: UInt32) {
        guard let index = place(of: id) else { return }
        let ends = links[index].ends
        let peer = ends[1 - side]
        switch pdu {
        case .terminate(let reason):
            close(
                link: index,
                reasons: side == 0
                    ? [.connectionTerminatedByLocalHost, reason]
                    : [
                        reason, .connectionTerminatedByLocalHost,
                    ])
        case .update(let parameters):
            // The change takes effect six events later (Vol 6, Part B, 5.1.1).
            let interval = links[index].parameters.intervalNanoseconds
            heap.push(
                .applyParameters(id, parameters), at: now.advanced(by: .nanoseconds(6 * interval)),
                from: .controller)
        case .parameterRequest(var request):
            request.connectionHandle = peer.handle
            let features = controllers[peer.controller].configuration.features
            guard features.contains(.connectionParametersRequestProcedure),
                controllers[peer.controller].lets(LERemoteConnectionParameterRequest.subeventCode)
            else {
                links[index].ends[1 - side].control.append(
                    .parameterReject(.unsupportedRemoteFeature))
                return
            }
            tell(request, to: peer.controller)
        case .parameterReject(let reason):
            tell(
                LEConnectionUpdateComplete(status: reason, connectionHandle: peer.handle), to: peer.controller
            )
        case .featureRequest: links[index].ends[1 - side].control.append(.featureResponse)
        case .featureResponse:
            let features = controllers[ends[side].controller].configuration.supported.rawValue
            tell(
                LEReadRemoteFeaturesComplete(connectionHandle: peer.handle, leFeatures: features),
                to: peer.controller)
        case .versionRequest: links[index].ends[1 - side].control.append(.versionResponse)
        case .versionResponse:
            let sender = controllers[ends[side].controller].configuration
            tell(
                HCIReadRemoteVersionInformationComplete(
                    connectionHandle: peer.handle, version: sender.version,
                    companyIdentifier: sender.company), to: peer.controller)
        case .length(let octets): agreeLength(octets, from: side, of: index)
        case .phyRequest(let wish): choosePHYs(wish, from: side, of: index)
        case .phyReject: tellPHYs(of: 1 - side, link: index, .unsupportedRemoteFeature)
        case .encryptionRequest, .encryptionStart, .encryptionReject: deliverEncryption(pdu, of: index)
        }
    }

    /// Maximum time that a Link Layer waits for the other's part of a procedure (Vol 6, Part B, 5.2).
    static var procedureTimeout: Duration { .seconds(40) }

    /// Handles control PDUs of encryption, which succeeds if both hosts provided the same key.
    ///
    /// Source: Core Specification, Vol 6, Part B, 5.1.3.
    private mutating func deliverEncryption(_ pdu: AirLink.Control, of index: Int) {
        let ends = links[index].ends
        switch pdu {
        case .encryptionRequest(let request):
            guard controllers[ends[1].controller].configuration.features.contains(.leEncryption),
                controllers[ends[1].controller].lets(LELongTermKeyRequest.subeventCode)
            else {
                links[index].ends[1].control.append(.encryptionReject(.unsupportedRemoteFeature))
                return
            }
            tell(
                LELongTermKeyRequest(
                    connectionHandle: ends[1].handle, randomNumber: request.randomNumber,
                    encryptedDiversifier: request.encryptedDiversifier), to: ends[1].controller)
        case .encryptionStart(let key):
            guard let wanted = links[index].encrypting else { return }
            guard key == wanted else {
                // From here on neither can decrypt the other's packets.
                return close(
                    link: index,
                    reasons: [.connectionTerminatedDueToMICFailure, .connectionTerminatedDueToMICFailure])
            }
            endEncrypting(link: index, .success)
        case .encryptionReject(let reason):
            guard links[index].encrypting != nil else { return }
            endEncrypting(link: index, reason)
        default: break
        }
    }

    private mutating func endEncrypting(link index: Int, _ status: HCIStatus) {
        let wasEncrypted = links[index].isEncrypted
        links[index].encrypting = nil
        if status == .success {
            links[index].isEncrypted = true
            links[index].heard(at: now)
        }
        for (side, end) in links[index].ends.enumerated() where status == .success || side == 0 {
            if wasEncrypted {
                tell(
                    HCIEncryptionKeyRefreshComplete(status: status, connectionHandle: end.handle),
                    to: end.controller)
            } else {
                tell(
                    HCIEncryptionChange(
                        status: status, connectionHandle: end.handle,
                        encryptionEnabled: status == .success ? 1 : 0), to: end.controller)
            }
        }
        schedule(link: index)
    }

    /// Ends a link whose peripheral's host never answered the key request.
    mutating func encryptionTimedOut(link index: Int, attempt: Int) {
        guard links[index].encrypting != nil, links[index].encryptionAttempt == attempt else { return }
        close(
            link: index,
            reasons: [.lmpResponseTimeoutOrLLResponseTimeout, .lmpResponseTimeoutOrLLResponseTimeout])
    }

    private mutating func agreeLength(_ octets: UInt16, from side: Int, of index: Int) {
        let configurations = links[index].ends.map { controllers[$0.controller].configuration }
        guard configurations.allSatisfy({ $0.features.contains(.leDataPacketLengthExtension) }) else {
            return
        }
        let limits = configurations.map(\.maxDataOctets)
        let agreed = max(27, min(octets, limits[0], limits[1]))
        guard links[index].ends[side].txOctets != agreed else { return }
        links[index].ends[side].txOctets = agreed
        let ends = links[index].ends
        for own in 0..<2 {
            let tx = ends[own].txOctets
            let rx = ends[1 - own].txOctets
            tell(
                LEDataLengthChange(
                    connectionHandle: ends[own].handle, maxTxOctets: tx, maxTxTime: (tx + 14) * 8,
                    maxRxOctets: rx, maxRxTime: (rx + 14) * 8), to: ends[own].controller)
        }
    }

    mutating func apply(_ parameters: LinkParameters, to index: Int) {
        guard !links[index].isSeparated else { return }
        links[index].parameters = parameters
        links[index].anchor = now
        note(.interval(parameters.interval), of: links[index].id)
        if let scheduled = links[index].scheduled { heap.remove(scheduled.event) }
        links[index].scheduled = nil
        for end in links[index].ends {
            tell(
                LEConnectionUpdateComplete(
                    connectionHandle: end.handle, connectionInterval: parameters.interval,
                    peripheralLatency: parameters.latency, supervisionTimeout: parameters.timeout),
                to: end.controller)
        }
        schedule(link: index)
    }

    /// Separates the ends of a link, which no longer hear each other.
    mutating func lose(link index: Int) {
        note(.senders(central: !links[index].ends[0].isGone, peripheral: false), of: links[index].id)
        guard !links[index].isSeparated else { return }
        links[index].isSeparated = true
        links[index].separation += 1
        startPayloadTimeouts(link: index)
        if let scheduled = links[index].scheduled { heap.remove(scheduled.event) }
        links[index].scheduled = nil
        // The last event that both ends heard is at most one interval ago.
        let interval = links[index].parameters.intervalNanoseconds
        let since = max(0, now.nanoseconds - links[index].anchor.nanoseconds)
        let last = links[index].anchor.advanced(by: .nanoseconds(since / interval * interval))
        let deadline = last.advanced(by: .nanoseconds(links[index].parameters.timeoutNanoseconds))
        links[index].supervision = heap.push(
            .supervisionTimeout(links[index].id), at: max(now, deadline), from: .controller)
    }

    mutating func supervisionTimedOut(link index: Int) {
        // An end that wanted to terminate the link gets its own reason.
        close(
            link: index,
            reasons: links[index].ends.map {
                guard links[index].isEstablished else {
                    return .connectionFailedToBeEstablishedOrSynchronizationTimeout
                }
                return $0.terminating == nil ? .connectionTimeout : .connectionTerminatedByLocalHost
            })
    }

    /// Ends a link and reports it to both hosts, except for ends that are gone.
    private mutating func close(link index: Int, reasons: [HCIStatus]) {
        let link = links.remove(at: index)
        note(.end, of: link.id)
        if let scheduled = link.scheduled { heap.remove(scheduled.event) }
        if let supervision = link.supervision { heap.remove(supervision) }
        for (end, reason) in zip(link.ends, reasons) where !end.isGone {
            controllers[end.controller].held -= end.held
            tell(HCIDisconnectionComplete(connectionHandle: end.handle, reason: reason), to: end.controller)
        }
    }

    /// Makes the peers of a controller that was reset lose its links.
    mutating func loseLinks(of controller: Int) {
        for id in links.map(\.id) {
            guard let index = place(of: id),
                let side = links[index].ends.firstIndex(where: { $0.controller == controller && !$0.isGone })
            else { continue }
            links[index].ends[side].isGone = true
            if links[index].ends[1 - side].isGone {
                close(link: index, reasons: [.success, .success])
            } else {
                lose(link: index)
            }
        }
    }

    /// Takes ACL data from a host.
    ///
    /// - Returns: whether there is a link that it fits.
    mutating func acl(_ octets: [UInt8], of controller: Int) -> Bool {
        guard let header = try? HCIACLHeader(start: octets),
            octets.count == HCIACLHeader.size + Int(header.dataLength),
            header.dataLength <= controllers[controller].configuration.aclPacketLength
        else { return false }
        guard controllers[controller].held < Int(controllers[controller].configuration.aclPacketCount) else {
            // The host sent more packets than there are buffers.
            tell(HCIDataBufferOverflow(linkType: 1), to: controller)
            return true
        }
        for index in links.indices {
            guard let side = links[index].side(of: controller, handle: header.handle) else { continue }
            let data = octets.dropFirst(HCIACLHeader.size)
            let limit = Int(links[index].ends[side].txOctets)
            var isStart = !header.isContinuation
            var rest = data
            repeat {
                let part = rest.prefix(limit)
                rest = rest.dropFirst(part.count)
                links[index].ends[side].data.append(
                    AirLink.DataPDU(isStart: isStart, octets: Array(part), endsPacket: rest.isEmpty))
                isStart = false
            } while !rest.isEmpty
            links[index].ends[side].held += 1
            controllers[controller].held += 1
            schedule(link: index)
            return true
        }
        return false
    }
}
