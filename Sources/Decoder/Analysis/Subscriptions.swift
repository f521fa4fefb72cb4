public import BluetoothCore
import CaptureFile
import PayloadFormat

/// The Client Characteristic Configurations of one link: writes and what servers say of them in, which values
/// are switched on out.
struct Subscriptions: Sendable {
    /// The most configurations that are kept.
    static let limit = 256
    /// How many values are kept as told.
    private static let toldLimit = 16

    /// Those that were written, with the value written last.
    private(set) var all: [Subscription] = [] {
        didSet { changes &+= 1 }
    }
    /// How often they changed.
    private(set) var changes = 0
    /// One may have been switched on where the log does not show it.
    var mayBeMissing = false
    /// The last write that the server refused: its handle, the frame, and the error.
    private(set) var refused: (descriptor: UInt16, frame: FramePlace, error: UInt8)?
    /// When the one was switched on that matters most, as far as is known for sure, and what it is for.
    private(set) var since: CaptureTime?
    private var purpose = SubscribedTo.nothing
    /// The last two-octet write that may have been to one, for inference from use.
    var possible: ConfigurationWrite?
    /// The values of the peer that were told to come without one, while they had changed this often.
    private var told: (handles: [UInt16], at: Int) = ([], 0)
    /// The values that they switch on, of the peer's server and of the host's.
    private var ofPeer = SubscribedValues()
    private var ofHost = SubscribedValues()

    /// The value last written to one of the server at one end; nil where none was written on this link.
    func value(_ server: Side, atDescriptor handle: UInt16) -> UInt16? {
        all.first { $0.handle == handle && $0.isHosts == (server == .host) }?.value
    }

    /// Sets the value of one, or forgets it where it is nil; false where there is no room.
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

    /// One is switched on for sure since this time: the server took the write, or showed it.
    mutating func confirm(_ purpose: SubscribedTo, at time: CaptureTime) {
        guard purpose.rawValue > self.purpose.rawValue else { return }
        self.purpose = purpose
        since = time
    }

    /// The server refused a write, so that what was written to stays what it was.
    ///
    /// - Parameter isCertain: whether that is known to be a configuration.
    mutating func refuse(_ write: PendingRequest, _ server: Side, error: UInt8?, isCertain: Bool) {
        let state = value(server, atDescriptor: write.handle) ?? 0
        set(server, atDescriptor: write.handle, write.before)
        guard server == .peer, state & 3 != 0, isCertain else { return }
        refused = (write.handle, write.frame, error ?? 0)
        if since == write.time { (since, purpose) = (nil, .nothing) }
    }

    /// Forgets those of a server in a range of handles.
    mutating func forget(_ server: Side, _ range: ClosedRange<UInt16>) {
        all.removeAll { $0.isHosts == (server == .host) && range.contains($0.handle) }
    }

    /// What the host had written to the peer's server went to the host's own.
    mutating func takeHostsForPeers() {
        (since, purpose, possible) = (nil, .nothing, nil)
        for taken in all where !taken.isHosts {
            set(.peer, atDescriptor: taken.handle, nil)
            set(.host, atDescriptor: taken.handle, taken.value)
        }
    }

    /// Forgets all but what a listing says.
    mutating func strip() {
        all = []
        (ofPeer, ofHost) = (SubscribedValues(), SubscribedValues())
    }

    // MARK: Values

    /// Whether the values of a server are to be worked out anew: the configurations or what is known about
    /// the server changed.
    func isOutdated(_ server: Side, generation: Int) -> Bool {
        (server == .peer ? ofPeer : ofHost).source != source(generation)
    }

    /// Works out which values of a server are switched on.
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

    /// Whether a configuration has a bit, 1 or 2, that switches a value on, or may be that value's.
    func asks(_ server: Side, _ handle: UInt16, _ bit: UInt16) -> Bool {
        server == .peer ? ofPeer.asks(handle, bit) : ofHost.asks(handle, bit)
    }

    /// A value that nothing asked for is told of; whether it was before, with no change since.
    mutating func tell(_ handle: UInt16) -> Bool {
        if told.at != changes { told = ([], changes) }
        if told.handles.contains(handle) { return true }
        if told.handles.count < Self.toldLimit { told.handles.append(handle) }
        return false
    }

    /// The value of a server that for sure nothing switched on, of those by which answers come; nil where
    /// there is none.
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
            // One of which it is not known what it switches on may be this one's.
            if values.contains(nil) || values.contains(characteristic.value) { return nil }
            if found == nil { found = UnheardValue(handle: characteristic.value, uuid: uuid) }
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
    /// Whether it lies in the local server's database; else in the peer's.
    public var isHosts: Bool
}

/// A write of two octets to an attribute that may be a configuration.
struct ConfigurationWrite: Sendable {
    var server: Side
    var descriptor: UInt16
    var frame: FramePlace
    var time: CaptureTime

    /// Whether it was to the attribute just behind a value of the peer.
    func follows(_ value: UInt16) -> Bool { server == .peer && descriptor == value &+ 1 }
}

/// What a configuration was switched on for, the one that matters most last.
enum SubscribedTo: UInt8, Sendable {
    case nothing
    /// A value that no protocol known here uses.
    case other
    /// A value of a protocol above ATT.
    case values
    /// A value that such a protocol's answers come by.
    case answers
}

/// A value that answers come by, and that was never switched on.
public struct UnheardValue: Hashable, Sendable {
    /// Its handle.
    public var handle: UInt16
    /// Its characteristic.
    public var uuid: BluetoothUUID
}
