public import BluetoothCore
public import CaptureFile
import PayloadFormat

/// A connection that the host asked for, until it is there or can't be any more.
public struct ConnectAttempt: Sendable {
    /// The device that it is to; of one by the filter accept list the only device on that, nil where the log
    /// does not tell or there are several.
    public var peer: DeviceAddress?
    /// Whether any device of the filter accept list will do: hosts leave such a request open for as long as
    /// it takes, and withdraw it to change the list.
    public var isByAcceptList = false
    /// The kind of address that the device advertises with, where it was asked for as one of another kind:
    /// then nobody can answer.
    public internal(set) var advertisedAs: DeviceAddress.Kind?
    /// Whether it is one of LE.
    var isLE = false
    /// The frame that asked.
    public var place: FramePlace
    /// When that was.
    public var time: CaptureTime
    /// Whether it still waited when the log ended.
    public internal(set) var isOpen = false
    /// When the host withdrew it; nil where it did not.
    var withdrawn: CaptureTime?
    /// Nanoseconds from the asking frame until it failed, was withdrawn, or the log ended.
    public var waited: Int64 = 0

    init(_ peer: DeviceAddress?, place: FramePlace, time: CaptureTime, waited: Int64 = 0) {
        self.peer = peer
        self.place = place
        self.time = time
        self.waited = waited
    }

    /// The attempt with the kind of address that its device advertises with, where that is another.
    func known(by advertisers: AdvertiserTable) -> ConnectAttempt {
        var attempt = self
        if isLE { attempt.advertisedAs = peer.flatMap { advertisers.otherKind(of: $0) } }
        return attempt
    }

    /// The number of that frame in its file.
    public var frame: Int { place.frame }

    /// One that is withdrawn sooner, in nanoseconds, is a host's change of mind and no device's silence.
    static let shortest: Int64 = 1_000_000_000
}

/// A command that the controller refused, or an attempt that the host withdrew, and that nothing worked
/// without.
struct Refusal: Sendable {
    /// Where it was seen.
    struct Sight: Sendable {
        var problem: Problem
        var place: FramePlace
        /// The number of the record among all of the capture: of several adapters' the earliest is named.
        var order: Int
    }

    var first: Sight
    /// The first time that it was seen in a chosen frame; nil where it was not.
    var chosen: Sight?
    /// Whom an attempt to a private address was to, where a key tells.
    private var identity: PeerTable.Key?
    /// How many keys were tried on that one's address: it is tried once with each.
    private var keysTried = 0

    init(_ first: Sight) { self.first = first }

    /// Notes what became known of the device since, of an attempt that the host withdrew.
    mutating func update(by advertisers: AdvertiserTable) {
        first.problem.update(by: advertisers)
        chosen?.problem.update(by: advertisers)
    }

    /// Notes that it was seen in a chosen frame, if it is this one.
    mutating func choose(_ sight: Sight) {
        if chosen == nil, sight.problem.repeats(first.problem) { chosen = sight }
    }

    /// Whether it is an attempt to connect to a device, which is met by one address and known by another.
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
    /// Remembers what was seen, unless it is there already or there is no room.
    mutating func keep(_ sight: Refusal.Sight) {
        guard count < AdapterTable.refusalLimit, !contains(where: { sight.problem.repeats($0.first.problem) })
        else { return }
        append(Refusal(sight))
    }

    /// Notes that one of them was seen in a chosen frame.
    mutating func choose(_ sight: Refusal.Sight) {
        for index in indices { self[index].choose(sight) }
    }

    /// Forgets those to a device, which is met by one address and known by another; one to whomever the
    /// accept list names only where `isAsked` says that the host had asked for the device.
    mutating func forget(
        _ device: PeerTable.Key, knownAs known: PeerTable.Key, isAsked: Bool, _ peers: borrowing PeerTable
    ) {
        for index in indices.reversed() where isAsked || self[index].first.problem.attempt?.peer != nil {
            if self[index].isOf(device, knownAs: known, peers) { remove(at: index) }
        }
    }
}
