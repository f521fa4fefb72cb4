public import BluetoothCore
public import CaptureFile
import PayloadFormat

/// A connection that the host requested, until it is established or can't be any more.
public struct ConnectAttempt: Sendable {
    /// The device that it is to; for the filter accept list, the only device on it. Nil if the log does not
    /// name it or there are several.
    public var peer: DeviceAddress?
    /// Whether it is to any device of the filter accept list. Hosts leave such a request open for as long as
    /// it takes, and withdraw it to change the list.
    public var isByAcceptList = false
    /// The kind of address that the device advertises with, if another kind was requested: then no device can
    /// answer.
    public internal(set) var advertisedAs: DeviceAddress.Kind?
    /// Whether a sniffer heard the request on the air.
    var isOnAir = false
    /// Whether it is an LE connection.
    var isLE = false
    /// The frame of the request.
    public var place: FramePlace
    /// The time of the request.
    public var time: CaptureTime
    /// Whether it was still pending when the log ended.
    public internal(set) var isOpen = false
    /// The time at which the host withdrew it; nil if it did not.
    var withdrawn: CaptureTime?
    /// Nanoseconds from the request until it failed, was withdrawn, or the log ended.
    public var waited: Int64 = 0

    init(_ peer: DeviceAddress?, place: FramePlace, time: CaptureTime, waited: Int64 = 0) {
        self.peer = peer
        self.place = place
        self.time = time
        self.waited = waited
    }

    /// Returns the attempt with the kind of address that its device advertises with, if that is another one.
    func known(by advertisers: AdvertiserTable) -> ConnectAttempt {
        var attempt = self
        if isLE { attempt.advertisedAs = peer.flatMap { advertisers.otherKind(of: $0) } }
        return attempt
    }

    /// The number of the request's frame in its file.
    public var frame: Int { place.frame }

    /// Shortest wait before a withdrawal that means a silent device, in nanoseconds; a shorter one is the
    /// host's change of mind.
    static let shortest: Int64 = 1_000_000_000
}

/// A command that the controller refused, or an attempt that the host withdrew, and after which nothing
/// worked.
struct Refusal: Sendable {
    /// One occurrence of a refusal.
    struct Sight: Sendable {
        var problem: Problem
        var place: FramePlace
        /// The number of the record in the whole capture: of several adapters' refusals, the earliest is
        /// named.
        var order: Int
    }

    var first: Sight
    /// The first occurrence in a selected frame; nil if absent.
    var chosen: Sight?
    /// The identity that the private address of an attempt resolves to, if a key is known.
    private var identity: PeerTable.Key?
    /// Number of keys that were tried on that address: each is tried once.
    private var keysTried = 0

    init(_ first: Sight) { self.first = first }

    /// Adds later knowledge about the device of an attempt that the host withdrew.
    mutating func update(by advertisers: AdvertiserTable) {
        first.problem.update(by: advertisers)
        chosen?.problem.update(by: advertisers)
    }

    /// Records that it was seen in a selected frame, if it is this refusal.
    mutating func choose(_ sight: Sight) {
        if chosen == nil, sight.problem.repeats(first.problem) { chosen = sight }
    }

    /// Whether it is an attempt to connect to a device, given by the address of a connection and its known
    /// address.
    mutating func isOf(
        _ device: PeerTable.Key, knownAs known: PeerTable.Key, _ peers: borrowing PeerTable
    ) -> Bool {
        guard let address = first.problem.attempt?.peer else { return true }
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

extension [Refusal] {
    /// Adds a refusal, unless it is there already or there is no room.
    mutating func keep(_ sight: Refusal.Sight) {
        guard count < AdapterTable.refusalLimit, !contains(where: { sight.problem.repeats($0.first.problem) })
        else { return }
        append(Refusal(sight))
    }

    /// Records that one of them was seen in a selected frame.
    mutating func choose(_ sight: Refusal.Sight) {
        for index in indices { self[index].choose(sight) }
    }

    /// Forgets attempts to a device, given by the address of a connection and its known address. An attempt
    /// by the accept list is forgotten only if `isAsked` says that the host had requested the device.
    mutating func forget(
        _ device: PeerTable.Key, knownAs known: PeerTable.Key, isAsked: Bool, _ peers: borrowing PeerTable
    ) {
        for index in indices.reversed() where isAsked || self[index].first.problem.attempt?.peer != nil {
            if self[index].isOf(device, knownAs: known, peers) { remove(at: index) }
        }
    }
}
