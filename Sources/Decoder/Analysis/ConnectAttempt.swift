public import BluetoothCore
public import CaptureFile
public import PayloadFormat

/// A connection that the host or a peer requested, until it is established, withdrawn or has failed.
public struct ConnectAttempt: Sendable {
    /// The requested device; for the filter accept list, its only device. Nil if the log does not name the
    /// device or the list has several.
    public var peer: DeviceAddress?
    /// Whether any device of the filter accept list is requested. Hosts leave such a request open
    /// indefinitely, and withdraw it to change the list.
    public var isByAcceptList = false
    /// The reason why no device can answer the request, as the advertising shows; nil if one may.
    var mistake: Mistake?
    /// Whether a sniffer heard the request on the air.
    var isOnAir = false
    var isLE = false
    /// Whether the peer requested it, over BR/EDR.
    var isIncoming = false
    /// The frame of the request.
    public var place: FramePlace
    /// The time of the request.
    public var time: CaptureTime
    /// Whether the request was still pending when the log ended.
    public internal(set) var isOpen = false
    /// The time at which the host withdrew the request; nil if it did not.
    var withdrawn: CaptureTime?
    /// Nanoseconds from the request to its failure, its withdrawal or the end of the log.
    public var waited: Int64 = 0

    /// A request that the device can't answer.
    enum Mistake: Sendable {
        /// It was asked for by another kind of address than this, with which it advertises.
        case addressKind(advertised: DeviceAddress.Kind)
        /// It was asked for over BR/EDR, and advertises that it does not support that.
        case transport
    }

    init(_ peer: DeviceAddress?, place: FramePlace, time: CaptureTime, waited: Int64 = 0) {
        self.peer = peer
        self.place = place
        self.time = time
        self.waited = waited
    }

    /// Creates the request of a peer for a BR/EDR connection.
    init(from peer: DeviceAddress, place: FramePlace, time: CaptureTime) {
        self.init(peer, place: place, time: time)
        isIncoming = true
    }

    /// Returns the attempt with its mistake, if the advertising shows one.
    func known(by advertisers: AdvertiserTable) -> ConnectAttempt {
        guard let peer, !isIncoming else { return self }
        var attempt = self
        if isLE {
            attempt.mistake = advertisers.otherKind(of: peer).map { .addressKind(advertised: $0) }
        } else if advertisers.deniesClassic(peer) {
            attempt.mistake = .transport
        }
        return attempt
    }

    /// The number of the request's frame in its file.
    public var frame: Int { place.frame }

    /// Shortest wait before a withdrawal that shows a silent device, in nanoseconds; after less, the host
    /// changed its mind.
    static let shortest: Int64 = 1_000_000_000

    /// The device that is asked or asks, and the frame of the request.
    var text: Sentence {
        let device = peer.map { "\(isIncoming ? " from " : " to ")\($0)" } ?? ""
        return "\(device)\(isByAcceptList ? " by the accept list" : "") (frame \(place))"
    }

    /// The attempt that the host withdrew, or that is still open, in words.
    public var givenUp: Sentence {
        let end = isOpen ? "still waiting" : "given up"
        return "connect\(text) \(end) after \(TextDuration.text(waited))\(mistakeInWords)"
    }

    /// The mistake as the end of a sentence; empty without one.
    var mistakeInWords: String {
        switch mistake {
        case .addressKind(let advertised):
            let asked = peer?.isRandom == true ? "random" : "public"
            let heard = advertised == .random ? "random" : "public"
            return "; asked for as \(asked), but it advertises as \(heard)"
        case .transport: return "; asked for over BR/EDR, but it advertises that it does not support that"
        case nil: return ""
        }
    }
}

/// The identity that a device's private address resolves to, found once and sought again with new keys only.
struct AttemptedDevice: Sendable {
    private var identity: PeerTable.Key?
    private var keysTried = 0

    /// Whether an attempt to connect to `address` was to the device of a connection. `device` is the
    /// connection's address, `known` the address by which the device is known.
    mutating func isAt(
        _ address: DeviceAddress, _ device: PeerTable.Key, knownAs known: PeerTable.Key,
        _ peers: borrowing PeerTable
    ) -> Bool {
        let asked = PeerTable.Key(address)
        if asked == device || asked == known { return true }
        guard address.isResolvablePrivate else { return false }
        if identity == nil, keysTried < peers.keyCount {
            identity = peers.identity(ofPrivate: address, tried: keysTried).map { PeerTable.Key($0) }
            keysTried = peers.keyCount
        }
        return identity == known
    }
}

