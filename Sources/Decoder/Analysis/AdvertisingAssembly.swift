import BluetoothCore
import PayloadFormat
import WireBytes

/// A report whose data are only a part of an advertisement's: the controller gave them in several.
public struct AdvertisingPart: Sendable {
    /// Which report of the event it is, from 0.
    public var report: Int
    /// The frame with the first part.
    public var firstFrame: FramePlace
    /// The data of all parts, with the last of them; nil before it, and where they can't be put together.
    public var whole: [UInt8]?
    /// Whether the controller says that it could not get the rest of the data.
    public var isCut: Bool
}

/// Puts advertising data together that a controller hands over in several reports.
///
/// Nothing numbers the parts, so what can't be the start of anything is no data: parts of which one is not in
/// the log are given up. Source: Core Specification, Vol 4, Part E, 7.7.65.13.
struct AdvertisingAssembly: Sendable {
    /// Which reports belong together.
    struct Key: Equatable, Sendable {
        var file: Int
        var adapter: UInt16
        var address: DeviceAddress
        var set: UInt8
        var isScanResponse: Bool
    }

    /// What a part brings.
    enum Outcome {
        /// Not a part: there is no beginning that it continues.
        case alone
        /// More is to come, or what there is can't be put together.
        case part(firstFrame: FramePlace)
        /// All parts are there.
        case whole([UInt8], firstFrame: FramePlace)
    }

    private struct Begun: Sendable {
        var key: Key
        var firstFrame: FramePlace
        var time: Int64
        var octets: [UInt8]
        var hasHole: Bool
    }

    /// How many advertisements are put together at once; the oldest is given up for another.
    static let limit = 4
    /// Octets of the longest advertising data.
    static let longest = 1650
    /// Nanoseconds after which no further part belongs to those before: more than a chain of packets takes.
    static let patience: Int64 = 3_000_000_000

    private var begun: [Begun] = []

    /// Whether nothing waits for more.
    var isEmpty: Bool { begun.isEmpty }

    /// Takes the data of a report.
    ///
    /// - Parameters:
    ///   - goesOn: whether the controller says that more is to come.
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

    /// Whether what began has ended without its last part: too long ago, or its first part comes once more.
    private func isOver(_ old: Begun, _ data: RawSpan, goesOn: Bool, _ time: Int64) -> Bool {
        let (gap, isTooLong) = time.subtractingReportingOverflow(old.time)
        if isTooLong || gap.magnitude > Self.patience.magnitude { return true }
        return goesOn && !old.octets.isEmpty && old.octets.borrowedOctets.elementsEqual(data)
    }

    /// Gives up what has begun in a file of which records are missing.
    mutating func lose(file: Int) { begun.removeAll { $0.key.file == file } }
}
