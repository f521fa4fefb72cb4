import CaptureFile
import CommandLineKit
import Glibc
import Rendering

/// Where a command's result goes.
enum Output {
    /// The sink that `--output` names. A file is created with the first bytes that go there, and one that is
    /// there stays till then.
    static func open(
        _ arguments: ParsedArguments, inputs: [String], _ pager: Pager? = nil
    ) throws(Failure) -> DescriptorSink {
        if let pager { return DescriptorSink(borrowing: pager.descriptor, name: "the pager") }
        guard let path = arguments.value(.output), path != "-" else {
            return arguments.environment.outputSink
        }
        let file = try file(path, arguments, madeFrom: inputs)
        do throws(OutputError) {
            return try DescriptorSink(creatingLater: file)
        } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't create")
        }
    }

    /// A file that a command writes, as private as the inputs, keys and databases that it is made from.
    ///
    /// A path that is one of these is refused, and one where a file is that `--force` does not replace.
    static func file(
        _ path: String, _ arguments: ParsedArguments, madeFrom inputs: [String]
    ) throws(Failure) -> OutputFile {
        let all = inputs + arguments.values(.keys) + arguments.values(.gatt)
        try refuse(path, ifAmong: all)
        let file = OutputFile(
            path, madeFrom: all, replaces: arguments.has(.force), in: arguments.environment)
        do throws(OutputError) { try file.check() } catch { if let failure = error.failure { throw failure } }
        return file
    }

    /// Refuses a path that is one of the inputs, by whatever name: it would be replaced.
    private static func refuse(_ path: String, ifAmong inputs: [String]) throws(Failure) {
        if let target = SystemCall.status(of: path), target.isRegular {
            for input in inputs where SystemCall.status(of: input)?.isSameFile(as: target) == true {
                throw Failure(
                    .usage, "\(path): input and output are one file", advice: "choose another output")
            }
        }
    }

    /// Where a command's text goes: on a terminal through a pager, if one is wanted and all that is read
    /// are files.
    static func pager(_ arguments: ParsedArguments) -> Pager? {
        let path = arguments.value(.output) ?? "-"
        let areFiles = arguments.operands.allSatisfy { SystemCall.status(of: $0)?.isRegular == true }
        return path == "-" && areFiles && !arguments.has(.noPager) ? Pager(arguments.environment) : nil
    }

    /// What text about frames looks like.
    static func textOptions(_ arguments: ParsedArguments, _ descriptor: Int32) -> TextRenderer.Options {
        // What goes through the pager is for the terminal too.
        let output = arguments.environment.output
        let stream =
            output.isTerminal && !arguments.has(.output) ? output : arguments.environment.stream(descriptor)
        let color = arguments.value(.color).flatMap { ColorChoice(rawValue: $0) } ?? .auto
        var options = TextRenderer.Options()
        options.showsAll = arguments.has(.all)
        options.usesColor = color.resolved(stream, arguments.environment.variables)
        if !arguments.has(.wide) { options.width = max(60, stream.columns ?? 100) }
        options.showsSources = arguments.has(.labels)
        options.explains = stream.isTerminal && !arguments.has(.terse)
        if let time = arguments.value(.time).flatMap(TextRenderer.TimeStyle.init) { options.time = time }
        return options
    }
}

extension CaptureWriter {
    /// Creates the file that a capture goes into.
    init(
        creating file: OutputFile, format: Format, nanoseconds: Bool, comments: [String]
    ) throws(CaptureFileError) {
        let descriptor: Int32
        do throws(OutputError) { descriptor = try file.create() } catch {
            guard case .system(let call, let code, let path) = error else {
                throw CaptureFileError(.system(call: "create", errno: EPIPE), file: file.path)
            }
            throw CaptureFileError(.system(call: call, errno: code), file: path)
        }
        try self.init(
            descriptor: descriptor, name: file.path, format: format, nanoseconds: nanoseconds,
            comments: comments)
    }
}
