import Analysis
import BluetoothCore
import CommandLineKit
import Rendering
import WireBytes

/// The filter options, parsed and checked. A frame must satisfy all that were given.
struct FrameFilter: Equatable, Sendable {
    /// A layer that a frame may contain.
    enum Layer: Hashable, Sendable {
        case hci
        case l2cap
        case att
        case smp
        /// A private protocol, by its name in lower case.
        case annotated(String)
    }

    /// 48-bit addresses of devices, on the link or as identity; empty for any.
    var peers: Set<UInt64> = []
    /// Numbers of connections, from 1; empty for any.
    var connections: Set<Int> = []
    /// Indices of adapters; empty for any.
    var adapters: Set<Int> = []
    /// Frames of one file, or of every file.
    struct Frames: Equatable, Sendable {
        /// The number of the file, from 1; nil for every file.
        var file: Int?
        var numbers: ClosedRange<Int>

        func contains(_ number: Int, ofFile index: UInt16) -> Bool {
            numbers.contains(number) && (file ?? Int(index) + 1) == Int(index) + 1
        }
    }

    /// Ranges of frame numbers; empty for any.
    var frames: [Frames] = []
    /// Earliest time that passes.
    var since: FilterTime?
    /// Latest time that passes.
    var until: FilterTime?
    /// Layers of which a frame must contain at least one; empty for any.
    var layers: Set<Layer> = []
    /// Searches of which one must find a frame; empty for any.
    var searches: [FrameSearch] = []

    /// Whether every frame passes.
    var isEmpty: Bool { self == FrameFilter() }

    init() {}

    /// Parses the filter options of a command line; profiles must be among `profileNames`.
    init(_ arguments: ParsedArguments, profileNames: [String]) throws(Failure) {
        peers = try Self.peers(arguments)
        connections = Set(try Self.numbers(arguments, .connection, 1...Int.max))
        adapters = Set(try Self.numbers(arguments, .adapter, 0...0xFFFF))
        for text in arguments.values(.frames) { frames.append(try Self.range(text)) }
        if let text = arguments.value(.frame) { frames = [try Self.range(text, of: .frame)] }
        since = try Self.time(arguments, .since)
        until = try Self.time(arguments, .until)
        for word in arguments.values(.only).flatMap({
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }) {
            layers.insert(try Self.layer(String(word), profileNames))
        }
        for text in arguments.values(.find) {
            do throws(FrameSearch.Problem) { searches.append(try FrameSearch(text)) } catch {
                throw Failure(.usage, "--find: \(error.what)", advice: error.advice)
            }
        }
    }

    /// The filter options as they were given, for a command line.
    static func words(_ arguments: ParsedArguments) -> [String] {
        let options = [OptionRow.peer, .connection, .adapter, .frames, .since, .until, .only, .find]
        return options.flatMap { option in
            arguments.values(option).flatMap { ["--\(option.long)", $0] }
        }
    }

    /// The addresses of `--peer`, as numbers.
    static func peers(_ arguments: ParsedArguments) throws(Failure) -> Set<UInt64> {
        var peers: Set<UInt64> = []
        for text in arguments.values(.peer) {
            guard let address = DeviceAddress(text) else {
                throw Failure(
                    .usage, "--peer: '\(text)' is not a device address",
                    advice: "write it as AA:BB:CC:DD:EE:FF")
            }
            peers.insert(address.value)
        }
        return peers
    }

    /// The whole numbers given to an option; an adapter may have its Linux name, such as hci0.
    static func numbers(
        _ arguments: ParsedArguments, _ option: OptionRow, _ allowed: ClosedRange<Int>
    ) throws(Failure) -> [Int] {
        var numbers: [Int] = []
        for text in arguments.values(option) {
            let digits =
                option.long == OptionRow.adapter.long && text.hasPrefix("hci") ? text.dropFirst(3) : text[...]
            guard let number = Int(digits), allowed.contains(number) else {
                throw Failure(
                    .usage,
                    "--\(option.long): '\(text)' is not a whole number of \(allowed.lowerBound) or more")
            }
            numbers.append(number)
        }
        return numbers
    }

    private static func range(
        _ text: String, of option: OptionRow = .frames
    ) throws(Failure) -> Frames {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let file = halves.count > 1 ? Int(halves[0]) : nil
        let parts = (halves.last ?? "").split(separator: "-", omittingEmptySubsequences: false)
        let low = parts.first.flatMap { $0.isEmpty ? 1 : Int($0) }
        let high = parts.last.flatMap { $0.isEmpty ? Int.max : Int($0) }
        guard parts.count <= 2, parts != ["", ""], parts != [""], halves.count == 1 || (file ?? 0) >= 1,
            let low, let high, low >= 1, low <= high, low == high || option.long == OptionRow.frames.long
        else {
            let isOne = option.long == OptionRow.frame.long
            throw Failure(
                .usage,
                "--\(option.long): '\(text)' is \(isOne ? "not a frame's number" : "not a range of frames")",
                advice: isOne
                    ? "write it as 100, of the second file as 2:100"
                    : "write it as 100-200, 100- or -200, of the second file as 2:100-200")
        }
        return Frames(file: file, numbers: low...high)
    }

