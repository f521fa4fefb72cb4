import BluetoothCore
public import CoreBluetooth
public import PayloadFormat
import Synchronization
public import UQDK

/// A digital-key manager for one car: connects, activates a key, authenticates, and sends commands.
///
/// Methods may be called from anywhere; they run in the queue of the context, in the order of the calls, and
/// all callbacks arrive there. Time and randomness come from the context's adapter.
///
/// All state except `visible` is used only in that queue; hence the unchecked conformance.
public final class UQDKBleManager: @unchecked Sendable {
    private struct Visible {
        var status = UQDKBleStatus.disconnected
        var isAuthenticated = false
        var info: [DecodedField] = []
        var statusChanged: (@Sendable (UQDKBleStatus) -> Void)?
        var event: (@Sendable (UQDKBleEvent) -> Void)?
    }

    private let visible = Mutex(Visible())
    let bleAdapter: UQDKBleAdapter
    let data: UQDKDataManager
    let dialect: Dialect
    let options: UQDKBleOptions

    /// Completion of the running connect; another connect is refused at once.
    private var connecting: (@Sendable (UQDKBleError?) -> Void)?
    /// Activations and authentications, run one at a time.
    var apiQueue: [UQDKOperation] = []
    var isOperating = false
    /// Commands waiting for an authentication to end, in the order of the calls.
    var commandQueue: [UQDKRequest] = []
    /// Requests waiting for a message id, in the order of the calls.
    var idQueue: [UQDKRequest] = []
    /// Requests with an outstanding response, by message id.
    var commandData: [UInt64: UQDKOutstanding] = [:]
    var nextID: UInt64
    var session: PhoneSession?
    /// Increasing number that distinguishes sessions.
    var sessionNumber = 0
    var sessionTimer: UQDKTimer?
    var authentication: UQDKAuthenticationRun?
    /// Increasing number that distinguishes authentication tries.
    var attemptNumber = 0

    /// Creates a manager for the car with a MAC address: `AA:BB:CC:DD:EE:FF`, `AA-BB-…` or twelve digits, in
    /// any case.
    ///
    /// - Parameters:
    ///   - mac: the car's address.
    ///   - data: the key and its counter.
    ///   - dialect: the car's wire format.
    ///   - options: nil for the dialect's own times and limits.
    ///   - context: the adapter and the queue; by default those that code for iOS gets.
    public static func createBLE(
        mac: String, data: UQDKDataManager, dialect: Dialect = .reference1, options: UQDKBleOptions? = nil,
        context: ManagerContext = ManagerContext()
    ) throws(UQDKBleError) -> UQDKBleManager {
        guard let address = DeviceAddress(mac) else { throw .invalidMAC }
        return UQDKBleManager(address, data, dialect, options ?? UQDKBleOptions(dialect), context)
    }

    private init(
        _ mac: DeviceAddress, _ data: UQDKDataManager, _ dialect: Dialect, _ options: UQDKBleOptions,
        _ context: ManagerContext
    ) {
        self.data = data
        self.dialect = dialect
        self.options = options
        nextID = options.firstMessageID(dialect)
        bleAdapter = UQDKBleAdapter(mac, dialect, options, context)
        bleAdapter.onStatus = { [weak self] in self?.statusDidChange($0) }
        bleAdapter.onLinkEnds = { [weak self] in self?.linkEnds($0) }
        bleAdapter.onInfo = { [weak self] in self?.infoDidCome($0) }
        bleAdapter.onMessage = { [weak self] in self?.received(id: $0, $1) }
        bleAdapter.onProblem = { [weak self] in self?.tell(.problem($0)) }
        bleAdapter.onWritten = { [weak self] in self?.lastFragmentGoes($0) }
        bleAdapter.onWriteFailed = { [weak self] in self?.finish($0, .failure(.writeFailed)) }
    }

