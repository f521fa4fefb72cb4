import CoreBluetooth
import PayloadFormat
import Synchronization

@testable import Replay
@testable import UQDK
@testable import UQDKBle

extension ManagerFault {
    static let all = parts + sending + telling + events + timers + connecting

    // MARK: What it is made of

    private static let parts: [ManagerFault] = [
        .made("the authentication counter does not advance", field: "authCounter of AUTH_FINISH") {
            $0.data = UQDKDataManager(
                keyID: $0.data.keyID, key: $0.data.key, authCounter: $0.data.authCounter - 1)
        },
        .made("the authentication counter skips one", field: "authCounter of AUTH_FINISH") {
            $0.data = UQDKDataManager(
                keyID: $0.data.keyID, key: $0.data.key, authCounter: $0.data.authCounter + 1)
        },
        .made("another key is named") { parts in
            var keyID = parts.data.keyID
            keyID[keyID.count - 1] ^= 1
            parts.data = UQDKDataManager(
                keyID: keyID, key: parts.data.key, authCounter: parts.data.authCounter)
        },
        .made("another key is used") { parts in
            var key = parts.data.key
            key[0] ^= 1
            parts.data = UQDKDataManager(
                keyID: parts.data.keyID, key: key, authCounter: parts.data.authCounter)
        },
        .made("the checksum leaves out one more byte") { $0.dialect.checksum?.skipsFirst += 1 },
        .made("the length counts the whole message") { $0.dialect.message.lengthMeaning = .message },
        .made("the flag of secured messages is another") { $0.dialect.message.securedFlag <<= 1 },
        .made("no command is secured") { parts in
            for index in parts.dialect.commands.indices { parts.dialect.commands[index].isSecured = false }
        },
        .made("a session begins to count one later") { $0.dialect.securing?.firstCounter += 1 },
        .made("requests are of another kind") { $0.dialect.message.requestKind ^= 3 },
        .made("fragments are too short") { $0.dialect.limits.valueOctets = 17 },
        .made("two statuses are mixed up") { parts in
            let (ok, busy) = (parts.dialect.status.code(.success), parts.dialect.status.code(.badProof))
            guard let ok, let busy else { return }
            parts.dialect.status.names[ok] = StatusName.badProof.rawValue
            parts.dialect.status.names[busy] = StatusName.success.rawValue
        },
        .made("message ids begin with the second") { $0.options.firstMessageID = 1 },
        .made("values are written in the other way") {
            $0.options.writeType = $0.options.writeType == .withResponse ? .withoutResponse : .withResponse
        },
        .made("no command waits for its answer") { $0.options.commandTimeout = .milliseconds(1) },
        .made("a link may take no time") { $0.options.connectTimeout = .milliseconds(1) },
        .made("a discovery may take no time") { $0.options.discoveryTimeout = .milliseconds(1) },
        .made("the car is looked for by another service") {
            $0.options.scanServices = [.init(string: "180F")]
        },
        .made("the Info value is not read") { $0.dialect.gatt.info = nil },
        .made("every advertisement is reported", isHarmless: true) { $0.options.allowsDuplicates = true },
        .made("the car is looked for without end", isHarmless: true) { $0.options.scanTimeout = .zero },
        .made("more is tried where nothing fails", isHarmless: true) {
            $0.options.notificationTries = 9
            $0.options.authenticationTries = 9
        },
        .made("longer limits where all is in time", isHarmless: true) {
            $0.options.connectTimeout = .seconds(60)
            $0.options.discoveryTimeout = .seconds(60)
            $0.options.authenticationTimeout = .seconds(60)
        },
    ]

    // MARK: What it sends

