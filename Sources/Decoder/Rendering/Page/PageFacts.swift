import Analysis
import CaptureFile
import PayloadFormat
import WireBytes

/// The frames and connections of problems. An incident keeps only its first frame, but a page names each
/// device that a failure concerns, and marks every occurrence.
struct PageOccurrences {
    /// A connection on which an incident occurred.
    struct Site {
        /// The number of the connection; 0 if absent.
        var connection: Int
        /// The first occurrence there.
        var place: FramePlace
        var count: Int
    }

    private var found: [(problem: Problem, connection: Int, place: FramePlace)] = []

    /// Most occurrences that are kept. Later ones are counted by their incidents only.
    private static let limit = 20_000

    /// Adds the problems of the analyzer's last frame.
    mutating func take(_ analyzer: borrowing Analyzer) {
        guard !analyzer.problems.isEmpty else { return }
        let link = analyzer.frame.link
        let own = link >= 0 ? analyzer.links[link].number : 0
        for problem in analyzer.problems where problem.severity > .note && found.count < Self.limit {
            found.append((problem, problem.connection == 0 ? own : problem.connection, analyzer.frame.place))
        }
    }

    /// Returns the occurrences of an incident, in the order of the log.
    func places(of incident: Incident) -> [(connection: Int, place: FramePlace)] {
        // Only the ends of connections are counted beyond the first few connections.
        let isElsewhere =
            incident.problem.isOfConnection && incident.connections > incident.firstConnections.count
        var places = found.filter { one in
            (isElsewhere || incident.isOn(one.connection)) && one.problem.repeats(incident.problem)
        }.map { ($0.connection, $0.place) }
        if !places.contains(where: { $0.1 == incident.place }) {
            places.insert((incident.connection, incident.place), at: 0)
        }
        return places
    }

    /// Returns the connections among the places of an incident, its own first.
    static func sites(
        _ places: [(connection: Int, place: FramePlace)], of incident: Incident
    ) -> [Site] {
        var sites = [Site(connection: incident.connection, place: incident.place, count: 0)]
        for (connection, place) in places {
            if let known = sites.firstIndex(where: { $0.connection == connection }) {
                sites[known].count += 1
            } else {
                sites.append(Site(connection: connection, place: place, count: 1))
            }
        }
        return sites
    }
}

/// The connection parameters in force, with the time of each change.
struct PageParameters {
    private var changes: [(connection: Int, time: CaptureTime, parameters: LinkConditions.Parameters)] = []
    /// The parameters of each connection after its last change.
    private var current: [Int: LinkConditions.Parameters] = [:]

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
        guard new.interval > 0, current[connection] != new else { return }
        current[connection] = new
        changes.append((connection, analyzer.frame.time, new))
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
            out.decimal(Int(change.parameters.interval) * 1250)
            out.put(",")
            out.decimal(Int(change.parameters.latency))
            out.put(",")
            out.decimal(Int(change.parameters.timeout) * 10_000)
            out.put("]")
        }
        out.endArray()
    }
}
