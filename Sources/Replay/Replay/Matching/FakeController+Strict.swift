import BluetoothCore
import WireBytes

// The strict tier: each packet from the host to its controller must equal the recorded one.

/// A packet from the recorded host to its controller.
struct HostPacket: Sendable {
    /// The number of the packet's record.
    var frame: Int
    var type: HCIPacketType
    /// The packet without the packet type.
    var octets: [UInt8]
    /// The connection's number in the model; 0 for none.
    var connection: Int

    /// Offset of the connection handle in a packet that has one.
    var handlePlace: Int { type == .acl ? 0 : 3 }

    /// Describes a packet in one line.
    static func text(_ type: HCIPacketType, _ octets: [UInt8]) -> String {
        guard type == .command, octets.count >= 3 else { return "data \(Hex.text(octets))" }
        let opcode = HCIOpcode(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
        if [LEEnableEncryption.opcode, LELongTermKeyRequestReply.opcode].contains(opcode) {
            return "HCI \(opcode.name.map { "\($0)" } ?? ""), with its key"
        }
        let name = opcode.name.map { "\($0)" } ?? "command 0x\(Hex.text([octets[1], octets[0]]))"
        return "HCI \(name) \(Hex.text(octets[3...]))"
    }
}

extension FakeController {
    /// Compares a packet of the host with the next recorded one. Nothing is compared after the last.
    mutating func compareStrictly(_ packet: HCIPacket) {
        guard options.tier == .strict, divergence == nil, stuck == nil, nextPacket < model.packets.count
        else { return }
        let expected = model.packets[nextPacket]
        nextPacket += 1
        guard expected.type != packet.type || mapped(expected) != packet.octets else { return }
        divergeInPackets(expected, got: HostPacket.text(packet.type, packet.octets))
    }

    /// Reports recorded packets that are missing once the host has finished.
    mutating func checkPacketsLeft() {
        guard options.tier == .strict, divergence == nil, stuck == nil, nextPacket < model.packets.count
        else { return }
        divergeInPackets(model.packets[nextPacket], got: nil)
    }

    /// Returns a recorded packet with the connection's current handle.
    private func mapped(_ packet: HostPacket) -> [UInt8] {
        var octets = packet.octets
        guard let link = links.last(where: { $0.connection.number == packet.connection }),
            octets.count >= packet.handlePlace + 2
        else { return octets }
        octets[packet.handlePlace] = UInt8(truncatingIfNeeded: link.handle)
        octets[packet.handlePlace + 1] = octets[packet.handlePlace + 1] & 0xF0 | UInt8(link.handle >> 8)
        return octets
    }

    private mutating func divergeInPackets(_ expected: HostPacket, got: String?) {
        let connection = model.connections.first { $0.number == max(1, expected.connection) }
        keep(
            Divergence(
                kind: .packet, time: now, connection: expected.connection,
                peer: connection?.peer ?? DeviceAddress(0, .public),
                told: .init(
                    frame: expected.frame, expected: HostPacket.text(expected.type, mapped(expected)),
                    got: got),
                channel: .attribute, before: transcript.last(8, of: expected.connection),
                callbacks: transcript.callbacks, state: state))
    }
}