    private static let sending: [ManagerFault] = [
        .at("a session's counter does not advance", showsLater: true) { manager, trigger in
            let before = Mutex<PhoneSession?>(nil)
            manager.whenWritten { manager, id in
                let last = before.withLock { $0 }
                if manager.commandData[id]?.session != nil, let last, trigger.isMeant() {
                    manager.session = last
                }
                before.withLock { $0 = manager.session }
            }
        },
        .at("a session's counter skips one", showsLater: true) { manager, trigger in
            manager.whenWritten { manager, id in
                guard manager.commandData[id]?.session != nil, trigger.isMeant() else { return }
                _ = try? manager.session?.seal(command: 1, body: [], id: 0)
            }
        },
        .at("a message id is used again", showsLater: true) { manager, trigger in
            manager.whenAnswered { manager, id, original in
                original()
                if id < 0x40, trigger.isMeant() { manager.nextID = id }
            }
        },
        .at("a message id is left out", showsLater: true) { manager, trigger in
            manager.whenAnswered { manager, _, original in
                original()
                if trigger.isMeant() { manager.nextID += 1 }
            }
        },
        .at("a session is forgotten", showsLater: true) { manager, trigger in
            manager.whenAnswered { manager, _, original in
                original()
                if manager.session != nil, trigger.isMeant() { manager.endSession(.expired) }
            }
        },
        .at("the phone authenticates without being asked to") { manager, trigger in
            manager.whenAnswered { manager, _, original in
                original()
                if manager.session != nil, trigger.isMeant() { manager.authenticate { _ in } }
            }
        },
        .at("the phone looks for the car without being asked to") { manager, trigger in
            manager.whenAnswered { manager, _, original in
                original()
                if trigger.isMeant() { manager.findVehicle(seconds: 3) { _ in } }
            }
        },
        .at("the link is ended after an answer") { manager, trigger in
            manager.whenAnswered { manager, _, original in
                original()
                if trigger.isMeant() { manager.disconnect() }
            }
        },
        .at("what was written is given up") { manager, trigger in
            manager.whenWritten { manager, id in
                if trigger.isMeant() { manager.bleAdapter.onWriteFailed?(id) }
            }
        },
        .telling("a command that was refused is sent again") { manager, result, completion in
            guard case .failure(.refused(let response)) = result else { return nil }
            return {
                completion(result)
                manager.send(command: response.command, body: []) { _ in }
            }
        },
        .telling("a command that was not answered is sent again", in: .lateAnswer) {
            manager, result, completion in
            guard case .failure(.timedOut) = result else { return nil }
            return {
                completion(result)
                manager.queryStatus { _ in }
            }
        },
    ]

    // MARK: What it tells of its requests

    private static let telling: [ManagerFault] = [
        .at("an answer is swallowed") { manager, trigger in
            manager.whenAnswered { _, _, original in
                if !trigger.isMeant() { original() }
            }
        },
        .telling("how a command ended is never told") { _, _, _ in {} },
        .telling("how a command ended is told twice") { _, result, completion in
            {
                completion(result)
                completion(result)
            }
        },
        .telling("how a command ended is told 2 s late") { manager, result, completion in
            { _ = manager.bleAdapter.queue.after(.seconds(2)) { completion(result) } }
        },
        .telling("how a command ended is told 50 ms late", isHarmless: true) { manager, result, completion in
            { _ = manager.bleAdapter.queue.after(.milliseconds(50)) { completion(result) } }
        },
        .telling("a refusal is told as success") { _, result, completion in
            guard case .failure(.refused(let response)) = result else { return nil }
            return { completion(.success(response)) }
        },
        .at("every command is told to have gone well", hasPlaces: false) { manager, trigger in
            manager.whenWritten { manager, id in
                guard let asked = manager.commandData[id], asked.attempt == nil else { return }
                _ = trigger.isMeant()
                manager.commandData[id]?.completion = { _ in asked.completion(.success(.none(id))) }
            }
        },
        .telling("success is told as a refusal") { _, result, completion in
            guard case .success(var response) = result else { return nil }
            response.status = .busy
            return { [response] in completion(.failure(.refused(response))) }
        },
        .telling("another refusal is told") { _, result, completion in
            guard case .failure(.refused(var response)) = result else { return nil }
            response.status = response.status == .busy ? .badProof : .busy
            return { [response] in completion(.failure(.refused(response))) }
        },
        .telling("success is told as no answer") { _, result, completion in
            guard case .success = result else { return nil }
            return { completion(.failure(.timedOut)) }
        },
        .telling("a byte of what the car answered is wrong") { _, result, completion in
            guard case .success(var response) = result, !response.body.isEmpty else { return nil }
            response.body[response.body.count - 1] ^= 0x40
            return { [response] in completion(.success(response)) }
        },
        .telling("the last byte of what the car answered is lost") { _, result, completion in
            guard case .success(var response) = result, !response.body.isEmpty else { return nil }
            response.body.removeLast()
            return { [response] in completion(.success(response)) }
        },
        .at("success is told before the car has answered") { manager, trigger in
            manager.whenWritten { manager, id in
                guard let asked = manager.commandData[id], asked.attempt == nil, trigger.isMeant() else {
                    return
                }
                asked.completion(.success(.none(id)))
                manager.commandData[id]?.completion = { _ in }
            }
        },
        .at("an authentication is told to have gone well before it has") { manager, trigger in
            let first = manager.dialect.command(for: .authBegin)?.code
            manager.whenAnswered { manager, id, original in
                let isFirst = manager.commandData[id]?.command == first
                if isFirst, let run = manager.authentication, trigger.isMeant() {
                    run.completion(nil)
                    manager.authentication?.completion = { _ in }
                }
                original()
            }
        },
        .at("an answer with a wrong checksum is taken", in: .wrongChecksum, takesAnything),
        .at("an answer with a wrong tag is taken", in: .wrongTag, takesAnything),
    ]

    @Sendable private static func takesAnything(_ manager: UQDKBleManager, _ trigger: FaultTrigger) {
        manager.whenReceived { manager, id, _, original in
            original()
            guard manager.commandData[id] != nil, trigger.isMeant() else { return }
            manager.finish(id, .success(.none(id)))
        }
    }

