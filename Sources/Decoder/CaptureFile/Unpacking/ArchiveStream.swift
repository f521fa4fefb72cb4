import CArchive
import Glibc

/// The bytes of one archive entry, or of a whole file that is not an archive, from libarchive.
///
/// A class because libarchive's handle is one thing with one owner, and the handle must be freed once.
@safe
final class ArchiveStream {
    private let handle: OpaquePointer
    private let feed: ArchiveFeed
    /// The rest of libarchive's last block, and how many zeros stand before it.
    // Safe: no octets are named before libarchive names some.
    private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var gap = 0
    /// Octets of the entry that were given or skipped.
    private var position = 0
    /// Why the present entry can't be read on, or is not what it was when it was packed.
    private(set) var failure: Problem?
    private var warning: Problem?
    /// Whether libarchive gives nothing more after the failure, no other entry either.
    private(set) var isStuck = false
    /// Whether the entry is packed by a method that is not read.
    private(set) var isRefused = false

    /// Opens the archive, or whatever else, that `stream` gives.
    ///
    /// - Parameters:
    ///   - byDirectory: whether a zip's entries are those that its directory lists, where it can be reached.
    ///   - carefulFrom: the place in the file from which libarchive gets an octet at a time.
    init(_ stream: OctetStream, byDirectory: Bool = true, carefulFrom: Int64? = nil) throws(Problem) {
        // Safe: the handle is made here, owned by this object alone, and freed once, when it ends.
        guard let handle = unsafe archive_read_new() else { throw Problem(cause: .archive("no memory")) }
        unsafe self.handle = handle
        feed = ArchiveFeed(stream, carefulFrom: carefulFrom)
        // Archives only: what is compressed as a whole is unpacked before, since libarchive's filters drop
        // what they unpacked last when their input ends too early.
        unsafe archive_read_support_format_tar(handle)
        unsafe archive_read_support_format_zip(handle)
        unsafe archive_read_support_format_raw(handle)
        // Safe: the feed lives as long as this object, which frees the handle first.
        let client = unsafe Unmanaged.passUnretained(feed).toOpaque()
        unsafe archive_read_set_read_callback(handle, readFromFeed)
        unsafe archive_read_set_callback_data(handle, client)
        if byDirectory && stream.isSeekable { unsafe archive_read_set_seek_callback(handle, seekInFeed) }
        if unsafe archive_read_open1(handle) != ARCHIVE_OK { throw problem() }
    }

    // Safe: nobody else has the handle.
    deinit { unsafe archive_read_free(handle) }

    /// Why it can't be read on.
    struct Problem: Error {
        var cause: CaptureFileError.Cause
        /// How many octets of the archive were read by then.
        var place = 0
    }

    /// What the unpacking before libarchive met, or what libarchive said.
    private func problem() -> Problem {
        let place = feed.place
        if let cause = feed.stream.failure { return Problem(cause: cause, place: place) }
        // Safe: libarchive's text is ended by a zero and lives until the next call.
        let text = unsafe archive_error_string(handle).map { unsafe String(cString: $0) }
        return Problem(
            cause: .archive(text ?? "the archive ends too early, or is damaged"), place: place)
    }

    /// Whether a tar archive ended where it was cut between two files: the zeros that end one are not there.
    private var lacksEnd: Bool {
        // Safe: only a number is asked for.
        let format = unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK
        return format == ARCHIVE_FORMAT_TAR && feed.hasEnded && feed.zerosAtEnd < 512
    }

    /// The method by which the present entry of a zip is packed, where that is none of those whose memory is
    /// bounded: LZMA and its like take as much as the entry says, and libarchive knows no limit for them.
    private var refusedMethod: String? {
        // Safe: only a number is asked for.
        guard unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP else {
            return nil
        }
        // Safe: libarchive's text is ended by a zero and lives until the next call; it names the method in
        // brackets.
        let name = unsafe archive_format_name(handle).map { unsafe String(cString: $0) } ?? ""
        guard let method = name.split(separator: "(").last?.prefix(while: { $0 != ")" }) else { return nil }
        return ["lzma", "xz", "zstd", "ppmd"].contains { method.hasPrefix($0) } ? String(method) : nil
    }

