import CaptureFile
import CommandLineKit
import Glibc
import Rendering
import WireBytes

/// Destination of a command's result.
enum Output {
    /// Passes the sink named by `--output` to `body` and finishes it; returns nil if the reader closed the
    /// pipe. A file is created with the first bytes written; an existing one is kept until then.
    ///
    /// - Parameter pages: whether output on a terminal may go through the pager; `body` learns whether it
    ///   does.
    @discardableResult
    static func write<Value>(
        _ arguments: ParsedArguments, pages: Bool = false,
        _ body: (inout DescriptorSink, _ isPaged: Bool) throws(OutputError) -> Value
    ) throws(Failure) -> Value? {
        let pager = pages ? pager(arguments) : nil
        defer { pager?.finish() }
        var sink = try open(arguments, pager)
        return try unlessReaderGone { () throws(OutputError) in
            let value = try body(&sink, pager != nil)
            try sink.finish()
            return value
        }
    }

    /// Runs a body that writes; returns nil if the reader closed the pipe, a normal end.
    @discardableResult
    static func unlessReaderGone<Value>(_ body: () throws(OutputError) -> Value) throws(Failure) -> Value? {
        do throws(OutputError) { return try body() } catch {
            if let failure = error.failure { throw failure }
            return nil
        }
    }

