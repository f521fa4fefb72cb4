import CArchive
import Glibc

/// The bytes of one archive entry, or of a whole file that is not an archive, from libarchive.
///
/// A class because libarchive's handle has one owner and must be freed once.
@safe
final class ArchiveStream {
    private let handle: OpaquePointer
    private let feed: ArchiveFeed
    /// The rest of libarchive's last block, and the number of zeros before it.
    // Safe: the buffer is empty until libarchive returns a block.
    private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var gap = 0
    /// Bytes of the entry returned or skipped so far.
    private var position = 0
    /// Bytes of the entry to return at most. Those of an archive are limited as they are kept.
    private var limit = Int.max
    /// Reason why the current entry can't be read further, or fails its checksum.
    private(set) var failure: Problem?
    private var warning: Problem?
    /// Whether libarchive returns nothing more after the failure, not even other entries.
    private(set) var isStuck = false
    /// Whether the entry is packed by an unsupported method.
    private(set) var isRefused = false

    /// Opens the archive, or other data, from `stream`.
    ///
    /// - Parameters:
    ///   - byDirectory: whether a zip's entries are read by its directory, if the stream is seekable.
    ///   - carefulFrom: the place in the file from which libarchive gets one byte at a time.
    init(_ stream: OctetStream, byDirectory: Bool = true, carefulFrom: Int64? = nil) throws(Problem) {
        // Safe: the handle is made here, owned only by this object, and freed once, when it ends.
        guard let handle = unsafe archive_read_new() else { throw Problem(cause: .archive("no memory")) }
        unsafe self.handle = handle
        feed = ArchiveFeed(stream, carefulFrom: carefulFrom)
        // Only archive formats: whole-file compression is unpacked before, since libarchive's filters drop
        // the data unpacked last when their input ends too early.
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

    // Safe: only this object has the handle.
    deinit { unsafe archive_read_free(handle) }

    /// The reason why reading can't continue.
    struct Problem: Error {
        var cause: CaptureFileError.Cause
        /// Bytes of the archive read before the problem.
        var place = 0
    }

    /// The failure of the decompression before libarchive, or libarchive's error.
    private func problem() -> Problem {
        let place = feed.place
        if let cause = feed.stream.failure { return Problem(cause: cause, place: place) }
        // Safe: libarchive's text is terminated by a zero and lives until the next call.
        let text = unsafe archive_error_string(handle).map { unsafe String(cString: $0) }
        return Problem(
            cause: .archive(text ?? "the archive ends too early, or is damaged"), place: place)
    }

    /// Whether a tar archive was cut between two files: the zeros that end one are missing.
    private var lacksEnd: Bool {
        // Safe: the call only returns a number.
        let format = unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK
        return format == ARCHIVE_FORMAT_TAR && feed.hasEnded && feed.zerosAtEnd < 512
    }

    /// The packing method of the current zip entry, if its memory is unbounded: LZMA and similar methods use
    /// as much as the entry says, and libarchive has no limit for them.
    private var refusedMethod: String? {
        // Safe: the call only returns a number.
        guard unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP else {
            return nil
        }
        // Safe: libarchive's text is terminated by a zero and lives until the next call; the method is in
        // brackets.
        let name = unsafe archive_format_name(handle).map { unsafe String(cString: $0) } ?? ""
        guard let method = name.split(separator: "(").last?.prefix(while: { $0 != ")" }) else { return nil }
        return ["lzma", "xz", "zstd", "ppmd"].contains { method.hasPrefix($0) } ? String(method) : nil
    }

    /// Place in the file of the bytes last passed to libarchive; nil if unknown.
    var latestPlace: Int64? { feed.latestPlace }

    /// An archive entry; the path is empty for a compressed file without an archive.
    struct Entry {
        var path: String
        var isFile: Bool
        /// Whether this is the content of a compressed file without an archive.
        var isWhole: Bool
    }

    /// Moves to the next entry; returns nil at the end.
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
        // Safe: the calls only return numbers.
        let isWhole = unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_RAW
        (position, gap) = (0, 0)
        limit = isWhole ? SpoolBudget.ofProcess.limit : .max
        (failure, warning) = (nil, nil)
        // Safe: the buffer is empty.
        unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
        // Safe: the entry and its text live until the next header is read.
        let path = unsafe archive_entry_pathname(entry).map { unsafe String(cString: $0) }
        isRefused = false
        if let method = refusedMethod {
            isRefused = true
            // No place: the packed data was not read.
            failure = Problem(
                cause: .archive("packed by method \(method), which is not supported: use another"))
        }
        // 0170000 masks the file type, 0100000 is a regular file.
        let isFile = unsafe isWhole || archive_entry_filetype(entry) & 0o170000 == 0o100000
        return Entry(path: path ?? "", isFile: isFile, isWhole: isWhole)
    }

