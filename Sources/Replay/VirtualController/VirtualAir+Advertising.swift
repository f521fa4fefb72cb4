import BluetoothCore
import Runtime

// Advertisers, scanners and initiators.

extension AirMedium {
    /// Schedules the first event of a set that advertises, and its end.
    mutating func schedule(advertising place: Int, of controller: Int) {
        let set = controllers[controller].sets[place]
        heap.push(
            .advertise(controller, set: set.handle, generation: set.generation),
            at: now.advanced(by: .microseconds(625)), from: .controller.numbered(controller))
        // High duty cycle directed advertising ends after 1.28 s.
        let end: Int64 = set.isHighDuty && set.isLegacy ? 1280 : Int64(set.duration) * 10
        guard end > 0 else { return }
        heap.push(
            .advertisingTimeout(controller, set: set.handle, generation: set.generation),
            at: now.advanced(by: .milliseconds(end)), from: .controller.numbered(controller))
    }

    mutating func scheduleScanTimeout(of controller: Int) {
        let scanning = controllers[controller].scanning
        guard scanning.isEnabled, scanning.duration > 0, scanning.period == 0 else { return }
        heap.push(
            .scanTimeout(controller, start: now),
            at: now.advanced(by: .milliseconds(Int64(scanning.duration) * 10)),
            from: .controller.numbered(controller))
    }

    mutating func scanTimedOut(controller: Int, _ start: Instant) {
        let scanning = controllers[controller].scanning
        guard scanning.isEnabled, scanning.start == start, scanning.duration > 0, scanning.period == 0 else {
            return
        }
        controllers[controller].scanning.isEnabled = false
        tell(LEScanTimeout(), to: controller)
    }

    /// Returns the index of a set that is enabled with this generation.
    fileprivate func enabledSet(of controller: Int, handle: UInt8, generation: Int) -> Int? {
        controllers[controller].sets.firstIndex {
            $0.handle == handle && $0.isEnabled && $0.generation == generation
        }
    }

    mutating func advertisingTimedOut(controller: Int, set handle: UInt8, generation: Int) {
        guard let place = enabledSet(of: controller, handle: handle, generation: generation) else { return }
        endAdvertising(of: controller, set: place, .advertisingTimeout)
    }

    fileprivate mutating func endAdvertising(of controller: Int, set place: Int, _ status: HCIStatus) {
        let set = controllers[controller].sets[place]
        controllers[controller].stopAdvertising(set: place)
        guard !set.isLegacy else {
            return completeConnection(LEEnhancedConnectionComplete(status: status), to: controller)
        }
        tell(
            LEAdvertisingSetTerminated(
                status: status, advertisingHandle: set.handle,
                numCompletedExtendedAdvertisingEvents: controllers[controller].sets[place].events),
            to: controller)
    }

    /// Whether a controller supports a set's PDUs and their PHYs.
    fileprivate func receives(at other: Int, _ set: AdvertisingSet) -> Bool {
        if set.usesLegacyPDUs { return true }
        let phys = [set.parameters.primaryAdvertisingPHY, set.parameters.secondaryAdvertisingPHY]
        return controllers[other].commandSet == .extended
            && phys.allSatisfy { controllers[other].configuration.phys.contains($0.mask) }
    }

    fileprivate mutating func report(
        to scanner: Int, from advertiser: Int, _ address: DeviceAddress, _ set: AdvertisingSet
    ) {
        let state = controllers[scanner]
        let onAir = address
        guard let listening = state.listens(at: now, on: set.primaryPHY),
            let address = known(address, at: scanner)
        else { return }
        let scanning = state.scanning
        let isListed = state.acceptList.contains(address.withPlainKind)
        if scanning.parameters.scanningFilterPolicy & 1 == 1, !isListed { return }
        let target = set.isDirected ? targetAddress(controller: advertiser, of: set) : nil
        if let target {
            guard isAddressed(target, controller: scanner, ownType: scanning.parameters.ownAddressType) else {
                return
            }
        }
        report(set, isScanResponse: false, address, target, to: scanner, from: advertiser)
        guard listening.scanType == 1, set.isScannable, !isLost(from: scanner, to: advertiser),
            let sender = ownAddress(
                controller: scanner, scanning.parameters.ownAddressType, towards: address),
            let own = known(sender, at: advertiser)
        else { return }
        if set.usesLegacyPDUs {
            noteAdvertising(3, sender, to: onAir)
            noteAdvertising(4, onAir, set.scanResponse.octets)
        }
        if set.parameters.scanRequestNotificationEnable == 1 {
            tell(
                LEScanRequestReceived(
                    advertisingHandle: set.handle, scannerAddressType: own.kind.rawValue,
                    scannerAddress: own), to: advertiser)
        }
        report(set, isScanResponse: true, address, target, to: scanner, from: advertiser)
    }

