import Analysis
import CommandLineKit
import Profiles

/// The user's profiles, as files or as names of shipped ones.
enum ProfileFiles {
    /// The longest profile that is accepted, in bytes.
    static let limit = 4 << 20

    /// Returns the profiles of `--profile` and the shipped ones named by `--only`, with all shipped ones to
    /// be tried.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> ProfileSet {
        var profiles: [Profile] = []
        for name in arguments.values(.profile) { profiles.append(try read(name, arguments.environment)) }
        let words = arguments.values(.only).flatMap { $0.split(separator: ",") }.map { $0.lowercased() }
        for (name, _) in Profile.shippedDocuments where words.contains(name.lowercased()) {
            // A profile of the user with the same name takes precedence.
            if profiles.contains(where: { $0.name == name }) { continue }
            if let profile = Profile.shipped(named: name) { profiles.append(profile) }
        }
        return ProfileSet(profiles, tried: ProfileSource.shipped)
    }

    /// Returns the profile in a file, or the built-in one of this name.
    static func read(
        _ name: String, _ environment: CommandEnvironment
    ) throws(Failure) -> Profile {
        if SystemCall.status(of: name) == nil {
            if let shipped = Profile.shipped(named: name) { return shipped }
            if !name.contains("/") { throw unknown(name) }
        }
        let (octets, _) = try environment.contents(of: name, atMost: limit)
        do throws(ProfileError) {
            return try Profile(json: octets)
        } catch {
            throw Failure(
                .input, "\(name): not a profile: \(error)",
                advice: "'blecap profile check \(Shell.quoted(name))' lists what is wrong")
        }
    }

    private static func unknown(_ name: String) -> Failure {
        let names = Profile.shippedDocuments.map(\.key)
        let near = Suggestion.nearest(to: name, in: names).map { "did you mean '\($0)'? " } ?? ""
        return Failure(
            .input, "\(name): neither a file nor a shipped profile",
            advice: near + "shipped profiles: " + names.joined(separator: ", "))
    }
}
