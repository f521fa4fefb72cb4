import WireBytes

/// A frame in one of several files read together.
///
/// Only eight bytes, so that pending requests can keep it as cheaply as the number alone.
public struct FramePlace: Hashable, Sendable {
    /// The file's index in the highest 16 bits, the frame's number in the rest.
    ///
    /// In a single file the value equals the number.
    public var bits: UInt64

    /// Creates a place from ``bits``.
    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    /// Creates a place that names no frame.
    @inlinable
    public init() { bits = 0 }

    /// Creates a place in the file with this index (below 65536); frame numbers have 48 bits.
    @inlinable
    public init(file: Int, frame: Int) {
        bits = UInt64(truncatingIfNeeded: file) &<< 48 | UInt64(truncatingIfNeeded: frame) & 0xFFFF_FFFF_FFFF
    }

    /// The index of its file among those read together, from 0.
    @inlinable public var file: Int { Int(truncatingIfNeeded: bits &>> 48) }

    /// Its number in the file, from 1; 0 if absent.
    @inlinable public var frame: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF_FFFF) }

    /// Returns the frame's number as shown at a frame of `file`.
    ///
    /// A frame of another file is prefixed with the file's number, counted from 1, and a colon; with nil,
    /// every frame is.
    public func text(from file: Int?) -> String {
        self.file == file ? "\(frame)" : "\(self.file + 1):\(frame)"
    }
}

extension TextBuffer {
    /// Appends the frame's number as shown at a frame of `file`, like ``FramePlace/text(from:)``.
    ///
    /// With nil the file's number is always included.
    public mutating func put(_ place: FramePlace, from file: Int?) {
        if place.file != file {
            decimal(place.file + 1)
            put(0x3A)
        }
        decimal(place.frame)
    }
}

/// The numbers of the frames that carried a message, in order.
///
/// Nearly every message takes only a few, which are stored inline without an allocation.
public struct FrameNumbers: Sendable {
    private static let inPlace = 4

    /// Number of frames.
    public private(set) var count = 0
    private var first: [4 of UInt64] = .init(repeating: 0)
    private var rest: [UInt64] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of one frame.
    public init(_ frame: UInt64) { append(frame) }

    /// Creates a list of these frames.
    public init(_ frames: [UInt64]) { for frame in frames { append(frame) } }

    /// Appends the next frame.
    public mutating func append(_ frame: UInt64) {
        if count < Self.inPlace {
            first[count] = frame
        } else {
            rest.append(frame)
        }
        count &+= 1
    }
}

extension FrameNumbers: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> UInt64 {
        precondition(index < count)
        return index < Self.inPlace ? first[index] : rest[index - Self.inPlace]
    }
}

extension FrameNumbers: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Array(self)) }
}

extension FrameNumbers: ExpressibleByArrayLiteral {
    public init(arrayLiteral frames: UInt64...) {
        for frame in frames { append(frame) }
    }
}