    private mutating func report(
        _ set: AdvertisingSet, isScanResponse: Bool, _ address: DeviceAddress, _ target: DeviceAddress?,
        to scanner: Int, from advertiser: Int
    ) {
        let isLegacy = set.usesLegacyPDUs
        let isNew = controllers[scanner].scanning.passes(
            address, isScanResponse: isScanResponse, set: isLegacy ? 0 : set.parameters.advertisingSID,
            dataID: isLegacy ? 0 : set.dataID, at: now)
        guard isNew else { return }
        let rssi = strength(of: advertiser, at: scanner)
        let data = isScanResponse ? set.scanResponse.octets : set.carriesData ? set.data.octets : []
        guard controllers[scanner].commandSet == .extended else {
            return tell(
                LEAdvertisingReport(reports: [
                    LEAdvertisingReportItem(
                        eventType: isScanResponse ? 4 : set.reportType, addressType: address.kind.rawValue,
                        address: address, data: data, rssi: rssi)
                ]), to: scanner)
        }
        let reports = set.reports(data, isScanResponse: isScanResponse, address, target: target, rssi)
        for report in reports { tell(LEExtendedAdvertisingReport(reports: [report]), to: scanner) }
    }

    /// Reports a connection in the form that the host's mask selects.
    mutating func completeConnection(_ complete: LEEnhancedConnectionComplete, to controller: Int) {
        guard !controllers[controller].lets(LEEnhancedConnectionComplete.subeventCode) else {
            return tell(complete, to: controller)
        }
        // The older event has no identities, so its address is the one on the air.
        let isPrivate = complete.peerResolvablePrivateAddress.value != 0
        tell(
            LEConnectionComplete(
                status: complete.status, connectionHandle: complete.connectionHandle, role: complete.role,
                peerAddressType: isPrivate ? 1 : complete.peerAddressType,
                peerAddress: isPrivate ? complete.peerResolvablePrivateAddress : complete.peerAddress,
                connectionInterval: complete.connectionInterval,
                peripheralLatency: complete.peripheralLatency, supervisionTimeout: complete.supervisionTimeout
            ), to: controller)
    }
}

extension VirtualAir {
    mutating func advertise(from controller: Int, set handle: UInt8, generation: Int) {
        guard let place = medium.enabledSet(of: controller, handle: handle, generation: generation),
            let address = medium.ownAddress(
                controller: controller, of: medium.controllers[controller].sets[place])
        else { return }
        let set = medium.controllers[controller].sets[place]
        // Each event has a random delay of up to 10 ms after the interval (Vol 6, Part B, 4.4.2.2).
        let interval =
            set.isHighDuty ? 3_750_000 : Int64(set.parameters.primaryAdvertisingIntervalMin) * 625_000
        let delay = set.isHighDuty ? 0 : Int64(medium.random.next(below: 10_000_001))
        medium.heap.push(
            .advertise(controller, set: handle, generation: generation),
            at: medium.now.advanced(by: .nanoseconds(interval + delay)),
            from: .controller.numbered(controller))
        if set.usesLegacyPDUs {
            medium.noteAdvertising(
                set.pduType, address, to: set.isDirected ? set.target : nil,
                set.carriesData ? set.data.octets : [])
        }
        for other in medium.controllers.indices
        where medium.hears(controller, other) && medium.receives(at: other, set) {
            if medium.isLost(from: controller, to: other) { continue }
            if initiate(by: other, from: controller, set: place, address) { return }
            medium.report(to: other, from: controller, address, set)
        }
        medium.controllers[controller].sets[place].events &+= 1
        if set.eventLimit > 0, medium.controllers[controller].sets[place].events == set.eventLimit {
            medium.endAdvertising(of: controller, set: place, .limitReached)
        }
    }

    /// Returns why a controller can't wait for an advertiser; nil if it can.
    func obstacle(to wish: LEExtendedCreateConnection, from controller: Int) -> HCIStatus? {
        let state = medium.controllers[controller]
        guard linkCount(controller: controller) < state.configuration.linkLimit else {
            return .connectionLimitExceeded
        }
        guard wish.initiatorFilterPolicy == 0 else { return nil }
        let kind: DeviceAddress.Kind = wish.peerAddressType & 1 == 0 ? .public : .random
        let peer = DeviceAddress(wish.peerAddress.value, kind)
        let isConnected = links.contains { link in
            guard let own = link.ends.firstIndex(where: { $0.controller == controller && !$0.isGone })
            else { return false }
            let address = link.ends[1 - own].address
            let entry = state.resolving.place(ofPeer: address)
            return peer == entry.map { state.resolving.entries[$0].identity } ?? address
        }
        return isConnected ? .connectionAlreadyExists : nil
    }

