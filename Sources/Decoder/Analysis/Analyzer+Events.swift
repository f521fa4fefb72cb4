import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// HCI events: they open and end connections, and answer commands.

extension Analyzer {
    mutating func analyzeEvent(_ octets: RawSpan) {
        frame.event = octets.octet(at: 0) ?? 0
        guard let code = octets.octet(at: 0), let length = octets.octet(at: 1) else {
            reportNoHeader(octets)
            return
        }
        frame.fold = .housekeeping
        // Programs write their own events under unassigned codes, whose lengths need not match.
        if octets.byteCount &- 2 != Int(length), !frame.header.isTruncated,
            octets.byteCount &- 2 < Int(length) || HCIEventCode(rawValue: code).name != nil
        {
            report(.hci(.malformed(.length(announced: Int(length), held: octets.byteCount &- 2))))
        }
        let parameters = octets.clamped(2..<2 &+ Int(length))
        do throws(DecodeError) {
            switch HCIEventCode(rawValue: code) {
            case .leMeta: try analyzeLEMeta(parameters)
            case .numberOfCompletedPackets:
                frame.fold = .credit
                completed(parameters)
            case .commandComplete: try commandComplete(parameters)
            case .commandStatus: try commandStatus(parameters)
            case .disconnectionComplete: try disconnected(parameters)
            case .encryptionChangeV1, .encryptionChangeV2: try encryptionChanged(parameters)
            case .encryptionKeyRefreshComplete: try keyRefreshed(parameters)
            case .connectionComplete: try classicConnected(parameters)
            case .hardwareError:
                frame.fold = .none
                if let code = parameters.octet(at: 0) { report(.hci(.hardwareError(code))) }
            default: analyzeByLayout(HCIEventCode(rawValue: code), parameters)
            }
        } catch {
            return reportFault(error)
        }
        if let fault = fault(HCIEventCode(rawValue: code), parameters) { reportFault(fault) }
    }

    /// Reports the place where the fields of a packet can't be decoded, unless the recorder truncated the
    /// packet or it was reported as malformed before.
    mutating func reportFault(
        _ fault: DecodeError, _ kind: (PacketFault) -> Problem.Kind = { .hci(.malformed($0)) }
    ) {
        let problem = Problem(kind(.field(at: fault.offset)))
        let isTold = problems.contains { $0.code == problem.code }
        guard !frame.header.isTruncated, !isTold else { return }
        frame.fold = .none
        problems.append(problem)
    }

    /// Reports a packet shorter than its header, unless the recorder truncated it.
    mutating func reportNoHeader(_ octets: RawSpan) {
        guard !frame.header.isTruncated else { return }
        report(.hci(.malformed(.header(held: octets.byteCount))))
    }

    /// Returns the first fault in an event's parameters. Advertising reports are checked one by one; credits,
    /// the most frequent event, only by their count.
    private func fault(_ code: HCIEventCode, _ parameters: RawSpan) -> DecodeError? {
        switch code {
        case .numberOfCompletedPackets:
            guard let count = parameters.octet(at: 0), parameters.byteCount > 4 &* Int(count) else {
                return DecodeError(.invalidLength, at: 0)
            }
            return nil
        case .leMeta:
            if frame.reports > 0 || frame.subevent == 0x02 || frame.subevent == 0x0D { return nil }
            return HCIEventTable.faultLE(LESubeventCode(rawValue: frame.subevent), in: parameters.dropping(1))
        case .commandComplete:
            // A command that failed may return only its status.
            guard frame.status == 0, parameters.byteCount > 4 else { return nil }
            return HCICommandTable.fault(
                HCIOpcode(rawValue: frame.opcode), .returnParameters, in: parameters.dropping(3))
        default: return HCIEventTable.fault(code, in: parameters)
        }
    }

