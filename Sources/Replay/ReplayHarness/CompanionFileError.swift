/// The reason that a file beside a log can't be used.
public struct CompanionFileError: Error, Hashable, CustomStringConvertible {
    public var path: String
    public var problem: String

    public var description: String { "\(path): \(problem)" }
}
