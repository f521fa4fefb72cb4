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
