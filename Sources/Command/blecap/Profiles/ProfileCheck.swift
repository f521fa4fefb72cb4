import CommandLineKit
import Profiles
import UQDK
import WireBytes

/// The command `blecap profile check`: validates profiles and dialects.
struct ProfileCheck {
    let arguments: ParsedArguments
    let console: Console

    /// Checks every file and returns the exit status: 1 if one is invalid, 3 if one can't be read. The other
    /// files are reported in any case.
    func run() throws(Failure) -> ExitStatus {
        var status = ExitStatus.success
        var text = ""
        var failures: [Failure] = []
        for path in arguments.operands {
            let octets: [UInt8]
            do throws(Failure) {
                octets = try arguments.environment.contents(of: path, atMost: ProfileFiles.limit).octets
            } catch {
                failures.append(error)
                continue
            }
            let isDialect: Bool
            switch UserDocument(octets) {
            case .other(let what):
                text += "\(Self.shown(path)): neither a profile nor a dialect: \(what.visible)\n"
                status = .negative
                continue
            case .profile: isDialect = false
            case .dialect: isDialect = true
            case .either: isDialect = Self.isDialect(octets)
            }
            let problems = isDialect ? Dialect.check(octets) : Profile.check(octets)
            for problem in problems { text += "\(Self.shown(path)): \("\(problem)".visible)\n" }
            if problems.isEmpty {
                text += "\(Self.shown(path)): a valid \(isDialect ? "dialect" : "profile")\n"
            } else {
                status = .negative
            }
        }
        _ = try Command.show(text, arguments.environment)
        for failure in failures { console.say(failure.line) }
        return failures.first?.status ?? status
    }

    /// Whether the file is a dialect: decided by validity, or if neither is valid, by the number of problems.
    private static func isDialect(_ octets: [UInt8]) -> Bool {
        let asProfile = Profile.check(octets).count
        return asProfile > 0 && Dialect.check(octets).count < asProfile
    }

    private static func shown(_ path: String) -> String { path == "-" ? "standard input" : path.visible }
}
