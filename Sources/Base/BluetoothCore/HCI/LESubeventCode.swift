/// The subevent code of an LE Meta event.
///
/// Source: Vol 4, Part E, 7.7.65.
@frozen
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The name of a code; nil where none is assigned.
    @Sendable public static func name(of code: UInt64) -> StaticString? {
        UInt8(exactly: code).flatMap { LESubeventCode(rawValue: $0).name }
    }
}
