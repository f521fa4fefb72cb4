import Foundation
import TestSupport
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
        let run = try ProgramRun(shell: line, in: url)
        if !mayFail { #expect(run.status == 0, "\(line): \(run.errors)") }
        return Array(run.output)
    }

    /// What a program in Python writes.
    func python(_ program: String, _ arguments: String = "") throws -> [UInt8] {
        try write(program.utf8, to: "program.py")
        return try shell("python3 program.py \(arguments)")
    }
}
