import Analysis
import CommandLineKit
import Profiles

/// The profiles that the user gives, as files or as names of shipped ones.
enum ProfileFiles {
    /// The longest profile that is read, in octets.
    static let limit = 4 << 20

    /// All profiles of `--profile`, and the shipped ones to be tried.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> ProfileSet {
        var profiles: [Profile] = []
        for name in arguments.values(.profile) { profiles.append(try read(name)) }
        return ProfileSet(profiles, tried: Profile.shipped)
    }

    private static func read(_ name: String) throws(Failure) -> Profile {
        if let shipped = Profile.shipped(named: name), SystemCall.status(of: name) == nil { return shipped }
        let (octets, _) = try SystemCall.contents(of: name, atMost: limit)
        do throws(ProfileError) {
            return try Profile(json: octets)
        } catch {
            throw Failure(
                .input, "\(name): no profile: \(error)",
                advice: "'blecap profile check \(Shell.quoted(name))' lists what is wrong")
        }
    }
}
