import CommandLineKit
import WireBytes

/// Location of transcripts: a file for one log, or a folder with `NAME.transcript` for each.
struct TranscriptPlace: Sendable {
    /// The path given to the option; a folder's ends with a slash.
    let path: String
    /// Whether it is a folder: there are several logs, the path ends with a slash, or it is an existing
    /// folder.
    let isFolder: Bool
    private let environment: CommandEnvironment

    /// Creates the location; nil if the option was not given.
    init?(_ option: OptionRow, _ arguments: ParsedArguments) throws(Failure) {
        guard let path = arguments.value(option) else { return nil }
        environment = arguments.environment
        let logs = arguments.operands
        let there = SystemCall.status(of: path)
        isFolder = logs.count > 1 || path.hasSuffix("/") || there?.isFolder == true
        self.path = isFolder && !path.hasSuffix("/") ? path + "/" : path
        guard isFolder else { return }
        if let there, !there.isFolder {
            throw Failure(
                .usage, "\(path): not a folder", advice: "--\(option.long) of several logs takes a folder")
        }
        var seen: [String: String] = [:]
        for log in logs {
            guard let other = seen.updateValue(log, forKey: file(of: log)) else { continue }
            throw Failure(
                .usage, "\(other) and \(log) have the same file name, so both belong to \(file(of: log))",
                advice: "rename one, or replay them one by one")
        }
    }

    func file(of log: String) -> String {
        isFolder ? path + (log.split(separator: "/").last ?? "") + ".transcript" : path
    }

    /// Creates the folder if it does not exist.
    func makeFolder() throws(Failure) {
        guard isFolder, SystemCall.status(of: path)?.isFolder != true else { return }
        do throws(SystemCall.Problem) { try SystemCall.makeFolder(path) } catch {
            throw Failure(
                .environment, "\(path): can't create the folder: \(SystemMessage.text(error.code))")
        }
    }

    /// Returns the difference between a log's transcript and the golden one here; nil if they are equal.
    ///
    /// - Parameter recording: the command that writes the golden transcript, for advice if it is missing.
    func difference(
        of transcript: [UInt8], _ log: String, recording: String
    ) throws(Failure) -> GoldenDifference? {
        let file = file(of: log)
        do throws(Failure) {
            let golden = try environment.contents(of: file, atMost: 1 << 30).octets
            return GoldenDifference(golden: golden, transcript: transcript, path: file)
        } catch {
            guard SystemCall.status(of: file) == nil else { throw error }
            throw Failure(error.status, error.what, advice: "make it: \(recording)")
        }
    }
}