    private static func open(
        _ arguments: ParsedArguments, _ pager: Pager?
    ) throws(Failure) -> DescriptorSink {
        if let pager { return DescriptorSink(borrowing: pager.descriptor, name: "the pager") }
        guard let path = arguments.value(.output), path != "-" else {
            return arguments.environment.outputSink
        }
        let file = try file(path, arguments, madeFrom: arguments.operands)
        do throws(OutputError) { return try DescriptorSink(creatingLater: file) } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't create")
        }
    }

    /// Returns a file that a command writes, as private as the inputs, keys and databases that it is made
    /// from.
    ///
    /// Refuses a path that is one of these, or an existing file without `--force`.
    static func file(
        _ path: String, _ arguments: ParsedArguments, madeFrom inputs: [String]
    ) throws(Failure) -> OutputFile {
        let all = inputs + arguments.values(.keys) + arguments.values(.gatt)
        let file = OutputFile(
            path, madeFrom: all, replaces: arguments.has(.force), in: arguments.environment)
        try refuse(file, ifAmong: all)
        try unlessReaderGone { () throws(OutputError) in try file.check() }
        return file
    }

    /// Returns a file for secrets, which only its owner may read.
    ///
    /// Refuses a path that is an input or the other output, an existing file without `--force`, or a stream,
    /// whose reader may be anybody.
    static func secretFile(_ path: String, _ arguments: ParsedArguments) throws(Failure) -> OutputFile {
        let file = OutputFile(secret: path, replaces: arguments.has(.force), in: arguments.environment)
        guard !file.isStream else {
            throw Failure(
                .usage, "\(path): keys are written only to a file, not to a pipe or device",
                advice: "name a file")
        }
        if let output = arguments.value(.output), file.isSameFile(as: output) {
            throw Failure(.usage, "\(path): the keys need a file of their own")
        }
        try refuse(file, ifAmong: arguments.operands + arguments.values(.keys) + arguments.values(.gatt))
        try unlessReaderGone { () throws(OutputError) in try file.check() }
        return file
    }

    /// Refuses a file that is also an input, which would be replaced.
    private static func refuse(_ file: OutputFile, ifAmong inputs: [String]) throws(Failure) {
        guard SystemCall.status(of: file.path)?.isRegular == true,
            inputs.contains(where: file.isSameFile)
        else { return }
        throw Failure(.usage, "\(file.path): input and output are one file", advice: "choose another output")
    }

    /// Refuses standard output for what nobody can read in a terminal.
    static func refuseTerminal(
        _ path: String?, _ environment: CommandEnvironment, what: String = "a capture"
    ) throws(Failure) {
        guard path == "-", environment.output.isTerminal else { return }
        throw Failure(
            .usage, "\(what) can't be written to a terminal", advice: "name a file, or use a pipe")
    }

    /// Starts the pager for a command's text on a terminal, if one is wanted and all inputs are files; else
    /// nil.
    static func pager(_ arguments: ParsedArguments) -> Pager? {
        let path = arguments.value(.output) ?? "-"
        let areFiles = arguments.operands.allSatisfy { SystemCall.status(of: $0)?.isRegular == true }
        return path == "-" && areFiles && !arguments.has(.noPager) ? Pager(arguments.environment) : nil
    }

    /// Whether standard output and standard error are one terminal, where nothing is to be said twice.
    static func isSeenOnce(_ arguments: ParsedArguments) -> Bool {
        let environment = arguments.environment
        return environment.output.isTerminal && environment.errors.isTerminal && !arguments.has(.output)
    }

    /// Wraps the lines of text from a place on, but those with several colors, which are fitted already.
    ///
    /// - Parameters:
    ///   - width: the columns of a line; nil for whole lines.
    ///   - indent: the indentation of the rest of a line that begins with a field's place.
    static func fit(_ out: inout TextBuffer, from start: Int = 0, width: Int?, fieldIndent: Int = 4) {
        guard let width else { return }
        let lines = String(decoding: out.copied(from: start), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.contains(where: { $0.utf8.count > width }) else { return }
        out.truncate(to: start)
        let fitted = lines.flatMap { line in
            let margin = line.hasPrefix("  +") ? fieldIndent : line.prefix { $0 == " " }.count + 2
            return wrapped(String(line), to: width, indent: margin)
        }
        out.put(fitted.joined(separator: "\n"))
    }

    /// Returns a line in several, all with the color of its text; as it is if it has several colors.
    private static func wrapped(_ line: String, to width: Int, indent: Int) -> [String] {
        let parts = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return line.wrapped(to: width, indent: indent) }
        guard parts.count == 3, parts[2] == "0m", parts[0].allSatisfy({ $0 == " " }),
            let end = parts[1].firstIndex(of: "m")
        else { return [line] }
        let text = parts[1][parts[1].index(after: end)...]
        return String(parts[0] + text).wrapped(to: width, indent: indent).map { piece in
            let blanks = piece.prefix { $0 == " " }
            return "\(blanks)\u{1B}[\(parts[1][...end])\(piece.dropFirst(blanks.count))\u{1B}[0m"
        }
    }

    /// The style of text about frames.
    static func textOptions(_ arguments: ParsedArguments, _ descriptor: Int32) -> TextRenderer.Options {
        // Text in the pager is also for the terminal.
        let output = arguments.environment.output
        let stream =
            output.isTerminal && !arguments.has(.output) ? output : arguments.environment.stream(descriptor)
        let color = arguments.value(.color).flatMap { ColorChoice(rawValue: $0) } ?? .auto
        var options = TextRenderer.Options()
        options.showsAll = arguments.has(.all)
        options.usesColor = color.resolved(stream, arguments.environment.variables)
        options.namesPeer = arguments.has(.wide)
        // A reader of a pipe or file wants each byte of a value, unless COLUMNS asks for a width.
        let columns =
            stream.isTerminal
            ? stream.columns ?? 100 : arguments.environment.variables["COLUMNS"].flatMap { Int($0) }
        if !arguments.has(.wide) { options.width = columns.map { max(40, $0) } }
        options.showsSources = arguments.has(.labels)
        options.explains = !arguments.has(.terse)
        if let time = arguments.value(.time).flatMap(TextRenderer.TimeStyle.init) { options.time = time }
        return options
    }
}

extension CaptureWriter {
    /// Creates a writer for the capture in a file.
    init(
        _ file: UnfinishedFile, named name: String, format: Format, nanoseconds: Bool, comments: [String]
    ) throws(CaptureFileError) {
        let descriptor = try CaptureFileError.from { () throws(OutputError) in try file.duplicate() }
        try self.init(
            descriptor: descriptor, name: name, format: format, nanoseconds: nanoseconds, comments: comments)
    }
}

extension CaptureFileError {
    /// Runs a body and throws its failure as that of a capture.
    static func from<Value>(_ body: () throws(OutputError) -> Value) throws(CaptureFileError) -> Value {
        do throws(OutputError) { return try body() } catch {
            switch error {
            case .system(let call, let code, let path):
                throw CaptureFileError(.system(call: call, errno: code), file: path)
            case .readerGone: throw CaptureFileError(.system(call: "write", errno: EPIPE), file: "")
            }
        }
    }
}
