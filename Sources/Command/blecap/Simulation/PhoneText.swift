import UQDK
import UQDKBle

/// Reports of the phone's manager, in words.
enum PhoneText {
    static func event(_ event: UQDKBleEvent) -> String {
        guard case .vehicle(let told) = event, !told.fields.isEmpty else { return "\(event)" }
        return "\(event): \(told.fields.shown)"
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
