public import BluetoothCore
public import Runtime
import WireBytes

/// A request of a client that the application answers, by a number of its own.
public struct ServerRequestID: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A value, or a part of one, that a client writes.
public struct ServerWrite: Hashable, Sendable {
    public var handle: UInt16
    /// Octets of the value before these.
    public var offset: Int
    public var value: [UInt8]

    public init(handle: UInt16, offset: Int, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }
}

/// The server of one ATT bearer: answers what the database holds, and asks the application for the rest.
///
/// A state machine without I/O. Source: Core Specification, Vol 3, Part F, 3.3 and 3.4.
public struct ATTServer: Sendable {
    /// What the server has done or found out.
    public enum Output: Hashable, Sendable {
        /// A PDU for the client.
        case send([UInt8])
        /// Both sides have agreed on this MTU, in octets.
        case mtuAgreed(Int)
        /// The client reads a value from an offset on: the application answers with what follows it.
        case read(ServerRequestID, handle: UInt16, offset: Int)
        /// The client writes; the application says whether it may, unless there is no number to answer to.
        case write(ServerRequestID?, [ServerWrite])
        /// The client wants other things sent of a characteristic, named by its value's handle.
        case subscribed(valueHandle: UInt16, GATTClientConfiguration)
        /// The client has confirmed an indication, or, in time, has not.
        case indicated(valueHandle: UInt16, confirmed: Bool)
        /// An indication was not confirmed within 30 s: the link must be ended.
        case timedOut
    }

    /// Parts that a client may have waiting to be written.
    public static let prepareLimit = 128

    enum Waiting: Sendable {
        case read(ATTOpcode, handle: UInt16)
        case readOne(opcode: ATTOpcode, handle: UInt16)
        case several(ATTOpcode, left: [UInt16], done: [[UInt8]])
        case write(ATTOpcode, handle: UInt16)
    }

    /// When the outstanding indication is overdue; nil where none is.
    public private(set) var deadline: Instant?

    /// How well the link is protected.
    var security = LinkSecurity()
    /// Whether there is a key to protect it with.
    var hasKey = false
    /// Octets of the shortest key that does for what takes encryption.
    var minimumKeySize: UInt8 = 7
    /// What is kept of the client.
    public internal(set) var record = ClientRecord()
    /// The hash of the database that is served.
    var databaseHash: [UInt8] = []
    /// Whether the client, which goes by an earlier database, was told so: its next request is taken.
    var isTold = false
    var outputs: [Output] = []
    var waiting: (id: ServerRequestID, what: Waiting)?
    private var nextRequest: UInt64 = 1
    private var prepared: [ServerWrite] = []
    var configurations: [UInt16: GATTClientConfiguration] = [:]
    private var indications: [(handle: UInt16, value: [UInt8])] = []
    private var indicating: UInt16?

    public init() {}

