public import BluetoothCore

/// The devices to which the application wants to connect, and the controller's state.
struct Initiator: Sendable {
    enum Activity: Hashable, Sendable {
        /// The controller is not connecting.
        case idle
        /// The controller waits for one of these devices.
        case creating([DeviceAddress])
        /// The attempt was cancelled, but its Connection Complete event has not come.
        case cancelling([DeviceAddress])
    }

    /// The devices that the application wants, in the order of its requests.
    var wanted: [DeviceAddress] = []
    var activity = Activity.idle

    var isCreating: Bool { activity != .idle }

    mutating func restart() { activity = .idle }
}

extension LEHost {
    mutating func connect(_ address: DeviceAddress) {
        if let open = links.first(where: { isSame($0.link.peer, address) && !$0.isClosing }) {
            // A link that is being encrypted is announced later.
            if open.security.isAnnounced { tell(.connectFailed(address, .connectionAlreadyExists)) }
            return
        }
        guard !initiator.wanted.contains(address) else { return }
        initiator.wanted.append(address)
        reconcileInitiator()
    }

    mutating func cancelConnect(_ address: DeviceAddress) {
        initiator.wanted.removeAll { $0 == address }
        reconcileInitiator()
    }

    /// The devices that the controller can wait for at the same time, from the oldest requests on.
    var targets: [DeviceAddress] {
        if isPaused { return [] }
        let limit = max(1, bringUp.acceptListSize)
        // No connection to a device is possible while its earlier link is ending.
        let free = initiator.wanted.filter { address in !links.contains { isSame($0.link.peer, address) } }
        return Array(free.compactMap { target(of: $0) }.prefix(limit))
    }

    /// Brings the controller one step closer to the state that is wanted.
    mutating func reconcileInitiator() {
        guard state == .ready else { return }
        let targets = targets
        switch initiator.activity {
        case .idle:
            // A controller that can't scan and connect at once must stop scanning first.
            let mustWait = scanner.yieldsToInitiator && (scanner.isActive || scanner.isBusy)
            guard !targets.isEmpty, !mustWait else { return reconcileScanner() }
            initiator.activity = .creating(targets)
            create(targets)
            reconcileScanner()
        case .creating(let current):
            guard current != targets else { return }
            initiator.activity = .cancelling(current)
            send(LECreateConnectionCancel(), for: .cancelConnection)
        case .cancelling: break
        }
    }

    private mutating func create(_ targets: [DeviceAddress]) {
        let parameters = configuration.connection
        let own = ownAddressType
        let several = targets.count > 1
        if several {
            send(LEClearFilterAcceptList(), for: .acceptList)
            for target in targets {
                send(
                    LEAddDeviceToFilterAcceptList(addressType: target.hciType, address: target),
                    for: .acceptList)
            }
        }
        let legacy = LECreateConnection {
            $0.leScanInterval = 0x60
            $0.leScanWindow = 0x30
            $0.initiatorFilterPolicy = several ? 1 : 0
            if !several, let target = targets.first {
                $0.peerAddressType = target.hciType
                $0.peerAddress = target
            }
            $0.ownAddressType = own
            $0.connectionIntervalMin = parameters.intervalMinUnits
            $0.connectionIntervalMax = parameters.intervalMaxUnits
            $0.maxLatency = parameters.latency
            $0.supervisionTimeout = parameters.supervisionTimeoutUnits
        }
        if bringUp.usesExtendedCommands {
            send(extended(legacy), for: .createConnection)
        } else {
            send(legacy, for: .createConnection)
        }
    }

    mutating func createStarted(_ status: HCIStatus) {
        guard status != .success else { return }
        if status == .commandDisallowed, scanner.isActive, !scanner.yieldsToInitiator {
            // The controller can't scan and connect at once, so connecting goes first.
            scanner.yieldsToInitiator = true
            reconcileScanner()
            initiator.activity = .idle
            return
        }
        attemptFailed(status)
    }

