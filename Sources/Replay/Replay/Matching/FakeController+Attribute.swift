import BluetoothCore
import Runtime

// The host's PDUs of the Attribute Protocol: which of them is compared with what.

extension FakeController {
    mutating func takeAttribute(_ octets: [UInt8], _ index: Int) {
        guard let pdu = ATTPDU<[UInt8]>(whole: octets) else {
            return matchOther(octets, kind: .malformed, index)
        }
        if pdu.opcode.kind == .request {
            guard links[index].pendingRequest == nil else {
                return diverge(.requestWhilePending, octets, .attribute, index)
            }
            links[index].pendingRequest = pdu.opcode
        }
        switch pdu {
        case .exchangeMTURequest(let request): answer(request, octets, index)
        case .readByGroupTypeRequest(let request): answer(request, octets, index)
        case .findByTypeValueRequest(let request): answer(request, octets, index)
        case .findInformationRequest(let request): answer(request, octets, index)
        case .readByTypeRequest(let request) where isDiscovery(request.type):
            answer(request, octets, index)
        case .readRequest(let request): matchRead(request.handle, octets, index)
        case .readBlobRequest(let request): readOn(request, octets, index)
        case .writeRequest(let request):
            matchWrite(request.handle, request.value, octets, withResponse: true, index)
        case .writeCommand(let command):
            matchWrite(command.handle, command.value, octets, withResponse: false, index)
        case .prepareWriteRequest(let request): prepare(request, octets, index)
        case .executeWriteRequest(let request): execute(request, octets, index)
        case .handleValueConfirmation: matchConfirmation(octets, index)
        default:
            switch pdu.opcode.kind {
            case .response, .notification, .indication: matchServer(pdu, octets, index)
            default: matchOther(octets, kind: .different, index)
            }
        }
    }

    private func isDiscovery(_ type: BluetoothUUID) -> Bool {
        Normalization.isDeclaration(type) || Normalization.isHousekeeping(type: type)
    }

    // MARK: Reading

    private mutating func matchRead(_ handle: UInt16, _ octets: [UInt8], _ index: Int) {
        guard let found = find(index, where: { $0.action == .read(handle: handle) }) else {
            return readKnown(handle, octets, index)
        }
        let step = links[index].script.steps[found]
        seen(found, octets, index)
        guard let first = links[index].response(step, 0) else { return }
        let latency = links[index].latency(step, 0)
        guard first.opcode == .readResponse else { return reply(first, step, 0, index) }
        var value = Array(first.octets.dropFirst())
        var end: [UInt8]?
        for part in step.pdus.indices.dropFirst() {
            guard let response = links[index].response(step, part) else { break }
            if response.opcode == .readBlobResponse {
                value += response.octets.dropFirst()
            } else {
                end = response.octets
            }
        }
        if step.pdus.count == 1 {
            // The whole of what the log holds of it, as it stands there.
            links[index].openValues[handle] = (value, nil, latency)
            return reply(first, step, 0, index)
        }
        links[index].openValues[handle] = (value, end, latency)
        let part = Array(value.prefix(max(0, Int(links[index].mtu) - 1)))
        if part.count != first.octets.count - 1 { normalizations.note(.readSplit) }
        reply(.readResponse(ATTReadResponse(value: part)), after: latency, frame: first.frame, index)
    }

    /// A read that the log does not have: of what every host looks at, or of a value that the log shows.
    private mutating func readKnown(_ handle: UInt16, _ octets: [UInt8], _ index: Int) {
        let link = links[index]
        let isHousekeeping = Normalization.isHousekeeping(handle, link.connection.database)
        let isToCome = link.first(in: .client) { $0.action == .read(handle: handle) && $0.isRequired } != nil
        // Where another read is due, this one stands in its place.
        let isInPlace = link.firstRequired.map { link.script.steps[$0].isRead } ?? false
        let value = link.connection.database.value(of: handle)
        let latency = link.script.typicalLatency
        if let value, isHousekeeping || !isToCome && !isInPlace {
            normalizations.note(isHousekeeping ? .hostHousekeeping : .readAgain)
            links[index].openValues[handle] = (value, nil, latency)
            let part = Array(value.prefix(max(0, Int(link.mtu) - 1)))
            return reply(.readResponse(ATTReadResponse(value: part)), after: latency, frame: 0, index)
        }
        guard isHousekeeping else { return diverge(.different, octets, .attribute, index) }
        normalizations.note(.hostHousekeeping)
        refuse(.readRequest, handle, .readNotPermitted, latency, index)
    }