    /// Takes a PDU from the client.
    ///
    /// - Parameters:
    ///   - octets: the PDU.
    ///   - database: the attributes.
    ///   - mtu: the longest PDU, in octets.
    ///   - offer: the longest PDU that the server takes, in octets.
    public mutating func receive(
        _ octets: [UInt8], _ database: GATTDatabase, mtu: Int, offer: UInt16, at now: Instant
    ) -> [Output] {
        let opcode = ATTOpcode(rawValue: octets.first ?? 0)
        // A client with a request outstanding sends no other; the second is refused.
        if waiting != nil, opcode.kind == .request || opcode.kind == .unknown {
            refuse(opcode, firstHandle(opcode, octets), .unlikelyError)
            return taken()
        }
        let pdu = try? ATTTable.decode(octets)
        if isOutOfSync(opcode, octets, pdu) { return taken() }
        switch pdu {
        case let request as ATTExchangeMTURequest:
            send(ATTExchangeMTUResponse(serverMTU: max(offer, 23)))
            outputs.append(.mtuAgreed(max(23, Int(min(request.clientMTU, offer)))))
        case let request as ATTFindInformationRequest: find(request, database, mtu)
        case let request as ATTFindByTypeValueRequest: find(request, database, mtu)
        case let request as ATTReadByTypeRequest: read(request, database, mtu)
        case let request as ATTReadByGroupTypeRequest: read(request, database, mtu)
        case let request as ATTReadRequest: read(.readRequest, request.handle, 0, database, mtu)
        case let request as ATTReadBlobRequest:
            read(.readBlobRequest, request.handle, Int(request.offset), database, mtu)
        case let request as ATTReadMultipleRequest:
            readSeveral(.readMultipleRequest, request.handles, database, mtu)
        case let request as ATTReadMultipleVariableRequest:
            readSeveral(.readMultipleVariableRequest, request.handles, database, mtu)
        case let request as ATTWriteRequest:
            write(.writeRequest, request.handle, request.value, database)
        case let command as ATTWriteCommand: write(.writeCommand, command.handle, command.value, database)
        case let request as ATTPrepareWriteRequest: prepare(request, database, mtu)
        case let request as ATTExecuteWriteRequest: execute(request, database)
        case is ATTHandleValueConfirmation: confirmed(database, at: now)
        default:
            // Commands are ignored where they are not known, and signed ones where there is no key.
            if !opcode.isCommand { refuse(opcode, 0, .requestNotSupported) }
        }
        return taken()
    }

    /// Takes the application's answer to a read.
    public mutating func answer(
        _ id: ServerRequestID, read result: Result<[UInt8], ATTErrorCode>, _ database: GATTDatabase, mtu: Int
    ) -> [Output] {
        guard let (expected, what) = waiting, expected == id else { return [] }
        waiting = nil
        switch (what, result) {
        case (.read(let opcode, let handle), .failure(let error)),
            (.readOne(let opcode, let handle), .failure(let error)):
            refuse(opcode, handle, error)
        case (.several(let opcode, let left, _), .failure(let error)):
            refuse(opcode, left.first ?? 0, error)
        case (.read(let opcode, _), .success(let value)): sendValue(opcode, value, mtu)
        case (.readOne(_, let handle), .success(let value)):
            sendAttributes([ATTHandleValue(handle: handle, value: Array(value.prefix(min(mtu - 4, 253))))])
        case (.several(let opcode, let left, let done), .success(let value)):
            gather(opcode, Array(left.dropFirst()), done + [value], database, mtu)
        case (.write, _): waiting = (expected, what)
        }
        return taken()
    }

    /// Takes the application's answer to a write: nil where it was done.
    public mutating func answer(_ id: ServerRequestID, write error: ATTErrorCode?) -> [Output] {
        guard let (expected, what) = waiting, expected == id, case .write(let opcode, let handle) = what
        else {
            return []
        }
        waiting = nil
        if let error {
            refuse(opcode, handle, error)
        } else if opcode == .executeWriteRequest {
            send(ATTExecuteWriteResponse())
        } else {
            send(ATTWriteResponse())
        }
        return taken()
    }

    /// What the client wants sent of a characteristic, by the handle of its configuration.
    public func configuration(_ handle: UInt16) -> GATTClientConfiguration { configurations[handle] ?? [] }

    /// A notification for the client; nil where it does not want any.
    public func notification(
        _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase, mtu: Int
    ) -> [UInt8]? {
        guard takes(.notification, handle, database) else { return nil }
        let cut = Array(value.prefix(mtu - 3))
        return ATTHandleValueNotification(handle: handle, value: cut).pdu
    }

    /// Whether the client is sent a value in a way: it has asked for it, knows what the handle means, and the
    /// link is as secure as the characteristic demands.
    private func takes(
        _ way: GATTClientConfiguration, _ handle: UInt16, _ database: GATTDatabase
    ) -> Bool {
        guard !isUnaware, let configuration = database.configurationHandle(ofValue: handle),
            self.configuration(configuration).contains(way), let attribute = database[configuration]
        else { return false }
        return !attribute.permissions.contains(.writeEncryptionRequired) || securityError == nil
    }

