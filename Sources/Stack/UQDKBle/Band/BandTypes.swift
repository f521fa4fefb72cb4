public import CoreBluetooth
public import Gadgets
public import WireBytes

/// How a band's client is set up: what concerns the manager, the scan and the discovery, each by itself.
public struct BandOptions: Hashable, Sendable {
    /// Of the manager: whether the system asks the person to switch the radio on.
    public var showsPowerAlert = true
    /// Of the manager: the name under which the system restores it; nil for none.
    public var restoreIdentifier: String?
    /// Of the scan: whether each advertisement of a device is reported.
    public var allowsDuplicates = false
    /// Of the discovery: everything that the band has, or only what is used.
    public var discoversEverything = false
    /// What an odd number of digits means in hexadecimal text.
    public var oddDigit = HexText.OddDigit.isAnError
    /// The name by which a band is known.
    public var name = "MI"
    /// How long a scan lasts, a link may take with its discovery, and an answer.
    public var scanTimeout = Duration.seconds(10)
    public var connectTimeout = Duration.seconds(10)
    public var answerTimeout = Duration.seconds(5)

    public init() {}
}

/// What went wrong with a band.
public enum BandError: Error, Equatable, Sendable {
    /// The radio can't be used, and why.
    case bluetooth(CBManagerState)
    /// A connect runs already, or the band is connected.
    case busy
    /// The band was not heard in time.
    case scanTimedOut
    /// The link, or what must be found on it, did not come in time.
    case connectTimedOut
    /// The link was not made.
    case connectFailed
    /// The band lacks the service or a characteristic, or does not notify.
    case notABand
    /// The band is not connected, or is gone.
    case notConnected
    /// Closed before it was done.
    case cancelled
    /// No answer came in time.
    case timedOut
    /// The answer is not one that a band gives.
    case badAnswer(BandBattery.Problem)
    /// The value is no UTF-8 text.
    case notText
    /// The text is not hexadecimal; nothing was written.
    case invalidHex(Hex.Problem)
    /// The value is longer than the link takes at once, in octets.
    case tooLong(limit: Int)
    /// The band refused.
    case refused(CBATTError.Code)
}

/// A device that a scan has found.
public struct BandDevice: Hashable, Sendable {
    /// The name that it advertises.
    public var name: String?
    /// The MAC that it advertises.
    public var address: String?
    /// How strongly it is heard: 0 to 1; nil where that is not known.
    public var strength: Double?

    /// The strength that an RSSI in dBm stands for; 127 means that it is not available.
    public static func strength(rssi: Int) -> Double? {
        rssi == 127 ? nil : min(1, max(0, Double(rssi + 100) / 100))
    }
}
