public import BluetoothCore
public import Runtime
import WireBytes

/// Identifies a client's request that the application answers.
public struct ServerRequestID: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A value, or part of one, that a client writes.
public struct ServerWrite: Hashable, Sendable {
    public var handle: UInt16
    /// The offset of these bytes in the value.
    public var offset: Int
    public var value: [UInt8]

    public init(handle: UInt16, offset: Int, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }
}

/// The server of one ATT bearer: it answers from the database, and asks the application for other values.
///
/// A state machine without I/O. Source: Core Specification, Vol 3, Part F, 3.3 and 3.4.
public struct ATTServer: Sendable {
    /// An output of the server.
    public enum Output: Hashable, Sendable {
        /// A PDU for the client.
        case send([UInt8])
        /// Both sides have agreed on an ATT_MTU of this many bytes.
        case mtuAgreed(Int)
        /// The client reads a value from an offset; the application answers with the bytes from there on.
        case read(ServerRequestID, handle: UInt16, offset: Int)
        /// The client writes. With a request ID, the application must accept or refuse.
        case write(ServerRequestID?, [ServerWrite])
        /// The client changed its subscription to the characteristic with this value handle.
        case subscribed(valueHandle: UInt16, GATTClientConfiguration)
        /// The client has confirmed an indication, or has failed to do so in time.
        case indicated(valueHandle: UInt16, confirmed: Bool)
        /// An indication was not confirmed within 30 s, so the link must be ended.
        case timedOut
    }

    /// Limit of the parts that a client may queue.
    public static let prepareLimit = 128

    enum Waiting: Sendable {
        case read(ATTOpcode, handle: UInt16)
        case readOne(opcode: ATTOpcode, handle: UInt16)
        case several(ATTOpcode, left: [UInt16], done: [[UInt8]])
        case write(ATTOpcode, handle: UInt16)
    }

    /// The time at which the outstanding indication times out; nil without one.
    public private(set) var deadline: Instant?

    var security = LinkSecurity()
    /// Whether there is a key to protect the link.
    var hasKey = false
    /// The shortest key length, in bytes, for attributes that require encryption.
    var minimumKeySize: UInt8 = 7
    /// The record of the client.
    public internal(set) var record = ClientRecord()
    var databaseHash: [UInt8] = []
    /// Whether the client was informed that its database is out of date, so that its next request is
    /// accepted.
    var isTold = false
    var outputs: [Output] = []
    var waiting: (id: ServerRequestID, what: Waiting)?
    private var nextRequest: UInt64 = 1
    private var prepared: [ServerWrite] = []
    var configurations: [UInt16: GATTClientConfiguration] = [:]
    private var indications: [(handle: UInt16, value: [UInt8])] = []
    private var indicating: UInt16?

    public init() {}

    /// Handles a PDU from the client.
    ///
    /// - Parameters:
    ///   - octets: the PDU.
    ///   - database: the attributes.
    ///   - mtu: the ATT_MTU, in bytes.
    ///   - offer: the longest PDU that the server accepts, in bytes.
    public mutating func receive(
        _ octets: [UInt8], _ database: GATTDatabase, mtu: Int, offer: UInt16, at now: Instant
    ) -> [Output] {
        let opcode = ATTOpcode(rawValue: octets.first ?? 0)
        // A client must not send a request while another is outstanding; such a request is refused.
        if waiting != nil, opcode.kind == .request || opcode.kind == .unknown {
            refuse(opcode, of: firstHandle(opcode, octets), .unlikelyError)
            return taken()
        }
        let pdu = try? ATTTable.decode(octets)
        if isOutOfSync(opcode, octets, pdu) { return taken() }
        switch pdu {
        case let request as ATTExchangeMTURequest:
            send(ATTExchangeMTUResponse(serverMTU: max(offer, 23)))
            outputs.append(.mtuAgreed(max(23, Int(min(request.clientMTU, offer)))))
        case let request as ATTFindInformationRequest: find(request, database, mtu: mtu)
        case let request as ATTFindByTypeValueRequest: find(request, database, mtu: mtu)
        case let request as ATTReadByTypeRequest: read(request, database, mtu: mtu)
        case let request as ATTReadByGroupTypeRequest: read(request, database, mtu: mtu)
        case let request as ATTReadRequest:
            read(.readRequest, of: request.handle, from: 0, database, mtu: mtu)
        case let request as ATTReadBlobRequest:
            read(.readBlobRequest, of: request.handle, from: Int(request.offset), database, mtu: mtu)
        case let request as ATTReadMultipleRequest:
            readSeveral(.readMultipleRequest, request.handles, database, mtu: mtu)
        case let request as ATTReadMultipleVariableRequest:
            readSeveral(.readMultipleVariableRequest, request.handles, database, mtu: mtu)
        case let request as ATTWriteRequest:
            write(.writeRequest, to: request.handle, request.value, database)
        case let command as ATTWriteCommand: write(.writeCommand, to: command.handle, command.value, database)
        case let request as ATTPrepareWriteRequest: prepare(request, database, mtu: mtu)
        case let request as ATTExecuteWriteRequest: execute(request, database)
        case is ATTHandleValueConfirmation: confirmed(database, at: now)
        default:
            // Unknown commands are ignored, and so are signed ones without a key.
            if !opcode.isCommand { refuse(opcode, of: 0, .requestNotSupported) }
        }
        return taken()
    }

