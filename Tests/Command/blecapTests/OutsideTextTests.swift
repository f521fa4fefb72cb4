import CaptureFile
import CommandLineKit
import Foundation
import Testing
import WireBytes

@testable import blecap

/// Text that strangers wrote (names over the air, in files, of files) reaches no terminal as it is, whatever
/// the command and its options.
@Suite struct OutsideTextTests {
    /// Characters that a terminal obeys or that show nothing, by the bytes that they take in UTF-8: C0, DEL,
    /// C1, marks and overrides of direction, ends of lines, fillers, private use, tags.
    private static let hostile: [[Unicode.Scalar]] = [
        ["\u{1B}", "\u{7F}", "\u{07}", "\u{0D}"], ["\u{9B}", "\u{61C}", "\u{AD}", "\u{85}"],
        ["\u{202E}", "\u{200F}", "\u{2066}", "\u{2028}", "\u{200B}", "\u{FEFF}", "\u{E000}", "\u{3164}"],
        ["\u{E0041}", "\u{E0101}", "\u{10FFFE}", "\u{F0000}"],
    ]

    /// Hostile text of so many bytes; every kind of character if there is room.
    private static func text(_ length: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var (left, turn) = (length, 0)
        while left > 0 {
            let size = min(left, [3, 2, 1, 4][turn % 4])
            scalars.append(hostile[size - 1][(length + turn / 4) % hostile[size - 1].count])
            (left, turn) = (left - size, turn + 1)
        }
        return String(scalars)
    }

    /// Hostile text that every option and name gets.
    private static let word = "a\u{1B}]0;b\u{7}\u{9B}2J\u{202E}\u{200F}\u{61C}\u{2028}\u{E0041}\u{E000}c"