    /// Whether an indication has not been confirmed.
    var isIndicating: Bool { indicating != nil }

    /// Whether a value would be sent as an indication.
    func indicates(_ handle: UInt16, _ database: GATTDatabase) -> Bool {
        guard let configuration = database.configurationHandle(ofValue: handle) else { return false }
        let wanted = self.configuration(configuration)
        return wanted.contains(.indication) && !wanted.contains(.notification)
    }

    /// Sends an indication, once those before it have been confirmed.
    ///
    /// - Returns: nil where the client does not want any.
    public mutating func indicate(
        _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase, mtu: Int, at now: Instant
    ) -> [Output]? {
        guard takes(.indication, handle, database) else { return nil }
        queue(handle, Array(value.prefix(mtu - 3)), at: now)
        return taken()
    }

    mutating func queue(_ handle: UInt16, _ value: [UInt8], at now: Instant) {
        indications.append((handle, value))
        indicateNext(at: now)
    }

    /// Says that time has come to `now`.
    public mutating func timeReached(_ now: Instant) -> [Output] {
        guard let deadline, deadline <= now, let handle = indicating else { return [] }
        self.deadline = nil
        outputs.append(.indicated(valueHandle: handle, confirmed: false))
        outputs.append(.timedOut)
        return taken()
    }

    mutating func taken() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    mutating func send(_ pdu: any ATTPDU) { outputs.append(.send(pdu.pdu)) }

    mutating func refuse(_ request: ATTOpcode, _ handle: UInt16, _ error: ATTErrorCode) {
        send(ATTErrorResponse(request: request, handle: handle, error: error))
    }

    mutating func wait(for what: Waiting) -> ServerRequestID {
        let id = ServerRequestID(rawValue: nextRequest)
        nextRequest += 1
        waiting = (id, what)
        return id
    }

    private mutating func confirmed(_ database: GATTDatabase, at now: Instant) {
        guard let handle = indicating else { return }
        indicating = nil
        if database[handle]?.type == .serviceChanged, indications.allSatisfy({ $0.handle != handle }) {
            becomeAware()
        }
        deadline = nil
        outputs.append(.indicated(valueHandle: handle, confirmed: true))
        indicateNext(at: now)
    }

    private mutating func indicateNext(at now: Instant) {
        guard indicating == nil, !indications.isEmpty else { return }
        let next = indications.removeFirst()
        indicating = next.handle
        deadline = now.advanced(by: ATTClient.transactionTimeout)
        send(ATTHandleValueIndication(handle: next.handle, value: next.value))
    }

    private mutating func write(
        _ opcode: ATTOpcode, _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase
    ) {
        let answers = opcode == .writeRequest
        if let error = writeError(handle, database) ?? lengthError(value.count) {
            if answers { refuse(opcode, handle, error) }
            return
        }
        if isOwn(handle, database) {
            let error = keep(handle, value, database)
            if !answers { return }
            if let error { return refuse(opcode, handle, error) }
            return send(ATTWriteResponse())
        }
        let id = answers ? wait(for: .write(opcode, handle: handle)) : nil
        outputs.append(.write(id, [ServerWrite(handle: handle, offset: 0, value: value)]))
    }

    private func writeError(_ handle: UInt16, _ database: GATTDatabase) -> ATTErrorCode? {
        guard let attribute = database[handle] else { return .invalidHandle }
        let isGuarded = attribute.permissions.contains(.writeEncryptionRequired)
        if isGuarded, let error = securityError { return error }
        if case .fixed = attribute.value { return .writeNotPermitted }
        return isGuarded || attribute.permissions.contains(.writeable) ? nil : .writeNotPermitted
    }

