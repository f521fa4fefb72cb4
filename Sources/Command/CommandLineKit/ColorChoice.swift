/// When output is coloured.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal that shows colours, unless the environment asks for none.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether to colour a stream: `NO_COLOR` (not empty) and `TERM=dumb` say no.
    public func resolved(_ stream: CommandEnvironment.Stream, _ variables: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            stream.isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        }
    }
}
