import Analysis
import CaptureFile
import CommandLineKit
import PayloadFormat
import Profiles
import Replay
import UQDK
import WireBytes

/// The knowledge given on a command line: keys, dialects, profiles and attributes.
enum GivenKnowledge {
    /// The options that supply knowledge, as they were given.
    static func words(_ arguments: ParsedArguments) -> [String] {
        var words: [String] = []
        for option in [OptionRow.keys, .dialect, .profile, .gatt] {
            for value in arguments.values(option) { words += ["--\(option.long)", value] }
        }
        if arguments.has(.insecureKeys) { words.append("--insecure-keys") }
        return words
    }

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
            if !name.contains("/") {
                throw Failure(
                    .input, "\(name): neither a file nor a built-in profile", nearestTo: name,
                    in: Profile.shippedDocuments.map(\.key),
                    else: "'blecap profile list' names the built-in ones")
            }
        }
        let (octets, _) = try environment.contents(of: name, atMost: limit)
        do throws(DocumentError) {
            return try Profile(json: octets, reserved: FrameFilter.layers)
        } catch {
            throw Failure(
                .input, "\(name): not a profile: \(error)",
                advice: "'blecap profile check \(Shell.quoted(name))' lists what is wrong")
        }
    }
}

/// The user's dialects of the digital-key protocol.
enum DialectFiles {
    /// The longest dialect that is accepted, in bytes.
    static let limit = 4 << 20

    /// Reads the dialects of `--dialect`, which are tried first, and adds reference format 1.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> [Dialect] {
        var dialects: [Dialect] = []
        for path in arguments.values(.dialect) {
            let (octets, _) = try arguments.environment.contents(of: path, atMost: limit)
            do throws(DocumentError) {
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

/// The user's keys, from files that only their owner may read.
enum KeyFiles {
    /// The longest keys file that is accepted, in bytes.
    static let limit = 4 << 20

    /// Reads all keys of the `--keys` files; each must fit one of the dialects.
    static func read(_ arguments: ParsedArguments, for dialects: [Dialect]) throws(Failure) -> KeyStore {
        var all = KeyStore()
        let fit = KeyFit(dialects)
        for path in arguments.values(.keys) {
            let keys = try read(path, fit, arguments)
            all.uqdk += keys.uqdk
            all.peers += keys.peers
            all.privateKeys += keys.privateKeys
            all.profiles += keys.profiles
        }
        return all
    }

    private static func read(
        _ path: String, _ fit: KeyFit, _ arguments: ParsedArguments
    ) throws(Failure) -> KeyStore {
        let format = "docs/keys.md shows what a keys file holds"
        // A key itself is in no output.
        if path.count >= 32, path.allSatisfy(\.isHexDigit), SystemCall.status(of: path) == nil {
            throw Failure(.usage, "--keys takes a file, not a key", advice: format)
        }
        let (octets, status) = try arguments.environment.contents(of: path, atMost: limit)
        let keys: KeyStore
        do throws(KeyStoreError) {
            keys = try KeyStore(json: octets, fit: fit)
        } catch {
            throw Failure(.input, "\(path): not a keys file: \(error)", advice: format)
        }
        if !keys.isTest, !arguments.has(.insecureKeys), status?.isReadableByOthers ?? true {
            throw Failure(
                .environment, "\(path): others can read these keys",
                advice: "chmod 600 it, or give --insecure-keys")
        }
        return keys
    }
}

/// Sources of known attributes: other captures, and BlueZ's cache files of discovered attributes.
enum GATTFiles {
    /// The longest cache file that is accepted, in bytes.
    static let limit = 4 << 20

    /// Reads the attributes of the `--gatt` files; existing knowledge helps to decode captures among them.
    static func read(
        _ arguments: ParsedArguments, _ knowledge: AnalysisKnowledge
    ) throws(Failure) -> GATTKnowledge {
        var all = GATTKnowledge()
        for path in arguments.values(.gatt) { try read(path, knowledge, arguments.environment, into: &all) }
        return all
    }

    private static func read(
        _ path: String, _ knowledge: AnalysisKnowledge, _ environment: CommandEnvironment,
        into all: inout GATTKnowledge
    ) throws(Failure) {
        var set: CaptureSet
        do throws(CaptureFileError) {
            set = try CaptureSet(paths: [path], input: environment.input.descriptor)
        } catch {
            guard error.cause == .notACapture else { throw Failure(error) }
            return try readCache(path, environment, into: &all)
        }
        let holdsDevice = try Failure.reporting { () throws(CaptureFileError) in
            try all.add(reading: &set, with: knowledge)
        }
        guard holdsDevice else {
            throw Failure(
                .input, "\(path): no connection in it, so no attributes of any device",
                advice: "give a capture in which the services are discovered")
        }
    }

    private static func readCache(
        _ path: String, _ environment: CommandEnvironment, into all: inout GATTKnowledge
    ) throws(Failure) {
        let (octets, _) = try environment.contents(of: path, atMost: limit)
        do throws(BlueZCacheError) {
            try all.add(bluezCache: octets, of: GATTKnowledge.address(ofCacheFile: path))
        } catch {
            if error == .noAttributes {
                throw Failure(.input, "\(path): neither a capture nor a cache file of BlueZ")
            }
            throw Failure(
                .input, "\(path): not a cache file of BlueZ: \(error)",
                advice: error == .noDevice ? "name it after its device's address, as BlueZ does" : nil)
        }
    }
}

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
