import CommandLineKit
import MonitorCapture
import WireBytes

/// The live count on standard error, if that is a terminal.
struct RecordMeter: ~Copyable {
    private let isShown: Bool
    private var isOnScreen = false
    private var nextShow: Int64 = 0
    private var buffer = TextBuffer(capacity: 256)
    private var sink: DescriptorSink

    /// Time between two changes of the line, in nanoseconds.
    private static let interval: Int64 = 200_000_000

    init(isWanted: Bool, _ environment: CommandEnvironment) {
        isShown = isWanted && environment.errors.isTerminal
        sink = environment.errorSink
    }

    /// Updates the line with the progress of the recording.
    mutating func update(_ state: PumpState, _ octets: Int) {
        guard isShown, state.now.monotonic >= nextShow else { return }
        nextShow = state.now.monotonic &+ Self.interval
        isOnScreen = true
        buffer.put("\r\u{1B}[K")
        buffer.put(Self.text(state, octets))
        show()
    }

    /// The line: records, bytes written, records lost, time.
    static func text(_ state: PumpState, _ octets: Int) -> String {
        "\(state.received.counting("record")), \(Quantity.text(octets: octets)), \(state.lost) lost, "
            + Quantity.text(nanoseconds: state.elapsed)
    }

    /// Removes the line.
    mutating func end() {
        guard isOnScreen else { return }
        isOnScreen = false
        buffer.put("\r\u{1B}[K")
        show()
    }

    private mutating func show() {
        // Continue even if the count can't be shown.
        try? Self.write(buffer, to: &sink)
        buffer.clear()
    }

    private static func write(
        _ text: borrowing TextBuffer, to sink: inout DescriptorSink
    ) throws(OutputError) {
        _ = try sink.writeSome(text.octets)
    }
}
