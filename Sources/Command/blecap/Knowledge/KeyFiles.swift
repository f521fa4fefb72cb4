import Analysis
import CommandLineKit
import UQDK
import WireBytes

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
        }
        return all
    }

    private static func read(
        _ path: String, _ fit: KeyFit, _ arguments: ParsedArguments
    ) throws(Failure) -> KeyStore {
        let (octets, status) = try arguments.environment.contents(of: path, atMost: limit)
        let keys: KeyStore
        do throws(KeyStoreError) {
            keys = try KeyStore(json: octets, fit: fit)
        } catch {
            throw Failure(.input, "\(path): not a keys file: \(error)")
        }
        if !keys.isTest, !arguments.has(.insecureKeys), status?.isReadableByOthers ?? true {
            throw Failure(
                .environment, "\(path): others can read these keys",
                advice: "chmod 600 it, or give --insecure-keys")
        }
        return keys
    }
}
