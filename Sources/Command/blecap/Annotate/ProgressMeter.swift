import CommandLineKit
import WireBytes

/// Shows the progress of long work on standard error, if that is a terminal.
struct ProgressMeter: ~Copyable {
    private var progress: Progress
    private var buffer = TextBuffer(capacity: 256)
    private var sink: DescriptorSink
    private let isShown: Bool
    private let start = ContinuousClock.now

    /// A meter for files; nil for one that shows nothing. Pipes have no length.
    init(_ files: [String]?, _ environment: CommandEnvironment) {
        sink = environment.errorSink
        isShown = files != nil && environment.errors.isTerminal
        let paths = files ?? []
        let sizes = isShown ? paths.map { SystemCall.status(of: $0) } : []
        let known = sizes.allSatisfy { $0?.isRegular == true }
        progress = Progress(total: known ? sizes.reduce(0) { $0 + ($1?.size ?? 0) } : nil, now: 0)
    }

    private var now: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// Updates the line after `octets` bytes of all files were read.
    mutating func update(_ octets: Int) {
        guard isShown else { return }
        progress.update(done: octets, now: now, into: &buffer)
        show()
    }

    /// Updates the line with a text.
    mutating func update(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        progress.update(now: now, into: &buffer) { $0.visible(text()) }
        show()
    }

    /// Removes the line.
    mutating func end() {
        progress.finish(into: &buffer)
        show()
    }

    private mutating func show() {
        guard buffer.count > 0 else { return }
        // Continue even if the progress line can't be written.
        try? sink.drain(&buffer)
        buffer.clear()
    }
}
