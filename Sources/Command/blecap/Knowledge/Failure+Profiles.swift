import Analysis
import CommandLineKit
import WireBytes

extension Failure {
    /// Notices about values that UQDK did not decode because the user's profiles describe them.
    static func displaced(_ analyzer: borrowing Analyzer) -> [Failure] {
        analyzer.displacedValues.sorted { $0.key < $1.key }.map { profile, count in
            Failure(
                .success,
                "profile \(profile) replaces UQDK for \(count.counting("value")) of UQDK's "
                    + "characteristics",
                advice: "without the profile, UQDK decodes them")
        }
    }
}