    // Pending completions are called in the queue, like all callbacks; the link ends with the released
    // objects.
    deinit {
        let (connecting, run) = (connecting, authentication?.completion)
        let operations = apiQueue.map(\.fail)
        let requests =
            commandData.sorted { $0.key < $1.key }.map(\.value.completion)
            + (idQueue + commandQueue).map(\.completion)
        bleAdapter.queue.run {
            connecting?(.cancelled)
            for completion in requests { completion(.failure(.cancelled)) }
            run?(.cancelled)
            for fail in operations { fail(.cancelled) }
        }
    }

    // MARK: Public state

    /// Called on each change of the status.
    public var deviceStatusChanged: (@Sendable (UQDKBleStatus) -> Void)? {
        get { visible.withLock { $0.statusChanged } }
        set { visible.withLock { $0.statusChanged = newValue } }
    }

    /// Receives events that no call has requested.
    public var onEvent: (@Sendable (UQDKBleEvent) -> Void)? {
        get { visible.withLock { $0.event } }
        set { visible.withLock { $0.event = newValue } }
    }

    /// The connection status of the car.
    public var status: UQDKBleStatus { visible.withLock { $0.status } }
    /// Whether a session exists.
    public var isAuthenticated: Bool { visible.withLock { $0.isAuthenticated } }
    /// The fields of the Info value of the last link; empty before one was read.
    public var vehicleInfo: [DecodedField] { visible.withLock { $0.info } }
    /// Forbidden transitions of the status; empty unless there is a bug.
    var refusedTransitions: [(from: UQDKBleStatus.Kind, to: UQDKBleStatus.Kind)] {
        bleAdapter.machine.refused
    }

    // MARK: Connecting

    /// Scans for the car, connects, discovers and subscribes; without power it starts when power returns.
    ///
    /// - Parameter completion: called once, with nil when the car accepts commands, otherwise with the error.
    public func connectToVehicle(_ completion: @escaping @Sendable (UQDKBleError?) -> Void = { _ in }) {
        bleAdapter.queue.run { [self] in
            guard connecting == nil else { return completion(.alreadyConnecting) }
            connecting = completion
            bleAdapter.connect { [weak self] error in
                self?.connecting = nil
                completion(error)
            }
        }
    }

    /// Ends the link or a running connect, which then ends with ``UQDKBleError/cancelled``.
    ///
    /// - Parameter completion: called when no link exists.
    public func disconnect(_ completion: @escaping @Sendable () -> Void = {}) {
        bleAdapter.queue.run { [self] in bleAdapter.disconnect(completion) }
    }

    // MARK: Link events

    func tell(_ event: UQDKBleEvent) {
        let handler = visible.withLock { $0.event }
        handler?(event)
    }

    func showSession() {
        let stands = session != nil
        visible.withLock { $0.isAuthenticated = stands }
    }

    private func statusDidChange(_ status: UQDKBleStatus) {
        let handler = visible.withLock { visible in
            visible.status = status
            return visible.statusChanged
        }
        handler?(status)
    }

    private func infoDidCome(_ octets: [UInt8]) {
        let fields = dialect.gatt.infoLayout.decode(octets).fields
        visible.withLock { $0.info = fields }
    }

    private func linkEnds(_ error: UQDKBleError) {
        if session != nil { endSession(.disconnected) }
        let run = authentication
        run?.timer.cancel()
        authentication = nil
        isOperating = false
        let (operations, requests) = (apiQueue, idQueue + commandQueue)
        let outstanding = commandData.sorted { $0.key < $1.key }.map(\.value)
        (apiQueue, idQueue, commandQueue, commandData) = ([], [], [], [:])
        nextID = options.firstMessageID(dialect)
        for one in outstanding { one.end(.failure(error)) }
        run?.completion(error)
        for one in operations { one.fail(error) }
        for one in requests { one.completion(.failure(error)) }
    }
}

