import BluetoothCore
import WireBytes

// The signalling channel and the security channel of a link.

extension LEHost {
    /// Takes a signalling PDU: on LE it holds one command.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.
    mutating func takeSignal(_ octets: [UInt8], _ id: LinkID) {
        let signal: L2CAPSignal<[UInt8]>
        do throws(DecodeError) {
            signal = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
                let signal = try L2CAPSignal<[UInt8]>(decoding: &reader)
                try reader.expectEnd()
                return signal
            }
        } catch {
            tell(.problem(.unknownChannel(id, .leSignalling)))
            guard octets.count >= 2, octets[1] != 0, isRequest(octets[0]) else { return }
            return reject(octets[1], id)
        }
        switch signal.parameters {
        case .connectionParameterUpdateRequest(let wish): answer(wish, signal.identifier, id)
        default:
            if isRequest(signal.parameters.signallingCode.rawValue) { reject(signal.identifier, id) }
        }
    }

    // Responses and credits ask for nothing; every other code is refused where it is not known.
    private func isRequest(_ code: UInt8) -> Bool {
        ![0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x16, 0x18, 0x1A].contains(code)
    }

    private mutating func reject(_ identifier: UInt8, _ id: LinkID) {
        let rejection = L2CAPCommandReject<[UInt8]>(reason: .notUnderstood, data: [])
        transmit(
            L2CAPSignal(identifier: identifier, .commandReject(rejection)).encoded, on: .leSignalling, to: id)
    }

    /// Answers a peripheral that asks for other parameters, and asks the controller for them where they are
    /// allowed.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    private mutating func answer(
        _ wish: L2CAPConnectionParameterUpdateRequest, _ identifier: UInt8, _ id: LinkID
    ) {
        guard let index = place(of: id) else { return }
        let link = links[index].link
        // Only a central decides.
        guard link.isCentral else { return reject(identifier, id) }
        let parameters = ConnectionParameters(
            intervalMin: wish.intervalMin, intervalMax: wish.intervalMax, latency: wish.latency,
            timeout: wish.timeout)
        let isAllowed = parameters.areAllowed(by: configuration.rules)
        let response = L2CAPConnectionParameterUpdateResponse(result: isAllowed ? 0 : 1)
        transmit(
            L2CAPSignal<[UInt8]>(
                identifier: identifier, .connectionParameterUpdateResponse(response)
            ).encoded, on: .leSignalling, to: id)
        guard isAllowed else { return }
        send(
            LEConnectionUpdate {
                $0.connectionHandle = link.handle
                $0.connectionIntervalMin = parameters.intervalMinUnits
                $0.connectionIntervalMax = parameters.intervalMaxUnits
                $0.maxLatency = parameters.latency
                $0.supervisionTimeout = parameters.supervisionTimeoutUnits
            }, for: .updateParameters(id))
    }

    /// Refuses to pair: this host has no Security Manager.
    ///
    /// Source: Core Specification, Vol 3, Part H, 3.5.5.
    mutating func takeSecurity(_ octets: [UInt8], _ id: LinkID) {
        guard let code = octets.first.map(SMPCode.init(rawValue:)) else {
            return tell(.problem(.unknownChannel(id, .securityManager)))
        }
        guard code == .pairingRequest || code == .securityRequest else { return }
        let refusal = SMPPDU<[UInt8]>.pairingFailed(SMPPairingFailed(reason: .pairingNotSupported))
        transmit(refusal.encoded, on: .securityManager, to: id)
    }
}
