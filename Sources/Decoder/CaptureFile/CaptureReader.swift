/// Reads the records of one capture in order, from a reused buffer.
public struct CaptureReader: ~Copyable {
    /// The file's metadata.
    public private(set) var info: CaptureInfo
    var input: RecordInput
    private var format: any CaptureFormat

    /// Opens a file and recognizes its format from the content.
    ///
    /// A compressed file is decompressed; an archive must hold exactly one capture.
    public init(path: String) throws(CaptureFileError) {
        let sources = try CaptureSource.find(path: path)
        guard sources.count == 1, let source = sources.first else {
            throw CaptureFileError(
                .archive("holds \(sources.count) captures; read them as a set"), file: path)
        }
        try self.init(source)
    }

    /// Reads a capture found in a file or archive.
    public init(_ source: CaptureSource) throws(CaptureFileError) {
        try self.init(source, isOneOfMany: false)
    }

    /// - Parameter isOneOfMany: whether many files are read together, so that each has a small buffer.
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

    /// Reads a capture in memory, which may be only the start of a file.
    public init(octets: [UInt8], name: String) throws(CaptureFileError) {
        try self.init(InputWindow(octets), name: name, isWhole: false)
    }

    /// - Parameter isWhole: whether the input is the whole capture, not only its start.
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

    /// Size of the buffer in bytes.
    var bufferCapacity: Int { input.window.capacity }

    /// Bytes of the input consumed so far.
    public var offset: Int { input.window.offset }

    /// Counts of the bytes consumed so far, by their use.
    public var tally: ReaderTally { input.tally }

    /// Error for the records skipped because their link type is another, unsupported form of Bluetooth
    /// records; nil if absent.
    var passedOver: CaptureFileError? {
        if let cause = format.notice { return CaptureFileError(cause, file: info.name) }
        guard let code = format.foreignLinkType, tally.skippedRecords > 0 else { return nil }
        let cause = LinkType.unsupported(code, "\(tally.skippedRecords) records were left out:")
        if case .unsupportedDatalink(_, holds: .other) = cause { return nil }
        return CaptureFileError(cause, file: info.name)
    }

    /// Reads to the end of the input after an error, so that the tally covers all of it.
    public mutating func countUnreadable() { input.skipUnreadable() }

    /// Whether the next record is not complete yet and must be waited for, as on a pipe.
    public var isWaiting: Bool {
        !input.hasFailed && input.window.mustWait
            && input.window.available < format.lengthOfNext(input.window)
    }

    /// The next record; nil at a clean end. After an error, always nil.
    @_lifetime(&self)
    public mutating func next() throws(CaptureFileError) -> Record? {
        guard try advance() else { return nil }
        // Safe: the window is not filled until the next call.
        return unsafe _overrideLifetime(record(), mutating: &self)
    }

    /// Reads the next record, then available from ``record()``; returns false at a clean end, and after an
    /// error.
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

    /// Continues at the next whole record after damage; throws the file's first error if no record follows.
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

    /// The last record read; call it only after ``advance()`` returned true. It is valid until the next
    /// record is read, and the caller must bind its lifetime to that.
    @inline(__always)
    @unsafe
    @_lifetime(immortal)
    borrowing func record() -> Record {
        // Safe: the caller binds it.
        unsafe input.record()
    }

    var header: RecordHeader { input.latest }
}
