import WireBytes

/// A frame as a reader finds it, among those of several files that are read together: eight bytes, so that
/// what waits for an answer keeps it at no more cost than the number alone.
public struct FramePlace: Hashable, Sendable {
    /// The index of the file in the highest 16 bits, the frame's number in the rest: of a file that is read
    /// alone it is the number.
    public var bits: UInt64

    /// A place by ``bits``.
    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    /// No frame.
    @inlinable
    public init() { bits = 0 }

    /// A frame of the file with this index, below 65536; numbers have 48 bits.
    @inlinable
    public init(file: Int, frame: Int) {
        bits = UInt64(truncatingIfNeeded: file) &<< 48 | UInt64(truncatingIfNeeded: frame) & 0xFFFF_FFFF_FFFF
    }

    /// The index of its file among those read together, from 0.
    @inlinable public var file: Int { Int(truncatingIfNeeded: bits &>> 48) }

    /// Its number in the file, from 1; 0 if absent.
    @inlinable public var frame: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF_FFFF) }

    /// What names it to a reader of a frame of `file`: its number, and before it that of its file, counted
    /// from 1, and a colon, if that is another; always with nil.
    public func text(from file: Int?) -> String {
        self.file == file ? "\(frame)" : "\(self.file + 1):\(frame)"
    }
}

extension TextBuffer {
    /// Appends what names a frame to a reader of a frame of `file`, as ``FramePlace/text(from:)`` has it;
    /// with nil the file's number always stands before it.
    public mutating func put(_ place: FramePlace, from file: Int?) {
        if place.file != file {
            decimal(place.file + 1)
            put(0x3A)
        }
        decimal(place.frame)
    }
}