    private mutating func attemptFailed(_ status: HCIStatus) {
        let targets: [DeviceAddress]
        switch initiator.activity {
        case .idle: return
        case .creating(let addresses), .cancelling(let addresses): targets = addresses
        }
        initiator.activity = .idle
        for wanted in initiator.wanted where targets.contains(where: { isSame($0, wanted) }) {
            initiator.wanted.removeAll { $0 == wanted }
            tell(.connectFailed(wanted, status))
        }
        reconcileInitiator()
    }

    /// Handles Connection Complete in any of its forms.
    ///
    /// - Parameter resolved: the private address that the controller resolved; nil without one.
    mutating func connectionComplete(_ complete: LEConnectionComplete, _ resolved: DeviceAddress?) {
        // The event was queued before a reset, which ended the link.
        guard state == .ready else { return }
        guard complete.status == .success else {
            // A cancelled attempt has ended; the current one starts now.
            guard complete.status != .unknownConnectionIdentifier else {
                initiator.activity = .idle
                return reconcileInitiator()
            }
            return attemptFailed(complete.status)
        }
        guard complete.connectionHandle <= 0xEFF,
            !links.contains(where: { $0.link.handle == complete.connectionHandle })
        else { return tell(.problem(.malformedPacket(.event))) }
        let isCentral = complete.role == 0
        let peer = identity(of: complete.peerAddress)
        let asked = initiator.wanted.firstIndex { isSame($0, peer) }
        if isCentral { initiator.activity = .idle }
        let link = Link(
            id: LinkID(rawValue: nextLinkID), handle: complete.connectionHandle,
            // The requested address, which may be an earlier one of the device.
            peer: isCentral ? asked.map { initiator.wanted[$0] } ?? peer : peer, isCentral: isCentral,
            intervalUnits: complete.connectionInterval,
            latency: complete.peripheralLatency, timeoutUnits: complete.supervisionTimeout)
        nextLinkID += 1
        // A connected device no longer advertises.
        privacy.sightings[peer] = nil
        var new = HostLink(
            link, own: address ?? peer, peer: resolved ?? complete.peerAddress,
            packetLength: bringUp.packetLength, context)
        if isCentral, asked == nil {
            // The application cancelled while the controller was connecting.
            new.isUnwanted = true
            new.disconnect(.remoteUserTerminatedConnection, &context)
        } else {
            if let asked { initiator.wanted.remove(at: asked) }
            if isCentral, new.encryptByBond(&context) {
                new.security.isAnnounced = false
            } else {
                tell(.connected(link))
                new.exchangeMTU(&context)
            }
        }
        links.append(new)
        if !isCentral { advertisingEndedByConnection() }
        if bringUp.leFeatures.contains(.le2MPHY) { new.request2M(&context) }
        reconcileInitiator()
    }

    /// Handles the status of Disconnect; a link that the controller does not know is gone.
    mutating func disconnectStarted(_ link: LinkID, _ status: HCIStatus) {
        guard status != .success else { return }
        if status == .unknownConnectionIdentifier { return close(link, .connectionTerminatedByLocalHost) }
        with(link) { link, _ in
            link.isClosing = false
            // The application sends values again that were held back because the link was ending.
            link.isFull = true
        }
        tell(.problem(.refused(HCIDisconnect.opcode, status)))
    }

    mutating func close(_ link: LinkID, _ reason: HCIStatus) {
        guard let index = links.firstIndex(where: { $0.link.id == link }) else { return }
        links[index].end(reason, &context)
        links.remove(at: index)
        reconcileInitiator()
        resumeAdvertising()
    }
}

extension DeviceAddress {
    /// The address type of HCI commands: 0 public, 1 random.
    var hciType: UInt8 { kind == .random || kind == .randomIdentity ? 1 : 0 }

    /// Whether both addresses are of the same device; identities that the controller resolved count too.
    public func names(_ other: DeviceAddress) -> Bool { value == other.value && hciType == other.hciType }
}
