public import BluetoothCore
import Runtime
import WireBytes

/// What the API tells an application of one connection.
public enum ApplicationEvent: Hashable, Sendable {
    case connected
    /// The attempt to connect failed because the link could not be encrypted.
    case connectFailed
    /// The connection has ended; by the application's own wish or not.
    case disconnected(byWish: Bool)
    /// A value, read or sent by the peer.
    case value(handle: UInt16, [UInt8])
    case readFailed(handle: UInt16, ATTErrorCode)
    /// A write with response has ended; nil where it was taken.
    case written(handle: UInt16, ATTErrorCode?)
    /// Values of a characteristic are sent from now on, or no more; nil where the peer agreed.
    case configured(handle: UInt16, ATTErrorCode?)
    /// The response to a request that the API has no call for.
    case response([UInt8])
    case requestFailed(ATTErrorCode)

    /// The attribute that it is about.
    var handle: UInt16? {
        switch self {
        case .value(let handle, _), .readFailed(let handle, _), .written(let handle, _),
            .configured(let handle, _):
            handle
        case .connected, .connectFailed, .disconnected, .response, .requestFailed: nil
        }
    }

    /// Why the peer refused; nil where it did not.
    var refusal: ATTErrorCode? {
        switch self {
        case .written(_, let error), .configured(_, let error): error
        case .readFailed(_, let error), .requestFailed(let error): error
        case .connected, .connectFailed, .disconnected, .value, .response: nil
        }
    }

    /// Whether it may be told without a PDU: a subscription that stands already, the end of what was never
    /// begun.
    var isBookkeeping: Bool {
        switch self {
        case .configured(_, nil), .connectFailed, .disconnected: true
        default: false
        }
    }

    /// One line that says it.
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

/// What the log entails that the application is told, from when on and until when.
struct Entailment: Sendable {
    var event: ApplicationEvent
    /// The frame of the PDU or event that it follows from; 0 where the log does not have it.
    var frame: Int
    /// Until when it must have been told.
    var due: Instant
    /// Whether it may also never be told: a value that comes while a subscription is being ended.
    var isOptional = false
}
