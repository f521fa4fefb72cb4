public import BluetoothCore
import Runtime
import WireBytes

/// A callback of the API about one connection.
public enum ApplicationEvent: Hashable, Sendable {
    case connected
    /// The attempt to connect failed because the link could not be encrypted.
    case connectFailed
    /// The connection has ended, by the application's request or not.
    case disconnected(byWish: Bool)
    /// A value, read or sent by the peer.
    case value(handle: UInt16, [UInt8])
    case readFailed(handle: UInt16, ATTErrorCode)
    /// A write with response has ended; the error is nil if it succeeded.
    case written(handle: UInt16, ATTErrorCode?)
    /// A subscription was started or ended; the error is nil if the peer accepted. The handle is that of the
    /// characteristic's value, not of its configuration.
    case configured(handle: UInt16, ATTErrorCode?)
    /// The response to a request for which the API has no call.
    case response([UInt8])
    case requestFailed(ATTErrorCode)

    var handle: UInt16? {
        switch self {
        case .value(let handle, _), .readFailed(let handle, _), .written(let handle, _),
            .configured(let handle, _):
            handle
        case .connected, .connectFailed, .disconnected, .response, .requestFailed: nil
        }
    }

    /// The peer's error; nil without a refusal.
    var refusal: ATTErrorCode? {
        switch self {
        case .written(_, let error), .configured(_, let error): error
        case .readFailed(_, let error), .requestFailed(let error): error
        case .connected, .connectFailed, .disconnected, .value, .response: nil
        }
    }

    /// Whether the callback may come without a PDU, for example about an existing subscription, or about the
    /// end of a connection that was never made.
    var isBookkeeping: Bool {
        switch self {
        case .configured(_, nil), .connectFailed, .disconnected: true
        default: false
        }
    }

    /// One line for the report.
    var text: String {
        switch self {
        case .connected: "connected"
        case .connectFailed: "failed to connect"
        case .disconnected(let byWish): byWish ? "disconnected" : "disconnected, with an error"
        case .value(let handle, let value): "value of \(PDUText.handle(handle)): \(Hex.text(value))"
        case .readFailed(let handle, let error):
            "read of \(PDUText.handle(handle)) failed: \(Self.name(error))"
        case .written(let handle, let error): "write of \(PDUText.handle(handle)) \(Self.text(error))"
        case .configured(let handle, let error):
            "subscription to \(PDUText.handle(handle)) \(Self.text(error))"
        case .response(let octets): "response \(Hex.text(octets))"
        case .requestFailed(let error): "request failed: \(Self.name(error))"
        }
    }

    private static func text(_ error: ATTErrorCode?) -> String { error.map { "failed: \(name($0))" } ?? "ok" }

    private static func name(_ error: ATTErrorCode) -> String {
        error.name.map { "\($0)" } ?? "error 0x" + Hex.text([error.rawValue])
    }
}

/// A callback that the log implies, and its deadline.
struct ExpectedCallback: Sendable {
    var event: ApplicationEvent
    /// The frame of the PDU or event that implies the callback; 0 if it is not in the log.
    var frame: Int
    var due: Instant
    /// Whether the callback may be missing, for example for a value that arrives while its subscription ends.
    var isOptional = false
}
