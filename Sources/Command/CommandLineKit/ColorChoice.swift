/// When output is coloured.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal that shows colours, unless the environment asks for none.
    case auto
    /// Always.
    case always
    /// Never.
    case never

    /// Whether to colour what goes to `descriptor`: `NO_COLOR` (not empty) and `TERM=dumb` say no.
    public func resolved(descriptor: Int32) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            SystemCall.isTerminal(descriptor) && (SystemCall.environment("NO_COLOR") ?? "").isEmpty
                && SystemCall.environment("TERM") != "dumb"
        }
    }
}
