import Foundation

/// Visibility of a value in a log. As on a phone, numbers are shown and other values are not, unless the
/// message says so.
public struct OSLogPrivacy: Sendable {
    let shows: Bool?

    /// Numbers and the like are shown, other values are not.
    public static var auto: Self { Self(shows: nil) }
    public static var `public`: Self { Self(shows: true) }
    public static var `private`: Self { Self(shows: false) }
    public static var sensitive: Self { Self(shows: false) }
}

/// Format of an integer in a log.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let prefix: String
    let isUppercase: Bool

    public static var decimal: Self { Self(radix: 10, prefix: "", isUppercase: false) }
    public static var hex: Self { hex() }
    public static var octal: Self { Self(radix: 8, prefix: "", isUppercase: false) }
    public static func hex(includePrefix: Bool = false, uppercase: Bool = false) -> Self {
        Self(radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase)
    }
}

/// Format of a number with a fraction in a log.
public struct OSLogFloatFormatting: Sendable {
    let precision: Int

    public static var fixed: Self { fixed(precision: 6) }
    public static func fixed(precision: Int) -> Self { Self(precision: precision) }
}

/// A message with the values that may be shown.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The values of a message, each with its privacy.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryInteger, format: OSLogIntegerFormatting = .decimal,
        privacy: OSLogPrivacy = .auto
    ) {
        append(privacy, byItself: true) {
            format.prefix + String(number(), radix: format.radix, uppercase: format.isUppercase)
        }
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryFloatingPoint & CVarArg,
        format: OSLogFloatFormatting = .fixed, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy, byItself: true) { String(format: "%.\(format.precision)f", Double(number())) }
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy, byItself: true) { "\(value())" }
    }

    public mutating func appendInterpolation(
        _ type: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy, byItself: true) { "\(type())" }
    }

    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy, byItself: false) { value().description }
    }

    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> (any Error)?, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy, byItself: false) { error().map { "\($0)" } ?? "nil" }
    }

    private mutating func append(_ privacy: OSLogPrivacy, byItself: Bool, _ value: () -> String) {
        text += privacy.shows ?? byItself ? value() : OSLog.hidden
    }
}
