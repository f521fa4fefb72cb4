public import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// The choice of frames for a page without room for all of them, made by a first pass over the log.
///
/// Frames that explain the verdict come first, then the rest of their connections, other frames, and last
/// advertising and housekeeping. Frames left out of a share are spread evenly over the log.
public struct PagePlan: Sendable {
    /// The kinds of frames, those with the first claim to room first.
    enum Share: Int, CaseIterable {
        case evidence
        case failing
        case other
        case folded
    }

    /// Approximate bytes of the page for each frame.
    static let bytesPerFrame = 160
    /// Number of frames shown before and after each frame of the verdict.
    static let surroundings = 200
    /// Limit of the verdict's frames that are shown with their surroundings.
    private static let placeLimit = 48
    /// Number of frames shown before and after each further occurrence of a problem of the verdict.
    private static let nearby = 20
    /// Limit of these occurrences.
    private static let occurrenceLimit = 400
    /// Number of equal parts of the log's time in which omitted frames are counted.
    static let bins = 256
    /// Number of neighboring frames that are kept or omitted together, so that the page shows readable
    /// passages.
    private static let run = 64

    private var framesOfConnection: [Int: Int] = [:]
    private var folded = 0
    private var first: Int64?
    private var last: Int64 = 0
    private var occurrences = PageOccurrences()
    private var surroundings = FrameRanges()
    private var failing: Set<Int> = []
    /// Number of frames in each share: all, those that fit, and those that the second pass has reached.
    private var counts = [Int](repeating: 0, count: Share.allCases.count)
    private var rooms = [Int](repeating: 0, count: Share.allCases.count)
    private var met = [Int](repeating: 0, count: Share.allCases.count)
    /// Whether each share's present run of frames is kept: see ``keepsPace(_:used:)``.
    private var isOnPace = [Bool](repeating: true, count: Share.allCases.count)
    /// Number of frames of the log, and those that the second pass has reached.
    private var frames = (all: 0, reached: 0)
    /// Whether the log may need more room than the page has, if its frames are larger than assumed.
    private var isTight = false

    public init() {}

    /// Counts the analyser's last frame, in the first pass.
    public mutating func take(_ analyzer: borrowing Analyzer) {
        let time = analyzer.frame.time.nanoseconds
        if first == nil { first = time }
        last = max(last, time)
        occurrences.take(analyzer)
        guard !Self.isFolded(analyzer) else {
            folded += 1
            return
        }
        framesOfConnection[analyzer.linkNumber ?? 0, default: 0] += 1
    }

    /// Distributes the room of a page, in bytes, after the first pass.
    public mutating func finish(_ analyzer: borrowing Analyzer, limit: Int) {
        let totals = analyzer.shownTotals
        let named = Verdict.failures(analyzer, totals) + Verdict.overcome(totals)
        for place in named.flatMap({ [$0.place] + $0.consequences.map(\.place) }).prefix(Self.placeLimit) {
            surroundings.add(place, with: Self.surroundings)
        }
        let further = named.flatMap { occurrences.places(of: $0) }
        for (_, place) in further.prefix(Self.occurrenceLimit) {
            surroundings.add(place, with: Self.nearby)
        }
        surroundings.merge()
        let links = analyzer.listedLinks
        let next = named.compactMap { Verdict.reconnection(after: $0, links)?.link.number }
        failing = Set(named.map(\.connection) + further.map(\.connection) + next).subtracting([0])
        let ofFailing = failing.reduce(0) { $0 + (framesOfConnection[$1] ?? 0) }
        counts = [
            surroundings.count, ofFailing,
            framesOfConnection.values.reduce(0, +) - ofFailing, folded,
        ]
        frames.all = framesOfConnection.values.reduce(0, +) + folded
        isTight = frames.all * Self.bytesPerFrame > limit / 2
        var left = limit / Self.bytesPerFrame
        for share in Share.allCases {
            // Advertising gets at most half of the room that is left.
            let most = share == .folded && counts[share.rawValue] > left ? left / 2 : left
            rooms[share.rawValue] = share == .evidence ? counts[0] : min(counts[share.rawValue], most)
            left = max(0, left - rooms[share.rawValue])
        }
    }

    /// Returns the share of the analyser's last frame, and whether the page has room for that frame.
    ///
    /// - Parameter used: the used part of the page's room, from 0 to 1.
    mutating func claim(_ analyzer: borrowing Analyzer, used: Double) -> (share: Share, hasRoom: Bool) {
        let share = share(analyzer)
        let index = met[share.rawValue]
        met[share.rawValue] += 1
        frames.reached += 1
        if index % Self.run == 0 { isOnPace[share.rawValue] = keepsPace(share, used: used) }
        let (count, room) = (counts[share.rawValue], rooms[share.rawValue])
        guard isOnPace[share.rawValue] else { return (share, false) }
        guard share != .evidence, room < count else { return (share, true) }
        let (block, blocks) = (index / Self.run, (count + Self.run - 1) / Self.run)
        let kept = room / Self.run
        return (share, (block + 1) * kept / blocks > block * kept / blocks)
    }

