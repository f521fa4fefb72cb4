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