    private func lengthError(_ count: Int) -> ATTErrorCode? {
        count > ATTClient.longestValue ? .invalidAttributeValueLength : nil
    }

    /// Whether the server keeps the value of an attribute itself, one for each client.
    private func isOwn(_ handle: UInt16, _ database: GATTDatabase) -> Bool {
        [.clientConfiguration, .clientFeatures].contains(database[handle]?.value)
    }

    private mutating func keep(
        _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase
    ) -> ATTErrorCode? {
        database[handle]?.value == .clientFeatures
            ? setFeatures(value) : configure(handle, value, database)
    }

    private mutating func configure(
        _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase
    ) -> ATTErrorCode? {
        guard let wish = try? value.decoded(as: GATTClientCharacteristicConfiguration.self) else {
            return .invalidAttributeValueLength
        }
        guard let valueHandle = database.valueHandle(ofConfiguration: handle),
            let declaration = database[valueHandle - 1],
            case .fixed(let octets) = declaration.value,
            let properties = try? octets.decoded(as: GATTCharacteristicDeclaration.self).properties
        else { return .unlikelyError }
        var allowed: GATTClientConfiguration = []
        if properties.contains(.notify) { allowed.insert(.notification) }
        if properties.contains(.indicate) { allowed.insert(.indication) }
        guard wish.configuration.isSubset(of: allowed) else { return .cccdImproperlyConfigured }
        guard configuration(handle) != wish.configuration else { return nil }
        configurations[handle] = wish.configuration
        record.set(
            .init(
                handle: handle, uuid: database[valueHandle]?.type ?? .serviceChanged,
                configuration: wish.configuration))
        outputs.append(.subscribed(valueHandle: valueHandle, wish.configuration))
        return nil
    }

    private mutating func prepare(
        _ request: ATTPrepareWriteRequest, _ database: GATTDatabase, _ mtu: Int
    ) {
        // What is longer than a PDU may be could not be repeated.
        guard request.value.count <= mtu - 5 else {
            return refuse(.prepareWriteRequest, request.handle, .invalidPDU)
        }
        if let error = writeError(request.handle, database) {
            return refuse(.prepareWriteRequest, request.handle, error)
        }
        guard prepared.count < Self.prepareLimit else {
            return refuse(.prepareWriteRequest, request.handle, .prepareQueueFull)
        }
        prepared.append(
            ServerWrite(handle: request.handle, offset: Int(request.offset), value: request.value))
        send(
            ATTPrepareWriteResponse(
                handle: request.handle, offset: request.offset, value: request.value))
    }

    private mutating func execute(_ request: ATTExecuteWriteRequest, _ database: GATTDatabase) {
        let writes = prepared
        prepared = []
        guard request.flags == 1, !writes.isEmpty else {
            guard request.flags <= 1 else { return refuse(.executeWriteRequest, 0, .invalidPDU) }
            return send(ATTExecuteWriteResponse())
        }
        // Parts of one value must follow each other without a gap, and not make it too long.
        var ends: [UInt16: Int] = [:]
        for write in writes {
            guard write.offset <= ends[write.handle] ?? 0 else {
                return refuse(.executeWriteRequest, write.handle, .invalidOffset)
            }
            let end = write.offset + write.value.count
            if let error = lengthError(end) { return refuse(.executeWriteRequest, write.handle, error) }
            ends[write.handle] = max(ends[write.handle] ?? 0, end)
        }
        for write in writes where isOwn(write.handle, database) {
            if let error = keep(write.handle, write.value, database) {
                return refuse(.executeWriteRequest, write.handle, error)
            }
        }
        let rest = writes.filter { !isOwn($0.handle, database) }
        guard let first = rest.first else {
            return send(ATTExecuteWriteResponse())
        }
        let id = wait(for: .write(.executeWriteRequest, handle: first.handle))
        outputs.append(.write(id, rest))
    }
}
