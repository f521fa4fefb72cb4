public import CoreBluetooth
public import UQDK

/// What went wrong with a car, as its manager tells it.
public enum UQDKBleError: Error, Hashable, Sendable {
    /// A connect runs already; the new one has not begun.
    case alreadyConnecting
    /// The car is connected already.
    case alreadyConnected
    /// The link is being ended; the new connect has not begun.
    case isDisconnecting
    /// The text is no MAC: `AA:BB:CC:DD:EE:FF`, `AA-BB-CC-DD-EE-FF` or twelve hexadecimal digits.
    case invalidMAC
    /// The radio can't be used, and why.
    case bluetooth(CBManagerState)
    /// Another program has a link to the car.
    case connectedElsewhere
    /// The car was not heard in time.
    case scanTimedOut
    /// The link was not made in time.
    case connectTimedOut
    /// The link was not made.
    case connectFailed(CBError.Code?)
    /// Services, characteristics or the Info value did not come in time, or the subscription.
    case discoveryTimedOut
    /// The car does not have the service of the dialect, or has it no longer.
    case serviceMissing
    /// The service lacks a characteristic that the dialect names.
    case characteristicMissing
    /// Services or characteristics could not be discovered, or the Info value not be read.
    case discoveryFailed
    /// The car refused to notify, as often as it was asked.
    case notificationsRefused
    /// The link was lost.
    case linkLost(CBError.Code?)
    /// Disconnecting, or the end of the manager, came before.
    case cancelled
    /// The car is not connected.
    case notReady
    /// No response came in time.
    case timedOut
    /// The car answered with another status than success.
    case refused(UQDKResponse)
    /// The vehicle's proof is not that of the key: what answered is not the car.
    case vehicleNotAuthentic
    /// No try of the authentication ended in time.
    case authenticationTimedOut
    /// The session ended before the response came.
    case sessionEnded
    /// The auth counter could not be kept, so nothing was sent under it; or it is used up.
    case counterNotStored
    /// The message can't be made.
    case encoding(UQDKEncodeError)
    /// The message is longer than the car says that it takes, in octets.
    case tooLongForVehicle(Int)
    /// The response is not one of its command.
    case badResponse
    /// A value could not be written.
    case writeFailed
    /// There are no random octets.
    case noEntropy
    /// A message with this id waits for its response.
    case idInUse
    /// Letters or too many digits where a pairing code is wanted.
    case invalidPairingCode
}
