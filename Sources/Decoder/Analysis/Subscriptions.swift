public import BluetoothCore
import CaptureFile
import PayloadFormat

/// The Client Characteristic Configurations of one link, as written and as shown by servers, and the values
/// that they enable.
struct Subscriptions: Sendable {
    /// Limit of the configurations kept.
    static let limit = 256
    /// Limit of the handles in ``reported``.
    private static let reportedLimit = 16

    /// The written configurations, each with the last value written.
    private(set) var all: [Subscription] = [] {
        didSet { changes &+= 1 }
    }
    private(set) var changes = 0
    /// The peer's descriptors that were enabled when the link ended, in ascending order.
    private(set) var enabledOfPeer: [UInt16] = []
    /// The handle of the peer's first value; 0 before it.
    var firstValue: UInt16 = 0
    /// Whether the log may lack the write that enabled a value.
    var writesMayBeMissing = false
    /// The last write that the server refused: the descriptor's handle, the frames of the write and of the
    /// refusal, and the error.
    private(set) var refused: (descriptor: UInt16, frame: FramePlace, refusal: FramePlace, error: UInt8)?
    /// The time at which the most important configuration was certainly enabled, and its purpose.
    private(set) var since: CaptureTime?
    private var purpose = SubscribedTo.nothing
    /// The last two-byte write to a descriptor that may be a configuration; its later use may show that.
    var possible: ConfigurationWrite?
    /// The peer's values that were reported as not enabled, and the number of changes by then.
    private var reported: (handles: [UInt16], at: Int) = ([], 0)
    /// The values that the configurations enable, of the peer's server and of the host's.
    private var ofPeer = SubscribedValues()
    private var ofHost = SubscribedValues()

    /// Returns the value last written on this link to a configuration of the server at one end; nil if there
    /// was no write.
    func value(_ server: Side, atDescriptor handle: UInt16) -> UInt16? {
        all.first { $0.handle == handle && $0.isOnHost == (server == .host) }?.value
    }

    /// Sets the value of a configuration; nil forgets it. Returns false if there is no room.
    @discardableResult
    mutating func set(_ server: Side, atDescriptor handle: UInt16, to value: UInt16?) -> Bool {
        let isOnHost = server == .host
        if let index = all.firstIndex(where: { $0.handle == handle && $0.isOnHost == isOnHost }) {
            if let value { all[index].value = value } else { all.remove(at: index) }
        } else if let value {
            guard all.count < Self.limit else { return false }
            all.append(Subscription(handle: handle, value: value, isOnHost: isOnHost))
        }
        return true
    }

    /// Records that a configuration is certainly enabled since this time: the server accepted the write or
    /// showed the value.
    mutating func confirm(_ purpose: SubscribedTo, at time: CaptureTime) {
        guard purpose.rawValue > self.purpose.rawValue else { return }
        self.purpose = purpose
        since = time
    }

    /// Handles a refused write: the descriptor keeps its value.
    ///
    /// - Parameters:
    ///   - frame: the frame of the refusal.
    ///   - isCertain: whether the descriptor is certainly a configuration.
    mutating func refuse(
        _ write: PendingRequest, _ server: Side, at frame: FramePlace, error: UInt8?, isCertain: Bool
    ) {
        let state = value(server, atDescriptor: write.handle) ?? 0
        set(server, atDescriptor: write.handle, to: write.overwritten)
        guard server == .peer, state & 3 != 0, isCertain else { return }
        refused = (write.handle, write.frame, frame, error ?? 0)
        if since == write.time { (since, purpose) = (nil, .nothing) }
    }

    mutating func forget(_ server: Side, _ range: ClosedRange<UInt16>) {
        all.removeAll { $0.isOnHost == (server == .host) && range.contains($0.handle) }
    }

    /// Reassigns the host's writes to the peer, since they went to the host's own server.
    mutating func reassignHostToPeer() {
        (since, purpose, possible) = (nil, .nothing, nil)
        for taken in all where !taken.isOnHost {
            set(.peer, atDescriptor: taken.handle, to: nil)
            set(.host, atDescriptor: taken.handle, to: taken.value)
        }
    }

    /// Forgets everything that a listed link does not need.
    mutating func strip() {
        let enabled = all.filter { !$0.isOnHost && $0.value != 0 }
        enabledOfPeer = enabled.map(\.handle).sorted()
        all = []
        (ofPeer, ofHost) = (SubscribedValues(), SubscribedValues())
    }

    /// Returns the handle of the first value on this link, if those of another link with the same device did
    /// not enable it; nil otherwise, and if its descriptor is unknown.
    func valueNotEnabled(by other: Self) -> UInt16? {
        guard firstValue > 0, !other.writesMayBeMissing,
            let descriptor = enabledOfPeer.first(where: { $0 > firstValue })
        else { return nil }
        return other.enabledOfPeer.contains(descriptor) ? nil : firstValue
    }

    // MARK: Values

    /// Whether the enabled values of a server must be computed again, after a change to the configurations or
    /// to the knowledge about the server.
    func isOutdated(_ server: Side, generation: Int) -> Bool {
        (server == .peer ? ofPeer : ofHost).source != source(generation: generation)
    }

