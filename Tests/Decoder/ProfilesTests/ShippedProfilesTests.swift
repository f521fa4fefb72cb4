import Foundation
import PayloadFormat
import TestSupport
import Testing
import WireBytes

@testable import Profiles

@Suite struct ShippedProfilesTests {
    @Test func `the profiles in the program are the files, and all of them are right`() throws {
        let folder = URL(fileURLWithPath: PackageFile.root() + "/profiles")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(
            Profile.shippedDocuments.map(\.key)
                == files.map { $0.deletingPathExtension().lastPathComponent }.sorted())
        #expect(ProfileSource.shipped.map(\.name) == Profile.shippedDocuments.map(\.key))
        for (name, text) in Profile.shippedDocuments {
            #expect(Profile.check(text) == [])
            #expect(try PackageFile.text("profiles/\(name).json") == String(decoding: text, as: UTF8.self))
        }
    }

    @Test func `a profile read channel by channel is the one read at once`() throws {
        for source in ProfileSource.shipped {
            let text = try #require(Profile.shippedDocuments.first { $0.key == source.name }?.value)
            #expect(source.profile == (try Profile(json: text)))
        }
    }

    @Test func `the selectors that the package was built with are those of the files`() {
        for source in ProfileSource.shipped {
            let channels = source.profile.channels
            #expect(source.selectors == channels.map(\.attributes), "\(source.name)")
            #expect(source.advertising == channels.map(\.advertising), "\(source.name)")
            #expect(source.l2cap == channels.map(\.l2cap), "\(source.name)")
        }
    }

    @Test func `the MI battery command is joined to its answer`() throws {
        var link = try ProfileHarness(shipped: "mi-band")
        let command = try link.one("1b9901", .write, of: "FEE0/FF02")
        #expect(command.message == "battery-query" && command.problems.isEmpty)
        let answer = try link.one("567b0629", .notify, of: "FEE0/FF01")
        #expect(answer.message == "battery" && answer.isChecksumRight == true)
        #expect(answer.value("level") == .decimal(FixedDecimal(mantissa: 60, places: 0)))
        #expect(answer.fields.first?.unit == "%")
        #expect(answer.requestFrame == 1 && answer.latency == 1_000_000)
        #expect(try link.one("4d4920e6898be78eaf", .read, of: "FEE0/FF01").value("text") == .text("MI 手环"))
    }

