import BluetoothCore
import CommandLineKit
import MonitorCapture
import Rendering
import WireBytes

/// The command `blecap devices`: lists the adapters of this machine, and the permitted uses of each.
struct Devices {
    let arguments: ParsedArguments
    let console: Console

    func run() throws(Failure) -> ExitStatus {
        let adapters = try Failure.reporting { () throws(MonitorError) in try Adapter.all() }
        let capabilities = Capabilities.effective
        var out = TextBuffer()
        if arguments.value(.listFormat) == "ndjson" {
            for adapter in adapters { DeviceText.json(adapter, capabilities, into: &out) }
        } else {
            if !adapters.isEmpty { DeviceText.header(into: &out) }
            for adapter in adapters { DeviceText.line(adapter, capabilities, into: &out) }
        }
        try arguments.environment.write(&out)
        if adapters.isEmpty { console.say("no adapter; 'blecap record' records one as soon as it appears") }
        return .success
    }
}

/// Permission of a command to use an adapter.
struct Permission: Equatable, Sendable {
    /// Missing requirements, in words; nil if absent.
    var missing: String?

    /// Recording needs one capability, in any state of the adapter.
    static func record(_ capabilities: Capabilities) -> Permission {
        Permission(missing: capabilities.contains(.netRaw) ? nil : "CAP_NET_RAW")
    }

    /// Exclusive use needs another one, and an adapter that is down and unused.
    static func drive(_ adapter: Adapter, _ capabilities: Capabilities) -> Permission {
        var missing: [String] = []
        if !capabilities.contains(.netAdmin) { missing.append("CAP_NET_ADMIN") }
        if adapter.isRaw {
            missing.append("another program to release it")
        } else if adapter.isUp {
            missing.append("the adapter powered off")
        }
        return Permission(missing: missing.isEmpty ? nil : missing.joined(separator: " and "))
    }
}

/// An adapter as a line of text or JSON.
enum DeviceText {
    private static let columns = [8, 19, 9, 7, 28]

    static func header(into out: inout TextBuffer) {
        row(["name", "address", "bus", "state", "flags"], "may", into: &out)
    }

    static func line(_ adapter: Adapter, _ capabilities: Capabilities, into out: inout TextBuffer) {
        let address = adapter.address.value == 0 ? "-" : "\(adapter.address)"
        let state = adapter.isRaw ? "taken" : adapter.isUp ? "up" : "down"
        let flags = adapter.flagNames.joined(separator: ",")
        let may = [("record", Permission.record(capabilities)), ("drive", .drive(adapter, capabilities))]
            .map { name, permission in permission.missing.map { "\(name): needs \($0)" } ?? "\(name): yes" }
        row(
            [adapter.name, address, adapter.busName, state, flags.isEmpty ? "-" : flags],
            may.joined(separator: "; "), into: &out)
    }

    private static func row(_ cells: [String], _ last: String, into out: inout TextBuffer) {
        for (cell, width) in zip(cells, columns) {
            let begin = out.count
            out.put(cell)
            out.pad(from: begin, to: width)
        }
        out.put(last)
        out.put(0x0A)
    }

    /// Appends one object: the adapter, and for each command whether it is permitted, or what is missing.
    static func json(_ adapter: Adapter, _ capabilities: Capabilities, into out: inout TextBuffer) {
        out.line("device")
        out.member("adapter", adapter.index)
        out.member("name", adapter.name)
        if adapter.address.value != 0 { out.member("address", adapter.address) }
        out.member("bus", adapter.busName)
        out.member("state", adapter.isRaw ? "taken" : adapter.isUp ? "up" : "down")
        out.member("flags", adapter.flagNames)
        put("record", .record(capabilities), into: &out)
        put("drive", .drive(adapter, capabilities), into: &out)
        out.put("}\n")
    }

    private static func put(_ name: StaticText, _ permission: Permission, into out: inout TextBuffer) {
        out.object(name)
        out.member("allowed", permission.missing == nil)
        out.member("missing", permission.missing)
        out.endObject()
    }
}
