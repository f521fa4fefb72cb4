public import BluetoothCore
import LEHost
public import Runtime

/// One attempt to connect, and the connection it led to.
public struct RecordedConnection: Sendable {
    /// How a connection ended.
    public struct End: Hashable, Sendable {
        /// The number of the record that says so.
        public var frame: Int
        /// When.
        public var time: Instant
        /// The reason that the controller gave.
        public var reason: HCIStatus
        /// The host's own command, where it asked for the end: its frame, time and reason.
        public var request: Request?
    }

    /// A host's command to disconnect.
    public struct Request: Hashable, Sendable {
        public var frame: Int
        public var time: Instant
        public var reason: HCIStatus
    }

    /// What a host advertised, in legacy advertising PDUs.
    public struct Advertising: Hashable, Sendable {
        /// AD structures.
        public var data: [UInt8] = []
        public var scanResponse: [UInt8] = []
        /// Time from one event to the next, in steps of 0.625 ms.
        public var intervalUnits: UInt16 = 0x0800
        /// The number of the record with the last command that set it.
        public var frame = 0
    }

    /// New connection parameters that the host had not asked for.
    public struct Update: Hashable, Sendable {
        public var frame: Int
        public var time: Instant
        /// The event's parameters after its subevent code, with the recorded connection handle.
        public var parameters: [UInt8]
        public var subevent: LESubeventCode
        /// How many PDUs of the connection came before it.
        public var pdusBefore: Int
    }

    /// The first time that the host had the link encrypted.
    struct Encryption: Sendable {
        /// The number of the record with the command, an hour at most.
        var frame: Int
        var time: Instant
        /// The key; the octets of zero where the recorder blanked it.
        var key: LongTermKey
        /// When the controller told of it; nil where the log does not show that.
        var done: Instant?
        /// The reported status: an error if the peer lost the bond or has another key.
        var status = HCIStatus.success
        /// Whether a host that plays the log has the bond, too.
        var isExpected = true
    }

    /// Whether a PDU comes before a central has the link encrypted by its bond: this host takes no value
    /// then, and others do.
    func isBeforeBond(_ pdu: RecordedPDU) -> Bool {
        guard isCentral, pairing == nil, let encryption else { return false }
        return pdu.time <= encryption.done ?? encryption.time
    }

    /// The number by which all commands call the connection, from 1; a negative one for an attempt that led
    /// to none.
    public var number: Int
    /// The number of the record that says how the attempt ended.
    public var frame: Int
    /// What the attempt led to; success for a connection.
    public var status: HCIStatus
    /// Whether the recorded host is the central.
    public var isCentral = true
    /// The far device, by the address that the connection was made with.
    public var peer: DeviceAddress
    /// When the host asked for it, or, as the peripheral, was ready for it: it advertised, and the connection
    /// before had ended. Nil where the log does not show that.
    public var asked: Instant?
    /// When the attempt ended, well or not.
    public var completed: Instant
    /// Connection interval, in steps of 1.25 ms.
    public var intervalUnits: UInt16 = 24
    /// Connection events that the peripheral may skip.
    public var latency: UInt16 = 0
    /// Supervision timeout, in steps of 10 ms.
    public var supervisionTimeoutUnits: UInt16 = 420
    /// What the host, as the peripheral, advertised for it; nil where the log does not show that.
    public var advertising: Advertising?
    /// What was sent, both ways, in order.
    public var pdus: [RecordedPDU] = []
    /// The encryption of its link; nil for none.
    var encryption: Encryption?
    /// The pairing that the encryption belongs to; nil for one by a bond.
    var pairing: RecordedPairing?
    /// Parameters that changed by themselves.
    public var updates: [Update] = []
    /// How it ended; nil where the log ends first.
    public var end: End?
    /// The attributes of the server: the far device's, or, where the host is the peripheral, its own.
    public var database = PeerDatabase()
    /// The longest PDU that the host offered, and the server's; nil where the log shows no exchange.
    public var mtu: (offered: UInt16, server: UInt16)?
    /// Whether the log ends before the attempt does.
    var isUnanswered = false
    /// Whether the log does not show its beginning, which was made up.
    public var wasOpenAtStart = false
    /// Whether it is not to be played.
    public var isLeftOut = false
    /// How many PDUs of the Attribute Protocol the log holds, those that are not in ``pdus`` among them.
    public var attPDUs = 0

    /// Who has the server.
    var server: RecordedPDU.Side { isCentral ? .peer : .host }

    /// The number of PDUs before its encryption; nil if it was not encrypted.
    var pdusBeforeEncryption: Int? {
        encryption.map { encryption in pdus.firstIndex { $0.frame > encryption.frame } ?? pdus.count }
    }

    /// The bond by which its link was encrypted; nil where it was not.
    var bond: Bond? {
        guard let encryption, encryption.isExpected, pairing == nil else { return nil }
        var bond = Bond(peer: peer)
        guard !isCentral else {
            bond.asCentral = encryption.key
            return bond
        }
        bond.asPeripheral = encryption.key
        // A log does not tell the size of a key; the longest is allowed to do everything.
        bond.security.keySize = 16
        bond.client.subscriptions = keptSubscriptions
        return bond
    }

    /// Whether encryption failed and the host did nothing but disconnect, as this project's host does.
    var failsToEncrypt: Bool {
        guard let encryption, encryption.status != .success, isCentral, let end else { return false }
        let doesNoMore = steps.allSatisfy { step in
            switch step.action {
            case .encrypt, .disconnect(.authenticationFailure): true
            default: !step.isRequired
            }
        }
        return doesNoMore && end.time >= encryption.done ?? .distantFuture
    }

    /// The longest ATT PDU that both sides had agreed on, in octets.
    public var negotiatedMTU: UInt16 {
        guard let mtu else { return 23 }
        return max(23, min(mtu.offered, mtu.server))
    }

    /// The frame of the first ATT PDU that is longer than both sides had agreed on (Vol 3, Part F, 3.2.8);
    /// nil if absent, or where the log may not show that they agreed.
    var frameBeyondMTU: Int? {
        guard mtu != nil || !wasOpenAtStart else { return nil }
        // Before the exchange the shortest that there is holds.
        let exchange = pdus.first { $0.channel == .attribute && $0.opcode == .exchangeMTUResponse }
        return pdus.first { pdu in
            let isBefore = !wasOpenAtStart && exchange.map { pdu.frame < $0.frame } ?? false
            return pdu.channel == .attribute && pdu.octets.count > (isBefore ? 23 : Int(negotiatedMTU))
        }?.frame
    }

    private static var longestConnectDelay: Duration { .seconds(3600) }

    /// From the host's command to the end of the attempt; a tenth of a second where the log does not show
    /// the command, an hour at most.
    public var connectDelay: Duration {
        // A clock that jumped between the two doesn't make a host wait, and scan, for years.
        guard let asked else { return .milliseconds(100) }
        return min(max(.zero, asked.duration(to: completed)), Self.longestConnectDelay)
    }
}
