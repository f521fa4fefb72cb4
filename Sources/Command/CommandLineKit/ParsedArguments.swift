/// The options and operands of one command line, checked against the table, and the command's environment.
public struct ParsedArguments: Equatable, Sendable {
    /// The command's name.
    public var command: String
    /// The operands, in order.
    public var operands: [String]
    /// The values of each option given, by its long name; an option without a value has an empty one.
    var given: [String: [String]]
    /// The command's environment.
    public var environment = CommandEnvironment()

    init(command: String) {
        self.command = command
        operands = []
        given = [:]
    }

    /// Whether the option was given.
    public func has(_ option: OptionRow) -> Bool { given[option.long] != nil }

    /// Every value of the option, in order.
    public func values(_ option: OptionRow) -> [String] { given[option.long] ?? [] }

    /// The option's value; the last one if it was given several times.
    public func value(_ option: OptionRow) -> String? { given[option.long]?.last }

    /// Sets the option's values, as if they had been given on the command line.
    public mutating func set(_ option: OptionRow, _ values: [String]) {
        given[option.long] = values.isEmpty ? nil : values
    }

    /// The option's value as a whole number of at least `least`.
    public func number(_ option: OptionRow, least: Int = 0) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), number >= least else {
            throw Failure(.usage, "--\(option.long): '\(text)' is not a whole number of \(least) or more")
        }
        return number
    }
}

/// Finds the word that was probably meant.
public enum Suggestion {
    /// The candidate nearest to `word`, if one is near enough.
    public static func nearest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            let isPart =
                word.count >= 2 && candidate.hasPrefix(word) || word.count >= 3 && candidate.hasSuffix(word)
            let found = isPart ? 1 : distance(word, candidate)
            if found <= limit, found < best?.distance ?? Int.max { best = (found, candidate) }
        }
        return best?.word
    }

    /// The path of the file with the most similar name in the folder of a missing one; nil if none is similar
    /// enough. Endings count only if they alone differ.
    public static func file(near path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last, name.count > 2 else { return nil }
        func stem(_ name: some StringProtocol) -> String {
            String(name.lastIndex(of: ".").map { name[..<$0] } ?? name[...])
        }
        let names = SystemCall.names(besides: path).sorted().filter { !$0.hasPrefix(".") }
        guard stem(name).count > 2, let near = nearest(to: stem(name), in: names.map { stem($0) }) else {
            return nil
        }
        let alike = names.filter { stem($0) == near }
        let ending = name.drop { $0 != "." }
        let best = alike.first { $0.hasSuffix(ending) } ?? alike.first
        return best.map { (parts.dropLast().map(String.init) + [$0]).joined(separator: "/") }
    }

    /// Number of letters to insert, remove, replace or swap with their neighbor.
    static func distance(_ left: String, _ right: String) -> Int {
        let from = Array(left.unicodeScalars.prefix(64))
        let onto = Array(right.unicodeScalars.prefix(64))
        var before: [Int] = []
        var previous = Array(0...onto.count)
        for row in from.indices {
            var current = [row + 1]
            for column in onto.indices {
                let replaced = previous[column] + (from[row] == onto[column] ? 0 : 1)
                var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, from[row] == onto[column - 1], from[row - 1] == onto[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            before = previous
            previous = current
        }
        return previous[onto.count]
    }
}
