import Analysis
import CommandLineKit
import UQDK

/// The keys that the user gives, from files that only their owner may read.
enum KeyFiles {
    /// The longest file of keys that is read, in octets.
    static let limit = 4 << 20

    /// All keys of the files of `--keys`, whose lengths must be those of one of the dialects.
    static func read(_ arguments: ParsedArguments, for dialects: [Dialect]) throws(Failure) -> KeyStore {
        var all = KeyStore()
        let lengths = Set(dialects.map(\.limits.keyOctets))
        for path in arguments.values(.keys) {
            let keys = try read(path, lengths, takesInsecure: arguments.has(.insecureKeys))
            all.uqdk += keys.uqdk
            all.peers += keys.peers
        }
        return all
    }

    private static func read(
        _ path: String, _ lengths: Set<Int>, takesInsecure: Bool
    ) throws(Failure) -> KeyStore {
        let (octets, status) = try SystemCall.contents(of: path, atMost: limit)
        let keys: KeyStore
        do throws(KeyStoreError) {
            keys = try KeyStore(json: octets, keyLengths: lengths)
        } catch {
            throw Failure(.input, "\(path): no file of keys: \(error)")
        }
        if !keys.isTest, !takesInsecure, status?.isReadableByOthers ?? true {
            throw Failure(
                .environment, "\(path): others may read these keys",
                advice: "chmod 600 it, or give --insecure-keys")
        }
        return keys
    }
}
