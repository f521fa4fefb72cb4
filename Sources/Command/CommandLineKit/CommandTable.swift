/// Every command and option of a program: the single source of its parsing, its help and its documentation.
public struct CommandTable: Sendable {
    /// The program's name, as typed.
    public var program: String
    /// Its version.
    public var version: String
    /// Description of the program in one line.
    public var summary: String
    /// The commands, in the order of the help.
    public var commands: [CommandRow]
    /// The options, in the order of the help.
    public var options: [OptionRow]
    /// Meaning of each exit status.
    public var statuses: [(ExitStatus, String)]
    /// The command that is suggested if a file's name is in the place of a command.
    public var fileCommand = "annotate"

    public init(
        program: String, version: String, summary: String, commands: [CommandRow], options: [OptionRow],
        statuses: [(ExitStatus, String)]
    ) {
        self.program = program
        self.version = version
        self.summary = summary
        self.commands = commands
        self.options = options
        self.statuses = statuses
    }

    /// The command of this name.
    public func command(_ name: String) -> CommandRow? { commands.first { $0.name == name } }

    /// The options that a command accepts.
    public func options(of command: String) -> [OptionRow] {
        options.filter { $0.commands.contains(command) }
    }
}
