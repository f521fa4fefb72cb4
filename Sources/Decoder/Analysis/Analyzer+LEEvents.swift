import BluetoothCore
import CaptureFile
import WireBytes

// LE Meta events: advertising reports, and LE connections from beginning to end.

extension Analyzer {
    mutating func analyzeLEMeta(_ parameters: RawSpan) throws(DecodeError) {
        guard let code = parameters.octet(at: 0) else {
            throw DecodeError(.truncated(need: 1, have: 0), at: 0)
        }
        frame.subevent = code
        let rest = parameters.dropping(1)
        let subevent = LESubeventCode(rawValue: code)
        switch subevent {
        case .leAdvertisingReport: try advertised(rest, extended: false)
        case .leExtendedAdvertisingReport: try advertised(rest, extended: true)
        case .leConnectionComplete: open(try LEConnectionComplete(decoding: rest))
        case .leEnhancedConnectionCompleteV1, .leEnhancedConnectionCompleteV2:
            let event = try LEEnhancedConnectionComplete(decoding: rest)
            open(
                LEConnectionComplete(
                    status: event.status, connectionHandle: event.connectionHandle, role: event.role,
                    peerAddress: event.peerAddress, connectionInterval: event.connectionInterval,
                    peripheralLatency: event.peripheralLatency, supervisionTimeout: event.supervisionTimeout))
        case .leConnectionUpdateComplete:
            let event = try LEConnectionUpdateComplete(decoding: rest)
            leEvent(event.status.rawValue, on: event.connectionHandle)
            note(.parameters(event.status))
            completeRunning(0x2013)
            noteChange(
                .parameters, event.status.rawValue,
                to: event.status == .success
                    ? .init(
                        interval: event.connectionInterval, latency: event.peripheralLatency,
                        timeout: event.supervisionTimeout) : nil)
        case .leScanTimeout:
            // The scan was requested with a duration.
            frame.fold = .none
            adapters[frameAdapter].stopScan(at: frame.time)
        default:
            frame.fold = .none
            guard let layout = HCIEventTable.layoutLE(subevent),
                let handle = layout.connectionHandle(in: rest)
            else { return }
            if subevent == .leCISRequest, let stream = rest.u16le(at: 2) {
                // The handle of the connection, then that of the stream.
                adapters[frameAdapter].streams.add(stream & 0xFFF, of: handle & 0xFFF)
            }
            let status = layout.startsWithStatus ? rest.octet(at: 0) : nil
            // The end of an advertising set names a connection only if one was established.
            leEvent(status, on: subevent == .leAdvertisingSetTerminated && status != 0 ? nil : handle)
            switch subevent {
            case .leReadRemoteFeaturesPage0Complete: completeRunning(0x2016)
            case .leLongTermKeyRequest: beginEncryption(by: .peer, with: LTKIdentifier(rest, at: 2))
            case .leRemoteConnectionParameterRequest:
                check(ConnectionParameterRange(rest, at: 2), askedBy: .peer)
            case .leAdvertisingSetTerminated:
                adapters[frameAdapter].noteAdvertised(events: Int(rest.octet(at: 4) ?? 0))
            case .lePHYUpdateComplete:
                note(.phy(HCIStatus(rawValue: status ?? 0)))
                completeRunning(0x2032)
                noteChange(.phy, status ?? 0)
            default: break
            }
        }
    }

    /// Handles an event about an open link.
    private mutating func leEvent(_ status: UInt8?, on handle: UInt16?) {
        frame.fold = .none
        frame.status = status
        if let status, status != 0 {
            let event = LESubeventCode(rawValue: frame.subevent)
            report(.hci(.procedureFailed(HCIStatus(rawValue: status), .leMeta, event)))
        }
        attach(to: handle)
    }

    private mutating func advertised(_ parameters: RawSpan, extended: Bool) throws(DecodeError) {
        frame.fold = .advertising
        var reports = try LEAdvertisingReports(parameters, extended: extended)
        while let report = try reports.next() {
            let isAnonymous = report.addressType == 0xFF
            if frame.reports == 0, !isAnonymous { frame.peer = report.address }
            frame.reports &+= 1
            checkData(report, parameters)
            // Anonymous advertisers can't be told apart.
            if isAnonymous { continue }
            guard let place = advertisers.place(of: report.address, frame: frame.number, at: frame.time)
            else {
                reportFull(.advertisers)
                continue
            }
            note(report, parameters, place: place)
            if peers.keyCount > 0 {
                resolve(report.address, place: place)
                if frame.reports == 1 { frame.identity = advertisers.all[place].identity }
            }
            if advertisers.all[place].isNamedByAddress { frame.mayNameCar = true }
        }
    }

