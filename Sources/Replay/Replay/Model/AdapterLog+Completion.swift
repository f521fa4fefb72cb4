import BluetoothCore

// Steps that are possible when a connection, or the whole log, has been read.

extension AdapterLog {
    /// Gives all connections on which the host is the peripheral the last known database, since there is only
    /// one server.
    mutating func shareOwnDatabase() {
        let own = connections.indices.filter { place in
            !connections[place].isCentral && connections[place].status == .success
        }
        guard let last = own.last else { return }
        var database = connections[last].database
        for place in own { database.useLongForms(connections[place].longForms) }
        for place in own {
            connections[place].database = database
            connections[place].learnFromPDUs()
            connections[place].inferAttributes(&assumptions)
            database = connections[place].database
        }
        for place in own { connections[place].database = database }
    }

    /// Completes the connections after the whole log was read.
    mutating func completeConnections() {
        for place in connections.indices where connections[place].status == .success {
            let peer = connections[place].peer
            let known = connections.first { $0.peer == peer && !$0.database.isEmpty }?.database
            connections[place].complete(known, &obstacles, &assumptions)
        }
    }
}

extension RecordedConnection {
    /// Removes incomplete exchanges from a connection that has ended.
    mutating func leaveOutIncomplete(
        isFromAir: Bool, _ obstacles: inout [Obstacle], _ assumptions: inout [Obstacle]
    ) {
        let left = leaveOutIncomplete()
        for frame in left.malformed { obstacles.note(.contradiction, frame: frame, connection: number) }
        let kind: Obstacle.Kind = isFromAir ? .notHeard : .filtered
        for frame in left.frames { obstacles.note(kind, frame: frame, connection: number) }
        for frame in left.answered { assumptions.note(.missingResponse, frame: frame, connection: number) }
    }

    /// Completes the connection after the whole log was read: its attributes, its pairing, and the parts that
    /// can't be played.
    ///
    /// The order matters: each part that is left out changes the steps that the later parts look at.
    ///
    /// - Parameter known: the device's attributes, which may have been discovered on another connection.
    fileprivate mutating func complete(
        _ known: PeerDatabase?, _ obstacles: inout [Obstacle], _ assumptions: inout [Obstacle]
    ) {
        // It is computed from PDUs and from the encryption, some of which are left out below.
        let failsToEncrypt = failsToEncrypt
        if isCentral, database.isEmpty, peer.value != 0 {
            if let known { database = known }
            learnFromPDUs()
        }
        leaveOutClient(&obstacles)
        leaveOutChannels(&obstacles)
        if let encryption, encryption.status != .success, !failsToEncrypt {
            self.encryption = nil
            obstacles.note(.encrypted, frame: encryption.frame, connection: number)
        }
        preparePairing(&obstacles)
        leaveOutKeyRequests(obstacles.has(.pairing, on: number) || obstacles.has(.encrypted, on: number))
        if let frame = frameBeyondMTU {
            // A connection that contradicts itself is not judged.
            isLeftOut = true
            obstacles.note(.contradiction, frame: frame, connection: number)
        }
        if let frame = frameOfUnfinishedDiscovery {
            obstacles.note(.endsInDiscovery, frame: frame, connection: number)
        }
        if isCentral { inferAttributes(&assumptions) }
        // If the host only answers, its role is unknown, and nothing can be judged.
        if wasOpenAtStart, !steps.contains(where: \.isRequired) {
            isLeftOut = true
            obstacles.note(.nothingToCompare, frame: frame, connection: number)
        }
    }

    /// Prepares a pairing for replay with a live peer. If the pairing can't be played, the encryption after
    /// it can't be either.
    private mutating func preparePairing(_ obstacles: inout [Obstacle]) {
        if !obstacles.has(.encrypted, on: number), let pairing = RecordedPairing(self) {
            self.pairing = pairing
            obstacles.removeAll { $0.kind == .pairing && $0.connection == number }
            // This project's server refuses for this reason if it has no key for the central.
            leaveOutGuarded(except: .insufficientAuthentication, &obstacles)
        } else if obstacles.has(.pairing, on: number) {
            if let frame = RecordedPairing.frameOfSkippedCheck(self) {
                obstacles.note(.skippedCheck, frame: frame, connection: number)
            }
            encryption = nil
            leaveOutGuarded(&obstacles)
        }
    }

    /// Leaves out writes that the server refused for lack of security.
    ///
    /// - Parameter reason: the reason for which this project's server refuses too, before the pairing that is
    ///   played; such refusals are kept. Nil if the link never becomes secure, since its pairing is left out.
    private mutating func leaveOutGuarded(except reason: ATTErrorCode? = nil, _ obstacles: inout [Obstacle]) {
        guard !isCentral else { return }
        let guarded = guardedConfigurations.filter { reason == nil || pdus[$0.response].refusal != reason }
        guard let first = guarded.first else { return }
        if reason != nil { obstacles.note(.pairing, frame: pdus[first.response].frame, connection: number) }
        leaveOut(Set(guarded.flatMap { [$0.request, $0.response] }))
    }

