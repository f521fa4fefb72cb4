import Dispatch

/// A queue of the program's: what tells it apart, and how blocks come on it.
package struct ProgramQueue: Equatable, Sendable {
    private enum Kind: Equatable {
        case inline
        case main
        case other(UInt)
    }

    private let kind: Kind
    package let label: String
    /// Whether what others put on it is waited for: the queues of the system are not asked.
    let isFollowed: Bool
    /// Puts a block on it; the first argument says whether as a barrier.
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

    /// A queue that the program gave to the API; the main queue where it gave none.
    init(_ queue: DispatchQueue?) {
        guard let queue, queue !== DispatchQueue.main else {
            self = .main
            return
        }
        self.init(.other(UInt(bitPattern: ObjectIdentifier(queue))), label: queue.label, isFollowed: true) {
            queue.async(flags: $0 ? .barrier : [], execute: $1)
        }
    }

    /// A queue by the address of the object in the C library.
    package init(
        address: UInt, label: String, submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.init(.other(address), label: label, isFollowed: false) { submit($1) }
    }

    /// The thread that settles.
    package static let inline = ProgramQueue(.inline, label: "inline", isFollowed: false) { $1() }

    package static let main = ProgramQueue(.main, label: "main", isFollowed: false) {
        DispatchQueue.main.async(execute: $1)
    }

    package static func == (one: Self, other: Self) -> Bool { one.kind == other.kind }
}
