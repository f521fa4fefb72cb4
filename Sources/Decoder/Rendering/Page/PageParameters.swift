import Analysis
import CaptureFile
import WireBytes

/// The connection parameters in force, with the time of each change.
struct PageParameters {
    private struct Change {
        var connection: Int
        var time: CaptureTime
        var interval: UInt16
        var latency: UInt16
        var timeout: UInt16
    }

    private var changes: [Change] = []
    /// The index of each connection's last change.
    private var last: [Int: Int] = [:]

    /// Most changes that are kept.
    private static let limit = 20_000

    /// Adds the parameters that the analyzer's last frame put in force.
    mutating func take(_ analyzer: borrowing Analyzer) {
        let kind = analyzer.frame.header.kind
        guard kind == .event || kind == .air, analyzer.frame.link >= 0, changes.count < Self.limit else {
            return
        }
        let connection = analyzer.links[analyzer.frame.link].number
        let new = analyzer.links[analyzer.frame.link].parameters
        guard new.interval > 0 else { return }
        if let last = last[connection].map({ changes[$0] }), last.interval == new.interval,
            last.latency == new.latency, last.timeout == new.timeout
        {
            return
        }
        last[connection] = changes.count
        changes.append(
            Change(
                connection: connection, time: analyzer.frame.time, interval: new.interval,
                latency: new.latency, timeout: new.timeout))
    }

    /// Appends the changes in the order of the log: connection, time since `start`, interval, latency and
    /// timeout, with times in microseconds.
    func put(since start: CaptureTime, into out: inout TextBuffer) {
        out.array("parameters")
        for change in changes {
            out.separator()
            out.put("[")
            out.decimal(change.connection)
            out.put(",")
            out.decimal(Int((change.time.nanoseconds &- start.nanoseconds) / 1000))
            out.put(",")
            out.decimal(Int(change.interval) * 1250)
            out.put(",")
            out.decimal(Int(change.latency))
            out.put(",")
            out.decimal(Int(change.timeout) * 10_000)
            out.put("]")
        }
        out.endArray()
    }
}
