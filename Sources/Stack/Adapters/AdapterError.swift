/// Reason why no adapter is available at an address, with advice.
public struct AdapterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, with the address: "tcp:localhost:9000: connection refused".
    public var problem: String
    /// Advice for the user; nil if none is known.
    public var advice: String?

    public init(_ problem: String, advice: String? = nil) {
        self.problem = problem
        self.advice = advice
    }

    public var description: String { advice.map { "\(problem); \($0)" } ?? problem }
}
