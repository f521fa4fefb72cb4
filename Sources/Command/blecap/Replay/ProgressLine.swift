import CommandLineKit
import WireBytes

/// One line of progress on standard error, if that is a terminal; it changes a few times a second.
struct ProgressLine: ~Copyable {
    private var sink: DescriptorSink
    private let isTerminal: Bool
    private var last = ContinuousClock.now
    private var isShown = false

    init(_ environment: CommandEnvironment) {
        sink = environment.errorSink
        isTerminal = environment.errors.isTerminal
    }

    mutating func show(_ text: @autoclosure () -> String) {
        guard isTerminal, ContinuousClock.now - last >= .milliseconds(200) else { return }
        last = ContinuousClock.now
        isShown = true
        put("\r\u{1B}[K" + text())
    }

    /// Removes the line.
    mutating func end() {
        if isShown { put("\r\u{1B}[K") }
        isShown = false
    }

    private mutating func put(_ text: String) {
        var buffer = TextBuffer()
        buffer.put(text)
        // The sweep goes on even if the line can't be written.
        try? sink.drain(&buffer)
    }
}
