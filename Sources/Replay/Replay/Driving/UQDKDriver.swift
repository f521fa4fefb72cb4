import BluetoothCore
import CoreBluetooth
import PayloadFormat
import Runtime
import UQDK
import UQDKBle
import WireBytes

/// Repeats a recorded phone's actions with a car by calls of the digital-key manager.
///
/// It connects, activates, authenticates and sends car commands. The manager computes proofs, tags and
/// checksums itself.
final class UQDKDriver: @unchecked Sendable {
    /// Hooks with which tests inject faults into the managers.
    struct Seam: Sendable {
        struct Parts {
            var dialect: Dialect
            var options: UQDKBleOptions
            var data: UQDKDataManager
        }

        /// Called before a manager is created.
        var before: @Sendable (inout Parts) -> Void = { _ in }
        /// Called with each manager before its first use.
        var after: @Sendable (UQDKBleManager) -> Void = { _ in }
    }

    struct Connected: Sendable {
        var connection: Int
        var error: String?
        var time: Instant
    }

    struct ReportedEvent: Sendable {
        var connection: Int
        var event: UQDKVisit.Event
        var time: Instant
    }

    private struct Visit {
        var visit: UQDKVisit
        var manager: UQDKBleManager?
        /// Requests that wait until the link is ready.
        var waiting: [UQDKVisit.Request] = []
        var wantsEnd = false
    }

    private let adapter: BluetoothAdapter
    private let delivery: SettlingDelivery
    private let keys: KeyStore
    private let seam: Seam
    private let note: @Sendable (String) -> Void
    private var visits: [Int: Visit]
    private var managers: [DeviceAddress: UQDKBleManager] = [:]
    /// The phone's data about each car, kept from visit to visit.
    private var kept: [DeviceAddress: UQDKDataManager] = [:]
    private(set) var notes: [String] = []
    private(set) var given = 0
    /// Outcomes of the requests, in order.
    private(set) var outcomes: [UQDKOutcome] = []
    /// Events that the managers reported, in order.
    private(set) var reported: [ReportedEvent] = []
    private(set) var connected: [Connected] = []

    /// - Parameters:
    ///   - model: the connections whose peers get managers.
    ///   - visits: the recorded visits, by connection number.
    ///   - delivery: its inline queue is the managers' callback queue, on the pumping thread.
    ///   - note: receives a line for each callback.
    init(
        _ model: SessionModel, _ visits: [Int: UQDKVisit], keys: KeyStore, on adapter: BluetoothAdapter,
        delivery: SettlingDelivery,
        seam: Seam, note: @escaping @Sendable (String) -> Void
    ) {
        self.visits = visits.mapValues { Visit(visit: $0) }
        self.adapter = adapter
        self.delivery = delivery
        self.keys = keys
        self.seam = seam
        self.note = note
        // The managers exist before any turn, since the first of them switches the adapter on.
        for connection in model.connections where managers[connection.peer] == nil {
            guard let visit = visits[connection.number] else { continue }
            managers[connection.peer] = make(visit, connection.peer, connection: connection.number)
        }
    }

    func take(_ turn: HostTurn) {
        switch turn {
        case .connect(let number, let address): connect(connection: number, address)
        // A failed attempt has no messages of the protocol.
        case .giveUp: break
        case .step(let number, let step): take(step, connection: number)
        }
    }

    var stateLines: [String] {
        managers.keys.sorted { $0.value < $1.value }.compactMap { address in
            managers[address].map { manager in
                "UQDK manager of \(address): \(manager.status), "
                    + (manager.isAuthenticated ? "a session stands" : "no session")
            }
        }
    }

