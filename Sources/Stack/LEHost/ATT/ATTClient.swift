public import BluetoothCore
public import Runtime
import WireBytes

/// The client of one ATT bearer: runs operations one after another, with one outstanding request and 30 s for
/// a response.
///
/// A state machine without I/O: each call returns the resulting outputs, in order. Source: Core
/// Specification, Vol 3, Part F, 3.3, and Part G, 4.
public struct ATTClient: Sendable {
    /// An output of the client.
    public enum Output: Equatable, Sendable {
        /// A PDU for the server.
        case send([UInt8])
        /// An operation has ended.
        case finished(GATTToken, Result<GATTOutcome, GATTFailure>)
        /// The ATT_MTU has changed to this many bytes.
        case mtuChanged(Int)
        /// The server has sent a value; an indication is already confirmed.
        case value(handle: UInt16, [UInt8], isIndication: Bool)
        /// No response came in time, so the link must be ended.
        case timedOut
        /// The peer sent this PDU, a client's request.
        case request([UInt8])
        /// The peer violated the protocol.
        case problem(ATTProblem)
    }

    /// Time limit of a server's response.
    public static let transactionTimeout: Duration = .seconds(30)
    /// The ATT_MTU in bytes before both sides have agreed on another.
    public static let defaultMTU = 23
    /// Maximum length of an attribute's value, in bytes.
    public static let longestValue = 512

    /// The ATT_MTU, in bytes.
    public private(set) var mtu = ATTClient.defaultMTU
    /// The time at which the outstanding request times out; nil without one.
    public private(set) var deadline: Instant?
    /// Number of operations that wait or run.
    public var pending: Int { waiting + (running == nil ? 0 : 1) }
    /// Number of operations for which nothing was sent yet.
    public var waiting: Int { queue.count }

    var running: GATTProcedure?
    private var queue: [(GATTToken, GATTOperation)] = []
    private var ended: GATTFailure?
    private var outputs: [Output] = []

    public init() {}

    /// Queues an operation.
    public mutating func start(_ operation: GATTOperation, token: GATTToken, at now: Instant) -> [Output] {
        if let ended {
            outputs.append(.finished(token, .failure(ended)))
        } else {
            queue.append((token, operation))
            runNext(at: now)
        }
        return taken()
    }

    /// Returns the PDU of a write without response.
    ///
    /// - Returns: nil if the value is too long for a PDU or the bearer has ended.
    public func writeCommand(_ handle: UInt16, _ value: [UInt8]) -> [UInt8]? {
        guard ended == nil, value.count <= mtu - 3 else { return nil }
        return ATTWriteCommand(handle: handle, value: value).pdu
    }

    /// Handles a PDU from the peer.
    public mutating func receive(_ octets: [UInt8], at now: Instant) -> [Output] {
        guard ended == nil else { return [] }
        do throws(DecodeError) {
            try take(octets, at: now)
        } catch {
            takeMalformed(octets, error, at: now)
        }
        return taken()
    }

    /// Adopts the result of the peer's MTU exchange.
    public mutating func agree(onMTU mtu: Int) -> [Output] {
        setMTU(mtu)
        return taken()
    }

    /// Handles the passing of time until `now`.
    public mutating func timeReached(_ now: Instant) -> [Output] {
        guard let deadline, deadline <= now else { return [] }
        end(.timedOut)
        outputs.append(.timedOut)
        return taken()
    }

    /// Ends the bearer; all operations fail with this failure.
    public mutating func close(_ failure: GATTFailure) -> [Output] {
        end(failure)
        return taken()
    }

    private mutating func taken() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    private mutating func end(_ failure: GATTFailure) {
        guard ended == nil else { return }
        ended = failure
        deadline = nil
        if let running { outputs.append(.finished(running.token, .failure(failure))) }
        running = nil
        for (token, _) in queue { outputs.append(.finished(token, .failure(failure))) }
        queue = []
    }

    private mutating func setMTU(_ new: Int) {
        let agreed = max(Self.defaultMTU, new)
        guard agreed != mtu else { return }
        mtu = agreed
        outputs.append(.mtuChanged(agreed))
    }

