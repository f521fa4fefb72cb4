import WireBytes

/// One input as the format readers see it: the window, the place in it, and the account of its octets.
struct RecordInput: ~Copyable {
    var window: InputWindow
    /// The name of the input, for errors.
    let file: String
    /// The number of the latest record.
    var number = 0
    var tally = ReaderTally()
    /// Whether it is all of the input, not just its start to tell the format from.
    let isWhole: Bool
    /// The index of the input among those read together, for the headers of its records.
    var fileIndex: UInt16 = 0
    /// The latest record: its header, and where its octets and options lie in the window.
    private(set) var latest = RecordHeader(
        number: 0, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .unknown,
        direction: .unknown, originalLength: 0, capturedLength: 0)
    private var octets = 0..<0
    private var options = 0..<0
    private var optionsOrder = OctetOrder.leastSignificantFirst
    /// Set by an error; nothing is read after it, unless it was damage with whole records behind it.
    private(set) var hasFailed = false
    /// The first damage behind which was read on.
    private(set) var damage: CaptureFileError?
    /// How often was read on behind damage.
    private var gaps: UInt32 = 0
    /// Whether the next record is the first behind one of them.
    private var isBehindDamage = false

    init(_ window: consuming InputWindow, file: String, isWhole: Bool = true) {
        self.window = window
        self.file = file
        self.isWhole = isWhole
    }

    /// The error for what is wrong `ahead` octets from here, in the latest record if one was begun.
    mutating func failure(_ cause: CaptureFileError.Cause, ahead: Int = 0) -> CaptureFileError {
        hasFailed = true
        return CaptureFileError(
            cause, file: file, fileOffset: window.offset &+ ahead, record: number > 0 ? number : nil)
    }

    /// The error for an input that ends too early: the reason if reading failed, else that it is cut.
    mutating func cut() -> CaptureFileError { failure(window.failure ?? .truncated) }

    /// Whether a header of `length` octets follows; false at a clean end. Counts the record it begins.
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

    /// The error for a record header that is all zeros, where no recorder writes one.
    mutating func zeros() -> CaptureFileError {
        failure(.damaged("zeros where a record should be, as a power failure leaves them"))
    }

    /// Throws unless `count` octets follow.
    @inline(__always)
    mutating func require(_ count: Int) throws(CaptureFileError) {
        if !window.holds(count) { throw cut() }
    }

    /// Consumes a header of the file, a section or an interface.
    mutating func consumeFileHeader(_ count: Int) {
        tally.fileHeaderOctets &+= count
        window.consume(count)
    }

    /// Consumes `count` octets that are not used, however many they are.
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

    /// Reads on behind damage.
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

    /// Lets nothing more be read.
    mutating func fail() { hasFailed = true }

    /// Consumes `count` octets and counts them as unreadable.
    mutating func giveUp(_ count: Int) {
        tally.unreadableOctets &+= count
        window.consume(count)
    }

    /// Consumes all that is left and counts it as unreadable.
    mutating func skipUnreadable() {
        while window.holds(1) {
            tally.unreadableOctets &+= window.available
            window.consume(window.available)
        }
    }

    /// Makes the latest record the one whose octets start `prefix` octets ahead and whose options lie at
    /// `options` from here, consumes `total` octets with it, and accounts for them.
    @inline(__always)
    mutating func deliver(
        _ header: RecordHeader, after prefix: Int, consuming total: Int, padding: Int = 0,
        options: Range<Int>? = nil, _ order: OctetOrder = .leastSignificantFirst
    ) {
        latest = header
        latest.file = fileIndex
        // What is lost in a gap is lost to the analysis as what a recorder dropped is.
        latest.cumulativeDrops &+= gaps
        if isBehindDamage {
            latest.faults.insert(.behindDamage)
            isBehindDamage = false
        }
        octets = window.place(prefix, header.capturedLength)
        self.options = options.map { window.place($0.lowerBound, $0.count) } ?? 0..<0
        optionsOrder = order
        window.consume(total)
        tally.records &+= 1
        tally.recordOctets &+= header.capturedLength
        tally.paddingOctets &+= padding
        tally.recordHeaderOctets &+= total &- header.capturedLength &- padding
        if header.isTruncated { tally.truncatedRecords &+= 1 }
    }

    /// Adds nanoseconds to the latest record's time.
    mutating func move(by nanoseconds: Int64) {
        latest.time = CaptureTime(nanoseconds: latest.time.nanoseconds &+ nanoseconds)
    }

    /// Puts another count of dropped packets into the latest record's header.
    mutating func set(drops: UInt32) { latest.cumulativeDrops = drops }

    /// The latest record, which must have been delivered. It is valid until the next one is asked for: the
    /// caller must bind it to that.
    @inline(__always)
    @unsafe
    @_lifetime(immortal)
    borrowing func record() -> Record {
        // Safe: the places were made when the record was delivered, after which the window was not filled.
        unsafe window.record(latest, at: octets, options: options, optionsOrder)
    }
}
