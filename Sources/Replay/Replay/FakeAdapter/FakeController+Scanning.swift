import BluetoothCore
import Runtime
import VirtualController

/// The place in the log that the host's scan corresponds to.
struct Scanning: Sendable {
    /// The time in the log that corresponds to `start`.
    var base = Instant.zero
    var start = Instant.zero
    /// The index of the next report; while a scan is repeated, the index in `lastRound`.
    var next = 0
    /// Whether the last scan is being repeated.
    var isRepeating = false
    /// Start of the current scan; nil while the host is not scanning.
    var since: Instant?
    /// Incremented whenever a scan starts or ends, so that reports of an earlier scan are discarded.
    var generation = 0
}

extension FakeController {
    /// Starts or ends a scan as the host has commanded.
    mutating func setScanning() {
        let isOn = air.core.scanning.isEnabled
        guard isOn != (scanning.since != nil) else { return }
        scanning.since = isOn ? air.now : nil
        note(attempt: isOn ? scanText : "scan no more")
        scanning.generation += 1
        guard isOn else {
            guard options.policy != .earliest else { return }
            logCursor = max(logCursor, scanning.base.advanced(by: scanning.start.duration(to: air.now)))
            return
        }
        beginScan()
    }

    private var isActive: Bool { air.core.scanning.parameters.phys.first?.scanType == 1 }
    private var isFiltered: Bool { air.core.scanning.parameters.scanningFilterPolicy & 1 == 1 }

    private var scanText: String {
        (isActive ? "scan, active" : "scan, passive")
            + (air.core.scanning.filterDuplicates > 0 ? "" : ", with duplicates")
            + (isFiltered ? ", for \(air.core.acceptList.count) devices" : "")
    }

    /// Begins a scan of the host at its place in the log: the recorded host's next scan.
    private mutating func beginScan() {
        let timeline = model.advertising
        let window = timeline.windows.first { ($0.end ?? model.end) > logCursor }
        let base = max(window?.start ?? logCursor, logCursor)
        scanning.start = air.now
        scanning.base = base
        scanning.isRepeating = false
        scanning.next = timeline.firstReport(notBefore: base)
        if scanning.next >= timeline.reports.count { return repeatLast() }
        if base != air.now { air.judge.note(.scanTime) }
        scheduleReport()
    }

    private mutating func scheduleReport() {
        guard let report = nextReport else { return repeatLast() }
        let since = scanning.base.duration(to: report.time)
        // Early reports follow each other quickly, since the host may stop at any of them. The first one
        // waits until the host knows that it scans: bluetoothd can't stop a scan that is still starting.
        let isEarly = options.policy == .earliest && report.time > logCursor
        let pause = Duration.milliseconds(air.now == scanning.start ? 50 : 1)
        air.schedule(
            .advertise(generation: scanning.generation),
            at: isEarly ? air.now.advanced(by: pause) : scanning.start.advanced(by: since))
    }

    private var nextReport: AdvertisingTimeline.Report? {
        let reports = model.advertising.reports
        guard scanning.isRepeating else {
            return scanning.next < reports.count ? reports[scanning.next] : nil
        }
        guard let round = lastRound, scanning.next < round.count else { return nil }
        return reports[round[scanning.next]]
    }

    /// Returns the indices of a scan's reports, one for each address and PDU type, at most 1000.
    private static func round(_ timeline: AdvertisingTimeline, from base: Instant) -> [Int] {
        struct Kind: Hashable {
            var address: DeviceAddress
            var kind: UInt8
        }
        var seen: Set<Kind> = []
        var round: [Int] = []
        for place in timeline.firstReport(notBefore: base)..<timeline.reports.count {
            let report = timeline.reports[place]
            guard seen.insert(Kind(address: report.address, kind: report.kind)).inserted else { continue }
            round.append(place)
            if round.count == 1000 { break }
        }
        return round
    }

    /// Repeats the last scan that received reports, while devices remain to be connected.
    private mutating func repeatLast() {
        let timeline = model.advertising
        guard let last = timeline.reports.last, unplayed > 0 else { return }
        let window = timeline.windows.last { $0.start <= last.time }
        let base = window?.start ?? last.time
        air.judge.note(.advertisingRepeated)
        scanning.base = base
        // A pause separates the repeated scans.
        scanning.start = air.now.advanced(by: .milliseconds(100))
        scanning.isRepeating = true
        scanning.next = 0
        if lastRound == nil { lastRound = Self.round(timeline, from: base) }
        guard let first = nextReport else { return }
        let since = base.duration(to: first.time)
        air.schedule(.advertise(generation: scanning.generation), at: scanning.start.advanced(by: since))
    }

    mutating func advertise(generation: Int) {
        guard air.core.scanning.isEnabled, generation == scanning.generation, let next = nextReport else {
            return
        }
        report(next)
        if options.policy == .earliest, !scanning.isRepeating { logCursor = max(logCursor, next.time) }
        scanning.next += 1
        scheduleReport()
    }

    private mutating func report(_ report: AdvertisingTimeline.Report) {
        if report.isScanResponse, !isActive { return }
        if isFiltered, !air.core.acceptList.contains(where: { $0.names(report.address) }) { return }
        guard air.core.scanning.passes(report.address, isScanResponse: report.isScanResponse, at: air.now)
        else { return }
        heard[report.address, default: 0] += 1
        if report.wasExtended { air.judge.note(.scanAndConnect) }
        guard air.core.lets(LEAdvertisingReport.subeventCode) else { return }
        // An event has at most 255 bytes of parameters: subevent code, count, and 10 besides the data.
        let data = model.advertising.data(of: report).prefix(243)
        let event = LEAdvertisingReport(reports: [
            LEAdvertisingReportItem(
                eventType: report.kind,
                addressType: report.address.kind == .unknown ? 0 : report.address.kind.rawValue,
                address: report.address, data: Array(data), rssi: report.rssi)
        ])
        air.outputs.append(.packet(HCIPacket(.event, event.packet)))
    }
}