    /// Connects an initiator to an advertiser, if each of them accepts the other.
    private mutating func initiate(
        by central: Int, from advertiser: Int, set place: Int, _ address: DeviceAddress
    ) -> Bool {
        let set = medium.controllers[advertiser].sets[place]
        guard let wish = medium.controllers[central].initiating, set.isConnectable,
            !wish.initiatingPHYs.isDisjoint(with: set.primaryPHY.mask),
            let peer = medium.known(address, at: central)
        else { return false }
        if wish.initiatorFilterPolicy == 1 {
            guard medium.controllers[central].acceptList.contains(peer.withPlainKind) else { return false }
        } else {
            let kind: DeviceAddress.Kind = wish.peerAddressType & 1 == 0 ? .public : .random
            guard DeviceAddress(wish.peerAddress.value, kind) == peer.withPlainKind else { return false }
        }
        guard let own = medium.ownAddress(controller: central, wish.ownAddressType, towards: peer),
            let initiator = medium.known(own, at: advertiser)
        else { return false }
        if set.isDirected {
            guard set.target == initiator.withPlainKind,
                medium.isAddressed(
                    medium.targetAddress(controller: advertiser, of: set), controller: central,
                    ownType: wish.ownAddressType)
            else { return false }
        }
        // Filter policies 2 and 3 accept connections only from listed devices.
        if set.parameters.advertisingFilterPolicy & 2 != 0 {
            guard medium.controllers[advertiser].acceptList.contains(initiator.withPlainKind) else {
                return false
            }
        }
        let already = links.contains { link in
            !link.ends.contains(where: \.isGone) && link.ends[0].controller == central
                && link.ends[1].controller == advertiser
        }
        guard !already,
            linkCount(controller: advertiser) < medium.controllers[advertiser].configuration.linkLimit
        else {
            return false
        }
        let parties = [
            Party(
                controller: central, address: own, known: initiator,
                isMade: own != medium.controllers[central].ownAddress(wish.ownAddressType)),
            Party(
                controller: advertiser, address: address, known: peer,
                isMade: address != medium.controllers[advertiser].ownAddress(of: set)),
        ]
        return connect(parties, set: place, wish)
    }

    func linkCount(controller: Int) -> Int {
        links.count { link in link.ends.contains { $0.controller == controller && !$0.isGone } }
    }

    /// One of the two sides of a new link.
    private struct Party {
        var controller: Int
        /// The address on the air.
        var address: DeviceAddress
        /// The address as the other side knows it.
        var known: DeviceAddress
        /// Whether the controller generated the address.
        var isMade: Bool
    }

    /// Makes a link between a central and a set's advertiser, the second of the two parties.
    ///
    /// - Returns: whether the advertiser received the central's packet.
    private mutating func connect(
        _ parties: [Party], set place: Int, _ wish: LEExtendedCreateConnection
    ) -> Bool {
        let (central, advertiser) = (parties[0].controller, parties[1].controller)
        let set = medium.controllers[advertiser].sets[place]
        let phy = set.usesLegacyPDUs ? LEPHY.le1M : set.parameters.secondaryAdvertisingPHY
        guard let parameters = wish.parameters(of: phy) else { return false }
        // The first event follows the transmit window's delay and offset (Vol 6, Part B, 4.5.3).
        let ends = parties.map { party in
            let handle = medium.controllers[party.controller].newHandle { [links] handle in
                links.contains { $0.side(of: party.controller, handle: handle) != nil }
            }
            var end = AirLink.End(controller: party.controller, handle: handle, address: party.address)
            end.txPHY = phy
            end.phys = medium.controllers[party.controller].defaultPHYs
            return end
        }
        medium.controllers[central].initiating = nil
        var link = AirLink(
            id: nextLink, ends: ends, parameters: parameters,
            anchor: medium.now.advanced(by: .microseconds(2500)))
        if medium.isLost(from: central, to: advertiser) {
            link.isEstablished = false
            link.ends[1].isGone = true
            open(link, parties)
            // The central gives up after six events (Vol 6, Part B, 4.5).
            links[links.count - 1].isSeparated = true
            medium.note(.senders(central: true, peripheral: false), of: link.id)
            links[links.count - 1].supervise(until: link.inSixEvents(link.anchor), &medium)
            return false
        }
        medium.controllers[advertiser].stopAdvertising(set: place)
        open(link, parties)
        links[links.count - 1].schedule(&medium)
        if !set.isLegacy {
            medium.tell(
                LEAdvertisingSetTerminated(advertisingHandle: set.handle, connectionHandle: ends[1].handle),
                to: advertiser)
        }
        return true
    }

    private mutating func open(_ link: AirLink, _ parties: [Party]) {
        medium.note(
            .request(
                central: link.ends[0].address, peripheral: link.ends[1].address, link.parameters,
                anchor: link.anchor), of: link.id)
        nextLink += 1
        for (side, end) in link.ends.enumerated() where !end.isGone {
            let (own, peer) = (parties[side], parties[1 - side])
            medium.completeConnection(
                LEEnhancedConnectionComplete {
                    $0.connectionHandle = end.handle
                    $0.role = UInt8(side)
                    $0.peerAddressType = peer.known.kind.rawValue
                    $0.peerAddress = peer.known
                    if own.isMade { $0.localResolvablePrivateAddress = own.address }
                    if peer.known != peer.address { $0.peerResolvablePrivateAddress = peer.address }
                    $0.connectionInterval = link.parameters.interval
                    $0.peripheralLatency = link.parameters.latency
                    $0.supervisionTimeout = link.parameters.timeout
                }, to: end.controller)
        }
        var link = link
        for side in 0..<2 {
            let wanted = medium.controllers[link.ends[side].controller].suggestedLength
            if wanted > 27 { link.ends[side].control.append(.length(wanted)) }
        }
        links.append(link)
    }
}
