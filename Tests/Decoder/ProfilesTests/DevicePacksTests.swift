import PayloadFormat
import Profiles
import Testing

/// Values of devices, as public drivers test themselves with them or public descriptions list them, and what
/// the profiles show.
@Suite struct DevicePacksTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let profile: String
        /// The service with the characteristics of commands and of answers.
        let labels: (String, String)
        /// The command, and the values that answer it.
        let command: String
        let values: [String]
        let message: String
        /// Fields by their path, as numbers of a unit.
        let fields: [String: Double]

        var testDescription: String { "\(profile) \(message)" }
    }

    static let answers = [
        Answer(
            profile: "ant", labels: ("FFE0/FFE1", "FFE0/FFE1"), command: "7ea1010000be1855aa55",
            values: [
                "7ea11100009e050404160000000000000000000088010000000000000000000000001e091b091e09",
                "1d091d091e0920091e098f088e0890082209eb08200920091f091e091f091e091f0921091f091d00",
                "1d001d001d001e001e00e01315000a0064000101000000b4c40486f197003aede8006a000000a1f2",
                "c0030000000022090c008e080a009400080900006d006a00af02f3fa4c74e5002866ec00c35d6200",
                "ccb39200edc8aa55",
            ],
            message: "state",
            fields: [
                "cells": 22, "cell-voltages.0.voltage": 2.334, "cell-voltages.21.voltage": 2.335,
                "temperatures.3.temperature": 29, "mosfet-temperature": 30, "voltage": 50.88, "current": 2.1,
                "state-of-charge": 10, "state-of-health": 100, "capacity": 80, "remaining-capacity": 9.957766,
                "total-charge": 15265.082, "power": 106,
            ]),
        Answer(
            profile: "daly", labels: ("FFF0/FFF2", "FFF0/FFF1"), command: "d2030000003ed7b9",
            values: [
                "d2037c101f10291033103d00000000000000000000000000000000000000000000000000000000000000000000"
                    + "00000000000000000000000000000000000000000000003c003d003e003f0000000000000000008c754e038410"
                    + "3d101f0000000000000d80000400040039000100000001102e0141002a0000000000000000a0df"
            ],
            message: "state",
            fields: [
                "cell-voltages.0.voltage": 4.127, "cell-voltages.3.voltage": 4.157,
                "temperatures.3.temperature": 23, "voltage": 14, "current": 3, "state-of-charge": 90,
                "remaining-capacity": 345.6, "cells": 4, "sensors": 4, "cycles": 57,
                "cell-voltage-difference": 0.321,
            ]),
        Answer(
            profile: "jk", labels: ("FFE0/FFE1", "FFE0/FFE1"),
            command: "aa5590eb96000000000000000000000000000010",
            values: [
                "aa5590ebc801010000000000000000000000004455aaeb9002adf30cf30cf30cf00cf10cf00cf10cf10c0000",
                "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                    + "00ff000000f20c0300000738003700360037003600370036003700000000000000000000000000000000000000"
                    + "0000000000000000000000000000000000000000000000000000000000003601000000008d67000060db020069"
                    + "e4ffff1c0124010000000000000044802c02005034030015000000bc624400640000001ef36800010100000000"
                    + "00000000000000000000ff0001000000f1030000230029b43f40000000005a0a00000001000100060000ef3d08"
                    + "0400000000360100000000f103643967001a0000008051010000000000000000000000000001feff7fdc0f0100"
                    + "8003000000b4",
            ],
            message: "cells", fields: ["voltages.0.voltage": 3.315, "voltages.3.voltage": 3.312]),
        Answer(
            profile: "neey", labels: ("FFE0/FFE1", "FFE0/FFE1"),
            command: "aa551101020014000000000000000000000027ff",
            values: [
                "55aa110102002c0138e7fa5040b6045140850e5140f0055140b6045140751e51407f4f5140430251"
                    + "401c3d5140786a5140fe825140167e5140bc765140167e51408b805140ca66514000000000000000"
                    + "000000000000000000000000000000000000000000000000003593243e6894263e3d251b3e908e1b"
                    + "3eb3f3233e2e91253ec61b1a3e4a7c1c3e6f1b1a",
                "3ec2431b3e851e183e4b27193e5edf183ed0eb1a3ee6d4183e0cfe183e0000000000000000000000"
                    + "000000000000000000000000000000000000000000de405142de4051400017083c0a000f0519a182"
                    + "c0c3f54842c3f5484200000000000000000000000000000000000000000000000000762e09000000"
                    + "0000000000000000000000000000000000000000",
                "000000000000000000000000000000000000b6ff",
            ],
            message: "state",
            fields: [
                "cell-voltages.0.voltage": 3.2653, "cell-voltages.15.voltage": 3.2719, "voltage": 52.3133,
                "cell-voltage-difference": 0.0083, "highest-cell": 10, "lowest-cell": 0, "status": 5,
            ]),
        Answer(
            profile: "neey", labels: ("FFE0/FFE1", "FFE0/FFE1"),
            command: "aa551101040014000000000000000000000029ff",
            values: [
                "55aa11010400960002100000a043a69b443b6f12833a0000504099994940000000419a996940cdcc"
                    + "5c40666626409a9939400000803f3333333f000000400000c84205002c0100004843050078000000"
                    + "c843e803780000004844f40100000000704200004842000000c00000004000007042000048420000"
                    + "20c10000a0c00101010100000000000000000000",
                "0000000000000000e0ff",
            ],
            message: "settings", fields: ["length": 150]),
        Answer(
            profile: "seplos", labels: ("FF00/FF02", "FF00/FF01"), command: "7e10004661000100f7c10d",
            values: [
                "7e14006100006a0000100d440d470d4c0d470d450d460d460d580d580d590d480d440d480d430d48"
                    + "0d47060b930b920b900b950bd00ba0049c1543749d0676c003d676c000d603e81546000000000000"
                    + "00000000000000000000",
                "0000000000000000020308000000000000000000020000d8c30d",
            ],
            message: "state",
            fields: [
                "cells": 16, "cell-voltages.0.voltage": 3.396, "cell-voltages.15.voltage": 3.399,
                "temperatures.0.temperature": 23.2, "temperatures.4.temperature": 29.3, "voltage": 54.43,
                "current": 11.8, "remaining-capacity": 298.53, "state-of-charge": 98.2, "cycles": 214,
                "design-capacity": 304, "state-of-health": 100,
            ]),
        Answer(
            profile: "seplos", labels: ("FF00/FF02", "FF00/FF01"), command: "7e100046620000a68a0d",
            values: [
                "7e1400620000300000100cf40cee060b930b7f0bb60b8d00d714b411140720d0020820d0007103e8"
                    + "14b90700020308000000000000000076310d"
            ],
            message: "packs",
            fields: [
                "current": 21.5, "voltage": 53, "remaining-capacity": 437.2, "state-of-charge": 52,
                "cycles": 113, "states": 3,
            ]),
        Answer(
            profile: "seplos", labels: ("FF00/FF02", "FF00/FF01"), command: "7e1000465100003a7f0d",
            values: [
                "7e14005100002443414e3a504e475f4459455f4c7578705f544242313130312d5350373620100601"
                    + "014601a26c0d"
            ],
            message: "device", fields: ["software-major": 16, "software-minor": 6, "packs": 1]),
        Answer(
            profile: "domyos",
            labels: (
                "49535343-FE7D-4AE5-8FA9-9FAFD205E455/49535343-8841-43F4-A8D4-ECBE34729BB3",
                "49535343-FE7D-4AE5-8FA9-9FAFD205E455/49535343-1E4D-4BD9-BA61-23C647249616"
            ),
            command: "f0ac9c",
            values: ["f0bc03f200640014003c000100000a0001000000", "220100000084"],
            message: "state", fields: ["incline": 1, "speed": 2, "energy": 1, "heart-rate": 0]),
    ]

    @Test(arguments: answers)
    func `a device reports its state without --profile`(answer: Answer) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try !link.send(answer.command, .write, of: answer.labels.0).isEmpty)
        var made: [ProfileAnnotation] = []
        for value in answer.values { made += try link.send(value, .notify, of: answer.labels.1) }
        #expect(made.allSatisfy { $0.profile == answer.profile && $0.problems.isEmpty }, "\(made)")
        let state = try #require(made.first { $0.message == answer.message })
        for (path, number) in answer.fields {
            let value = Self.value(path.split(separator: ".")[...], state.fields)
            #expect(value.map { abs($0 - number) < 1e-4 } == true, "\(path): \(String(describing: value))")
        }
    }

    struct Command: Sendable, CustomTestStringConvertible {
        let profile: String
        let label: String?
        let value: String
        let message: String
        /// Fields by their path, as numbers.
        let fields: [String: Double]

        var testDescription: String { "\(profile) \(message) \(value)" }
    }

    static let commands = [
        Command(
            profile: "elk-bledom", label: "FFF0/FFF3", value: "7e0705037f00ff10ef", message: "colour",
            fields: ["colour.red": 127, "colour.green": 0, "colour.blue": 255]),
        Command(
            profile: "elk-bledom", label: "FFF0/FFF3", value: "7e0004f00001ff00ef", message: "power",
            fields: ["power": 240]),
        Command(
            profile: "elk-bledom", label: nil, value: "7e04013201ff0201ef", message: "brightness",
            fields: ["level": 50]),
        Command(
            profile: "bj-led", label: "EEA0/EE01", value: "699605027f00007f", message: "colour",
            fields: ["red": 127, "blue": 0, "brightness": 127]),
        Command(
            profile: "bj-led", label: nil, value: "6996020100", message: "power",
            fields: ["power": 0]),
        Command(
            profile: "triones", label: "FFD5/FFD9", value: "56ff800100f0aa", message: "colour",
            fields: ["red": 255, "green": 128, "blue": 1, "kind": 240]),
        Command(
            profile: "triones", label: "FFD5/FFD9", value: "cc2333", message: "power",
            fields: ["power": 35]),
        Command(
            profile: "zengge", label: "FFFF/FF01", value: "00058000000d0e0b3ba11e646400000000000000c2",
            message: "light", fields: ["mode": 161, "hue": 60, "saturation": 100, "value": 100]),
        Command(
            profile: "zengge", label: "FFFF/FF01", value: "00108000000d0e0b3bb10000001b3600000000003d",
            message: "light", fields: ["mode": 177, "white-temperature": 27, "white-brightness": 54]),
        Command(
            profile: "zengge", label: "FFFF/FF01", value: "000680000004050b38010164", message: "effect",
            fields: ["effect": 1, "speed": 1, "brightness": 100]),
        Command(
            profile: "govee-lamp",
            label: "00010203-0405-0607-0809-0A0B0C0D1910/00010203-0405-0607-0809-0A0B0C0D2B11",
            value: "3301010000000000000000000000000000000033", message: "set-power", fields: ["power": 1]),
        Command(
            profile: "govee-lamp",
            label: "00010203-0405-0607-0809-0A0B0C0D1910/00010203-0405-0607-0809-0A0B0C0D2B11",
            value: "330502ff000000ff8912000000000000000000af", message: "set-colour",
            fields: ["mode": 2, "colour.red": 255, "colour.blue": 0]),
        Command(
            profile: "yeelock",
            label: "58AF3DCA-6FC0-4FA3-9464-74662F043A39/58AF3DCA-6FC0-4FA3-9464-74662F043A3B",
            value: "0150650000000100112233445566778899aabbcc", message: "turn",
            fields: ["time": 1_694_498_816, "action": 1]),
    ]

    @Test(arguments: commands)
    func `a command of a lamp or a lock is named without --profile`(command: Command) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let made = try link.send(command.value, .write, of: command.label)
        let one = try #require(made.first)
        #expect(made.count == 1 && one.profile == command.profile && one.problems.isEmpty, "\(made)")
        #expect(one.message == command.message)
        for (path, number) in command.fields {
            let value = Self.value(path.split(separator: ".")[...], one.fields)
            #expect(value == number, "\(path): \(String(describing: value))")
        }
    }

    @Test func `a lamp's command opens with the key that all lamps of the kind have`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let label = "FFF0/D44BC439-ABFD-45A2-B575-925416129600"
        let colour = try #require(try link.send("2dec317e7181ccb079fc665ae43fa9dd", .write, of: label).first)
        let wanted: [String: Double] = [
            "content.length": 15, "content.code": 0x5347, "content.arguments.speed": 80,
            "content.arguments.foreground.red": 31, "content.arguments.background.blue": 0,
            "content.arguments.saturation": 50,
        ]
        for (path, number) in wanted {
            #expect(Self.value(path.split(separator: ".")[...], colour.fields) == number, "\(path)")
        }
        let power = try #require(try link.send("79d1dba40919c246a8580ae7d11b7884", .write, of: label).first)
        #expect(Self.value(["content", "code"], power.fields) == 0x5455)
        // Bytes of another device with the same characteristic.
        let other = "00112233445566778899aabbccddeeff"
        #expect(try link.send(other, .write, of: label).isEmpty)
        var asked = try ProfileHarness(shipped: "ideal-led")
        #expect(try asked.send(other, .write, of: label).first?.misfits.first?.check == "cipher")
    }

    @Test(arguments: [
        ("0240650000000011", "state", nil), ("0900", "clock-not-set", 9), ("ff00", "not-signed", 255),
    ])
    func `a lock's states are named, and its refusals`(_ value: String, _ message: String, _ cause: Double?)
        throws
    {
        var link = try ProfileHarness(shipped: "yeelock")
        let label = "58AF3DCA-6FC0-4FA3-9464-74662F043A39/58AF3DCA-6FC0-4FA3-9464-74662F043A3A"
        let one = try #require(try link.send(value, .notify, of: label).first)
        #expect(one.message == message && (one.refusal != nil) == (cause != nil))
        #expect(Self.value(["cause"], one.fields) == cause)
    }

    @Test func `a toy's answer arrives byte by byte, and belongs to its request`() throws {
        let service = "00010001-574F-4F20-5370-6865726F2121"
        let label = "\(service)/00010002-574F-4F20-5370-6865726F2121"
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let request = try #require(try link.send("8d0a130d00d5d8", .write, of: label).first)
        #expect(request.message == "request" && request.problems.isEmpty)
        var made: [ProfileAnnotation] = []
        for octet in ["8d", "09", "13", "0d", "00"] { made += try link.send(octet, .notify, of: label) }
        // The next request, while the answer is still arriving.
        #expect(try link.send("8d0a112802bad8", .write, of: label).first?.message == "request")
        for octet in ["00", "d6", "d8"] { made += try link.send(octet, .notify, of: label) }
        let answer = try #require(made.last)
        #expect(answer.message == "response" && answer.problems.isEmpty && answer.requestFrame == 1)
        #expect(Self.value(["device"], answer.fields) == 19)
        #expect(Self.value(["command", "id"], answer.fields) == 13)
    }

    @Test func `bytes that start no message of several channels are one misfit`() throws {
        var link = try ProfileHarness(shipped: "domyos")
        let made = try link.send(
            "f0c9b9", .write,
            of: "49535343-FE7D-4AE5-8FA9-9FAFD205E455/49535343-8841-43F4-A8D4-ECBE34729BB3")
        #expect(made.count == 1 && made.first?.misfits.first?.check == "start")
    }

    @Test func `an update's answers are named, and the secure ones belong to their requests`() throws {
        let control = "FE59/8EC90001-F315-4F60-9FB8-838830DAEA50"
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try link.send("0601", .write, of: control).isEmpty, "nothing on the link proves it so far")
        let first = try #require(
            try link.send("600601000200000000000000000000", .notify, of: control).first)
        #expect(first.message == "select-answer" && first.problems.isEmpty)
        #expect(Self.value(["maximum-size"], first.fields) == 512)
        let request = try #require(try link.send("010100010000", .write, of: control).first)
        #expect(request.message == "create" && Self.value(["size"], request.fields) == 256)
        let answer = try #require(try link.send("600101", .notify, of: control).first)
        #expect(answer.message == "create-answer" && answer.requestFrame == 3)

        let legacy = "00001530-1212-EFDE-1523-785FEABCD123/00001531-1212-EFDE-1523-785FEABCD123"
        let refused = try #require(try link.send("100402", .notify, of: legacy).first)
        #expect(refused.message == "legacy-answer" && Self.value(["result"], refused.fields) == 2)
        #expect(try link.send("1100040000", .notify, of: legacy).first?.message == "receipt")

        let toy = "00020001-574F-4F20-5370-6865726F2121/00020002-574F-4F20-5370-6865726F2121"
        let image = "00020001-574F-4F20-5370-6865726F2121/00020003-574F-4F20-5370-6865726F2121"
        let receipts = try #require(try link.send("080c000000", .write, of: toy).first)
        #expect(receipts.message == "set-legacy-receipts" && Self.value(["packets"], receipts.fields) == 12)
        #expect(try link.send("69814c21be809b1c26c6e003", .write, of: image).first?.message == "packet")
        #expect(try link.send("11f0000000", .notify, of: toy).first?.message == "receipt")
    }

    @Test func `a radio module's sign of life is no part of the record around it`() throws {
        var link = try ProfileHarness(shipped: "jk")
        let label = "FFE0/FFE1"
        let done = try link.send("aa5590ebc801010000000000000000000000004441540d0a", .notify, of: label)
        #expect(done.map(\.message) == ["command", "module-alive"] && done.allSatisfy { $0.misfits.isEmpty })
        let alone = try link.send("41540d0a", .notify, of: label)
        #expect(alone.map(\.message) == ["module-alive"])
    }

    /// A number by the names of fields and the indices of elements.
    private static func value(_ path: ArraySlice<Substring>, _ fields: [DecodedField]) -> Double? {
        guard let name = path.first, let field = fields.first(where: { $0.name == name }) else { return nil }
        switch field.value {
        case .unsigned(let number): return Double(number)
        case .signed(let number): return Double(number)
        case .decimal(let number): return Double("\(number)")
        case .hex(let number, _), .named(let number, _), .flags(let number, _): return Double(number)
        case .group(let fields): return value(path.dropFirst(), fields)
        case .list(let elements):
            guard let index = path.dropFirst().first.flatMap({ Int($0) }), elements.indices.contains(index)
            else {
                return nil
            }
            return value(path.dropFirst(2), elements[index])
        default: return nil
        }
    }
}
