import Adapters
import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
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
            for turn in 0..<100 { try? PrivateFile.replace(file.path, with: contents[turn % 2]) }
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
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["bonds.json", "bonds.json.lock"])
    }

    /// The number in a file, which is written so often that it is several pages long.
    private static func number(_ path: String) throws -> Int {
        let numbers = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            .split(separator: " ")
        #expect(numbers.count == 3000 && Set(numbers).count == 1)
        return try #require(numbers.first.flatMap { Int($0) })
    }

    /// Counts in a file until this process is killed by one of its own threads, and notes each number that
    /// was kept.
    ///
    /// - Parameter microseconds: how long it lives; nil to the first note.
    private static func countUntilKilled(_ path: String, microseconds: UInt32?) throws {
        let note = try FileHandle(forWritingTo: URL(filePath: path + ".kept"))
        if let microseconds {
            let thread = Thread {
                usleep(microseconds)
                kill(getpid(), SIGKILL)
            }
            thread.start()
        }
        while true {
            var next = 0
            try PrivateFile.update(path) {
                next = ((try? number(path)) ?? 0) + 1
                return Array(repeatElement("\(next) ", count: 3000).joined().utf8)
            }
            try note.seek(toOffset: 0)
            try note.write(contentsOf: Data("\(next)\n".utf8))
            if microseconds == nil { kill(getpid(), SIGKILL) }
        }
    }

    @Test(.process) func `a process that is killed while it writes loses nothing that it had kept`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path: String = folder.appending(path: "bonds.json").path
        var found = 0
        // On a slow disk the last one may be the only one that keeps anything.
        for round in 0...25 {
            // What a killed process did not come to note is noted for the next one.
            try Data("\(found)\n".utf8).write(to: URL(filePath: path + ".kept"))
            let delay: UInt32? = round < 25 ? 1000 + 1777 * UInt32(round) : nil
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, delay = delay as UInt32?] in
                try Self.countUntilKilled(path, microseconds: delay)
            }
            let kept =
                String(decoding: try Data(contentsOf: URL(filePath: path + ".kept")), as: UTF8.self)
                .split(separator: "\n").first.flatMap { Int($0) } ?? 0
            guard FileManager.default.fileExists(atPath: path) else {
                #expect(kept == 0)
                continue
            }
            // What was being kept may be there, too.
            found = try Self.number(path)
            #expect(found == kept || found == kept + 1)
        }
        // The next one writes as if nothing had been.
        #expect(found > 0)
        try PrivateFile.replace(path, with: [1])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1]))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["bonds.json", "bonds.json.kept", "bonds.json.lock"])
    }

    @Test func `two processes that change a file at once lose nothing of each other`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bonds.json")
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<25 {
                try? PrivateFile.update(file.path) { Array((try? Data(contentsOf: file)) ?? Data()) + [7] }
            }
        }
        #expect(try Data(contentsOf: file) == Data(repeating: 7, count: 100))
    }

    @Test func `a file that can't be replaced stays, and the error is the system's`() {
        #expect(throws: PrivateFile.Problem.self) {
            try PrivateFile.replace("/proc/blecap/none", with: [1])
        }
    }
}