    /// Handles events from which only the connection, the device and the status are needed.
    private mutating func analyzeByLayout(_ code: HCIEventCode, _ parameters: RawSpan) {
        if code.rawValue != 0xFF { frame.fold = .none }
        guard let layout = HCIEventTable.layout(code) else { return }
        let handle = layout.connectionHandle(in: parameters)
        attach(to: handle)
        if frame.link >= 0, link.transport == .unknown,
            Self.classicEvents.contains(code)
        {
            link.transport = .brEDR
        }
        if let place = layout.address { notePeer(parameters, at: place) }
        if layout.startsWithStatus,
            handle != nil || code == .remoteNameRequestComplete || Self.reportsOutcome(code)
        {
            noteStatus(code, parameters.octet(at: 0))
        }
        if handle == nil, Self.reportsOutcome(code) || Self.pairingEvents.contains(code),
            let slot = classicSlot()
        {
            frame.link = slot
        }
        if code == .authenticationComplete || code == .simplePairingComplete, frame.link >= 0 {
            link.classicSecurity = parameters.octet(at: 0).map { (code == .simplePairingComplete, $0) }
        }
        switch code {
        case .connectionRequest:
            // Only an ACL connection (link type 1) is an attempt to reach this host.
            guard parameters.octet(at: 9) == 1 else { break }
            adapters[frameAdapter].incoming =
                frame.peer.map { ConnectAttempt(from: $0, place: frame.place, time: frame.time) }
        case .authenticationComplete: completeRunning(0x0411)
        case .remoteNameRequestComplete: noteRemoteName(parameters)
        case .readRemoteSupportedFeaturesComplete: completeRunning(0x041B)
        case .readRemoteVersionInformationComplete: completeRunning(0x041D)
        case .roleChange where frame.status == 0:
            // It may come before the connection's completion.
            guard let peer = frame.peer, let role = Link.Role(changedTo: parameters.octet(at: 7)) else {
                break
            }
            if frame.link >= 0 { link.role = role } else { adapters[frameAdapter].earlyRole = (peer, role) }
        case .modeChange where frame.link >= 0: link.modeChanged = frame.time
        case .dataBufferOverflow: report(.hci(.dataBufferOverflow))
        case .readClockOffsetComplete: completeRunning(0x041F)
        case .readRemoteExtendedFeaturesComplete: completeRunning(0x041C)
        case .synchronousConnectionComplete: noteSynchronous(handle)
        case .authenticatedPayloadTimeoutExpired:
            report(.hci(.authenticatedPayloadTimeout))
            if frame.link >= 0 { link.payloadTimeout = frame.time }
        default: break
        }
    }

    /// Events about a connection that only BR/EDR has.
    private static let classicEvents: Set<HCIEventCode> = [
        .authenticationComplete, .readRemoteSupportedFeaturesComplete, .qoSSetupComplete, .flushOccurred,
        .modeChange, .maxSlotsChange, .readClockOffsetComplete, .connectionPacketTypeChanged,
        .flowSpecificationComplete, .readRemoteExtendedFeaturesComplete, .sniffSubrating,
        .linkSupervisionTimeoutChanged, .enhancedFlushComplete,
    ]

    /// Events of a pairing on BR/EDR that name the device and not the connection.
    private static let pairingEvents: Set<HCIEventCode> = [
        .pinCodeRequest, .linkKeyRequest, .linkKeyNotification, .ioCapabilityRequest, .ioCapabilityResponse,
        .userConfirmationRequest, .userPasskeyRequest, .remoteOOBDataRequest, .userPasskeyNotification,
        .keypressNotification,
    ]

    /// Whether an event that names a device but no connection reports the result of a procedure on it.
    private static func reportsOutcome(_ code: HCIEventCode) -> Bool {
        code == .roleChange || code == .simplePairingComplete
    }

