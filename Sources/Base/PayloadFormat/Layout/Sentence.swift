/// A text for a person in which the sides of a connection and the frames are values: each output names them
/// in its own way.
public struct Sentence: Hashable, Sendable {
    /// A piece of a sentence.
    public enum Part: Hashable, Sendable {
        case words(String)
        /// The side whose log it is, on the air the central; with its article: `the host`.
        case host
        /// The other side, on the air the peripheral.
        case peer
        case frame(FramePlace)
    }

    /// Returns the words for both sides, without an article: by their roles if a sniffer recorded both.
    public static func sides(isOnAir: Bool) -> (host: String, peer: String) {
        isOnAir ? ("central", "peripheral") : ("host", "peer")
    }

    /// The pieces in order; words don't follow words.
    public private(set) var parts: [Part] = []

    /// Whether it has no text.
    public var isEmpty: Bool { parts.isEmpty }

    /// Whether its first words begin with a name.
    public func begins(with name: String) -> Bool {
        if case .words(let words) = parts.first { words.hasPrefix(name) } else { false }
    }

    /// Returns the text.
    ///
    /// - Parameters:
    ///   - file: the index of the file that the text is about: frames of other files have their file's number
    ///     before them. With nil, all frames have.
    ///   - isOnAir: whether a sniffer recorded both sides: they are called by their roles then.
    public func text(from file: Int?, isOnAir: Bool) -> String {
        if parts.count == 1, case .words(let words) = parts[0] { return words }
        let sides = Self.sides(isOnAir: isOnAir)
        return parts.reduce(into: "") { text, part in
            switch part {
            case .words(let words): text += words
            case .host: text += "the \(sides.host)"
            case .peer: text += "the \(sides.peer)"
            case .frame(let place): text += place.text(from: file)
            }
        }
    }

    public static func + (left: Self, right: Self) -> Self {
        var whole = left
        whole += right
        return whole
    }

    public static func += (left: inout Self, right: Self) {
        for part in right.parts { left.append(part) }
    }

    fileprivate mutating func append(_ part: Part) {
        guard case .words(let words) = part else { return parts.append(part) }
        guard !words.isEmpty else { return }
        if case .words(let before) = parts.last {
            parts[parts.count - 1] = .words(before + words)
        } else {
            parts.append(part)
        }
    }
}

extension Sentence: ExpressibleByStringInterpolation {
    public init(stringLiteral words: String) { append(.words(words)) }

    public init(stringInterpolation interpolation: StringInterpolation) { self = interpolation.sentence }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sentence = Sentence()

        public init(literalCapacity: Int, interpolationCount: Int) {
            sentence.parts.reserveCapacity(2 * interpolationCount + 1)
        }

        public mutating func appendLiteral(_ words: String) { sentence.append(.words(words)) }

        public mutating func appendInterpolation(_ part: Part) { sentence.append(part) }

        public mutating func appendInterpolation(_ place: FramePlace) { sentence.append(.frame(place)) }

        public mutating func appendInterpolation(_ other: Sentence) { sentence += other }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            sentence.append(.words(value.description))
        }
    }
}

extension DefaultStringInterpolation {
    /// No text: a frame's number depends on the file that the text is about.
    @available(*, unavailable, message: "use FramePlace.text(from:), or a Sentence")
    public mutating func appendInterpolation(_ place: FramePlace) {}

    /// No text: each output names the sides its own way.
    @available(*, unavailable, message: "use Sentence.text(from:isOnAir:)")
    public mutating func appendInterpolation(_ sentence: Sentence) {}
}

extension [Sentence] {
    /// Returns the sentences with a separator between them.
    public func joined(separator: String) -> Sentence {
        enumerated().reduce(into: Sentence()) { whole, next in
            if next.offset > 0 { whole += "\(separator)" }
            whole += next.element
        }
    }
}
