/// An input as the format readers see it: the window, the place in it, and the account of its bytes.
struct RecordInput: ~Copyable {
    var window: InputWindow
    let file: String
    var number = 0
    var tally = ReaderTally()
    /// Whether this is the whole input, not only its start for recognizing the format.
    let isWhole: Bool
    /// The index of the input among those read together, copied into its records' headers.
    var fileIndex: UInt16 = 0
    /// The latest record: its header, and the places of its bytes and options in the window.
    var latest = RecordHeader(
        number: 0, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
        direction: .unknown, originalLength: 0, capturedLength: 0)
    private var octets = 0..<0
    private var options = 0..<0
    private var optionsOrder = OctetOrder.leastSignificantFirst
    /// Set by an error; then nothing more is read, except after damage that whole records follow.
    private(set) var hasFailed = false
    /// The first damage after which reading continued.
    private(set) var damage: CaptureFileError?
    /// Number of times that reading continued after damage.
    private var gaps: UInt32 = 0
    /// Whether the next record is the first after damage.
    private var isBehindDamage = false

    init(_ window: consuming InputWindow, file: String, isWhole: Bool = true) {
        self.window = window
        self.file = file
        self.isWhole = isWhole
    }

    /// Creates the error for a problem `ahead` bytes from here, with the latest record's number if there is
    /// one.
    mutating func failure(_ cause: CaptureFileError.Cause, ahead: Int = 0) -> CaptureFileError {
        hasFailed = true
        return CaptureFileError(
            cause, file: file, fileOffset: window.offset &+ ahead, record: number > 0 ? number : nil)
    }

    /// Creates the error for an input that ends too early: the reason if reading failed, else truncation.
    mutating func cut() -> CaptureFileError { failure(window.failure ?? .truncated) }

    /// Returns whether a header of `length` bytes follows, and counts its record; false at a clean end.
    @inline(__always)
    mutating func beginRecord(_ length: Int) throws(CaptureFileError) -> Bool {
        if window.holds(length) {
            number &+= 1
            return true
        }
        if window.available == 0 && window.failure == nil { return false }
        number &+= 1
        throw cut()
    }

    /// Creates the error for a record header of zeros, which no recorder writes.
    mutating func zeros() -> CaptureFileError {
        failure(.damaged("zeros where a record should be, as a power failure leaves them"))
    }

    /// Throws unless `count` bytes follow.
    @inline(__always)
    mutating func require(_ count: Int) throws(CaptureFileError) {
        if !window.holds(count) { throw cut() }
    }

    mutating func consumeFileHeader(_ count: Int) {
        tally.fileHeaderOctets &+= count
        window.consume(count)
    }

    /// Consumes `count` unused bytes, however many they are.
    mutating func skip(_ count: Int) throws(CaptureFileError) {
        var left = count
        while left > 0 {
            guard window.holds(1) else { throw cut() }
            let step = min(left, window.available)
            tally.skippedOctets &+= step
            window.consume(step)
            left &-= step
        }
    }

    /// Continues reading after damage.
    mutating func goOn(after error: CaptureFileError) {
        hasFailed = false
        gaps &+= 1
        isBehindDamage = true
        guard damage == nil else { return }
        var passed = error
        passed.isPassed = true
        if error.cause == .truncated { passed.cause = .damaged("a record reaches beyond the file's end") }
        damage = passed
    }

    mutating func fail() { hasFailed = true }

    /// Consumes `count` bytes and counts them as unreadable.
    mutating func giveUp(_ count: Int) {
        tally.unreadableOctets &+= count
        window.consume(count)
    }

    /// Consumes the remaining bytes and counts them as unreadable.
    mutating func skipUnreadable() {
        while window.holds(1) {
            tally.unreadableOctets &+= window.available
            window.consume(window.available)
        }
    }

    /// Sets the latest record: its bytes start `prefix` bytes ahead and its options are at `options` from
    /// here. Consumes `total` bytes with it and accounts for them.
    @inline(__always)
    mutating func deliver(
        _ header: RecordHeader, after prefix: Int, consuming total: Int, padding: Int = 0,
        options: Range<Int>? = nil, _ order: OctetOrder = .leastSignificantFirst
    ) {
        latest = header
        latest.file = fileIndex
        // Data lost in a gap counts for the analysis like packets dropped by the recorder.
        latest.cumulativeDrops &+= gaps
        if isBehindDamage {
            latest.faults.insert(.behindDamage)
            isBehindDamage = false
        }
        octets = window.place(at: prefix, count: header.capturedLength)
        self.options = options.map { window.place(at: $0.lowerBound, count: $0.count) } ?? 0..<0
        optionsOrder = order
        window.consume(total)
        tally.records &+= 1
        tally.recordOctets &+= header.capturedLength
        tally.paddingOctets &+= padding
        tally.recordHeaderOctets &+= total &- header.capturedLength &- padding
        if header.isTruncated { tally.truncatedRecords &+= 1 }
    }

    /// Takes back the latest record, whose bytes are counted as skipped or as bytes around records.
    mutating func withdraw(isSkipped: Bool) {
        tally.records &-= 1
        tally.recordOctets &-= latest.capturedLength
        if latest.isTruncated { tally.truncatedRecords &-= 1 }
        if latest.faults.contains(.behindDamage) { isBehindDamage = true }
        if isSkipped {
            tally.skippedRecords &+= 1
            tally.skippedOctets &+= latest.capturedLength
        } else {
            tally.recordHeaderOctets &+= latest.capturedLength
        }
    }

    /// Sets the latest record again: the packet at a place in its bytes.
    mutating func narrow(to header: RecordHeader, at place: Range<Int>) {
        let whole = octets
        withdraw(isSkipped: false)
        let from = min(whole.lowerBound &+ place.lowerBound, whole.upperBound)
        setAgain(header, count: min(from &+ place.count, whole.upperBound) &- from)
        octets = from..<from &+ latest.capturedLength
    }

    /// Sets the latest record: a packet put together from bytes that were consumed and counted before.
    mutating func deliver(_ header: RecordHeader, copied packet: [UInt8]) {
        setAgain(header, count: packet.count)
        octets = window.lend(packet)
        options = 0..<0
    }

    private mutating func setAgain(_ header: RecordHeader, count: Int) {
        latest = header
        latest.file = fileIndex
        latest.capturedLength = count
        latest.originalLength = max(count, header.originalLength)
        if isBehindDamage {
            latest.faults.insert(.behindDamage)
            isBehindDamage = false
        }
        tally.records &+= 1
        tally.recordOctets &+= count
        tally.recordHeaderOctets &-= count
        if latest.isTruncated { tally.truncatedRecords &+= 1 }
    }

    /// The latest record, which must have been delivered. It is valid until the next one is requested, and
    /// the caller must bind its lifetime to that.
    @inline(__always)
    @unsafe
    @_lifetime(immortal)
    borrowing func record() -> Record {
        // Safe: the places were set when the record was delivered, and the window has not been filled since.
        unsafe window.record(latest, at: octets, options: options, optionsOrder)
    }
}
