import BluetoothCore
import Runtime
import WireBytes

// The strict tier: each packet from the host to its controller must equal the recorded one.

struct HostPacket: Sendable {
    var frame: Int
    var type: HCIPacketType
    /// The packet without its type.
    var octets: [UInt8]
    /// The connection's number in the model; 0 for none.
    var connection: Int

    /// Offset of the connection handle in a packet that has one.
    var handlePlace: Int { type == .acl ? 0 : 3 }

    /// Describes a packet in one line, without the keys in it.
    static func text(_ type: HCIPacketType, _ octets: [UInt8]) -> String {
        switch type {
        case .command where octets.count >= 3: command(octets)
        case .acl where octets.count >= 4: data(octets)
        default: "HCI " + (type.name.map { "\($0), " } ?? "") + octets.count.counting("byte")
        }
    }

    private static func command(_ octets: [UInt8]) -> String {
        let opcode = HCIOpcode(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
        let name = "HCI " + (opcode.name.map { "\($0)" } ?? "command 0x\(Hex.text([octets[1], octets[0]]))")
        var fields = FieldText(octets.borrowedOctets.dropping(3))
        do throws(DecodeError) {
            guard try HCICommandTable.code(opcode, .parameters, &fields) else {
                return "\(name) \(Hex.text(octets[3...]))"
            }
        } catch {
            // Bytes that are not decoded may contain a key.
            return name + fields.text + " and \(fields.rest.count.counting("byte")) that do not decode"
        }
        return name + fields.text + (fields.rest.isEmpty ? "" : " \(fields.rest.count.counting("byte")) more")
    }

    private static func data(_ octets: [UInt8]) -> String {
        let handle = PDUText.hex(UInt64(octets[0]) | UInt64(octets[1] & 0x0F) << 8, digits: 4)
        // A continuation may contain a part of a key.
        guard octets[1] >> 4 & 3 != 1, octets.count >= 8 else {
            return "\((octets.count - 4).counting("byte")) of continued data on \(handle)"
        }
        let channel = L2CAPChannelID(rawValue: UInt16(octets[6]) | UInt16(octets[7]) << 8)
        let length = Int(octets[4]) | Int(octets[5]) << 8
        let begun = octets.count - 8 < length ? ", \(octets.count - 8) of \(length.counting("byte"))" : ""
        return "data on \(handle): \(PDUText.text(Array(octets[8...]), channel))\(begun)"
    }
}

extension FakeController {
    /// Compares a packet of the host with the next recorded one; after the last one, nothing is compared.
    mutating func compareStrictly(_ packet: HCIPacket) {
        guard options.tier == .strict, !air.judge.hasVerdict, nextPacket < model.packets.count
        else { return }
        let expected = model.packets[nextPacket]
        nextPacket += 1
        guard expected.type != packet.type || mapped(expected) != packet.octets else { return }
        divergeInPackets(expected, got: HostPacket.text(packet.type, packet.octets))
    }

    /// Reports the recorded packets that are missing when the host has finished.
    mutating func checkPacketsLeft() {
        guard options.tier == .strict, !air.judge.hasVerdict, nextPacket < model.packets.count
        else { return }
        divergeInPackets(model.packets[nextPacket], got: nil)
    }

    /// Returns a recorded packet with the handle that the connection has in the replay.
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
        // A packet of no connection is reported with the device of the first one.
        let connection = model.connections.first { $0.number == max(1, expected.connection) }
        record(
            .told(
                .packet, at: air.now, on: expected.connection, to: connection?.peer, frame: expected.frame,
                expected: HostPacket.text(expected.type, mapped(expected)), got: got,
                before: air.transcript.last(8, of: expected.connection), callbacks: air.transcript.callbacks))
    }
}