    private func connect(connection number: Int, _ address: DeviceAddress) {
        if visits.contains(where: { $0.key < number && $0.value.manager === managers[address] }),
            let visit = visits[number]?.visit
        {
            // Each visit has its own options.
            managers[address] = make(visit, address, connection: number)
        }
        guard let manager = managers[address] else { return }
        visits[number]?.manager = manager
        manager.connectToVehicle { [weak self, weak manager] error in
            guard let self, let manager else { return }
            note("connectToVehicle \(Self.text(error))")
            for field in manager.vehicleInfo { note("info \(field.name) \(field.value)") }
            connected.append(Connected(connection: number, error: error.map { "\($0)" }, time: now))
            if error == nil { advance(connection: number) }
        }
    }

    private func make(_ visit: UQDKVisit, _ address: DeviceAddress, connection number: Int) -> UQDKBleManager?
    {
        let id = visit.keyID(in: keys)
        let key = id.flatMap(keys.key)
        // The counter's value before the session starts.
        let data =
            kept[address]
            ?? UQDKDataManager(
                keyID: key?.keyID ?? id ?? [], key: key?.key ?? [],
                authCounter: visit.authCounterBefore ?? 0)
        kept[address] = data
        var options = UQDKBleOptions(visit.dialect)
        options.reauthenticatesAutomatically = false
        // The first message ID is the phone's choice.
        options.firstMessageID = visit.requests.first?.id
        options.writeType = visit.writesWithoutResponse ? .withoutResponse : .withResponse
        var parts = Seam.Parts(dialect: visit.dialect, options: options, data: data)
        seam.before(&parts)
        let manager: UQDKBleManager
        do throws(UQDKBleError) {
            manager = try UQDKBleManager.createBLE(
                mac: "\(address)", data: parts.data, dialect: parts.dialect, options: parts.options,
                context: ManagerContext(adapter: adapter, queue: delivery.inline))
        } catch {
            notes.append("no manager for \(address): \(error)")
            return nil
        }
        let note = note
        manager.deviceStatusChanged = { note("status \($0)") }
        manager.onEvent = { [weak self] event in
            note("event " + Self.text(event))
            self?.noteEvent(event, connection: number)
        }
        seam.after(manager)
        return manager
    }

    private var now: Instant { adapter.time.now }

    private func noteEvent(_ event: UQDKBleEvent, connection number: Int) {
        guard case .vehicle(let event) = event else { return }
        reported.append(
            ReportedEvent(
                connection: number,
                event: .init(frame: 0, command: event.command, body: event.body, isRequired: true),
                time: now))
    }

    // MARK: Requests

    private func take(_ step: HostStep, connection number: Int) {
        guard let visit = visits[number] else { return }
        if case .disconnect = step.action {
            visits[number]?.wantsEnd = true
            return advance(connection: number)
        }
        guard let request = visit.visit.requests.first(where: { $0.frames.first == step.frame }) else {
            // Neither later fragments nor the manager's own actions before it is ready need a call.
            if visit.visit.isForeign(step) {
                notes.append(
                    "frame \(step.frame) is about another service, which no call of the manager uses")
            }
            return
        }
        visits[number]?.waiting.append(request)
        advance(connection: number)
    }

    private func advance(connection number: Int) {
        guard let visit = visits[number], let manager = visit.manager else { return }
        if manager.status == .ready || manager.status == .authenticating {
            visits[number]?.waiting = []
            for request in visit.waiting { perform(request, manager, visit.visit, connection: number) }
        }
        guard visit.wantsEnd else { return }
        visits[number]?.wantsEnd = false
        let note = note
        manager.disconnect { note("disconnect done") }
    }

