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
