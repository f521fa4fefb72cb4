/// Calls that the state of a manager or its object did not allow: the first of each kind, and a count of all.
///
/// A program that repeats a wrong call for days must not fill the memory or the log.
struct Misuses {
    static let limit = 100
    /// Each text once, in the order of the first calls.
    private(set) var lines: [String] = []
    /// Number of all calls, including repeated ones.
    private(set) var count = 0
    private var isFull = false

    /// Records a misuse.
    ///
    /// - Returns: the line for the log; nil if it has been logged before.
    mutating func note(_ line: String) -> String? {
        count += 1
        if lines.contains(line) { return nil }
        guard lines.count == Self.limit else {
            lines.append(line)
            return line
        }
        defer { isFull = true }
        return isFull ? nil : "API MISUSE: \(Self.limit) different misuses; further ones are only counted"
    }
}

extension CBManager {
    /// Records a misuse, and logs it the first time if the adapter has a log.
    func noteMisuse(_ text: String) {
        guard let line = misuses.change({ $0.note("API MISUSE: \(text)") }) else { return }
        adapter?.configuration.log?(line)
    }
}
