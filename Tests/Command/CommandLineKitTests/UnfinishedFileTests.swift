import Foundation
import Testing
import WireBytes

@testable import CommandLineKit

@Suite struct UnfinishedFileTests {
    /// A folder with a file, which outputs are made from.
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("in".utf8).write(to: folder.appendingPathComponent("in"))
        return folder
    }

    private static func file(_ folder: URL, replaces: Bool = false) -> OutputFile {
        OutputFile(
            folder.appendingPathComponent("out").path, madeFrom: [folder.appendingPathComponent("in").path],
            replaces: replaces, in: CommandEnvironment())
    }

    private static func content(_ folder: URL) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("out"), encoding: .utf8)
    }

    private static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static func write(_ text: String, _ file: UnfinishedFile) throws {
        var sink = DescriptorSink(borrowing: file.descriptor, name: "out")
        var buffer = TextBuffer()
        buffer.put(text)
        try sink.drain(&buffer)
    }

    @Test(arguments: [true, false])
    func `An output has its name only once it is complete`(mayLackName: Bool) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try UnfinishedFile(Self.file(folder), mayLackName: mayLackName)
        try Self.write("half", file)
        #expect(try !Self.names(folder).contains("out"))
        if mayLackName { #expect(try Self.names(folder) == ["in"]) }
        try Self.write(" and half", file)
        try file.publish()
        #expect(try Self.names(folder) == ["in", "out"])
        #expect(try Self.content(folder) == "half and half")
    }

    @Test(arguments: [true, false])
    func `An output that is given up leaves nothing, and the earlier file as it was`(
        mayLackName: Bool
    ) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("earlier".utf8).write(to: folder.appendingPathComponent("out"))
        do {
            let file = try UnfinishedFile(Self.file(folder, replaces: true), mayLackName: mayLackName)
            try Self.write("half", file)
        }
        #expect(try Self.names(folder) == ["in", "out"])
        #expect(try Self.content(folder) == "earlier")
        let file = try UnfinishedFile(Self.file(folder, replaces: true), mayLackName: mayLackName)
        try Self.write("later", file)
        try file.publish()
        #expect(try Self.names(folder) == ["in", "out"])
        #expect(try Self.content(folder) == "later")
    }

    @Test(arguments: [true, false])
    func `A file that appears meanwhile is not replaced`(mayLackName: Bool) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let file = try UnfinishedFile(Self.file(folder), mayLackName: mayLackName)
            try Data("other".utf8).write(to: folder.appendingPathComponent("out"))
            #expect(throws: OutputError.self) { try file.publish() }
        }
        #expect(try Self.names(folder) == ["in", "out"])
        #expect(try Self.content(folder) == "other")
    }

    @Test func `The output of a pipe grows under its name`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe").path
        // Safe: the path is terminated by a zero and outlives the call.
        let status = unsafe mkfifo(pipe, 0o600)
        #expect(status == 0)
        let path = folder.appendingPathComponent("out").path
        let file = try UnfinishedFile(OutputFile(path, madeFrom: [pipe], in: CommandEnvironment()))
        try Self.write("half", file)
        #expect(file.isInPlace)
        #expect(try Self.content(folder) == "half")
    }
}
