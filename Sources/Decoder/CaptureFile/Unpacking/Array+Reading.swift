extension [UInt8] {
    /// What `read` gives, call after call, until `count` octets are there or it gives none.
    ///
    /// - Parameter read: puts up to as many octets to a place, and says how many.
    @unsafe
    init(atMost count: Int, _ read: (UnsafeMutableRawPointer, Int) -> Int) {
        self.init(repeating: 0, count: count)
        var place = 0
        while place < count {
            // Safe: at most the octets from `place` to the end of the array are written.
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
