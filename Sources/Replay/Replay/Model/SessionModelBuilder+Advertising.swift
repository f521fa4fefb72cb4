import Analysis
import BluetoothCore
import Runtime
import WireBytes

// Advertising reports, both legacy and extended, in one form.

extension SessionModelBuilder {
    mutating func addReports(_ parameters: RawSpan, extended: Bool, at time: Instant, _ log: Int) {
        guard var reports = try? LEAdvertisingReports(parameters, extended: extended) else { return }
        // A truncated report is left out; other reports carry the same information.
        while let report = try? reports.next() {
            let data = parameters.clamped(report.data)
            guard data.byteCount == report.data.count else { return }
            if logs[log].advertising.windows.isEmpty {
                logs[log].advertising.windows.append(.init(start: time, startIsKnown: false))
            }
            add(report, data, at: time, log)
        }
    }

    private mutating func add(_ report: LEAdvertisement, _ data: RawSpan, at time: Instant, _ log: Int) {
        var octets: [UInt8] = []
        if let partial = logs[log].partial {
            logs[log].partial = nil
            if partial.address == report.address { octets = partial.data }
        }
        guard octets.count + data.byteCount <= Self.longestAdvertisement else { return }
        if report.isIncomplete {
            logs[log].partial = (report.address, octets + data.copied())
            return
        }
        guard logs[log].advertising.reports.count < limits.reports else {
            logs[log].obstacles.note(.limit, frame: frame.number)
            return
        }
        guard take(octets.count + data.byteCount, log) else { return }
        let start = logs[log].advertising.octets.count
        logs[log].advertising.octets += octets
        for index in 0..<data.byteCount { logs[log].advertising.octets.append(data.octet(at: index) ?? 0) }
        logs[log].advertising.reports.append(
            AdvertisingTimeline.Report(
                frame: frame.number, time: time, address: report.address, kind: Self.legacyKind(report),
                data: start..<logs[log].advertising.octets.count, rssi: report.rssi,
                wasExtended: report.isExtended))
    }

    /// Maximum length of advertising data in octets (Core Specification, Vol 6, Part B, 2.3.4.9).
    private static var longestAdvertisement: Int { 1650 }

    private static func legacyKind(_ report: LEAdvertisement) -> UInt8 {
        guard report.isExtended else { return UInt8(clamping: report.eventType) }
        if report.isScanResponse { return 4 }
        if report.eventType & 4 != 0 { return 1 }
        if report.isConnectable { return 0 }
        return report.eventType & 2 != 0 ? 2 : 3
    }
}
