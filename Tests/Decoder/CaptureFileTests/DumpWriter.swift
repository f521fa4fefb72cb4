import CaptureFile
import WireBytes

/// Writes HCI packets as text, as the programs print them.
enum DumpWriter: String, CaseIterable {
    case hcidump, hcidumpWithTimes, hcidumpExtended
    case btstack, btstackWithUptime
    case nobleOnTerminal, nobleInFile
    case espressif, espressifOlder, espressifWithTimes, espressifTrace
    case zephyr, zephyrOlder, zephyrDriver, zephyrController
    case btool, btoolOlder

    /// Resolution of the times in microseconds; nil if the text has none.
    var unit: Int64? {
        switch self {
        case .hcidump, .hcidumpExtended, .espressif, .espressifOlder: nil
        case .hcidumpWithTimes, .espressifWithTimes: 1
        case .zephyr, .zephyrOlder, .zephyrDriver, .zephyrController: 1
        default: 1000
        }
    }

    /// Whether the times are dates; otherwise they count from the start.
    var hasDates: Bool {
        switch self {
        case .hcidumpWithTimes, .btstack, .nobleInFile, .espressifWithTimes: true
        default: false
        }
    }

    /// Lines of a program that don't belong to packets.
    private var noise: String {
        switch self {
        case .hcidump, .hcidumpWithTimes, .hcidumpExtended:
            "HCI sniffer - Bluetooth packet analyzer ver 5.66\nbtsnoop version: 1 datalink type: 1002\n"
        case .btstack:
            "[2026-11-21 09:47:16.329] LOG -- hci.c.1528: Command complete for expected opcode 1002\n"
        case .btstackWithUptime: "[00:00:00.000] LOG -- btstack_run_loop_freertos.c.206: RL: wait\n"
        case .nobleOnTerminal: "  hci setting filter to: 16000000ffffffffffffffff0000 +0ms\n"
        case .nobleInFile: "2026-11-21T09:47:16.000Z noble onStateChange poweredOn\n"
        case .espressif, .espressifOlder, .espressifWithTimes:
            "I (28) boot: ESP-IDF v5.2.1 2nd stage bootloader\nload:0x3fff0030,len:7588\n"
        case .espressifTrace: "I (28) boot: ESP-IDF v3.1 2nd stage bootloader\r\n"
        case .zephyr, .zephyrOlder, .zephyrDriver, .zephyrController:
            "*** Booting Zephyr OS build v3.7.0 ***\n[00:00:00.001,000] <inf> main: up\n"
        case .btool, .btoolOlder: "[1] : <Info> - 07:34:47.693\nPort opened at 31/10/2018 19:34:47\n"
        }
    }

    /// The text of a session.
    func text(_ session: [Sample]) -> String {
        var text = noise
        let start = session.first?.microseconds ?? 0
        var before = start
        for (index, sample) in session.enumerated() {
            let elapsed = sample.microseconds - (hasDates ? 0 : start)
            text += packet(sample, at: elapsed, after: (sample.microseconds - before) / 1000, index)
            if index % 7 == 3 { text += noise }
            before = start + (sample.microseconds - start) / 1000 * 1000
        }
        return text
    }