    @Test func `a JBD battery tells its state in answers of several values, unasked`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let request = try link.one("dda50300fffd77", .write, of: "FF00/FF02")
        #expect(
            request.message == "read-basic-information" && request.value("access") == .named(0xA5, "read"))
        #expect(
            try link.one("dd03001d0618fee101f201f4002a2c7c000000", .notify, of: "FF00/FF01").fragment == .open
        )
        let answer = try link.one("0000008064030403" + "0b8b0b8a0b84f88477", .notify, of: "FF00/FF01")
        #expect(answer.problems.isEmpty && answer.frames == [2, 3] && answer.requestFrame == 1)
        guard case .group(let battery)? = answer.value("battery") else {
            Issue.record("no battery")
            return
        }
        let shown = Dictionary(uniqueKeysWithValues: battery.map { ($0.name, $0.value) })
        #expect(shown["voltage"] == .decimal(FixedDecimal(mantissa: 1560, places: 2)))
        #expect(shown["current"] == .decimal(FixedDecimal(mantissa: -287, places: 2)))
        #expect(shown["remaining-capacity"] == .decimal(FixedDecimal(mantissa: 498, places: 2)))
        #expect(shown["cycles"] == .unsigned(42) && shown["state-of-charge"] == .unsigned(100))
        #expect(shown["mosfets"] == .flags(3, ["charging on", "discharging on"]))
        let temperatures = [224, 223, 217].map { (tenths: Int64) in
            AnnotationValue.decimal(FixedDecimal(mantissa: tenths, places: 1))
        }
        guard case .list(let sensors)? = shown["temperatures"] else {
            Issue.record("no temperatures")
            return
        }
        #expect(sensors.compactMap(\.first?.value) == temperatures)
        let cells = try link.one("dd0400080d660d610d680d59fe3c77", .notify, of: "FF00/FF01")
        guard case .list(let voltages)? = cells.value("cells") else {
            Issue.record("no cells")
            return
        }
        #expect(voltages.first?.first?.value == .decimal(FixedDecimal(mantissa: 3430, places: 3)))
        #expect(try link.one("ffaa15063030303030303b", .write, of: "FF00/FF02").message == "authentication")
    }

    /// Values of assigned characteristics, and what is shown of them.
    static let assigned: [(String, String, String, ProfileOperation, String, AnnotationValue, String?)] = [
        ("180F/2A19", "50", "battery-level", .read, "battery-level", .unsigned(80), "%"),
        (
            "180D/2A37", "1653b402", "heart-rate-measurement", .notify, "heart-rate-measurement-value",
            .unsigned(83), "/min"
        ),
        (
            "1809/2A1C", "006c0100ff", "temperature-measurement", .notify, "temperature-measurement-value",
            .decimal(FixedDecimal(mantissa: 364, places: 1)), "°C"
        ),
        (
            "181A/2A6E", "66f8", "temperature", .read, "temperature",
            .decimal(FixedDecimal(mantissa: -1946, places: 2)),
            "°C"
        ),
        ("181A/2A6E", "0080", "temperature", .read, "temperature", .named(0x8000, "not known"), "°C"),
        (
            "1808/2A18", "060100e8070101000000" + "05d0" + "11", "glucose-measurement", .notify,
            "glucose-concentration-mol-l", .decimal(FixedDecimal(mantissa: 5, places: 3)), "mol/l"
        ),
        (
            "1808/2A18", "020100e8070101000000" + "05d0" + "11", "glucose-measurement", .notify,
            "glucose-concentration-kg-l", .decimal(FixedDecimal(mantissa: 5, places: 3)), "kg/l"
        ),
        (
            "1826/2AD2", "4400" + "f401" + "b400" + "9600", "indoor-bike-data", .notify,
            "instantaneous-cadence",
            .decimal(FixedDecimal(mantissa: 900, places: 1)), "/min"
        ),
        ("1826/2AD9", "800005", "response", .notify, "result", .named(5, "control not permitted"), nil),
        ("1826/2AD9", "059600", "set-power", .write, "power", .signed(150), "W"),
        (
            "1800/2A01", "c103", "appearance", .read, "appearance",
            .group([
                DecodedField("category", .named(15, "Human Interface Device")),
                DecodedField("subcategory", .unsigned(1)),
            ]),
            nil
        ),
        ("1800/2A00", "4361722078", "device-name", .read, "name", .text("Car x"), nil),
    ]

    @Test(arguments: assigned)
    func `values of assigned characteristics are shown unasked`(
        label: String, hex: String, message: String, operation: ProfileOperation, field: String,
        value: AnnotationValue, unit: String?
    ) throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        let annotation = try link.one(hex, operation, of: label)
        #expect(annotation.message == message && annotation.problems.isEmpty)
        #expect(annotation.value(field) == value)
        #expect(annotation.fields.first { $0.name == field }?.unit == unit)
    }

    @Test func `a value of an assigned characteristic that does not fit stays unknown`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try link.send("5000", .read, of: "180F/2A19").isEmpty)
        #expect(try link.send("16", .notify, of: "180D/2A37").isEmpty)
        // Vendors' characteristics prove nothing by their number.
        #expect(try link.send("01", .read, of: "FFEE/FFE2").isEmpty)
    }

    @Test func `a frame that does not fit says which check failed, where, and what was due`() throws {
        var link = try ProfileHarness(shipped: "mi-band", "ble-link-manager", "eswiftble", "peripheral-clock")
        let cases: [(String, ProfileOperation, String, [Misfit])] = [
            (
                "567b0628", .notify, "FEE0/FF01",
                [Misfit(check: "checksum", field: "", offset: 3, expected: "29", found: "28")]
            ),
            (
                "557b062a", .notify, "FEE0/FF01",
                [Misfit(check: "prefix", field: "", offset: 0, expected: "567b", found: "557b")]
            ),
            (
                "567b", .notify, "FEE0/FF01",
                [Misfit(check: "length", field: "", offset: 0, expected: "3 bytes or more", found: "2")]
            ),
            (
                "1b9902", .write, "FEE0/FF02",
                [Misfit(check: "message", field: "", offset: 1, expected: "one of 0x9901", found: "0x9902")]
            ),
            (
                "aa031272020001723056", .write, "FFE0/FFE1",
                [Misfit(check: "trailer", field: "", offset: 6, expected: "01723055", found: "01723056")]
            ),
            (
                "aa031272640001723055", .write, "FFE0/FFE1",
                [
                    Misfit(
                        check: "digits", field: "number", offset: 4, expected: "digits below 100",
                        found: "6400")
                ]
            ),
            (
                "0102", .write, "FFEE/FFE2",
                [
                    Misfit(
                        check: "trailing", field: "", offset: 1, expected: "the end of the message",
                        found: "1 byte more")
                ]
            ),
        ]
        for (hex, operation, label, misfits) in cases {
            let annotation = try link.one(hex, operation, of: label)
            #expect(annotation.misfits == misfits, "\(hex)")
            #expect(annotation.codes == misfits.map { "profile.misfit.\($0.check)" })
            #expect(annotation.opaque == (try Hex.octets(hex)))
        }
    }

    @Test(
        arguments: [
            ("0200", 200), ("0a00", 1000), ("0c22", 1234), ("6363", 9999), ("0000", 0), ("0901", 901),
        ] as [(String, UInt64)])
    func `BLELinkManager's number is of base 100`(octets: String, number: UInt64) throws {
        var link = try ProfileHarness(shipped: "ble-link-manager")
        let labelled = try link.one("aa031272\(octets)01723055", .write, of: "FFE0/FFE1")
        #expect(labelled.message == "speed" && labelled.value("number") == .unsigned(number))
        #expect(labelled.recognition == .label)
        let bare = try link.one("aa031272\(octets)01723055", .write)
        #expect(bare.recognition == .content && bare.value("number") == .unsigned(number))
        let answer = try link.one("535045454420323030", .notify, of: "FFE0/FFE1")
        #expect(answer.value("text") == .text("SPEED 200") && answer.requestFrame == 1)
    }

    @Test func `BLELinkManager's commands are a type and the frame`() throws {
        for label in ["FFE0/FFE1", nil] {
            var link = try ProfileHarness(shipped: "ble-link-manager")
            let command = try link.one("0cdcaa031272020001723055", .write, of: label)
            #expect(command.message == "command" && command.problems.isEmpty)
            #expect(command.value("type") == .named(0x0CDC, "CDC"))
            #expect(command.value("speed") == .unsigned(200))
        }
    }

    @Test func `eswiftBLE's values are one octet, of its own service only`() throws {
        var link = try ProfileHarness(shipped: "eswiftble")
        #expect(try link.one("5a", .read, of: "FFEE/FFE1").value("level") == .unsigned(90))
        #expect(try link.one("14", .write, of: "FFEE/FFE2").message == "min")
        #expect(try link.one("37", .read, of: "FFEE/FFE3").message == "avg")
        #expect(try link.send("5a", .read, of: "180F/FFE1").isEmpty)
        #expect(try link.send("5a", .read).isEmpty)
        #expect(try link.send("14", .read, of: "FFEE/FFE4").isEmpty)
    }

    @Test func `the clock's times and texts are shown where they are asked for, and only there`() throws {
        var link = try ProfileHarness(shipped: "peripheral-clock")
        let time = "32363a30313a30313a30303a30303a3032"
        #expect(try link.one(time, .notify, of: "FFF0/FFF1").value("time") == .text("26:01:01:00:00:02"))
        #expect(try link.one("786d67", .read, of: "FFF0/FFF2").value("text") == .text("xmg"))
        #expect(try link.one("786d67", .read, of: "FFE0/FFF3").message == "fixed")
        let short = try link.one("32363a", .notify, of: "FFF0/FFF1")
        #expect(short.misfits.map(\.check) == ["length"])
        var tried = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try tried.send(time, .notify, of: "FFF0/FFF1").isEmpty)
    }

    @Test func `a profile that is only tried claims nothing that its frame does not show`() throws {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try link.one("567b0629", .notify, of: "FEE0/FF01").message == "battery")
        #expect(try link.send("567b0628", .notify, of: "FEE0/FF01").isEmpty)
        #expect(try link.send("5a", .read, of: "FFEE/FFE1").isEmpty)
        #expect(try link.send("414243", .notify, of: "FFE0/FFE1").isEmpty)
        #expect(try link.one("aa031272020001723055", .write, of: "FFE0/FFE1").message == "speed")
    }

    @Test func `a profile that is only tried reads by their labels the answers to frames that show it`()
        throws
    {
        var link = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try link.send("535045454420323030", .notify, of: "FFE0/FFE1").isEmpty)
        #expect(try link.one("aa031272020001723055", .write, of: "FFE0/FFE1").message == "speed")
        let answer = try link.one("535045454420323030", .notify, of: "FFE0/FFE1")
        #expect(answer.value("text") == .text("SPEED 200") && answer.requestFrame == 2)
        #expect(try link.send("5a", .read, of: "FFEE/FFE1").isEmpty)
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `what the user's profile explains is not explained by another, whose requests are answered`()
        throws
    {
        let own = """
            {"name": "own", "channels": [{"name": "answers",
             "attributes": [{"characteristic": "FF01", "operations": ["notify"]}],
             "messages": [{"name": "answer", "fields": [{"name": "all", "type": "bytes"}]}]}]}
            """
        var link = ProfileHarness([try Profile(json: Array(own.utf8))], tried: ProfileSource.shipped)
        #expect(try link.one("dda50500fffb77", .write, of: "FF00/FF02").profile == "jbd")
        let answer = try link.one("dd0500024a31ff8377", .notify, of: "FF00/FF01")
        #expect(answer.profile == "own" && answer.message == "answer")
        #expect(link.tracker.close(at: link.time).isEmpty)
    }

    @Test func `a part of a message of the user's profile is not a part of another's`() throws {
        let own = """
            {"name": "own", "channels": [{"name": "answers",
             "attributes": [{"characteristic": "FF01", "operations": ["notify"]}],
             "framing": {"prefix": "DD", "length": {"at": 3, "counts": "frame", "add": 7}, "trailer": "77",
                         "stream": {}},
             "messages": [{"name": "answer", "fields": [{"name": "all", "type": "bytes"}]}]}]}
            """
        var link = ProfileHarness([try Profile(json: Array(own.utf8))], tried: ProfileSource.shipped)
        // A whole frame proves the other profile on this link.
        #expect(try link.one("dda50500fffb77", .write, of: "FF00/FF02").profile == "jbd")
        let parts = try link.send("dd0500024a", .notify, of: "FF00/FF01")
        #expect(parts.map(\.profile) == ["own"] && parts.first?.fragment == .open, "\(parts)")
    }

    @Test func `a request of a profile that is only tried misses no answer that could not be seen`() throws {
        var bare = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try bare.one("aa031272020001723055", .write).message == "speed")
        #expect(bare.tracker.close(at: bare.time).isEmpty)
        var labelled = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try labelled.one("aa031272020001723055", .write, of: "FFE0/FFE1").message == "speed")
        #expect(labelled.tracker.close(at: labelled.time).count == 1)
        var band = ProfileHarness([], tried: ProfileSource.shipped)
        #expect(try band.one("1b9901", .write).message == "battery-query")
        #expect(band.tracker.close(at: band.time).count == 1)
    }

    @Test func `every shipped message that can be made of zeros is read back by its name`() throws {
        var made = 0
        for (name, _) in Profile.shippedDocuments {
            let profile = try #require(Profile.shipped(named: name))
            for channel in profile.channels {
                for message in channel.messages where !message.values.isEmpty || channel.selector == nil {
                    guard let frame = try? channel.frame(of: message, typed: [:]) else { continue }
                    let decoding = channel.decode(frame)
                    // A length or a value of 0 may be one that its field can't have.
                    guard decoding.misfits.isEmpty else { continue }
                    #expect(channel.selector == nil || decoding.message?.name == message.name, "\(name)")
                    made += 1
                }
            }
        }
        #expect(made > 300, "\(made)")
    }
}
