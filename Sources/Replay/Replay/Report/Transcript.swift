public import BluetoothCore
public import Runtime
import WireBytes

/// The events of a replay, in a form that is equal for equal sessions: PDUs and, separately, the callbacks of
/// the tested API.
public struct Transcript: Sendable {
    /// A callback of the tested API.
    public struct Callback: Hashable, Sendable {
        public var time: Instant
        public var text: String
    }

    /// PDUs in order.
    public internal(set) var pdus: [TraceEntry] = []
    /// The host's scan and connect commands with their results, in order.
    public internal(set) var attempts: [Callback] = []
    /// Callbacks in order.
    public internal(set) var callbacks: [Callback] = []

    init() {}

    mutating func add(
        _ octets: [UInt8], _ channel: L2CAPChannelID, from side: RecordedPDU.Side, of connection: Int,
        at time: Instant, frame: Int = 0
    ) {
        pdus.append(
            TraceEntry(
                time: time, connection: connection, side: side, channel: channel, octets: octets,
                frame: frame))
    }

    /// Sets the frame with which the host's last PDU was compared.
    mutating func joinLast(to frame: Int) {
        if !pdus.isEmpty { pdus[pdus.count - 1].frame = frame }
    }

    /// Returns the last PDUs of a connection; those of set-up only if there are no others.
    func last(_ count: Int, of connection: Int) -> [TraceEntry] {
        let all = pdus.reversed().lazy.filter { $0.connection == connection }
        let exchanges = Array(all.filter { !$0.isSetUp }.prefix(count))
        return (exchanges.isEmpty ? Array(all.prefix(count)) : exchanges).reversed()
    }

    /// Returns the canonical text: three sections, a line for each entry, times in virtual microseconds.
    ///
    /// - Parameter describe: returns a description of a PDU beyond its fields.
    public func text(_ describe: ReplayOptions.Describer? = nil) -> String {
        String(decoding: octets(describe), as: UTF8.self)
    }

    /// Returns the canonical text as bytes, for hashing or writing.
    public func octets(_ describe: ReplayOptions.Describer? = nil) -> [UInt8] {
        var out = TextBuffer()
        out.put("# PDUs: virtual us, connection, sender, PDU\n")
        for entry in pdus {
            Self.put(entry.time, into: &out)
            out.put(" ")
            out.decimal(entry.connection)
            out.put(entry.side == .host ? " host " : " peer ")
            out.visible(PDUText.text(entry))
            if let more = describe?(entry) {
                out.put("  ")
                out.visible(more)
            }
            out.put("\n")
        }
        out.put("# Controller: virtual us, scan or attempt to connect\n")
        Self.put(attempts, into: &out)
        out.put("# API: virtual us, callback\n")
        Self.put(callbacks, into: &out)
        return out.octets.copied()
    }

    private static func put(_ lines: [Callback], into out: inout TextBuffer) {
        for line in lines {
            put(line.time, into: &out)
            out.put(" ")
            out.visible(line.text)
            out.put("\n")
        }
    }

    private static func put(_ time: Instant, into out: inout TextBuffer) {
        out.decimal(Int(time.nanoseconds / 1000))
    }
}

/// A PDU between the host and the far device in a replay.
public struct TraceEntry: Hashable, Sendable {
    /// Virtual time.
    public var time: Instant
    /// The connection's number in the model.
    public var connection: Int
    /// The sender.
    public var side: RecordedPDU.Side
    public var channel: L2CAPChannelID
    public var octets: [UInt8]
    /// The number of the record with which it was compared, or from which it comes; 0 without one.
    public var frame: Int

    /// Whether its opcode is one of discovery or the MTU exchange.
    ///
    /// The opcode alone decides, so this includes Read By Type Requests for values, which are compared.
    var isSetUp: Bool {
        guard channel == .attribute, let first = octets.first else { return false }
        let opcode = first == ATTOpcode.errorResponse.rawValue ? octets.dropFirst().first ?? 0 : first
        return (0x02...0x09).contains(opcode) || (0x10...0x11).contains(opcode)
    }
}
