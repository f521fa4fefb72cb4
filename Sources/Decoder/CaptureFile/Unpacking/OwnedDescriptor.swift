import Glibc

/// A descriptor that is closed with its owner.
@safe
final class OwnedDescriptor {
    let number: Int32
    /// Descriptor that becomes readable to end the input; nil if the input can't be stopped.
    private let stop: Int32?
    /// The budget that the bytes of a temporary file count for, and their number.
    private let budget: SpoolBudget?
    private var held = 0

    /// - Parameter stop: a descriptor of the caller that becomes readable when the input is to end, whatever
    ///   it still holds. A regular file ends by itself and is read to its end.
    ///   - budget: where its bytes count, if it is a temporary file.
    init(_ number: Int32, stop: Int32? = nil, in budget: SpoolBudget? = nil) {
        self.number = number
        self.budget = budget
        var found = stat()
        // Safe: the kernel fills the structure, which outlives the call.
        let isRegular = unsafe stop != nil && fstat(number, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
        self.stop = isRegular ? nil : stop
    }

    deinit {
        if number >= 0 { close(number) }
        budget?.giveBack(held)
    }

    /// Whether so many bytes more may be written to this temporary file.
    func takeRoom(_ count: Int) -> Bool {
        guard let budget else { return true }
        guard budget.take(count) else { return false }
        held += count
        return true
    }

    /// Reads up to `count` bytes to `place`, for which the caller has room; returns 0 at the end and after a
    /// stop, and a negative number on failure, with the reason in `errno`.
    @unsafe
    func read(into place: UnsafeMutableRawPointer?, count: Int) -> Int {
        while true {
            if let stop, isEnded(by: stop) { return 0 }
            // Safe: the kernel writes at most `count` bytes.
            let got = unsafe Glibc.read(number, place, count)
            if got >= 0 || errno != EINTR { return got }
        }
    }

    /// Waits for input; returns whether the input was stopped instead.
    private func isEnded(by stop: Int32) -> Bool {
        var wanted = [number, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Safe: the kernel reads and fills the two structures of the array.
        while unsafe poll(&wanted, 2, -1) < 0 { guard errno == EINTR else { return false } }
        return wanted[1].revents != 0
    }
}

extension [UInt8] {
    /// Calls `read` repeatedly until it has returned `count` bytes or it returns 0.
    ///
    /// - Parameter read: writes up to the given number of bytes to a place, and returns the number written.
    @unsafe
    init(atMost count: Int, _ read: (UnsafeMutableRawPointer, Int) -> Int) {
        self.init(repeating: 0, count: count)
        var place = 0
        while place < count {
            // Safe: `read` writes at most the bytes from `place` to the end of the array.
            let got = unsafe withUnsafeMutableBytes { buffer -> Int in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
                guard let start = rest.baseAddress else { return 0 }
                return unsafe read(start, rest.count)
            }
            if got == 0 { break }
            place += got
        }
        removeLast(count - place)
    }
}
