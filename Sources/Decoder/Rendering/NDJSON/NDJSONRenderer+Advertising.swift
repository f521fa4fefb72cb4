import Analysis
import BluetoothCore
import WireBytes

// Advertising reports.

extension NDJSONRenderer {
    /// Writes the reports in the parameters of a report event, after its subevent code.
    mutating func advertising(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        let extended = analyzer.frame.subevent == 0x0D
        guard var reports = try? LEAdvertisingReports(parameters, extended: extended) else { return }
        out.array("advertising")
        let isPart = analyzer.frame.isPartOfAdvertising
        var index = 0
        // A cut report is shown as far as it goes; the frame's problems report the cut.
        while let report = (try? reports.next()) ?? nil {
            begin(report)
            let data = parameters.clamped(report.data)
            if isPart, let part = analyzer.advertisingParts.first(where: { $0.report == index }) {
                put(part, data, analyzer)
            } else {
                put(data, isTruncated: report.isTruncated)
            }
            out.endObject()
            index += 1
        }
        out.endArray()
    }

    private mutating func begin(_ report: LEAdvertisement) {
        out.element()
        out.member("address", report.address)
        out.member("address_type", report.addressType)
        out.member("event_type", report.eventType)
        if report.rssi != 127 {
            out.member("rssi", report.rssi)
        }
        if report.isExtended { extended(report) }
    }

    private mutating func put(_ data: RawSpan, isTruncated: Bool) {
        out.array("data")
        let isWhole = keptStructures(data)
        out.endArray()
        guard !isWhole else { return }
        if isTruncated { cut(data) } else { out.member("malformed", true) }
    }

    /// Writes the captured and the announced length of the structure in which the data ends.
    private mutating func cut(_ data: RawSpan) {
        var structures = ADStructures(data)
        while structures.next() != nil {}
        guard case .malformed(let at, let wanted, _) = structures.end else { return }
        out.object("cut")
        out.member("captured", data.byteCount - at - 1)
        out.member("length", wanted)
        out.endObject()
    }

    /// Writes a part of an advertisement's data; after the last part, also the whole data.
    private mutating func put(
        _ part: AdvertisingPart, _ data: RawSpan, _ analyzer: borrowing Analyzer
    ) {
        out.array("data")
        if let whole = part.whole { _ = keptStructures(whole.borrowedOctets) }
        out.endArray()
        out.member("part", true)
        if let whole = part.whole, part.isCut { cut(whole.borrowedOctets) }
        frame("first_frame", "first_file", part.firstFrame, analyzer)
        out.member("octets", hex: data)
    }

    private mutating func extended(_ report: LEAdvertisement) {
        if report.txPower != 127 {
            out.member("tx_power", report.txPower)
        }
        out.member("primary_phy", report.primaryPHY)
        out.member("secondary_phy", report.secondaryPHY)
        if report.advertisingSID != 0xFF {
            out.member("sid", report.advertisingSID)
        }
        if report.periodicAdvertisingInterval != 0 {
            out.member("periodic_interval", report.periodicAdvertisingInterval)
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
        while let structure = structures.next() { put(structure, data) }
        guard case .malformed(_, _, let partial) = structures.end else { return true }
        if let partial { put(partial, data) }
        return false
    }

    private mutating func put(_ structure: ADStructure, _ data: RawSpan) {
        out.element()
        out.member("type", structure.type.rawValue)
        out.member("type_name", structure.type.name)
        fields(data.clamped(structure.data)) { printer throws(DecodeError) in
            try structure.type.walk(&printer)
            return true
        }
        out.endObject()
    }
}
