import CommandLineKit
import Testing

@Suite struct CommandTableTests {
    static let output = OptionRow(
        "output", "o", .value("FILE"), group: "Output", commands: ["show"], "Where.")
    static let all = OptionRow("all", "a", group: "Output", commands: ["show"], "All of it.")
    static let keys = OptionRow(
        "keys", "k", .value("FILE"), repeats: true, group: "Input", commands: ["show"], "Keys.")
    static let format = OptionRow(
        "format", nil, .choice(["text", "ndjson"]), group: "Output", commands: ["show"], "How.")
    static let force = OptionRow("force", nil, group: "Output", commands: ["file check"], "Anyway – always.")

    static let table = CommandTable(
        program: "tool", version: "1.2", summary: "shows things",
        commands: [
            CommandRow("show", operands: "FILE...", operandCount: 1...3, summary: "Shows files."),
            CommandRow("file check", operands: "FILE", operandCount: 1...1, summary: "Checks a file."),
        ],
        options: [output, all, keys, format, force], exclusions: [[all, keys]],
        statuses: [(.success, "Fine.")])

    static func parse(_ words: [String]) -> Result<Invocation, Failure> {
        Result { () throws(Failure) in try table.parse(words) }
    }

    static func shown(_ words: String...) throws -> ParsedArguments {
        guard case .run(let arguments) = try parse(words).get() else { throw Failure(.usage, "no run") }
        return arguments
    }

    @Test(arguments: [
        ["show", "-o", "x", "in"], ["show", "-ox", "in"], ["show", "--output", "x", "in"],
        ["show", "--output=x", "in"], ["show", "in", "-o", "x"],
        ["show", "-ox", "--", "in"],
    ])
    func `A value may stand in every place that GNU allows`(words: [String]) throws {
        guard case .run(let arguments) = try Self.parse(words).get() else {
            Issue.record("no run")
            return
        }
        #expect(arguments.value(Self.output) == "x")
        #expect(arguments.operands == ["in"])
    }