    /// Handles the application's answer to a read.
    public mutating func answer(
        _ id: ServerRequestID, read result: Result<[UInt8], ATTErrorCode>, _ database: GATTDatabase, mtu: Int
    ) -> [Output] {
        guard let (expected, what) = waiting, expected == id else { return [] }
        waiting = nil
        switch (what, result) {
        case (.read(let opcode, let handle), .failure(let error)),
            (.readOne(let opcode, let handle), .failure(let error)):
            refuse(opcode, of: handle, error)
        case (.several(let opcode, let left, _), .failure(let error)):
            refuse(opcode, of: left.first ?? 0, error)
        case (.read(let opcode, _), .success(let value)): sendValue(opcode, value, mtu: mtu)
        case (.readOne(_, let handle), .success(let value)):
            sendAttributes([ATTHandleValue(handle: handle, value: Array(value.prefix(min(mtu - 4, 253))))])
        case (.several(let opcode, let left, let done), .success(let value)):
            gather(opcode, Array(left.dropFirst()), done + [value], database, mtu: mtu)
        case (.write, _): waiting = (expected, what)
        }
        return taken()
    }

    /// Handles the application's answer to a write; without an error, the write was done.
    public mutating func answer(_ id: ServerRequestID, write error: ATTErrorCode?) -> [Output] {
        guard let (expected, what) = waiting, expected == id, case .write(let opcode, let handle) = what
        else {
            return []
        }
        waiting = nil
        if let error {
            refuse(opcode, of: handle, error)
        } else if opcode == .executeWriteRequest {
            send(ATTExecuteWriteResponse())
        } else {
            send(ATTWriteResponse())
        }
        return taken()
    }

    /// Returns the client's subscription to a characteristic, by the handle of its configuration.
    public func configuration(_ handle: UInt16) -> GATTClientConfiguration { configurations[handle] ?? [] }

    /// Returns a notification for the client; nil without a subscription.
    public func notification(
        _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase, mtu: Int
    ) -> [UInt8]? {
        guard takes(.notification, of: handle, database) else { return nil }
        let cut = Array(value.prefix(mtu - 3))
        return ATTHandleValueNotification(handle: handle, value: cut).pdu
    }

    /// Whether a value can be sent to the client in this way: the client has subscribed and assumes the
    /// current database, and the link is as secure as the characteristic requires.
    private func takes(
        _ way: GATTClientConfiguration, of handle: UInt16, _ database: GATTDatabase
    ) -> Bool {
        guard !isUnaware, let configuration = database.configurationHandle(ofValue: handle),
            self.configuration(configuration).contains(way), let attribute = database[configuration]
        else { return false }
        return !attribute.permissions.contains(.writeEncryptionRequired) || securityError == nil
    }

    var isIndicating: Bool { indicating != nil }

    /// Whether a value would be sent as an indication.
    func indicates(_ handle: UInt16, _ database: GATTDatabase) -> Bool {
        guard let configuration = database.configurationHandle(ofValue: handle) else { return false }
        let wanted = self.configuration(configuration)
        return wanted.contains(.indication) && !wanted.contains(.notification)
    }

    /// Sends an indication, after earlier ones have been confirmed.
    ///
    /// - Returns: nil if the client has not subscribed to indications.
    public mutating func indicate(
        _ handle: UInt16, _ value: [UInt8], _ database: GATTDatabase, mtu: Int, at now: Instant
    ) -> [Output]? {
        guard takes(.indication, of: handle, database) else { return nil }
        queue(handle, Array(value.prefix(mtu - 3)), at: now)
        return taken()
    }

