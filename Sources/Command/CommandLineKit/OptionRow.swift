/// One option: what is typed, what it takes, what it does, and which commands know it.
public struct OptionRow: Sendable {
    /// What follows the option's name.
    public enum Argument: Sendable {
        /// Nothing: the option is given or it is not.
        case none
        /// A value, shown in the help under this name.
        case value(String)
        /// One of these words.
        case choice([String])
    }

    /// The name after `--`.
    public var long: String
    /// The letter after `-`, if there is one.
    public var short: Character?
    /// What follows the name.
    public var argument: Argument
    /// Whether giving it again adds a value; where not, the last one counts.
    public var repeats: Bool
    /// The heading that the help lists it under.
    public var group: String
    /// What it does, in one or two sentences without a line break.
    public var help: String
    /// The names of the commands that know it.
    public var commands: [String]

    public init(
        _ long: String, _ short: Character? = nil, _ argument: Argument = .none, repeats: Bool = false,
        group: String, commands: [String], _ help: String
    ) {
        self.long = long
        self.short = short
        self.argument = argument
        self.repeats = repeats
        self.group = group
        self.help = help
        self.commands = commands
    }

    /// What it does, and whether it may be given again.
    public var fullHelp: String { help + (repeats ? " May be given several times." : "") }

    /// The argument as the help shows it: `FILE`, `text|ndjson`; empty if absent.
    public var argumentName: String {
        switch argument {
        case .none: ""
        case .value(let name): name
        case .choice(let words): words.joined(separator: "|")
        }
    }

    /// The option as the help shows it: `-o, --output FILE`.
    public var spelling: String {
        let letter = short.map { "-\($0), " } ?? "    "
        let name = argumentName
        return letter + "--" + long + (name.isEmpty ? "" : " " + name)
    }
}
