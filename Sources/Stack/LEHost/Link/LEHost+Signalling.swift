import BluetoothCore
import WireBytes

// The signalling channel of a link.

extension LEHost {
    /// Handles a signalling PDU; on LE it has one command.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.
    mutating func takeSignal(_ octets: [UInt8], _ id: LinkID) {
        let isWhole = L2CAPTable.fault(in: octets.borrowedOctets) == nil
        if !isWhole { tell(.problem(.unknownChannel(id, .leSignalling))) }
        if isWhole, takeParameterAnswer(octets, id) { return }
        guard octets.count >= 2, isWhole || octets[1] != 0 else { return }
        switch L2CAPSignallingCode(rawValue: octets[0]) {
        case .connectionParameterUpdateRequest where isWhole: return answer(octets, id)
        case .leCreditBasedConnectionRequest where isWhole, .leCreditBasedConnectionResponse where isWhole,
            .disconnectionRequest where isWhole, .disconnectionResponse where isWhole,
            .flowControlCredit where isWhole, .commandReject where isWhole:
            return takeChannelSignal(octets, id)
        default: break
        }
        guard isRequest(octets[0]) else { return }
        reject(octets[1], id)
    }

    // Responses and credits need no answer; every other unknown code is rejected.
    private func isRequest(_ code: UInt8) -> Bool {
        ![0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x16, 0x18, 0x1A].contains(code)
    }

    /// Sends a command whose only parameter is a two-byte integer.
    private mutating func transmit(
        _ code: L2CAPSignallingCode, _ identifier: UInt8, _ parameter: UInt8, _ id: LinkID
    ) {
        transmit([code.rawValue, identifier, 2, 0, parameter, 0], on: .leSignalling, to: id)
    }

    /// Rejects a command that is not understood.
    private mutating func reject(_ identifier: UInt8, _ id: LinkID) {
        transmit(.commandReject, identifier, 0, id)
    }

    /// Answers a peripheral's parameter request, and passes allowed parameters to the controller.
    ///
    /// Source: Core Specification, Vol 3, Part A, 4.20.
    private mutating func answer(_ request: [UInt8], _ id: LinkID) {
        guard let index = place(of: id) else { return }
        let link = links[index].link
        // Only a central decides.
        guard link.isCentral else { return reject(request[1], id) }
        func word(_ at: Int) -> UInt16 { request.borrowedOctets.u16le(at: at) ?? 0 }
        let parameters = ConnectionParameters(
            intervalMin: word(4), intervalMax: word(6), latency: word(8), timeout: word(10))
        // One change at a time, so that repeated requests don't build a queue.
        let isAllowed =
            parameters.areAllowed(by: configuration.rules)
            && !commands.contains { $0 == .updateParameters(id) }
        transmit(.connectionParameterUpdateResponse, request[1], isAllowed ? 0 : 1, id)
        guard isAllowed else { return }
        set(parameters, on: link)
    }
}
