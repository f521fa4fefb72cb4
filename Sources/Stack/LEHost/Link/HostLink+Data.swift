import BluetoothCore
import WireBytes

// Data on a link: L2CAP on its fixed channels, and the client and server of its ATT bearer.

extension HostLink {
    /// Limit of the packets that wait on a link: more than the host's own operations and answers need.
    ///
    /// A peer that sends requests without accepting answers loses its link.
    private static var waitingLimit: Int { 256 }

    /// Handles an ACL packet.
    mutating func receive(_ octets: [UInt8], _ header: HCIACLHeader, _ host: inout HostContext) {
        let outcome = octets.withReader { (reader: inout ByteReader) in
            reassembler.receive(
                reader.wholeSpan.clamped(HCIACLHeader.size..<octets.count),
                isContinuation: header.isContinuation)
        }
        if reassembler.abandoned != nil { host.tell(.problem(.reassembly(link.id))) }
        switch outcome {
        case .whole(let l2cap):
            receive(Array(octets[(HCIACLHeader.size + L2CAPHeader.size)...]), on: l2cap.channel, &host)
        case .completed(let l2cap, _): receive(Array(reassembler.information), on: l2cap.channel, &host)
        case .pending: break
        case .cut, .skipped, .missingStart, .tooLong, .overLimit, .shortStart:
            host.tell(.problem(.reassembly(link.id)))
        }
    }

    private mutating func receive(
        _ information: [UInt8], on channel: L2CAPChannelID, _ host: inout HostContext
    ) {
        guard !isUnwanted else { return }
        guard data.waitingBesidesFrames < Self.waitingLimit else {
            host.tell(.problem(.flood(link.id)))
            return disconnect(.remoteDeviceTerminatedConnectionDueToLowResources, &host)
        }
        switch channel {
        case .attribute where isEarly(value: information, host): passOver(value: information)
        case .attribute: apply(client.receive(information, at: host.now), &host)
        case .leSignalling: takeSignal(information, &host)
        case .securityManager: takeSecurity(information, &host)
        default: takeFrame(information, channel, &host)
        }
    }

    /// Whether a value comes before the bond has encrypted the link. Anyone with the address of a bonded
    /// device can send such a value.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.2.2.
    private func isEarly(value octets: [UInt8], _ host: HostContext) -> Bool {
        guard ATTClient.isValue(octets), !security.current.isEncrypted else { return false }
        return !security.isAnnounced || !link.isCentral && host.bond(with: link.peer)?.asPeripheral != nil
    }

    /// Confirms an indication that is discarded.
    private mutating func passOver(value octets: [UInt8]) {
        guard octets.first == ATTHandleValueIndication.opcode.rawValue else { return }
        transmit(ATTHandleValueConfirmation().pdu, on: .attribute)
    }

    mutating func transmit(_ information: [UInt8], on channel: L2CAPChannelID) {
        data.enqueue(information, on: channel)
    }

    /// Whether a value without response would be sent now.
    func hasRoom(_ host: HostContext) -> Bool {
        !isClosing && data.waiting < host.configuration.writeCommandLimit
    }

    // MARK: Client

    mutating func perform(_ operation: GATTOperation, _ token: GATTToken, _ host: inout HostContext) {
        guard !isClosing else { return host.tell(.finished(link.id, token, .failure(.disconnected))) }
        if recall(operation, token, &host) { return }
        if host.configuration.security != nil || host.configuration.cachesDatabases {
            security.operations[token] = operation
        }
        apply(client.start(operation, token: token, at: host.now), &host)
    }

    mutating func writeCommand(_ handle: UInt16, _ value: [UInt8], _ host: inout HostContext) {
        if hasRoom(host), let pdu = client.writeCommand(handle, value) {
            transmit(pdu, on: .attribute)
        } else {
            host.tell(.writeCommandDropped(link.id, handle: handle))
        }
        if !hasRoom(host) { isFull = true }
    }

    /// Offers the ATT_MTU right after connecting, with a token that the application can't use.
    mutating func exchangeMTU(_ host: inout HostContext) {
        guard let offer = host.configuration.clientMTU, link.isCentral else { return }
        apply(client.start(.exchangeMTU(offer), token: Self.ownToken, at: host.now), &host)
    }

    private static var ownToken: GATTToken { GATTToken(rawValue: .max) }

    mutating func apply(_ outputs: [ATTClient.Output], _ host: inout HostContext) {
        for output in outputs {
            switch output {
            case .send(let pdu): transmit(pdu, on: .attribute)
            case .finished(Self.ownToken, _): break
            case .finished(Self.hashToken, let result): noteDatabase(Self.hashOperation, result, &host)
            case .finished(let token, let result):
                let operation = security.operations.removeValue(forKey: token)
                if let operation, isHeld(token, operation, result, &host) { continue }
                if let operation { noteHash(operation, result, &host) }
                host.tell(.finished(link.id, token, result))
                if let operation { noteDatabase(operation, result, &host) }
            case .mtuChanged(let mtu): host.tell(.mtuChanged(link.id, mtu))
            case .value(let handle, let value, let isIndication):
                noteChange(handle, &host)
                host.tell(.value(link.id, handle: handle, value, isIndication: isIndication))
            case .timedOut: disconnect(.remoteUserTerminatedConnection, &host)
            case .request(let pdu): serve(pdu, &host)
            case .problem(let problem):
                switch problem {
                case .unexpectedResponse(let opcode), .malformed(let opcode, _), .unknownOpcode(let opcode):
                    host.tell(.problem(.attribute(link.id, opcode)))
                }
            }
        }
    }

