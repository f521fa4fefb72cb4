import Runtime
import UQDK
import UQDKBle
import WireBytes

/// What became of one request of a phone: what the log entails that the application is told, and what it was.
public struct UQDKOutcome: Sendable {
    /// How a request ended.
    public enum Ending: Hashable, Sendable {
        case ok
        case refused(StatusName?)
        /// No answer that can be believed came in time.
        case unanswered

        var text: String {
            switch self {
            case .ok: "ok"
            case .refused(let status): "refused, \(status?.rawValue ?? "for a reason of the car's maker")"
            case .unanswered: "no answer"
            }
        }
    }

    /// The connection, by its number in the model.
    public var connection: Int
    /// The frame of its first fragment.
    public var frame: Int
    public var name: String
    /// What the log entails.
    public var expected: Ending
    /// What the application was told; nil where it was told nothing.
    public var got: Ending?
    /// The error that the application was given, where it was another than the car's.
    public var error: String?
    /// The body of the answer, where the log shows it, and the one that the application was given.
    var body: (expected: [UInt8]?, got: [UInt8]?) = (nil, nil)
    /// The frame from which on it must be told: the answer's, or the last that asked; nil where none tells.
    var decidedBy: Int?
    /// How long after that frame it is told; zero for an answer.
    var delay = Duration.zero
    /// When the application was told.
    var told: [Instant] = []

    /// One line that says it.
    public var text: String {
        "\(name) \(got?.text ?? expected.text)" + (error.map { " (\($0))" } ?? "")
    }
}

extension UQDKVisit {
    /// How a request ended by the log.
    func ending(of request: Request, within limit: Duration) -> UQDKOutcome.Ending {
        deciding(request, within: limit).map { answered($0, within: limit) } ?? .unanswered
    }

    /// The request whose answer decides: the proof of an authentication is the answer to its second one.
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
