import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
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
        } else if record.header.radio.flags.contains(.isochronous) {
            out.put("isochronous PDU, ")
            out.count(packet.length, "byte")
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
        put(AirTable.controlName(opcode), or: "LL control opcode ", UInt64(opcode), digits: 2)
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

// The lines below an advertising event.

extension TextRenderer {
    /// Prints the advertising data whose last part is in the event, and the annotations by protocols above
    /// ATT.
    mutating func advertisingLines(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if analyzer.frame.isPartOfAdvertising {
            for part in analyzer.advertisingParts { line(part, from: analyzer.frame.place.file) }
        }
        guard analyzer.mayAdvertiseProtocol(record) else { return }
        annotationLines(analyzer.advertised(in: record), analyzer)
    }

    private mutating func line(_ part: AdvertisingPart, from file: Int) {
        guard let whole = part.whole else { return }
        out.fill(0x20, count: columns.belowMeaning)
        out.put("whole data since frame ")
        out.put(part.firstFrame, from: file)
        out.put(", ")
        out.decimal(whole.count)
        out.put(whole.count == 1 ? " byte " : " bytes ")
        fields(whole.borrowedOctets, isCut: false) { printer throws(DecodeError) in
            printer.truncatedReports = part.isCut ? 1 : 0
            var data = BorrowedOctets()
            try printer.payload("data", &data, count: nil, .advertising)
            return true
        }
        endLine()
    }
}

extension RawSpan {
    /// Whether these bytes may hold manufacturer or service data: a fast check for the type bytes, which much
    /// advertising data lacks, so that it need not be walked.
    var mayHoldPrivateData: Bool {
        contains(ADType.manufacturerData.rawValue) || contains(ADType.serviceData16.rawValue)
            || contains(ADType.serviceData128.rawValue) || contains(ADType.serviceData32.rawValue)
    }
}

extension LEAdvertisement {
    /// Whether the controller reports that it could not receive the rest of the data.
    var isTruncated: Bool { isExtended && eventType & 0x60 > 0x20 }
}

extension Analyzer {
    /// Whether the last frame, made from `record`, may have advertising data of a protocol above ATT.
    func mayAdvertiseProtocol(_ record: borrowing Record) -> Bool {
        frame.mayNameCar || frame.isPartOfAdvertising || record.octets.mayHoldPrivateData
    }
}
