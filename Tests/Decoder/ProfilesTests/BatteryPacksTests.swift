import PayloadFormat
import Profiles
import Testing

/// Values of battery systems, as public drivers test themselves with them, and what the profiles show.
@Suite struct BatteryPacksTests {
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
    ]

    @Test(arguments: answers)
    func `a battery system tells its state, unasked`(answer: Answer) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try !link.send(answer.command, .write, of: answer.labels.0).isEmpty)
        var made: [ProfileAnnotation] = []
        for value in answer.values { made += try link.send(value, .notify, of: answer.labels.1) }
        #expect(made.allSatisfy { $0.profile == answer.profile && $0.problems.isEmpty }, "\(made)")
        let state = try #require(made.first { $0.message == answer.message })
        for (path, number) in answer.fields {
            let value = Self.value(path.split(separator: ".")[...], state.fields)
            #expect(value.map { abs($0 - number) < 1e-9 } == true, "\(path): \(String(describing: value))")
        }
    }

    /// A number by the names of fields and the indices of elements.
    private static func value(_ path: ArraySlice<Substring>, _ fields: [DecodedField]) -> Double? {
        guard let name = path.first, let field = fields.first(where: { $0.name == name }) else { return nil }
        switch field.value {
        case .unsigned(let number): return Double(number)
        case .signed(let number): return Double(number)
        case .decimal(let number): return Double("\(number)")
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
