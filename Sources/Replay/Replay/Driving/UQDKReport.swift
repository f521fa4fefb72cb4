import BluetoothCore
import Runtime
import UQDK
import WireBytes

/// A report about a car to the application, beside the one that the log implies.
struct UQDKReport: Sendable {
    var connection: Int
    /// The frame of the request, or of the car's event.
    var frame: Int
    /// The report that the log implies; nil if there should be no report.
    var expected: String?
    /// The actual report; nil if the application got none.
    var got: String?
    var isTrue: Bool
}

/// Compares the reports of a replay's managers with those that the log implies.
struct UQDKTruth {
    /// Maximum delay of a manager's report.
    private static let allowance = Duration.milliseconds(100)

    /// Time in the replay of each frame of the log.
    private var passed: [Int: Instant] = [:]
    private let end: Instant
    private let isExact: Bool

    /// - Parameters:
    ///   - end: the time at which the replay ended.
    ///   - isExact: whether the application's timers ran as in the log.
    init(_ transcript: Transcript, end: Instant, isExact: Bool) {
        for entry in transcript.pdus where entry.frame > 0 { passed[entry.frame] = entry.time }
        self.end = end
        self.isExact = isExact
    }

    func report(of outcome: UQDKOutcome) -> UQDKReport {
        var report = UQDKReport(
            connection: outcome.connection, frame: outcome.frame,
            expected: "\(outcome.name) \(outcome.expected.text)", got: outcome.got.map { _ in outcome.text },
            isTrue: outcome.got == outcome.expected)
        let due = outcome.decidedBy.flatMap { passed[$0] }?.advanced(by: outcome.delay)
        guard let first = outcome.told.first else {
            // If the log ends before the answer is due, the report may be missing.
            let isOver = isExact && due.map { $0.advanced(by: Self.allowance) < end } ?? false
            report.isTrue = outcome.expected == .unanswered && !isOver
            return report
        }
        guard report.isTrue else { return report }
        if outcome.told.count > 1 { report.add("told \(outcome.told.count) times") }
        if let expected = outcome.body.expected, let got = outcome.body.got, expected != got {
            report.expected = (report.expected ?? "") + " with the body " + Hex.text(expected)
            report.add("with the body " + Hex.text(got))
        }
        guard let due else { return report }
        // If the link ends first, a waiting request fails at once.
        let isCut = outcome.expected == .unanswered && !outcome.isTimeout
        if first < due, isCut { return report }
        let isTimer = outcome.expected == .unanswered && !isExact
        report.check(first, due, allowance: isTimer ? nil : Self.allowance)
        return report
    }

    /// Judges the report that the car accepts commands. It is due when the car has accepted the subscription
    /// to its events; nil if the log does not show that.
    func connecting(
        _ connection: RecordedConnection, _ visit: UQDKVisit, reported: [UQDKDriver.Connected]
    ) -> UQDKReport? {
        guard let frame = connection.subscription(to: visit.dialect.gatt.event), let due = passed[frame]
        else { return nil }
        var report = UQDKReport(
            connection: connection.number, frame: frame, expected: "connectToVehicle ok", isTrue: false)
        guard let first = reported.first(where: { $0.connection == connection.number }) else { return report }
        report.got = "connectToVehicle " + (first.error ?? "ok")
        report.isTrue = first.error == nil
        report.check(first.time, due, allowance: Self.allowance)
        return report
    }

    /// Judges the car's events on one connection, up to the first difference.
    func events(
        on connection: Int, _ visit: UQDKVisit, reported: [UQDKDriver.ReportedEvent]
    ) -> [UQDKReport] {
        var reports: [UQDKReport] = []
        var due = visit.events.filter { passed[$0.frame] != nil }[...]
        var last: UQDKVisit.Event?
        for one in reported where one.connection == connection {
            if let last, last.isSame(one.event), due.first?.isSame(last) != true {
                return reports + [
                    UQDKReport(
                        connection: connection, frame: last.frame,
                        got: visit.text(one.event) + ", told again",
                        isTrue: false)
                ]
            }
            while let next = due.first, !next.isRequired, !next.isSame(one.event) { due.removeFirst() }
            let next = due.popFirst()
            var report = UQDKReport(
                connection: connection, frame: next?.frame ?? 0,
                expected: next.map { visit.text($0) }, got: visit.text(one.event),
                isTrue: next?.isSame(one.event) ?? false)
            if let next, let time = passed[next.frame] {
                report.check(one.time, time, allowance: Self.allowance)
            }
            reports.append(report)
            guard report.isTrue else { return reports }
            last = next
        }
        if let missing = due.first(where: \.isRequired) {
            reports.append(
                UQDKReport(
                    connection: connection, frame: missing.frame, expected: visit.text(missing),
                    isTrue: false))
        }
        return reports
    }
}

