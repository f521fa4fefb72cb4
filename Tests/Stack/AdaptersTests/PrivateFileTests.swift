import Adapters
import Foundation
import Synchronization
import Testing

@Suite struct PrivateFileTests {
    @Test func `a file is its user's alone, and whole whenever it is read`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bonds.json")
        let contents = [[UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 2, count: 7)]
        try PrivateFile.replace(file.path, with: contents[0])
        let isOver = Mutex(false)
        let writer = Thread {
            for turn in 0..<300 { try? PrivateFile.replace(file.path, with: contents[turn % 2]) }
            isOver.withLock { $0 = true }
        }
        writer.start()
        while !isOver.withLock({ $0 }) {
            let found = Array(try Data(contentsOf: file))
            #expect(contents.contains(found), "\(found.count) octets")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        // Nothing else is left behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["bonds.json"])
    }

    @Test func `a file that can't be replaced stays, and the error is the system's`() {
        #expect(throws: PrivateFile.Problem.self) {
            try PrivateFile.replace("/proc/blecap/none", with: [1])
        }
    }
}
