import CaptureFile
import CommandLineKit
import Glibc

/// Where a command's result goes.
enum Output {
    /// The sink that `--output` names. A file is created with the first octets that go there, and one that is
    /// there stays till then.
    static func open(_ arguments: ParsedArguments, inputs: [String]) throws(Failure) -> DescriptorSink {
        guard let path = arguments.value(.output), path != "-" else { return .standardOutput }
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
        let file = OutputFile(path, madeFrom: all, replaces: arguments.has(.force))
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

    /// Whether text that goes there is coloured.
    static func usesColor(_ arguments: ParsedArguments, _ sink: borrowing DescriptorSink) -> Bool {
        let choice = arguments.value(.color).flatMap { ColorChoice(rawValue: $0) } ?? .auto
        return choice.resolved(descriptor: sink.descriptor)
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
