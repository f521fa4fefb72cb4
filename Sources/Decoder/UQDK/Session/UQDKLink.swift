import WireBytes

/// One dialect's view of one link: fragments, messages, requests and the session.
struct UQDKLink: Sendable {
    /// A request that has no response yet.
    struct Pending: Sendable {
        var messageID: UInt64
        var command: UInt64?
        var name: String
        var isSecured: Bool
        var frame: UInt64
        var time: Int64
        /// Whether its time ran out and that was said.
        var isOverdue = false
    }

    /// One direction's fragments.
    struct Side: Sendable {
        var reassembler: Reassembler
        /// Fragments so far that were no repeats.
        var count = 0
        /// What is kept of messages whose first fragment came, the oldest first.
        private var begun: [Begun] = []

        /// A message whose first fragment came and whose last did not.
        private struct Begun: Sendable {
            var id: UInt64
            /// The number of its first fragment among all.
            var start: Int
            /// What that fragment told.
            var note: MessageNote?
        }

        init(reassembler: Reassembler) { self.reassembler = reassembler }

        /// How many messages are kept, for tests of the bound.
        var begunCount: Int { begun.count }

        /// Takes a fragment: what becomes of it, and whether no other message's stand between its own.
        mutating func accept(
            _ fragment: Fragment, _ isCut: Bool, _ time: Int64, _ frame: UInt64,
            _ ended: inout [Reassembler.Ended]
        ) -> (Reassembler.Outcome, isUnbroken: Bool) {
            let outcome = reassembler.accept(fragment, isCut: isCut, at: time, frame: frame, ended: &ended)
            if outcome != .repeated {
                count += 1
                if fragment.index == 0 { begin(fragment.messageID) }
            }
            for one in ended where one.messageID != fragment.messageID { forget(one.messageID) }
            return (outcome, count - (start(of: fragment.messageID) ?? count) == fragment.index)
        }

        /// The fragment counted last is the first of this message; the oldest gives its place up to it.
        mutating func begin(_ id: UInt64) {
            forget(id)
            if begun.count >= UQDKLink.begunLimit { begun.removeFirst() }
            begun.append(Begun(id: id, start: count))
        }

        /// Keeps what a message's first fragment told.
        mutating func keep(_ note: MessageNote, of id: UInt64) {
            guard let index = begun.lastIndex(where: { $0.id == id }) else { return }
            begun[index].note = note
        }

        /// The number of the message's first fragment; nil where it is not kept.
        func start(of id: UInt64) -> Int? { begun.last { $0.id == id }?.start }

        /// What the message's first fragment told.
        func note(of id: UInt64) -> MessageNote? { begun.last { $0.id == id }?.note }

        mutating func forget(_ id: UInt64) {
            guard let index = begun.lastIndex(where: { $0.id == id }) else { return }
            begun.remove(at: index)
        }
    }

    /// The most messages of a direction of which the start is kept: as many as ids of one octet tell apart,
    /// since a message whose last fragment never comes would be kept for ever.
    static let begunLimit = 256

    let shared: SharedDialect
    /// Whether notes of messages keep the octets of bodies in clear.
    var keepsBodies = false
    private(set) var phone: Side
    private(set) var car: Side
    var pending: [Pending] = []
    var session: SessionTracker

    init(_ shared: SharedDialect, _ keys: KeyStore, startSeen: Bool) {
        self.shared = shared
        phone = Side(reassembler: Reassembler(limits: shared.dialect.reassemblyLimits))
        car = phone
        session = SessionTracker(shared, keys, startSeen: startSeen)
    }

    /// Takes the value of a command or event characteristic.
    mutating func handle(
        _ value: [UInt8], isCut: Bool, from sender: Sender, at time: Int64, frame: UInt64
    ) -> UQDKAnnotation {
        var annotation = UQDKAnnotation(shared.dialect)
        guard shared.isFragmented else {
            whole(value, isCut, sender, time, frame, &annotation)
            annotation.session = session.state(at: time)
            return annotation
        }
        guard let fragment = shared.fragment(value) else {
            let code = isCut ? "uqdk.fragment.cut" : "uqdk.fragment.header"
            let text =
                isCut
                ? "the recorder kept only \(value.count) octets of this fragment"
                : "\(value.count) octets that start with no fragment header of this dialect"
            annotation.problems.append(AnnotationProblem(code, text))
            return annotation
        }
        var ended: [Reassembler.Ended] = []
        let (outcome, isUnbroken) =
            sender == .phone
            ? phone.accept(fragment, isCut, time, frame, &ended)
            : car.accept(fragment, isCut, time, frame, &ended)
        for one in ended { annotation.problems.append(Self.problem(one, own: fragment.messageID)) }
        annotate(fragment, outcome, isCut, sender, &annotation)
        if case .complete(let assembled) = outcome {
            complete(assembled, sender, time, frame, isUnbroken, &annotation)
        } else if fragment.isLast, outcome != .repeated {
            lost(fragment.messageID, sender, time, frame, &annotation)
        }
        annotation.session = session.state(at: time)
        return annotation
    }

