import Analysis
import BluetoothCore
import CaptureFile
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

    /// The devices; empty for any.
    var peers = PeerChoice()
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

        /// Whether the file with this index and this number of frames has some of them.
        func areIn(_ count: Int, ofFile index: Int) -> Bool {
            numbers.lowerBound <= count && (file ?? index + 1) == index + 1
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
        peers = try PeerChoice(arguments)
        connections = Set(try Self.numbers(arguments, .connection, 1...Int.max))
        adapters = Set(try Self.numbers(arguments, .adapter, 0...0xFFFF))
        for text in arguments.values(.frames) { frames.append(try Self.range(text)) }
        if let text = arguments.value(.frame) { frames = [try Self.range(text, of: .frame)] }
        since = try Self.time(arguments, .since)
        until = try Self.time(arguments, .until)
        if let since, let until, until.isBefore(since) {
            throw Failure(.usage, "--until is a time before --since", advice: "exchange them")
        }
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

    /// The whole numbers given to an option; an adapter may have its Linux name, such as hci0.
    static func numbers(
        _ arguments: ParsedArguments, _ option: OptionRow, _ allowed: ClosedRange<Int>
    ) throws(Failure) -> [Int] {
        var numbers: [Int] = []
        for text in arguments.values(option) {
            let digits =
                option.long == OptionRow.adapter.long && text.hasPrefix("hci") ? text.dropFirst(3) : text[...]
            guard let number = Int(digits), allowed.contains(number) else {
                let advice: [String: String] = [
                    OptionRow.connection.long: "'blecap info FILE' shows the connections by their numbers",
                    OptionRow.adapter.long: "write it as 0 or hci0",
                ]
                throw Failure(
                    .usage,
                    "--\(option.long): '\(text)' is not a whole number of \(allowed.lowerBound) or more",
                    advice: advice[option.long])
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
            guard option.long != OptionRow.frame.long else {
                let isRange = parts.count == 2 && low.map { $0 < high ?? 0 } == true
                throw Failure(
                    .usage, "--frame: '\(text)' is not a frame's number",
                    advice: isRange
                        ? "--frames \(text) shows several" : "write it as 100, of the second file as 2:100")
            }
            if let low, let high, low > high, low >= 1, parts.count == 2 {
                let file = file.map { "\($0):" } ?? ""
                throw Failure(
                    .usage, "--\(option.long): '\(text)' ends before it begins",
                    advice: "write it as \(file)\(high)-\(low)")
            }
            throw Failure(
                .usage, "--\(option.long): '\(text)' is not a range of frames",
                advice: "write it as 100-200, 100- or -200, of the second file as 2:100-200")
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

    /// The layers that every log may have, by their names.
    static let namedLayers: [(name: String, layer: Layer)] =
        [("hci", .hci), ("l2cap", .l2cap), ("att", .att), ("smp", .smp)]
        + PrivateProtocol.layers.map { ($0, .annotated($0)) }

    /// The names of layers.
    static let layers = namedLayers.map(\.name)

    private static func layer(_ word: String, _ profileNames: [String]) throws(Failure) -> Layer {
        let name = word.lowercased()
        guard !name.isEmpty else {
            throw Failure(.usage, "--only: empty layer name", advice: "write it as att or att,smp")
        }
        if let named = namedLayers.first(where: { $0.name == name }) { return named.layer }
        if profileNames.contains(where: { $0.lowercased() == name }) { return .annotated(name) }
        if FrameSearch.operationWords.contains(name) {
            let advice = "--find \(name) finds its frames"
            throw Failure(.usage, "--only: '\(word)' is not a layer", advice: advice)
        }
        throw Failure(
            .usage, "--only: '\(word)' is neither a layer nor a profile", nearestTo: word,
            in: layers + profileNames,
            else: "layers: \(layers.joined(separator: ", ")); profiles: 'blecap profile list'")
    }
}

/// The devices of `--peer`, each by its address or its name.
struct PeerChoice: Equatable, Sendable {
    /// 48-bit addresses, on the link or as identity.
    private(set) var addresses: Set<UInt64> = []
    /// Names, in lower case.
    private var names: Set<String> = []
    /// Numbers of connections with devices of these names, whose address the log may lack.
    private var connections: Set<Int> = []

    var isEmpty: Bool { self == PeerChoice() }

    init() {}

    init(_ arguments: ParsedArguments) throws(Failure) {
        for text in arguments.values(.peer) {
            if let address = DeviceAddress(text) {
                addresses.insert(address.value)
                // Some devices have their address as their name.
                if !text.contains(":") { names.insert(text.lowercased()) }
            } else if text.isEmpty || text.contains(":") && text.allSatisfy({ $0 == ":" || $0.isHexDigit }) {
                throw Failure(
                    .usage, "--peer: '\(text)' is not a device address",
                    advice: "write it as AA:BB:CC:DD:EE:FF, or give the device's name")
            } else {
                names.insert(text.lowercased())
            }
        }
    }

    /// Returns the choice with the addresses of the named devices, which the files may show only after the
    /// first frames; from a pipe, which can't be read twice, a device's frames count from its name on.
    func resolved(in paths: [String], asOneLog isOneLog: Bool, _ knowledge: AnalysisKnowledge) -> PeerChoice {
        guard !names.isEmpty, paths.allSatisfy({ SystemCall.status(of: $0)?.isRegular == true }),
            var set = try? CaptureSet(paths: paths, asOneLog: isOneLog)
        else { return self }
        var resolved = self
        var analyzer = Analyzer(knowledge)
        while (try? set.advance()) == true {
            let log = set.log
            analyzer.analyze(set.record(), file: log)
            guard let link = FrameSelector.link(analyzer), names(link, analyzer) else { continue }
            resolved.connections.insert(link.number)
            for address in [link.address, link.identity] where address != nil {
                resolved.addresses.insert(address?.value ?? 0)
            }
        }
        for advertiser in analyzer.advertisers.all where holds(advertiser.address, analyzer) {
            resolved.addresses.insert(advertiser.address.value)
        }
        return resolved
    }

    /// Whether a connection is with one of the devices.
    func holds(_ link: Link, _ analyzer: borrowing Analyzer) -> Bool {
        holds(number: link.number, link.address) || names(link, analyzer)
    }

    /// Whether the connection with this number and address is with one of the devices.
    func holds(number: Int, _ address: DeviceAddress?) -> Bool {
        connections.contains(number) || address.map { addresses.contains($0.value) } ?? false
    }

    /// Whether an address is that of one of the devices.
    func holds(_ address: DeviceAddress, _ analyzer: borrowing Analyzer) -> Bool {
        if addresses.contains(address.value) { return true }
        guard !names.isEmpty, let name = Verdict.shownName(of: address, analyzer) else { return false }
        return names.contains(name.lowercased())
    }

    private func names(_ link: Link, _ analyzer: borrowing Analyzer) -> Bool {
        guard !names.isEmpty, let name = Verdict.shownName(of: link, analyzer) else { return false }
        return names.contains(name.lowercased())
    }
}

// An empty result because nothing passed the filter; the reason is reported on standard error.

extension Failure {
    /// Most devices, layers and characteristics listed.
    private static let mostListed = 8

    /// Notice that no record passed a command line's filters, with the values that exist; nil if records
    /// passed, or the log was empty.
    ///
    /// - Parameter layers: the layers of the log's frames.
    init?(
        passed: Int, _ arguments: ParsedArguments, _ analyzer: borrowing Analyzer, layers: Set<String>
    ) {
        let words = FrameFilter.words(arguments)
        let records = analyzer.totals.records
        guard passed == 0, records > 0, !words.isEmpty else { return nil }
        var facts: [String] = []
        if arguments.has(.connection) { facts.append(Self.connections(analyzer.connectionCount)) }
        if arguments.has(.peer) { facts += Self.peers(analyzer) }
        if arguments.has(.adapter) {
            facts.append("there are adapters " + Self.list(analyzer.everyAdapter.map { "\($0)" }))
        }
        if arguments.has(.only) { facts.append(Self.text(layers)) }
        if arguments.has(.find) { facts += Self.attributes(analyzer, arguments.values(.find)) }
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

    /// The devices of connections, and the other advertisers that have a name.
    private static func peers(_ analyzer: borrowing Analyzer) -> [String] {
        func named(_ address: DeviceAddress) -> String {
            Verdict.shownName(of: address, analyzer).map { "\(address) \"\($0)\"" } ?? "\(address)"
        }
        let all = analyzer.connectedPeers
        let connected = Set(all.map(\.value))
        let others = analyzer.advertisers.all.filter { other in
            !other.name.isEmpty
                && ![other.address, other.identity].contains { connected.contains($0?.value ?? 0) }
        }
        let first =
            all.isEmpty
            ? "no connection's device is known" : "the connections are with " + list(all.map(named))
        return [first]
            + (others.isEmpty ? [] : ["others advertised: " + list(others.map { named($0.address) })])
    }

    private static func text(_ layers: Set<String>) -> String {
        let known = FrameFilter.layers.filter { layers.contains($0) }
        let all = known + layers.subtracting(known).sorted()
        return all.isEmpty ? "the log has none of the layers" : "the log has " + list(all)
    }

    /// The characteristics that were discovered, since a search often names one, and the operation that a
    /// misspelt word of a search may mean.
    private static func attributes(_ analyzer: borrowing Analyzer, _ searches: [String]) -> [String] {
        let known = analyzer.everyDatabase.flatMap(\.services).flatMap(\.characteristics)
        let all = known.compactMap { one -> String? in
            guard let uuid = one.uuid else { return nil }
            return "\(uuid) (\(String(hex: UInt64(one.value), digits: 4)))"
        }
        let words = searches.flatMap { $0.lowercased().split(separator: " ").map(String.init) }
        let operations = FrameSearch.operationWords
        let near = words.lazy.filter { !operations.contains($0) }
            .compactMap { Suggestion.nearest(to: $0, in: operations) }.first
        return [all.isEmpty ? "no attribute's UUID is known" : "characteristics in the log: " + list(all)]
            + (near.map { ["did you mean '\($0)'?"] } ?? [])
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