/// The attempts to connect to a device that the host withdrew before it was connected.
public struct WithdrawnAttempts: Sendable {
    let peer: DeviceAddress
    fileprivate var device = AttemptedDevice()
    /// Their number.
    public internal(set) var count = 1
    /// The frame of the first one's request.
    public internal(set) var first: FramePlace
    /// Nanoseconds from the request to the withdrawal, of the longest one.
    public internal(set) var longest: Int64
}

/// A refused command or withdrawn attempt that becomes a failure if nothing of its kind works before the log
/// ends.
struct UnresolvedFailure: Sendable {
    struct Occurrence: Sendable {
        var problem: Problem
        var place: FramePlace
        /// The number of the record in the whole capture: the earliest refusal of all adapters is reported.
        var order: Int
    }

    var first: Occurrence
    /// The first occurrence in a selected frame; nil if there was no such frame.
    var chosen: Occurrence?
    private var device = AttemptedDevice()

    init(_ first: Occurrence) { self.first = first }

    /// Adds later knowledge about the device of a withdrawn attempt.
    mutating func update(by advertisers: AdvertiserTable) {
        first.problem.update(by: advertisers)
        chosen?.problem.update(by: advertisers)
    }

    /// Records an occurrence in a selected frame, if it is of this refusal.
    mutating func choose(_ occurrence: Occurrence) {
        if chosen == nil, occurrence.problem.repeats(first.problem) { chosen = occurrence }
    }

    /// Whether it is an attempt to connect to the device of a connection, or to any; see ``AttemptedDevice``.
    mutating func isOf(
        _ device: PeerTable.Key, knownAs known: PeerTable.Key, _ peers: borrowing PeerTable
    ) -> Bool {
        guard let address = first.problem.attempt?.peer else { return true }
        return self.device.isAt(address, device, knownAs: known, peers)
    }
}

extension [UnresolvedFailure] {
    /// Adds a refusal, unless it is in the list already or the list is full.
    mutating func keep(_ occurrence: UnresolvedFailure.Occurrence) {
        guard count < AdapterTable.refusalLimit,
            !contains(where: { occurrence.problem.repeats($0.first.problem) })
        else { return }
        append(UnresolvedFailure(occurrence))
    }

    /// Records that a selected frame shows one of the refusals.
    mutating func choose(_ occurrence: UnresolvedFailure.Occurrence) {
        for index in indices { self[index].choose(occurrence) }
    }

    /// Forgets attempts to connect to the device of a connection, see
    /// ``UnresolvedFailure/isOf(_:knownAs:_:)``. Attempts by the accept list are only forgotten if the host
    /// requested the connection (`isAsked`).
    mutating func forget(
        _ device: PeerTable.Key, knownAs known: PeerTable.Key, isAsked: Bool, _ peers: borrowing PeerTable
    ) {
        for index in indices.reversed() where isAsked || self[index].first.problem.attempt?.peer != nil {
            if self[index].isOf(device, knownAs: known, peers) { remove(at: index) }
        }
    }
}

extension [WithdrawnAttempts] {
    /// Adds an attempt, unless the list is full. One by the accept list counts only if it waited: hosts
    /// withdraw it to change the list.
    mutating func add(_ attempt: ConnectAttempt) {
        guard let peer = attempt.peer,
            !attempt.isByAcceptList || attempt.waited >= ConnectAttempt.shortest
        else { return }
        if let index = firstIndex(where: { $0.peer == peer }) {
            self[index].count &+= 1
            self[index].longest = Swift.max(self[index].longest, attempt.waited)
        } else if count < AdapterTable.refusalLimit {
            append(WithdrawnAttempts(peer: peer, first: attempt.place, longest: attempt.waited))
        }
    }

    /// Removes and returns the attempts to connect to the device of a connection; nil without any.
    mutating func take(
        _ device: PeerTable.Key, knownAs known: PeerTable.Key, _ peers: borrowing PeerTable
    ) -> WithdrawnAttempts? {
        var found: WithdrawnAttempts?
        for index in indices.reversed() {
            guard self[index].device.isAt(self[index].peer, device, knownAs: known, peers) else { continue }
            var one = remove(at: index)
            if let later = found {
                one.count &+= later.count
                one.longest = Swift.max(one.longest, later.longest)
            }
            found = one
        }
        return found
    }
}
