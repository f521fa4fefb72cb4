import CommandLineKit
import PayloadFormat
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
            let problems =
                isDialect ? Dialect.check(octets) : Profile.check(octets, reserved: FrameFilter.layers)
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
        let asProfile = Profile.check(octets, reserved: FrameFilter.layers).count
        return asProfile > 0 && Dialect.check(octets).count < asProfile
    }

    private static func shown(_ path: String) -> String { path == "-" ? "standard input" : path.visible }
}

/// Kind of a user's JSON file, recognized by members that only its kind has.
enum UserDocument: Equatable {
    case profile
    case dialect
    /// Unknown: not JSON, or only members that profiles and dialects share.
    case either
    /// Neither of them; a description of the content.
    case other(String)

    private static let profileMembers: Set<String> = ["channels", "pairs", "title"]
    private static let dialectMembers: Set<String> = [
        "gatt", "advertising", "fragments", "message", "checksum", "status", "commands", "proofs", "securing",
        "limits",
    ]
    private static let keyMembers: Set<String> = ["uqdk", "peers", "privateKeys", "profiles", "test"]
    private static let sharedMembers: Set<String> = ["name", "endian", "comment", "$schema"]

    /// Examines the members of the file; its values, which may be keys, are never quoted.
    init(_ octets: [UInt8]) {
        guard let root = try? JSONParser.parse(octets) else {
            self = .either
            return
        }
        guard case .object(let members) = root.value else {
            self = .other("it holds \(root.kind), not an object")
            return
        }
        let names = Set(members.map(\.name))
        let isProfile = !names.isDisjoint(with: Self.profileMembers)
        let isDialect = !names.isDisjoint(with: Self.dialectMembers)
        switch (isProfile, isDialect) {
        case (true, false): self = .profile
        case (false, true): self = .dialect
        case (true, true): self = .either
        case (false, false):
            if !names.isDisjoint(with: Self.keyMembers) {
                self = .other("it is a file of keys, as --keys takes it")
            } else if names.isDisjoint(with: Self.sharedMembers) {
                self = .other("a profile has \"name\" and \"channels\", a dialect \"name\" and what differs")
            } else {
                self = .either
            }
        }
    }
}
