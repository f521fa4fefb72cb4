public import BluetoothCore
public import UQDK
import WireBytes

/// An event at a car, for a log.
public enum CarEvent: Hashable, Sendable {
    /// A phone connected.
    case connected(DeviceAddress)
    /// A phone disconnected.
    case disconnected(DeviceAddress)
    /// The pairing window opened with this code, or got a new one.
    case pairingWindow(code: String)
    /// The pairing window closed.
    case pairingWindowClosed
    /// A key was activated.
    case activated(keyID: [UInt8], slot: UInt8)
    /// A session began.
    case session(keyID: [UInt8], authCounter: UInt64?)
    /// A session ended before its link.
    case sessionEnded(String)
    /// A request was answered.
    case answered(command: String, StatusName, isSecured: Bool)
    /// An event was sent.
    case sent(event: String)
    /// A message violated the protocol.
    case problem(String)
}

extension CarEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connected(let peer): "\(peer) connected"
        case .disconnected(let peer): "\(peer) disconnected"
        case .pairingWindow(let code): "pairing window open, code \(code)"
        case .pairingWindowClosed: "pairing window closed"
        case .activated(let keyID, let slot): "key \(Hex.text(keyID)) activated in slot \(slot)"
        case .session(let keyID, let counter):
            "session of key \(Hex.text(keyID))" + (counter.map { ", auth counter \($0)" } ?? "")
        case .sessionEnded(let why): "session ended: \(why)"
        case .answered(let command, let status, let isSecured):
            "\(command) answered with \(status.rawValue)\(isSecured ? ", secured" : "")"
        case .sent(let event): "\(event) sent"
        case .problem(let text): text
        }
    }
}
