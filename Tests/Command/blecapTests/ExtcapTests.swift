import Analysis
import BluetoothCore
import CaptureFile
import CommandLineKit
import MonitorCapture
import PayloadFormat
import Testing
import WireBytes

@testable import blecap

@Suite struct ExtcapTests {
    @Test func `Wireshark's questions are answered in the form of its extcap`() throws {
        let interfaces = try CommandRun(["--extcap-interfaces", "--extcap-version=4.0"])
        #expect(interfaces.status == 0)
        #expect(interfaces.text.contains("interface {value=blecap}{display="))
        let dlts = try CommandRun(["--extcap-interface", "blecap", "--extcap-dlts"])
        #expect(dlts.text.hasPrefix("dlt {number=254}{name=BLUETOOTH_LINUX_MONITOR}{display="))
        let config = try CommandRun(["extcap", "--extcap-config", "--extcap-interface=blecap"])
        #expect(config.status == 0)
        for (index, line) in config.text.split(separator: "\n").enumerated() {
            #expect(line.hasPrefix("arg {number=\(index)}{call=--"), "\(line)")
            #expect(line.contains("{type="))
        }
    }

    @Test func `Every option that Wireshark may set is one of the command's`() {
        let known = CommandTable.blecap.options(of: "extcap").map { "--" + $0.long }
        for line in Extcap.config.split(separator: "\n") {
            let call = line.split(separator: "=")[2].split(separator: "}")[0]
            #expect(known.contains(String(call)), "\(call)")
        }
    }

    @Test(arguments: [
        (["--extcap-interface", "eth0", "--extcap-dlts"], "the interface is blecap"),
        (["--extcap-interface", "blecap"], "nothing to do"),
        (["--capture", "--extcap-interface", "blecap"], "needs --fifo"),
        (
            [
                "--capture", "--extcap-interface", "blecap", "--extcap-capture-filter", "tcp",
                "--fifo", "x",
            ], "capture filters are not supported"
        ),
    ])
    func `A question that can't be answered is wrong usage`(words: [String], part: String) throws {
        let run = try CommandRun(words)
        #expect(run.status == 2)
        #expect(run.errors.contains(part), "\(run.errors)")
    }
}

@Suite struct LinkNoteTests {
    @Test(arguments: [DeviceAddress.Kind.public, .random, .unknown])
    func `What the recorder notes of a link, the analyser understands`(kind: DeviceAddress.Kind) {
        let link = OpenLink(
            adapter: 2, handle: 0x0E0A, address: DeviceAddress(0xC255_5100_0001, kind), kind: .le,
            isOutgoing: false)
        let note = MonitorNote(.information, link.note, adapter: link.adapter)
        let payload = note.payload
        var analyzer = Analyzer()
        analyzer.analyze(
            Record(
                note.header(number: 1, time: CaptureTime(nanoseconds: 1), drops: 0), payload.borrowedOctets))
        analyzer.finish()
        let listed = analyzer.listedLinks
        #expect(listed.map(\.handle) == [0x0E0A])
        #expect(listed.map(\.adapter) == [2])
        #expect(listed.map(\.address) == [link.address])
    }
}

@Suite struct DevicesTests {
    private static let adapter = Adapter(
        index: 1, name: "hci1", address: DeviceAddress(0x00AA_0100_0001, .public), bus: 1, flags: 0x0D)

    private static func text(_ body: (inout TextBuffer) -> Void) -> String {
        var out = TextBuffer()
        body(&out)
        return String(decoding: out.copied(from: 0), as: UTF8.self)
    }

    @Test func `A line says what the adapter is and what may be done with it`() {
        let all: Capabilities = [.netAdmin, .netRaw]
        #expect(
            Self.text { DeviceText.line(Self.adapter, all, into: &$0) }
                == "hci1    00:AA:01:00:00:01  USB      up     up,running,pscan            record: yes; "
                + "drive: needs the adapter powered off\n")
        #expect(
            Self.text { DeviceText.line(Self.adapter, [], into: &$0) }
                .contains("record: needs CAP_NET_RAW; drive: needs CAP_NET_ADMIN and the adapter powered off")
        )
    }

    @Test func `NDJSON has the same, and a name can't break it`() throws {
        var adapter = Self.adapter
        adapter.name = "h\"\\\n"
        let line = Self.text { DeviceText.json(adapter, .netRaw, into: &$0) }
        #expect(
            line == #"{"kind":"device","adapter":1,"name":"h\"\\\u000a","address":"00:AA:01:00:00:01","#
                + #""bus":"USB","state":"up","flags":["up","running","pscan"],"record":{"allowed":true},"#
                + #""drive":{"allowed":false,"missing":"CAP_NET_ADMIN and the adapter powered off"}}"# + "\n")
        _ = try JSONParser.parse(Array(line.utf8))
    }

    static let states: [(UInt32, String)] = [
        (0, "down"), (1, "up"), (256, "taken"), (257, "taken"),
    ]

    @Test(arguments: states)
    func `The state follows the kernel's flags`(flags: UInt32, state: String) {
        var adapter = Self.adapter
        adapter.flags = flags
        #expect(Self.text { DeviceText.line(adapter, [], into: &$0) }.contains("  \(state) "))
    }
}