    /// Where in the file the octets begin that libarchive got last; nil where that can't be told.
    var latestPlace: Int64? { feed.latestPlace }

    /// An entry: its path in the archive; empty for a compressed file without an archive.
    struct Entry {
        var path: String
        var isFile: Bool
        /// Whether this is the content of a compressed file without an archive.
        var isWhole: Bool
    }

    /// Goes to the next entry; nil at the end.
    func nextEntry() throws(Problem) -> Entry? {
        var entry: OpaquePointer?
        // Safe: the entry belongs to the handle and is read before the next call.
        let status = unsafe archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF && feed.stream.failure == nil {
            guard lacksEnd else { return nil }
            throw Problem(
                cause: .archive("the end of the archive is missing"), place: feed.place)
        }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else {
            throw problem()
        }
        // Safe: only numbers are asked for.
        let isWhole = unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_RAW
        (position, gap) = (0, 0)
        (failure, warning) = (nil, nil)
        // Safe: no octets are named.
        unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
        // Safe: the entry and its text live until the next header is read.
        let path = unsafe archive_entry_pathname(entry).map { unsafe String(cString: $0) }
        isRefused = false
        if let method = refusedMethod {
            isRefused = true
            // Without a place: it lies in what was packed, of which nothing was read.
            failure = Problem(
                cause: .archive("packed by method \(method), which is not supported: use another"))
        }
        // 0170000 masks the type of a file, 0100000 is a regular one.
        let isFile = unsafe isWhole || archive_entry_filetype(entry) & 0o170000 == 0o100000
        return Entry(path: path ?? "", isFile: isFile, isWhole: isWhole)
    }

    /// The next octets of the entry; fewer than `count` at its end, and where it can't be read on.
    func head(_ count: Int) -> [UInt8] {
        // Safe: no more is written than there is room for.
        unsafe [UInt8](atMost: count) { unsafe unpack(into: $0, $1) }
    }

    /// Unpacks up to `count` octets to `place`; 0 at the entry's end, and where it can't be read on, which
    /// `failure` tells.
    ///
    /// By libarchive's own blocks: its function that fills a buffer drops what it has put there when the
    /// next block fails.
    @unsafe
    private func unpack(into place: UnsafeMutableRawPointer, _ count: Int) -> Int {
        // Safe: only the length of the block is asked for.
        while unsafe block.isEmpty && gap == 0 {
            if failure != nil { return 0 }
            var start: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            // Safe: libarchive fills in where its own block lies, which stays until the next call.
            let status = unsafe archive_read_data_block(handle, &start, &size, &offset)
            if status == ARCHIVE_EOF {
                isStuck = feed.stream.failure != nil
                failure = isStuck ? problem() : warning
                return 0
            }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN else {
                (failure, isStuck) = (problem(), true)
                return 0
            }
            // A sum that is wrong is told with the last block, which is given before.
            if status == ARCHIVE_WARN { warning = problem() }
            unsafe block = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size)
            // A sparse file's holes are zeros.
            gap = max(0, Int(offset) - position)
        }
        let taken: Int
        if gap > 0 {
            taken = min(gap, count)
            // Safe: the caller has room for `count` octets.
            unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: taken)
            gap -= taken
        } else {
            taken = unsafe min(block.count, count)
            // Safe: both the block and the caller's room hold as many octets.
            if let from = unsafe block.baseAddress { unsafe place.copyMemory(from: from, byteCount: taken) }
            unsafe block = UnsafeRawBufferPointer(rebasing: block[taken...])
        }
        position += taken
        return taken
    }

    /// Unpacks up to `count` octets to `place`; 0 at the entry's end.
    @unsafe
    func read(into place: UnsafeMutableRawPointer, _ count: Int) throws(Problem) -> Int {
        // Safe: the caller has room for `count` octets.
        let got = unsafe unpack(into: place, count)
        if got == 0, let failure { throw failure }
        return got
    }
}

