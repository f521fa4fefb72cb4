import Foundation
import Replay

extension LogExpectation {
    /// Reads the expectation beside a log: `unlock.expect.json` for `unlock.btsnoop`. Returns nil if absent.
    ///
    /// Throws ``Problem`` for one that can't be read.
    init?(besideLog path: String) throws {
        let log = URL(fileURLWithPath: path)
        let names = [log.deletingPathExtension().lastPathComponent, log.lastPathComponent]
        let files = names.map { log.deletingLastPathComponent().appendingPathComponent($0 + ".expect.json") }
        guard let data = files.lazy.compactMap({ try? Data(contentsOf: $0) }).first else { return nil }
        try self.init(json: [UInt8](data))
    }
}
