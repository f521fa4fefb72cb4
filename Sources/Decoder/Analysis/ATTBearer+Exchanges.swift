import BluetoothCore
import CaptureFile
import PayloadFormat

// What waits on a bearer for its answer, followed by one call a PDU: each look into a link's bearers costs.

extension Link {
    /// Notes a request of a client on a bearer; gives the one before it, where that had no answer yet and its
    /// time had not run out.
    mutating func ask(_ request: PendingRequest, _ bearer: Int, _ client: Side) -> PendingRequest? {
        counts.requests &+= 1
        return bearers[bearer].ask(request, client, keeps: showsResponses)
    }

    /// Takes the request that a response answers, which waits no more; nil where none does.
    mutating func takeAnswered(
        by response: borrowing ATTSummary, _ bearer: Int, _ client: Side
    ) -> PendingRequest? {
        counts.responses &+= 1
        return bearers[bearer].takeAnswered(by: response, client)
    }

    /// Counts a notification or indication, and gives the write of its client that it may answer: the last
    /// one, where this is the first since, or comes soon after it. Values that come again and again answer
    /// none.
    mutating func notified(
        by server: Side, isIndication: Bool, _ bearer: Int, at time: CaptureTime
    ) -> (frame: FramePlace, time: CaptureTime)? {
        if isIndication { counts.indications.add(server) } else { counts.notifications.add(server) }
        if server == .peer, phases.firstNotification == nil { phases.firstNotification = time }
        let write = server == .peer ? bearers[bearer].lastHostWrite : bearers[bearer].lastPeerWrite
        guard let write else { return nil }
        let wasFollowed = write.isFollowed
        if server == .peer {
            bearers[bearer].lastHostWrite?.isFollowed = true
        } else {
            bearers[bearer].lastPeerWrite?.isFollowed = true
        }
        let longest = wasFollowed ? Self.longestRow : Analyzer.transactionTimeout
        return time.since(write.time) <= longest ? (write.frame, write.time) : nil
    }

    /// How long after a write the parts of an answer in several notifications come, in nanoseconds.
    private static let longestRow: Int64 = 1_000_000_000

    /// Notes a write that is no configuration.
    mutating func wrote(_ client: Side, _ bearer: Int, _ frame: FramePlace, _ time: CaptureTime) {
        guard client == .host else {
            bearers[bearer].lastPeerWrite = (frame, time, false)
            return
        }
        bearers[bearer].lastHostWrite = (frame, time, false)
        if phases.firstWrite == nil { phases.firstWrite = time }
    }
}

extension ATTBearer {
    /// - Parameter keeps: whether one of another kind is kept, since an answer of its kind is still its own.
    fileprivate mutating func ask(
        _ request: PendingRequest, _ client: Side, keeps: Bool
    ) -> PendingRequest? {
        if request.opcode != .readBlobRequest { endRead(by: client) }
        return client == .host
            ? Self.ask(request, &fromHost, &overtakenFromHost, keeps)
            : Self.ask(request, &fromPeer, &overtakenFromPeer, keeps)
    }

    /// What a client asks now is no more of the value that it read.
    @inline(__always)
    private mutating func endRead(by client: Side) {
        if client == .host {
            if readByHost != nil { readByHost = nil }
        } else if readByPeer != nil {
            readByPeer = nil
        }
    }

    private static func ask(
        _ request: PendingRequest, _ last: inout PendingRequest, _ overtaken: inout PendingRequest,
        _ keeps: Bool
    ) -> PendingRequest? {
        guard last.isOpen, !last.timedOut else {
            last = request
            return nil
        }
        let before = last
        last = request
        if before.opcode == request.opcode {
            last.isAmbiguous = !request.asksTheSame(as: before)
            last.listsElseThanBefore = last.isAmbiguous && !request.listsTheSame(as: before)
        } else if keeps {
            overtaken = before
        }
        return before
    }

    fileprivate mutating func takeAnswered(
        by response: borrowing ATTSummary, _ client: Side
    ) -> PendingRequest? {
        client == .host
            ? Self.take(response, &fromHost, &overtakenFromHost)
            : Self.take(response, &fromPeer, &overtakenFromPeer)
    }

    private static func take(
        _ response: borrowing ATTSummary, _ last: inout PendingRequest, _ overtaken: inout PendingRequest
    ) -> PendingRequest? {
        if last.isOpen, response.answers(last.opcode) {
            last.isOpen = false
            // Servers answer in the order of the requests: once the later is answered, so is the earlier.
            overtaken.isOpen = false
            return last
        }
        guard overtaken.isOpen, response.answers(overtaken.opcode) else { return nil }
        overtaken.isOpen = false
        return overtaken
    }
}