    mutating func queue(_ handle: UInt16, _ value: [UInt8], at now: Instant) {
        indications.append((handle, value))
        indicateNext(at: now)
    }

    /// Handles the passing of time until `now`.
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

    mutating func refuse(_ request: ATTOpcode, of handle: UInt16, _ error: ATTErrorCode) {
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
        _ opcode: ATTOpcode, to handle: UInt16, _ value: [UInt8], _ database: GATTDatabase
    ) {
        let answers = opcode == .writeRequest
        if let error = writeError(handle, database) ?? lengthError(value.count) {
            if answers { refuse(opcode, of: handle, error) }
            return
        }
        if isOwn(handle, database) {
            let error = keep(handle, value, database)
            if !answers { return }
            if let error { return refuse(opcode, of: handle, error) }
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

    /// Whether the server keeps the attribute's value itself, one for each client.
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
        guard let wish = try? GATTClientCharacteristicConfiguration(whole: value) else {
            return .invalidAttributeValueLength
        }
        guard let valueHandle = database.valueHandle(ofConfiguration: handle),
            let declaration = database[valueHandle - 1],
            case .fixed(let octets) = declaration.value,
            let properties = try? GATTCharacteristicDeclaration(whole: octets).properties
        else { return .unlikelyError }
        var allowed: GATTClientConfiguration = []
        if properties.contains(.notify) { allowed.insert(.notification) }
        if properties.contains(.indicate) { allowed.insert(.indication) }
        guard wish.configuration.isSubset(of: allowed) else {
            return .clientCharacteristicConfigurationDescriptorImproperlyConfigured
        }
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
        _ request: ATTPrepareWriteRequest, _ database: GATTDatabase, mtu: Int
    ) {
        // The echo of such a part would not fit in a PDU.
        guard request.value.count <= mtu - 5 else {
            return refuse(.prepareWriteRequest, of: request.handle, .invalidPDU)
        }
        if let error = writeError(request.handle, database) {
            return refuse(.prepareWriteRequest, of: request.handle, error)
        }
        guard prepared.count < Self.prepareLimit else {
            return refuse(.prepareWriteRequest, of: request.handle, .prepareQueueFull)
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
            guard request.flags <= 1 else { return refuse(.executeWriteRequest, of: 0, .invalidPDU) }
            return send(ATTExecuteWriteResponse())
        }
        // The parts of a value must have no gaps, and must not exceed the maximum length.
        var ends: [UInt16: Int] = [:]
        for write in writes {
            guard write.offset <= ends[write.handle] ?? 0 else {
                return refuse(.executeWriteRequest, of: write.handle, .invalidOffset)
            }
            let end = write.offset + write.value.count
            if let error = lengthError(end) { return refuse(.executeWriteRequest, of: write.handle, error) }
            ends[write.handle] = max(ends[write.handle] ?? 0, end)
        }
        for write in writes where isOwn(write.handle, database) {
            if let error = keep(write.handle, write.value, database) {
                return refuse(.executeWriteRequest, of: write.handle, error)
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

/// A server's record of a client; that of a bonded client is kept between links.
///
/// Source: Core Specification, Vol 3, Part G, 2.5.2.1, 3.3.3.3 and 7.2.
public struct ClientRecord: Hashable, Sendable {
    /// A client's subscription to a characteristic.
    public struct Subscription: Hashable, Codable, Sendable {
        /// The handle of the Client Characteristic Configuration.
        public var handle: UInt16
        /// The characteristic, so that a later attribute with the same handle is not mistaken for it.
        public var uuid: BluetoothUUID
        public var configuration: GATTClientConfiguration

        private enum CodingKeys: String, CodingKey {
            case handle, configuration
            case uuid = "characteristic"
        }

        public init(handle: UInt16, uuid: BluetoothUUID, configuration: GATTClientConfiguration) {
            self.handle = handle
            self.uuid = uuid
            self.configuration = configuration
        }
    }

    /// The subscriptions whose configuration is not 0.
    public var subscriptions: [Subscription] = []
    /// Client Supported Features, as the client wrote it.
    public var features: [UInt8] = []
    /// Hash of the database that the client knows, 16 bytes; empty before the first database.
    public var databaseHash: [UInt8] = []

    public init() {}

    /// Whether the client asked to be informed of database changes by errors too (Robust Caching).
    var isRobust: Bool { (features.first ?? 0) & 1 != 0 }

    mutating func set(_ subscription: Subscription) {
        subscriptions.removeAll { $0.handle == subscription.handle }
        if subscription.configuration != [] { subscriptions.append(subscription) }
    }
}
