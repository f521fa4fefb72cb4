import CaptureFile
import CommandLineKit
import Glibc
import UQDK
import WireBytes

/// The test key of the published vectors as a keys file, so that a simulation recorded with it can be
/// annotated and replayed.
enum TestKeyFile {
    /// Writes the file beside a recording, unless it already exists, and returns its name; nil if the
    /// recording is not a regular file, or the name is taken: an existing file is never replaced.
    static func write(beside recording: String, in environment: CommandEnvironment) -> String? {
        guard SystemCall.status(of: recording)?.isRegular == true else { return nil }
        let path = CompanionFile.path(beside: recording, ".keys.json")
        if SystemCall.status(of: path) != nil {
            let there = try? environment.contents(of: path, atMost: KeyFiles.limit).octets
            return there == octets ? path : nil
        }
        // A file created in between is not truncated, and no link is followed.
        guard let descriptor = try? SystemCall.createAnew(path, replacing: false) else { return nil }
        var isWritten = false
        do throws(OutputError) {
            var sink = DescriptorSink(borrowing: descriptor, name: path)
            try sink.write(octets.borrowedOctets)
            isWritten = true
        } catch {}
        if close(descriptor) == 0, isWritten { return path }
        SystemCall.remove(path)
        return nil
    }

    private static var octets: [UInt8] {
        let key = SimulationOptions.testKey
        let code = String(decoding: key.pairingCode ?? [], as: UTF8.self)
        let text = """
            {
              "test": true,
              "uqdk": [
                {
                  "keyId": "\(Hex.text(key.keyID))",
                  "key": "\(Hex.text(key.key))",
                  "pairingCode": "\(code)"
                }
              ]
            }

            """
        return Array(text.utf8)
    }
}
