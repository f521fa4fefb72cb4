import PayloadFormat

extension UQDKLink {
    /// One direction's fragments.
    struct Side: Sendable {
        var reassembler: Reassembler
        /// Fragments so far that were no repeats.
        var count = 0
        /// What is kept of messages whose first fragment came, the oldest first.
        private var begun: [Begun] = []

        /// A message whose first fragment came and whose last did not.
        private struct Begun: Sendable {
            /// The number of its first fragment among all.
            var start: Int
            /// What that told.
            var beginning: MessageBeginning
        }

        init(reassembler: Reassembler) { self.reassembler = reassembler }

        /// How many messages are kept, for tests of the bound.
        var begunCount: Int { begun.count }

        /// Takes a fragment: what becomes of it.
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

        /// Forgets the message that its last fragment completed: whether no other message's fragments stood
        /// between its own.
        mutating func finish(_ last: FragmentHeader) -> Bool {
            guard let index = place(of: last.messageID) else { return last.index == 0 }
            let start = begun.remove(at: index).start
            return last.index == 0 || count - start == last.index
        }

        /// The fragment counted last is the first of this message; the oldest gives its place up to it.
        mutating func begin(_ beginning: MessageBeginning) {
            forget(beginning.messageID)
            if begun.count >= UQDKLink.begunLimit { begun.removeFirst() }
            begun.append(Begun(start: count, beginning: beginning))
        }

        /// What the message's first fragment told.
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

    /// The most messages of a direction of which the start is kept: as many as ids of one octet tell apart,
    /// since a message whose last fragment never comes would be kept for ever.
    static let begunLimit = 256
}