    /// Records the connection that a synchronous one belongs to: the ACL connection to the same device.
    private mutating func noteSynchronous(_ handle: UInt16?) {
        attach(to: handle)
        guard let handle, frame.status == 0 else { return }
        guard let slot = classicSlot() else { return }
        let adapter = frameAdapter
        adapters[adapter].streams.add(handle & 0xFFF, of: links[slot].handle)
        attach(to: handle)
    }

    /// Returns the open connection to the BR/EDR device that the frame names.
    func classicSlot() -> Int? {
        guard let peer = frame.peer else { return nil }
        return links.indices.first {
            links[$0].isOpen && links[$0].transport != .le && links[$0].file == frame.file
                && links[$0].adapter == frame.header.adapter && peers[links[$0].peer].address == peer
        }
    }

    /// Keeps the name of Remote Name Request Complete, which hosts ask for before they connect.
    private mutating func noteRemoteName(_ parameters: RawSpan) {
        guard parameters.octet(at: 0) == 0, let address = frame.peer else { return }
        let name = Array(parameters.dropping(7).copied().prefix { $0 != 0 })
        guard !name.isEmpty else { return }
        peers.name(peer: peers.peer(address, at: frame.time.nanoseconds), name)
        if let slot = classicSlot() { links[slot].deviceName = name }
    }

    /// Records the status of an event, and reports it if it is a failure.
    private mutating func noteStatus(_ code: HCIEventCode, _ status: UInt8?) {
        frame.status = status
        guard let status, status != 0 else { return }
        if code == .authenticationComplete || code == .simplePairingComplete,
            let declined = adapters[frameAdapter].declined,
            let peer = frame.peer ?? (frame.link >= 0 ? link.address : nil),
            declined.peer == peer
        {
            return report(.hci(.pairingDeclined(HCIStatus(rawValue: status), code, declined.frame)))
        }
        report(.hci(.procedureFailed(HCIStatus(rawValue: status), code, nil)))
    }

    /// Sets the frame's peer to the BR/EDR device whose address is at an offset.
    mutating func notePeer(_ parameters: RawSpan, at offset: Int) {
        var reader = ByteReader(parameters, from: offset)
        // Zeros mean no device, as in a command for all devices.
        guard let value = try? reader.u48le(), value != 0 else { return }
        frame.peer = DeviceAddress(value, .public)
    }

    /// Assigns the frame to the open link with this handle, or to the link of the stream with this handle.
    mutating func attach(to handle: UInt16?) {
        guard let handle else { return }
        frame.handle = handle & 0xFFF
        if let slot = slot(of: handle & 0xFFF) { frame.link = slot }
    }

    /// Returns the open link with this handle, or the link of the stream with this handle.
    mutating func slot(of handle: UInt16) -> Int? {
        if let slot = openSlot(of: handle) { return slot }
        let adapter = frameAdapter
        return adapters[adapter].streams.connection(of: handle).flatMap { openSlot(of: $0) }
    }

    private mutating func commandComplete(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCICommandComplete(decoding: parameters)
        frame.opcode = event.commandOpcode.rawValue
        guard event.commandOpcode != .noOperation else { return }
        let asked = answerCommand(event.commandOpcode)
        // Connections that were established while the controller was still about to reset.
        if event.commandOpcode == HCIReset.opcode, parameters.octet(at: 3) == 0 { closeAllLinks(.reset) }
        // Without its command the answer itself names the connection.
        if frame.link < 0, frame.request == nil {
            let returned = HCICommandTable.layout(event.commandOpcode, .returnParameters)
            attach(to: returned?.connectionHandle(in: parameters.dropping(3)))
            if Self.pairingReplies.contains(frame.opcode), let place = returned?.address {
                notePeer(parameters.dropping(3), at: place)
                if let slot = classicSlot() { frame.link = slot }
            }
        }
        // The first return parameter of every command except a vendor's is its status.
        guard !event.commandOpcode.isVendor, let status = parameters.octet(at: 3) else { return }
        frame.status = status
        guard status != 0 else {
            // LE Read Buffer Size: 0 packets are shared with BR/EDR.
            if [0x2002, 0x2060].contains(event.commandOpcode.rawValue), let total = parameters.octet(at: 6) {
                let adapter = frameAdapter
                adapters[adapter].buffers = total > 0 ? Int(total) : nil
            }
            return accepted(event.commandOpcode, stops: asked?.stops)
        }
        frame.fold = .none
        refused(event.commandOpcode, status, asked: asked)
    }

