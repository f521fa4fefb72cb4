import Runtime
import UQDK
import UQDKBle
import WireBytes

/// The outcome of a phone's request, as the log entails it and as the application was told.
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
    /// Returns the end of a request according to the log.
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
