import CoreBluetooth
import Foundation
import UQDK
import UQDKBle

/// Reports of the phone's manager, in words.
enum PhoneText {
    static func status(_ status: UQDKBleStatus) -> String {
        switch status {
        case .failed(let error): "failed: \(self.error(error))"
        default: "\(status.kind)"
        }
    }

    static func error(_ error: UQDKBleError) -> String {
        switch error {
        case .refused(let response): response.status?.rawValue ?? "status \(response.statusCode)"
        case .scanTimedOut: "the car was not heard in time"
        case .connectTimedOut: "the link was not made in time"
        case .discoveryTimedOut: "discovery was not done in time"
        case .serviceMissing: "the car does not have the dialect's service"
        case .characteristicMissing: "the dialect's service lacks a characteristic"
        case .timedOut: "no response in time"
        case .vehicleNotAuthentic: "the vehicle's proof does not match the key"
        case .authenticationTimedOut: "no authentication attempt ended in time"
        case .sessionEnded: "the session ended before the response came"
        case .encoding(let problem): "the dialect can't express it: \(problem)"
        case .bluetooth(let state): "the adapter does not work: \(state)"
        case .linkLost(let code): "the link was lost" + reason(code)
        case .connectFailed(let code): "connecting failed" + reason(code)
        case .discoveryFailed: "the services could not be discovered"
        case .notificationsRefused: "the car refused to notify"
        case .writeFailed: "a write failed"
        case .badResponse: "the response does not match the command"
        case .notReady: "the car is not connected"
        case .cancelled: "cancelled"
        case .counterNotStored: "the auth counter could not be kept"
        case .tooLongForVehicle(let limit): "the message is longer than the \(limit) bytes that the car takes"
        default: "\(error)"
        }
    }

    private static func reason(_ code: CBError.Code?) -> String {
        code.map { ": \(CBError($0).localizedDescription)" } ?? ""
    }

    static func event(_ event: UQDKBleEvent) -> String {
        switch event {
        case .vehicle(let told):
            "\(told.name ?? "event 0x\(String(told.command, radix: 16))")"
                + (told.fields.isEmpty ? "" : ": \(told.fields.shown)")
        case .authenticated(let lifetime): "session" + (lifetime.map { " for \($0) s" } ?? "")
        case .sessionEnded(let why): "session ended: \(why)"
        case .reauthenticationFailed(let error): "no new session: \(self.error(error))"
        case .problem(let problem):
            "ignored" + (problem.id.map { ", message \($0)" } ?? "") + ": \(problem.kind)"
        }
    }

    /// The name of an action's command in the reference format.
    static func command(_ action: DriveAction) -> String {
        switch action {
        case .activate: "ACTIVATE"
        case .lock: "DOOR_LOCK"
        case .unlock: "DOOR_UNLOCK"
        case .trunk: "TRUNK_OPEN"
        case .find: "FIND_VEHICLE"
        case .engineStart: "ENGINE_START"
        case .engineStop: "ENGINE_STOP"
        case .windows: "WINDOW_SET"
        case .status: "STATUS_QUERY"
        case .wait: "wait"
        case .send(let code, _): "command 0x" + String(code, radix: 16)
        }
    }
}
