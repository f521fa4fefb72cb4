import PayloadFormat
import Profiles
import Testing

/// Messages over an L2CAP channel that an attribute announces. The Fast Pair messages are those of
/// google/nearby's tests and of the published specification.
@Suite struct MessageStreamPacksTests {
    static let fastPair = [
        PublishedMessage(name: "enable-silence-mode", hex: "01010000", fields: [:]),
        PublishedMessage(name: "model-id", hex: "03010003abcdef", fields: ["model-id": "0xabcdef"]),
        PublishedMessage(
            name: "address-updated", hex: "03020006aabbccddeeff", fields: ["address": "aabbccddeeff"]),
        PublishedMessage(
            name: "battery-updated", hex: "0303000357417f",
            fields: ["left-or-only.level": "87", "right.level": "65", "case.level": "not known"]),
        PublishedMessage(
            name: "battery-updated", hex: "030300019a",
            fields: ["left-or-only.level": "26", "left-or-only.charging": "1"]),
        PublishedMessage(
            name: "remaining-battery-time", hex: "03040001f0", fields: ["remaining.time": "240"]),
        PublishedMessage(
            name: "remaining-battery-time", hex: "03040002abcd", fields: ["remaining.time": "43981"]),
        PublishedMessage(
            name: "capabilities", hex: "0307000102", fields: ["capabilities": "companion app installed"]),
        PublishedMessage(
            name: "platform", hex: "03080002011c", fields: ["platform": "Android", "version": "28"]),
        PublishedMessage(name: "ring", hex: "04010002020a", fields: ["components": "left", "timeout": "10"]),
        PublishedMessage(
            name: "acknowledged", hex: "ff0100020401", fields: ["of-group": "0x4", "of-code": "0x1"]),
        PublishedMessage(
            name: "not-acknowledged", hex: "ff02000301" + "0401",
            fields: ["answer.reason": "device busy", "answer.of-group": "0x4"]),
        PublishedMessage(
            name: "not-acknowledged", hex: "ff020002" + "0401", fields: ["answer.of-code": "0x1"]),
        PublishedMessage(name: "other", hex: "77010001ff", fields: ["group": "0x77", "data": "ff"]),
    ]

    static let aliro = [
        PublishedMessage(
            name: "initiate-access-protocol-rke", hex: "02060005" + "0003800200",
            fields: ["attributes.0.value": "800200", "attributes.0.attribute": "proprietary information"]),
        PublishedMessage(
            name: "access-protocol-rq", hex: "00000008" + "8080000003410100",
            fields: ["instruction": "AUTH0", "data": "03410100"]),
        PublishedMessage(name: "access-protocol-rs", hex: "00010002" + "9000", fields: ["response": "9000"]),
        PublishedMessage(
            name: "access-protocol-completed", hex: "02030014" + String(repeating: "5a", count: 20),
            fields: ["content": String(repeating: "5a", count: 20)]),
        PublishedMessage(
            name: "time-sync", hex: "03000001" + "00", fields: ["protocol": "supplementary service"]),
    ]

    @Test(arguments: fastPair)
    func `a message of Fast Pair is named, on the channel that the device announced`(
        message: PublishedMessage
    ) throws {
        try expect(message, announced: "020090", by: "FE2C/FE2C1239-8366-4814-8EB0-01DE32100BEA")
    }

    @Test(arguments: aliro)
    func `a message of Aliro is named, on the channel that the reader announced`(message: PublishedMessage)
        throws
    {
        try expect(message, announced: "0090020100", by: "FFF2/D3B5A130-9E23-4B3A-8BE4-6B1EE5F980A3")
    }

    private func expect(_ message: PublishedMessage, announced: String, by attribute: String) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        _ = try link.send(announced, .read, of: attribute)
        let shown = try link.send(message.hex, .notify, psm: 0x90)
        #expect(shown.first?.message == message.name)
        #expect(shown.first?.problems.filter { $0.code != "profile.refused" } == [])
        for (path, text) in message.fields { #expect(shown.first?.fields.text(path) == text, "\(path)") }
        #expect(try link.send(message.hex, .notify, psm: 0x91).isEmpty)
    }

    @Test func `several messages in one SDU, and one over two, are all named`() throws {
        var link = try ProfileHarness(shipped: "fast-pair")
        _ = try link.send("020090", .read, of: "FE2C/FE2C1239-8366-4814-8EB0-01DE32100BEA")
        let first = try link.send("03010003abcdef" + "0303000357", .notify, psm: 0x90)
        #expect(first.map(\.message) == ["model-id", nil])
        let second = try link.send("417f", .notify, psm: 0x90)
        #expect(second.last?.message == "battery-updated")
    }

    @Test func `a device that refuses to ring says why`() throws {
        var link = try ProfileHarness(shipped: "fast-pair")
        _ = try link.send("020090", .read, of: "FE2C/FE2C1239-8366-4814-8EB0-01DE32100BEA")
        _ = try link.send("0401000102", .write, psm: 0x90)
        let answer = try link.send("ff02000302" + "0401", .notify, psm: 0x90)
        #expect(answer.first?.refusal == "not allowed in this state")
    }
}