    private mutating func runNext(at now: Instant) {
        while running == nil, !queue.isEmpty {
            let (token, operation) = queue.removeFirst()
            var procedure = GATTProcedure(operation, token: token)
            let step = procedure.begin(mtu: mtu)
            running = procedure
            apply(step, at: now)
        }
    }

    private mutating func apply(_ step: GATTProcedure.Step, at now: Instant) {
        guard let procedure = running else { return }
        switch step {
        case .ask(let request):
            deadline = now.advanced(by: Self.transactionTimeout)
            outputs.append(.send(request.pdu))
        case .done(let result):
            deadline = nil
            running = nil
            if case .success(.mtu(let agreed)) = result { setMTU(agreed) }
            outputs.append(.finished(procedure.token, result))
        }
    }

    /// Whether a PDU carries a value that was not requested.
    static func isValue(_ octets: [UInt8]) -> Bool {
        let opcode = ATTOpcode(rawValue: octets.first ?? 0)
        return [.handleValueNotification, .handleValueIndication, .multipleHandleValueNotification]
            .contains(opcode)
    }

    private mutating func take(_ octets: [UInt8], at now: Instant) throws(DecodeError) {
        switch try ATTTable.decode(octets) {
        case let indication as ATTHandleValueIndication:
            outputs.append(.send(ATTHandleValueConfirmation().pdu))
            outputs.append(.value(handle: indication.handle, indication.value, isIndication: true))
        case let notification as ATTHandleValueNotification:
            outputs.append(.value(handle: notification.handle, notification.value, isIndication: false))
        case let several as ATTMultipleHandleValueNotification:
            for one in try ATTHandleLengthValue.elements(of: several.values) {
                outputs.append(.value(handle: one.handle, one.value, isIndication: false))
            }
        case let response? where response.opcode.kind == .response: takeResponse(response, at: now)
        default:
            let opcode = ATTOpcode(rawValue: octets[0])
            if opcode.kind == .unknown { outputs.append(.problem(.unknownOpcode(opcode))) }
            outputs.append(.request(octets))
        }
    }

    private mutating func takeResponse(_ pdu: any ATTPDU, at now: Instant) {
        guard var procedure = running, let asked = procedure.outstanding else {
            return outputs.append(.problem(.unexpectedResponse(pdu.opcode)))
        }
        let step: GATTProcedure.Step
        switch pdu {
        case let error as ATTErrorResponse:
            guard error.request == asked else {
                return outputs.append(.problem(.unexpectedResponse(pdu.opcode)))
            }
            step = procedure.refused(error, mtu: mtu)
        default:
            guard pdu.opcode.answers == asked else {
                return outputs.append(.problem(.unexpectedResponse(pdu.opcode)))
            }
            step = procedure.answered(pdu, mtu: mtu)
        }
        running = procedure
        apply(step, at: now)
        runNext(at: now)
    }

    private mutating func takeMalformed(_ octets: [UInt8], _ error: DecodeError, at now: Instant) {
        let opcode = ATTOpcode(rawValue: octets.first ?? 0)
        outputs.append(.problem(.malformed(opcode, error)))
        switch opcode.kind {
        case .request:
            // A server refuses an unreadable request, so that the client does not wait.
            let refusal = ATTErrorResponse(request: opcode, handle: 0, error: .invalidPDU)
            outputs.append(.send(refusal.pdu))
        case .response:
            guard let procedure = running, opcode.answers == procedure.outstanding else { return }
            apply(.done(.failure(.malformedResponse(opcode))), at: now)
            runNext(at: now)
        default: break
        }
    }
}

/// A violation of the Attribute Protocol by a peer.
public enum ATTProblem: Equatable, Sendable {
    /// A response without a request of ours.
    case unexpectedResponse(ATTOpcode)
    /// A PDU whose bytes contradict each other.
    case malformed(ATTOpcode, DecodeError)
    /// An unassigned opcode without the command bit.
    case unknownOpcode(ATTOpcode)
}
