/// Why a key file can't be used.
public enum UQDKKeyFileError: Error, Equatable, Sendable {
    /// It is missing, or not a key file.
    case unreadable
    /// Others than its owner may read or write it.
    case openToOthers
    /// It has a version that is not known here.
    case version(Int)
    /// It can't be written.
    case unwritable
    /// There is one already, which is kept.
    case exists
}
