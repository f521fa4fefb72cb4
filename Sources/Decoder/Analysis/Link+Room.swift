import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The memory of a link's incomplete data, and losses of PDUs.

extension Link {
    /// Drops the unfinished PDUs, since their fragments can no longer be identified.
    mutating func loseFragments() {
        assemblies.fromHost.reassembler.reset()
        assemblies.fromController.reassembler.reset()
        losePDU(nil)
    }

    /// Drops a side's unfinished PDU.
    mutating func loseFragments(of side: Side) {
        if side == .host {
            assemblies.fromHost.reassembler.reset()
        } else {
            assemblies.fromController.reassembler.reset()
        }
    }

    /// Whether a sniffer has heard nothing of the link for longer than its supervision timeout: the link has
    /// ended, or the sniffer has lost it.
    func isUnheard(at time: Int64) -> Bool {
        air != nil && conditions.timeout > 0
            && time &- phases.last.nanoseconds > Int64(conditions.timeout) * 10_000_000
    }

    /// Handles packets that a sniffer may have missed: no answer counts as missing, but a later answer is
    /// still matched with its request.
    mutating func excuse() {
        for bearer in bearers.indices { bearers[bearer].excuse() }
        subscriptions.mayBeMissing = true
        pairing.stop()
        signalling.loseAnswers()
    }

    /// Handles a lost PDU of a channel, or of an unknown one: answers from now on may belong to requests that
    /// are not in the log.
    mutating func losePDU(_ channel: UInt16?) {
        if channel == nil || channel == 4 {
            bearers[0].lose()
            subscriptions.mayBeMissing = true
        }
        if channel == nil || channel == 6 { pairing.stop() }
        if channel == nil || channel == 1 || channel == 5 { signalling.loseAnswers() }
        guard channel.map({ $0 >= 0x40 }) ?? true else { return }
        for index in signalling.channels.indices {
            signalling.channels[index].fromHost.lose()
            signalling.channels[index].fromPeer.lose()
            if let bearer = signalling.channels[index].bearer { bearers[bearer].lose() }
        }
    }

    /// Memory that incomplete data uses, in bytes.
    var room: Int {
        var sum = assemblies.fromHost.room &+ assemblies.fromController.room
        for channel in signalling.channels { sum &+= channel.fromHost.room &+ channel.fromPeer.room }
        for bearer in bearers {
            sum &+= bearer.preparedByHost.room &+ bearer.preparedByPeer.room
            sum &+= (bearer.readByHost?.octets.capacity ?? 0) &+ (bearer.readByPeer?.octets.capacity ?? 0)
        }
        return sum
    }

    /// Releases the memory of complete PDUs.
    mutating func releaseRoom() {
        assemblies.fromHost.reassembler.releaseRoom()
        assemblies.fromController.reassembler.releaseRoom()
        for index in signalling.channels.indices {
            signalling.channels[index].fromHost.releaseRoom()
            signalling.channels[index].fromPeer.releaseRoom()
        }
    }

    /// Drops incomplete SDUs and values.
    mutating func giveUpUnfinished() {
        loseFragments()
        for index in signalling.channels.indices {
            signalling.channels[index].fromHost.lose()
            signalling.channels[index].fromPeer.lose()
        }
        for index in bearers.indices {
            bearers[index].preparedByHost.giveUp()
            bearers[index].preparedByPeer.giveUp()
            bearers[index].readByHost?.giveUp()
            bearers[index].readByPeer?.giveUp()
        }
    }
}

extension Assembly {
    fileprivate var room: Int { reassembler.room &+ frames.capacity &* MemoryLayout<FramePlace>.stride }
}

extension LongRead {
    /// Drops the bytes, so that the value is never passed on.
    fileprivate mutating func giveUp() {
        octets = []
        isDone = true
    }
}
