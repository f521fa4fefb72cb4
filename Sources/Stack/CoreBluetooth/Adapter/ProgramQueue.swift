import Dispatch

/// A queue of the program: its identity, and the way to submit blocks to it.
package struct ProgramQueue: Equatable, Sendable {
    private enum Kind: Equatable {
        case inline
        case main
        case other(UInt)
    }

    private let kind: Kind
    package let label: String
    /// Whether blocks that others put on it are awaited; system queues are not.
    let isFollowed: Bool
    /// Submits a block; the first argument says whether as a barrier.
    let submit: @Sendable (Bool, @escaping @Sendable () -> Void) -> Void

    private init(
        _ kind: Kind, label: String, isFollowed: Bool,
        submit: @escaping @Sendable (Bool, @escaping @Sendable () -> Void) -> Void
    ) {
        self.kind = kind
        self.label = label
        self.isFollowed = isFollowed
        self.submit = submit
    }

    /// Wraps a queue that the program gave to the API; nil is the main queue.
    init(_ queue: DispatchQueue?) {
        guard let queue, queue.getSpecific(key: Self.mainKey) == nil else {
            self = .main
            return
        }
        self.init(.other(UInt(bitPattern: ObjectIdentifier(queue))), label: queue.label, isFollowed: true) {
            queue.async(flags: $0 ? .barrier : [], execute: $1)
        }
    }

    // `DispatchQueue.main` is another object each time on Linux.
    private static let mainKey = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is a block of the main queue.
    package static var isCurrentMain: Bool { DispatchQueue.getSpecific(key: mainKey) != nil }

    /// Wraps a queue known by the address of its object in the C library.
    package init(
        address: UInt, label: String, submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.init(.other(address), label: label, isFollowed: false) { submit($1) }
    }

    /// The settling thread itself.
    package static let inline = ProgramQueue(.inline, label: "inline", isFollowed: false) { $1() }

    package static let main = ProgramQueue(.main, label: "main", isFollowed: false) {
        DispatchQueue.main.async(execute: $1)
    }

    package static func == (one: Self, other: Self) -> Bool { one.kind == other.kind }
}
