import Analysis
import BluetoothCore
import WireBytes

// Advertising reports: one object, or an array if an event holds several.

extension NDJSONRenderer {
    /// Writes the reports in the parameters of a report event, after its subevent code.
    mutating func advertising(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        let extended = analyzer.frame.subevent == 0x0D
        guard var reports = try? LEAdvertisingReports(parameters, extended: extended) else { return }
        out.put(",\"advertising\":")
        let isArray = analyzer.frame.reports > 1
        let isPart = analyzer.frame.isPartOfAdvertising
        if isArray { out.put(0x5B) }
        var index = 0
        // A cut report is shown as far as it goes; the frame's problems mention the cut.
        while let report = (try? reports.next()) ?? nil {
            if index > 0 { out.put(0x2C) }
            begin(report)
            let data = parameters.clamped(report.data)
            if isPart, let part = analyzer.advertisingParts.first(where: { $0.report == index }) {
                put(part, data, analyzer)
            } else {
                put(data, isTruncated: report.isTruncated)
            }
            out.put(0x7D)
            index += 1
        }
        if isArray { out.put(0x5D) }
    }

    private mutating func begin(_ report: LEAdvertisement) {
        out.put("{\"address\":")
        out.jsonString(report.address)
        out.put(",\"address_type\":")
        out.decimal(UInt64(report.addressType))
        out.put(",\"event_type\":")
        out.decimal(UInt64(report.eventType))
        if report.rssi != 127 {
            out.put(",\"rssi\":")
            out.decimal(Int(report.rssi))
        }
        if report.isExtended { extended(report) }
    }

    private mutating func put(_ data: RawSpan, isTruncated: Bool) {
        out.put(",\"data\":[")
        let isWhole = keptStructures(data)
        out.put(0x5D)
        guard !isWhole else { return }
        if isTruncated { cut(data) } else { out.put(",\"malformed\":true") }
    }

    /// Writes the captured and full length of the structure in which the data ends.
    private mutating func cut(_ data: RawSpan) {
        var structures = ADStructures(data)
        while structures.next() != nil {}
        guard case .malformed(let at, let wanted, _) = structures.end else { return }
        number(",\"cut\":{\"captured\":", data.byteCount - at - 1)
        number(",\"length\":", wanted)
        out.put(0x7D)
    }

    /// Writes a part of an advertisement's data, and with the last part the whole.
    private mutating func put(
        _ part: AdvertisingPart, _ data: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.put(",\"data\":[")
        if let whole = part.whole { _ = keptStructures(whole.borrowedOctets) }
        out.put("],\"part\":true")
        if let whole = part.whole, part.isCut { cut(whole.borrowedOctets) }
        frame(",\"first_frame\":", ",\"first_file\":", part.firstFrame, analyzer)
        out.put(",\"octets\":")
        out.jsonHex(data)
    }

    private mutating func extended(_ report: LEAdvertisement) {
        if report.txPower != 127 {
            out.put(",\"tx_power\":")
            out.decimal(Int(report.txPower))
        }
        out.put(",\"primary_phy\":")
        out.decimal(UInt64(report.primaryPHY))
        out.put(",\"secondary_phy\":")
        out.decimal(UInt64(report.secondaryPHY))
        if report.advertisingSID != 0xFF {
            out.put(",\"sid\":")
            out.decimal(UInt64(report.advertisingSID))
        }
        if report.periodicAdvertisingInterval != 0 {
            out.put(",\"periodic_interval\":")
            out.decimal(UInt64(report.periodicAdvertisingInterval))
        }
    }

    /// Writes the AD structures. Devices repeat their data, so the text of well-formed ones is cached.
    private mutating func keptStructures(_ data: RawSpan) -> Bool {
        if keptTexts.put(data, into: &out) { return true }
        let start = out.count
        let isWhole = structures(data)
        if isWhole { keptTexts.keep(data, out, from: start) }
        return isWhole
    }

    /// Writes the AD structures; returns false if a length in them is invalid.
    private mutating func structures(_ data: RawSpan) -> Bool {
        var structures = ADStructures(data)
        var isFirst = true
        while let structure = structures.next() {
            if !isFirst { out.put(0x2C) }
            isFirst = false
            put(structure, data)
        }
        guard case .malformed(_, _, let partial) = structures.end else { return true }
        if let partial {
            if !isFirst { out.put(0x2C) }
            put(partial, data)
        }
        return false
    }

    private mutating func put(_ structure: ADStructure, _ data: RawSpan) {
        out.put("{\"type\":")
        out.decimal(UInt64(structure.type.rawValue))
        if let name = structure.type.name {
            // Assigned names contain no characters to escape.
            out.put(",\"type_name\":\"")
            out.put(name)
            out.put(0x22)
        }
        fields(data.clamped(structure.data)) { printer throws(DecodeError) in
            try structure.type.walk(&printer)
            return true
        }
        out.put(0x7D)
    }
}
