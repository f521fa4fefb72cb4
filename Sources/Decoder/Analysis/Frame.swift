public import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

/// What one record means: made anew for each record and valid until the next.
///
/// It holds numbers and ranges only, so that making it allocates nothing; the octets stay in the record or in
/// the analyser's buffer (``Analyzer/octets(of:in:)``).
public struct Frame: Sendable {
    /// What the file says about the record.
    public var header: RecordHeader
    /// Which of several files it comes from, from 0.
    public var file: Int
    /// Which way it went, where the file or an inference tells.
    public var direction: Direction
    /// Whether the direction was inferred, because the format keeps none.
    public var directionIsInferred = false
    /// Which of the two devices sent it; nil where that is not known.
    var sender: Side? {
        switch direction {
        case .hostToController: .host
        case .controllerToHost: .peer
        default: nil
        }
    }
    /// The HCI command's opcode; for Command Complete and Command Status that of the command they answer.
    public var opcode: UInt16 = 0
    /// The event code; 0 for other frames.
    public var event: UInt8 = 0
    /// The subevent code of an LE Meta event; 0 for other frames.
    public var subevent: UInt8 = 0
    /// The status or reason that the event carries.
    public var status: UInt8?
    /// The command that this event answers, or the request that this response answers.
    public var request: RequestReference?
    /// The connection the frame belongs to, as an index into ``Analyzer/links``; -1 for none.
    public var link = -1
    /// The connection handle that the packet names, where it names one.
    public var handle: UInt16?
    /// The address the frame is about where it belongs to no link (advertising); nil if absent.
    public var peer: DeviceAddress?
    /// The identity that the private address in ``peer`` resolves to; nil where it resolves to none.
    public internal(set) var identity: DeviceAddress?
    /// The ACL packet's header; nil for all that is no ACL data.
    public var acl: ACLSummary?
    /// The L2CAP PDU that this frame completes (or leaves cut); nil where it completes none.
    public var l2cap: L2CAPSummary?
    /// The ATT PDU in it; nil if absent.
    public var att: ATTSummary? { hasATT ? attPDU : nil }
    /// Whether there is an ATT PDU in it.
    public internal(set) var hasATT = false
    /// The ATT PDU: filled in place, and of no meaning unless ``hasATT`` is set.
    var attPDU = ATTSummary(opcode: ATTOpcode(rawValue: 0))
    /// The SMP PDU's code.
    public var smpCode: UInt8?
    /// The code of the (first) L2CAP signalling command.
    public var signallingCode: UInt8?
    /// How many advertising reports the event holds.
    public var reports = 0
    /// The reports of the event whose data go on in another report, or began in one before: a bit each, the
    /// first report's the lowest.
    public var partialReports: UInt32 = 0
    /// Whether there are such reports.
    @inlinable public var isPartOfAdvertising: Bool { partialReports != 0 }
    /// Whether one of the advertisers has a name that is an address, as cars without manufacturer data do.
    public internal(set) var mayNameCar = false
    /// How the text output may fold it with its neighbours.
    public var fold = Fold.none

    @inlinable
    public init(header: RecordHeader, file: Int) {
        self.header = header
        self.file = file
        direction = header.direction
    }

    /// Makes it the frame of another record, of which nothing is known yet: in place, since that is cheaper
    /// than a new one.
    @inline(__always)
    mutating func begin(_ header: RecordHeader, file: Int) {
        self.header = header
        self.file = file
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
    /// The record among those of all files.
    @inlinable public var place: FramePlace { FramePlace(file: Int(header.file), frame: header.number) }
    /// When it was seen.
    @inlinable public var time: CaptureTime { header.time }
}

/// How text output may fold a frame into a counted line.
public enum Fold: UInt8, Sendable {
    /// It is shown.
    case none
    /// An advertising report.
    case advertising
    /// Packet credits that the controller gives back: counted, and never shown between other frames.
    case credit
    /// HCI housekeeping: setup commands and their completions, packet counts, queries.
    case housekeeping
    /// A fragment that another frame completes.
    case fragment
    /// A note of the recorder, or what a program logged.
    case note
}

/// A frame that this one answers.
public struct RequestReference: Sendable {
    /// The frame that asked.
    public var place: FramePlace
    /// Nanoseconds from the asking frame to this one; negative where the clock ran backwards.
    public var latency: Int64

