public import Analysis
import BluetoothCore
import PayloadFormat
import WireBytes

/// The nature of an incident, independent of place and time: logs with equal signatures belong together. It
/// holds no address, time, frame or handle.
public struct IncidentSignature: Hashable, Sendable {
    /// The problem's code, or the annotator's own.
    public var cause: String
    /// The side that caused it or did not answer; nil if unknown.
    public var side: String?
    /// The procedure under way: "connecting", "discovery", "pairing", the name of a key protocol's message,
    /// and so on.
    public var phase: String
    /// The protocol's status: the number of an HCI, ATT, L2CAP or SMP status, or the name of a key
    /// protocol's.
    public var status: String?
    /// The service that identifies the peer's kind of device; nil if the log does not show its database.
    public var service: String?

    /// All parts in one word, with "-" for unknown ones.
    public var text: String {
        [cause, side, phase, status, service].map { $0 ?? "-" }.joined(separator: "/")
    }

    /// - Parameter databases: the attribute databases of the log's devices.
    public init(_ incident: Incident, _ link: Link?, _ databases: [KnownDatabase]) {
        let problem = incident.problem
        cause = problem.name ?? problem.code.rawValue
        side = problem.side?.rawValue
        phase = Self.phase(problem, incident.label, link)
        let statuses = [problem] + incident.consequences.map(\.problem)
        status = statuses.lazy.compactMap(Self.status).first
        let address = [link?.identity, link?.address].compactMap(\.self)
        let known = databases.first { $0.address.map(address.contains) ?? false }
        service = known.flatMap { Self.kind(of: $0.services.map(\.uuid)) }
    }

    // MARK: Parts

    private static func phase(_ problem: Problem, _ label: AttributeLabel?, _ link: Link?) -> String {
        switch problem.kind {
        case .record, .tableFull: "recording"
        case .hci(let problem): phase(problem, link)
        case .l2cap: "l2cap"
        case .smp: "pairing"
        case .att(.error(_, let request)): phase(request.opcode, label)
        case .att(.timeout(let request)), .att(.noResponse(let request, _)): phase(request.opcode, label)
        case .att(.askedAgain): "discovery"
        case .att: "values"
        case .annotated(let problem): problem.message ?? "messages"
        }
    }

    private static func phase(_ problem: HCIProblem, _ link: Link?) -> String {
        switch problem {
        case .connectionFailed, .connectionGivenUp, .commandFailed(_, _, .some): "connecting"
        case .encryptionFailed: "encryption"
        case .abnormalDisconnection, .adapterEnded, .endedByPeer, .endedAfterWrite,
            .authenticatedPayloadTimeout,
            .procedureFailed, .illegalParameters:
            link.map(reached) ?? "connected"
        default: "adapter"
        }
    }

    private static func phase(_ opcode: ATTOpcode, _ label: AttributeLabel?) -> String {
        switch opcode {
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            "discovery"
        case .exchangeMTURequest: "mtu"
        default: label?.isClientConfiguration == true ? "subscription" : "values"
        }
    }

    /// The last phase that a connection reached.
    private static func reached(_ link: Link) -> String {
        if link.session?.authenticated != nil { return "authenticated" }
        if link.session?.authenticationStarted != nil { return "authentication" }
        let phases = link.phases
        if phases.firstWrite != nil || phases.firstNotification != nil { return "values" }
        if phases.subscribed != nil { return "subscription" }
        if phases.discoveryEnded != nil { return "discovered" }
        if phases.pairingStarted != nil, phases.encrypted == nil { return "pairing" }
        return phases.discoveryStarted != nil ? "discovery" : "connected"
    }

    private static func status(_ problem: Problem) -> String? {
        func hex(_ value: UInt8) -> String { String(hex: UInt64(value), digits: 2) }
        switch problem.kind {
        case .hci(.commandFailed(_, let status, _)), .hci(.connectionFailed(let status, _)),
            .hci(.abnormalDisconnection(let status, _)), .hci(.endedByPeer(let status, _)),
            .hci(.encryptionFailed(let status)), .hci(.endedAfterWrite(let status, _)),
            .hci(.procedureFailed(let status, _, _)):
            return hex(status.rawValue)
        case .att(.error(let error, _)): return hex(error.rawValue)
        case .smp(.failed(let reason)): return hex(reason)
        case .l2cap(.channelRefused(let refusal)): return String(hex: UInt64(refusal.result), digits: 4)
        case .annotated(let problem): return problem.status
        default: return nil
        }
    }

    /// The first service that is not common to most devices.
    private static func kind(of services: [BluetoothUUID]) -> String? {
        let common: [UInt16] = [0x1800, 0x1801, 0x180A, 0x180F]
        let own = services.first { uuid in uuid.assigned16.map { !common.contains($0) } ?? true }
        return own.map { "\($0)" }
    }
}
