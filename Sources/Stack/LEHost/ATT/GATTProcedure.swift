import BluetoothCore

/// One running operation: the outstanding request, and the results so far.
///
/// Source: Core Specification, Vol 3, Part G, 4.
struct GATTProcedure: Sendable {
    enum Step {
        /// Send another request.
        case ask(any ATTPDU)
        case done(Result<GATTOutcome, GATTFailure>)
    }

    let token: GATTToken
    let operation: GATTOperation
    /// The request that has no response yet; nil without one.
    private(set) var outstanding: ATTOpcode?
    private var mtu = ATTClient.defaultMTU

    var services: [GATTService] = []
    var includes: [GATTInclude] = []
    var characteristics: [GATTCharacteristic] = []
    var descriptors: [GATTDescriptor] = []
    var values: [ATTHandleValue] = []
    var value: [UInt8] = []
    /// The first handle to query next; above 0xFFFF at the end.
    var cursor = 0
    var last = 0xFFFF
    /// Included services whose UUID must be read, as indices of `includes`.
    var unnamed: [Int] = []
    /// Number of bytes of the value that the server has queued so far.
    var kept = 0
    /// The reason why all queued parts are being cancelled; nil if they are not.
    var cancelling: GATTFailure?

    init(_ operation: GATTOperation, token: GATTToken) {
        self.operation = operation
        self.token = token
    }

    mutating func begin(mtu: Int) -> Step {
        self.mtu = mtu
        switch operation {
        case .exchangeMTU(let offer):
            return ask(ATTExchangeMTURequest(clientMTU: max(offer, 23)))
        case .discoverServices:
            cursor = 1
            return nextServices()
        case .discoverIncludes(let range), .discoverCharacteristics(let range),
            .discoverDescriptors(let range), .readByType(_, let range):
            guard range.lowerBound > 0 else { return .done(.failure(.invalidOperation)) }
            cursor = Int(range.lowerBound)
            last = Int(range.upperBound)
            return nextInRange()
        case .read(let handle):
            guard handle > 0 else { return .done(.failure(.invalidOperation)) }
            return ask(ATTReadRequest(handle: handle))
        case .write(let handle, let value):
            guard handle > 0, value.count <= ATTClient.longestValue else {
                return .done(.failure(.invalidOperation))
            }
            guard value.count > mtu - 3 else {
                return ask(ATTWriteRequest(handle: handle, value: value))
            }
            return nextPart(of: value, handle: handle)
        case .request(let octets):
            guard octets.count <= mtu, let pdu = try? ATTTable.decode(octets), pdu.opcode.kind == .request
            else { return .done(.failure(.invalidOperation)) }
            return ask(pdu)
        }
    }

    /// Handles the response to the outstanding request.
    mutating func answered(_ pdu: any ATTPDU, mtu: Int) -> Step {
        outstanding = nil
        // The MTU may have changed since the request.
        let asked = self.mtu
        self.mtu = mtu
        if case .request = operation { return .done(.success(.response(pdu.pdu))) }
        switch pdu {
        case let response as ATTExchangeMTUResponse: return agreed(Int(response.serverMTU))
        case let response as ATTReadByGroupTypeResponse: return foundServices(response)
        case let response as ATTFindByTypeValueResponse: return foundServices(response)
        case let response as ATTReadByTypeResponse: return found(response)
        case let response as ATTFindInformationResponse: return foundDescriptors(response)
        case let response as ATTReadResponse: return read(response.value, asked: asked)
        case let response as ATTReadBlobResponse: return read(response.value, asked: asked)
        case is ATTWriteResponse: return .done(.success(.written))
        case let response as ATTPrepareWriteResponse: return prepared(response, asked: asked)
        case is ATTExecuteWriteResponse: return .done(cancelling.map { .failure($0) } ?? .success(.written))
        default: return .done(.failure(.malformedResponse(pdu.opcode)))
        }
    }

    /// Handles an Error Response to the outstanding request.
    mutating func refused(_ error: ATTErrorResponse, mtu: Int) -> Step {
        outstanding = nil
        self.mtu = mtu
        let refusal = GATTFailure.refused(error.error, handle: error.handle)
        switch operation {
        case .exchangeMTU where error.error == .requestNotSupported:
            // A server that does not know the request uses the default MTU.
            return .done(.success(.mtu(ATTClient.defaultMTU)))
        case .discoverServices, .discoverCharacteristics, .discoverDescriptors, .readByType:
            return error.error == .attributeNotFound ? finishRange() : .done(.failure(refusal))
        case .discoverIncludes:
            guard unnamed.isEmpty || error.request != .readRequest else {
                return .done(.failure(refusal))
            }
            return error.error == .attributeNotFound ? finishRange() : .done(.failure(refusal))
        case .read where !value.isEmpty:
            // The value ended with the last part.
            let ended = error.error == .attributeNotLong || error.error == .invalidOffset
            return .done(ended ? .success(.value(value)) : .failure(refusal))
        case .write where error.request == .prepareWriteRequest && kept > 0:
            cancelling = refusal
            return ask(ATTExecuteWriteRequest(flags: 0))
        case .write where cancelling != nil: return .done(.failure(cancelling ?? refusal))
        default: return .done(.failure(refusal))
        }
    }

    mutating func ask(_ request: any ATTPDU) -> Step {
        outstanding = request.opcode
        return .ask(request)
    }

    private func agreed(_ serverMTU: Int) -> Step {
        guard case .exchangeMTU(let offer) = operation else { return .done(.failure(.invalidOperation)) }
        return .done(.success(.mtu(max(ATTClient.defaultMTU, min(Int(max(offer, 23)), serverMTU)))))
    }

    private mutating func read(_ part: [UInt8], asked: Int) -> Step {
        if case .discoverIncludes = operation { return named(part) }
        guard case .read(let handle) = operation else {
            return .done(.failure(.malformedResponse(.readResponse)))
        }
        value += part
        // A full response may be only a part. From a server that never ends a value, the maximum length is
        // taken.
        guard part.count == asked - 1 || part.count == mtu - 1, value.count < ATTClient.longestValue else {
            return .done(.success(.value(value)))
        }
        return ask(
            ATTReadBlobRequest(handle: handle, offset: UInt16(clamping: value.count)))
    }

    private mutating func nextPart(of value: [UInt8], handle: UInt16) -> Step {
        let part = Array(value[kept..<min(value.count, kept + mtu - 5)])
        return ask(
            ATTPrepareWriteRequest(handle: handle, offset: UInt16(clamping: kept), value: part))
    }

    private mutating func prepared(_ echo: ATTPrepareWriteResponse, asked: Int) -> Step {
        guard case .write(let handle, let value) = operation else {
            return .done(.failure(.malformedResponse(.prepareWriteResponse)))
        }
        let part = Array(value[kept..<min(value.count, kept + asked - 5)])
        guard echo.handle == handle, Int(echo.offset) == kept, echo.value == part else {
            cancelling = .echoMismatch(handle: handle)
            return ask(ATTExecuteWriteRequest(flags: 0))
        }
        kept += part.count
        guard kept == value.count else { return nextPart(of: value, handle: handle) }
        return ask(ATTExecuteWriteRequest(flags: 1))
    }
}
