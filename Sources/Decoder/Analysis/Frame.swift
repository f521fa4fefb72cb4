public import BluetoothCore
public import CaptureFile
import PayloadFormat

/// The analysis of one record, valid until the next record.
///
/// It holds numbers and ranges only, so that making it allocates nothing; the bytes stay in the record or in
/// the analyser's buffer (``Analyzer/payload(in:)``).
public struct Frame: Sendable {
    /// The record's header in the file.
    public var header: RecordHeader
    /// The index of its file, from 0.
    public var file: Int
    /// The record's number in the whole capture, from 1; ``number`` is the one in its file.
    var recordNumber = 0
    /// The packet's direction, if the file has it or it was inferred.
    public var direction: Direction
    /// Whether the direction was inferred, because the file has none.
    public var directionIsInferred = false
    /// The device that sent the packet; nil if unknown.
    var sender: Side? {
        switch direction {
        case .hostToController: .host
        case .controllerToHost: .peer
        default: nil
        }
    }
    /// The HCI command's opcode; for Command Complete and Command Status, the opcode of the answered command.
    public var opcode: UInt16 = 0
    /// The event code; 0 for other frames.
    public var event: UInt8 = 0
    /// The subevent code of an LE Meta event; 0 for other frames.
    public var subevent: UInt8 = 0
    /// The status or reason that the event carries.
    public var status: UInt8?
    /// The command that this event answers, or the request that this response answers.
    public var request: RequestReference?
    /// The connection that the frame belongs to, as an index into ``Analyzer/links``; -1 if absent.
    public var link = -1
    /// The index of its ATT PDU's bearer in the connection's list; 0 is the fixed channel.
    var bearer = 0
    /// The connection handle in the packet, if it has one.
    public var handle: UInt16?
    /// The address that a frame without a link is about (advertising); nil if there is no address.
    public var peer: DeviceAddress?
    /// The identity that the private address in ``peer`` resolves to; nil if it does not resolve.
    public internal(set) var identity: DeviceAddress?
    /// The ACL packet's header; nil for other packets.
    public var acl: ACLSummary?
    /// The L2CAP PDU that this frame completes, or that stays truncated; nil if absent.
    public var l2cap: L2CAPSummary?
    /// The ATT PDU; nil if absent.
    public var att: ATTSummary? { hasATT ? attPDU : nil }
    /// Whether the frame contains an ATT PDU.
    public internal(set) var hasATT = false
    /// The ATT PDU, filled in place; only valid if ``hasATT`` is set.
    var attPDU = ATTSummary(opcode: ATTOpcode(rawValue: 0))
    /// The SMP PDU's code.
    public var smpCode: UInt8?
    /// The code of the (first) L2CAP signalling command.
    public var signallingCode: UInt8?
    /// Number of advertising reports in the event.
    public var reports = 0
    /// A bit mask of the event's reports whose data continues in a later report, or began in an earlier one.
    /// The lowest bit is the first report.
    public var partialReports: UInt32 = 0
    /// Whether an advertising report of the event is only a part.
    @inlinable public var isPartOfAdvertising: Bool { partialReports != 0 }
    /// Whether an advertiser's name is an address, as with cars without manufacturer data.
    public internal(set) var mayNameCar = false
    /// The kind of counted line into which text output may fold the frame.
    public var fold = Fold.none

    @inlinable
    public init(header: RecordHeader, file: Int) {
        self.header = header
        self.file = file
        direction = header.direction
    }

    /// Resets the frame for another record. Changing it in place is cheaper than making a new one.
    @inline(__always)
    mutating func begin(_ header: RecordHeader, file: Int, recordNumber: Int) {
        self.header = header
        self.file = file
        self.recordNumber = recordNumber
        direction = header.direction
        directionIsInferred = false
        opcode = 0
        event = 0
        subevent = 0
        status = nil
        request = nil
        link = -1
        handle = nil
        peer = nil
        identity = nil
        mayNameCar = false
        acl = nil
        l2cap = nil
        hasATT = false
        smpCode = nil
        signallingCode = nil
        reports = 0
        partialReports = 0
        fold = .none
    }

    /// The record's number in its file, from 1.
    @inlinable public var number: Int { header.number }
    /// The place of the record among the records of all files.
    @inlinable public var place: FramePlace { FramePlace(file: Int(header.file), frame: header.number) }
    /// The time of the record.
    @inlinable public var time: CaptureTime { header.time }
}

/// The way in which text output may fold a frame into a counted line.
public enum Fold: UInt8, Sendable {
    /// A frame with a line of its own.
    case none
    /// An advertising report.
    case advertising
    /// Packet credits that the controller returns: counted, and never shown between other frames.
    case credit
    /// HCI housekeeping: setup commands and their completions, packet counts, queries.
    case housekeeping
    /// A packet on the air without content of its own: empty, or a repetition. It is counted, like credits.
    case silent
    /// A packet on the air whose check sequence was wrong, or that can't be read.
    case noise
    /// A fragment that another frame completes.
    case fragment
    /// A note of the recorder, or a message logged by a program.
    case note
}

