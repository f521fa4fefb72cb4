import Analysis
import CaptureFile
import CommandLineKit
import UQDK
import WireBytes

/// The keys that the user gives, from files that only their owner may read.
enum KeyFiles {
    /// The longest file of keys that is read, in bytes.
    static let limit = 4 << 20

    /// The command line with the keys files beside its logs, where it names none: `x.keys.json` beside
    /// `x.btsnoop`. Reports which file is used, or why one is not. `--keys none` uses none.
    static func found(_ given: ParsedArguments, _ console: Console) throws(Failure) -> ParsedArguments {
        var arguments = given
        if given.values(.keys) == ["none"] { arguments.set(.keys, []) }
        guard !given.has(.keys) else { return arguments }
        var paths: [String] = []
        let names = given.operands.filter { $0 != "-" }.map { name(beside: $0) }
        for path in names where !paths.contains(path) {
            guard SystemCall.status(of: path)?.isRegular == true else { continue }
            var one = arguments
            one.set(.keys, [path])
            do throws(Failure) {
                _ = try read(one, for: try DialectFiles.read(one))
                paths.append(path)
            } catch {
                console.say("\(error.line); found beside the log but not used")
            }
        }
        arguments.set(.keys, paths)
        if let first = paths.first {
            let more = paths.count > 1 ? " and \((paths.count - 1).counting("more file"))" : ""
            console.say("keys of \(first)\(more), found beside the log (--keys none ignores them)")
        }
        return arguments
    }

    /// The name of the keys file of a log: `unlock.btsnoop` has its keys in `unlock.keys.json`.
    static func name(beside log: String) -> String {
        let file = log.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex,
            CaptureWriter.Format.named(by: log, monitor: true) != nil
        else { return log + ".keys.json" }
        return log.dropLast(file.distance(from: dot, to: file.endIndex)) + ".keys.json"
    }

    /// All keys of the files of `--keys`, which must fit one of the dialects.
    static func read(_ arguments: ParsedArguments, for dialects: [Dialect]) throws(Failure) -> KeyStore {
        var all = KeyStore()
        let fit = KeyFit(dialects)
        for path in arguments.values(.keys) {
            let keys = try read(path, fit, takesInsecure: arguments.has(.insecureKeys))
            all.uqdk += keys.uqdk
            all.peers += keys.peers
        }
        return all
    }

    private static func read(
        _ path: String, _ fit: KeyFit, takesInsecure: Bool
    ) throws(Failure) -> KeyStore {
        let (octets, status) = try SystemCall.contents(of: path, atMost: limit)
        let keys: KeyStore
        do throws(KeyStoreError) {
            keys = try KeyStore(json: octets, fit: fit)
        } catch {
            throw Failure(.input, "\(path): not a keys file: \(error)")
        }
        if !keys.isTest, !takesInsecure, status?.isReadableByOthers ?? true {
            throw Failure(
                .environment, "\(path): others can read these keys",
                advice: "chmod 600 it, or give --insecure-keys")
        }
        return keys
    }
}
