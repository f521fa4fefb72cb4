public import BluetoothCore
import LEHost
public import Runtime
import WireBytes

/// A connection attempt and its connection, if it succeeded.
public struct RecordedConnection: Sendable {
    /// The end of a connection.
    public struct End: Hashable, Sendable {
        /// The number of the record that reports it.
        public var frame: Int
        /// Time of that record.
        public var time: Instant
        /// The controller's reason.
        public var reason: HCIStatus
        /// The host's own disconnect command: its frame, time and reason; nil if the host did not end the
        /// connection.
        public var request: Request?
    }

    /// A sniffer's reception of a connection.
    struct Hearing: Hashable, Sendable {
        /// Time of the last packet heard.
        var last: Instant
        /// The last frame that could not be read, or before which a packet may have been missed; 0 without
        /// one.
        var gap = 0
    }

    /// A host's command to disconnect.
    public struct Request: Hashable, Sendable {
        public var frame: Int
        public var time: Instant
        public var reason: HCIStatus
    }

    /// A host's advertising data in legacy advertising PDUs.
    public struct Advertising: Hashable, Sendable {
        /// AD structures.
        public var data: [UInt8] = []
        public var scanResponse: [UInt8] = []
        /// Advertising interval in steps of 0.625 ms.
        public var intervalUnits: UInt16 = 0x0800
        /// The number of the last record with a command that set the data or the interval.
        public var frame = 0
    }

    /// A change of the connection parameters that the host did not request.
    public struct Update: Hashable, Sendable {
        public var frame: Int
        public var time: Instant
        /// The event's parameters after its subevent code, with the recorded connection handle.
        public var parameters: [UInt8]
        public var subevent: LESubeventCode
        /// The number of the connection's PDUs before the update.
        public var pdusBefore: Int
    }

    /// The first encryption of the link that the host started.
    struct Encryption: Sendable {
        var frame: Int
        var time: Instant
        /// The long term key; all zero if the recorder blanked it.
        var key: LongTermKey
        /// Time of the controller's report; nil if the log does not show it.
        var done: Instant?
        /// The status in that report; an error if the peer lost the bond or has another key.
        var status = HCIStatus.success
        /// Whether the tested host has the bond too.
        var isExpected = true
    }

    /// The connection's number, from 1, which all commands of this program use; negative for a failed
    /// attempt, which they don't count.
    public var number: Int
    /// The number of the record that reports the end of the attempt.
    public var frame: Int
    /// The result of the attempt; success for a connection.
    public var status: HCIStatus
    /// Whether the recorded host is the central.
    public var isCentral = true
    /// The far device, with the address used for the connection.
    public var peer: DeviceAddress
    /// Time at which the host started the attempt; nil if the log does not show it.
    ///
    /// For a peripheral, the time from which a central could connect: the host advertised, and the previous
    /// connection had ended.
    public var asked: Instant?
    /// Time at which the attempt succeeded or failed.
    public var completed: Instant
    /// Connection interval, in steps of 1.25 ms.
    public var intervalUnits: UInt16 = 24
    /// Connection events that the peripheral may skip.
    public var latency: UInt16 = 0
    /// Supervision timeout, in steps of 10 ms.
    public var supervisionTimeoutUnits: UInt16 = 420
    /// The advertising data of a peripheral host before the connection; nil if the log does not show it.
    public var advertising: Advertising?
    /// PDUs in both directions, in order.
    public var pdus: [RecordedPDU] = []
    /// The first encryption of the link; nil without one.
    var encryption: Encryption?
    /// The pairing that led to the encryption; nil if it used a bond.
    var pairing: RecordedPairing?
    /// Parameter changes that the host did not request.
    public var updates: [Update] = []
    /// The end of the connection; nil if the log ends first.
    public var end: End?
    /// The sniffer's reception; nil in the log of a host, which has all packets.
    var hearing: Hearing?
    /// The attributes of the server: the far device's, or the host's own if the host is the peripheral.
    public var database = PeerDatabase()
    /// The MTU of the host (`offered`) and that of the peer (`server`), whoever asked. Without an exchange
    /// both are the length of the longest PDU; nil if the default MTU suffices for that.
    public var mtu: (offered: UInt16, server: UInt16)?
    /// Whether the log ends before the attempt has ended.
    var isUnanswered = false
    /// Whether the log does not show the beginning of the connection, so that it was made up.
    public var wasOpenAtStart = false
    /// Whether the connection is left out of the replay.
    public var isLeftOut = false
    /// The number of Attribute Protocol PDUs in the log, including those left out of ``pdus``.
    public var attPDUs = 0

