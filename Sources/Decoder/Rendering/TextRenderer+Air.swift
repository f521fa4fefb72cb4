import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import WireBytes

// Packets from the air.

extension TextRenderer {
    mutating func air(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let account = analyzer.air.last
        let packet = account.packet
        guard account.isReadable, packet.integrity != .invalid else {
            layer("LL")
            out.put(packet.integrity == .invalid ? "wrong CRC" : "unreadable packet")
            out.put(", ")
            out.count(packet.length, "byte")
            return airPlace(record.header.radio)
        }
        if packet.isAdvertising { return advertising(record, packet, analyzer) }
        if analyzer.frame.l2cap != nil { return acl(record, analyzer) }
        layer("LL")
        if account.isRetransmission {
            out.put("retransmission, ")
            out.count(packet.length, "byte")
        } else if account.isClosed {
            out.put("encrypted PDU, ")
            out.count(packet.length, "byte")
            if let reason = account.closed {
                out.put(": ")
                out.put(String(describing: reason))
            }
        } else if packet.length == 0 {
            out.put("empty PDU")
        } else if let opcode = account.controlOpcode {
            control(opcode, account, record)
        } else {
            out.put(
                packet.llid == 1 ? "continuation fragment, " : packet.llid == 2 ? "first fragment, " : "PDU, "
            )
            out.count(packet.length, "byte")
        }
        missed(account.missedEvents)
    }

    private mutating func advertising(
        _ record: borrowing Record, _ packet: AirPacket, _ analyzer: borrowing Analyzer
    ) {
        layer("ADV")
        let type = packet.advertisingType
        if let name = AirTable.advertisingName(type, isSecondary: packet.isSecondary) {
            out.put(name)
        } else {
            out.put("PDU type ")
            out.decimal(Int(type))
        }
        device(analyzer)
        fields(record.octets.clamped(packet.payload), isCut: packet.isCut, as: .airAdvertising(type))
        airPlace(record.header.radio)
    }

    private mutating func control(
        _ opcode: UInt8, _ account: AirFollower.Account, _ record: borrowing Record
    ) {
        if let name = AirTable.controlName(opcode) {
            out.put(name)
        } else {
            out.put("LL control opcode ")
            out.hexNumber(UInt64(opcode), digits: 2)
        }
        let isCut = account.packet.isCut
        if let opened = account.opened {
            return fields(opened.borrowedOctets.dropping(1), isCut: isCut, as: .airControl(opcode))
        }
        fields(
            record.octets.clamped(account.packet.payload).dropping(1), isCut: isCut, as: .airControl(opcode))
    }

    /// Writes the channel and the signal's strength.
    private mutating func airPlace(_ radio: RadioHeader) {
        if radio.channel < 40 {
            out.put("  channel ")
            out.decimal(Int(radio.channel))
        }
        if let signal = radio.knownSignal {
            out.put(", ")
            if signal < 0 { out.put("-") }
            out.decimal(Int(signal.magnitude))
            out.put(" dBm")
        }
    }

    private mutating func missed(_ events: Int) {
        guard events > 0 else { return }
        out.put("  (")
        out.count(events, "event")
        out.put(" before it not heard)")
    }
}
