public import CoreBluetooth
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