    var isPlayable: Bool { !isLeftOut && status == .success }

    var server: RecordedPDU.Side { isCentral ? .peer : .host }

    /// The number of PDUs before encryption; nil if the link was not encrypted.
    var pdusBeforeEncryption: Int? {
        encryption.map { encryption in pdus.firstIndex { $0.frame > encryption.frame } ?? pdus.count }
    }

    /// Whether a PDU comes before a central's bond has encrypted the link.
    ///
    /// This project's host accepts no values then; other hosts do.
    func isBeforeBond(_ pdu: RecordedPDU) -> Bool {
        guard isCentral, pairing == nil, let encryption else { return false }
        return pdu.time <= encryption.done ?? encryption.time
    }

    /// The bond that encrypted the link; nil without one.
    var bond: Bond? {
        guard let encryption, encryption.isExpected, pairing == nil else { return nil }
        var bond = Bond(peer: peer)
        guard !isCentral else {
            bond.asCentral = encryption.key
            return bond
        }
        bond.asPeripheral = encryption.key
        // The log does not show a key's size; the longest key has access to everything.
        bond.security.keySize = 16
        bond.client.subscriptions = keptSubscriptions
        return bond
    }

    /// Whether encryption failed and the host then only disconnected, as this project's host does.
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

    /// The negotiated ATT_MTU in bytes.
    public var negotiatedMTU: UInt16 {
        guard let mtu else { return 23 }
        return max(23, min(mtu.offered, mtu.server))
    }

    /// The frame of the first ATT PDU that is longer than the ATT_MTU (Vol 3, Part F, 3.2.8).
    ///
    /// Nil if there is no such PDU, or if the log may lack the exchange.
    var frameBeyondMTU: Int? {
        guard mtu != nil || !wasOpenAtStart else { return nil }
        // Before the exchange the default MTU applies.
        let exchange = pdus.first { $0.channel == .attribute && $0.opcode == .exchangeMTUResponse }
        return pdus.first { pdu in
            let isBefore = !wasOpenAtStart && exchange.map { pdu.frame < $0.frame } ?? false
            return pdu.channel == .attribute && pdu.octets.count > (isBefore ? 23 : Int(negotiatedMTU))
        }?.frame
    }

    private static var longestConnectDelay: Duration { .seconds(3600) }

    /// Time from the host's command to the end of the attempt; at most an hour.
    ///
    /// A tenth of a second if the log does not show the command.
    public var connectDelay: Duration {
        // If the clock jumped in between, the host must not wait for years.
        guard let asked else { return .milliseconds(100) }
        return min(max(.zero, asked.duration(to: completed)), Self.longestConnectDelay)
    }
}

// Failed connection attempts, which the host has to repeat.

extension RecordedConnection {
    /// Shortest attempt that counts. Operating systems cancel attempts sooner to change the filter accept
    /// list.
    private static let shortestWait = Duration.seconds(1)

    /// Whether the recorded host cancelled the attempt.
    var wasGivenUp: Bool { status == .unknownConnectionIdentifier && !isUnanswered }

    /// Whether the link was lost during its establishment, so that only the attempt of the host remains.
    var wasLostAtOnce: Bool {
        guard isCentral, status == .success, asked != nil, !wasOpenAtStart, let end, end.request == nil
        else { return false }
        return !steps.contains(where: \.isRequired)
            && (pdus.isEmpty || end.reason == .connectionFailedToBeEstablishedOrSynchronizationTimeout)
    }

    fileprivate var isClearAttempt: Bool {
        guard isCentral, status != .success, !isLeftOut, peer.value != 0, let asked else { return false }
        return status != .unknownConnectionIdentifier || asked.duration(to: completed) >= Self.shortestWait
    }
}