// Raw access for testing cars and receivers: bytes are sent unchanged.
extension UQDKBleManager {
    /// Sends a message's bytes unchanged, cut into fragments with this id.
    ///
    /// The manager's own next id stays the same, nothing is secured, and any response with the id completes
    /// the call.
    public func sendRaw(message octets: [UInt8], id: UInt64, _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in
            do throws(UQDKBleError) {
                raw(try cut(octets, id: id), id, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Writes values unchanged; the response is expected under this id.
    public func sendRaw(fragments: [[UInt8]], id: UInt64, _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in raw(fragments, id, completion) }
    }

    private func raw(_ fragments: [[UInt8]], _ id: UInt64, _ completion: @escaping UQDKCompletion) {
        guard isUp else { return completion(.failure(.notReady)) }
        guard commandData[id] == nil else { return completion(.failure(.idInUse)) }
        guard !fragments.isEmpty else { return completion(.failure(.encoding(.noRoom(0)))) }
        commandData[id] = UQDKOutstanding(
            command: nil, session: nil, timeout: options.commandTimeout, attempt: nil, completion: completion)
        bleAdapter.write(fragments, id: id)
    }
}

// The same calls for async code; they throw the error that a completion would get.
extension UQDKBleManager {
    /// Scans for the car, connects, discovers and subscribes.
    ///
    /// Cancelling the task cancels the connect, which then throws ``UQDKBleError/cancelled``.
    public func connect() async throws(UQDKBleError) {
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { done in connectToVehicle { done.resume(returning: $0) } }
        } onCancel: {
            disconnect()
        }
        if let error { throw error }
    }

    /// Ends the link or a running connect; returns when no link exists.
    public func close() async {
        await withCheckedContinuation { done in disconnect { done.resume() } }
    }

    /// Activates the key with the code that the car shows.
    @discardableResult
    public func activate(pairingCode: String) async throws(UQDKBleError) -> UQDKResponse {
        try await response { activate(pairingCode: pairingCode, $0) }
    }

    /// Authenticates with the key, so that later commands are sent secured.
    public func authenticate() async throws(UQDKBleError) {
        let error = await withCheckedContinuation { done in authenticate { done.resume(returning: $0) } }
        if let error { throw error }
    }

    /// Locks doors.
    @discardableResult
    public func lock(doors: UQDKDoors = .all) async throws(UQDKBleError) -> UQDKResponse {
        try await response { lock(doors: doors, $0) }
    }

    /// Unlocks doors.
    @discardableResult
    public func unlock(doors: UQDKDoors = .all) async throws(UQDKBleError) -> UQDKResponse {
        try await response { unlock(doors: doors, $0) }
    }

    /// Sends a command by its name in the dialect, with the fields of its body.
    @discardableResult
    public func send(
        _ command: String, _ values: [String: AnnotationValue] = [:]
    ) async throws(UQDKBleError) -> UQDKResponse {
        try await response { send(command, values, $0) }
    }

    /// Requests the state of the vehicle; ``UQDKVehicleState`` decodes the response's fields.
    public func queryStatus() async throws(UQDKBleError) -> UQDKResponse {
        try await response { queryStatus($0) }
    }

    private func response(
        _ start: (@escaping UQDKCompletion) -> Void
    ) async throws(UQDKBleError) -> UQDKResponse {
        try await withCheckedContinuation { done in start { done.resume(returning: $0) } }.get()
    }
}

// Messages from the car: those accepted, and those only reported.
extension UQDKBleManager {
    /// Handles a complete message of the car.
    func received(id: UInt64, _ octets: [UInt8]) {
        let decoding = MessageDecoding(octets, dialect, from: .car, id: id)
        let fault = decoding.errors.first { error in
            // A command without a name may still be the response to a request sent by code.
            if case .unknownCommand = error { return false }
            return true
        }
        guard fault == nil, let message = decoding.message else {
            return problem(.message(fault ?? .tooShort(octets.count)), id)
        }
        var body = message.payload
        var counter: UInt64?
        if message.isSecured {
            guard var standing = session else { return problem(.noSession, id) }
            do throws(PhoneSession.Rejection) {
                let opened = try standing.open(message, header: decoding.headerOctets, id: id)
                (counter, body) = (opened.counter, opened.body)
            } catch {
                return problem(.security(error), id)
            }
            session = standing
        }
        switch message.kind {
        case .request: break
        case .event: event(id, message, body, counter)
        case .response: response(id, message, body, counter)
        }
        if session?.isUsedUp == true { endSession(.countersUsedUp) }
    }

