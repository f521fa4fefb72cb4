import BluetoothCore

/// The complete list of differences that the semantic tier tolerates, and ``belowTheTier``, which only the
/// application tier does.
///
/// The report counts their uses. Everything else that a peer notices of the host at ATT, SMP and L2CAP must
/// equal the log.
public enum Normalization: String, CaseIterable, Hashable, Sendable {
    /// The host scans and connects with commands of another generation, or recorded extended advertising
    /// reports are delivered as legacy ones.
    case scanAndConnect = "scan-and-connect"
    /// The host's scans begin at other times; advertising is delivered relative to their beginning.
    case scanTime = "scan-time"
    /// The host scans longer or more often; the last scan's reports are repeated.
    case advertisingRepeated = "advertising-repeated"
    /// The log does not show the adapter's address, or the host uses another one.
    case ownAddress = "own-address"
    /// The host offers another ATT_MTU; the response makes both agree on the recorded one.
    case mtu = "mtu"
    /// The host discovers in another order or in other parts; the database provides the responses.
    case discovery = "discovery"
    /// The host reads a long value in other parts.
    case readSplit = "read-split"
    /// The host writes a value whole instead of prepared, or in other prepared parts.
    case preparedWrite = "prepared-write"
    /// The host acts before an event of the peer that came first in the log. The log doesn't show that the
    /// recorded host waited for that event.
    case aheadOfPeer = "ahead-of-peer"
    /// The host writes adjacent Client Characteristic Configurations in another order.
    case subscriptionOrder = "subscription-order"
    /// The host writes a Client Characteristic Configuration with a request instead of a command, or the
    /// other way round.
    case subscriptionKind = "subscription-kind"
    /// In the application tier, a read, a subscription or the kind of a write differs, which is the host's
    /// choice.
    case belowTheTier = "below-the-tier"
    /// The host repeats a subscription that the recorded host made before the log, which begins in
    /// mid-connection and shows the values.
    case earlierSubscription = "earlier-subscription"
    /// The recorded operating system accessed standard attributes (the Generic Access and Generic Attribute
    /// services, the PnP ID) on its own; this host does not.
    case recorderHousekeeping = "recorder-housekeeping"
    /// This host accesses standard attributes on its own; the recorded host did not.
    case hostHousekeeping = "host-housekeeping"
    /// The host reads a known value that the recorded host did not read on this connection.
    case unrecordedRead = "unrecorded-read"
    /// The host's own server responds differently, because its database is not a part of the session.
    case ownDatabase = "own-database"
    /// A peripheral host answers a request before it sends a value that came between request and response in
    /// the log.
    case answerBeforeValue = "answer-before-value"
    /// The host accepts connection parameters that the recorded host refused, or refuses accepted ones;
    /// operating systems have their own rules for that.
    case connectionParameters = "connection-parameters"
    /// The recorded host sent L2CAP signalling requests of its own.
    case signalling = "signalling"
    /// The recorded host refused to pair or was asked to, and this host answers differently. Or this host
    /// starts pairing again after a failure, and is refused.
    case security = "security"
    /// The host's pairing features differ but lead to the same kind of pairing; its random values and keys
    /// differ; or it sends one more PDU, which crosses the peer's refusal.
    case pairing
    /// The host encrypts with its bond earlier than the recorded host, or although that host did not; a host
    /// with other bonds need not encrypt. Or the host ends a link that it can't encrypt, where the recorded
    /// link ended without it.
    case encryption
    /// The host ends a connection that is still open at the end of the log.
    case afterTheLog = "after-the-log"
    /// The host ends a connection whose peer does not answer its request.
    case afterTimeout = "after-timeout"
    /// The recorded host cancelled an attempt at once or before another one; this host kept waiting.
    case attemptGivenUp = "attempt-given-up"
    /// The host tries to connect after the last attempt in the log.
    ///
    /// The recorded host may have done so too, since a log need not contain attempts without an end. The
    /// attempt never succeeds. More than three attempts to a device are a divergence.
    case furtherAttempt = "further-attempt"

    /// The difference in words.
    var sentence: String {
        switch self {
        case .scanAndConnect: "scanning or connecting by commands of another generation"
        case .scanTime: "scans that begin at other times"
        case .advertisingRepeated: "scans that are longer or more frequent"
        case .ownAddress: "another address of the host's own"
        case .mtu: "another ATT_MTU offered"
        case .discovery: "discovery in another order or in other parts"
        case .readSplit: "a long value read in other parts"
        case .preparedWrite: "a value written whole, or in other prepared parts"
        case .aheadOfPeer: "an action before an event of the peer that came first in the log"
        case .subscriptionOrder: "subscriptions in another order"
        case .subscriptionKind: "a subscription by a request instead of a command, or the other way round"
        case .belowTheTier: "another read, subscription or kind of write, which this tier does not compare"
        case .earlierSubscription: "a subscription that the recorded host made before the log"
        case .recorderHousekeeping: "standard attributes that only the recorded system used by itself"
        case .hostHousekeeping: "standard attributes that only this host uses by itself"
        case .unrecordedRead: "a known value that the recorded host did not read"
        case .ownDatabase: "another answer of the host's own server"
        case .answerBeforeValue: "an answer before a value that came first in the log"
        case .connectionParameters:
            "connection parameters accepted instead of refused, or the other way round"
        case .signalling: "signalling requests of the recorded host"
        case .security: "another answer to a pairing that was refused or failed"
        case .pairing: "other features, random values or keys in a pairing of the same kind"
        case .encryption: "encryption at another time, or a link ended that can't be encrypted"
        case .afterTheLog: "the end of a connection that is open at the log's end"
        case .afterTimeout: "the end of a connection whose peer does not answer"
        case .attemptGivenUp: "waiting where the recorded host gave an attempt up and made another one"
        case .furtherAttempt: "an attempt to connect after the last one in the log"
        }
    }

    /// Whether an attribute is one that operating systems access on their own.
    static func isHousekeeping(_ handle: UInt16, _ database: PeerDatabase) -> Bool {
        guard let attribute = database[handle] else { return false }
        return attribute.service?.isHousekeeping == true
            || (attribute.characteristic ?? attribute.type).isHousekeeping
    }

    /// Whether a read by type belongs to discovery.
    static func isDeclaration(_ type: BluetoothUUID) -> Bool {
        type.assigned16.map { (0x2800...0x2803).contains($0) } ?? false
    }
}

/// Number of uses of each normalization.
public struct NormalizationCounts: Hashable, Sendable {
    private var counts: [Normalization: Int] = [:]

    public init() {}

    mutating func note(_ normalization: Normalization) {
        counts[normalization, default: 0] += 1
    }

    /// The number of uses of a normalization.
    public subscript(normalization: Normalization) -> Int {
        counts[normalization] ?? 0
    }

    /// The normalizations with at least one use, in the order of the list.
    public var applied: [(normalization: Normalization, count: Int)] {
        Normalization.allCases.compactMap { one in counts[one].map { (one, $0) } }
    }
}

/// Bytes of a recorded PDU of the host that can't be reproduced and are not compared.
public struct VolatileMask: Hashable, Sendable {
    /// The number of the record with the PDU or its last fragment.
    public var frame: Int
    /// The range of bytes, counted from the opcode.
    public var range: Range<Int>
    /// The reason, such as a missing key.
    public var reason: String

    public init(frame: Int, range: Range<Int>, reason: String) {
        self.frame = frame
        self.range = range
        self.reason = reason
    }
}
