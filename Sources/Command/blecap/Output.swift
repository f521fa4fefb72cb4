import CommandLineKit

/// Where a command's result goes.
enum Output {
    /// The sink that `--output` names; a file that is also read is refused, because opening would empty it.
    /// A file is created with the first octets that go there, and one that is there stays till then.
    static func open(_ arguments: ParsedArguments, inputs: [String]) throws(Failure) -> DescriptorSink {
        guard let path = arguments.value(.output), path != "-" else { return .standardOutput }
        try refuse(path, ifAmong: inputs)
        do throws(OutputError) {
            return try DescriptorSink(creatingLater: path)
        } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't create")
        }
    }

    /// Refuses a path that is one of the inputs, by whatever name: opening it for output would empty it.
    static func refuse(_ path: String, ifAmong inputs: [String]) throws(Failure) {
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
