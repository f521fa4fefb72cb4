import Analysis
import BluetoothCore
import CaptureFile
import Runtime
import WireBytes

@testable import Replay

/// Sessions made by hand: one connection to one peer.
enum Synthetic {
    static let peer = DeviceAddress(0xC0_11_22_33_44_55, .random)

    /// One recorded PDU: who sent it, in how many milliseconds after the one before, on ATT unless said.
    struct Line {
        var side: RecordedPDU.Side
        var octets: [UInt8]
        var channel: L2CAPChannelID = .attribute
        var after: Int64 = 10

        /// The host sends a PDU given in hexadecimal.
        static func host(_ hex: String, on channel: L2CAPChannelID = .attribute) -> Line {
            Line(side: .host, octets: (try? Hex.octets(hex)) ?? [], channel: channel)
        }

        /// The peer sends one.
        static func peer(_ hex: String, after: Int64 = 10, on channel: L2CAPChannelID = .attribute) -> Line {
            Line(side: .peer, octets: (try? Hex.octets(hex)) ?? [], channel: channel, after: after)
        }
    }

    enum End {
        case open, byHost
        case byPeer(HCIStatus)
    }

    /// Generic Access with a name at 0x0003, Generic Attribute with Service Changed at 0x0008 and its CCCD at
    /// 0x0009, FFF0 with FFF1 at 0x0012 and FFF2 at 0x0015, each with its CCCD, and FFF3 at 0x0018.
    static let attributes: [KnownAttribute] = [
        service(0x1800, 0x0001, 0x0005), service(0x1801, 0x0006, 0x0009), service(0xFFF0, 0x0010, 0x0020),
        characteristic(0x2A00, 0x0002), characteristic(0x2A05, 0x0007), characteristic(0xFFF1, 0x0011),
        characteristic(0xFFF2, 0x0014), characteristic(0xFFF3, 0x0017), descriptor(0x0009),
        descriptor(0x0013), descriptor(0x0016),
    ]

    private static func service(_ uuid: UInt16, _ start: UInt16, _ end: UInt16) -> KnownAttribute {
        known(start, .service(BluetoothUUID(uuid), endHandle: end, isPrimary: true))
    }

    private static func characteristic(_ uuid: UInt16, _ handle: UInt16) -> KnownAttribute {
        known(
            handle, .characteristic(BluetoothUUID(uuid), properties: 0x3E, valueHandle: handle + 1))
    }

    private static func descriptor(_ handle: UInt16) -> KnownAttribute {
        known(handle, .other(.clientCharacteristicConfiguration))
    }

    private static func known(_ handle: UInt16, _ content: KnownAttribute.Content) -> KnownAttribute {
        KnownAttribute(handle: handle, content: content, source: .discovered, frame: 1)
    }

    /// A session in which the connection is asked for at 100 ms and made at 150 ms.
    static func model(
        _ lines: [Line], end: End = .byHost, change: (inout AdapterLog) -> Void = { _ in }
    ) -> SessionModel {
        var log = AdapterLog(file: 0, adapter: 0, origin: CaptureTime(nanoseconds: 0))
        log.controller.packetLength = 27
        var connection = RecordedConnection(
            number: 1, frame: 10, status: .success, peer: peer, completed: at(150))
        connection.asked = at(100)
        var time: Int64 = 150
        var requests: [RecordedPDU.Side: Int] = [:]
        var indications: [RecordedPDU.Side: Int] = [:]
        for (place, line) in lines.enumerated() {
            time += line.after
            var pdu = RecordedPDU(
                frame: 100 + place, time: at(time), side: line.side, channel: line.channel,
                octets: line.octets, isCut: false)
            let other: RecordedPDU.Side = line.side == .host ? .peer : .host
            if line.channel == .attribute {
                switch pdu.opcode.kind {
                case .request: requests[line.side] = place
                case .response: pdu.answers = requests.removeValue(forKey: other)
                case .indication: indications[line.side] = place
                case .confirmation: pdu.answers = indications.removeValue(forKey: other)
                default: break
                }
            }
            connection.pdus.append(pdu)
        }
        switch end {
        case .open: break
        case .byHost:
            connection.end = RecordedConnection.End(
                frame: 901, time: at(time + 60), reason: .connectionTerminatedByLocalHost,
                request: .init(frame: 900, time: at(time + 50), reason: .remoteUserTerminatedConnection))
        case .byPeer(let reason):
            connection.end = RecordedConnection.End(frame: 901, time: at(time + 60), reason: reason)
        }
        connection.learn(attributes)
        log.connections = [connection]
        log.last = at(time + 100)
        change(&log)
        return SessionModel(log)
    }

    static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}
