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

    /// Whether the application was told the truth; where the log ends before the answer it need not be told.
    var isTrue: Bool { got == expected || got == nil && expected == .unanswered }

    /// One line that says it.
    public var text: String {
        "\(name) \(got?.text ?? expected.text)" + (error.map { " (\($0))" } ?? "")
    }
}

extension UQDKVisit {
    /// How a request ended by the log.
    func ending(of request: Request, within limit: Duration) -> UQDKOutcome.Ending {
        // The proof of an authentication is the answer to its second request.
        if request.purpose == .authBegin, answered(request, within: limit) == .ok {
            guard let place = requests.firstIndex(where: { $0.frames == request.frames }),
                let finish = requests[(place + 1)...].first(where: { $0.purpose == .authFinish })
            else { return .unanswered }
            return answered(finish, within: limit)
        }
        return answered(request, within: limit)
    }

    private func answered(_ request: Request, within limit: Duration) -> UQDKOutcome.Ending {
        guard let answer = request.answer, answer.isAuthentic,
            request.sent.duration(to: answer.time) < limit
        else { return .unanswered }
        return answer.status == .success ? .ok : .refused(answer.status)
    }
}
