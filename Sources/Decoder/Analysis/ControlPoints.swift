import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// The layout of the values with which a standard control point reports results.
struct ControlPoint: Sendable {
    /// The first byte of these values; nil if they start with the request's opcode.
    private var response: UInt8?
    /// Offsets of the request's opcode and of the first result, and the distance between results; 0 if there
    /// is only one.
    private var request: Int
    private var result: Int
    private var stride: Int
    /// The results that don't refuse the request.
    private var fine: [UInt8]
    /// The names of the results from 1 on.
    private var names: [StaticText]

    static func of(_ uuid: UInt16) -> ControlPoint? { all.first { $0.uuid == uuid }?.control }

    static func has(_ uuid: UInt16) -> Bool { all.contains { $0.uuid == uuid } }

    private static let common: [StaticText] = [
        "Success", "Op Code Not Supported", "Invalid Parameter", "Operation Failed",
    ]

    private static func plain(_ response: UInt8, _ more: [StaticText] = []) -> ControlPoint {
        ControlPoint(response: response, request: 1, result: 2, stride: 0, fine: [1], names: common + more)
    }

    /// The control points of RSCS and CSCS, GLS (0x06: no records found), CPS, LNS, UDS, CGMS, OTS, FTMS,
    /// ASCS (5), MCS and TBS, as their specifications define them.
    private static let all: [(uuid: UInt16, control: ControlPoint)] = [
        (0x2A55, plain(0x10)),
        (
            0x2A52,
            ControlPoint(
                response: 0x06, request: 2, result: 3, stride: 0, fine: [1, 6],
                names: [
                    "Success", "Op Code Not Supported", "Invalid Operator", "Operator Not Supported",
                    "Invalid Operand", "No Records Found", "Abort Unsuccessful", "Procedure Not Completed",
                    "Operand Not Supported",
                ])
        ),
        (0x2A66, plain(0x20)),
        (0x2A6B, plain(0x20)),
        (0x2A9F, plain(0x20, ["User Not Authorized"])),
        (0x2AAC, plain(0x1C)),
        (0x2AC5, plain(0x60)),
        (0x2AC6, plain(0x70)),
        (0x2AD9, plain(0x80, ["Control Not Permitted"])),
        (
            0x2BC6,
            ControlPoint(
                response: nil, request: 0, result: 3, stride: 3, fine: [0],
                names: [
                    "Unsupported Opcode", "Invalid Length", "Invalid ASE ID", "Invalid ASE State Machine",
                    "Invalid ASE Direction", "Unsupported Audio Capabilities",
                    "Unsupported Configuration Parameter", "Rejected Configuration Parameter",
                    "Invalid Configuration Parameter", "Unsupported Metadata", "Rejected Metadata",
                    "Invalid Metadata", "Insufficient Resources", "Unspecified Error",
                ])
        ),
        (0x2BA4, ControlPoint(response: nil, request: 0, result: 1, stride: 0, fine: [1], names: [])),
        (0x2BBE, ControlPoint(response: nil, request: 0, result: 2, stride: 0, fine: [0], names: [])),
    ]

    /// Returns the request's opcode in a value, and the first result that is a refusal; nil for other values.
    func answer(_ value: RawSpan) -> (request: UInt8, refusal: UInt8?)? {
        guard let request = value.octet(at: request), var found = value.octet(at: result),
            response == nil || value.octet(at: 0) == response
        else { return nil }
        var place = result
        while fine.contains(found), stride > 0, let next = value.octet(at: place &+ stride) {
            place &+= stride
            found = next
        }
        return (request, fine.contains(found) ? nil : found)
    }

    static func name(_ uuid: UInt16) -> String {
        AssignedNumbers.text(BluetoothUUID(uuid), as: .characteristic) ?? "the control point"
    }

    func name(_ result: UInt8) -> StaticText? {
        names.indices.contains(Int(result) - 1) ? names[Int(result) - 1] : nil
    }
}

struct ControlRequests: Sendable {
    /// A written value that asks for something.
    struct Request: Sendable {
        var handle: UInt16
        var server: Side
        var octets: [UInt8]
        var frame: FramePlace
        var time: CaptureTime

        fileprivate func asksTheSame(as other: Request) -> Bool {
            handle == other.handle && server == other.server && octets == other.octets
        }
    }

    /// The requests without an answer, and the last one of each control point that was accepted.
    private var waiting: [Request] = []
    private var accepted: [Request] = []

    /// Limit of the requests in either list, and of the bytes of one.
    private static let limit = 8
    private static let longest = 64
    /// Longest time after an accepted request in which a refused repetition counts as superfluous, in
    /// nanoseconds.
    private static let longestRepeat: Int64 = 5_000_000_000