    /// Leaves out the requests of a peripheral host to its central, because the API has no call for them.
    private mutating func leaveOutClient(_ obstacles: inout [Obstacle]) {
        guard !isCentral else { return }
        let out = pdus.indices.filter { pdus[$0].isOfClient(pdus) }
        guard let first = out.first else { return }
        obstacles.append(
            Obstacle(.peripheralRole, frame: pdus[first].frame, connection: number, count: out.count))
        leaveOut(Set(out))
    }

    /// Leaves out connection-oriented channels, which this project's host does not support.
    private mutating func leaveOutChannels(_ obstacles: inout [Obstacle]) {
        let out = channelPDUs
        guard let first = out.first else { return }
        obstacles.note(.channels, frame: pdus[first].frame, connection: number)
        leaveOut(Set(out))
    }

    fileprivate mutating func inferAttributes(_ assumptions: inout [Obstacle]) {
        let inferred = inferAttributes()
        guard inferred.count > 0 else { return }
        assumptions.append(
            Obstacle(.missingDatabase, frame: inferred.frame, connection: number, count: inferred.count))
    }

    /// The frame of a discovery that the central did not finish before the connection ended; nil if there was
    /// no such discovery.
    fileprivate var frameOfUnfinishedDiscovery: Int? {
        guard isCentral, end != nil,
            let last = pdus.lastIndex(where: {
                $0.channel == .attribute && $0.side == .host && $0.opcode.kind != .confirmation
            })
        else { return nil }
        let end: UInt16
        switch pdus[last].att {
        case let request as ATTReadByGroupTypeRequest: end = request.endingHandle
        case let request as ATTReadByTypeRequest where Normalization.isDeclaration(request.type):
            end = request.endingHandle
        case let request as ATTFindInformationRequest: end = request.endingHandle
        default: return nil
        }
        let answer = pdus[last...].first { $0.answers == last }
        let isFinished = answer.map { $0.refusal != nil || $0.lastFound >= end } ?? false
        return isFinished ? nil : pdus[last].frame
    }

    /// The indices of L2CAP signalling packets about connection-oriented channels (Vol 3, Part A, 4.22 to
    /// 4.28), without requests of the peer that the host refused.
    fileprivate var channelPDUs: [Int] {
        var out: [Int] = []
        var asked: [UInt8: Int] = [:]
        for (place, pdu) in pdus.enumerated() {
            guard pdu.channel == .leSignalling, pdu.octets.count >= 4 else { continue }
            let code = pdu.octets[0]
            let identifier = pdu.octets[1]
            switch code {
            case 0x14 where pdu.side == .peer, 0x17 where pdu.side == .peer: asked[identifier] = place
            case 0x15 where pdu.side == .host, 0x18 where pdu.side == .host:
                let result = code == 0x15 ? 12 : 10
                guard pdu.octets.dropFirst(result).prefix(2).elementsEqual([0, 0]) else { continue }
                out += [asked[identifier], place].compactMap(\.self)
            case 0x06, 0x07, 0x14...0x1A: out.append(place)
            default: break
            }
        }
        return out.sorted()
    }

    /// Keeps the central's key requests up to the answered one; if the host had no key, only the first.
    ///
    /// - Parameter isLeftOut: whether the pairing or the encryption is left out.
    fileprivate mutating func leaveOutKeyRequests(_ isLeftOut: Bool) {
        let isAsked = { (one: Update) in one.subevent == LELongTermKeyRequest.subeventCode }
        let firstRequest = updates.first(where: isAsked)?.frame ?? 0
        let isRefused = !isLeftOut && pairing == nil
        let lastKept = encryption?.frame ?? (isRefused ? firstRequest : 0)
        updates.removeAll { isAsked($0) && $0.frame > lastKept }
    }
}

extension RecordedPDU {
    /// The last handle in a discovery response; 0 for any other PDU.
    fileprivate var lastFound: UInt16 {
        switch att {
        case let response as ATTReadByGroupTypeResponse:
            let groups = try? ATTGroupValue.elements(of: response.attributes, width: Int(response.length))
            return groups?.last?.groupEndHandle ?? 0
        case is ATTReadByTypeResponse:
            // The handle of a characteristic's value follows that of its declaration.
            return readByTypeElements.last.map { $0.handle &+ 1 } ?? 0
        case let response as ATTFindInformationResponse:
            let width = response.format == 1 ? 4 : 18
            let found = try? ATTHandleType.elements(of: response.information, width: width)
            return found?.last?.handle ?? 0
        default: return 0
        }
    }

    /// Whether the PDU belongs to an exchange in which the host is the client.
    fileprivate func isOfClient(_ all: [RecordedPDU]) -> Bool {
        guard channel == .attribute else { return false }
        let answered = answers.map { all[$0] }
        switch opcode.kind {
        case .request, .command, .unknown: return side == .host
        case .notification, .indication: return side == .peer
        case .response: return side == .peer || answered?.side == .host
        case .confirmation: return side == .host
        }
    }
}
