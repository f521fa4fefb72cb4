import Foundation
import Testing

/// Labels of attributes in recordings whose truth is known, because the devices in them are our own
/// (`captures/*.md`): handles used by two devices, links at once, links without a discovery.
@Suite struct RecordedLabelsTests {
    /// A handle of a peer, and the characteristic that a label of it must name; nil for none at all.
    struct Truth: Sendable, CustomTestStringConvertible {
        var captures: [String]
        var options: [String] = []
        var peer: String
        var handles: [Int: String?]
        var adapter = 0

        var testDescription: String {
            (captures + options + [peer, "hci\(adapter)"]).joined(separator: " ")
        }
    }

    static let truths = [
        Truth(
            captures: ["handle-reuse"], peer: "02:4D:49:00:00:01",
            handles: [0x10: "FF01", 0x13: "FF02"]),
        Truth(captures: ["handle-reuse"], peer: "D0:4D:4F:42:49:4B", handles: [0x10: nil, 0x13: nil]),
        Truth(
            captures: ["handle-reuse-before", "handle-reuse"], peer: "D0:4D:4F:42:49:4B",
            handles: [0x10: "FFE1", 0x13: "FFE2"]),
        Truth(captures: ["two-devices"], peer: "02:4C:4B:00:00:03", handles: [0x10: "FFE1"]),
        Truth(
            captures: ["two-devices"], peer: "02:4C:4B:00:00:04", handles: [0x10: "FFE3", 0x12: "FFE1"]),
        Truth(
            captures: ["two-adapters"], peer: "02:4D:49:00:00:01",
            handles: [0x10: "FF01", 0x13: "FF02"]),
        Truth(
            captures: ["two-adapters"], peer: "D0:4D:4F:42:49:4B",
            handles: [0x10: "FFE1", 0x13: "FFE2"], adapter: 1),
        Truth(captures: ["bonded-reconnect"], peer: "40:00:02:72:E8:EE", handles: [0x10: nil, 0x13: nil]),
        Truth(
            captures: ["bonding", "bonded-reconnect"], peer: "40:00:02:72:E8:EE",
            handles: [0x10: "FF51", 0x13: "FF52"]),
        Truth(
            captures: ["link-device"], peer: "02:4C:4B:00:00:01", handles: [0x10: "FFE1"]),
        Truth(
            captures: ["peripheral-clock"], peer: "C4:58:4D:47:00:01",
            handles: [0x10: "FFF1", 0x13: "FFF2", 0x17: "FFF3"]),
    ]

    /// The ATT PDUs that carry a value of an attribute: reads, writes, notifications.
    private static let opcodes: Set<Int> = [0x0A, 0x0C, 0x12, 0x16, 0x1B, 0x52]

    @Test(arguments: truths)
    func `A label is the truth or is not there`(truth: Truth) throws {
        let folder = PackageRoot.url.appendingPathComponent("captures")
        let paths = truth.captures.map { folder.appendingPathComponent("\($0).btsnoop").path }
        let run = try CommandRun(["annotate", "--all", "--format", "ndjson"] + truth.options + paths)
        // That two logs are not taken for one is said, and all that is said.
        let said = run.errors.split(separator: "\n").filter { !$0.contains("--one-log") }
        #expect(run.status == 0 && said.isEmpty, "\(run.errors)")
        var seen: Set<Int> = []
        for line in run.output.split(separator: UInt8(ascii: "\n")) {
            let frame = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            guard frame["peer"] as? String == truth.peer, let att = frame["att"] as? [String: Any],
                let opcode = att["opcode"] as? Int, Self.opcodes.contains(opcode),
                let handle = att["handle"] as? Int, let expected = truth.handles[handle]
            else { continue }
            let note: Comment = "frame \(frame["frame"] ?? "?"), handle \(handle)"
            #expect(frame["adapter"] as? Int == truth.adapter, note)
            #expect(att["characteristic"] as? String == expected, note)
            seen.insert(handle)
        }
        #expect(seen == Set(truth.handles.keys), "handles without a PDU")
    }

    @Test func `An organisation's service number never names a characteristic`() throws {
        let path = PackageRoot.url.appendingPathComponent("captures/peripheral-clock.btsnoop").path
        for format in ["text", "ndjson"] {
            let text = try CommandRun(["annotate", "--all", "--format", format, path]).text
            #expect(text.contains("FFF2") || text.contains("fff2"))
            #expect(!text.contains("Aliro") && !text.contains("FiRa"))
        }
    }
}
