/// Exit status of the process for the shell.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Success.
    public static let success = ExitStatus(rawValue: 0)
    /// Completed with a negative result.
    public static let negative = ExitStatus(rawValue: 1)
    /// Wrong usage.
    public static let usage = ExitStatus(rawValue: 2)
    /// The input can't be read or is invalid.
    public static let input = ExitStatus(rawValue: 3)
    /// A problem of the environment: no permission, no adapter, disk full.
    public static let environment = ExitStatus(rawValue: 4)
    /// The log can't be replayed; the reasons are printed.
    public static let unreplayable = ExitStatus(rawValue: 5)
}