    private func packet(_ sample: Sample, at time: Int64, after elapsed: Int64, _ index: Int) -> String {
        let octets = Samples.hex(sample.octets)
        let isSent = sample.direction == .hostToController
        let type: UInt8 =
            switch sample.kind {
            case .command: 1
            case .acl: 2
            case .sco: 3
            case .event: 4
            default: 5
            }
        let typed = [type] + octets
        switch self {
        case .hcidump, .hcidumpWithTimes:
            let stamp = self == .hcidump ? "" : Self.date(time, 6) + " "
            let lines = Self.lines(typed.map { Self.hex($0).uppercased() + " " }, 20).joined(
                separator: "\n  ")
            return "\(stamp)\(isSent ? "<" : ">") \(lines)\n"
        case .hcidumpExtended:
            return "\(isSent ? "<" : ">") \(Self.dump(typed, indent: "  ", offset: ": "))\n"
        case .btstack, .btstackWithUptime:
            let stamp = self == .btstack ? Self.date(time, 3) : Self.clock(time, 3)
            let name = ["CMD", "ACL", "SCO", "EVT", "ISO"][Int(type) - 1]
            let bytes = octets.map { Self.hex($0).uppercased() + " " }.joined()
            return "[\(stamp)] \(name) \(isSent ? "=>" : "<=") \(bytes)\r\n"
        case .nobleOnTerminal:
            let what = isSent ? "write acl data pkt - writing: " : "onSocketData: "
            let line = "\u{1B}[32;1mhci \u{1B}[0m\(what)\(Hex.text(typed)) \u{1B}[32m+\(elapsed)ms\u{1B}[0m"
            return "  \(line)\n  \u{1B}[32;1mhci \u{1B}[0m\tevent type = \(type) \u{1B}[32m+0ms\u{1B}[0m\n"
        case .nobleInFile:
            let what = isSent ? "reset - writing: " : "onSocketData: "
            let stamp = Self.date(time, 3).replacing(" ", with: "T")
            return "\(stamp)Z hci \(what)\(Hex.text(typed))\n\(stamp)Z hci \tevent type = \(type)\n"
        case .espressif, .espressifOlder, .espressifWithTimes:
            return espressif(sample, octets, at: time, index)
        case .espressifTrace:
            // It prints whole lines, whatever is behind the packet.
            let padded = typed + (0..<15).map { UInt8(0xA0 + $0) }
            let lines = Self.lines(padded.prefix((typed.count + 15) / 16 * 16).map(Self.hex), 16, ", ")
            return "I (\(time / 1000)) app: \n\(isSent ? "Transmit" : "Recv") Pkt: len \(typed.count)\r\n"
                + lines.map { $0 + "\r\n" }.joined()
        case .zephyr, .zephyrOlder, .zephyrDriver, .zephyrController:
            let what =
                switch self {
                case .zephyrDriver:
                    isSent ? "<dbg> bt_driver: send: Final HCI buffer:" : "<dbg> rx: ipc data:"
                case .zephyrController: isSent ? "<dbg> hci: rx: IPC data:" : "<dbg> hci: Final HCI buffer:"
                default:
                    "<inf> bt_hci_log_hexdump: !HCI! 00 00 00 0\(isSent ? 0 : 1) \(Self.hex(type))"
                }
            let stamp = "[\(Self.clock(time, 3)),\(Self.padded(time % 1000, 3))]"
            let indent = String(repeating: " ", count: 39)
            let bytes = self == .zephyrOlder ? octets : typed
            return "\(stamp) \(what)\n" + indent + Self.dump(bytes, indent: indent, bars: true) + "\n"
        case .btool, .btoolOlder:
            let way = isSent ? "Tx" : "Rx"
            // Its clock has twelve hours.
            let stamp = Self.clock(time % 43_200_000_000, 3)
            let dump =
                self == .btool
                ? Self.dump(typed, indent: "", offset: ":")
                : Self.lines(typed.map { Self.hex($0).uppercased() }, 16, " ").joined(separator: "\n")
            return "[\(index + 2)] : <\(way)> - \(stamp)\n-Type\t\t: 0x0\(type) (Event)\n"
                + " Status        : 0x00 (Success)\nDump(\(way)):\n\(dump)\n\n"
                + String(repeating: "-", count: 68) + "\n"
        }
    }

    private func espressif(_ sample: Sample, _ octets: [UInt8], at time: Int64, _ index: Int) -> String {
        let names = self == .espressifOlder ? ["CMD", "EVT", "HAL", "CAL"] : ["C", "E", "H", "D"]
        let isSent = sample.direction == .hostToController
        var tag =
            switch sample.kind {
            case .command: names[0]
            case .event: names[1]
            default: isSent ? names[2] : names[3]
            }
        tag += ":"
        var octets = octets
        if octets.starts(with: [0x3E]), octets.count > 2, octets[2] == 2 {
            // Advertising reports have no tag, or their own, and no event code.
            octets.removeFirst()
            tag = self == .espressifOlder ? "ADV:" : ""
        }
        if self == .espressifWithTimes {
            octets = (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) } + octets
        }
        return "\(Self.hex(UInt8(truncatingIfNeeded: index))) \(tag)"
            + octets.map { Self.hex($0) + " " }.joined() + "\n"
    }

    private static func hex(_ octet: UInt8) -> String { Hex.text([octet]) }

    private static func padded(_ value: Int64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func clock(_ time: Int64, _ digits: Int) -> String {
        let seconds = time / 1_000_000
        let fraction = time % 1_000_000 / (digits == 3 ? 1000 : 1)
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
            + padded(fraction, digits)
    }

    /// Dates of November 2023 and 2026.
    private static func date(_ time: Int64, _ digits: Int) -> String {
        let days = time / 86_400_000_000
        // 2023-11-01 and 2026-11-01.
        let (year, first): (Int64, Int64) = days < 20_000 ? (2023, 19_662) : (2026, 20_758)
        return "\(year)-11-\(padded(days - first + 1, 2)) \(clock(time % 86_400_000_000, digits))"
    }

    private static func lines(_ items: [String], _ count: Int, _ separator: String = "") -> [String] {
        stride(from: 0, to: items.count, by: count).map {
            items[$0..<min($0 + count, items.count)].joined(separator: separator)
        }
    }

    /// Sixteen bytes in a line, with offsets or between bars, and their text.
    private static func dump(
        _ octets: [UInt8], indent: String, offset: String? = nil, bars: Bool = false
    ) -> String {
        stride(from: 0, to: octets.count, by: 16).map { from in
            let some = octets[from..<min(from + 16, octets.count)]
            var bytes = ""
            for place in 0..<16 {
                if place == 8 { bytes += " " }
                bytes += place < some.count ? hex(some[from + place]) + " " : "   "
            }
            let text = String(some.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "." })
            let number = String(from, radix: 16)
            let begin =
                offset.map { String(repeating: "0", count: 4 - number.utf8.count) + number + $0 } ?? ""
            return begin + bytes + (bars ? "|\(text)|" : " \(text)")
        }.joined(separator: "\n" + indent)
    }
}