extension [RecordedConnection] {
    /// For each connection, whether it is a failed attempt that the host must make too.
    ///
    /// It must if the log also has a connection to the same device, or no connections at all. Other attempts
    /// may come from another application on the recorded phone.
    var attemptsToRepeat: [Bool] {
        let played = filter(\.isPlayable)
        let peers = Set(played.map(\.peer.value))
        // The last time at which the link to each device was open.
        var open: [UInt64: Instant] = [:]
        return map { connection in
            if connection.status == .success {
                let end = connection.end?.time ?? .distantFuture
                open[connection.peer.value] = Swift.max(open[connection.peer.value] ?? .zero, end)
            }
            guard connection.isClearAttempt, let asked = connection.asked else { return false }
            return (played.isEmpty || peers.contains(connection.peer.value))
                && open[connection.peer.value] ?? .zero <= asked
        }
    }
}

extension RecordedConnection {
    /// Handles of Client Characteristic Configurations that were written before the log, which begins in
    /// mid-connection.
    ///
    /// Their characteristics send values although the log shows no subscription before.
    var earlierSubscriptions: [UInt16] {
        guard wasOpenAtStart else { return [] }
        var found: [UInt16] = []
        var settled: Set<UInt16> = []
        for pdu in pdus where pdu.channel == .attribute {
            if pdu.side == .host, let handle = pdu.writtenHandle {
                settled.insert(handle)
                continue
            }
            guard pdu.side == .peer else { continue }
            for (handle, _) in pdu.sentValues {
                guard let one = database.configuration(ofValue: handle), settled.insert(one).inserted else {
                    continue
                }
                found.append(one)
            }
        }
        return found
    }
}

extension RecordedPDU {
    /// The handle that the PDU writes to; nil if it isn't a write.
    fileprivate var writtenHandle: UInt16? {
        [.writeRequest, .writeCommand, .prepareWriteRequest].contains(opcode) ? octets.attributeHandle : nil
    }
}

extension [UInt8] {
    private var places: ATTPlaces { ATTOpcode(rawValue: first ?? 0).places }

    /// The attribute handle in an Attribute Protocol PDU, or the first handle of a range.
    var attributeHandle: UInt16? { places.handle(in: borrowedOctets) }

    var attributeValue: [UInt8]? { places.value(in: borrowedOctets).map { Array(self[$0]) } }
}

extension PeerDatabase {
    /// Returns the Client Characteristic Configuration of the characteristic with this value; nil if none is
    /// known.
    func configuration(ofValue handle: UInt16) -> UInt16? {
        guard handle < 0xFFFF else { return nil }
        for one in attributes(in: (handle + 1)...0xFFFF) {
            if one.declaration != nil || one.type == .characteristicDeclaration { return nil }
            if one.type == .clientCharacteristicConfiguration { return one.handle }
        }
        return nil
    }
}

/// A reassembled PDU of a recorded connection.
public struct RecordedPDU: Hashable, Sendable {
    /// One of the two devices.
    public enum Side: UInt8, Hashable, Sendable {
        /// The device that recorded the log.
        case host
        /// The far device.
        case peer
    }

    /// The number of the record that completed the PDU.
    public var frame: Int
    /// Time of that record, on the model's timeline.
    public var time: Instant
    /// The sender.
    public var side: Side
    /// The channel it was sent on.
    public var channel: L2CAPChannelID
    /// The payload, as far as the log has it.
    public var octets: [UInt8]
    /// Whether a part of the PDU is missing from the log.
    public var isCut: Bool
    /// The index in the connection of the PDU that this one answers; nil if this is not an answer.
    public var answers: Int?
    /// Whether the PDU is a response that was made up because the log lacks it.
    var isMadeUp = false

    /// The opcode of an Attribute Protocol PDU; 0 if the PDU is empty.
    public var opcode: ATTOpcode { ATTOpcode(rawValue: octets.first ?? 0) }

    var isRequest: Bool { channel == .attribute && opcode.kind == .request }
}
