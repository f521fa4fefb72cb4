import UQDK

// Activation, authentication and the resulting session.
extension UQDKBleManager {
    /// Activates the key with the digits that the car shows.
    public func activate(pairingCode: String, _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in
            let digits = Array(pairingCode.utf8)
            guard (1...16).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return completion(.failure(.invalidPairingCode))
            }
            let run = { [weak self] in self?.activate(digits, completion) ?? () }
            enqueue(
                UQDKOperation(isAuthentication: false, run: run) { completion(.failure($0)) })
        }
    }

    /// Authenticates phone and car to each other, which creates a session.
    ///
    /// - Parameter completion: called once, with nil if a new session was created. On failure an earlier
    ///   session stays valid.
    public func authenticate(_ completion: @escaping @Sendable (UQDKBleError?) -> Void) {
        bleAdapter.queue.run { [self] in enqueueAuthentication(completion) }
    }

    private func enqueueAuthentication(_ completion: @escaping @Sendable (UQDKBleError?) -> Void) {
        enqueue(
            UQDKOperation(
                isAuthentication: true,
                run: { [weak self] in self?.beginAuthentication(completion) },
                fail: { completion($0) }))
    }

    private func enqueue(_ operation: UQDKOperation) {
        guard isUp else { return operation.fail(.notReady) }
        apiQueue.append(operation)
        nextOperation()
    }

    private func nextOperation() {
        guard !isOperating, !apiQueue.isEmpty else { return }
        isOperating = true
        apiQueue.removeFirst().run()
    }

    private func operationEnds() {
        isOperating = false
        nextOperation()
    }

    private func activate(_ digits: [UInt8], _ completion: @escaping UQDKCompletion) {
        let phone = PhoneAuthentication(dialect, keyID: data.keyID, key: data.key)
        do throws(UQDKEncodeError) {
            let message = try phone.activation(pairingCode: digits)
            transmit(
                UQDKRequest(
                    command: message.command, body: message.payload, isOrdinary: false,
                    timeout: options.commandTimeout, attempt: nil
                ) { [weak self] result in
                    completion(result)
                    self?.operationEnds()
                })
        } catch {
            completion(.failure(.encoding(error)))
            operationEnds()
        }
    }

    // MARK: Authentication

    private func beginAuthentication(_ completion: @escaping @Sendable (UQDKBleError?) -> Void) {
        bleAdapter.become(.authenticating)
        startAttempt(triesLeft: max(1, options.authenticationTries), completion)
    }

    // Each try has its own nonce and counter.
    private func startAttempt(triesLeft: Int, _ completion: @escaping @Sendable (UQDKBleError?) -> Void) {
        attemptNumber += 1
        let attempt = attemptNumber
        let timer = bleAdapter.queue.after(options.authenticationTimeout) { [weak self] in
            self?.attemptTimesOut(attempt)
        }
        var phone = PhoneAuthentication(dialect, keyID: data.keyID, key: data.key)
        let nonce = bleAdapter.queue.nonce(phone.nonceOctets)
        let begin = Result { () throws(UQDKEncodeError) in try phone.begin(nonce: nonce ?? []) }
        authentication = UQDKAuthenticationRun(
            phone: phone, attempt: attempt, triesLeft: triesLeft - 1, timer: timer, completion: completion)
        guard nonce != nil else { return endAuthentication(.noEntropy) }
        ask(begin, attempt: attempt) { $0.challenged($1) }
    }

    private func ask(
        _ message: Result<Message, UQDKEncodeError>, attempt: Int,
        _ then: @escaping @Sendable (UQDKBleManager, UQDKResponse) -> Void
    ) {
        switch message {
        case .failure(let error): endAuthentication(.encoding(error))
        case .success(let message):
            transmit(
                UQDKRequest(
                    command: message.command, body: message.payload, isOrdinary: false, timeout: nil,
                    attempt: attempt
                ) { [weak self] result in
                    guard let self, authentication?.attempt == attempt else { return }
                    switch result {
                    case .success(let response): then(self, response)
                    case .failure(let error): endAuthentication(error)
                    }
                })
        }
    }

    private func challenged(_ response: UQDKResponse) {
        guard var run = authentication else { return }
        // The phone proves nothing to something that is not the car.
        guard run.phone.accepts(challenge: response.body) else {
            return endAuthentication(.vehicleNotAuthentic)
        }
        guard let counter = data.nextAuthCounter() else {
            return endAuthentication(.counterNotStored)
        }
        let finish = Result { () throws(UQDKEncodeError) in try run.phone.finish(authCounter: counter) }
        authentication = run
        ask(finish, attempt: run.attempt) { $0.established($1) }
    }

    private func established(_ response: UQDKResponse) {
        guard let run = authentication else { return }
        let new: PhoneSession
        do throws(UQDKEncodeError) {
            new = try run.phone.session(response.body)
        } catch {
            return endAuthentication(.encoding(error))
        }
        sessionTimer?.cancel()
        session = new
        sessionNumber += 1
        showSession()
        tell(.authenticated(lifetime: new.lifetime))
        if let lifetime = new.lifetime {
            sessionTimer = bleAdapter.queue.after(.seconds(lifetime)) { [weak self] in
                self?.endSession(.expired)
                // Without this check, sessions with lifetime 0 would follow each other endlessly.
                if lifetime > 0 { self?.reauthenticate() }
            }
        }
        endAuthentication(nil)
    }

    private func attemptTimesOut(_ attempt: Int) {
        guard let run = authentication, run.attempt == attempt else { return }
        guard run.triesLeft > 0 else {
            endAuthentication(.authenticationTimedOut)
            return abandon(attempt: attempt)
        }
        authentication?.attempt = 0
        abandon(attempt: attempt)
        startAttempt(triesLeft: run.triesLeft, run.completion)
    }

    private func endAuthentication(_ error: UQDKBleError?) {
        guard let run = authentication else { return }
        run.timer.cancel()
        authentication = nil
        bleAdapter.become(.ready)
        run.completion(error)
        releaseCommands(error)
        operationEnds()
    }

    // MARK: The session's end

    func endSession(_ reason: UQDKSessionEnd) {
        guard session != nil else { return }
        session = nil
        sessionTimer?.cancel()
        sessionTimer = nil
        showSession()
        tell(.sessionEnded(reason))
        if reason == .countersUsedUp { reauthenticate() }
    }

    /// Starts an automatic authentication, if enabled and not already running.
    func reauthenticate() {
        guard options.reauthenticatesAutomatically, isUp, session == nil, !isHolding else { return }
        enqueueAuthentication { [weak self] error in
            if let error { self?.tell(.reauthenticationFailed(error)) }
        }
    }
}
