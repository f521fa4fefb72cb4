/// Meaning of a parsed command line.
public enum Invocation: Equatable, Sendable {
    /// The help of one command, or of the program; short unless `isFull`.
    case help(command: String?, isFull: Bool = false)
    /// The program's version.
    case version
    /// The run of a command.
    case run(ParsedArguments)
}

extension CommandTable {
    /// Parses a command line, without the program's own name.
    public func parse(_ arguments: [String]) throws(Failure) -> Invocation {
        guard let first = arguments.first else {
            throw Failure(
                .usage, "no command given",
                advice: "'\(program) FILE' reads a log, '\(program) help' lists the commands")
        }
        switch first {
        case "help": return try help(about: Array(arguments.dropFirst()))
        case "--help", "-h":
            return .help(command: nil, isFull: arguments.dropFirst().first == CommandTable.wholeHelp)
        case "--version", "-V": return .version
        default: break
        }
        if first.hasPrefix("--"),
            let near = Suggestion.nearest(to: String(first.dropFirst(2)), in: ["help", "version"])
        {
            throw Failure(.usage, "unknown option '\(first)'", advice: "did you mean '--\(near)'?")
        }
        let (command, words) = try first.isOption ? (reader(of: arguments), 0) : command(at: arguments)
        var scanner = ArgumentScanner(
            table: self, options: options(of: command.name), rest: Array(arguments.dropFirst(words)),
            parsed: ParsedArguments(command: command.name))
        guard try scanner.scan() else {
            return .help(command: command.name, isFull: scanner.rest.contains(CommandTable.wholeHelp))
        }
        try check(scanner.parsed, of: command)
        for rows in exclusions {
            let given = rows.filter(scanner.parsed.has)
            guard given.count > 1 else { continue }
            throw Failure(
                .usage, "--\(given[0].long) and --\(given[1].long) exclude each other",
                advice: "leave out one")
        }
        return .run(scanner.parsed)
    }

    private func help(about words: [String]) throws(Failure) -> Invocation {
        var wanted = words.filter { !$0.hasPrefix("-") }
        let isFull = wanted.last == Self.wholeHelp
        if isFull { wanted.removeLast() }
        guard !wanted.isEmpty else { return .help(command: nil, isFull: isFull) }
        let group = commands.contains { $0.name.hasPrefix(wanted[0] + " ") }
        if wanted.count == 1, group, command(wanted[0]) == nil { return .help(command: nil, isFull: isFull) }
        return .help(command: try command(at: wanted).0.name, isFull: isFull)
    }

    /// The command at the beginning of the words, and the number of words in its name; none for the command
    /// that reads a file.
    private func command(at words: [String]) throws(Failure) -> (CommandRow, Int) {
        if words.count > 1, let command = command(words[0] + " " + words[1]) { return (command, 2) }
        if let command = command(words[0]) { return (command, 1) }
        let seconds = commands.filter { $0.name.hasPrefix(words[0] + " ") }.map(\.name)
        if !seconds.isEmpty {
            throw Failure(
                .usage,
                words.count > 1
                    ? "unknown command '\(words[0]) \(words[1])'" : "'\(words[0])' needs a second word",
                advice: "commands: '\(seconds.joined(separator: "', '"))'")
        }
        // A file in the place of a command is read.
        if Self.isInput(words[0]), let command = command(fileCommand) { return (command, 0) }
        let known = commands.map(\.name) + ["help", "--version"]
        if words[0].contains("/") || words[0].contains(".") {
            let what = "'\(words[0])' is neither a command nor a file"
            if let file = Suggestion.file(near: words[0]) {
                throw Failure(.usage, what, advice: "did you mean '\(file)'?")
            }
            throw Failure(
                .usage, what, nearestTo: words[0], in: known,
                else: "to read a file: '\(program) FILE'; '\(program) help' lists the commands")
        }
        throw Failure(
            .usage, "unknown command '\(words[0])'", nearestTo: words[0], in: known,
            else: "'\(program) help' lists the commands")
    }

    /// Returns the command that reads a file, for options before the file and without a command.
    private func reader(of arguments: [String]) throws(Failure) -> CommandRow {
        let named = arguments.first { command($0) != nil }
        if named == nil, let reader = command(fileCommand), arguments.contains(where: { !$0.isOption }) {
            return reader
        }
        if arguments == ["-v"] { throw Failure(.usage, "unknown option '-v'", advice: "did you mean '-V'?") }
        throw Failure(
            .usage, "'\(arguments[0])' comes before the command\(named.map { " '\($0)'" } ?? "")",
            advice: "the order is '\(program) COMMAND OPTIONS' or '\(program) FILE OPTIONS'")
    }

    /// Whether a word names standard input or something in the file system.
    private static func isInput(_ word: String) -> Bool { word == "-" || SystemCall.status(of: word) != nil }

