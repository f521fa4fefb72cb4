public import WireBytes

/// Progress of long work, on one line that is rewritten in place.
///
/// It gets the time, and bytes or a text. Nothing appears in the first second; after that the line changes at
/// most five times a second.
public struct Progress: Sendable {
    /// Delay before the line appears, in nanoseconds.
    static let patience: Int64 = 1_000_000_000
    /// Time between two changes of the line, in nanoseconds.
    static let interval: Int64 = 200_000_000

    /// Total bytes; nil if unknown, as for a pipe.
    public var total: Int?
    private let start: Int64
    private var nextShow: Int64
    private var isShown = false

    /// Progress that began at `now`, in nanoseconds of a clock that never goes back.
    public init(total: Int?, now: Int64) {
        self.total = total
        start = now
        nextShow = now &+ Self.patience
    }

    /// Writes the line into `buffer` if it is due.
    ///
    /// - Parameter text: writes the line's text.
    public mutating func update(
        now: Int64, into buffer: inout TextBuffer, _ text: (inout TextBuffer) -> Void
    ) {
        guard now >= nextShow else { return }
        nextShow = now &+ Self.interval
        isShown = true
        buffer.put("\r\u{1B}[K")
        text(&buffer)
    }

    /// Writes the line for reading a file into `buffer` if it is due.
    public mutating func update(done: Int, now: Int64, into buffer: inout TextBuffer) {
        let (total, start) = (total, start)
        update(now: now, into: &buffer) { buffer in
            buffer.decimal(done / 1_000_000)
            if let total, total > 0 {
                buffer.put(" of ")
                buffer.decimal(total / 1_000_000)
                buffer.put(" MB, ")
                buffer.decimal(min(100, Int(Double(done) / Double(total) * 100)))
                buffer.put(" %")
            } else {
                buffer.put(" MB")
            }
            let rate = Double(done) / Double(max(1, now &- start)) * 1000
            buffer.put(", ")
            buffer.decimal(Int(rate))
            buffer.put(" MB/s")
        }
    }

    /// Removes the line, if there is one.
    public mutating func finish(into buffer: inout TextBuffer) {
        guard isShown else { return }
        isShown = false
        buffer.put("\r\u{1B}[K")
    }
}
