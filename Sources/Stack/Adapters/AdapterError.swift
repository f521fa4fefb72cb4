/// Why there is no adapter at an address, and what to do.
public struct AdapterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the address: "tcp:localhost:9000: connection refused".
    public var problem: String
    /// What the user can do; nil if nothing is known to help.
    public var advice: String?

    public init(_ problem: String, advice: String? = nil) {
        self.problem = problem
        self.advice = advice
    }

    public var description: String { advice.map { "\(problem); \($0)" } ?? problem }
}
