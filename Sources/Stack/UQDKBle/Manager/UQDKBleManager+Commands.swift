import PayloadFormat
import UQDK

// Commands to the car.
extension UQDKBleManager {
    /// Locks doors.
    public func lock(doors: UQDKDoors = .all, _ completion: @escaping UQDKCompletion) {
        send("DOOR_LOCK", bits: doors, of: "doors", [:], completion)
    }

    /// Unlocks doors.
    public func unlock(doors: UQDKDoors = .all, _ completion: @escaping UQDKCompletion) {
        send("DOOR_UNLOCK", bits: doors, of: "doors", [:], completion)
    }

    /// Opens the trunk.
    public func openTrunk(_ completion: @escaping UQDKCompletion) { send("TRUNK_OPEN", [:], completion) }

    /// Makes the car signal its position, for some seconds.
    public func findVehicle(
        seconds: Int, horn: Bool = true, lights: Bool = true, _ completion: @escaping UQDKCompletion
    ) {
        let names = (horn ? ["horn"] : []) + (lights ? ["lights"] : [])
        let mode = dialect.bits(names, of: "mode", in: "FIND_VEHICLE") ?? .unsigned(0)
        send("FIND_VEHICLE", ["duration": .signed(Int64(seconds)), "mode": mode], completion)
    }

    /// Starts the engine for some minutes.
    public func startEngine(minutes: Int, _ completion: @escaping UQDKCompletion) {
        send("ENGINE_START", ["duration": .signed(Int64(minutes))], completion)
    }

    /// Stops the engine.
    public func stopEngine(_ completion: @escaping UQDKCompletion) { send("ENGINE_STOP", [:], completion) }

    /// Opens windows to 0 to 100 percent.
    public func setWindow(
        _ windows: UQDKDoors = .all, percentOpen: Int, _ completion: @escaping UQDKCompletion
    ) {
        send(
            "WINDOW_SET", bits: windows, of: "windows", ["open": .signed(Int64(percentOpen))], completion)
    }

    /// Requests the state of the vehicle; ``UQDKVehicleState`` decodes the response's fields.
    public func queryStatus(_ completion: @escaping UQDKCompletion) { send("STATUS_QUERY", [:], completion) }

    /// Sends a command by its name in the dialect, with the fields of its body.
    public func send(
        _ command: String, _ values: [String: AnnotationValue] = [:], _ completion: @escaping UQDKCompletion
    ) {
        do throws(UQDKEncodeError) {
            let message = try dialect.request(command, values)
            send(command: message.command, body: message.payload, completion)
        } catch {
            bleAdapter.queue.run { completion(.failure(.encoding(error))) }
        }
    }