extension UQDKReport {
    fileprivate mutating func add(_ what: String) {
        got = (got ?? "") + ", " + what
        isTrue = false
    }

    /// - Parameter allowance: maximum delay of the report; nil for no limit.
    fileprivate mutating func check(_ told: Instant, _ due: Instant, allowance: Duration?) {
        if told < due {
            add("\(told.duration(to: due).text) too early")
        } else if let allowance, due.advanced(by: allowance) < told {
            add("\(due.duration(to: told).text) too late")
        }
    }
}

extension UQDKVisit.Event {
    fileprivate func isSame(_ other: Self) -> Bool { command == other.command && body == other.body }
}

extension UQDKVisit {
    fileprivate func text(_ event: Event) -> String {
        let name = dialect.command(event.command)?.name ?? PDUText.hex(event.command, digits: 4)
        return "event \(name) \(Hex.text(event.body))"
    }
}

extension Duration {
    fileprivate var text: String { "\(ReplayReport.seconds(Instant.zero.advanced(by: self))) s" }
}

extension RecordedConnection {
    /// Returns the frame in which the peer accepted a subscription to a characteristic; nil if absent.
    fileprivate func subscription(to uuid: BluetoothUUID) -> Int? {
        for (place, pdu) in pdus.enumerated() {
            guard pdu.side == .host, let (handle, value) = LivePeer.write(pdu.octets),
                value.contains(where: { $0 != 0 }),
                let valueHandle = database.valueHandle(ofConfiguration: handle),
                database[valueHandle]?.type == uuid,
                let answer = pdus.first(where: { $0.answers == place && $0.opcode == .writeResponse })
            else { continue }
            return answer.frame
        }
        return nil
    }
}

/// The outcome of a phone's request, as the log implies it and as the application was told.
public struct UQDKOutcome: Sendable {
    /// The end of a request.
    public enum Ending: Hashable, Sendable {
        case ok
        case refused(StatusName?)
        /// No authentic answer came in time.
        case unanswered

        var text: String {
            switch self {
            case .ok: "ok"
            case .refused(let status): "refused, \(status?.rawValue ?? "for a reason of the car's maker")"
            case .unanswered: "no answer"
            }
        }
    }

    /// The connection's number in the model.
    public var connection: Int
    /// The frame of the request's first fragment.
    public var frame: Int
    public var name: String
    /// The end according to the log.
    public var expected: Ending
    /// The end that was reported to the application; nil without a report.
    public var got: Ending?
    /// The error reported to the application, if it isn't the car's.
    public var error: String?
    /// Whether that error means that no answer came in time.
    var isTimeout = false
    /// The body of the answer in the log, if it shows one, and the body that the application got.
    var body: (expected: [UInt8]?, got: [UInt8]?) = (nil, nil)
    /// The frame that decides the end, after which it must be reported: the answer's, or else the request's
    /// last frame. Nil if no single frame decides.
    var decidedBy: Int?
    /// Time from the deciding frame to the report; zero for an answer.
    var delay = Duration.zero
    /// Times of the reports to the application.
    var told: [Instant] = []

    /// One line for the report.
    public var text: String {
        "\(name) \(got?.text ?? expected.text)" + (error.map { " (\($0))" } ?? "")
    }
}

extension UQDKVisit {
    func ending(of request: Request, within limit: Duration) -> UQDKOutcome.Ending {
        deciding(request, within: limit).map { answered($0, within: limit) } ?? .unanswered
    }

    /// Returns the request whose answer decides; for an authentication, its second request.
    func deciding(_ request: Request, within limit: Duration) -> Request? {
        guard request.purpose == .authBegin, answered(request, within: limit) == .ok else { return request }
        guard let place = requests.firstIndex(where: { $0.frames == request.frames }) else { return nil }
        return requests[(place + 1)...].first { $0.purpose == .authFinish }
    }

    private func answered(_ request: Request, within limit: Duration) -> UQDKOutcome.Ending {
        guard let answer = request.answer, answer.isAuthentic,
            request.sent.duration(to: answer.time) < limit
        else { return .unanswered }
        return answer.status == .success ? .ok : .refused(answer.status)
    }
}
