import Foundation
import Replay
public import ReplayHarness
public import Testing

extension ReplayHarness {
    /// Fails the test unless the program did the same as the recorded one.
    ///
    /// The issue names the frame and contains the report. The report, the transcript and a JUnit file are
    /// attached to the test; `swift test --attachments-path FOLDER` saves them. On GitHub it also prints a
    /// line that GitHub's pages show at the log.
    ///
    /// - Parameter allowsPartial: whether a log with parts left out is acceptable.
    public func expectSame(
        allowsPartial: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let failure = failure(allowsPartial: allowsPartial) else { return }
        let name = log.split(separator: "/").last.map(String.init) ?? "replay"
        let files = [
            ("report.txt", Array(failure.utf8)), ("transcript", transcript),
            ("junit.xml", junit(allowsPartial: allowsPartial)),
        ]
        for (kind, octets) in files {
            Attachment.record(octets, named: "\(name).\(kind)", sourceLocation: sourceLocation)
        }
        let environment = ProcessInfo.processInfo.environment
        if environment["GITHUB_ACTIONS"] == "true" {
            // GitHub's pages need a path from the repository's root.
            var annotation = annotation
            let root = (environment["GITHUB_WORKSPACE"] ?? "") + "/"
            if annotation.file.hasPrefix(root) { annotation.file.removeFirst(root.count) }
            print(annotation.line, terminator: "")
        }
        Issue.record("\(failure)", sourceLocation: sourceLocation)
    }
}
