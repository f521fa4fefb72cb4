import PayloadFormat
import UQDK
import WireBytes

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
