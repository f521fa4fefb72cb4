import BluetoothCore
import PayloadFormat
import WireBytes

/// A report with only a part of an advertisement's data, which the controller delivered in several reports.
public struct AdvertisingPart: Sendable {
    /// Index of the report in its event, from 0.
    public var report: Int
    /// The frame with the first part.
    public var firstFrame: FramePlace
    /// The data of all parts, given with the last part; nil before it, and if the parts can't be joined.
    public var whole: [UInt8]?
    /// Whether the controller says that it could not receive the rest of the data.
    public var isCut: Bool
}

/// Joins advertising data that a controller delivers in several reports.
///
/// The parts are not numbered, so all parts of an advertisement are dropped if the log lacks one of them.
/// Source: Core Specification, Vol 4, Part E, 7.7.65.13.
struct AdvertisingAssembly: Sendable {
    /// Identity of the advertisement that reports belong to.
    struct Key: Equatable, Sendable {
        var file: Int
        var adapter: UInt16
        var address: DeviceAddress
        var set: UInt8
        var isScanResponse: Bool
    }

    /// Result of adding a part.
    enum Outcome {
        /// A complete report, which continues no earlier part.
        case alone
        /// More parts follow, or the parts can't be joined.
        case part(firstFrame: FramePlace)
        case whole([UInt8], firstFrame: FramePlace)
    }

    private struct Begun: Sendable {
        var key: Key
        var firstFrame: FramePlace
        var time: Int64
        var octets: [UInt8]
        var hasHole: Bool
    }

    /// Most advertisements joined at once; a new one evicts the oldest.
    static let limit = 4
    /// Longest advertising data, in bytes.
    static let longest = 1650
    /// Longest time between two parts, in nanoseconds: more than a chain of packets takes.
    static let patience: Int64 = 3_000_000_000

    private var begun: [Begun] = []

    /// Whether no advertisement waits for more parts.
    var isEmpty: Bool { begun.isEmpty }

    /// Adds the data of a report.
    ///
    /// - Parameters:
    ///   - goesOn: whether the controller says that more data follows.
    ///   - hasHole: whether the record holds only a part of the data.
    mutating func take(
        _ key: Key, _ data: RawSpan, goesOn: Bool, hasHole: Bool, frame: FramePlace, at time: Int64
    ) -> Outcome {
        var place = begun.firstIndex { $0.key == key }
        if let old = place, isOver(begun[old], data, goesOn: goesOn, time) {
            begun.remove(at: old)
            place = nil
        }
        guard let place else {
            guard goesOn else { return .alone }
            if begun.count == Self.limit { begun.removeFirst() }
            begun.append(
                Begun(key: key, firstFrame: frame, time: time, octets: data.copied(), hasHole: hasHole))
            return .part(firstFrame: frame)
        }
        if hasHole || begun[place].octets.count &+ data.byteCount > Self.longest {
            begun[place].hasHole = true
            begun[place].octets = []
        } else {
            begun[place].octets += data.copied()
        }
        begun[place].time = time
        let all = begun[place]
        if goesOn { return .part(firstFrame: all.firstFrame) }
        begun.remove(at: place)
        if all.hasHole { return .part(firstFrame: all.firstFrame) }
        return .whole(all.octets, firstFrame: all.firstFrame)
    }

    /// Whether an advertisement has ended without its last part: it is too old, or its first part comes
    /// again.
    private func isOver(_ old: Begun, _ data: RawSpan, goesOn: Bool, _ time: Int64) -> Bool {
        let (gap, isTooLong) = time.subtractingReportingOverflow(old.time)
        if isTooLong || gap.magnitude > Self.patience.magnitude { return true }
        return goesOn && !old.octets.isEmpty && old.octets.borrowedOctets.elementsEqual(data)
    }

    /// Drops the unfinished advertisements of a file with missing records.
    mutating func dropIncomplete(file: Int) { begun.removeAll { $0.key.file == file } }
}
