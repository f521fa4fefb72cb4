import BluetoothCore
import Runtime
import WireBytes

// Commands of the hosts. Before it is executed, a command is checked as the specification requires: first its
// length, then its parameters, then the controller's state.

extension VirtualAir {
    mutating func command(_ octets: [UInt8], of controller: Int) {
        guard octets.count >= 3 else { return }
        let opcode = HCIOpcode(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
        let parameters = Array(octets[3...])
        let answer: CommandAnswer
        if parameters.count == Int(octets[2]) {
            let before = effects.count
            answer = perform(opcode, parameters, controller) ?? .status(.unknownHCICommand)
            // The response precedes the events that the command causes.
            let brought = Array(effects[before...])
            effects.removeSubrange(before...)
            send(HCIPacket(.event, answer.event(for: opcode)), to: controller)
            effects += brought
        } else {
            let refusal = CommandAnswer.complete(.invalidHCICommandParameters)
            send(HCIPacket(.event, refusal.event(for: opcode)), to: controller)
        }
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) -> CommandAnswer? {
        let features = controllers[controller].configuration.supported
        guard let known = KnownCommand.with(opcode, of: features) else {
            return nil
        }
        if let set = known.set {
            let used = controllers[controller].commandSet ?? set
            controllers[controller].commandSet = used
            guard used == set else { return known.refusal(.commandDisallowed) }
        }
        do throws(DecodeError) {
            if opcode == HCIReset.opcode {
                _ = try HCIReset(whole: parameters)
                reset(controller)
                return .complete(.success)
            }
            let inUse = controllers[controller].inUse
            if let answer = try controllers[controller].core.perform(
                opcode, parameters, inUse: inUse, &random)
            {
                return answer
            }
            if let answer = try performAdvertising(opcode, parameters, controller) { return answer }
            if let answer = try performScanning(opcode, parameters, controller) { return answer }
            if let answer = try performPrivacy(opcode, parameters, controller) { return answer }
            return try performLink(opcode, parameters, controller)
        } catch {
            return .complete(.invalidHCICommandParameters)
        }
    }
}

extension PDUFields {
    /// Decodes fields from the start of these bytes.
    init(octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> Self in
            try Self(decoding: &reader)
        }
    }
}