    /// What of an output a terminal would obey, but for line ends.
    static func raw(_ output: Data) -> [String] {
        let all = String(decoding: output, as: UTF8.self)
        return Set(
            all.unicodeScalars.filter { $0 != "\n" && isHostile($0) }.map { $0.escaped(asASCII: true) }
        )
        .sorted()
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Without the colours that the command itself writes.
    private static func colourless(_ output: Data) -> Data {
        let text = String(decoding: output, as: UTF8.self)
        return Data(text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").utf8)
    }

    /// A capture of this repository in which names, descriptions and notes are hostile.
    private static func log(_ name: String) throws -> Data {
        var data = try Data(contentsOf: PackageRoot.url.appendingPathComponent("captures/\(name)"))
        let words = [
            "BLE-LINK", "Mobike", "xmgDes1", "bluetoothd", "BlueZ 5.66", "Bluetooth daemon 5.66", "hci0",
            "Starting SDP server", "Linux version", "blecap car", "LINK 1", "hello", "bonded", "fob", "btmon",
        ]
        for word in words {
            let old = Data(word.utf8)
            while let range = data.range(of: old) {
                data.replaceSubrange(range, with: Data(text(old.count).utf8))
            }
        }
        return data
    }

    private static func pcapng() throws -> Data {
        var writer = try CaptureWriter(collecting: .pcapng, comments: [word])
        let octets: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
        let name = Array(text(20).utf8)
        // HCI Reset, Write Local Name, an advertising report with a name.
        let local = [0x13, 0x0C, 248] + name + [UInt8](repeating: 0, count: 248 - name.count)
        let report: [UInt8] =
            [0x3E, UInt8(13 + name.count + 1), 0x02, 0x01, 0x00, 0x00, 1, 2, 3, 4, 5, 0xC6]
            + [UInt8(name.count + 2), UInt8(name.count + 1), 0x09] + name + [0xC0]
        let packets: [(RecordKind, Direction, [UInt8])] = [
            (.command, .hostToController, Array(octets.dropFirst())),
            (.command, .hostToController, local), (.event, .controllerToHost, report),
            (.note, .unknown, Array(word.utf8)),
        ]
        for (index, (kind, direction, packet)) in packets.enumerated() {
            let header = RecordHeader(
                number: index + 1, fileOffset: 0, time: CaptureTime(nanoseconds: Int64(index) * 1_000_000),
                adapter: 0, kind: kind, direction: direction, originalLength: packet.count,
                capturedLength: packet.count)
            let comment = Array(word.utf8)
            try writer.write(Record(header, packet.borrowedOctets), comment: comment.borrowedOctets)
        }
        try writer.flush()
        return Data(writer.collected())
    }

    /// A tar with one capture under a hostile name.
    private static func archive() throws -> Data {
        let data = try log("mi-band.btsnoop")
        var header = Data(count: 512)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: Data(text.utf8))
        }
        put("FS/data/log/bt/" + word + "btsnoop_hci.log", at: 0)
        put("0000644\0", at: 100)
        put("0000000\0", at: 108)
        put("0000000\0", at: 116)
        let size = String(data.count, radix: 8)
        put(String(repeating: "0", count: 11 - size.count) + size + "\0", at: 124)
        put("00000000000\0", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
        return header + data + Data(count: (512 - data.count % 512) % 512 + 1024)
    }

    /// A document of this repository in which every name that a person chooses is hostile.
    private static func document(_ name: String) throws -> Data {
        let text = try String(contentsOf: PackageRoot.url.appendingPathComponent(name), encoding: .utf8)
        let hostile = #"a\u001b]0;\u0007\u009b\u202e\u200f\u061c\u2028\udb40\udc41"#
        return Data(
            text.replacing(#/("(?:name|title|unit|comment|request|response)": ")([^"]*)"/#) { match in
                String(match.output.1) + String(match.output.2) + hostile + "\""
            }.utf8)
    }

    /// The files that commands are given, in a folder with a hostile name.
    struct Files {
        let folder: TemporaryFolder
        let logs: [String]
        let documents: [String]
        let garbage: String

        init() throws {
            folder = try TemporaryFolder()
            let hostile = folder.path(OutsideTextTests.word + "\nd")
            try FileManager.default.createDirectory(atPath: hostile, withIntermediateDirectories: true)
            func write(_ name: String, _ data: Data) throws -> String {
                let path = hostile + "/" + name
                try data.write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                return path
            }
            let names = ["link-device", "bonding", "mobike", "uqdk-refusals"]
            logs =
                try names.map {
                    try write($0 + OutsideTextTests.word + ".btsnoop", OutsideTextTests.log($0 + ".btsnoop"))
                } + [
                    write("c.pcapng", OutsideTextTests.pcapng()), write("d.tar", OutsideTextTests.archive()),
                ]
            documents = try [
                "profiles/mi-band.json", "profiles/ble-link-manager.json", "dialects/reference-1.json",
                "captures/uqdk-unlock.keys.json",
            ].enumerated().map {
                try write("\($0).json", OutsideTextTests.document($1))
            }
            garbage = try write("garbage" + OutsideTextTests.word, Data(OutsideTextTests.word.utf8))
        }
    }

    /// Runs the command, and expects that none of its outputs holds hostile characters.
    private static func check(
        _ words: [String], _ input: Data = Data(), findsFiles: Bool = false, columns: Int? = nil
    ) throws {
        let run = try CommandRun(words, input: input, findsFiles: findsFiles, columns: columns)
        let output = columns != nil || words.contains("always") ? colourless(run.output) : run.output
        #expect(raw(output).isEmpty, "\(words): \(raw(output)): \(output.count)")
        #expect(raw(Data(run.errors.utf8)).isEmpty, "\(words): \(run.errors)")
        // The page's own scripts look like Swift.
        let forms = ErrorTextTests.debugForms((words[0] == "report" ? "" : run.text) + run.errors)
        #expect(forms.isEmpty, "\(words): \(forms)")
        // The names have a line end, which would begin a line of the stranger's.
        #expect(!(run.text + run.errors).contains("\nd/"), "\(words)")
    }

    @Test func `no command shows the text of a capture as it is`() throws {
        let files = try Files()
        let commands = [
            ["annotate"], ["annotate", "--all", "--wide", "--labels"],
            ["annotate", "--color", "always", "--all"], ["annotate", "--frame", "3"],
            ["annotate", "--failure", "1"], ["annotate", "--summary"], ["annotate", "--format", "ndjson"],
            ["info"], ["info", "--format", "ndjson"], ["report"], ["replay", "--unplayed", "--continue"],
            ["replay", "--tier", "application"], ["replay", "--github"], ["diff", files.logs[0]],
            ["diff", "--format", "ndjson", files.logs[1]], ["diff", "--all", files.logs[2]],
        ]
        for log in files.logs {
            for command in commands { try Self.check(command + [log]) }
            try Self.check(["annotate", log], columns: 80)
            try Self.check(["annotate", log], findsFiles: true)
            try Self.check(["convert", log, files.folder.path(UUID().uuidString + ".pcapng")])
            try Self.check([
                "annotate", "--format", "pcapng", "-o", files.folder.path(UUID().uuidString), log,
            ])
        }
        for command in [
            ["annotate"], ["info"], ["info", "--format", "ndjson"], ["annotate", "--one-timeline"],
            ["replay"], ["report"],
        ] {
            try Self.check(command + files.logs)
            try Self.check(command + [files.folder.url.path])
        }
    }

    @Test func `no file that a command writes for people shows it as it is`() throws {
        let files = try Files()
        for log in files.logs {
            let name = UUID().uuidString
            let paths = ["transcript", "junit", "bless"].map { files.folder.path("\(name).\($0)") }
            try Self.check(
                ["replay", "--transcript", paths[0], "--junit", paths[1], log])
            try Self.check(["replay", "--bless", paths[2], log])
            let html = files.folder.path("\(name).html")
            try Self.check(["diff", "--html", html, files.logs[0], log])
            for path in paths + [html] where FileManager.default.fileExists(atPath: path) {
                let found = Self.raw(try Data(contentsOf: URL(fileURLWithPath: path)))
                #expect(found.isEmpty, "\(path) of \(log.debugDescription): \(found)")
            }
        }
    }

    @Test func `no command shows the names of profiles, dialects, keys and attributes as they are`() throws {
        let files = try Files()
        let logs = [
            AnnotateTests.session, PackageRoot.url.appendingPathComponent("captures/mi-band.btsnoop").path,
        ]
        try Self.check(
            ["profile", "check"] + files.documents + [
                files.garbage, files.logs[0], files.folder.path(Self.word),
            ])
        // What the log speaks shows the names of the document; elsewhere it is refused or not used.
        let fitting = [
            ("--profile", files.documents[0], logs[1]), ("--dialect", files.documents[2], logs[0]),
            ("--keys", files.documents[3], logs[0]),
        ]
        for (option, path, log) in fitting {
            for command in [
                ["annotate", "--all"], ["annotate", "--format", "ndjson"], ["info"], ["diff", log],
                ["replay"],
                ["annotate", "--frame", "30"], ["report"],
            ] { try Self.check(command + [option, path, log]) }
        }
        for path in files.documents + [files.garbage, files.logs[4]] {
            for option in ["--profile", "--dialect", "--keys", "--gatt", "--expect"] {
                try Self.check(["replay", option, path, logs[0]])
                if option != "--expect" { try Self.check(["info", option, path, logs[0]]) }
                if option == "--keys" || option == "--dialect" {
                    try Self.check(["drive", "uqdk", "status", "--adapter", "simulator", option, path])
                    try Self.check(["simulate", "car", option, path])
                }
            }
        }
        for option in ["name", "key", "keyId", "address", "irk", "ltk"] {
            let member = #""\#(option)": "\u001b\u202e\u009b""#
            let keys = #"{"uqdk": [{\#(member)}], "peers": [{\#(member)}], "\u001b\u009b\u202e": 1}"#
            try Self.check(["info", "--keys", "-", AnnotateTests.session], Data(keys.utf8))
            try Self.check(["profile", "check", "-"], Data(keys.utf8))
        }
        for document in [
            #"{"\u001b\u009b\u202e\u200f": 1, "name": "x", "channels": []}"#,
            #"{"name": "x", "message": {"\u001b\u009b\u202e": 3}}"#, "{\"\u{9B}\u{202E}", "\u{9B}\u{202E}",
        ] {
            try Self.check(["profile", "check", "-"], Data(document.utf8))
        }
    }

    @Test func `no command shows the words that it was given as they are`() throws {
        let files = try Files()
        let table = CommandTable.blecap
        let operands: [String: [String]] = [
            "annotate": [files.logs[0]], "info": [files.logs[0]], "report": [files.logs[0]],
            "replay": [files.logs[0]], "diff": [files.logs[0], files.logs[1]],
            "convert": [files.logs[0], files.folder.path("out.pcapng")],
            "drive": ["scan", "--adapter", "simulator"],
            "drive uqdk": ["status", "--adapter", "simulator"],
            "drive band": ["battery", "--adapter", "simulator"],
            "drive link": ["speed=1", "--adapter", "simulator"], "simulate": ["car"],
            "record": ["--duration", "1ms", files.folder.path("r.btsnoop")],
            "profile list": [], "profile show": [files.documents[0]],
            "profile check": [files.documents[0]], "mark": [], "devices": [], "extcap": [],
            "completions": ["bash"], "manual": [],
        ]
        for command in table.commands {
            let name = command.name.split(separator: " ").map(String.init)
            let usual = try #require(operands[command.name])
            for option in table.options where option.commands.contains(command.name) {
                // A file that is to be written is written into the folder.
                let isFile = option.argumentName == "FILE"
                let value = isFile ? files.folder.path(Self.word + option.long) : Self.word
                if case .none = option.argument {
                    try Self.check(name + usual + ["--\(option.long)=\(value)"])
                } else {
                    try Self.check(name + usual + ["--\(option.long)", value])
                    if isFile { try Self.check(name + usual + ["--\(option.long)", files.garbage]) }
                }
            }
            guard !["record", "mark", "convert"].contains(command.name) else { continue }
            try Self.check(name + [Self.word])
            try Self.check(name + usual + ["--\(Self.word)"])
            try Self.check(name + usual + [Self.word])
            try Self.check(name + usual + ["x=\(Self.word)"])
        }
        for action in ["connect", "read", "write", "services", "answer", "forget", "scan", "wait"] {
            try Self.check(["drive", "--adapter", "simulator", "\(action)=\(Self.word)"])
            try Self.check(["drive", "--adapter", "simulator"], Data("\(action)=\(Self.word)\n".utf8))
        }
        try Self.check([Self.word])
        try Self.check(["--" + Self.word])
    }
}
