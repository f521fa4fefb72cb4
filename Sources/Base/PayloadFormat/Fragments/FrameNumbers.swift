import WireBytes

/// The numbers of the frames in which a message came, in their order.
///
/// Nearly every message comes in a few: those stand in place, and cost no allocation.
public struct FrameNumbers: Sendable {
    private static let inPlace = 4

    /// How many they are.
    public private(set) var count = 0
    private var first: [4 of UInt64] = .init(repeating: 0)
    private var rest: [UInt64] = []

    /// No frame yet.
    public init() {}

    /// One frame.
    public init(_ frame: UInt64) { append(frame) }

    /// These frames.
    public init(_ frames: [UInt64]) { for frame in frames { append(frame) } }

    /// Adds the next one.
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
