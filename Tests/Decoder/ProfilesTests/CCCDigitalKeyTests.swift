import PayloadFormat
import Profiles
import Testing

/// Messages that public sources give, and messages made of their numbers.
@Suite struct CCCDigitalKeyTests {
    static let messages = [
        PublishedMessage(
            name: "se-apdu-rq", hex: "010b0013" + "00a404000da000000809434343444b41763100",
            fields: ["class": "0x0", "instruction": "0xa4", "length": "19"]),
        PublishedMessage(
            name: "ranging-capability-rq", hex: "0201000c" + "020100" + "0400000001" + "03112233",
            fields: [
                "versions.supported.0.version": "0x100", "configurations.supported.1.configuration": "1",
                "pulse-shapes.supported.2.combination": "0x33",
            ]),
        PublishedMessage(
            name: "ranging-session-rq", hex: "0203000a" + "0100" + "0001" + "11223344" + "11" + "03",
            fields: ["version": "0x100", "session-id": "0x11223344", "channels": "0x3"]),
        PublishedMessage(
            name: "ranging-session-setup-rs",
            hex: "02060011" + "00000007" + "0000000000000102" + "aabbccdd" + "09",
            fields: ["sts-index0": "7", "uwb-time0": "258", "hop-mode-key": "0xaabbccdd", "sync-code": "9"]),
        PublishedMessage(name: "ranging-suspend-rs", hex: "0208000101", fields: ["response": "delayed"]),
        PublishedMessage(
            name: "event-notification", hex: "030100020102",
            fields: ["category": "command complete", "event.status": "require capability exchange"]),
        PublishedMessage(
            name: "event-notification", hex: "031100020204",
            fields: ["category": "ranging session status changed", "event.status": "terminated"]),
        PublishedMessage(
            name: "time-sync",
            hex: "05010017" + "0000000000000003" + "0000000000000101" + "04" + "00" + "0014" + "01" + "0005",
            fields: ["device-event-count": "3", "uwb-device-time": "257", "success": "1", "retry-delay": "5"]),
        PublishedMessage(
            name: "first-approach-rq",
            hex: "05020026" + "c0ffee000102" + String(repeating: "aa", count: 16)
                + String(repeating: "bb", count: 16),
            fields: ["address": "c0ffee000102"]),
        // The two high bits of the type are reserved.
        PublishedMessage(name: "passthrough", hex: "44010001ff", fields: ["data": "ff"]),
        PublishedMessage(name: "other", hex: "3f0900017f", fields: ["id": "0x9", "data": "7f"]),
    ]

    @Test(arguments: messages)
    func `a message is named, on the channel that the vehicle announced`(message: PublishedMessage) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try link.send("0080", .read, of: "FFF5/D3B5A130-9E23-4B3A-8BE4-6B1EE5F980A3").isEmpty)
        let shown = try link.send(message.hex, .write, psm: 0x80)
        #expect(shown.first?.message == message.name && shown.first?.problems == [])
        for (path, text) in message.fields { #expect(shown.first?.fields.text(path) == text, "\(path)") }
        #expect(try link.send("0107", .write, psm: 0x80).isEmpty)
    }

    @Test func `an announced SPSM of another service with the same characteristic is not the key's`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        _ = try link.send("0080", .read, of: "FFF3/D3B5A130-9E23-4B3A-8BE4-6B1EE5F980A3")
        #expect(try link.send("030100020102", .write, psm: 0x80).isEmpty)
    }

    @Test func `answers, errors of the device and wrong lengths are found`() throws {
        var link = try ProfileHarness(shipped: "ccc-digital-key")
        _ = try link.one("0080", .read, of: "FFF5/D3B5A130-9E23-4B3A-8BE4-6B1EE5F980A3")
        _ = try link.send("020900" + "0411223344", .write, psm: 0x80)
        let answer = try link.send("020a000c" + "00000001" + "0000000000000002", .notify, psm: 0x80)
        #expect(answer.first?.message == "ranging-recovery-rs" && answer.first?.requestFrame == 2)
        let busy = try link.send("030100020183", .write, psm: 0x80)
        #expect(busy.first?.refusal == "device busy" && busy.first?.codes == ["profile.refused"])
        let short = try link.send("03010003" + "0183", .write, psm: 0x80)
        #expect(short.first?.codes == ["profile.misfit.length"])
    }
}
