public import Analysis
import BluetoothCore
import PayloadFormat
import WireBytes

/// The nature of an incident, independent of place and time, so that logs with equal signatures can be
/// grouped. Without addresses, times, frames and handles.
public struct IncidentSignature: Hashable, Sendable {
    /// The problem's code, or the annotator's own.
    public var cause: String
    /// The side that caused it or did not answer; nil if unknown.
    public var side: String?
    /// The procedure under way: "connecting", "discovery", "pairing", the name of a key protocol's message,
    /// and so on.
    public var phase: String
    /// The status: an HCI, ATT, L2CAP or SMP status as a number, or a key protocol's status by name.
    public var status: String?
    /// The service that shows what kind of device the peer is; nil if the log does not contain its database.
    public var service: String?

    /// All parts in one word, with "-" for unknown ones.
    public var text: String {
        [cause, side, phase, status, service].map { $0 ?? "-" }.joined(separator: "/")
    }

    /// - Parameter databases: the attribute databases of the log's devices.
    public init(_ incident: Incident, _ link: Link?, _ databases: [KnownDatabase]) {
        let problem = incident.problem
        cause = problem.name ?? problem.code.rawValue
        side = problem.sideAlone?.rawValue
        phase =
            switch problem.phase {
            case .named(let name): name
            case .reached: link.map(Self.reached) ?? "connected"
            case .request(let opcode): Self.phase(opcode, incident.label)
            }
        let statuses = [problem] + incident.consequences.map(\.problem)
        status = statuses.lazy.compactMap(\.status).first
        let address = [link?.identity, link?.address].compactMap(\.self)
        let known = databases.first { $0.address.map(address.contains) ?? false }
        service = known.flatMap { Self.kind(of: $0.services.map(\.uuid)) }
    }

    // MARK: Parts

    private static func phase(_ opcode: ATTOpcode, _ label: AttributeLabel?) -> String {
        switch opcode {
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            "discovery"
        case .exchangeMTURequest: "mtu"
        default: label?.isClientConfiguration == true ? "subscription" : "values"
        }
    }

    /// Returns the last phase that a connection reached.
    private static func reached(_ link: Link) -> String {
        if link.session?.authenticated != nil { return "authenticated" }
        if link.session?.authenticationStarted != nil { return "authentication" }
        let phases = link.phases
        if phases.firstWrite != nil || phases.firstNotification != nil { return "values" }
        if phases.subscribed != nil { return "subscription" }
        if link.discoveryEnded != nil { return "discovered" }
        if phases.pairingStarted != nil, phases.encrypted == nil { return "pairing" }
        return phases.discoveryStarted != nil ? "discovery" : "connected"
    }

    /// Returns the first service that is not common to most devices.
    private static func kind(of services: [BluetoothUUID]) -> String? {
        let common: [UInt16] = [0x1800, 0x1801, 0x180A, 0x180F]
        let own = services.first { uuid in uuid.assigned16.map { !common.contains($0) } ?? true }
        return own.map { "\($0)" }
    }
}
