import Analysis
import BluetoothCore
import CaptureFile
import Rendering
import WireBytes

/// Applies a filter to consecutive frames.
struct FrameSelector: ~Copyable {
    private let filter: FrameFilter
    private let passesAll: Bool
    private var finder: FrameFinder
    private var since: Int64?
    private var until: Int64?
    private var hasStarted = false
    /// The layers of all frames, if layers are selected.
    private(set) var layers: Set<String> = []

    init(_ filter: FrameFilter) {
        self.filter = filter
        passesAll = filter.isEmpty
        finder = FrameFinder(filter.searches)
    }

    /// Returns whether the analyzer's last frame, made from `record`, passes the filter.
    @inline(__always)
    mutating func passes(_ record: borrowing Record, _ analyzer: borrowing Analyzer) -> Bool {
        passesAll || check(record, analyzer)
    }

    private mutating func check(_ record: borrowing Record, _ analyzer: borrowing Analyzer) -> Bool {
        let time = record.header.time.nanoseconds
        if !hasStarted {
            hasStarted = true
            since = filter.since?.nanoseconds(first: time)
            until = filter.until?.nanoseconds(first: time)
        }
        if !filter.layers.isEmpty { note(record, analyzer) }
        if let since, time < since { return false }
        if let until, time > until { return false }
        let number = record.header.number
        let file = record.header.file
        if !filter.frames.isEmpty, !filter.frames.contains(where: { $0.contains(number, ofFile: file) }) {
            return false
        }
        if !filter.adapters.isEmpty, !filter.adapters.contains(Int(record.header.adapter)) { return false }
        if !filter.connections.isEmpty {
            guard let link = Self.link(analyzer), filter.connections.contains(link.number) else {
                return false
            }
        }
        if !filter.layers.isEmpty, !filter.layers.contains(where: { Self.holds($0, record, analyzer) }) {
            return false
        }
        guard filter.peers.isEmpty || concernsPeer(record, analyzer) else { return false }
        return finder.finds(record, analyzer)
    }

    /// Notes the layers of a frame.
    private mutating func note(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        for (name, layer) in FrameFilter.namedLayers where !layers.contains(name) {
            if Self.holds(layer, record, analyzer) { layers.insert(name) }
        }
        for annotation in analyzer.annotations { layers.insert(annotation.layer) }
    }

    /// Returns the connection of the analyzer's last frame.
    static func link(_ analyzer: borrowing Analyzer) -> Link? {
        let index = analyzer.frame.link
        return analyzer.links.indices.contains(index) ? analyzer.links[index] : nil
    }

    private func concernsPeer(_ record: borrowing Record, _ analyzer: borrowing Analyzer) -> Bool {
        if let link = Self.link(analyzer), filter.peers.holds(link, analyzer) { return true }
        let frame = analyzer.frame
        let addresses = [analyzer.identity(ofLink: frame.link), frame.peer, frame.identity]
        if addresses.contains(where: { $0.map { filter.peers.holds($0, analyzer) } ?? false }) { return true }
        guard frame.reports > 1 else { return false }
        let extended = frame.subevent == LESubeventCode.leExtendedAdvertisingReport.rawValue
        var octets = ByteReader(record.octets, from: 3)
        guard var reports = try? LEAdvertisingReports(octets.takeRest(), extended: extended) else {
            return false
        }
        while let report = try? reports.next() {
            if filter.peers.holds(report.address, analyzer) { return true }
            if report.address.isResolvablePrivate,
                let identity = analyzer.advertisers.advertiser(report.address)?.identity,
                filter.peers.holds(identity, analyzer)
            {
                return true
            }
        }
        return false
    }

    private static func holds(
        _ layer: FrameFilter.Layer, _ record: borrowing Record, _ analyzer: borrowing Analyzer
    ) -> Bool {
        let frame = analyzer.frame
        return switch layer {
        case .hci: frame.header.kind == .command || frame.header.kind == .event
        case .l2cap: frame.acl.map { !$0.isVendor } ?? false
        case .att: frame.hasATT
        case .smp: frame.smpCode != nil
        case .annotated(let name):
            analyzer.annotations.contains { $0.layer == name }
                || frame.reports > 0 && analyzer.advertised(in: record).contains { $0.layer == name }
        }
    }
}