    /// What is left open when the link ends.
    mutating func close(at time: Int64) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for ended in phone.reassembler.reset() + car.reassembler.reset() {
            problems.append(Self.problem(ended, own: nil))
        }
        for request in pending where !request.isOverdue { problems.append(Self.unanswered(request)) }
        pending = []
        return problems
    }

    /// How long a request may wait for its response, in nanoseconds.
    private var patience: Int64 { shared.dialect.limits.command &* 1_000_000 }

    /// When the oldest request without a response will have waited as long as it may.
    var deadline: Int64 {
        var earliest = Int64.max
        for request in pending where !request.isOverdue { earliest = min(earliest, request.time &+ patience) }
        return earliest
    }

    /// The requests that have waited longer than they may, each once.
    mutating func overdue(at time: Int64) -> [AnnotationProblem] {
        var problems: [AnnotationProblem] = []
        for index in pending.indices where !pending[index].isOverdue {
            guard time &- pending[index].time > patience else { continue }
            pending[index].isOverdue = true
            problems.append(
                AnnotationProblem(
                    "uqdk.request.timeout",
                    "no response to \(pending[index].name) of frame \(pending[index].frame) within the "
                        + "\(shared.dialect.limits.command) ms that a phone waits"))
        }
        return problems
    }

    private mutating func annotate(
        _ fragment: Fragment, _ outcome: Reassembler.Outcome, _ isCut: Bool, _ sender: Sender,
        _ annotation: inout UQDKAnnotation
    ) {
        let state: FragmentNote.State
        switch outcome {
        case .incomplete: state = .open
        case .complete: state = .complete
        case .repeated: state = .repeated
        case .dropped: state = .dropped
        case .failed: state = .failed
        }
        var note = FragmentNote(
            messageID: fragment.messageID, index: fragment.index, isLast: fragment.isLast,
            count: fragment.count ?? (fragment.isLast ? fragment.index + 1 : nil), state: state)
        if fragment.index == 0, state != .complete, state != .repeated {
            let first = firstFragment(fragment, sender)
            if sender == .phone {
                phone.keep(first.note, of: fragment.messageID)
            } else {
                car.keep(first.note, of: fragment.messageID)
            }
            annotation.message = first.note
            annotation.isDoubtful = first.isDoubtful
            if note.count == nil, !isCut { note.count = first.fragments }
        }
        annotation.fragment = note
        guard state == .complete else { return }
        if sender == .phone { phone.forget(fragment.messageID) } else { car.forget(fragment.messageID) }
    }

    /// What the first fragment tells about a message that is not whole yet.
    private func firstFragment(_ fragment: Fragment, _ sender: Sender) -> (
        note: MessageNote, fragments: Int?, isDoubtful: Bool
    ) {
        let header = shared.dialect.message.header.readPrefix(fragment.slice)
        var note = MessageNote()
        note.messageID = fragment.messageID
        guard !header.wrong.contains(where: { $0.role == .magic }) else { return (note, nil, true) }
        note.kind = MessageDecoding.kind(header, shared.dialect, from: sender, id: fragment.messageID)
        let isDoubtful = !header.wrong.isEmpty || note.kind == nil
        note.command = header[.command]
        note.name = note.command.flatMap { shared.dialect.name(ofCommand: $0) }
        note.isSecured = (header[.flags] ?? 0) & shared.dialect.message.securedFlag != 0
        guard let says = header[.length], !fragment.slice.isEmpty,
            says <= UInt64(shared.dialect.limits.messageOctets)
        else { return (note, nil, isDoubtful) }
        var total = Int(says)
        if shared.dialect.message.lengthMeaning == .payload {
            total += shared.dialect.message.header.width + (shared.dialect.checksum?.checksum.octetCount ?? 0)
        }
        return (note, max(1, (total + fragment.slice.count - 1) / fragment.slice.count), isDoubtful)
    }

    /// The last fragment of a message that can't be read: the request counts as asked, the response as given.
    private mutating func lost(
        _ id: UInt64, _ sender: Sender, _ time: Int64, _ frame: UInt64, _ annotation: inout UQDKAnnotation,
        _ kept: MessageNote? = nil
    ) {
        let note = kept ?? (sender == .phone ? phone : car).note(of: id)
        if sender == .phone {
            phone.forget(id)
            ask(
                Pending(
                    messageID: id, command: note?.command, name: note?.name ?? "a request",
                    isSecured: note?.isSecured ?? false, frame: frame, time: time), &annotation)
        } else {
            car.forget(id)
            guard let index = pending.firstIndex(where: { $0.messageID == id }) else { return }
            var message = annotation.message ?? note ?? MessageNote()
            message.messageID = id
            message.requestFrame = pending[index].frame
            message.latency = time &- pending[index].time
            annotation.message = message
            pending.remove(at: index)
        }
    }

    /// A value that is a message of its own.
    private mutating func whole(
        _ value: [UInt8], _ isCut: Bool, _ sender: Sender, _ time: Int64, _ frame: UInt64,
        _ annotation: inout UQDKAnnotation
    ) {
        let header = shared.dialect.message.header.readPrefix(value[...])
        let id = header[.messageID] ?? 0
        if isCut {
            let fragment = Fragment(whole: value, messageID: id)
            annotation.message = firstFragment(fragment, sender).note
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.fragment.cut", "the recorder kept only \(value.count) octets of this message"))
            return lost(id, sender, time, frame, &annotation, annotation.message)
        }
        let assembled = Reassembler.Assembled(messageID: id, octets: value, frames: [frame])
        complete(assembled, sender, time, frame, true, &annotation)
    }

    /// Notes a request that now waits for its response.
    mutating func ask(_ request: Pending, _ annotation: inout UQDKAnnotation) {
        if hasMessageIDs, let index = pending.firstIndex(where: { $0.messageID == request.messageID }) {
            let frame = pending[index].frame
            annotation.problems.append(
                AnnotationProblem(
                    "uqdk.request.id-reused",
                    "id \(request.messageID) is used again while frame \(frame) has no response"))
            pending.remove(at: index)
        }
        if pending.count >= max(1, shared.dialect.limits.outstanding) {
            let oldest = pending.removeFirst()
            if !oldest.isOverdue { annotation.problems.append(Self.unanswered(oldest)) }
        }
        pending.append(request)
    }

    /// Whether messages carry ids at all.
    var hasMessageIDs: Bool {
        shared.dialect.fragments?.format.header.field(.messageID) != nil
            || shared.dialect.message.header.field(.messageID) != nil
    }

    private static func unanswered(_ request: Pending) -> AnnotationProblem {
        AnnotationProblem(
            "uqdk.request.unanswered", "\(request.name) of frame \(request.frame) has no response")
    }
}

extension UQDKLink {
    /// A message that ended before it was whole, as a problem.
    static func problem(_ ended: Reassembler.Ended, own: UInt64?) -> AnnotationProblem {
        let (code, text): (String, String) =
            switch ended.failure {
            case .gap(let expected, let found):
                ("gap", "fragment \(found + 1) came where fragment \(expected + 1) was due")
            case .differentRepeat(let index): ("repeat", "fragment \(index + 1) came again with other octets")
            case .timeout: ("timeout", "no next fragment came in time")
            case .restarted: ("restarted", "a new message with the same id started")
            case .tooManyFragments: ("too-many", "more fragments than a message may have")
            case .tooLong: ("too-long", "more octets than a message may have")
            case .cut: ("cut", "the recorder kept only a part of a fragment")
            case .disconnected: ("disconnected", "the link ended")
            case .evicted: ("evicted", "more messages were open than are kept")
            }
        let frames = ended.frames.map(String.init).joined(separator: ", ")
        let place = frames.isEmpty ? "" : " (frames \(frames))"
        return AnnotationProblem(
            "uqdk.fragment.\(code)", "message \(ended.messageID) was not completed\(place): \(text)")
    }
}