    private static func time(
        _ arguments: ParsedArguments, _ option: OptionRow
    ) throws(Failure) -> FilterTime? {
        guard let text = arguments.value(option) else { return nil }
        guard let time = FilterTime(text) else {
            throw Failure(
                .usage, "--\(option.long): '\(text)' is not a time",
                advice: "write it as 2026-11-21T09:30:00Z, 09:30:00 or +12.5")
        }
        return time
    }

    /// The names of layers.
    static let layers = ["hci", "l2cap", "att", "smp"] + PrivateProtocol.layers

    private static func layer(_ word: String, _ profileNames: [String]) throws(Failure) -> Layer {
        let known = layers + profileNames
        switch word.lowercased() {
        case "hci": return .hci
        case "l2cap": return .l2cap
        case "att": return .att
        case "smp": return .smp
        case "":
            throw Failure(
                .usage, "--only: empty layer name", advice: "write it as att or att,smp")
        case let name:
            if known.contains(where: { $0.lowercased() == name }) { return .annotated(name) }
        }
        let near = Suggestion.nearest(to: word, in: known).map { "did you mean '\($0)'?" }
        throw Failure(
            .usage, "--only: '\(word)' is neither a layer nor a profile",
            advice: near ?? "known: \(known.joined(separator: ", "))")
    }
}

// An empty result because nothing passed the filter; the reason is reported on standard error.

extension Failure {
    /// Most devices, layers and characteristics listed.
    private static let mostListed = 8

    /// Notice that no record passed a command line's filters, with the values that exist; nil if records
    /// passed, or the log was empty.
    init?(passed: Int, _ arguments: ParsedArguments, _ analyzer: borrowing Analyzer) {
        let words = FrameFilter.words(arguments)
        let records = analyzer.totals.records
        guard passed == 0, records > 0, !words.isEmpty else { return nil }
        var facts: [String] = []
        if arguments.has(.connection) { facts.append(Self.connections(analyzer.connectionCount)) }
        if arguments.has(.peer) { facts.append(Self.peers(analyzer)) }
        if arguments.has(.adapter) {
            facts.append("there are adapters " + Self.list(analyzer.everyAdapter.map { "\($0)" }))
        }
        if arguments.has(.only) { facts.append(Self.layers(analyzer.totals)) }
        if arguments.has(.find) { facts.append(Self.attributes(analyzer)) }
        if arguments.has(.since) || arguments.has(.until) { facts += Self.span(analyzer.totals) }
        if arguments.has(.frames) {
            facts.append(
                "there \(records == 1 ? "is" : "are") "
                    + records.counting("frame") + " in all")
        }
        self.init(
            .success, "no frame passes " + words.map(Shell.quoted).joined(separator: " "),
            advice: facts.isEmpty ? nil : facts.joined(separator: "; "))
    }

    private static func connections(_ count: Int) -> String {
        switch count {
        case 0: "there is no connection"
        case 1: "there is one connection, number 1"
        default: "there are connections 1 to \(count)"
        }
    }

    private static func peers(_ analyzer: borrowing Analyzer) -> String {
        let all = analyzer.connectedPeers
        guard !all.isEmpty else { return "no connection's device is known" }
        return "the connections are with " + list(all.map { "\($0)" })
    }

    private static func layers(_ totals: CaptureStatistics) -> String {
        let counts = [
            ("hci", totals.commands + totals.events), ("l2cap", totals.l2cap), ("att", totals.att),
            ("smp", totals.smp),
        ].filter { $0.1 > 0 }
        return counts.isEmpty ? "the log has none of the layers" : "the log has " + list(counts.map(\.0))
    }

    /// The characteristics that were discovered, since a search often names one.
    private static func attributes(_ analyzer: borrowing Analyzer) -> String {
        let known = analyzer.everyDatabase.flatMap(\.services).flatMap(\.characteristics)
        let all = known.compactMap { one -> String? in
            guard let uuid = one.uuid else { return nil }
            return "\(uuid) (\(String(hex: UInt64(one.value), digits: 4)))"
        }
        return all.isEmpty ? "no attribute's UUID is known" : "characteristics in the log: " + list(all)
    }

    private static func span(_ totals: CaptureStatistics) -> [String] {
        guard let first = totals.first, let last = totals.last else { return [] }
        var out = TextBuffer(capacity: 64)
        out.put("the log is from ")
        out.put(utc: first, digits: 3)
        out.put(" to ")
        out.put(utc: last, digits: 3)
        return [out.text]
    }

    private static func list(_ all: [String]) -> String {
        let more = all.count > mostListed ? " and \(all.count - mostListed) more" : ""
        return all.prefix(mostListed).joined(separator: ", ") + more
    }
}
