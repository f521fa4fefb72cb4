import CArchive
import Glibc

/// The octets of one entry of an archive, or of a compressed file, unpacked by libarchive as they are asked
/// for.
///
/// A class because libarchive's handle is one thing with one owner, and the handle must be freed once.
@safe
final class ArchiveStream {
    private let handle: OpaquePointer
    private let feed: DescriptorFeed
    /// Octets unpacked of the entry, and what goes on when libarchive gives up a gzip file.
    private var given = 0
    private var rescue: GzipRescue?
    private var failure: Problem?
    private var isWholeFile = false
    private var hasEntry = false
    /// The rest of libarchive's last block, and how many zeros stand before it.
    // Safe: no octets are named before libarchive names some.
    private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var gap = 0
    /// Octets of the entry that were given or skipped.
    private var position = 0

    /// Opens the compressed file or archive that `feed` gives.
    init(_ feed: DescriptorFeed) throws(Problem) {
        // Safe: the handle is made here, owned by this object alone, and freed once, when it ends.
        guard let handle = unsafe archive_read_new() else { throw Problem(message: "no memory") }
        unsafe self.handle = handle
        self.feed = feed
        // Only what libarchive does by itself: the filters that start other programs stay off.
        unsafe archive_read_support_filter_gzip(handle)
        unsafe archive_read_support_filter_bzip2(handle)
        unsafe archive_read_support_filter_xz(handle)
        unsafe archive_read_support_filter_zstd(handle)
        unsafe archive_read_support_filter_lz4(handle)
        unsafe archive_read_support_format_tar(handle)
        unsafe archive_read_support_format_zip(handle)
        unsafe archive_read_support_format_raw(handle)
        // Safe: the feed lives as long as this object, which frees the handle first.
        let client = unsafe Unmanaged.passUnretained(feed).toOpaque()
        unsafe archive_read_set_read_callback(handle, readFromFeed)
        unsafe archive_read_set_callback_data(handle, client)
        if feed.isSeekable { unsafe archive_read_set_seek_callback(handle, seekInFeed) }
        if unsafe archive_read_open1(handle) != ARCHIVE_OK { try beginRescue() }
    }

    // Safe: nobody else has the handle.
    deinit { unsafe archive_read_free(handle) }

    /// Whether it was taken over from libarchive.
    var isRescued: Bool { rescue != nil }

    /// What libarchive said.
    struct Problem: Error {
        var message: String
    }

    private func problem() -> Problem {
        // Safe: libarchive's text is ended by a zero and lives until the next call.
        let text = unsafe archive_error_string(handle).map { unsafe String(cString: $0) }
        return Problem(message: text ?? "the archive can't be read")
    }

    /// An entry: its path in the archive; empty for a compressed file that is no archive.
    struct Entry {
        var path: String
        var isFile: Bool
        /// Whether this is the content of a compressed file that is no archive.
        var isWhole: Bool
    }