    /// Makes a request. Its content is the application's choice.
    private func perform(
        _ request: UQDKVisit.Request, _ manager: UQDKBleManager, _ visit: UQDKVisit, connection number: Int
    ) {
        let note = note
        let name = request.name
        let frame = request.frames.first ?? 0
        let completion: UQDKCompletion = { [weak self] result in
            note("\(name) \(Self.text(result))")
            switch result {
            case .success(let response): self?.ended(frame: frame, nil, response.body)
            case .failure(let error): self?.ended(frame: frame, error)
            }
        }
        expect(request, visit, connection: number)
        let isRefused = request.status == .badMessage
        if request.isBroken && (isRefused || request.answer == nil) || request.command == nil && isRefused {
            // A car that rejected or ignored the message in the log probably got it broken over the air too.
            let fault = request.isBroken ? "with a wrong checksum" : "without its beginning"
            notes.append("frame \(frame): \(name) was sent \(fault); it is sent as recorded")
            given += 1
            return manager.sendRaw(fragments: request.values, id: request.id ?? 0, completion)
        }
        switch request.purpose {
        case .activate where request.proof == .verified:
            let code = visit.keyID(in: keys).flatMap(keys.key)?.pairingCode ?? []
            manager.activate(pairingCode: String(decoding: code, as: UTF8.self), completion)
        case .authBegin:
            manager.authenticate { [weak self] error in
                note("authenticate \(Self.text(error))")
                self?.ended(frame: frame, error)
            }
        // The manager continues on its own.
        case .authFinish: break
        case .activate, .ordinary:
            if request.purpose == .activate {
                notes.append(
                    "frame \(frame): the proof of \(name) is not that of the known code; it is "
                        + "taken from the log")
            }
            guard let command = request.command else {
                return notes.append("frame \(frame) holds no command that could be called")
            }
            if request.body == nil {
                notes.append("frame \(frame): the body of \(name) can't be read; it is called without one")
            }
            given += 1
            manager.send(command: command, body: request.body ?? [], completion)
        }
    }

    /// Adds the outcome that the log implies for a request that is made now.
    private func expect(_ request: UQDKVisit.Request, _ visit: UQDKVisit, connection number: Int) {
        guard request.purpose != .authFinish else { return }
        let options = UQDKBleOptions(visit.dialect)
        let isAuthentication = request.purpose == .authBegin
        let limit = isAuthentication ? options.authenticationTimeout : options.commandTimeout
        var outcome = UQDKOutcome(
            connection: number, frame: request.frames.first ?? 0,
            name: isAuthentication ? "authentication" : request.name,
            expected: visit.ending(of: request, within: limit))
        let deciding = visit.deciding(request, within: limit)
        if outcome.expected == .unanswered {
            // An authentication may be retried, so no single frame decides.
            outcome.decidedBy = isAuthentication ? nil : request.frames.last
            outcome.delay = limit
        } else {
            outcome.decidedBy = deciding?.answer?.frame
            if !isAuthentication { outcome.body.expected = deciding?.answer?.body }
        }
        outcomes.append(outcome)
    }

    private func ended(frame: Int, _ error: UQDKBleError?, _ body: [UInt8]? = nil) {
        guard let place = outcomes.firstIndex(where: { $0.frame == frame }) else { return }
        outcomes[place].told.append(now)
        outcomes[place].body.got = body
        switch error {
        case nil: outcomes[place].got = .ok
        case .refused(let response):
            outcomes[place].got = .refused(response.status)
            outcomes[place].body.got = response.body
        case let error?:
            outcomes[place].got = .unanswered
            outcomes[place].error = "\(error)"
            outcomes[place].isTimeout = error == .timedOut
        }
    }

    private static func text(_ event: UQDKBleEvent) -> String {
        guard case .vehicle(let event) = event else { return "\(event)" }
        let name = event.name ?? "0x" + String(event.command, radix: 16)
        return "\(name) \(Hex.text(event.body))" + (event.isSecured ? ", secured" : ", in clear")
    }

    private static func text(_ error: UQDKBleError?) -> String {
        error.map(String.init(describing:)) ?? "ok"
    }

    private static func text(_ result: Result<UQDKResponse, UQDKBleError>) -> String {
        switch result {
        case .success(let response): "ok \(Hex.text(response.body))"
        case .failure(.refused(let response)):
            "refused \(response.status?.rawValue ?? "\(response.statusCode)")"
        case .failure(let error): "\(error)"
        }
    }
}
