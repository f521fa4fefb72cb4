import WireBytes

/// Reads the records of one capture, one after the other, out of a buffer that it reuses.
public struct CaptureReader: ~Copyable {
    /// What the file says about itself.
    public private(set) var info: CaptureInfo
    private var input: RecordInput
    private var format: any CaptureFormat

    /// Opens a file, and finds the format from the content.
    ///
    /// A compressed file is unpacked on the way; of an archive the one capture in it is read.
    public init(path: String) throws(CaptureFileError) {
        let sources = try CaptureSource.find(path: path)
        guard sources.count == 1, let source = sources.first else {
            throw CaptureFileError(
                .archive("holds \(sources.count) captures; read them as a set"), file: path)
        }
        try self.init(source)
    }

    /// Reads a capture that was found in a file or archive.
    public init(_ source: CaptureSource) throws(CaptureFileError) {
        try self.init(source, isOneOfMany: false)
    }

    /// - Parameter isOneOfMany: whether so many files are read together that each has but a small buffer.
    init(_ source: CaptureSource, isOneOfMany: Bool) throws(CaptureFileError) {
        let capacity = isOneOfMany ? InputWindow.capacityOfMany : InputWindow.initialCapacity
        switch source.content {
        case .descriptor(let owned, let head, let ending):
            let window = InputWindow(
                descriptor: owned, head: head, ending: ending, capacity: capacity)
            try self.init(window, name: source.name)
        case .stream(let stream): try self.init(InputWindow(stream), name: source.name)
        case .octets(let octets): try self.init(InputWindow(octets), name: source.name)
        case .block(let owned, let snooz, let ending):
            let window = InputWindow(descriptor: owned, ending: ending, capacity: capacity)
            let recognized = Recognized(CaptureInfo(name: source.name, format: .btsnooz), snooz)
            self.init(recognized, RecordInput(window, file: source.name))
        case .unreadable(let error): throw error
        }
    }

    /// Reads a capture that is in memory, or as far as its start tells.
    public init(octets: [UInt8], name: String) throws(CaptureFileError) {
        try self.init(InputWindow(octets), name: name, isWhole: false)
    }

    /// - Parameter isWhole: whether what is missing from the input can be told from what is no capture.
    private init(
        _ window: consuming InputWindow, name: String, isWhole: Bool = true
    ) throws(CaptureFileError) {
        var source = RecordInput(window, file: name, isWhole: isWhole)
        if isWhole, !source.window.holds(1) { throw source.failure(source.window.failure ?? .empty) }
        let recognized = try Recognized(&source)
        self.init(recognized, source)
    }

    private init(_ recognized: Recognized, _ input: consuming RecordInput) {
        info = recognized.info
        format = recognized.format
        self.input = input
    }

    /// Octets that its buffer has room for.
    var bufferCapacity: Int { input.window.capacity }

    /// Octets of the input that were consumed so far.
    public var offset: Int { input.window.offset }

    /// Where the octets consumed so far went.
    public var tally: ReaderTally { input.tally }

    /// What was left out because its link type is not read, where that is another form of Bluetooth records;
    /// nil where nothing was.
    var passedOver: CaptureFileError? {
        guard let code = format.foreignLinkType, tally.skippedRecords > 0 else { return nil }
        let cause = LinkType.unsupported(code, "\(tally.skippedRecords) records were left out:")
        if case .unsupportedDatalink(_, holds: .other) = cause { return nil }
        return CaptureFileError(cause, file: info.name)
    }

    /// Reads on to the end of the input after an error, so that the tally covers all of it.
    public mutating func countUnreadable() { input.skipUnreadable() }

    /// Whether the next record has not come whole yet and has to be waited for, as on a pipe.
    public var isWaiting: Bool {
        !input.hasFailed && input.window.mustWait
            && input.window.available < format.lengthOfNext(input.window)
    }

    /// The next record; nil at a clean end. After an error nothing more is read, and nil is given.
    @_lifetime(&self)
    public mutating func next() throws(CaptureFileError) -> Record? {
        guard try advance() else { return nil }
        // Safe: the window is not filled until the next call.
        return unsafe _overrideLifetime(record(), mutating: &self)
    }

    /// Reads the next record, which ``record()`` then is; false at a clean end, and after an error.
    @inline(__always)
    mutating func advance() throws(CaptureFileError) -> Bool {
        if input.hasFailed { return false }
        while true {
            do throws(CaptureFileError) {
                if try format.advance(&input) { return true }
                break
            } catch {
                try goOn(behind: error)
            }
        }
        guard let damage = input.damage else { return false }
        input.fail()
        throw damage
    }

    /// Goes to the next whole record behind damage; throws the first error of the file where there is none.
    @inline(never)
    private mutating func goOn(behind error: CaptureFileError) throws(CaptureFileError) {
        switch error.cause {
        case .damaged, .truncated:
            let last = tally.records > 0 ? input.latest.time : nil
            guard DamageGap.skip(&input, format, after: last) else { break }
            return input.goOn(after: error)
        default: break
        }
        throw input.damage ?? error
    }

    /// The record that was read last; only after ``advance()`` gave true. It is valid until the next is read:
    /// the caller must bind it to that.
    @inline(__always)
    @unsafe
    @_lifetime(immortal)
    borrowing func record() -> Record {
        // Safe: the caller binds it.
        unsafe input.record()
    }

    /// The header of the record that was read last.
    var header: RecordHeader { input.latest }

    /// Puts another count of dropped packets into the header of the record that was read last.
    mutating func set(drops: UInt32) { input.set(drops: drops) }

    /// Adds nanoseconds to the time of the record that was read last.
    mutating func move(by nanoseconds: Int64) { input.move(by: nanoseconds) }

    /// Sets the index among those read together that the headers of all further records have.
    mutating func setIndex(_ index: UInt16) { input.fileIndex = index }
}