    // MARK: What it tells of the car

    private static let events: [ManagerFault] = [
        .at("an event of the car is swallowed") { manager, trigger in
            manager.whenVehicleTells { event, tell in
                if !trigger.isMeant() { tell(event) }
            }
        },
        .at("an event of the car is told twice") { manager, trigger in
            manager.whenVehicleTells { event, tell in
                tell(event)
                if trigger.isMeant() { tell(event) }
            }
        },
        .at("a byte of an event is wrong") { manager, trigger in
            manager.whenVehicleTells { event, tell in
                var event = event
                if !event.body.isEmpty, trigger.isMeant() { event.body[0] ^= 0x40 }
                tell(event)
            }
        },
        .at("an event is told as another") { manager, trigger in
            manager.whenVehicleTells { event, tell in
                var event = event
                if trigger.isMeant() { event.command ^= 1 }
                tell(event)
            }
        },
        .at("a message of the car is told 2 s late") { manager, trigger in
            manager.whenReceived { manager, id, octets, original in
                guard manager.commandData[id] == nil, trigger.isMeant() else { return original() }
                _ = manager.bleAdapter.queue.after(.seconds(2)) { [weak manager] in
                    manager?.received(id: id, octets)
                }
            }
        },
    ]

    // MARK: Time

    private static let timers: [ManagerFault] = [
        .at("a timeout is forgotten", in: .lateAnswer) { manager, trigger in
            manager.whenWritten { manager, id in
                if trigger.isMeant(id) { manager.commandData[id]?.timer?.cancel() }
            }
        },
        .at("a timeout comes twice as late", in: .lateAnswer) { manager, trigger in
            manager.whenWritten { manager, id in
                guard let one = manager.commandData[id], let timeout = one.timeout, trigger.isMeant(id) else {
                    return
                }
                one.timer?.cancel()
                manager.commandData[id]?.timer = manager.bleAdapter.queue.after(timeout * 2) {
                    [weak manager] in
                    manager?.finish(id, .failure(.timedOut))
                }
            }
        },
        .at("a timeout comes too early", in: .lateAnswer) { manager, trigger in
            manager.whenWritten { manager, id in
                guard manager.commandData[id]?.timeout != nil, trigger.isMeant(id) else { return }
                _ = manager.bleAdapter.queue.after(.milliseconds(20)) { [weak manager] in
                    manager?.finish(id, .failure(.timedOut))
                }
            }
        },
    ]

    // MARK: Connecting

    private static let connecting: [ManagerFault] = [
        .at("ready is told before the car notifies") { manager, trigger in
            manager.whenLinkTells { _, event, original in
                original(event)
                if case .discovered = event, trigger.isMeant() { original(.subscribed) }
            }
        },
        .at("ready is told, and the subscription comes 2 s later") { manager, trigger in
            manager.whenLinkTells { manager, event, original in
                guard case .discovered = event, trigger.isMeant() else { return original(event) }
                manager.bleAdapter.become(.subscribing)
                original(.subscribed)
                _ = manager.bleAdapter.queue.after(.seconds(2)) { [weak manager] in
                    manager?.bleAdapter.peripheralManager.subscribe()
                }
            }
        },
        .at("ready is told, and the subscription is forgotten") { manager, trigger in
            manager.whenLinkTells { manager, event, original in
                guard case .discovered = event, trigger.isMeant() else { return original(event) }
                manager.bleAdapter.become(.subscribing)
                original(.subscribed)
            }
        },
        .at("ready is told 2 s late") { manager, trigger in
            manager.whenLinkTells { manager, event, original in
                guard case .subscribed = event, trigger.isMeant() else { return original(event) }
                _ = manager.bleAdapter.queue.after(.seconds(2)) { [weak manager] in
                    manager?.bleAdapter.peripheralManager.onEvent?(.subscribed)
                }
            }
        },
        .at("a value of the car is lost") { manager, trigger in
            manager.whenLinkTells { _, event, original in
                if case .value = event, trigger.isMeant() { return }
                original(event)
            }
        },
        .at("that a value was written is lost", showsLater: true) { manager, trigger in
            manager.whenLinkTells { _, event, original in
                if case .written = event, trigger.isMeant() { return }
                original(event)
            }
        },
        .at("a value that was written is taken for lost") { manager, trigger in
            manager.whenLinkTells { _, event, original in
                if case .written = event, trigger.isMeant() { return original(.written(isDone: false)) }
                original(event)
            }
        },
    ]
}

extension UQDKResponse {
    /// A success that nobody has told.
    fileprivate static func none(_ id: UInt64) -> UQDKResponse {
        UQDKResponse(
            id: id, command: 0, statusCode: 0, status: .success, fields: [], body: [], isSecured: false)
    }
}