    /// Resolves an advertiser's private address; repeated only when more keys are known.
    mutating func resolve(_ address: DeviceAddress, place: Int) {
        guard advertisers.needsResolving(place: place, keys: peers.keyCount) else { return }
        let tried = advertisers.all[place].keysTried
        advertisers.resolve(
            place: place, to: peers.identity(ofPrivate: address, tried: tried), keys: peers.keyCount)
    }

    /// Reports invalid structures in advertising data. Data split over several reports is not checked report
    /// by report, and data that the controller truncated is not checked at all.
    private mutating func checkData(_ advertised: LEAdvertisement, _ parameters: RawSpan) {
        let status = advertised.isExtended ? advertised.eventType & 0x60 : 0
        if status != 0 || advertised.isExtended && !unfinishedAdvertising.isEmpty,
            joinPart(advertised, parameters.clamped(advertised.data))
        {
            return
        }
        guard status == 0, let fault = ADStructures.fault(in: parameters.clamped(advertised.data)) else {
            return
        }
        reportFault(fault) { _ in .hci(.malformedAdvertising(at: fault.offset)) }
    }

    /// Joins a report that holds only a part of an advertisement's data with the other parts; returns false
    /// for a report that holds all of it.
    @inline(never)
    private mutating func joinPart(_ report: LEAdvertisement, _ data: RawSpan) -> Bool {
        let place = frame.reports &- 1
        // An event of at most 255 bytes has fewer extended reports than the mask has bits.
        guard place < UInt32.bitWidth else { return false }
        let key = AdvertisingAssembly.Key(
            file: frame.file, adapter: frame.header.adapter, address: report.address,
            set: report.advertisingSID, isScanResponse: report.isScanResponse)
        let isCut = report.eventType & 0x60 > 0x20
        let outcome = unfinishedAdvertising.take(
            key, data, goesOn: report.isIncomplete,
            hasHole: frame.header.capturedLength < frame.header.originalLength, frame: frame.place,
            at: frame.time.nanoseconds)
        if frame.partialReports == 0 { advertisingParts.removeAll(keepingCapacity: true) }
        switch outcome {
        case .alone: return false
        case .part(let first):
            advertisingParts.append(
                AdvertisingPart(report: place, firstFrame: first, whole: nil, isCut: isCut))
        case .whole(let octets, let first):
            // If the joined data is invalid, one of its parts was not reported.
            let isFine = isCut || ADStructures.fault(in: octets.borrowedOctets) == nil
            advertisingParts.append(
                AdvertisingPart(
                    report: place, firstFrame: first, whole: isFine ? octets : nil, isCut: isCut))
        }
        frame.partialReports |= 1 &<< UInt32(truncatingIfNeeded: place)
        return true
    }

    private mutating func note(_ report: LEAdvertisement, _ parameters: RawSpan, place: Int) {
        if openCount > 0, report.isConnectable { noteAdvertising(of: report.address) }
        if selection != nil { reported.append(AdvertiserReport(place: place, rssi: report.rssi)) }
        guard
            advertisers.heard(
                place: place, at: frame.time, rssi: report.rssi, isResponse: report.isScanResponse)
        else { return }
        if frame.partialReports != 0, let part = advertisingParts.last, part.report == frame.reports &- 1 {
            if let whole = part.whole { takeName(from: whole.borrowedOctets, place: place) }
        } else {
            takeName(from: parameters.clamped(report.data), place: place)
        }
    }

    /// Notes on the open connections of an advertiser that it advertises. A central does so for others.
    private mutating func noteAdvertising(of address: DeviceAddress) {
        for slot in links.indices
        where links[slot].isOpen && links[slot].isFollowed && links[slot].address == address
            && links[slot].role != .peripheral
        {
            links[slot].noteAdvertising(at: frame.place, frame.time)
        }
    }