    @Test func `Of options that exclude each other two are an error that names both`() {
        guard case .failure(let failure) = Self.parse(["show", "--keys", "y", "-a", "in"]) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.status == .usage && failure.what == "--all and --keys exclude each other")
    }

    @Test func `A file that is given twice is an error, and not the last of both`() {
        #expect(
            Self.parse(["show", "-o", "y", "-ox", "in"]) == .failure(.init(.usage, "--output is given twice"))
        )
    }

    @Test func `A word of a choice is taken in any case`() throws {
        #expect(try Self.shown("show", "--format", "NDJson", "in").value(Self.format) == "ndjson")
    }

    @Test func `A file or folder in the place of a command is read, whatever comes behind it`() throws {
        var table = Self.table
        table.fileCommand = "show"
        let parsed = try table.parse(["/dev/null", "-a", "."])
        guard case .run(let arguments) = parsed else {
            Issue.record("\(parsed)")
            return
        }
        #expect(arguments.command == "show" && arguments.operands == ["/dev/null", "."])
        #expect(arguments.has(Self.all))
        #expect(table.helpText(nil).contains("tool FILE...    short for 'tool show FILE...'"))
        #expect(try table.parse(["/", "--help"]) == .help(command: "show"))
        guard case .run(let piped) = try table.parse(["-", "-a"]) else {
            Issue.record("standard input is not read")
            return
        }
        #expect(piped.command == "show" && piped.operands == ["-"] && piped.has(Self.all))
    }

    @Test func `Options may precede a file that is read without a command`() throws {
        var table = Self.table
        table.fileCommand = "show"
        for words in [["-a", "/"], ["-o", "x", "/", "-a"], ["--all", "-"]] {
            guard case .run(let arguments) = try table.parse(words) else { throw Failure(.usage, "no run") }
            #expect(arguments.command == "show" && arguments.has(Self.all), "\(words)")
            #expect(arguments.operands == [words.contains("/") ? "/" : "-"])
        }
    }

    @Test(arguments: ["logs/x.btsnoop", "nigth.btsnoop", "shwo"])
    func `A word that is neither a command nor a file is an error with advice`(word: String) {
        guard case .failure(let failure) = Self.parse([word]) else {
            Issue.record("no failure")
            return
        }
        let advice = word == "shwo" ? "did you mean 'show'?" : "neither a command nor a file"
        #expect(failure.status == .usage && "\(failure)".contains(advice), "\(failure)")
    }

    @Test(arguments: CompletionShell.allCases)
    func `A shell's completion has each command, option and word`(shell: CompletionShell) {
        let text = Self.table.completion(for: shell)
        for word in ["show", "check", "output", "all", "keys", "format", "ndjson", "force", "help"] {
            #expect(text.contains(word) || shell == .fish && word == "help", "\(word)")
        }
    }

    @Test func `The manual page has each command and option, and no line that roff takes for a request`() {
        let text = Self.table.manual
        for word in [
            "tool show", "tool file check", "\\-\\-output FILE", "\\-\\-force", "Fine.",
            "Anyway \\[u2013] always.",
        ] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        let requests: Set<Substring> = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".RI", ".nf", ".fi"]
        for line in text.split(separator: "\n") where line.hasPrefix(".") {
            #expect(requests.contains(line.prefix { $0 != " " }), "\(line)")
        }
    }

    @Test func `Letters without values may share a dash with one that has a value at the end`() throws {
        let arguments = try Self.shown("show", "-aokeep", "in")
        #expect(arguments.has(Self.all))
        #expect(arguments.value(Self.output) == "keep")
    }

    @Test func `A repeatable option keeps every value in order`() throws {
        let arguments = try Self.shown("show", "-k1", "--keys=2", "--keys", "3", "in")
        #expect(arguments.values(Self.keys) == ["1", "2", "3"])
    }

    @Test func `A dash alone is an operand, and after two dashes everything is`() throws {
        #expect(try Self.shown("show", "-").operands == ["-"])
        #expect(try Self.shown("show", "--", "-o", "--all").operands == ["-o", "--all"])
    }

    @Test func `An empty value is a value`() throws {
        #expect(try Self.shown("show", "--output=", "in").value(Self.output) == "")
    }

    @Test(
        arguments: [
            ([], "no command given"),
            (["-a", "show"], "comes before the command 'show'"),
            (["--all", "show", "/"], "comes before the command 'show'"),
            (["--all", "nothing"], "comes before the command; the order is"),
            (["--verison"], "unknown option '--verison'; did you mean '--version'?"),
            (["--hlep"], "did you mean '--help'?"),
            (["sohw", "x"], "did you mean 'show'?"),
            (["nothing"], "'tool help' lists the commands"),
            (["file", "x"], "commands: 'file check'"),
            (["show", "--ouptut", "x", "in"], "did you mean '--output'?"),
            (["show", "--out", "x", "in"], "did you mean '--output'?"),
            (["show", "--force", "in"], "it belongs to 'file check'"),
            (["show", "-x", "in"], "no option -x"),
            (["show", "in", "-o"], "--output needs a value: FILE"),
            (["show", "--all=1", "in"], "--all takes no value"),
            (["show", "--format", "txt", "in"], "did you mean 'text'?"),
            (["show"], "'show' needs FILE..."),
            (["show", "1", "2", "3", "4"], "'show' takes no more than FILE..."),
            (["help", "shwo"], "did you mean 'show'?"),
        ] as [([String], String)])
    func `Wrong usage is status 2 and says what to do`(words: [String], text: String) {
        guard case .failure(let failure) = Self.parse(words) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.status == .usage)
        #expect(failure.line.contains(text), "\(failure.line)")
    }

    @Test func `Help and version are found wherever they stand`() throws {
        #expect(try Self.parse(["help"]).get() == .help(command: nil))
        #expect(try Self.parse(["--help"]).get() == .help(command: nil))
        #expect(try Self.parse(["help", "show"]).get() == .help(command: "show"))
        #expect(try Self.parse(["help", "file", "check"]).get() == .help(command: "file check"))
        #expect(try Self.parse(["show", "x", "--help"]).get() == .help(command: "show"))
        #expect(try Self.parse(["show", "-ah"]).get() == .help(command: "show"))
        #expect(try Self.parse(["show", "--help", "all"]).get() == .help(command: "show", isFull: true))
        #expect(try Self.parse(["help", "show", "all"]).get() == .help(command: "show", isFull: true))
        #expect(try Self.parse(["--help", "all"]).get() == .help(command: nil, isFull: true))
        #expect(try Self.parse(["help", "all"]).get() == .help(command: nil, isFull: true))
        #expect(try Self.parse(["--version"]).get() == .version)
    }

    @Test func `Numbers are checked where they are asked for`() throws {
        let arguments = try Self.shown("show", "-o", "12", "in")
        #expect(try arguments.number(Self.output) == 12)
        #expect(throws: Failure.self) { try arguments.number(Self.output, least: 13) }
        #expect(throws: Failure.self) { try Self.shown("show", "-o", "1x", "in").number(Self.output) }
        #expect(try Self.shown("show", "in").number(Self.output) == nil)
    }

    @Test func `A command's help lists its own options and no others`() {
        let help = Self.table.helpText("show", isFull: true)
        for row in Self.table.options(of: "show") { #expect(help.contains("--" + row.long)) }
        #expect(!help.contains("--force"))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
