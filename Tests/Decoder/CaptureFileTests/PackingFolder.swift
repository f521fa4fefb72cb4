import Foundation
import Testing

/// A folder where the system's own tools pack and unpack; it is gone when its owner is.
final class PackingFolder {
    let url: URL

    /// - Parameter files: what lies in it at first.
    init(_ files: [String: [UInt8]] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("blecap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, octets) in files { try write(octets, to: name) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func write(_ octets: some Sequence<UInt8>, to name: String) throws {
        try Data(octets).write(to: url.appendingPathComponent(name))
    }

    /// What a shell command writes; its status matters unless it `mayFail`.
    func shell(_ line: String, mayFail: Bool = false) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "(\(line)) > out 2> err"]
        process.currentDirectoryURL = url
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if !mayFail {
            let said = try String(contentsOf: url.appendingPathComponent("err"), encoding: .utf8)
            #expect(process.terminationStatus == 0, "\(line): \(said)")
        }
        return Array(try Data(contentsOf: url.appendingPathComponent("out")))
    }

    /// What a program in Python writes.
    func python(_ program: String, _ arguments: String = "") throws -> [UInt8] {
        try write(program.utf8, to: "program.py")
        return try shell("python3 program.py \(arguments)")
    }
}