extension Frame {
    /// Whether it is an event that follows from a packet of the peer's controller.
    var showsPeerActivity: Bool {
        switch HCIEventCode(rawValue: event) {
        case .encryptionChangeV1, .encryptionKeyRefreshComplete, .readRemoteSupportedFeaturesComplete,
            .readRemoteVersionInformationComplete:
            return status == 0
        case .leMeta:
            switch LESubeventCode(rawValue: subevent) {
            case .leConnectionUpdateComplete, .leReadRemoteFeaturesPage0Complete, .lePHYUpdateComplete:
                return status == 0
            case .leRemoteConnectionParameterRequest, .leDataLengthChange: return true
            default: return false
            }
        default: return false
        }
    }
}

/// A change of a connection that a frame reports or shows.
public struct LinkChange: Sendable {
    public enum Kind: Sendable {
        /// An LE connection was established, or was not.
        case opened(LEConnectionComplete)
        /// Encryption went on or off, or could not.
        case encryption(HCIStatus)
        /// An encrypted connection got a new key, or did not.
        case keyRefresh(HCIStatus)
        case parameters(HCIStatus)
        case phy(HCIStatus)
        /// It ended: the reason of its disconnection (Core Specification, Vol 1, Part F, 1.3), nil if it
        /// ended otherwise; the frame that ended it, or its last packet if only silence on the air shows the
        /// end; and the time.
        case ended(reason: UInt8?, FramePlace, CaptureTime)
    }

    /// The connection's number; nil if it is unknown or was not established.
    public var connection: Int?
    public var kind: Kind
}

/// The frame of a request, seen from its answer.
public struct RequestReference: Sendable {
    /// The frame of the request.
    public var place: FramePlace
    /// Nanoseconds from the request to this frame; negative if the clock ran backwards.
    public var latency: Int64

    /// The number of the request's frame in its file.
    @inlinable public var frame: Int { place.frame }
}

/// The header of an ACL data packet (Core Specification, Vol 4, Part E, 5.4.2).
public struct ACLSummary: Sendable {
    /// Packet boundary flag: 0 and 2 start a PDU, 1 continues one, 3 is a complete automatically flushable
    /// one.
    public var boundary: UInt8
    /// Broadcast flag.
    public var broadcast: UInt8
    /// Length of the data that the header announces, in bytes.
    public var length: Int
    /// Length of the data in the record, in bytes.
    public var captured: Int
    /// Whether it is a vendor's debug traffic on a reserved handle instead of a connection's data.
    public var isVendor = false
}

/// An L2CAP PDU, complete or as far as the capture holds it.
public struct L2CAPSummary: Sendable {
    /// The channel identifier.
    public var cid: UInt16
    /// Payload length in the basic header, in bytes; for an SDU in several K-frames, the SDU's length.
    public var length: Int
    /// Bytes before the payload that `length` includes: the length field of an SDU that fits in one K-frame.
    public var headerLength = 0
    /// Length of the payload in the capture, in bytes.
    public var captured: Int
    /// Location of the payload: the record, or the analyser's assembly buffer.
    public var place: Place
    /// Whether bytes of the payload are missing from the capture.
    public var isCut: Bool
    /// Number of ACL packets that the PDU was sent in.
    public var fragmentCount: Int
    /// The frame with its first fragment.
    public var firstFrame: FramePlace
    /// The service of the PDU's connection-oriented channel, if the channel's opening is in the log.
    public var psm: UInt16?

    /// Location of bytes.
    public enum Place: Sendable {
        /// In the record's bytes, from this offset.
        case record(Int)
        /// In the assembly buffer, from its start.
        case assembly
    }
}

/// An ATT PDU, with the label of the attribute that it names.
public struct ATTSummary: Sendable {
    /// The opcode.
    public var opcode: ATTOpcode
    /// The attribute handle in the PDU, or in the request that it answers.
    public var handle: UInt16?
    /// The attribute value in the PDU, as a range of the L2CAP payload.
    public var value: Range<Int>?
    /// The error code of an Error Response.
    public var error: UInt8?
    /// The opcode that an Error Response answers.
    public var requestOpcode: ATTOpcode?
    /// The requested type, for a response to Read By Type and similar requests.
    public var requestedType: BluetoothUUID?
    /// The attribute's label and its source; nil if nothing is known.
    public var label: AttributeLabel?
    /// The number that request and response, or indication and confirmation, share on this link; 0 without
    /// one.
    public var transaction = 0
    /// The last write before a notification or indication on this link.
    public var afterWrite: RequestReference?
    /// The length of the value that the answered Write Request wrote; nil for a message of a protocol above
    /// ATT.
    public var writtenLength: Int?
    /// The state to which the answered Write Request set a Client Characteristic Configuration.
    public var configured: UInt16?
    /// Whether the PDU is malformed: it ends before its fields do, or has an impossible length.
    public var isMalformed = false
    @inlinable
    public init(opcode: ATTOpcode) { self.opcode = opcode }
}

/// An attribute value joined from several PDUs, the last of which is in this frame.
public struct JoinedValue: Sendable {
    /// The attribute handle.
    public var handle: UInt16
    /// The attribute's label and its source; nil if nothing is known.
    public var label: AttributeLabel?
    /// The whole value.
    public var octets: [UInt8]
}
