public import CoreBluetooth
import Foundation
public import Gadgets
public import WireBytes

/// Options of a band's client: manager, scan and discovery can be set independently.
public struct BandOptions: Hashable, Sendable {
    /// Manager: whether the system asks the user to turn the radio on.
    public var showsPowerAlert = true
    /// Manager: the identifier for state restoration; nil for none.
    public var restoreIdentifier: String?
    /// Scan: whether each advertisement of a device is reported.
    public var allowsDuplicates = false
    /// Discovery: everything that the band has, or only the parts in use.
    public var discoversEverything = false
    /// Treatment of an odd number of digits in hexadecimal text.
    public var oddDigit = HexText.OddDigit.isAnError
    /// The advertised name of a band.
    public var name = "MI"
    /// Time limits of a scan (zero for none), of a link with its discovery, and of an answer.
    public var scanTimeout = Duration.seconds(10)
    public var connectTimeout = Duration.seconds(10)
    public var answerTimeout = Duration.seconds(5)

    public init() {}
}

/// A failure of a band.
public enum BandError: Error, Equatable, Sendable {
    /// The radio can't be used, because of this state.
    case bluetooth(CBManagerState)
    /// A connect is already running, or the band is connected.
    case busy
    /// The band was not found in time.
    case scanTimedOut
    /// The link or its discovery was not completed in time.
    case connectTimedOut
    /// The link could not be established.
    case connectFailed
    /// The band lacks the service or a characteristic, or does not notify.
    case notABand
    /// The band is not connected, or is gone.
    case notConnected
    /// Closed before completion.
    case cancelled
    /// No answer came in time.
    case timedOut
    /// The answer is not in a band's format.
    case badAnswer(BandBattery.Problem)
    /// The value is not UTF-8 text.
    case notText
    /// The text is not hexadecimal; nothing was written.
    case invalidHex(Hex.Problem)
    /// The value is too long for one write; the limit is in bytes.
    case tooLong(limit: Int)
    /// The band refused.
    case refused(CBATTError.Code)
}

/// A device that a scan has found.
public struct BandDevice: Hashable, Sendable {
    /// The name that it advertises.
    public var name: String?
    /// The MAC address that it advertises.
    public var address: String?
    /// Signal strength from 0 to 1; nil if unknown.
    public var strength: Double?

    /// Returns the strength for an RSSI in dBm; 127 means not available.
    public static func strength(rssi: Int) -> Double? {
        rssi == 127 ? nil : min(1, max(0, Double(rssi + 100) / 100))
    }
}

extension BandError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bluetooth(let state): "the adapter does not work: \(state.words)"
        case .busy: "it is connected or connecting already"
        case .scanTimedOut: "not heard in time"
        case .connectTimedOut, .connectFailed: "the link was not made"
        case .notABand: "the device lacks FEE0, FF01 or FF02, or does not notify"
        case .notConnected: "the band is not connected"
        case .cancelled: "cancelled"
        case .timedOut: "no answer in time"
        case .badAnswer(let problem): "the answer is wrong: \(problem)"
        case .notText: "not UTF-8 text"
        case .invalidHex(let problem): "not hexadecimal: \(problem)"
        case .tooLong(let limit): "the link takes at most \(limit) bytes"
        case .refused(let code): CBATTError(code).localizedDescription
        }
    }
}
