public import BluetoothCore
import CaptureFile
import PayloadFormat

/// The Client Characteristic Configurations of one link, as written and as shown by servers, and the values
/// that they enable.
struct Subscriptions: Sendable {
    /// Most configurations that are kept.
    static let limit = 256
    /// Most values that are remembered as reported.
    private static let toldLimit = 16

    /// The written configurations, with the value written last.
    private(set) var all: [Subscription] = [] {
        didSet { changes &+= 1 }
    }
    /// Number of changes to them.
    private(set) var changes = 0
    /// Whether one may have been enabled without being in the log.
    var mayBeMissing = false
    /// The last write that the server refused: its handle, the frame, and the error.
    private(set) var refused: (descriptor: UInt16, frame: FramePlace, error: UInt8)?
    /// The time at which the most important one was certainly enabled, and its purpose.
    private(set) var since: CaptureTime?
    private var purpose = SubscribedTo.nothing
    /// The last two-byte write that may have been to one, for inference from use.
    var possible: ConfigurationWrite?
    /// The values of the peer that were reported as not enabled, and the number of changes at that time.
    private var told: (handles: [UInt16], at: Int) = ([], 0)
    /// The values that they enable, of the peer's server and of the host's.
    private var ofPeer = SubscribedValues()
    private var ofHost = SubscribedValues()

    /// Returns the value last written to a configuration of the server at one end; nil if none was written on
    /// this link.
    func value(_ server: Side, atDescriptor handle: UInt16) -> UInt16? {
        all.first { $0.handle == handle && $0.isHosts == (server == .host) }?.value
    }

    /// Sets the value of a configuration, or forgets it if the value is nil; returns false if there is no
    /// room.
    @discardableResult
    mutating func set(_ server: Side, atDescriptor handle: UInt16, _ value: UInt16?) -> Bool {
        let isHosts = server == .host
        if let index = all.firstIndex(where: { $0.handle == handle && $0.isHosts == isHosts }) {
            if let value { all[index].value = value } else { all.remove(at: index) }
        } else if let value {
            guard all.count < Self.limit else { return false }
            all.append(Subscription(handle: handle, value: value, isHosts: isHosts))
        }
        return true
    }

    /// Records that a configuration is certainly enabled since this time: the server accepted the write, or
    /// showed it.
    mutating func confirm(_ purpose: SubscribedTo, at time: CaptureTime) {
        guard purpose.rawValue > self.purpose.rawValue else { return }
        self.purpose = purpose
        since = time
    }

    /// Handles a refused write, so that the descriptor keeps its value.
    ///
    /// - Parameter isCertain: whether the descriptor is known to be a configuration.
    mutating func refuse(_ write: PendingRequest, _ server: Side, error: UInt8?, isCertain: Bool) {
        let state = value(server, atDescriptor: write.handle) ?? 0
        set(server, atDescriptor: write.handle, write.before)
        guard server == .peer, state & 3 != 0, isCertain else { return }
        refused = (write.handle, write.frame, error ?? 0)
        if since == write.time { (since, purpose) = (nil, .nothing) }
    }

    /// Forgets the configurations of a server in a range of handles.
    mutating func forget(_ server: Side, _ range: ClosedRange<UInt16>) {
        all.removeAll { $0.isHosts == (server == .host) && range.contains($0.handle) }
    }

    /// Reassigns the host's writes to the peer: they went to the host's own server.
    mutating func takeHostsForPeers() {
        (since, purpose, possible) = (nil, .nothing, nil)
        for taken in all where !taken.isHosts {
            set(.peer, atDescriptor: taken.handle, nil)
            set(.host, atDescriptor: taken.handle, taken.value)
        }
    }

    /// Forgets everything that a listing does not need.
    mutating func strip() {
        all = []
        (ofPeer, ofHost) = (SubscribedValues(), SubscribedValues())
    }

    // MARK: Values

    /// Whether the values of a server must be computed again: the configurations, or the knowledge about the
    /// server, changed.
    func isOutdated(_ server: Side, generation: Int) -> Bool {
        (server == .peer ? ofPeer : ofHost).source != source(generation)
    }

    /// Computes the values of a server that are enabled.
    mutating func workOut(_ server: Side, _ database: AttributeDatabase, generation: Int) {
        var values = SubscribedValues(source(generation))
        for entry in all where entry.isHosts == (server == .host) {
            values.add(entry, database.valueHandle(ofDescriptor: entry.handle))
        }
        values.sort()
        if server == .peer { ofPeer = values } else { ofHost = values }
    }

    private func source(_ generation: Int) -> SubscribedValues.Source {
        SubscribedValues.Source(changes: changes, generation: generation)
    }

    /// Whether a configuration has the bit, 1 or 2, that enables a value, or may belong to that value.
    func asks(_ server: Side, _ handle: UInt16, _ bit: UInt16) -> Bool {
        server == .peer ? ofPeer.asks(handle, bit) : ofHost.asks(handle, bit)
    }

    /// Records that a value which nothing enabled is reported; returns whether it was before, with no change
    /// since.
    mutating func tell(_ handle: UInt16) -> Bool {
        if told.at != changes { told = ([], changes) }
        if told.handles.contains(handle) { return true }
        if told.handles.count < Self.toldLimit { told.handles.append(handle) }
        return false
    }

    /// Returns the value of a server that carries answers and that certainly nothing enabled; nil if there is
    /// none.
    func unheard(
        in database: AttributeDatabase, _ bringsAnswers: (BluetoothUUID, BluetoothUUID?) -> Bool
    ) -> UnheardValue? {
        let switchedOn = all.filter { !$0.isHosts && $0.value & 3 != 0 }
            .map { database.valueHandle(ofDescriptor: $0.handle) }
        let values = Set(switchedOn)
        var found: UnheardValue?
        for characteristic in database.characteristics where characteristic.properties & 0x30 != 0 {
            guard let uuid = characteristic.uuid,
                bringsAnswers(uuid, database.service(at: characteristic.declaration)?.uuid)
            else { continue }
            // A configuration whose value is unknown may belong to this one.
            if values.contains(nil) || values.contains(characteristic.value) { return nil }
            guard found == nil else { continue }
            found = UnheardValue(
                handle: characteristic.value, uuid: uuid, isIndicated: characteristic.properties & 0x10 == 0)
        }
        return found
    }
}

/// The state of a Client Characteristic Configuration descriptor, as it was written on a link.
public struct Subscription: Hashable, Sendable {
    /// The descriptor's handle.
    public var handle: UInt16
    /// Bit 0 notification, bit 1 indication.
    public var value: UInt16
    /// Whether it is in the local server's database; otherwise it is in the peer's.
    public var isHosts: Bool
}

/// A write of two bytes to an attribute that may be a configuration.
struct ConfigurationWrite: Sendable {
    var server: Side
    var descriptor: UInt16
    var frame: FramePlace
    var time: CaptureTime

    /// Whether it was to the attribute just behind a value of the peer.
    func follows(_ value: UInt16) -> Bool { server == .peer && descriptor == value &+ 1 }
}

/// The purpose of an enabled configuration, the most important last.
enum SubscribedTo: UInt8, Sendable {
    case nothing
    /// A value that no protocol known here uses.
    case other
    /// A value of a protocol above ATT.
    case values
    /// A value that carries the answers of such a protocol.
    case answers
}

/// A value that carries answers, and that was never enabled.
public struct UnheardValue: Hashable, Sendable {
    /// Its handle.
    public var handle: UInt16
    /// Its characteristic.
    public var uuid: BluetoothUUID
    /// Whether it only indicates; otherwise it notifies.
    public var isIndicated: Bool
}
