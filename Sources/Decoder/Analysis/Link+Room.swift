import BluetoothCore
import PayloadFormat
import WireBytes

// What of a link is not whole yet: how much memory it takes, and what becomes of it where PDUs are lost.

extension Link {
    /// Gives up the PDUs under way: which fragments belong to them can't be told any more.
    mutating func loseFragments() {
        assemblies.fromHost.reassembler.reset()
        assemblies.fromController.reassembler.reset()
        losePDU(nil)
    }

    /// A PDU was lost, of a channel or of one that is not known: answers that come now may belong to requests
    /// that are not there.
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

    /// Octets of memory that what is not whole takes.
    var room: Int {
        var sum = assemblies.fromHost.room &+ assemblies.fromController.room
        for channel in signalling.channels { sum &+= channel.fromHost.room &+ channel.fromPeer.room }
        for bearer in bearers {
            sum &+= bearer.preparedByHost.room &+ bearer.preparedByPeer.room
            sum &+= (bearer.readByHost?.octets.capacity ?? 0) &+ (bearer.readByPeer?.octets.capacity ?? 0)
        }
        return sum
    }

    /// Gives back the room of PDUs that are complete.
    mutating func releaseRoom() {
        assemblies.fromHost.reassembler.releaseRoom()
        assemblies.fromController.reassembler.releaseRoom()
        for index in signalling.channels.indices {
            signalling.channels[index].fromHost.releaseRoom()
            signalling.channels[index].fromPeer.releaseRoom()
        }
    }

    /// Gives up SDUs and values that are not whole: they are not put together.
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
    /// Keeps no octets: what is read is not handed on.
    fileprivate mutating func giveUp() {
        octets = []
        isDone = true
    }
}
