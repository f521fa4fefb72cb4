import CommandLineKit
import UQDK

/// The user's dialects of the digital-key protocol.
enum DialectFiles {
    /// The longest dialect that is accepted, in bytes.
    static let limit = 4 << 20

    /// Reads the dialects of `--dialect`, which are tried first, and adds reference format 1.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> [Dialect] {
        var dialects: [Dialect] = []
        for path in arguments.values(.dialect) {
            let (octets, _) = try arguments.environment.contents(of: path, atMost: limit)
            do throws(DialectError) {
                dialects.append(try Dialect(json: octets))
            } catch {
                throw Failure(
                    .input, "\(path): not a dialect: \(error)",
                    advice: "'blecap profile check \(Shell.quoted(path))' lists what is wrong")
            }
        }
        return dialects + [.reference1]
    }
}