    /// Stores the hash of a bonded peer's database when an operation has read it; reports whether it is
    /// unchanged.
    private func noteHash(
        _ operation: GATTOperation, _ result: Result<GATTOutcome, GATTFailure>, _ host: inout HostContext
    ) {
        guard case .readByType(.databaseHash, _) = operation,
            case .success(.values(let values)) = result, let hash = values.first?.value, hash.count == 16,
            let bond = bond(host)
        else { return }
        host.tell(.databaseHash(link.id, isKnown: bond.peerDatabaseHash == hash))
        changeBond(&host) { $0.peerDatabaseHash = hash }
    }

    // MARK: Server

    /// Passes a client's PDU to the server.
    private mutating func serve(_ pdu: [UInt8], _ host: inout HostContext) {
        hasUsedServer = true
        let mtu = client.mtu
        serveClient(&host) {
            let offer = $1.configuration.clientMTU ?? UInt16(ATTClient.defaultMTU)
            return $0.receive(pdu, $1.database, mtu: mtu, offer: offer, at: $1.now)
        }
    }

    /// Runs a step of the server, executes its outputs, and stores changes of the client's record.
    mutating func serveClient(
        _ host: inout HostContext, _ body: (inout ATTServer, HostContext) -> [ATTServer.Output]
    ) {
        let wasUnaware = server.isUnaware
        let outputs = body(&server, host)
        // The application sends values again that were held back while the client assumed an earlier
        // database.
        if wasUnaware, !server.isUnaware { isFull = true }
        apply(outputs, &host)
        let record = server.record
        changeBond(&host) { $0.client = record }
    }

    /// Restores the client's record after the link was encrypted by a bond.
    mutating func recallClient(_ bond: Bond, _ host: inout HostContext) {
        guard security.bonded == nil else { return }
        security.bonded = bond.peer
        let kept = self.bond(host)?.client ?? bond.client
        serveClient(&host) { $0.recall(kept, $1.database, at: $1.now) }
    }

    mutating func apply(_ outputs: [ATTServer.Output], _ host: inout HostContext) {
        for output in outputs {
            switch output {
            case .send(let pdu): transmit(pdu, on: .attribute)
            case .mtuAgreed(let mtu): apply(client.agree(onMTU: mtu), &host)
            case .read(let request, let handle, let offset):
                host.tell(.readRequested(link.id, request, handle: handle, offset: offset))
            case .write(let request, let writes): host.tell(.writeRequested(link.id, request, writes))
            case .subscribed(let handle, let configuration):
                host.tell(.subscriptionChanged(link.id, valueHandle: handle, configuration))
            case .indicated(let handle, let confirmed):
                host.tell(.indicated(link.id, valueHandle: handle, confirmed: confirmed))
            case .timedOut: disconnect(.remoteUserTerminatedConnection, &host)
            }
        }
    }

    mutating func answerRead(
        _ request: ServerRequestID, _ result: Result<[UInt8], ATTErrorCode>, _ host: inout HostContext
    ) {
        apply(server.answer(request, read: result, host.database, mtu: client.mtu), &host)
    }

    func canUpdate(_ valueHandle: UInt16, _ host: HostContext) -> Bool {
        hasRoom(host) && !server.isUnaware
            && !(server.isIndicating && server.indicates(valueHandle, host.database))
    }

    /// Sends a value to the client if it has subscribed; as a notification if the client accepts both ways.
    mutating func update(_ handle: UInt16, _ value: [UInt8], _ host: inout HostContext) {
        guard hasRoom(host) else {
            isFull = true
            return host.tell(.updateDropped(link.id, valueHandle: handle))
        }
        if let pdu = server.notification(handle, value, host.database, mtu: client.mtu) {
            transmit(pdu, on: .attribute)
            if !hasRoom(host) { isFull = true }
        } else if let outputs = server.indicate(
            handle, value, host.database, mtu: client.mtu, at: host.now)
        {
            apply(outputs, &host)
        } else {
            host.tell(.updateDropped(link.id, valueHandle: handle))
        }
    }

    // MARK: Bond

    /// Returns the bond that encrypts the link.
    func bond(_ host: HostContext) -> Bond? {
        security.bonded.flatMap { peer in host.bonds.first { $0.peer.names(peer) } }
    }

    func changeBond(_ host: inout HostContext, _ body: (inout Bond) -> Void) {
        guard let old = bond(host) else { return }
        var new = old
        body(&new)
        guard new != old, let place = host.bonds.firstIndex(of: old) else { return }
        host.bonds[place] = new
        host.tell(.bondChanged(link.id, new))
    }
}