    /// Whether the page uses its room no faster than the log passes, so that frames larger than assumed don't
    /// leave the end of the log without room; frames of failing connections are not held back.
    private func keepsPace(_ share: Share, used: Double) -> Bool {
        let ahead = [Share.other: 0.1, .folded: 0.05][share]
        guard isTight, let ahead else { return true }
        return used <= Double(frames.reached) / Double(max(1, frames.all)) + ahead
    }

    private mutating func share(_ analyzer: borrowing Analyzer) -> Share {
        if surroundings.contains(analyzer.frame.place) { return .evidence }
        if Self.isFolded(analyzer) { return .folded }
        return failing.contains(analyzer.linkNumber ?? 0) ? .failing : .other
    }

    /// Returns the part of the log's time that contains a moment, from 0 to ``bins`` - 1.
    func bin(of time: Int64) -> Int {
        guard let first, last > first else { return 0 }
        let share = Double(time &- first) / Double(last &- first)
        return max(0, min(Self.bins - 1, Int(share * Double(Self.bins))))
    }

    static func isFolded(_ analyzer: borrowing Analyzer) -> Bool {
        analyzer.frame.fold != .none && analyzer.problems.isEmpty
    }
}

/// Ranges of frames, which are asked for in the order of each file.
private struct FrameRanges {
    private var numbers: [Int: [ClosedRange<Int>]] = [:]
    /// The index of each file's first range that does not end before the last frame asked for.
    private var next: [Int: Int] = [:]

    /// Adds a frame with its neighbors on both sides.
    mutating func add(_ place: FramePlace, with neighbors: Int) {
        numbers[place.file, default: []].append(max(1, place.frame - neighbors)...place.frame + neighbors)
    }

    /// Joins ranges that overlap, after the last one was added.
    mutating func merge() {
        numbers = numbers.mapValues { ranges in
            ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
                guard let last = merged.last, range.lowerBound <= last.upperBound + 1 else {
                    return merged.append(range)
                }
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            }
        }
    }

    /// The number of frames.
    var count: Int { numbers.values.joined().reduce(0) { $0 + $1.count } }

    mutating func contains(_ place: FramePlace) -> Bool {
        guard let ranges = numbers[place.file] else { return false }
        var index = next[place.file] ?? 0
        while index < ranges.count, ranges[index].upperBound < place.frame { index += 1 }
        next[place.file] = index
        return index < ranges.count && ranges[index].contains(place.frame)
    }
}

/// The frames that a page omits for lack of room.
struct PageOmission {
    private var folded = 0
    private var others = 0
    private var firstFolded: FramePlace?
    private var firstOther: FramePlace?
    /// Number of omitted frames in each part of the log's time; empty without omissions, or if the parts are
    /// unknown.
    private(set) var bins: [Int] = []
    /// The same of frames that are neither advertising nor housekeeping.
    private(set) var otherBins: [Int] = []

    mutating func add(_ place: FramePlace, isFolded: Bool, bin: Int?) {
        if let bin {
            if bins.isEmpty {
                bins = [Int](repeating: 0, count: PagePlan.bins)
                otherBins = bins
            }
            bins[bin] += 1
            otherBins[bin] += isFolded ? 0 : 1
        }
        if isFolded {
            folded += 1
            if firstFolded == nil { firstFolded = place }
        } else {
            others += 1
            if firstOther == nil { firstOther = place }
        }
    }

    /// Returns a sentence about the omitted frames and the options to see them; nil without omissions.
    func sentence(shown: Int) -> String? {
        var parts: [String] = []
        if let firstFolded {
            let what = folded.counting("frame") + " of advertising and housekeeping"
            parts.append("\(what), the first at frame \(firstFolded.text(from: 0))")
        }
        if let firstOther {
            parts.append("\(others.counting("other frame")), the first at frame \(firstOther.text(from: 0))")
        }
        guard !parts.isEmpty else { return nil }
        return "This page has room for \(shown.counting("frame")) of the log. Left out: "
            + parts.joined(separator: "; ")
            + (bins.isEmpty
                ? "." : "; the timeline shows where. The frames around each failure are all here.")
            + " The verdict and the counts are about all frames. From the log, a page of others can be made: "
            + "blecap report LOG --frames A-B, --since, --until, --connection, --peer, --only or --find."
    }
}

/// The fragments whose bytes may be shown. Those of the Security Manager (channels 6 and 7) and a vendor's
/// data may be keys, so no output has them.
struct PageFragments {
    private var isOpen: [UInt64: Bool] = [:]

    /// Whether the bytes of a packet of data may be shown. Must be called for every packet, in order.
    mutating func mayShow(_ octets: RawSpan, _ header: RecordHeader, isVendor: Bool) -> Bool {
        guard !isVendor, let word = octets.u16le(at: 0) else { return false }
        let adapter = UInt64(header.file) << 16 | UInt64(header.adapter)
        let way: UInt64 = header.direction == .hostToController ? 1 : 0
        let key = adapter << 16 | UInt64(word & 0x0FFF) << 1 | way
        // The boundary flag 1 marks a continuation.
        if word >> 12 & 3 != 1 {
            let channel = octets.u16le(at: 6).map { L2CAPChannelID(rawValue: $0) }
            isOpen[key] = channel.map { $0.rawValue != 6 && $0.rawValue != 7 } ?? false
        }
        return isOpen[key] ?? false
    }
}