    mutating func note(_ value: RawSpan, of handle: UInt16, _ server: Side, _ frame: borrowing Frame) {
        guard value.byteCount > 0, value.byteCount <= Self.longest else { return }
        if waiting.count >= Self.limit { waiting.removeFirst() }
        waiting.append(
            Request(
                handle: handle, server: server, octets: value.copied(), frame: frame.place, time: frame.time))
    }

    /// Removes and returns the last request with this opcode; nil if the log does not show it.
    mutating func takeAnswered(_ opcode: UInt8, of handle: UInt16, _ server: Side) -> Request? {
        let index = waiting.lastIndex {
            $0.handle == handle && $0.server == server && $0.octets.first == opcode
        }
        return index.map { waiting.remove(at: $0) }
    }

    mutating func accept(_ request: Request) {
        accepted.removeAll { $0.handle == request.handle && $0.server == request.server }
        if accepted.count >= Self.limit { accepted.removeFirst() }
        accepted.append(request)
    }

    /// Returns the request that asked for the same shortly before and was accepted, with no other one
    /// accepted since.
    func accepted(before request: Request) -> Request? {
        accepted.first {
            $0.asksTheSame(as: request) && request.time.since($0.time) <= Self.longestRepeat
        }
    }
}

/// A request that a control point refused.
public struct ControlRefusal: Hashable, Sendable {
    var handle: UInt16
    var uuid: UInt16
    /// The written opcode, and the result.
    var request: UInt8
    var result: UInt8

    var text: String {
        let name = ControlPoint.of(uuid)?.name(result).map { "\($0) " } ?? ""
        return "\(ControlPoint.name(uuid)) (\(ProblemText.hex(handle))) refused request "
            + "\(ProblemText.hex(request)): \(name)(\(ProblemText.hex(result)))"
    }
}

extension Analyzer {
    /// Notes a written value, if it asks a control point for something.
    mutating func noteControl(_ value: RawSpan, of handle: UInt16, _ server: Side) {
        guard let uuid = frame.attPDU.label?.characteristic?.assigned16, frame.attPDU.label?.part == .value,
            ControlPoint.has(uuid)
        else { return }
        link.controls.note(value, of: handle, server, frame)
    }

    /// Shortest silence after a write to a control point that shows the host waiting for an answer, in
    /// nanoseconds.
    private static let shortestWait: Int64 = 5_000_000_000

    /// Reports that the host's last write on an ending link was to a control point whose answers were never
    /// enabled, if the host then waited in vain.
    mutating func reportUnheardControl() {
        let write = link.lastWrite
        let handle = write.content.handle
        guard link.unsubscribedResponses == nil, link.canProveUnsubscribed, link.role == .central,
            shown.holdsPackets(of: .host), shown.holdsPackets(of: .peer),
            let silence = write.silence(until: frame.time, heard: link.peerActivityCount),
            silence >= Self.shortestWait,
            let value = peers[link.peer].database.characteristic(at: handle), value.value == handle,
            value.properties & 0x30 != 0, let uuid = value.uuid?.assigned16, ControlPoint.of(uuid) != nil,
            !isEnabled(handle, by: 1, .peer, slot: frame.link),
            !isEnabled(handle, by: 2, .peer, slot: frame.link)
        else { return }
        let text: Sentence =
            "\(ControlPoint.name(uuid)) (\(ProblemText.hex(handle))) was written at frame "
            + "\(write.frame), and its answers were never enabled on this "
            + "connection"
        var problem = Problem(.att(.notEnabled(text)))
        problem.isUnsure = true
        report(problem, on: frame.link)
    }

    /// Handles a value that follows a write; a control point's value is the result of the request.
    @inline(never)
    mutating func followControl(_ payload: RawSpan, of handle: UInt16, _ server: Side) {
        guard let uuid = frame.attPDU.label?.characteristic?.assigned16, let control = ControlPoint.of(uuid),
            let value = frame.attPDU.value, let answer = control.answer(payload.clamped(value))
        else { return }
        let request = link.controls.takeAnswered(answer.request, of: handle, server)
        // The host may have written something else meanwhile.
        if let request {
            frame.attPDU.afterWrite = RequestReference(
                place: request.frame, latency: frame.time.nanoseconds &- request.time.nanoseconds)
        }
        guard let result = answer.refusal else {
            if let request { link.controls.accept(request) }
            guard !setbacks.isEmpty else { return }
            return markOvercome(.control(handle, answer.request))
        }
        let refusal = ControlRefusal(handle: handle, uuid: uuid, request: answer.request, result: result)
        let before = request.flatMap { link.controls.accepted(before: $0) }
        report(
            .att(.controlRefused(refusal, accepted: before?.frame)),
            by: Problem.Party(before == nil ? server : server.other))
    }
}
