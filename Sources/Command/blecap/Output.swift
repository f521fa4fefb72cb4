import CommandLineKit

/// Where a command's result goes.
enum Output {
    /// The sink that `--output` names; a file that is also read is refused, because opening would empty it.
    static func open(_ arguments: ParsedArguments, inputs: [String]) throws(Failure) -> DescriptorSink {
        guard let path = arguments.value(.output), path != "-" else { return .standardOutput }
        try requireAny(of: inputs)
        return try create(path, inputs: inputs)
    }

    /// Refuses to empty an output for inputs of which none is there.
    private static func requireAny(of inputs: [String]) throws(Failure) {
        guard let first = inputs.first else { return }
        for input in inputs where input == "-" || SystemCall.status(of: input) != nil { return }
        throw Failure(.input, "\(first): no such file")
    }

    /// Creates a file that is none of the inputs.
    static func create(_ path: String, inputs: [String]) throws(Failure) -> DescriptorSink {
        try refuse(path, ifAmong: inputs)
        do throws(OutputError) {
            return try DescriptorSink(path: path)
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