    private func check(_ parsed: ParsedArguments, of command: CommandRow) throws(Failure) {
        let count = parsed.operands.count
        guard !command.operandCount.contains(count) else { return }
        let few = count < command.operandCount.lowerBound
        // An option without its value has taken the file.
        for row in options(of: command.name) where few && row.argumentName == "N" {
            guard let value = parsed.given[row.long]?.last, Int(value) == nil,
                SystemCall.status(of: value) != nil
            else { continue }
            throw Failure(
                .usage, "--\(row.long) needs a value: N", advice: "'--\(row.long) 1 \(value)', for example")
        }
        let taker = options(of: command.name).first { row in
            row.argumentName == "FILE"
                && parsed.given[row.long]?.contains { SystemCall.status(of: $0) != nil } == true
        }
        if few, let taker, let value = parsed.given[taker.long]?.last {
            throw Failure(
                .usage, "'\(command.name)' needs \(command.operands)",
                advice: "--\(taker.long) has taken '\(value)' as its value")
        }
        throw Failure(
            .usage,
            command.operands.isEmpty
                ? "'\(command.name)' takes no words behind its options"
                : "'\(command.name)' \(few ? "needs" : "takes no more than") \(command.operands)",
            advice: "'\(program) \(command.name) --help' shows how")
    }
}

/// Parses the words after the command's name.
struct ArgumentScanner {
    let table: CommandTable
    let options: [OptionRow]
    var rest: [String]
    var parsed: ParsedArguments

    /// Parses all words; returns false if help is requested.
    mutating func scan() throws(Failure) -> Bool {
        var index = 0
        while index < rest.count {
            let word = rest[index]
            index += 1
            if word == "--" {
                parsed.operands += rest[index...]
                return true
            }
            if word == "--help" || word == "-h" { return false }
            if word.hasPrefix("--") {
                try long(word.dropFirst(2), &index)
            } else if word.hasPrefix("-") && word.count > 1 {
                guard try letters(word.dropFirst(), &index) else { return false }
            } else {
                parsed.operands.append(word)
            }
        }
        return true
    }

    private mutating func long(_ word: Substring, _ index: inout Int) throws(Failure) {
        let equals = word.firstIndex(of: "=")
        let name = String(word[..<(equals ?? word.endIndex)])
        guard let row = options.first(where: { $0.long == name }) else { throw unknown("--" + name, name) }
        let attached = equals.map { String(word[word.index(after: $0)...]) }
        if case .none = row.argument {
            guard attached == nil else { throw Failure(.usage, "--\(name) takes no value") }
            return store(row, "")
        }
        try take(row, attached, &index)
    }

    /// Parses a cluster of letters; the first that takes a value uses the rest of the word as its value.
    private mutating func letters(_ word: Substring, _ index: inout Int) throws(Failure) -> Bool {
        var word = word
        while let letter = word.popFirst() {
            if letter == "h" && !options.contains(where: { $0.short == "h" }) { return false }
            guard let row = options.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)", nil)
            }
            if case .none = row.argument {
                store(row, "")
            } else {
                try take(row, word.isEmpty ? nil : String(word), &index)
                return true
            }
        }
        return true
    }

    private mutating func take(_ row: OptionRow, _ attached: String?, _ index: inout Int) throws(Failure) {
        guard let value = attached ?? (index < rest.count ? rest[index] : nil) else {
            throw Failure(.usage, "--\(row.long) needs a value: \(row.argumentName)")
        }
        if attached == nil { index += 1 }
        if case .value("FILE") = row.argument, !row.repeats, parsed.given[row.long] != nil {
            throw Failure(.usage, "--\(row.long) is given twice")
        }
        if case .choice(let words) = row.argument, !words.contains(value) {
            if let same = words.first(where: { $0.lowercased() == value.lowercased() }) {
                return store(row, same)
            }
            throw Failure(
                .usage, "--\(row.long): '\(value)' is not one of \(words.joined(separator: ", "))",
                nearestTo: value, in: words)
        }
        store(row, value)
    }

    private mutating func store(_ row: OptionRow, _ value: String) {
        if row.repeats {
            parsed.given[row.long, default: []].append(value)
        } else {
            parsed.given[row.long] = [value]
        }
    }

    private func unknown(_ shown: String, _ name: String?) -> Failure {
        let command = parsed.command
        if let name, let other = table.options.first(where: { $0.long == name }) {
            return Failure(
                .usage, "'\(command)' has no option \(shown)",
                advice: "it belongs to '\(other.commands.joined(separator: "', '"))'")
        }
        let near = name.flatMap { Suggestion.nearest(to: $0, in: options.map(\.long)) }
        let advice =
            near.map { "did you mean '--\($0)'?" } ?? "'\(table.program) \(command) --help' lists them"
        return Failure(.usage, "'\(command)' has no option \(shown)", advice: advice)
    }
}

extension String {
    /// Whether the word begins as an option does; `-` alone is standard input.
    fileprivate var isOption: Bool { self != "-" && hasPrefix("-") }
}
