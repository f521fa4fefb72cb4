import BluetoothCore
import CoreBluetooth
import SimulatedDevices
import UQDK

/// Repeats the recorded host's actions on the application's side, each at its turn (``HostTurn``): on
/// connections with the digital-key protocol through its manager, on the others by plain API calls.
///
/// Calls and callbacks run on the thread that advances virtual time.
final class LogDriver: Sendable {
    private let gatt: GATTDriver?
    private let uqdk: UQDKDriver?
    private let server: PeripheralDriver?
    private let car: SimulatedCar?
    /// Whether the recorded host is the central, by connection number.
    private let isCentral: [Int: Bool]
    private let visits: [Int: UQDKVisit]
    private let peers: [Int: DeviceAddress]
    private let adapter: BluetoothAdapter
    private let listener: DriverListener

    init(
        _ model: SessionModel, _ visits: [Int: UQDKVisit], car: RecordedCar?, actions: SessionModel,
        keys: KeyStore, on adapter: BluetoothAdapter, delivery: SettlingDelivery, seam: UQDKDriver.Seam,
        listener: DriverListener
    ) {
        self.visits = visits
        self.adapter = adapter
        self.listener = listener
        peers = Dictionary(uniqueKeysWithValues: model.connections.map { ($0.number, $0.peer) })
        if visits.isEmpty {
            uqdk = nil
        } else {
            uqdk = UQDKDriver(
                model, visits, keys: keys, on: adapter, delivery: delivery, seam: seam,
                note: listener.note)
        }
        isCentral = Dictionary(uniqueKeysWithValues: model.connections.map { ($0.number, $0.isCentral) })
        let isPlain = model.connections.contains { $0.isCentral && visits[$0.number] == nil }
        self.car = car.map { SimulatedCar($0.configuration, on: adapter) }
        server = model.ownDatabase.map { database in
            PeripheralDriver(
                actions, database, besides: car, on: adapter, delivery: delivery, listener: listener)
        }
        gatt = isPlain ? GATTDriver(model, on: adapter, delivery: delivery, listener: listener) : nil
    }

    /// Performs an action, now or as soon as possible.
    func take(_ turn: HostTurn) {
        let number = turn.connection
        if case .step(_, let step) = turn, case .pair = step.action, let peer = peers[number] {
            listener.note("host: frame \(step.frame) pairs")
            return adapter.secure(peer)
        }
        if case .step(_, let step) = turn, step.isRepetition { return }
        if isCentral[number] == false { return server?.take(turn) ?? () }
        if visits[number] != nil { uqdk?.take(turn) } else { gatt?.take(turn) }
    }

    var stateLines: [String] {
        (uqdk?.stateLines ?? []) + (gatt?.stateLines ?? []) + (server?.stateLines ?? [])
    }
    /// Actions of the application that can't be judged.
    var unjudged: [Obstacle] { gatt?.unjudged ?? [] }
    /// Actions of the log that were impossible through the API or differed from the recording.
    var notes: [String] { (uqdk?.notes ?? []) + (gatt?.notes ?? []) + (server?.notes ?? []) }
    var outcomes: [UQDKOutcome] { uqdk?.outcomes ?? [] }

    /// Returns the car callbacks that the application got, each with the callback that the log implies.
    ///
    /// - Parameter connections: the connections to judge.
    func reports(_ truth: UQDKTruth, _ connections: [RecordedConnection]) -> [UQDKReport] {
        guard let uqdk else { return [] }
        var reports: [UQDKReport] = []
        for connection in connections {
            guard let visit = visits[connection.number] else { continue }
            reports += truth.connecting(connection, visit, reported: uqdk.connected).map { [$0] } ?? []
            reports += outcomes.filter { $0.connection == connection.number }.map(truth.report)
            reports += truth.events(on: connection.number, visit, reported: uqdk.reported)
        }
        return reports
    }

    /// The number of car events that reached the application.
    var toldEvents: Int { uqdk?.reported.count ?? 0 }

    /// Number of values that the log provided in place of the application. They prove nothing about the
    /// stack.
    var given: Int { (uqdk?.given ?? 0) + (gatt?.given ?? 0) + (server?.given ?? 0) }
}

/// Receives the API's callbacks to a driver.
struct DriverListener: Sendable {
    /// Receives a callback as one line for the transcript.
    var note: @Sendable (String) -> Void
    /// Receives an event that the host itself reported, and its device.
    var tell: @Sendable (ApplicationEvent, DeviceAddress) -> Void
}
