import Analysis
import CommandLineKit
import Profiles
import UQDK

/// The knowledge that a command line gives: keys, dialects, profiles and attributes.
enum GivenKnowledge {
    /// Reads every file that the options name.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> AnalysisKnowledge {
        let dialects = try DialectFiles.read(arguments)
        var knowledge = AnalysisKnowledge(
            uqdk: UQDKKnowledge(
                dialects: dialects, keys: try KeyFiles.read(arguments, for: dialects)),
            profiles: try ProfileFiles.read(arguments))
        knowledge.gatt = try GATTFiles.read(arguments, knowledge)
        return knowledge
    }
}