    private mutating func commandStatus(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCICommandStatus(decoding: parameters)
        frame.opcode = event.commandOpcode.rawValue
        frame.status = event.status.rawValue
        guard event.commandOpcode != .noOperation else { return }
        let asked = answerCommand(event.commandOpcode)
        guard event.status != .success else { return accepted(event.commandOpcode, stops: asked?.stops) }
        frame.fold = .none
        let adapter = frameAdapter
        let isV2 = event.commandOpcode == LEExtendedCreateConnectionV2.opcode
        let command = adapters[adapter].takeRefusedRunning(
            isV2 ? LEExtendedCreateConnection.opcode.rawValue : event.commandOpcode.rawValue,
            frame.request?.place)
        refused(event.commandOpcode, event.status.rawValue, command, asked: asked)
    }

    private mutating func disconnected(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIDisconnectionComplete(decoding: parameters)
        frame.fold = .none
        if let time = inferredEnd(of: event.connectionHandle) { return fellSilent(event, at: time) }
        noteStatus(.disconnectionComplete, event.status.rawValue)
        attach(to: event.connectionHandle)
        completeRunning(HCIDisconnect.opcode.rawValue)
        guard event.status == .success else { return }
        let adapter = frameAdapter
        let isStream = adapters[adapter].streams.connection(of: event.connectionHandle & 0xFFF) != nil
        adapters[adapter].streams.remove(event.connectionHandle & 0xFFF)
        let open = openSlot(of: event.connectionHandle & 0xFFF)
        guard let slot = open ?? (isStream ? nil : endedLink(handle: event.connectionHandle & 0xFFF)) else {
            return endedHandles.end(
                file: frame.file, adapter: frame.header.adapter, handle: event.connectionHandle & 0xFFF,
                at: frame.place, frame.time)
        }
        // Before the timeouts that `checkDeadlines` has reported for this record: the disconnection explains
        // them.
        if let end = problem(ofEnd: event.reason, at: frame.time) {
            problems.insert(Problem(.hci(end)), at: 0)
        } else if let timeout = link.payloadTimeout,
            frame.time.since(timeout) <= Link.longestReaction
        {
            raise(.authenticatedPayloadTimeout, on: link.number)
        }
        closeLink(slot: slot, reason: event.reason.rawValue)
    }

    /// Ends a connection on the air whose silence this packet of other devices shows.
    private mutating func fellSilent(_ event: HCIDisconnectionComplete, at time: CaptureTime) {
        guard let slot = openSlot(of: event.connectionHandle & 0xFFF) else { return }
        let own = frame.link
        frame.link = slot
        link.endIsInferred = true
        if let end = problem(ofEnd: event.reason, at: time) {
            report(.hci(end), on: slot, before: 0)
        }
        closeLink(slot: slot, reason: event.reason.rawValue, at: time)
        settleEnded()
        frame.link = own
    }