    /// The next bytes of the entry; fewer than `count` at its end or before a failure.
    func head(_ count: Int) -> [UInt8] {
        // Safe: `unpack` writes at most the given count.
        unsafe [UInt8](atMost: count) { unsafe unpack(into: $0, count: $1) }
    }

    /// Unpacks up to `count` bytes to `place`; returns 0 at the entry's end, and on an error, which is then
    /// in `failure`.
    ///
    /// Reads libarchive's own blocks, because its function that fills a buffer drops the data written so far
    /// when the next block fails.
    @unsafe
    private func unpack(into place: UnsafeMutableRawPointer, count: Int) -> Int {
        // Safe: this only uses the length of the block.
        while unsafe block.isEmpty && gap == 0 {
            if failure != nil { return 0 }
            var start: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            // Safe: libarchive sets the start of its own block, which is valid until the next call.
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
            // A wrong checksum is reported after the last block, whose data is returned first.
            if status == ARCHIVE_WARN { warning = problem() }
            unsafe block = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size)
            // Holes of a sparse file are zeros.
            gap = max(0, Int(offset) - position)
        }
        let count = min(count, limit - position)
        guard count > 0 else {
            (failure, isStuck) = (Problem(cause: .unpacksToMore(than: limit)), true)
            return 0
        }
        let taken: Int
        if gap > 0 {
            taken = min(gap, count)
            // Safe: the caller has room for `count` bytes.
            unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: taken)
            gap -= taken
        } else {
            taken = unsafe min(block.count, count)
            // Safe: both the block and the caller's room hold at least this many bytes.
            if let from = unsafe block.baseAddress { unsafe place.copyMemory(from: from, byteCount: taken) }
            unsafe block = UnsafeRawBufferPointer(rebasing: block[taken...])
        }
        position += taken
        return taken
    }

    /// Unpacks up to `count` bytes to `place`; returns 0 at the entry's end.
    @unsafe
    func read(into place: UnsafeMutableRawPointer, count: Int) throws(Problem) -> Int {
        // Safe: the caller has room for `count` bytes.
        let got = unsafe unpack(into: place, count: count)
        if got == 0, let failure { throw failure }
        return got
    }
}

/// Passes the bytes of a stream to libarchive.
///
/// If a call meets damage, the data that libarchive unpacked in that call is lost, and a call consumes all
/// the data passed to it. So near known damage it gets one byte at a time.
@safe
private final class ArchiveFeed {
    let stream: OctetStream
    private let buffer: UnsafeMutableRawPointer
    /// Part of the buffer not yet passed on.
    private var held = 0..<0
    /// Place in the file of the buffer's first byte; nil if the stream is not seekable.
    private var bufferPlace: Int64?
    private let carefulFrom: Int64?
    private(set) var latestPlace: Int64?
    private var given = 0
    private(set) var hasEnded = false
    /// Number of zeros before the end, counted up to a limit.
    private(set) var zerosAtEnd = 0

    var place: Int { bufferPlace.map { Int($0) + held.lowerBound } ?? given }

    private static let capacity = 128 << 10

    init(_ stream: OctetStream, carefulFrom: Int64?) {
        self.stream = stream
        self.carefulFrom = carefulFrom
        bufferPlace = stream.isSeekable ? 0 : nil
        // Safe: owned only by this feed, and freed when it ends.
        unsafe buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16)
    }

    // Safe: only this object has the buffer.
    deinit { unsafe buffer.deallocate() }

    func read(_ octets: inout UnsafeRawPointer?) -> Int {
        if held.isEmpty {
            if bufferPlace != nil { bufferPlace = stream.seek(0, SEEK_CUR) }
            // Safe: the stream writes at most the capacity of the buffer.
            held = 0..<(unsafe stream.read(into: buffer, count: Self.capacity))
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

    /// Counts the zeros at the end of the bytes read so far, up to one block of a tar archive.
    private func noteEnd() {
        guard !held.isEmpty else {
            hasEnded = true
            return
        }
        var zeros = 0
        // Safe: the places are within the bytes read.
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
