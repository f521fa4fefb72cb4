/// One option: its spelling, its argument, its description, and the commands that accept it.
public struct OptionRow: Sendable {
    /// The argument after the option's name.
    public enum Argument: Sendable {
        /// No argument: the option is a flag.
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
    /// The argument after the name.
    public var argument: Argument
    /// Whether repeating it adds a value; otherwise the last one counts.
    public var repeats: Bool
    /// The heading under which the help lists it.
    public var group: String
    /// Description in one or two sentences without a line break.
    public var help: String
    /// Description in a few words for the short help, which lists only options that have one.
    public var brief: String?
    /// The names of the commands that accept it.
    public var commands: [String]

    public init(
        _ long: String, _ short: Character? = nil, _ argument: Argument = .none, repeats: Bool = false,
        group: String, commands: [String], _ help: String,
        brief: String? = nil
    ) {
        self.long = long
        self.short = short
        self.argument = argument
        self.repeats = repeats
        self.group = group
        self.help = help
        self.brief = brief
        self.commands = commands
    }

    /// The description, including whether the option may be repeated.
    public var fullHelp: String { help + (repeats ? " May be given several times." : "") }

    /// The argument as shown in the help: `FILE`, `text|ndjson`; empty if absent.
    public var argumentName: String {
        switch argument {
        case .none: ""
        case .value(let name): name
        case .choice(let words): words.joined(separator: "|")
        }
    }

    /// The option as shown in the help: `-o, --output FILE`.
    public var spelling: String {
        let letter = short.map { "-\($0), " } ?? "    "
        let name = argumentName
        return letter + "--" + long + (name.isEmpty ? "" : " " + name)
    }
}