    /// Returns the problem of a disconnection with this reason; nil if one of the two sides simply
    /// disconnected.
    private mutating func problem(ofEnd reason: HCIStatus, at time: CaptureTime) -> HCIProblem? {
        let adapter = frameAdapter
        if reason != .remoteUserTerminatedConnection, !setbacks.isEmpty { endShortConnections() }
        switch reason {
        case .remoteDeviceTerminatedConnectionDueToPowerOff, .connectionTerminatedByLocalHost: return nil
        case .remoteUserTerminatedConnection:
            guard shown.holdsPackets(of: .host), shown.holdsPackets(of: .peer),
                !adapters[adapter].loss.mayIncludeAnswer(
                    toRequestAt: link.firstFrame, sent: link.phases.first)
            else { return shortConnection(reason) }
            guard let waited = link.emptyTime(until: frame.time) else {
                return endingWrite(reason)
            }
            link.wasRejected = true
            return .endedByPeer(reason, atOnce: waited)
        case .remoteDeviceTerminatedConnectionDueToLowResources: return .endedByPeer(reason, atOnce: nil)
        case .connectionTimeout, .lmpResponseTimeoutOrLLResponseTimeout,
            .connectionFailedToBeEstablishedOrSynchronizationTimeout:
            let wasEstablished = reason != .connectionFailedToBeEstablishedOrSynchronizationTimeout
            // The command, if the host had already asked for the end.
            let asked = wasEstablished ? frame.request?.place : nil
            link.wasAskedToEnd = asked != nil
            var conditions = lostConditions(adapter: adapter, at: time)
            conditions.restart = link.restart(until: time)
            if conditions.restart != nil { link.tolerateMissingAnswers() }
            return .abnormalDisconnection(reason, conditions, asked: asked)
        default:
            let isAboutConditions = link.endIsInferred || reason == .unacceptableConnectionParameters
            let conditions =
                isAboutConditions ? lostConditions(adapter: adapter, at: time) : nil
            return .abnormalDisconnection(reason, conditions, asked: nil)
        }
    }

