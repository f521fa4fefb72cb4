public import Runtime
import WireBytes

/// What passed in a replay, in a form that is the same for the same session: what went over the links, and
/// apart from it what the API under test called back.
public struct Transcript: Sendable {
    /// A callback of the API under test.
    public struct Callback: Hashable, Sendable {
        public var time: Instant
        public var text: String

        public init(time: Instant, text: String) {
            self.time = time
            self.text = text
        }
    }

    /// PDUs in the order in which they passed.
    public internal(set) var pdus: [TraceEntry] = []
    /// The host's commands to scan and to connect with their results, in order.
    public internal(set) var attempts: [Callback] = []
    /// Callbacks in the order in which they came.
    public internal(set) var callbacks: [Callback] = []

    init() {}

    /// The last PDUs of one connection; those of discovery only where there are no others.
    func last(_ count: Int, of connection: Int) -> [TraceEntry] {
        let all = pdus.reversed().lazy.filter { $0.connection == connection }
        let exchanges = Array(all.filter { !$0.isDiscovery }.prefix(count))
        return (exchanges.isEmpty ? Array(all.prefix(count)) : exchanges).reversed()
    }

    /// The canonical text: three sections, one line for each entry, times in virtual microseconds.
    ///
    /// - Parameter describe: says more about a PDU than its fields do.
    public func text(_ describe: ReplayOptions.Describer? = nil) -> String {
        String(decoding: octets(describe), as: UTF8.self)
    }

    /// The canonical text as octets, to be hashed or written.
    public func octets(_ describe: ReplayOptions.Describer? = nil) -> [UInt8] {
        var out = TextBuffer()
        out.put("# PDUs: virtual us, connection, sender, PDU\n")
        for entry in pdus {
            Self.put(entry.time, into: &out)
            out.put(" ")
            out.decimal(entry.connection)
            out.put(entry.side == .host ? " host " : " peer ")
            out.put(PDUText.text(entry))
            if let more = describe?(entry) {
                out.put("  ")
                out.put(more)
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
            out.put(line.text)
            out.put("\n")
        }
    }

    private static func put(_ time: Instant, into out: inout TextBuffer) {
        out.decimal(Int(time.nanoseconds / 1000))
    }
}
