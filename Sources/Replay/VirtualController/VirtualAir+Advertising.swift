import BluetoothCore
import Runtime

// Advertisers, scanners and initiators.

extension VirtualAir {
    mutating func startAdvertising(_ controller: Int) {
        controllers[controller].advertising.isEnabled = true
        controllers[controller].advertising.generation += 1
        let generation = controllers[controller].advertising.generation
        heap.push(
            .advertise(controller, generation: generation), at: now.advanced(by: .microseconds(625)),
            from: .controller.numbered(controller))
        // High duty cycle directed advertising ends after 1.28 s.
        if controllers[controller].advertising.parameters.advertisingType == 1 {
            heap.push(
                .advertisingTimeout(controller, generation: generation),
                at: now.advanced(by: .milliseconds(1280)), from: .controller.numbered(controller))
        }
    }

    mutating func stopAdvertising(_ controller: Int) {
        controllers[controller].advertising.isEnabled = false
        controllers[controller].advertising.generation += 1
    }

    mutating func advertise(_ controller: Int, _ generation: Int) {
        let advertising = controllers[controller].advertising
        guard advertising.isEnabled, advertising.generation == generation,
            let address = ownAddress(
                controller, advertising.parameters.ownAddressType, towards: advertising.target)
        else { return }
        // Each event comes up to 10 ms later than the interval says (Vol 6, Part B, 4.4.2.2).
        let isHighDuty = advertising.parameters.advertisingType == 1
        let interval =
            isHighDuty ? 3_750_000 : Int64(advertising.parameters.advertisingIntervalMin) * 625_000
        let delay = isHighDuty ? 0 : Int64(random.next(below: 10_000_001))
        heap.push(
            .advertise(controller, generation: generation),
            at: now.advanced(by: .nanoseconds(interval + delay)),
            from: .controller.numbered(controller))
        for other in controllers.indices where hears(controller, other) {
            if initiate(other, from: controller, address) { return }
            report(to: other, from: controller, address, advertising)
        }
    }

    mutating func advertisingTimedOut(_ controller: Int, _ generation: Int) {
        guard controllers[controller].advertising.isEnabled,
            controllers[controller].advertising.generation == generation
        else { return }
        stopAdvertising(controller)
        completeConnection(LEEnhancedConnectionComplete { $0.status = .advertisingTimeout }, to: controller)
    }

    private mutating func report(
        to scanner: Int, from advertiser: Int, _ address: DeviceAddress,
        _ advertising: ControllerState.Advertising
    ) {
        let state = controllers[scanner]
        guard state.isListening(at: now), let address = known(address, at: scanner) else { return }
        let scanning = state.scanning
        let isListed = state.acceptList.contains(address.withPlainKind)
        if scanning.parameters.scanningFilterPolicy & 1 == 1, !isListed { return }
        if advertising.isDirected {
            let target = targetAddress(advertiser)
            guard isAddressed(target, scanner, ownType: scanning.parameters.ownAddressType) else { return }
        }
        // A report knows one kind of directed advertising, whatever its duty cycle.
        let type = advertising.isDirected ? 1 : advertising.parameters.advertisingType
        report(type, advertising.isDirected ? [] : advertising.data, address, to: scanner, from: advertiser)
        guard scanning.parameters.leScanType == 1, advertising.isScannable else { return }
        report(4, advertising.scanResponse, address, to: scanner, from: advertiser)
    }

    private mutating func report(
        _ type: UInt8, _ data: [UInt8], _ address: DeviceAddress, to scanner: Int, from advertiser: Int
    ) {
        if controllers[scanner].scanning.filtersDuplicates {
            let seen = ControllerState.Scanning.Seen(address: address, isScanResponse: type == 4)
            guard controllers[scanner].scanning.seen.insert(seen).inserted else { return }
        }
        let rssi = controllers[advertiser].configuration.rssi
        tell(
            LEAdvertisingReport {
                $0.reports = [
                    LEAdvertisingReportItem {
                        $0.eventType = type
                        $0.addressType = address.kind.rawValue
                        $0.address = address
                        $0.data = data
                        $0.rssi = rssi
                    }
                ]
            }, to: scanner)
    }

