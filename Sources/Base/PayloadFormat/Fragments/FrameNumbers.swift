import WireBytes

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
