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
        out.put(",\"air\":{\"access_address\":\"")
        out.hex(UInt64(packet.accessAddress), digits: 8)
        out.put("\",\"length\":")
        out.decimal(packet.length)
        let radio = record.header.radio
        if radio.channel < 40 {
            out.put(",\"channel\":")
            out.decimal(Int(radio.channel))
        }
        if let signal = radio.knownSignal {
            out.put(signal < 0 ? ",\"rssi\":-" : ",\"rssi\":")
            out.decimal(Int(signal.magnitude))
        }
        switch packet.integrity {
        case .valid: out.put(",\"crc_ok\":true")
        case .invalid: out.put(",\"crc_ok\":false")
        case .unchecked: break
        }
        if account.isReadable, packet.integrity != .invalid { pdu(account, record) }
        if account.missedEvents > 0 {
            out.put(",\"events_missed\":")
            out.decimal(account.missedEvents)
        }
        out.put(0x7D)
        if analyzer.frame.l2cap != nil { acl(record, analyzer) }
        guard analyzer.frame.reports > 0 else { return }
        let view = analyzer.air.view
        // The same packet may have shown that a connection was lost. Parameters follow the subevent code.
        guard let report = view.packets.last(where: { $0.kind == .event }) else { return }
        advertising(view.octets.borrowedOctets.clamped(report.range).dropping(3), analyzer)
    }

    /// Writes what a sniffer heard of a connection.
    mutating func air(_ link: Link) {
        if let central = link.central {
            out.put(",\"central\":")
            out.jsonString(central)
        }
        guard let air = link.air else { return }
        number(",\"air\":{\"events\":", air.events)
        number(",\"events_missed\":", air.missedEvents)
        number(",\"crc_errors\":", air.wrongCRC)
        number(",\"retransmissions\":", air.retransmissions)
        number(",\"encrypted_opened\":", air.opened)
        number(",\"encrypted_unopened\":", air.closed)
        out.put(0x7D)
    }

    private mutating func pdu(_ account: AirFollower.Account, _ record: borrowing Record) {
        let packet = account.packet
        let payload = record.octets.clamped(packet.payload)
        if packet.isAdvertising {
            let type = packet.advertisingType
            begin(pdu: AirTable.advertisingName(type, isSecondary: packet.isSecondary), type)
            fields(payload) { printer throws(DecodeError) in try AirTable.codeAdvertising(type, &printer) }
            return out.put(0x7D)
        }
        if account.isRetransmission { out.put(",\"retransmission\":true") }
        if account.isClosed { out.put(",\"encrypted\":true") }
        if account.opened != nil { out.put(",\"decrypted\":true") }
        guard let opcode = account.controlOpcode else { return }
        begin(pdu: AirTable.controlName(opcode), opcode)
        if let opened = account.opened {
            fields(opened.borrowedOctets.dropping(1)) { printer throws(DecodeError) in
                try AirTable.codeControl(opcode, &printer)
            }
        } else {
            fields(payload.dropping(1)) { printer throws(DecodeError) in
                try AirTable.codeControl(opcode, &printer)
            }
        }
        out.put(0x7D)
    }

    /// Begins the object of a PDU with its name and its type or opcode.
    private mutating func begin(pdu name: StaticText?, _ code: UInt8) {
        out.put(",\"pdu\":{\"code\":")
        out.decimal(UInt64(code))
        guard let name else { return }
        out.put(",\"name\":\"")
        out.put(name)
        out.put("\"")
    }
}