    private mutating func readOn(_ request: ATTReadBlobRequest, _ octets: [UInt8], _ index: Int) {
        let offset = Int(request.offset)
        guard let open = links[index].openValues[request.handle] else {
            return matchOther(octets, kind: .different, index)
        }
        // The same part as recorded is no difference.
        if links[index].script.latencies[octets] == nil { normalizations.note(.readSplit) }
        guard offset <= open.value.count else {
            return refuse(.readBlobRequest, request.handle, .invalidOffset, open.latency, index)
        }
        if offset == open.value.count, let end = open.end {
            return reply(end, after: open.latency, frame: 0, index)
        }
        let part = Array(open.value.dropFirst(offset).prefix(max(0, Int(links[index].mtu) - 1)))
        reply(.readBlobResponse(ATTReadBlobResponse(value: part)), after: open.latency, frame: 0, index)
    }

    mutating func refuse(
        _ opcode: ATTOpcode, _ handle: UInt16, _ error: ATTErrorCode, _ latency: Duration, _ index: Int
    ) {
        reply(
            .errorResponse(ATTErrorResponse(request: opcode, handle: handle, error: error)), after: latency,
            frame: 0, index)
    }

    // MARK: The rest

    private mutating func matchConfirmation(_ octets: [UInt8], _ index: Int) {
        guard links[index].unconfirmed > 0 else { return diverge(.unexpected, octets, .attribute, index) }
        links[index].unconfirmed -= 1
        // The log may end before the recorded host had confirmed.
        guard let step = links[index].first(in: .confirmation) else { return }
        seen(step, octets, index)
    }

    private mutating func matchServer(_ pdu: ATTPDU<[UInt8]>, _ octets: [UInt8], _ index: Int) {
        let link = links[index]
        if pdu.opcode.kind == .response {
            guard link.unanswered > 0, let request = link.peerRequest, Self.fits(octets, request) else {
                return diverge(.unexpected, octets, .attribute, index)
            }
            links[index].unanswered -= 1
            links[index].peerRequest = nil
            if case .exchangeMTUResponse(let response) = pdu, let offer = link.peerMTU {
                links[index].mtu = max(23, min(offer, response.serverMTU))
            }
            let step = link.first(in: .server) {
                ATTOpcode(rawValue: $0.octets?.first ?? 0).kind == .response
            }
            guard let step else { return }
            if link.script.steps[step].octets != octets { normalizations.note(.ownDatabase) }
            return seen(step, octets, index)
        }
        let same = link.first(in: .server) { $0.action == .serve(octets) }
        guard let same else { return diverge(.unexpected, octets, .attribute, index) }
        seen(same, octets, index)
    }

    /// Whether a response is one to a request: the opcode after it, or an error that names it.
    private static func fits(_ response: [UInt8], _ request: ATTOpcode) -> Bool {
        guard let opcode = response.first else { return false }
        if opcode == ATTOpcode.errorResponse.rawValue {
            return response.count == 5 && response[1] == request.rawValue
        }
        return opcode == request.rawValue &+ 1
    }

    /// A PDU that is compared octet for octet.
    private mutating func matchOther(_ octets: [UInt8], kind: Divergence.Kind, _ index: Int) {
        guard let found = find(index, where: { self.same($0, octets, index) }) else {
            return diverge(kind, octets, .attribute, index)
        }
        let step = links[index].script.steps[found]
        seen(found, octets, index)
        guard let response = links[index].response(step, 0) else { return }
        reply(response, step, 0, index)
    }
}
