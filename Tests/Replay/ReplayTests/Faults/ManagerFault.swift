import Synchronization
import Testing

@testable import Replay
@testable import UQDK
@testable import UQDKBle

/// A fault of the digital-key manager, switched in at the places where its parts talk to each other, or by
/// what it is made of. The table of all of them is ``all``.
struct ManagerFault: Sendable, CustomTestStringConvertible {
    typealias Seam = UQDKDriver.Seam

    /// What the log must hold so that the fault makes a difference.
    enum Log: Sendable {
        /// Nothing else than what was recorded.
        case asRecorded
        /// One answer of the car comes 20 s after its request.
        case lateAnswer
        /// One answer has a byte that is wrong, and a checksum that says so.
        case wrongChecksum
        /// One secured answer has a tag that is wrong, and the right checksum.
        case wrongTag
    }

    var name: String
    var log: Log
    /// Whether it makes no difference to anyone: by the rules of ``FaultDetectionTests``.
    var isHarmless: Bool
    /// The field that the report must name; nil for any, or none.
    var field: String?
    /// Whether there is a place for it at each message; else there is one in a log.
    var hasPlaces: Bool
    /// Whether it shows in a later message: where none follows, it makes no difference.
    var showsLater = false
    var seam: @Sendable (FaultTrigger) -> Seam

    var testDescription: String { name }

    /// A manager that is made of other parts.
    static func made(
        _ name: String, field: String? = nil, isHarmless: Bool = false,
        _ before: @escaping @Sendable (inout Seam.Parts) -> Void
    ) -> ManagerFault {
        .init(name: name, log: .asRecorded, isHarmless: isHarmless, field: field, hasPlaces: false) {
            trigger in
            Seam(before: { parts in
                before(&parts)
                trigger.note()
            })
        }
    }

    /// A manager one of whose parts does something else.
    static func at(
        _ name: String, in log: Log = .asRecorded, isHarmless: Bool = false, hasPlaces: Bool = true,
        showsLater: Bool = false, _ after: @escaping @Sendable (UQDKBleManager, FaultTrigger) -> Void
    ) -> ManagerFault {
        .init(
            name: name, log: log, isHarmless: isHarmless, hasPlaces: hasPlaces, showsLater: showsLater
        ) { trigger in
            Seam(after: { after($0, trigger) })
        }
    }

    /// A manager that tells of one answer something else.
    ///
    /// - Parameter change: calls the completion with what is told instead; false where it can't be done to
    ///   this result.
    static func telling(
        _ name: String, in log: Log = .asRecorded, isHarmless: Bool = false,
        _ change:
            @escaping @Sendable (
                UQDKBleManager, Result<UQDKResponse, UQDKBleError>, @escaping UQDKCompletion
            ) -> (() -> Void)?
    ) -> ManagerFault {
        at(name, in: log, isHarmless: isHarmless) { manager, trigger in
            manager.whenWritten { manager, id in
                // The parts of an authentication are the manager's own.
                guard let asked = manager.commandData[id], asked.attempt == nil else { return }
                let completion = asked.completion
                manager.commandData[id]?.completion = { [weak manager] result in
                    guard let manager, let told = change(manager, result, completion), trigger.isMeant()
                    else { return completion(result) }
                    told()
                }
            }
        }
    }
}

/// Tells at which of the places that a fault can be in it is, and notes where in the log that was.
final class FaultTrigger: Sendable {
    private struct State {
        var left: Int
        var frame: Int?
        weak var recording: FakeAdapter?
    }

    private let state: Mutex<State>

    private let changed: UInt64?

    /// - Parameters:
    ///   - place: which of the places, from 0.
    ///   - changed: the id of the message whose answer is changed in the log; nil where none is.
    init(at place: Int, changed: UInt64? = nil) {
        state = Mutex(State(left: place))
        self.changed = changed
    }

    /// The last frame of the log that had passed when the fault was there; nil where it never was.
    var frame: Int? { state.withLock(\.frame) }

    func watch(_ recording: FakeAdapter) { state.withLock { $0.recording = recording } }

    /// Whether this is the place.
    ///
    /// - Parameter id: of the message; only that of the changed answer can be the place, where there is one.
    func isMeant(_ id: UInt64? = nil) -> Bool {
        guard id == nil || changed == nil || id == changed else { return false }
        let isHere = state.withLock { state in
            state.left -= 1
            return state.left == -1
        }
        if isHere { note() }
        return isHere
    }

    /// Notes that the fault is there.
    func note() {
        let recording = state.withLock { $0.recording }
        let frame = recording?.transcript.pdus.last { $0.frame > 0 }?.frame ?? 0
        state.withLock { $0.frame = $0.frame ?? frame }
    }
}

// Where the parts of a manager talk to each other.
extension UQDKBleManager {
    /// Puts something between the link and the manager for each message of the car.
    func whenReceived(_ body: @escaping (UQDKBleManager, UInt64, [UInt8], () -> Void) -> Void) {
        let original = bleAdapter.onMessage
        bleAdapter.onMessage = { [weak self] id, octets in
            guard let self else { return }
            body(self, id, octets) { original?(id, octets) }
        }
    }

    /// The same for answers that something waits for.
    func whenAnswered(_ body: @escaping (UQDKBleManager, UInt64, () -> Void) -> Void) {
        whenReceived { manager, id, _, original in
            if manager.commandData[id] == nil { original() } else { body(manager, id, original) }
        }
    }

    /// Hears of each request when its last fragment goes.
    func whenWritten(_ body: @escaping (UQDKBleManager, UInt64) -> Void) {
        let original = bleAdapter.onWritten
        bleAdapter.onWritten = { [weak self] id in
            original?(id)
            if let self { body(self, id) }
        }
    }

    /// Puts something between the car's services and the link.
    func whenLinkTells(
        _ body:
            @escaping (UQDKBleManager, UQDKPeripheralManager.Event, (UQDKPeripheralManager.Event) -> Void)
            -> Void
    ) {
        let original = bleAdapter.peripheralManager.onEvent
        bleAdapter.peripheralManager.onEvent = { [weak self] event in
            guard let self else { return }
            body(self, event) { original?($0) }
        }
    }

    /// Puts something between the manager and the application for each event of the car.
    func whenVehicleTells(_ body: @escaping @Sendable (UQDKVehicleEvent, (UQDKVehicleEvent) -> Void) -> Void)
    {
        let original = onEvent
        onEvent = { event in
            if case .vehicle(let told) = event {
                body(told) { original?(.vehicle($0)) }
            } else {
                original?(event)
            }
        }
    }
}
