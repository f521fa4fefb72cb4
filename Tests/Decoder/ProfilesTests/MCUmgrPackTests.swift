import PayloadFormat
import Profiles
import Testing
import WireBytes

/// Messages as the public Python library smp writes them, or composed of Zephyr's description, and what the
/// profile shows.
@Suite struct MCUmgrPackTests {
    static let attribute = "8d53dc1d-1db7-4cd3-868b-8a527460aa84/da2e7828-fbce-4e01-ae9e-261174997c48"

    static let hash = String(repeating: "aa", count: 32)

    /// A message, whether the device sends it, its name, and the path and text of one of its values.
    static let messages: [(hex: String, isAnswer: Bool, name: String, path: String, text: String)] = [
        ("0a00000900000500a161646568656c6c6f", false, "echo", "text", "hello"),
        ("0b00000900000500a161726568656c6c6f", true, "echo-response", "text", "hello"),
        (
            "0900008a00010100a266696d6167657381a964686173685820\(hash)64736c6f740065696d61676500"
                + "66616374697665f56770656e64696e67f46776657273696f6e65312e322e3368626f6f7461626c65f569636f6e"
                + "6669726d6564f5697065726d616e656e74f46b73706c697453746174757300", true,
            "image-state-response",
            "images.0.version", "1.2.3"
        ),
        ("0b00000700010701a1636f66661840", true, "image-upload-response", "offset", "64"),
        (
            "0900004b00000902a1657461736b73a26469646c65a36374696404647072696f0f65737461746500646d61696ea5"
                + "6374696403647072696f00657374617465026673746b73697a1904006673746b7573651864", true,
            "tasks-response", "tasks.1.stack-size", "1024"
        ),
        (
            "0900002a00020200a2646e616d6567736d705f636f6d666669656c6473a2666572726f727301666672616d6573"
                + "1a00011170", true, "statistics-response", "fields.1.fields", "70000"
        ),
        (
            "0a00001600090300a1646172677682666b65726e656c6776657273696f6e", false, "shell",
            "arguments.1.arguments", "version"
        ),
        ("0b00001000090300a2616f675a65706879720a6372657435", true, "shell-response", "status", "-22"),
        ("0900000800030400a16376616c420102", true, "setting-read-response", "value", "0102"),
        ("0a00000900400507a161646568656c6c6f", false, "other", "unknown.0.value", "\"hello\""),
    ]

    @Test(arguments: messages)
    func `a message is named, unasked`(hex: String, isAnswer: Bool, name: String, path: String, text: String)
        throws
    {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let annotation = try link.one(hex, isAnswer ? .notify : .write, of: Self.attribute)
        #expect(annotation.profile == "mcumgr" && annotation.message == name && annotation.misfits.isEmpty)
        #expect(annotation.fields.text("body.\(path)") == text)
    }

    @Test func `an upload over several values is one message, which its answer answers`() throws {
        let upload =
            "0a00008a00010701a6636c656e191000636f666600637368615820\(Self.hash)64646174615840"
            + Hex.text((0..<64).map { UInt8($0) }) + "65696d616765006775706772616465f5"
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let octets = try Hex.octets(upload)
        var made: [ProfileAnnotation] = []
        for start in stride(from: 0, to: octets.count, by: 20) {
            let part = Hex.text(octets[start..<min(start + 20, octets.count)])
            made += try link.send(part, .write, of: Self.attribute)
        }
        let whole = made.filter { $0.message == "image-upload" }
        #expect(whole.count == 1 && made.allSatisfy { $0.misfits.isEmpty })
        #expect(whole.first?.fields.text("body.length") == "4096")
        #expect(whole.first?.fields.text("body.hash") == Self.hash)
        let answer = try link.one("0b00000700010701a1636f66661840", .notify, of: Self.attribute)
        #expect(answer.message == "image-upload-response" && answer.problems.isEmpty)
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `a refusal is named, of either version`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        _ = try link.one("0a00000100010801a0", .write, of: Self.attribute)
        let new = try link.one(
            "0b00001100010801a163657272a26567726f75700162726309", .notify, of: Self.attribute)
        #expect(new.codes == ["profile.refused"] && new.refusal == "no free slot")
        #expect(new.fields.text("body.error.group") == "image")
        _ = try link.one("0200000000000805", .write, of: Self.attribute)
        let old = try link.one("0300000500000805a16272630a", .notify, of: Self.attribute)
        #expect(old.message == "reset-response" && old.refusal == "busy")
        let unlisted = try link.one("0300000700000805a162726319012c", .notify, of: Self.attribute)
        #expect(unlisted.refusal == "other error 300")
        let fine = try link.one("0300000900000806bf6272630061780aff", .notify, of: Self.attribute)
        #expect(fine.codes == [] && fine.fields.text("body.rc") == "OK")
    }

    @Test func `text of a Nordic UART is shown only if asked for`() throws {
        let attributes = "6e400001-b5a3-f393-e0a9-e50e24dcca9e/6e400002-b5a3-f393-e0a9-e50e24dcca9e"
        var tried = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try tried.send("68690a", .write, of: attributes).isEmpty)
        var asked = try ProfileHarness(shipped: "nordic-uart")
        #expect(try asked.one("68690a", .write, of: attributes).fields.text("text") == "hi\n")
    }
}
