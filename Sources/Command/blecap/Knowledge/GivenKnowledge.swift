import Analysis
import CommandLineKit
import Profiles
import UQDK

/// The knowledge given on a command line: keys, dialects, profiles and attributes.
enum GivenKnowledge {
    /// Reads every file named by the options.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> AnalysisKnowledge {
        let dialects = try DialectFiles.read(arguments)
        let knowledge = AnalysisKnowledge(
            uqdk: UQDKKnowledge(dialects: dialects), profiles: try ProfileFiles.read(arguments))
        return try read(arguments, besides: knowledge)
    }

    /// Reads the files with keys and attributes named by the options; the rest is known already.
    static func read(
        _ arguments: ParsedArguments, besides known: AnalysisKnowledge
    ) throws(Failure) -> AnalysisKnowledge {
        var knowledge = known
        let dialects = known.uqdk.dialects
        knowledge.uqdk = UQDKKnowledge(dialects: dialects, keys: try KeyFiles.read(arguments, for: dialects))
        knowledge.gatt = GATTKnowledge()
        knowledge.gatt = try GATTFiles.read(arguments, knowledge)
        return knowledge
    }
}

/// The knowledge for each log of a batch: from the command line, and from the files beside that log. Keys and
/// attributes beside other logs are not used for it.
struct LogKnowledge: Sendable {
    /// The knowledge for one timeline of all logs.
    let ofAll: AnalysisKnowledge
    private let given: ParsedArguments
    private let arguments: ParsedArguments

    /// - Parameters:
    ///   - given: the command line as given.
    ///   - arguments: the same, with the files found beside its logs.
    init(_ given: ParsedArguments, found arguments: ParsedArguments) throws(Failure) {
        ofAll = try GivenKnowledge.read(arguments)
        self.given = given
        self.arguments = arguments
    }

    /// The knowledge for one log, which may be in several files.
    func of(_ log: [String]) throws(Failure) -> AnalysisKnowledge {
        let own = FoundFiles.own(log, of: arguments, given: given)
        return own == arguments ? ofAll : try GivenKnowledge.read(own, besides: ofAll)
    }
}