    private mutating func encryptionChanged(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIEncryptionChange(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        attach(to: event.connectionHandle)
        note(.encryption(event.status))
        completeRunning(LEEnableEncryption.opcode.rawValue, or: 0x0413)
        guard event.status == .success else {
            guard frame.link >= 0 else { return report(.hci(.encryptionFailed(event.status))) }
            problems.append(link.pairing.refuse(event.status, at: frame.time))
            return
        }
        guard frame.link >= 0 else { return }
        link.isEncrypted = event.encryptionEnabled != 0
        if event.encryptionEnabled != 0, !setbacks.isEmpty { markSecurityOvercome() }
        acceptEncryption(by: .peer)
        link.pairing.encrypted()
        if event.encryptionEnabled != 0, link.phases.encrypted == nil {
            link.phases.encrypted = frame.time
        }
    }

    private mutating func keyRefreshed(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIEncryptionKeyRefreshComplete(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        attach(to: event.connectionHandle)
        note(.keyRefresh(event.status))
        completeRunning(LEEnableEncryption.opcode.rawValue)
        if frame.link >= 0 {
            if event.status == .success {
                if !setbacks.isEmpty { markSecurityOvercome() }
                acceptEncryption(by: .peer)
            }
            link.pairing.encrypted()
        }
        if event.status != .success { report(.hci(.encryptionFailed(event.status))) }
    }

    private mutating func classicConnected(_ parameters: RawSpan) throws(DecodeError) {
        let event = try HCIConnectionComplete(decoding: parameters)
        frame.fold = .none
        frame.status = event.status.rawValue
        frame.peer = event.bdAddr
        completeRunning(HCICreateConnection.opcode.rawValue, key: event.bdAddr.value)
        let attempt = classicAttempt(event.bdAddr)?.known(by: advertisers)
        let adapter = frameAdapter
        let isACL = event.linkType == 1
        let incoming = isACL ? adapters[adapter].takeIncoming(event.bdAddr, at: frame.time) : nil
        guard event.status == .success else {
            // 0x02 answers the host's own cancellation.
            guard event.status.rawValue == 0x02 else {
                return report(.hci(.connectionFailed(event.status, attempt ?? incoming)))
            }
            if let attempt { adapters[adapter].withdrawnCounts.add(attempt) }
            guard let attempt, attempt.waited >= ConnectAttempt.shortest else { return }
            return reportWithdrawn(event.status.rawValue, attempt, adapter: adapter)
        }
        // Synchronous links have no ACL data of their own.
        guard isACL else { return noteSynchronous(event.connectionHandle) }
        let device = PeerTable.Key(event.bdAddr)
        if attempt != nil {
            adapters[adapter].withdrawnAttempts.forget(device, knownAs: device, isAsked: true, peers)
        }
        // Earlier refusals no longer count, whichever side connected: the device is in reach.
        adapters[adapter].refusedClassicConnects.forget(device, knownAs: device, isAsked: false, peers)
        frame.handle = event.connectionHandle & 0xFFF
        let time = frame.time
        let withdrawn = adapters[adapter].withdrawnCounts.take(device, knownAs: device, peers)
        let early = adapters[adapter].takeEarlyRole(event.bdAddr)
        let role = early ?? (incoming != nil ? .peripheral : attempt == nil ? .unknown : .central)
        openLink(handle: event.connectionHandle & 0xFFF, event.bdAddr) {
            ($0.transport, $0.role, $0.withdrawnBefore) = (.brEDR, role, withdrawn)
            $0.phases.connected = time
        }
    }
}

// Timeouts of pending requests, which expire even if their link is silent.

extension Analyzer {
    /// Records the time at which a request of a link times out.
    mutating func note(deadline: Int64, slot: Int) {
        if deadline < links[slot].deadline { links[slot].deadline = deadline }
        let file = links[slot].file
        guard let earliest = progress(ofFile: file)?.deadline, deadline < earliest else { return }
        set(deadline: deadline, ofFile: file)
    }

    /// Reports the timed-out requests of all links in a file, since a silent device sends no frames of its
    /// own.
    ///
    /// - Parameter last: the time of the file's previous record, in nanoseconds.
    mutating func checkDeadlines(of file: Int, after last: Int64) {
        var next = Int64.max
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            if frame.time.nanoseconds > links[slot].deadline { checkDeadline(slot: slot) }
            next = min(next, links[slot].deadline)
        }
        let key = AdapterTable.key(file: file, adapter: frame.header.adapter)
        for place in adapters.all.indices where adapters[place].file == file {
            let isDelivered = adapters[place].key == key && frame.direction == .controllerToHost
            next = min(
                next,
                adapters[place].markOverdue(at: frame.time.nanoseconds, after: last, isDelivered: isDelivered)
            )
        }
        set(deadline: next, ofFile: file)
    }

    /// Records when the command of this frame becomes overdue.
    mutating func noteCommandDeadline() {
        let due = frame.time.after(AdapterTable.longestOvertaking)
        guard let earliest = progress(ofFile: frame.file)?.deadline, due < earliest else { return }
        set(deadline: due, ofFile: frame.file)
    }

    /// Forgets deadlines when the clock was set, since the real waiting times are unknown.
    mutating func forgetDeadlines(of file: Int) {
        for slot in links.indices where links[slot].isFollowed && links[slot].file == file {
            links[slot].forgetDeadlines(at: frame.time)
            annotators.links[slot].forgetDeadlines(at: frame.time.nanoseconds)
        }
        adapters.handleLostPackets(
            in: file, before: PacketLoss(firstFrameAfter: frame.place, time: frame.time))
    }

    /// Reports the requests of a link that timed out before this frame.
    private mutating func checkDeadline(slot: Int) {
        let shown = progress(ofFile: links[slot].file)?.shown
        if let problem = links[slot].pairing.overdue(at: frame.time) {
            report(problem, on: slot, isOverdue: true)
        }
        links[slot].deadline = links[slot].pairing.deadline
        guard links[slot].showsAnswers(in: shown) || links[slot].showsResponses else { return }
        reportOverdue(slot: slot)
        let (next, problems) = links[slot].takeTimedOut(at: frame.time, shown)
        for problem in problems { report(problem, on: slot, isOverdue: true) }
        links[slot].deadline = min(links[slot].deadline, annotators.links[slot].deadline, next)
    }
}