    @inlinable
    public init(place: FramePlace, latency: Int64) {
        self.place = place
        self.latency = latency
    }

    /// The number of the frame that asked, in its file.
    @inlinable public var frame: Int { place.frame }
}

/// The header of an ACL data packet (Core Specification, Vol 4, Part E, 5.4.2).
public struct ACLSummary: Sendable {
    /// Packet boundary flag: 0 and 2 start a PDU, 1 continues one, 3 is a complete automatically flushable
    /// one.
    public var boundary: UInt8
    /// Broadcast flag.
    public var broadcast: UInt8
    /// Octets of data that the header announces.
    public var length: Int
    /// Octets of data that the record holds.
    public var captured: Int
    /// Whether it is a vendor's debug traffic on a reserved handle, and not a connection's data.
    public var isVendor = false
}

/// An L2CAP PDU, whole or as far as the capture holds it.
public struct L2CAPSummary: Sendable {
    /// The channel identifier.
    public var cid: UInt16
    /// Octets of payload that the basic header announces; of an SDU that came in several K-frames, its own.
    public var length: Int
    /// Octets before the payload that are counted in `length`: the length of an SDU that is in one K-frame.
    public var headerLength = 0
    /// Octets of payload that the capture holds.
    public var captured: Int
    /// Where the payload lies: in the record, or in the analyser's assembly buffer.
    public var place: Place
    /// Whether octets of it are missing from the capture.
    public var isCut: Bool
    /// How many ACL packets it was sent in.
    public var fragmentCount: Int
    /// The frame with its first fragment.
    public var firstFrame: FramePlace
    /// The service of the connection-oriented channel it is on, where the log shows the channel being opened.
    public var psm: UInt16?

    /// Where octets lie.
    public enum Place: Sendable {
        /// In the record's octets, from this offset.
        case record(Int)
        /// In the assembly buffer, from its start.
        case assembly
    }
}

/// An ATT PDU and what is known about the attribute it names.
public struct ATTSummary: Sendable {
    /// The opcode.
    public var opcode: ATTOpcode
    /// The attribute handle that the PDU names, or that its request named.
    public var handle: UInt16?
    /// Whether `handle` was taken from the request that this response answers.
    public var handleIsFromRequest = false
    /// The attribute value in it, as a range of the L2CAP payload.
    public var value: Range<Int>?
    /// The error code of an Error Response.
    public var error: UInt8?
    /// The opcode that an Error Response answers.
    public var requestOpcode: ATTOpcode?
    /// For a response to Read By Type and its like: the type that was asked for.
    public var requestedType: BluetoothUUID?
    /// The attribute's label and where it comes from; nil where nothing is known.
    public var label: AttributeLabel?
    /// The transaction on this link that request, response, indication and confirmation share; 0 for none.
    public var transaction = 0
    /// For a notification or indication: the last write before it on this link.
    public var afterWrite: RequestReference?
    /// Whether the PDU is malformed: it ends before its fields do, or a length in it can't be.
    public var isMalformed = false
    @inlinable
    public init(opcode: ATTOpcode) { self.opcode = opcode }
}

/// The attribute whose value several PDUs carried, of which a frame's is the last.
public struct JoinedValue: Sendable {
    /// The attribute handle.
    public var handle: UInt16
    /// The attribute's label and where it comes from; nil where nothing is known.
    public var label: AttributeLabel?
    /// The whole value.
    public var octets: [UInt8]
}