    /// Goes to the next entry; nil at the end.
    func nextEntry() throws(Problem) -> Entry? {
        if rescue != nil {
            if hasEntry { return nil }
            hasEntry = true
            return Entry(path: "", isFile: true, isWhole: true)
        }
        var entry: OpaquePointer?
        // Safe: the entry belongs to the handle and is read before the next call.
        let status = unsafe archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return nil }
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else {
            if hasEntry { throw problem() }
            try beginRescue()
            hasEntry = true
            return Entry(path: "", isFile: true, isWhole: true)
        }
        hasEntry = true
        // Safe: only numbers are asked for.
        let isWhole = unsafe archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_RAW
        (given, isWholeFile) = (0, isWhole)
        (position, gap) = (0, 0)
        // Safe: no octets are named.
        unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
        // Safe: the entry and its text live until the next header is read.
        let path = unsafe archive_entry_pathname(entry).map { unsafe String(cString: $0) }
        // 0170000 masks the type of a file, 0100000 is a regular one.
        let isFile = unsafe isWhole || archive_entry_filetype(entry) & 0o170000 == 0o100000
        return Entry(path: path ?? "", isFile: isFile, isWhole: isWhole)
    }

    /// The next octets of the entry, fewer than `count` only at its end.
    func head(_ count: Int) throws(Problem) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            // Safe: at most the octets from `place` to the end of the array are written.
            let got = unsafe octets.withUnsafeMutableBytes { buffer -> Int in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
                guard let start = rest.baseAddress else { return 0 }
                return unsafe unpack(into: start, rest.count)
            }
            if got < 0 && place == 0 { throw problem() }
            if got <= 0 { break }
            place += got
        }
        octets.removeLast(count - place)
        return octets
    }

    /// Unpacks up to `count` octets to `place`; 0 at the entry's end, less than 0 where it can't be read on.
    ///
    /// By libarchive's own blocks: its function that fills a buffer drops what it has put there when the
    /// next block fails.
    @unsafe
    private func unpack(into place: UnsafeMutableRawPointer, _ count: Int) -> Int {
        // Safe: only the length of the block is asked for.
        while unsafe block.isEmpty && gap == 0 {
            var start: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            // Safe: libarchive fills in where its own block lies, which stays until the next call.
            let status = unsafe archive_read_data_block(handle, &start, &size, &offset)
            if status == ARCHIVE_EOF { return 0 }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { return -1 }
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

    /// Takes over a gzip file so short that libarchive gives it up at once; throws its problem otherwise.
    private func beginRescue() throws(Problem) {
        let met = problem()
        guard feed.isSeekable, let rescue = GzipRescue(file: feed.descriptor, given: 0) else { throw met }
        (self.rescue, failure) = (rescue, met)
    }

    /// Unpacks up to `count` octets to `place`; 0 at the entry's end.
    @unsafe
    func read(into place: UnsafeMutableRawPointer, _ count: Int) throws(Problem) -> Int {
        // Safe: the caller gives room for `count` octets.
        if rescue != nil { return try unsafe readRescued(into: place, count) }
        // Safe: the caller has room for `count` octets.
        let got = unsafe unpack(into: place, count)
        if got >= 0 {
            given &+= got
            return got
        }
        failure = problem()
        // Safe: only the filter's code is asked for.
        let isGzip = unsafe archive_filter_code(handle, 0) == ARCHIVE_FILTER_GZIP
        rescue =
            isGzip && isWholeFile && feed.isSeekable ? GzipRescue(file: feed.descriptor, given: given) : nil
        return try unsafe readRescued(into: place, count)
    }

    /// What libarchive had unpacked and gave up; then the problem that it met.
    @unsafe
    private func readRescued(into place: UnsafeMutableRawPointer, _ count: Int) throws(Problem) -> Int {
        let octets = rescue?.next(count) ?? []
        guard octets.isEmpty else {
            // Safe: there are at most `count` octets, for which the caller has room.
            unsafe octets.withUnsafeBytes {
                if let from = $0.baseAddress { unsafe place.copyMemory(from: from, byteCount: $0.count) }
            }
            return octets.count
        }
        throw failure ?? Problem(message: "the archive can't be read")
    }
}

/// Gives libarchive the octets of a descriptor, those first that have been read from it already.
@safe
final class DescriptorFeed {
    let descriptor: Int32
    private var head: [UInt8]
    private let buffer: UnsafeMutableRawPointer
    let isSeekable: Bool

    /// What unpacks the file, where libarchive is not to.
    private var inflated: GzipRescue?

    private static let capacity = 128 << 10

    /// The content of a gzip file, unpacked to its last octet even where it is cut; nil where it is none.
    ///
    /// - Parameter descriptor: closed when the feed ends.
    init?(inflating descriptor: Int32) {
        guard let inflated = GzipRescue(file: descriptor, given: 0) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.inflated = inflated
        (head, isSeekable) = ([], false)
        // Safe: owned by this feed alone, and freed when it ends.
        unsafe buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16)
    }

    /// - Parameter head: what has been read from a descriptor that can't go back.
    init(descriptor: Int32, head: [UInt8]) {
        self.descriptor = descriptor
        self.head = head
        isSeekable = head.isEmpty && lseek(descriptor, 0, SEEK_CUR) >= 0
        // Safe: owned by this feed alone, and freed when it ends.
        unsafe buffer = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        // Safe: allocated by this feed, which nobody uses any more.
        unsafe buffer.deallocate()
        close(descriptor)
    }

    fileprivate func read(_ octets: inout UnsafeRawPointer?) -> Int {
        unsafe octets = UnsafeRawPointer(buffer)
        if let part = inflated?.next(Self.capacity) {
            // Safe: the part is no longer than the buffer.
            unsafe part.withUnsafeBytes {
                if let from = $0.baseAddress { unsafe buffer.copyMemory(from: from, byteCount: $0.count) }
            }
            return part.count
        }
        if !head.isEmpty {
            let count = min(head.count, Self.capacity)
            // Safe: `count` is at most the capacity of the buffer and the length of the array.
            unsafe head.withUnsafeBytes {
                if let from = $0.baseAddress { unsafe buffer.copyMemory(from: from, byteCount: count) }
            }
            head.removeFirst(count)
            return count
        }
        while true {
            // Safe: the kernel writes at most the capacity of the buffer.
            let count = unsafe Glibc.read(descriptor, buffer, Self.capacity)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        Int64(lseek(descriptor, Int(offset), whence))
    }
}

private func readFromFeed(
    _ archive: OpaquePointer?, _ client: UnsafeMutableRawPointer?,
    _ octets: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
    guard let client = unsafe client, let octets = unsafe octets else { return -1 }
    // Safe: the client data is the feed that the stream keeps alive.
    let feed = unsafe Unmanaged<DescriptorFeed>.fromOpaque(client).takeUnretainedValue()
    return unsafe feed.read(&octets.pointee)
}

private func seekInFeed(
    _ archive: OpaquePointer?, _ client: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int64 {
    guard let client = unsafe client else { return -1 }
    // Safe: the client data is the feed that the stream keeps alive.
    let feed = unsafe Unmanaged<DescriptorFeed>.fromOpaque(client).takeUnretainedValue()
    return feed.seek(offset, whence)
}
