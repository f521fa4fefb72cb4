public import CoreBluetooth
import Foundation
public import LEHost
public import UQDK

/// A failure of a car, as reported by its manager.
public enum UQDKBleError: Error, Hashable, Sendable {
    /// A connect is already running; the new one was not started.
    case alreadyConnecting
    /// The car is already connected.
    case alreadyConnected
    /// The link is being ended; the new connect was not started.
    case isDisconnecting
    /// Not a MAC address: `AA:BB:CC:DD:EE:FF`, `AA-BB-CC-DD-EE-FF` or twelve hexadecimal digits.
    case invalidMAC
    /// The radio can't be used, because of this state.
    case bluetooth(CBManagerState)
    /// Another program has a link to the car.
    case connectedElsewhere
    /// The car was not found in time.
    case scanTimedOut
    /// The link was not established in time.
    case connectTimedOut
    /// The link could not be established.
    case connectFailed(CBError.Code?)
    /// Discovery, the Info value or the subscription was not completed in time.
    case discoveryTimedOut
    /// The car does not have the dialect's service, or no longer has it.
    case serviceMissing
    /// The service lacks a characteristic that the dialect names.
    case characteristicMissing
    /// Services or characteristics could not be discovered, or the Info value could not be read.
    case discoveryFailed
    /// The car refused to notify at every try.
    case notificationsRefused
    /// The link was lost.
    case linkLost(CBError.Code?)
    /// Disconnected, or the manager was released, before completion.
    case cancelled
    /// The car is not connected.
    case notReady
    /// No response came in time.
    case timedOut
    /// The car answered with another status than success.
    case refused(UQDKResponse)
    /// The vehicle's proof doesn't match the key, so the responder is not the car.
    case vehicleNotAuthentic
    /// No authentication try was completed in time.
    case authenticationTimedOut
    /// The session ended before the response came.
    case sessionEnded
    /// The auth counter could not be stored, so nothing was sent with it; or it is used up.
    case counterNotStored
    /// The message can't be encoded.
    case encoding(UQDKEncodeError)
    /// The message is longer than the car's maximum; the length is in bytes.
    case tooLongForVehicle(Int)
    /// The response doesn't match its command.
    case badResponse
    /// A value could not be written.
    case writeFailed
    /// No random bytes are available.
    case noEntropy
    /// A message with this id is waiting for its response.
    case idInUse
    /// The pairing code has characters other than digits, or too many digits.
    case invalidPairingCode
}

extension UQDKBleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .alreadyConnecting: "a connect is already running"
        case .alreadyConnected: "the car is connected already"
        case .isDisconnecting: "the link is being ended"
        case .invalidMAC: "the address is not a MAC address"
        case .bluetooth(let state): "the adapter does not work: \(state.words)"
        case .connectedElsewhere: "another program has a link to the car"
        case .scanTimedOut: "the car was not heard in time"
        case .connectTimedOut: "the link was not made in time"
        case .connectFailed(let code): "connecting failed" + Self.reason(code)
        case .discoveryTimedOut: "discovery was not done in time"
        case .serviceMissing: "the car does not have the dialect's service"
        case .characteristicMissing: "the dialect's service lacks a characteristic"
        case .discoveryFailed: "the services could not be discovered"
        case .notificationsRefused: "the car refused to notify"
        case .linkLost(let code): "the link was lost" + Self.reason(code)
        case .cancelled: "cancelled"
        case .notReady: "the car is not connected"
        case .timedOut: "no response in time"
        case .refused(let response): response.status?.rawValue ?? "status \(response.statusCode)"
        case .vehicleNotAuthentic: "the vehicle's proof does not match the key"
        case .authenticationTimedOut: "no authentication attempt ended in time"
        case .sessionEnded: "the session ended before the response came"
        case .counterNotStored: "the auth counter could not be kept"
        case .encoding(let problem): "the dialect can't express it: \(problem)"
        case .tooLongForVehicle(let limit): "the message is longer than the \(limit) bytes that the car takes"
        case .badResponse: "the response does not match the command"
        case .writeFailed: "a write failed"
        case .noEntropy: "there are no random bytes"
        case .idInUse: "a message with this id waits for its response"
        case .invalidPairingCode: "the pairing code has letters or too many digits"
        }
    }

    private static func reason(_ code: CBError.Code?) -> String {
        code.map { ": \(CBError($0).localizedDescription)" } ?? ""
    }
}

extension CBManagerState {
    /// The state as a sentence names it.
    package var words: String {
        switch self {
        case .unknown: "unknown"
        case .resetting: "being reset"
        case .unsupported: "unsupported"
        case .unauthorized: "not permitted"
        case .poweredOff: "off"
        case .poweredOn: "on"
        }
    }
}

/// Times, limits and behaviour of a manager.
public struct UQDKBleOptions: Hashable, Sendable {
    /// Time limit of the scan, from the moment the radio is on; zero for none.
    public var scanTimeout: Duration
    /// Time limit of establishing the link.
    public var connectTimeout: Duration
    /// Time limit of discovery and the Info value, and then of the subscription.
    public var discoveryTimeout: Duration
    /// Time limit of one authentication try.
    public var authenticationTimeout: Duration
    /// Time limit of a response, from the request's last fragment.
    public var commandTimeout: Duration
    /// Number of tries to turn notifications on.
    public var notificationTries: Int
    /// Number of tries of an authentication that times out.
    public var authenticationTries: Int
    /// Services to scan for; nil for all devices.
    ///
    /// Required in the background of a phone.
    public var scanServices: [CBUUID]?
    /// Whether a scan reports every advertisement of a device rather than only the first.
    public var allowsDuplicates = false
    /// Whether a connect waits while the radio is off instead of failing.
    public var waitsForPower = true
    /// Whether an authentication follows automatically when a session ends and the link remains.
    public var reauthenticatesAutomatically = true
    /// Write type of fragments.
    public var writeType = CBCharacteristicWriteType.withResponse
    /// Connection parameters to request for a new link; nil leaves them to the host.
    public var connectionParameters: ConnectionParameters?
    /// The id of the first request on each link; nil for the lowest request id of the dialect.
    public var firstMessageID: UInt64?

    func firstMessageID(_ dialect: Dialect) -> UInt64 {
        let ids = dialect.requestIDs
        return firstMessageID.flatMap { ids.contains($0) ? $0 : nil } ?? ids.lowerBound
    }

    /// Creates the times and limits of a dialect.
    public init(_ dialect: Dialect = .reference1) {
        let limits = dialect.limits
        scanTimeout = .milliseconds(limits.scan)
        connectTimeout = .milliseconds(limits.connect)
        discoveryTimeout = .milliseconds(limits.discovery)
        authenticationTimeout = .milliseconds(limits.authentication)
        commandTimeout = .milliseconds(limits.command)
        notificationTries = limits.notificationTries
        authenticationTries = limits.authenticationTries
    }
}