    mutating func computeValues(_ server: Side, _ database: AttributeDatabase, generation: Int) {
        var values = SubscribedValues(source(generation: generation))
        for entry in all where entry.isOnHost == (server == .host) {
            values.add(entry, value: database.valueHandle(ofDescriptor: entry.handle))
        }
        values.sort()
        if server == .peer { ofPeer = values } else { ofHost = values }
    }

    private func source(generation: Int) -> SubscribedValues.Source {
        SubscribedValues.Source(changes: changes, generation: generation)
    }

    /// Whether a configuration enables a value by this bit (1 or 2), or may do so because its value is
    /// unknown.
    func enables(_ server: Side, _ handle: UInt16, by bit: UInt16) -> Bool {
        server == .peer ? ofPeer.enables(handle, by: bit) : ofHost.enables(handle, by: bit)
    }

    /// Records that a value is reported as not enabled; returns whether it was reported before, with no
    /// change since.
    mutating func noteReported(_ handle: UInt16) -> Bool {
        if reported.at != changes { reported = ([], changes) }
        if reported.handles.contains(handle) { return true }
        if reported.handles.count < Self.reportedLimit { reported.handles.append(handle) }
        return false
    }

    /// Returns the peer's response characteristic, if certainly nothing enabled it; else nil.
    func unsubscribedResponses(
        in database: AttributeDatabase, _ bringsAnswers: (BluetoothUUID, BluetoothUUID?) -> Bool
    ) -> UnsubscribedResponses? {
        let switchedOn = all.filter { !$0.isOnHost && $0.value & 3 != 0 }
            .map { database.valueHandle(ofDescriptor: $0.handle) }
        let values = Set(switchedOn)
        var found: UnsubscribedResponses?
        for characteristic in database.characteristics where characteristic.properties & 0x30 != 0 {
            guard let uuid = characteristic.uuid,
                bringsAnswers(uuid, database.service(at: characteristic.declaration)?.uuid)
            else { continue }
            // A configuration whose value is unknown may enable this one.
            if values.contains(nil) || values.contains(characteristic.value) { return nil }
            guard found == nil else { continue }
            found = UnsubscribedResponses(
                handle: characteristic.value, uuid: uuid, isIndicated: characteristic.properties & 0x10 == 0)
        }
        return found
    }
}

/// The state of a Client Characteristic Configuration descriptor, as written on a link.
public struct Subscription: Hashable, Sendable {
    /// The descriptor's handle.
    public var handle: UInt16
    /// Bit 0 notification, bit 1 indication.
    public var value: UInt16
    /// Whether the descriptor is the local server's, and not the peer's.
    public var isOnHost: Bool
}

/// A two-byte write to an attribute that may be a configuration.
struct ConfigurationWrite: Sendable {
    var server: Side
    var descriptor: UInt16
    var frame: FramePlace
    var time: CaptureTime

    /// Whether the write was to the attribute just after a value of the peer.
    func follows(_ value: UInt16) -> Bool { server == .peer && descriptor == value &+ 1 }
}

/// The purpose of an enabled configuration, in increasing importance.
enum SubscribedTo: UInt8, Sendable {
    case nothing
    /// A value that no protocol known here uses.
    case other
    /// A value of a protocol above ATT.
    case values
    /// A response characteristic: the peer notifies the responses of such a protocol on it.
    case answers
}

/// A response characteristic to which the host never subscribed.
public struct UnsubscribedResponses: Hashable, Sendable {
    /// Its handle.
    public var handle: UInt16
    /// Its characteristic.
    public var uuid: BluetoothUUID
    /// Whether it only indicates; otherwise it notifies.
    public var isIndicated: Bool
}

/// The values of one server that the configurations of a link enable.
///
/// Computed again only after a change to the configurations or to the knowledge about the server, so that a
/// value that nothing enabled does not cause a search each time.
struct SubscribedValues: Sendable {
    struct Source: Equatable, Sendable {
        /// Number of changes to the link's configurations.
        var changes = -1
        /// The generation of the server's database.
        var generation = -1
    }

    let source: Source
    /// Values with the bits of their configurations, sorted by handle.
    private var values: [(handle: UInt16, bits: UInt16)] = []
    /// The last descriptors with bit 0 and with bit 1 whose values are unknown: they may belong to any value
    /// before them.
    private var lastNotifying: UInt16 = 0
    private var lastIndicating: UInt16 = 0

    init(_ source: Source = Source()) { self.source = source }

    /// Adds a configuration; `value` is the handle of its value, nil if unknown.
    mutating func add(_ configuration: Subscription, value: UInt16?) {
        guard let value else {
            if configuration.value & 1 != 0 { lastNotifying = max(lastNotifying, configuration.handle) }
            if configuration.value & 2 != 0 { lastIndicating = max(lastIndicating, configuration.handle) }
            return
        }
        values.append((value, configuration.value))
    }

    mutating func sort() { values.sort { $0.handle < $1.handle } }

    /// Whether a configuration enables a value by this bit (1 or 2), or may do so.
    func enables(_ handle: UInt16, by bit: UInt16) -> Bool {
        if (bit == 2 ? lastIndicating : lastNotifying) > handle { return true }
        var index = values.firstIndex(notBelow: handle) { $0.handle }
        while index < values.count, values[index].handle == handle {
            if values[index].bits & bit != 0 { return true }
            index &+= 1
        }
        return false
    }
}