    /// Takes an advertiser's name and service from its data.
    private mutating func takeName(from data: RawSpan, place: Int) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            let width: Int
            switch structure.type {
            case .completeName, .shortenedName:
                advertisers.name(place: place, data.clamped(structure.data).copied().withoutPadding)
                continue
            case .flags:
                if let flags = data.clamped(structure.data).octet(at: 0) {
                    advertisers.note(flags: flags, place: place)
                }
                continue
            case .incomplete16, .complete16: width = 2
            case .incomplete128, .complete128: width = 16
            default:
                guard let inServiceData = structure.type.serviceDataWidth else { continue }
                width = inServiceData
            }
            var reader = ByteReader(data.clamped(structure.data))
            guard let service = try? BluetoothUUID(decoding: &reader, width: width) else { continue }
            advertisers.offers(place: place, service)
        }
    }

    private mutating func open(_ event: LEConnectionComplete) {
        let (status, role, address) = (event.status, event.role, event.peerAddress)
        let handle = event.connectionHandle & 0xFFF
        defer { note(.opened(event)) }
        frame.fold = .none
        frame.status = status.rawValue
        let place = frameAdapter
        // An event about a failed connection may name no peer: it is the one that was requested.
        frame.peer = status != .success && address.value == 0 ? adapters[place].attempt?.peer : address
        // 0x3C ends advertising to which no device connected.
        guard status.rawValue != 0x3C else { return }
        if status != .success || role == 0 {
            completeRunning(
                LECreateConnection.opcode.rawValue, or: LEExtendedCreateConnection.opcode.rawValue, key: 0)
        }
        guard status == .success else { return notConnected(status.rawValue, place: place) }
        frame.handle = handle
        let time = frame.time
        openLink(handle: handle, address) {
            $0.transport = .le
            $0.role = role == 0 ? .central : .peripheral
            $0.conditions.inForce = LinkConditions.Parameters(
                interval: event.connectionInterval, latency: event.peripheralLatency,
                timeout: event.supervisionTimeout)
            $0.phases.connected = time
        }
        guard frame.link >= 0 else { return }
        if role == 0 { return noteStart(address, place: place) }
        adapters[place].noteAdvertised()
        // A device that the host could not connect to has connected to the host: earlier refusals no longer
        // count.
        let known = PeerTable.Key(peers[link.peer].address ?? address)
        adapters[place].refusedConnects.forget(PeerTable.Key(address), knownAs: known, isAsked: false, peers)
    }

    /// Handles a requested connection that was not established.
    private mutating func notConnected(_ status: UInt8, place: Int) {
        // 0x02 answers the host's own cancellation.
        guard status != 0x02 else { return withdrawAttempt(adapter: place) }
        var attempt = adapters[place].attempt
        if let asked = attempt {
            attempt = asked.known(by: advertisers)
            attempt?.waited = frame.time.nanoseconds &- asked.time.nanoseconds
        }
        adapters[place].attempt = nil
        report(.hci(.connectionFailed(HCIStatus(rawValue: status), attempt)))
    }

    /// Records the phases before the connection on a link that the host requested.
    private mutating func noteStart(_ address: DeviceAddress, place: Int) {
        if let asked = adapters[place].attempt?.time {
            link.phases.connectStarted = requestWasTaken ? asked : nil
            let before = peers[link.peer].ended.first { $0.adapter == adapters[place].key }
            let heard = advertisers.advertiser(address)
            if let scan = adapters[place].scan(before: asked, after: before?.time),
                // A long scan that heard others and not this device was no search for it.
                advertisers.all.isEmpty || heard.map({ $0.last >= scan.lowerBound }) == true
                    || scan.upperBound.since(scan.lowerBound) < AdapterTable.ScanState.longestUnheard
            {
                link.phases.scanStarted = scan.lowerBound
                link.phases.scanEnded = scan.upperBound
                let isWhole = scan.lowerBound == adapters[place].scanAtRequest.started
                link.phases.scanStopped = isWhole ? adapters[place].scanAtRequest.stopped : 0
                if let first = heard?.first, first >= scan.lowerBound {
                    link.phases.advertised = first
                }
            }
        }
        adapters[place].connected(at: frame.time)
        // An earlier withdrawn attempt to this device was harmless.
        let known = PeerTable.Key(peers[link.peer].address ?? address)
        adapters[place].withdrawnAttempts.forget(PeerTable.Key(address), knownAs: known, isAsked: true, peers)
        link.withdrawnBefore = adapters[place].withdrawnCounts.take(
            PeerTable.Key(address), knownAs: known, peers)
    }
}
