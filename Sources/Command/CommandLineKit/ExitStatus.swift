/// What a run tells the shell.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Done and fine.
    public static let success = ExitStatus(rawValue: 0)
    /// The answer is no.
    public static let negative = ExitStatus(rawValue: 1)
    /// Wrong usage.
    public static let usage = ExitStatus(rawValue: 2)
    /// The input can't be read or is not what it should be.
    public static let input = ExitStatus(rawValue: 3)
    /// The environment refuses: no permission, no adapter, disk full.
    public static let environment = ExitStatus(rawValue: 4)
    /// The log can't be replayed; the reasons are printed.
    public static let unreplayable = ExitStatus(rawValue: 5)
}
