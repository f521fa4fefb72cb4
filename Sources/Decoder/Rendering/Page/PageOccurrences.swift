import Analysis
import CaptureFile
import PayloadFormat

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
