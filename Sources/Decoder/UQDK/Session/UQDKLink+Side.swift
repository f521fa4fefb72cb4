import PayloadFormat

extension UQDKLink {
    /// The fragments of one direction.
    struct Side: Sendable {
        var reassembler: Reassembler
        /// Number of fragments so far, without repetitions.
        var count = 0
        /// Messages whose first fragment has arrived, oldest first.
        private var begun: [Begun] = []

        /// A message with its first fragment but not yet its last.
        private struct Begun: Sendable {
            /// Value of `count` at its first fragment.
            var start: Int
            /// The facts that the first fragment revealed.
            var beginning: MessageBeginning
        }

        init(reassembler: Reassembler) { self.reassembler = reassembler }

        /// Number of messages kept, for tests of the bound.
        var begunCount: Int { begun.count }

        /// Adds a fragment and returns the outcome.
        mutating func accept(
            _ fragment: FragmentHeader, _ slice: RawSpan, _ isCut: Bool, _ time: Int64, _ frame: UInt64,
            _ ended: inout [Reassembler.Ended]
        ) -> Reassembler.Outcome {
            let outcome = reassembler.accept(
                fragment, slice, isCut: isCut, at: time, frame: frame, ended: &ended)
            let isRepeated = if case .repeated = outcome { true } else { false }
            if !isRepeated { count += 1 }
            for one in ended where one.messageID != fragment.messageID { forget(one.messageID) }
            return outcome
        }

        /// Forgets the message that `last` completes. Returns whether its fragments were contiguous.
        mutating func finish(_ last: FragmentHeader) -> Bool {
            guard let index = place(of: last.messageID) else { return last.index == 0 }
            let start = begun.remove(at: index).start
            return last.index == 0 || count - start == last.index
        }

        /// Records that the last counted fragment began this message; the oldest message may be evicted.
        mutating func begin(_ beginning: MessageBeginning) {
            forget(beginning.messageID)
            if begun.count >= UQDKLink.begunLimit { begun.removeFirst() }
            begun.append(Begun(start: count, beginning: beginning))
        }

        func beginning(of id: UInt64) -> MessageBeginning? { place(of: id).flatMap { begun[$0].beginning } }

        mutating func forget(_ id: UInt64) {
            if let index = place(of: id) { begun.remove(at: index) }
        }

        private func place(of id: UInt64) -> Int? {
            for index in begun.indices.reversed() where begun[index].beginning.messageID == id {
                return index
            }
            return nil
        }
    }

    /// Limit of begun messages per direction: the number of one-byte ids.
    ///
    /// Without a limit, messages whose last fragment never comes would stay forever.
    static let begunLimit = 256
}
