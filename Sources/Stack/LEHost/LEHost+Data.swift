import BluetoothCore
import WireBytes

// Data on links: L2CAP on its fixed channels.

extension LEHost {
    /// Limit of the packets that wait on a link: more than the host's own operations and answers need.
    ///
    /// A peer that sends requests without accepting answers loses its link.
    private static var waitingLimit: Int { 256 }

    mutating func takeData(_ octets: [UInt8]) {
        guard let header = try? HCIACLHeader(start: octets),
            octets.count == HCIACLHeader.size + Int(header.dataLength)
        else { return tell(.problem(.malformedPacket(.acl))) }
        guard let index = known(header.handle) else { return }
        let id = links[index].link.id
        let outcome = octets.withReader { (reader: inout ByteReader) in
            links[index].reassembler.receive(
                reader.wholeSpan.clamped(HCIACLHeader.size..<octets.count),
                isContinuation: header.isContinuation)
        }
        if links[index].reassembler.abandoned != nil { tell(.problem(.reassembly(id))) }
        switch outcome {
        case .whole(let l2cap):
            takeInformation(Array(octets[(HCIACLHeader.size + L2CAPHeader.size)...]), l2cap.channel, id)
        case .completed(let l2cap, _):
            takeInformation(Array(links[index].reassembler.information), l2cap.channel, id)
        case .pending: break
        case .cut, .skipped, .missingStart, .tooLong, .overLimit, .shortStart:
            tell(.problem(.reassembly(id)))
        }
    }

    /// Whether a value comes before the bond has encrypted the link. Anyone with the address of a bonded
    /// device can send such a value.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.2.2.
    private func isEarly(value octets: [UInt8], _ link: HostLink) -> Bool {
        guard ATTClient.isValue(octets), !link.security.current.isEncrypted else { return false }
        return !link.security.isAnnounced
            || !link.link.isCentral && bond(with: link.link.peer)?.asPeripheral != nil
    }

    /// Confirms an indication that is discarded.
    private mutating func passOver(value octets: [UInt8], _ id: LinkID) {
        guard octets.first == ATTHandleValueIndication.opcode.rawValue else { return }
        transmit(ATTHandleValueConfirmation().pdu, on: .attribute, to: id)
    }

    private mutating func takeInformation(
        _ octets: [UInt8], _ channel: L2CAPChannelID, _ id: LinkID
    ) {
        guard let index = place(of: id), !links[index].isUnwanted else { return }
        guard data.waitingBesidesFrames(links[index].link.handle) < Self.waitingLimit else {
            tell(.problem(.flood(id)))
            return disconnect(id, .remoteDeviceTerminatedConnectionDueToLowResources)
        }
        switch channel {
        case .attribute where isEarly(value: octets, links[index]): passOver(value: octets, id)
        case .attribute: apply(links[index].client.receive(octets, at: now), to: id)
        case .leSignalling: takeSignal(octets, id)
        case .securityManager: takeSecurity(octets, id)
        default: takeFrame(octets, channel, id)
        }
    }

    mutating func transmit(_ information: [UInt8], on channel: L2CAPChannelID, to id: LinkID) {
        guard let index = place(of: id) else { return }
        data.enqueue(information, on: channel, of: links[index].link.handle)
    }

    mutating func perform(_ operation: GATTOperation, _ token: GATTToken, on id: LinkID) {
        guard let index = usable(id) else {
            return tell(.finished(id, token, .failure(.disconnected)))
        }
        if recall(operation, token, id) { return }
        if configuration.security != nil || configuration.cachesDatabases {
            links[index].security.operations[token] = operation
        }
        apply(links[index].client.start(operation, token: token, at: now), to: id)
    }

    mutating func writeCommand(_ handle: UInt16, _ value: [UInt8], on id: LinkID) {
        guard let index = place(of: id), canWriteCommand(on: id),
            let pdu = links[index].client.writeCommand(handle, value)
        else {
            if let index = place(of: id), !canWriteCommand(on: id) { links[index].isFull = true }
            return tell(.writeCommandDropped(id, handle: handle))
        }
        transmit(pdu, on: .attribute, to: id)
        if !canWriteCommand(on: id) { links[index].isFull = true }
    }

    /// Offers the ATT_MTU right after connecting, with a token that the application can't use.
    mutating func exchangeMTU(on id: LinkID) {
        guard let offer = configuration.clientMTU, let index = place(of: id), links[index].link.isCentral
        else { return }
        apply(links[index].client.start(.exchangeMTU(offer), token: Self.ownToken, at: now), to: id)
    }

    private static var ownToken: GATTToken { GATTToken(rawValue: .max) }

    /// Executes the outputs of a link's client.
    mutating func apply(_ outputs: [ATTClient.Output], to id: LinkID) {
        for output in outputs {
            switch output {
            case .send(let pdu): transmit(pdu, on: .attribute, to: id)
            case .finished(Self.ownToken, _): break
            case .finished(Self.hashToken, let result): noteDatabase(Self.hashOperation, result, id)
            case .finished(let token, let result):
                let operation = takeOperation(token, id)
                if let operation, isHeld(token, operation, result, id) { continue }
                if let operation { noteHash(operation, result, id) }
                tell(.finished(id, token, result))
                if let operation { noteDatabase(operation, result, id) }
            case .mtuChanged(let mtu): tell(.mtuChanged(id, mtu))
            case .value(let handle, let value, let isIndication):
                noteChange(handle, id)
                tell(.value(id, handle: handle, value, isIndication: isIndication))
            case .timedOut: disconnect(id, .remoteUserTerminatedConnection)
            case .request(let pdu): serve(pdu, id)
            case .problem(let problem):
                switch problem {
                case .unexpectedResponse(let opcode), .malformed(let opcode, _), .unknownOpcode(let opcode):
                    tell(.problem(.attribute(id, opcode)))
                }
            }
        }
    }
}
