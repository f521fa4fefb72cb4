import BluetoothCore

/// The differences that the semantic tier does not call differences: the whole list, and nothing else.
///
/// Each time one is applied it is counted in the report. All else that a peer sees of the host, at ATT, SMP
/// and L2CAP, must be what the log holds.
public enum Normalization: String, CaseIterable, Hashable, Sendable {
    /// The host scans and connects by commands of another generation, or advertising was recorded by extended
    /// reports and is given in legacy ones.
    case scanAndConnect = "scan-and-connect"
    /// The host's scans begin at other times than the recorded ones: advertising is placed by their begin.
    case scanTime = "scan-time"
    /// The host scans longer or more often than the recorded one: the last scan's reports come again.
    case advertisingRepeated = "advertising-repeated"
    /// The log does not tell the adapter's address, or the host uses another one.
    case ownAddress = "own-address"
    /// The host offers another ATT_MTU: it is answered so that both agree on the recorded one.
    case mtu = "mtu"
    /// A discovery in another order or in other pieces, answered from the database.
    case discovery = "discovery"
    /// A long value read in other pieces.
    case readSplit = "read-split"
    /// A value written in one piece that was recorded in prepared ones, or in other prepared ones.
    case preparedWrite = "prepared-write"
    /// The host acts before something that the peer had sent by itself in the log: nothing tells that the
    /// recorded host had waited for it.
    case aheadOfPeer = "ahead-of-peer"
    /// Client Characteristic Configurations written next to each other in another order.
    case subscriptionOrder = "subscription-order"
    /// A Client Characteristic Configuration written by a request that was recorded as a command, or the
    /// other way.
    case subscriptionKind = "subscription-kind"
    /// In the application tier: a read, a subscription or the kind of a write, which are the host's own.
    case belowTheTier = "below-the-tier"
    /// A subscription that was made before the log, and is made anew on a connection whose beginning is made
    /// up: the log shows its values.
    case earlierSubscription = "earlier-subscription"
    /// What the recorded operating system does by itself (the Generic Access and Generic Attribute services,
    /// the PnP ID) and this host did not do.
    case recorderHousekeeping = "recorder-housekeeping"
    /// What this host does by itself with those services and the recorded one did not.
    case hostHousekeeping = "host-housekeeping"
    /// A read of a value that is known, though the recorded host did not read it on this connection.
    case unrecordedRead = "unrecorded-read"
    /// The host's own server answers otherwise than the recorded one: its database is not the session's.
    case ownDatabase = "own-database"
    /// The host, as the peripheral, answers a request before it sends a value that was recorded between the
    /// request and the answer.
    case answerBeforeValue = "answer-before-value"
    /// The host takes connection parameters that the recorded one refused, or the other way: which ones are
    /// taken is a rule of the operating system.
    case connectionParameters = "connection-parameters"
    /// L2CAP commands that the recorded host began by itself.
    case signalling = "signalling"
    /// The recorded host refused to pair, or was asked to; this one did not answer alike. Or it asks to pair
    /// again after a pairing that failed, and is refused.
    case security = "security"
    /// A pairing in which the host says other things of itself that come to the same way to pair, or sends
    /// other random values and keys than the recorded one, or one more PDU that crosses the peer's refusal.
    case pairing
    /// The host encrypts the link by its bond earlier than the recorded one, or where that one did not; one
    /// that has bonds of its own may not. Or it ends a link that it could not encrypt, where the recorded
    /// one ended by itself.
    case encryption
    /// The host ends a connection at whose end the log stops.
    case afterTheLog = "after-the-log"
    /// The host ends a connection whose peer does not answer its request.
    case afterTimeout = "after-timeout"
    /// An attempt to connect that the recorded host gave up at once, or before it asked anew; this one waited
    /// on.
    case attemptGivenUp = "attempt-given-up"
    /// The host wants to be connected where the log has no attempt any more: the recorded host may have, too,
    /// since only attempts that ended are in a log for sure. It is never connected. More than three to one
    /// device are a difference.
    case furtherAttempt = "further-attempt"
}

extension Normalization {
    /// Whether a handle lies in what operating systems look after by themselves.
    static func isHousekeeping(_ handle: UInt16, _ database: PeerDatabase) -> Bool {
        guard let attribute = database[handle] else { return false }
        return attribute.service?.isHousekeeping == true
            || (attribute.characteristic ?? attribute.type).isHousekeeping
    }

    /// Whether a read by type asks for the layout of the database.
    static func isDeclaration(_ type: BluetoothUUID) -> Bool {
        type.assigned16.map { (0x2800...0x2803).contains($0) } ?? false
    }
}

/// How often each normalization was applied.
public struct NormalizationCounts: Hashable, Sendable {
    private var counts = [Int](repeating: 0, count: Normalization.allCases.count)

    public init() {}

    mutating func note(_ normalization: Normalization) {
        guard let place = Normalization.allCases.firstIndex(of: normalization) else { return }
        counts[place] &+= 1
    }

    /// How often one was applied.
    public subscript(normalization: Normalization) -> Int {
        Normalization.allCases.firstIndex(of: normalization).map { counts[$0] } ?? 0
    }

    /// Those that were applied, in the order of the list.
    public var applied: [(normalization: Normalization, count: Int)] {
        zip(Normalization.allCases, counts).filter { $0.1 > 0 }.map { ($0.0, $0.1) }
    }
}
