import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import WireBytes

// Packets from the air.

extension NDJSONRenderer {
    mutating func air(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let account = analyzer.air.last
        let packet = account.packet
        out.object("air")
        out.member("access_address")
        out.jsonQuoted { $0.hex(UInt64(packet.accessAddress), digits: 8) }
        out.member("length", packet.length)
        let radio = record.header.radio
        if radio.channel < 40 {
            out.member("channel", radio.channel)
        }
        out.member("rssi", radio.knownSignal)
        switch packet.integrity {
        case .valid: out.member("crc_ok", true)
        case .invalid: out.member("crc_ok", false)
        case .unchecked: break
        }
        if account.isReadable, packet.integrity != .invalid { pdu(account, record) }
        if account.missedEvents > 0 {
            out.member("events_missed", account.missedEvents)
        }
        out.endObject()
        if analyzer.frame.l2cap != nil { acl(record, analyzer) }
        guard analyzer.frame.reports > 0 else { return }
        let view = analyzer.air.view
        // The last event is the report; an earlier one may report a lost connection. The parameters start
        // after the subevent code.
        guard let report = view.packets.last(where: { $0.kind == .event }) else { return }
        advertising(view.octets.borrowedOctets.clamped(report.range).dropping(3), analyzer)
    }

    /// Writes the counts of a connection's packets that a sniffer heard.
    mutating func air(_ link: Link) {
        out.member("central", link.central)
        guard let air = link.air else { return }
        out.object("air")
        out.member("events", air.events)
        out.member("events_missed", air.missedEvents)
        out.member("crc_errors", air.wrongCRC)
        out.member("retransmissions", air.retransmissions)
        out.member("encrypted_opened", air.opened)
        out.member("encrypted_unopened", air.closed)
        out.endObject()
    }

    private mutating func pdu(_ account: AirFollower.Account, _ record: borrowing Record) {
        let packet = account.packet
        let payload = record.octets.clamped(packet.payload)
        if packet.isAdvertising {
            let type = packet.advertisingType
            begin(pdu: AirTable.advertisingName(type, isSecondary: packet.isSecondary), type)
            fields(payload, as: .airAdvertising(type))
            return out.endObject()
        }
        out.member("retransmission", if: account.isRetransmission)
        out.member("encrypted", if: account.isClosed)
        out.member("decrypted", if: account.opened != nil)
        guard let opcode = account.controlOpcode else { return }
        begin(pdu: AirTable.controlName(opcode), opcode)
        if let opened = account.opened {
            fields(opened.borrowedOctets.dropping(1), as: .airControl(opcode))
        } else {
            fields(payload.dropping(1), as: .airControl(opcode))
        }
        out.endObject()
    }

    /// Begins the object of a PDU with its name and its type or opcode.
    private mutating func begin(pdu name: StaticText?, _ code: UInt8) {
        out.object("pdu")
        out.member("code", code)
        out.member("name", name)
    }
}