    /// Sends a command by its code, with the bytes of its body.
    ///
    /// It is secured if a session exists and secures the command; otherwise it is sent in clear, which the
    /// car may refuse.
    public func send(command code: UInt64, body: [UInt8], _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in
            submit(
                UQDKRequest(
                    command: code, body: body, isOrdinary: true, timeout: options.commandTimeout,
                    attempt: nil,
                    completion: completion))
        }
    }

    private func send(
        _ command: String, bits doors: UQDKDoors, of field: String, _ values: [String: AnnotationValue],
        _ completion: @escaping UQDKCompletion
    ) {
        var values = values
        values[field] = dialect.bits(doors.names, of: field, in: command)
        send(command, values, completion)
    }

    // MARK: Message ids

    /// Whether the car accepts requests.
    var isUp: Bool { bleAdapter.status == .ready || bleAdapter.status == .authenticating }

    var isHolding: Bool { authentication != nil || apiQueue.contains { $0.isAuthentication } }

    private func submit(_ request: UQDKRequest) {
        guard isUp else { return request.completion(.failure(.notReady)) }
        if isHolding { commandQueue.append(request) } else { transmit(request) }
    }

    /// Sends the commands that waited for an authentication.
    ///
    /// - Parameter error: reason why no session exists, if so; the commands then fail instead of being sent
    ///   in clear.
    func releaseCommands(_ error: UQDKBleError?) {
        guard !isHolding else { return }
        let waiting = commandQueue
        commandQueue = []
        for request in waiting {
            if let error, session == nil {
                request.completion(.failure(error))
            } else {
                transmit(request)
            }
        }
    }

    /// Sends a request under the next free id, or as soon as one is free.
    func transmit(_ request: UQDKRequest) {
        idQueue.append(request)
        useFreeIDs()
    }

    private func useFreeIDs() {
        while let request = idQueue.first, let id = freeID() {
            idQueue.removeFirst()
            transmit(request, id: id)
        }
    }

    /// Returns the next id without an outstanding response; nil if absent.
    private func freeID() -> UInt64? {
        let range = dialect.requestIDs
        guard commandData.count < max(1, dialect.limits.outstanding) else { return nil }
        var id = nextID
        // One more step than ids in use finds a free one, unless the whole range is used.
        for _ in 0...commandData.count {
            if commandData[id] == nil { return id }
            id = Self.next(id, in: range)
        }
        return nil
    }

    private static func next(_ id: UInt64, in range: ClosedRange<UInt64>) -> UInt64 {
        id >= range.upperBound ? range.lowerBound : id + 1
    }

    private func transmit(_ request: UQDKRequest, id: UInt64) {
        var number: Int?
        let fragments: [[UInt8]]
        do throws(UQDKBleError) {
            let message = try message(request, id: id, session: &number)
            fragments = try cut(message.encoded(dialect, id: id), id: id)
        } catch {
            return request.completion(.failure(error))
        }
        nextID = Self.next(id, in: dialect.requestIDs)
        commandData[id] = UQDKOutstanding(
            command: request.command, session: number, timeout: request.timeout, attempt: request.attempt,
            completion: request.completion)
        bleAdapter.write(fragments, id: id)
        if session?.isUsedUp == true { endSession(.countersUsedUp) }
    }

    private func message(
        _ request: UQDKRequest, id: UInt64, session number: inout Int?
    ) throws(UQDKBleError) -> Message {
        guard request.isOrdinary, var standing = session, dialect.secures(request.command) else {
            return Message(.request, command: request.command, payload: request.body)
        }
        defer { session = standing }
        number = sessionNumber
        do throws(UQDKEncodeError) {
            return try standing.seal(command: request.command, body: request.body, id: id)
        } catch {
            throw .encoding(error)
        }
    }

    func cut(_ octets: [UInt8], id: UInt64) throws(UQDKBleError) -> [[UInt8]] {
        if let most = vehicleInfo.number("maxMessageSize"), UInt64(octets.count) > most {
            throw .tooLongForVehicle(octets.count)
        }
        do throws(UQDKEncodeError) {
            return try dialect.values(of: octets, id: id, valueOctets: bleAdapter.maximumValueLength)
        } catch {
            throw .encoding(error)
        }
    }

    /// Starts the response timeout when the last fragment of a message is sent.
    func lastFragmentGoes(_ id: UInt64) {
        guard let timeout = commandData[id]?.timeout else { return }
        commandData[id]?.timer = bleAdapter.queue.after(timeout) { [weak self] in
            self?.finish(id, .failure(.timedOut))
        }
    }

    /// Ends the outstanding request with an id.
    func finish(_ id: UInt64, _ result: Result<UQDKResponse, UQDKBleError>) {
        guard let one = commandData.removeValue(forKey: id) else { return }
        bleAdapter.stopWriting(id)
        one.end(result)
        useFreeIDs()
    }

    /// Ends the requests of one authentication try.
    func abandon(attempt: Int) {
        idQueue.removeAll { $0.attempt == attempt }
        for (id, one) in commandData.sorted(by: { $0.key < $1.key }) where one.attempt == attempt {
            finish(id, .failure(.timedOut))
        }
    }
}