/// Gives libarchive the octets of a stream.
///
/// What libarchive unpacked in the call that meets damage is lost, and a call takes what it was handed. So
/// near damage that is known it is handed an octet at a time.
@safe
private final class ArchiveFeed {
    let stream: OctetStream
    private let buffer: UnsafeMutableRawPointer
    /// What of the buffer is still to be handed over.
    private var held = 0..<0
    /// Where in the file the buffer's octets begin; nil where there are no places to go to.
    private var bufferPlace: Int64?
    private let carefulFrom: Int64?
    private(set) var latestPlace: Int64?
    /// Octets that were handed over.
    private var given = 0
    /// Whether there is no more.
    private(set) var hasEnded = false
    /// The zeros that stand before the end, as far as they were counted.
    private(set) var zerosAtEnd = 0

    /// How far the archive was read.
    var place: Int { bufferPlace.map { Int($0) + held.lowerBound } ?? given }

    private static let capacity = 128 << 10

    init(_ stream: OctetStream, carefulFrom: Int64?) {
        self.stream = stream
        self.carefulFrom = carefulFrom
        bufferPlace = stream.isSeekable ? 0 : nil
        // Safe: owned by this feed alone, and freed when it ends.
        unsafe buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16)
    }

    // Safe: nobody else has the buffer.
    deinit { unsafe buffer.deallocate() }

    func read(_ octets: inout UnsafeRawPointer?) -> Int {
        if held.isEmpty {
            if bufferPlace != nil { bufferPlace = stream.seek(0, SEEK_CUR) }
            // Safe: the stream writes at most the capacity of the buffer.
            held = 0..<(unsafe stream.read(into: buffer, Self.capacity))
            noteEnd()
        }
        latestPlace = bufferPlace.map { $0 + Int64(held.lowerBound) }
        var count = held.count
        if let carefulFrom, let latestPlace, count > 0 {
            count = Int(min(Int64(count), max(carefulFrom - latestPlace, 1)))
        }
        // Safe: the range lies within the buffer.
        unsafe octets = UnsafeRawPointer(buffer + held.lowerBound)
        held = (held.lowerBound + count)..<held.upperBound
        given += count
        return count
    }

    /// Counts the zeros with which the octets read so far end, up to a block of a tar archive.
    private func noteEnd() {
        guard !held.isEmpty else {
            hasEnded = true
            return
        }
        var zeros = 0
        // Safe: the places lie within what was read.
        while zeros < min(held.count, 512),
            unsafe buffer.load(
                fromByteOffset: held.count - 1 - zeros, as: UInt8.self) == 0
        {
            zeros += 1
        }
        zerosAtEnd = zeros == held.count ? zerosAtEnd + zeros : zeros
    }

    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let ahead = whence == SEEK_CUR ? Int64(held.count) : 0
        held = 0..<0
        return stream.seek(offset &- ahead, whence)
    }
}

private func readFromFeed(
    _ archive: OpaquePointer?, _ client: UnsafeMutableRawPointer?,
    _ octets: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
    guard let client = unsafe client, let octets = unsafe octets else { return -1 }
    // Safe: the client data is the feed that the archive's stream keeps alive.
    let feed = unsafe Unmanaged<ArchiveFeed>.fromOpaque(client).takeUnretainedValue()
    return unsafe feed.read(&octets.pointee)
}

private func seekInFeed(
    _ archive: OpaquePointer?, _ client: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int64 {
    guard let client = unsafe client else { return -1 }
    // Safe: the client data is the feed that the archive's stream keeps alive.
    let feed = unsafe Unmanaged<ArchiveFeed>.fromOpaque(client).takeUnretainedValue()
    return feed.seek(offset, whence)
}
