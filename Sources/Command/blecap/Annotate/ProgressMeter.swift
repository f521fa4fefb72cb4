import CommandLineKit
import WireBytes

/// Shows the progress of reading files on standard error, where that is a terminal.
struct ProgressMeter: ~Copyable {
    private var progress: Progress
    private var buffer = TextBuffer(capacity: 256)
    private var sink = DescriptorSink(borrowing: 2, name: "standard error")
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var before = 0

    /// A meter for files that are read one after the other; pipes have no length.
    init(_ paths: [String]) {
        isShown = SystemCall.isTerminal(2)
        let sizes = isShown ? paths.map { SystemCall.status(of: $0) } : []
        let known = sizes.allSatisfy { $0?.isRegular == true }
        progress = Progress(total: known ? sizes.reduce(0) { $0 + ($1?.size ?? 0) } : nil, now: 0)
    }

    private var now: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// `offset` octets of the present file have been read.
    mutating func update(_ offset: Int) {
        guard isShown else { return }
        progress.update(done: before &+ offset, now: now, into: &buffer)
        show()
    }

    /// The present file is done.
    mutating func endFile(_ offset: Int) { before &+= offset }

    /// Removes the line.
    mutating func end() {
        progress.finish(into: &buffer)
        show()
    }

    private mutating func show() {
        guard buffer.count > 0 else { return }
        // A progress line that can't be written is no reason to stop.
        try? sink.drain(&buffer)
        buffer.clear()
    }
}