    private func problem(_ kind: UQDKBleProblem.Kind, _ id: UInt64) {
        tell(.problem(UQDKBleProblem(kind: kind, id: id)))
    }

    private func event(_ id: UInt64, _ message: Message, _ body: [UInt8], _ counter: UInt64?) {
        guard message.isSecured || session == nil || dialect.securing == nil else {
            return problem(.inClear, id)
        }
        let command = dialect.command(message.command)
        let decoded = command?.request.decode(body)
        guard decoded?.misfit == nil else { return problem(.body, id) }
        tell(
            .vehicle(
                UQDKVehicleEvent(
                    id: id, command: message.command, name: command?.name, fields: decoded?.fields ?? [],
                    body: body, isSecured: message.isSecured, counter: counter)))
    }

    private func response(_ id: UInt64, _ message: Message, _ body: [UInt8], _ counter: UInt64?) {
        guard let asked = commandData[id] else { return problem(.unexpectedResponse, id) }
        let status = dialect.statusCode(body)
        let meaning = status.flatMap { dialect.status.meaning($0) }
        // The response to an unreadable message may name another command.
        if let code = asked.command, code != message.command, message.isSecured || meaning == .success {
            return problem(.otherCommand, id)
        }
        let isInClear = asked.session != nil && !message.isSecured && dialect.securing != nil
        let asksForAuthentication = isInClear && meaning == .authenticationRequired
        if isInClear, !asksForAuthentication { return problem(.inClear, id) }
        guard let status else { return finish(id, .failure(.badResponse)) }
        let rest = Array(body.dropFirst(dialect.status.width))
        var answer = UQDKResponse(
            id: id, command: message.command, name: dialect.command(message.command)?.name,
            statusCode: status, status: meaning, fields: [], body: rest, isSecured: message.isSecured,
            counter: counter)
        // This refusal in clear ends the session that secured the request, but no later one.
        let endsSession = asksForAuthentication && asked.session == sessionNumber && session != nil
        if endsSession { endSession(.refusedByVehicle) }
        if meaning == .success, let layout = dialect.command(message.command)?.response {
            let decoded = layout.decode(rest)
            answer.fields = decoded.fields
            let isRaw = asked.command == nil
            finish(id, decoded.misfit == nil || isRaw ? .success(answer) : .failure(.badResponse))
        } else {
            finish(id, meaning == .success ? .success(answer) : .failure(.refused(answer)))
        }
        if endsSession { reauthenticate() }
    }
}

/// A request without a message id.
struct UQDKRequest {
    var command: UInt64
    var body: [UInt8]
    /// Whether the session secures it if its command requires that.
    var isOrdinary: Bool
    /// Time limit of its response; nil if something else limits it.
    var timeout: Duration?
    /// The authentication try that it belongs to.
    var attempt: Int?
    var completion: UQDKCompletion
}

struct UQDKOutstanding {
    /// The command; nil for raw bytes.
    var command: UInt64?
    /// The session that secured it; nil if sent in clear.
    var session: Int?
    var timeout: Duration?
    var attempt: Int?
    /// Runs from the last fragment.
    var timer: UQDKTimer?
    var completion: UQDKCompletion

    func end(_ result: Result<UQDKResponse, UQDKBleError>) {
        timer?.cancel()
        completion(result)
    }
}

/// A queued activation or authentication.
struct UQDKOperation {
    var isAuthentication: Bool
    var run: () -> Void
    var fail: @Sendable (UQDKBleError) -> Void
}

struct UQDKAuthenticationRun {
    var phone: PhoneAuthentication
    var attempt: Int
    var triesLeft: Int
    var timer: UQDKTimer
    var completion: @Sendable (UQDKBleError?) -> Void
}
