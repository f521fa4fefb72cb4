/// Condition for colored output.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal that shows colors, unless the environment disables them.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether to color a stream: a nonempty `NO_COLOR` or `TERM=dumb` disables `auto`.
    public func resolved(_ stream: CommandEnvironment.Stream, _ variables: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            stream.isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        }
    }
}