    /// Connects an initiator to an advertiser, where each of them wants the other.
    private mutating func initiate(_ central: Int, from advertiser: Int, _ address: DeviceAddress) -> Bool {
        let advertising = controllers[advertiser].advertising
        guard let wish = controllers[central].initiating, advertising.isConnectable,
            let peer = known(address, at: central)
        else { return false }
        if wish.initiatorFilterPolicy == 1 {
            guard controllers[central].acceptList.contains(peer.withPlainKind) else { return false }
        } else {
            let kind: DeviceAddress.Kind = wish.peerAddressType & 1 == 0 ? .public : .random
            guard DeviceAddress(wish.peerAddress.value, kind) == peer.withPlainKind else { return false }
        }
        guard let own = ownAddress(central, wish.ownAddressType, towards: peer),
            let initiator = known(own, at: advertiser)
        else { return false }
        if advertising.isDirected {
            guard advertising.target == initiator.withPlainKind,
                isAddressed(targetAddress(advertiser), central, ownType: wish.ownAddressType)
            else { return false }
        }
        // Filter policies 2 and 3 take connections from listed devices only.
        if advertising.parameters.advertisingFilterPolicy & 2 != 0 {
            guard controllers[advertiser].acceptList.contains(initiator.withPlainKind) else { return false }
        }
        let already = links.contains { link in
            !link.ends.contains(where: \.isGone) && link.ends[0].controller == central
                && link.ends[1].controller == advertiser
        }
        guard !already, linkCount(advertiser) < controllers[advertiser].configuration.linkLimit else {
            return false
        }
        open(
            [
                Party(controller: central, address: own, known: initiator, ownType: wish.ownAddressType),
                Party(
                    controller: advertiser, address: address, known: peer,
                    ownType: advertising.parameters.ownAddressType),
            ], wish)
        return true
    }

    func linkCount(_ controller: Int) -> Int {
        links.count { link in link.ends.contains { $0.controller == controller && !$0.isGone } }
    }

    /// One of the two that a link is made between.
    private struct Party {
        var controller: Int
        /// Its address on the air.
        var address: DeviceAddress
        /// Its address as the other one knows it.
        var known: DeviceAddress
        var ownType: UInt8
    }

    /// Makes a link: the central is the first of the two.
    private mutating func open(_ parties: [Party], _ wish: LECreateConnection) {
        stopAdvertising(parties[1].controller)
        controllers[parties[0].controller].initiating = nil
        let parameters = LinkParameters(
            interval: wish.connectionIntervalMin, latency: wish.maxLatency, timeout: wish.supervisionTimeout)
        let ends = parties.map { party in
            AirLink.End(
                controller: party.controller, handle: newHandle(party.controller), address: party.address)
        }
        // The first event follows the transmit window's delay and offset (Vol 6, Part B, 4.5.3).
        links.append(
            AirLink(
                id: nextLink, ends: ends, parameters: parameters,
                anchor: now.advanced(by: .microseconds(2500))))
        nextLink += 1
        for (side, own) in parties.enumerated() {
            let peer = parties[1 - side]
            let isMade = own.address != controllers[own.controller].ownAddress(own.ownType)
            completeConnection(
                LEEnhancedConnectionComplete {
                    $0.connectionHandle = ends[side].handle
                    $0.role = UInt8(side)
                    $0.peerAddressType = peer.known.kind.rawValue
                    $0.peerAddress = peer.known
                    if isMade { $0.localResolvablePrivateAddress = own.address }
                    if peer.known != peer.address { $0.peerResolvablePrivateAddress = peer.address }
                    $0.connectionInterval = parameters.interval
                    $0.peripheralLatency = parameters.latency
                    $0.supervisionTimeout = parameters.timeout
                }, to: own.controller)
        }
        let index = links.count - 1
        for side in 0..<2 {
            let wanted = controllers[links[index].ends[side].controller].suggestedOctets
            if wanted > 27 { links[index].ends[side].control.append(.length(wanted)) }
        }
        schedule(index)
    }

    /// Tells of a connection in the form that the host's mask asks for.
    mutating func completeConnection(_ complete: LEEnhancedConnectionComplete, to controller: Int) {
        guard !isUnmasked(LEEnhancedConnectionComplete.subeventCode, controller) else {
            return tell(complete, to: controller)
        }
        // The older event knows no identities: the address is the one on the air.
        let isPrivate = complete.peerResolvablePrivateAddress.value != 0
        tell(
            LEConnectionComplete {
                $0.status = complete.status
                $0.connectionHandle = complete.connectionHandle
                $0.role = complete.role
                $0.peerAddressType = isPrivate ? 1 : complete.peerAddressType
                $0.peerAddress = isPrivate ? complete.peerResolvablePrivateAddress : complete.peerAddress
                $0.connectionInterval = complete.connectionInterval
                $0.peripheralLatency = complete.peripheralLatency
                $0.supervisionTimeout = complete.supervisionTimeout
            }, to: controller)
    }

    private mutating func newHandle(_ controller: Int) -> UInt16 {
        var handle = controllers[controller].nextHandle
        while links.contains(where: { $0.side(of: controller, handle: handle) != nil }) {
            handle = handle == 0xEFF ? 1 : handle + 1
        }
        controllers[controller].nextHandle = handle == 0xEFF ? 1 : handle + 1
        return handle
    }
}
