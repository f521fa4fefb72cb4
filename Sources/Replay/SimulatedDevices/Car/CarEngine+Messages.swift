import PayloadFormat
import Runtime
import UQDK

// Complete messages and their answers.
extension CarEngine {
    mutating func take(_ octets: [UInt8], id: UInt64, on link: CarLinkID, at now: Instant) {
        let decoding = MessageDecoding(octets, dialect, from: .phone, id: id)
        let code = decoding.header[.command] ?? 0
        let errors = decoding.errors.filter {
            if case .unknownCommand = $0 { return false }
            return true
        }
        guard let message = decoding.message, errors.isEmpty, dialect.isRequestID(id) else {
            note(.problem("message \(id): \(errors.first?.text ?? "no request has this id")"))
            return answer(code, id, .badMessage, on: link, at: now)
        }
        if dialect.needsSession(code) {
            return takeOrdinary(message, decoding.headerOctets, id: id, on: link, at: now)
        }
        guard !message.isSecured else { return answer(code, id, .badMessage, on: link, at: now) }
        let command = dialect.command(code)
        let (status, values) = attempt(command, message.payload, on: link, at: now)
        answer(code, id, status, values, on: link, at: now)
        if status == .success, command?.purpose == .authFinish {
            tell(
                "PROXIMITY_EVENT", Self.values(.unlock, rssi: configuration.rssi), at: now, only: link)
        }
    }

    /// Handles a request that needs a session.
    private mutating func takeOrdinary(
        _ message: Message, _ header: [UInt8], id: UInt64, on link: CarLinkID, at now: Instant
    ) {
        let code = message.command
        guard var session = session(of: link, at: now) else {
            return answer(code, id, .authenticationRequired, on: link, at: now)
        }
        var body = message.payload
        if let format = dialect.securing, let cipher = session.cipher {
            guard message.isSecured else {
                return answer(code, id, .authenticationRequired, on: link, at: now)
            }
            guard let parts = SecuredPayload(message.payload, format),
                let opened = try? cipher.open(parts, from: .phone, header: header, id: id)
            else {
                note(.problem("message \(id): its tag is wrong"))
                return answer(code, id, .badMessage, on: link, at: now)
            }
            guard parts.counter < format.lastCounter else {
                endSession(of: link, "its counters are used up")
                return answer(code, id, .authenticationRequired, on: link, at: now)
            }
            let isOld = session.highest.map { parts.counter <= $0 } ?? (parts.counter < format.firstCounter)
            guard !isOld else {
                return answer(code, id, .counterReplayed, isSecured: true, on: link, at: now)
            }
            session.highest = parts.counter
            links[link]?.session = session
            body = opened
        }
        perform(code, body, id: id, on: link, at: now)
    }

    private mutating func perform(
        _ code: UInt64, _ body: [UInt8], id: UInt64, on link: CarLinkID, at now: Instant
    ) {
        let before = vehicle
        var outcome = Vehicle.Outcome(.unsupportedCommand)
        if let command = dialect.command(code), !command.isEvent {
            let decoded = command.request.decode(body)
            outcome =
                decoded.misfit == nil
                ? vehicle.perform(command.name, decoded.fields, at: now) : Vehicle.Outcome(.badMessage)
        }
        answer(code, id, outcome.status, outcome.values, isSecured: true, on: link, at: now)
        if vehicle.differs(from: before) { tell("STATUS_EVENT", vehicle.values, at: now) }
        if let fault = outcome.fault { tell("FAULT_EVENT", fault.values, at: now) }
    }

    // MARK: The session

    /// Returns the current session. Ends it if its lifetime is over, or its key is revoked.
    mutating func session(of link: CarLinkID, at now: Instant) -> CarSession? {
        guard let session = links[link]?.session else { return nil }
        if now >= session.end {
            endSession(of: link, "its lifetime is over")
            return nil
        }
        if keys.first(where: { $0.keyID == session.keyID })?.isRevoked ?? true {
            endSession(of: link, "its key is revoked")
            return nil
        }
        return session
    }

    private mutating func endSession(of link: CarLinkID, _ why: String) {
        links[link]?.session = nil
        note(.sessionEnded(why))
    }

    // MARK: Answers and events

    /// Answers a request, secured if `isSecured` and there is a session.
    mutating func answer(
        _ code: UInt64, _ id: UInt64, _ status: StatusName, _ values: [String: AnnotationValue] = [:],
        isSecured: Bool = false, on link: CarLinkID, at now: Instant
    ) {
        let command = dialect.command(code)
        let payload = dialect.responsePayload(command, status, values)
        var message = Message(.response, command: code, payload: payload)
        var wasSecured = false
        var answered = status
        if isSecured, dialect.securing != nil {
            if let sealed = seal(.response, code, payload, id: id, on: link, at: now) {
                message = sealed
                wasSecured = true
            } else {
                answered = .authenticationRequired
                message.payload = dialect.responsePayload(command, .authenticationRequired)
            }
        }
        if links[link]?.isImpostor != true {
            note(
                .answered(
                    command: command?.name ?? "command 0x\(String(code, radix: 16))", answered,
                    isSecured: wasSecured))
        }
        send(message, id: id, to: link)
    }

    /// Sends an event to subscribed phones with a session; others get no information about the vehicle.
    mutating func tell(
        _ name: String, _ values: [String: AnnotationValue], at now: Instant, only: CarLinkID? = nil
    ) {
        guard let command = dialect.command(named: name), command.isEvent else { return }
        let body = dialect.eventBody(command, values)
        for link in links.keys.sorted() where only == nil || only == link {
            guard links[link]?.isSubscribed == true, session(of: link, at: now) != nil else { continue }
            let id = dialect.eventID(after: links[link]?.lastEventID)
            var message = Message(.event, command: command.code, payload: body)
            if dialect.securing != nil {
                guard let sealed = seal(.event, command.code, body, id: id, on: link, at: now) else {
                    continue
                }
                message = sealed
            }
            links[link]?.lastEventID = id
            note(.sent(event: name))
            send(message, id: id, to: link)
        }
    }

    /// Returns a secured message with the next counter; nil if the session has ended, or ends because no
    /// counter is left.
    private mutating func seal(
        _ kind: MessageKind, _ code: UInt64, _ body: [UInt8], id: UInt64, on link: CarLinkID, at now: Instant
    ) -> Message? {
        guard let session = session(of: link, at: now), let cipher = session.cipher else { return nil }
        guard
            let message = try? cipher.seal(kind, command: code, body: body, id: id, counter: session.next)
        else {
            endSession(of: link, "its counters are used up")
            return nil
        }
        links[link]?.session?.next = session.next + 1
        return message
    }

    static func values(_ zone: ProximityZone, rssi: Int8) -> [String: AnnotationValue] {
        ["zone": .unsigned(UInt64(zone.rawValue)), "rssi": .signed(Int64(rssi))]
    }
}
