import BluetoothCore
import PayloadFormat
import WireBytes

/// Follows the profiles on one link: it turns values into annotations.
///
/// A value type without I/O. It keeps unfinished fragments within the profile's limits, for eight attributes
/// at most, 64 unanswered requests, and 64 announced SPSMs.
public struct ProfileTracker: Sendable {
    private struct Place: Hashable, Sendable {
        var channel: ProfilePlace
        var handle: UInt16
        /// The PSM of a channel, whose number is the handle then.
        var psm: UInt16?
        /// Both sides may send messages over one attribute at a time.
        var operation: ProfileOperation
    }

    private struct Pending: Sendable {
        var profile: Int
        var message: String
        /// Only the fields that its answer repeats, since messages may hold long lists.
        var values: [(name: String, value: AnnotationValue?)]
        /// Its frame, or the last one of several, and its first.
        var frame: UInt64
        var begin: UInt64
        var time: Int64
        /// Whether its answer may have come before it.
        var isAnswered = false

        func value(_ name: String) -> AnnotationValue? { values.first { $0.name == name }?.value }
    }

    private static let maximumAttributes = 8
    private static let maximumPending = 64
    private static let maximumEarly = 4
    /// Longest time from a response to the rest of its request, in nanoseconds.
    private static let longestCrossing: Int64 = 1_000_000_000
    private static let maximumAnnounced = 64

    private let set: ProfileSet
    /// The address of the device, which ciphers may use; nil if unknown.
    private let device: DeviceAddress?
    private var reassemblers: [Place: Reassembler] = [:]
    private var streams: [Place: StreamCutter] = [:]
    private var pending: [Pending] = []
    /// The last responses that came before their requests: the peer may answer a long write before the host
    /// reports its last part.
    private var early: [Pending] = []
    /// The profiles that a frame on this link proved to be in use.
    private var shown: Set<Int> = []
    /// The channels of each SPSM that a message on this link announced.
    private var announced: [UInt16: [ProfilePlace]] = [:]
    /// The values of messages that ciphers of later ones may use.
    private var memory = ProfileMemory()

    /// Creates a tracker for a link to a device with this address; nil if unknown.
    public init(_ set: ProfileSet, of device: DeviceAddress? = nil) {
        self.set = set
        self.device = device
    }

    /// Explains a value; empty if it belongs to no profile.
    public mutating func handle(_ value: RawSpan, _ context: ProfileValue) -> [ProfileAnnotation] {
        // Nearly every value of a log belongs to no profile, which its first byte shows.
        if context.psm == nil, context.matches?.isEmpty ?? true, !set.mayStart(with: value.octet(at: 0)),
            context.matches != nil || !set.hasHandles
        {
            return []
        }
        var annotations: [ProfileAnnotation] = []
        var isExplained = false
        let copy = value.copied()
        for places in candidates(value, context).chunked(by: \.profile) {
            let number = places[places.startIndex].profile
            guard let (explained, isProof) = explain(value, copy, places, context) else { continue }
            learnServices(explained, of: number)
            var made = explained
            if number >= set.certainCount {
                // Of a profile that is only tried, what does not fit is not shown.
                made.removeAll { !$0.problems.allSatisfy(\.kind.isOfContent) }
                if made.isEmpty { continue }
                if isProof {
                    if made.contains(where: { $0.message != nil }) { shown.insert(number) }
                } else {
                    // Its label alone, or the start of a message, is too little evidence, unless other frames
                    // on the link proved the profile.
                    guard shown.contains(number) else { continue }
                }
            }
            // What a profile of the user explains is not explained again; answers still find their requests.
            let isHidden = isExplained && number >= set.certainCount
            for index in made.indices { pair(profile: number, context, &made[index], isHidden: isHidden) }
            if isHidden { continue }
            annotations += made
            if number < set.certainCount, made.contains(where: \.explains) { isExplained = true }
        }
        return annotations
    }

    /// Returns what the channels of a profile show of a value, and whether it proves the profile; nil if it
    /// belongs to none of them.
    private mutating func explain(
        _ value: RawSpan, _ copy: [UInt8], _ places: ArraySlice<ProfilePlace>, _ context: ProfileValue
    ) -> (made: [ProfileAnnotation], isProof: Bool)? {
        var best: (made: [ProfileAnnotation], isProof: Bool)?
        var streamed: (made: [ProfileAnnotation], isProof: Bool, channels: Int) = ([], false, 0)
        for place in places {
            guard let (recognition, isAssigned) = recognize(value, place, context) else { continue }
            let channel = set.channel(place)
            var made = explain(copy, channel, set.name(of: place.profile), place, recognition, context)
            for index in made.indices { made[index].isAssigned = isAssigned }
            // A channel to the very service that the device announced is a proof.
            let isProof =
                channel.hasEvidence || context.psm.map { announced[$0]?.contains(place) ?? false } ?? false
            if channel.framing.stream != nil {
                streamed.made += made
                streamed.isProof = streamed.isProof || isProof && made.holdMessage
                streamed.channels += 1
            } else if best.map({ !$0.made.fit && made.fit }) ?? true {
                best = (made, isAssigned || isProof)
            }
        }
        if streamed.channels > 1 {
            // What starts no message of one channel belongs to another; if it belongs to none, one says so.
            let others = streamed.made.filter { $0.misfits.first?.check != "start" }
            streamed.made = others.isEmpty ? Array(streamed.made.prefix(1)) : others
        }
        if streamed.channels > 0, best.map({ !$0.made.fit && streamed.made.fit }) ?? true {
            best = (streamed.made, streamed.isProof)
        }
        return best
    }

    /// Returns the name of the profile, among those that the user named, that this value belongs to: by its
    /// attribute, or by bytes that fit. Nil if absent; a profile that is only tried claims nothing.
    public func userProfile(matching value: RawSpan, _ context: ProfileValue) -> String? {
        for place in candidates(value, context) where place.profile < set.certainCount {
            switch recognize(value, place, context)?.recognition {
            case .label, .handle: return set.name(of: place.profile)
            case .content where set.channel(place).fits(value.copied()): return set.name(of: place.profile)
            case .content, .company, .serviceData, .psm, nil: continue
            }
        }
        return nil
    }

    /// Returns the problems of requests unanswered at the end of the link.
    public mutating func close(at time: Int64) -> [AnnotationProblem] {
        defer {
            pending = []
            early = []
            reassemblers = [:]
            streams = [:]
            shown = []
            announced = [:]
            memory = ProfileMemory()
        }
        return unanswered.map { request in
            let name = set.name(of: request.profile)
            let asked: Sentence = "\(request.message) of frame \(FramePlace(bits: request.frame))"
            let text: Sentence? = unfinishedAnswer(to: request).map {
                "\(name): the answer to \(asked) began at frame \($0) and is not complete"
            }
            return AnnotationProblem(.requestUnanswered, text ?? "\(name): \(asked) has no answer")
        }
    }

    /// Returns the first frame of an unfinished message that may answer a request: of those before it that
    /// wait for such an answer, the request is the one that takes it.
    private func unfinishedAnswer(to request: Pending) -> FramePlace? {
        let begun = streams.filter { $0.key.channel.profile == request.profile }
            .compactMap { place, stream in stream.begin.map { (place, $0) } }.sorted { $0.1 < $1.1 }
        for (place, begin) in begun {
            let messages = set.channel(place.channel).messages
            for pair in set.pairs(profile: request.profile)
            where pair.request == request.message && messages.contains(where: { $0.name == pair.response }) {
                let asked = unanswered.filter {
                    $0.profile == request.profile && $0.message == request.message && $0.begin < begin
                }
                let taker = pair.isLatest ? asked.last : asked.first
                if taker?.begin == request.begin { return FramePlace(bits: begin) }
            }
        }
        return nil
    }

    /// The times of the requests without an answer, in the order of their problems at the end.
    public var waitingSince: [Int64] { unanswered.map(\.time) }

    private var unanswered: [Pending] { pending.filter { !$0.isAnswered } }

    /// Number of fields of requests that are kept, for tests of the bound.
    var keptFieldCount: Int { pending.reduce(0) { $0 + $1.values.count } }

    /// The memory of incomplete messages, and of those remembered for a while, in bytes.
    public var room: Int {
        reassemblers.values.reduce(0) { $0 &+ $1.room } &+ streams.values.reduce(0) { $0 &+ $1.room }
    }

    /// Drops incomplete messages, with their later fragments.
    public mutating func dropIncomplete() {
        for place in reassemblers.keys { reassemblers[place]?.giveUp() }
        streams = [:]
    }

    // MARK: Recognition

    /// Whether the SDUs of channels to a service may belong to a profile.
    public func follows(psm: UInt16) -> Bool { set.services[psm] != nil || announced[psm] != nil }

    /// Remembers the SPSMs that messages of a profile announce.
    private mutating func learnServices(_ made: [ProfileAnnotation], of profile: Int) {
        guard let announcements = set.announcements[profile] else { return }
        for annotation in made where annotation.misfits.isEmpty {
            for (field, place) in announcements {
                guard case .unsigned(let number)? = annotation.fields.value(field),
                    let psm = UInt16(exactly: number), psm != 0, announced[psm]?.contains(place) != true,
                    announced.count < Self.maximumAnnounced || announced[psm] != nil
                else { continue }
                announced[psm, default: []].append(place)
            }
        }
    }

    /// The channels that a value may belong to, in the order of their profiles.
    private func candidates(_ value: RawSpan, _ context: ProfileValue) -> [ProfilePlace] {
        if let psm = context.psm {
            return Set((set.services[psm] ?? []) + (announced[psm] ?? [])).sorted()
        }
        let labelled = context.matches ?? []
        let mayBeOther =
            set.mayStart(with: value.octet(at: 0)) || context.matches == nil && set.hasHandles
        // The matches of a characteristic are in order.
        var places: [ProfilePlace] = []
        for match in labelled where places.last != match.place { places.append(match.place) }
        return mayBeOther ? Set(places + set.unlabelled).sorted() : places
    }

    /// Returns the evidence that a value belongs to a channel, and whether it is the characteristic of an
    /// assigned number, whose values have one form everywhere; nil if it does not belong to it.
    private func recognize(
        _ value: RawSpan, _ place: ProfilePlace, _ context: ProfileValue
    ) -> (recognition: ProfileAnnotation.Recognition, isAssigned: Bool)? {
        if context.psm != nil { return (.psm, false) }
        for (number, selector) in set.attributes(place).enumerated() {
            guard selector.operations.contains(context.operation), value.starts(with: selector.valuePrefix)
            else { continue }
            if let characteristic = selector.characteristic {
                let match = ProfileMatch(place: place, selector: number)
                if context.matches?.contains(match) == true {
                    return (.label, characteristic.isAssignedValue)
                }
            } else if let handle = selector.handle {
                if context.matches == nil && handle == context.handle { return (.handle, false) }
            } else {
                return (.content, false)
            }
        }
        return nil
    }

    // MARK: Decoding

    private mutating func explain(
        _ value: [UInt8], _ channel: ProfileChannel, _ profile: String, _ place: ProfilePlace,
        _ recognition: ProfileAnnotation.Recognition, _ context: ProfileValue
    ) -> [ProfileAnnotation] {
        var annotation = ProfileAnnotation(profile: profile, channel: channel.name, recognition: recognition)
        let isCut = context.originalLength > value.count
        let place = Place(
            channel: place, handle: context.handle, psm: context.psm, operation: context.operation)
        if let format = channel.framing.fragments {
            guard let whole = assemble(value, format, channel, place, isCut, context, &annotation) else {
                return [annotation]
            }
            describe(whole, channel, profile: place.channel.profile, &annotation)
        } else if isCut {
            streams[place] = nil
            annotation.opaque = value
            annotation.problems.append(
                AnnotationProblem(
                    .cut, "the recorder kept only \(value.count.counting("byte")) of this value"))
        } else if let format = channel.framing.stream {
            return cut(value, format, channel, place, context, annotation)
        } else {
            let body = describe(value, channel, profile: place.channel.profile, &annotation).body
            annotation.fieldsFromEnd = value.count - body.lowerBound
        }
        return [annotation]
    }

    /// Explains the messages of a stream that end in a value, and what else it brings.
    private mutating func cut(
        _ value: [UInt8], _ format: StreamFormat, _ channel: ProfileChannel, _ place: Place,
        _ context: ProfileValue, _ blank: ProfileAnnotation
    ) -> [ProfileAnnotation] {
        let isStrict = set.isStrict(profile: place.channel.profile)
        let isFull = streams[place] == nil && streams.count >= Self.maximumAttributes
        if isFull { streams = [:] }
        let pieces = streams[place, default: StreamCutter()].accept(
            value, channel, format, at: context.time, frame: context.frame)
        if streams[place]?.room == 0 { streams[place] = nil }
        var annotations = pieces.map { piece in
            var annotation = blank
            switch piece {
            case .message(let octets, let frames):
                annotation.frames = frames
                annotation.fragment = frames.count > 1 ? .complete : nil
                describe(octets, channel, profile: place.channel.profile, &annotation)
            case .skipped(let octets):
                annotation.opaque = octets
                let misfit = Misfit(
                    check: "start", field: "", offset: 0, expected: "the start of a message",
                    found: Hex.text(octets.prefix(8)))
                annotation.misfits = [misfit]
                annotation.problems = [
                    AnnotationProblem(.misfit(misfit, isStrict), "\(blank.profile): \(misfit)")
                ]
            case .unfinished(let count, let why):
                annotation.fragment = .failed
                let kept = count.counting("byte")
                annotation.problems = [
                    AnnotationProblem(
                        .fragmentFailed,
                        "\(blank.profile): after \(kept) a message was not completed: \(why)")
                ]
            case .open: annotation.fragment = .open
            }
            return annotation
        }
        if isFull, !annotations.isEmpty { annotations[0].problems.append(Self.forgotten) }
        return annotations
    }

    private static let forgotten = AnnotationProblem(
        .fragmentLimit,
        "unfinished messages of more than \(maximumAttributes) attributes: the others' are forgotten")

    @discardableResult
    private mutating func describe(
        _ frame: [UInt8], _ channel: ProfileChannel, profile: Int, _ annotation: inout ProfileAnnotation
    ) -> ProfileDecoding {
        let decoding = annotation.describe(
            frame, channel, set.keys(profile: profile, of: device, memory[profile]))
        memory.remember(decoding, of: frame, profile: profile)
        annotation.addProblems(of: decoding, isStrict: set.isStrict(profile: profile))
        return decoding
    }

    private mutating func assemble(
        _ value: [UInt8], _ format: FragmentFormat, _ channel: ProfileChannel, _ place: Place,
        _ isCut: Bool, _ context: ProfileValue, _ annotation: inout ProfileAnnotation
    ) -> [UInt8]? {
        guard let fragment = Fragment(value, format) else {
            annotation.fragment = .failed
            annotation.opaque = value
            annotation.problems.append(
                AnnotationProblem(
                    isCut ? .cut : .fragmentHeader,
                    "\(value.count.counting("byte")) that start with no fragment header"))
            return nil
        }
        if reassemblers[place] == nil, reassemblers.count >= Self.maximumAttributes {
            reassemblers = [:]
            annotation.problems.append(Self.forgotten)
        }
        var ended: [Reassembler.Ended] = []
        let outcome = reassemblers[place, default: Reassembler(limits: channel.framing.limits)].accept(
            fragment, isCut: isCut, at: context.time, frame: context.frame, ended: &ended)
        for one in ended {
            annotation.problems.append(
                AnnotationProblem(
                    .fragmentFailed,
                    "\(annotation.profile): message \(one.messageID) was not completed: "
                        + "\(one.failure)"))
        }
        switch outcome {
        case .incomplete: annotation.fragment = .open
        case .repeated: annotation.fragment = .repeated
        case .dropped: annotation.fragment = .dropped
        case .failed: annotation.fragment = .failed
        case .complete(let whole):
            annotation.fragment = .complete
            annotation.frames = Array(whole.frames)
            return whole.octets
        }
        return nil
    }

    // MARK: Requests and responses

    private mutating func pair(
        profile number: Int, _ context: ProfileValue, _ annotation: inout ProfileAnnotation, isHidden: Bool
    ) {
        guard let message = annotation.message, annotation.misfits.isEmpty else { return }
        let pairs = set.pairs(profile: number)
        let begin = annotation.frames.first ?? context.frame
        var isAnswer = false
        for pair in pairs where pair.response == message {
            let asked = pending.indices.filter { index in
                let request = pending[index]
                guard request.profile == number, request.message == pair.request, request.begin < begin
                else { return false }
                guard let names = pair.fields else { return true }
                return request.value(names.request) == annotation.fields.value(names.response)
            }
            guard let index = pair.isLatest ? asked.last : asked.first else { continue }
            answer(pending.remove(at: index), pair, context, &annotation)
            isAnswer = true
            break
        }
        if isHidden { return }
        for pair in pairs where pair.response == message && !isAnswer {
            guard let name = pair.fields?.response else { continue }
            if early.count >= Self.maximumEarly { early.removeFirst() }
            early.append(
                Pending(
                    profile: number, message: message, values: [(name, annotation.fields.value(name))],
                    frame: context.frame, begin: begin, time: context.time))
        }
        let isAsked = number < set.certainCount
        if pairs.contains(where: {
            $0.request == message && (isAsked || mayBeSeen($0.response, of: number, annotation.recognition))
        }) {
            if pending.count >= Self.maximumPending { pending.removeFirst() }
            let isAnswered = hasEarlyAnswer(profile: number, message, annotation, at: context.time)
            let names = pairs.compactMap { $0.request == message ? $0.fields?.request : nil }
            pending.append(
                Pending(
                    profile: number, message: message,
                    values: names.map { ($0, annotation.fields.value($0)) }, frame: context.frame,
                    begin: begin, time: context.time, isAnswered: isAnswered))
        }
    }

    /// Whether the answer to a request came shortly before it, with the value by which they are matched.
    private mutating func hasEarlyAnswer(
        profile number: Int, _ message: String, _ annotation: ProfileAnnotation, at time: Int64
    ) -> Bool {
        for pair in set.pairs(profile: number) where pair.request == message {
            guard let names = pair.fields, let value = annotation.fields.value(names.request) else {
                continue
            }
            let place = early.firstIndex {
                $0.profile == number && $0.message == pair.response && $0.value(names.response) == value
                    && time &- $0.time <= Self.longestCrossing
            }
            guard let place else { continue }
            early.remove(at: place)
            return true
        }
        return false
    }

    /// Whether the answer would be recognized if it came: by its content, by the label of an attribute if
    /// attributes have labels, or on the same channel.
    private func mayBeSeen(
        _ response: String, of profile: Int, _ recognition: ProfileAnnotation.Recognition
    ) -> Bool {
        recognition == .label || recognition == .psm
            || set.unlabelled.contains { place in
                guard place.profile == profile else { return false }
                let channel = set.channel(place)
                return channel.hasEvidence && channel.messages.contains { $0.name == response }
            }
    }

    private func answer(
        _ request: Pending, _ pair: ProfilePair, _ context: ProfileValue,
        _ annotation: inout ProfileAnnotation
    ) {
        annotation.requestFrame = request.frame
        let latency = context.time &- request.time
        annotation.latency = latency
        guard latency > pair.timeout &* 1_000_000 else { return }
        annotation.problems.append(
            AnnotationProblem(
                .requestTimeout,
                "\(annotation.profile): the answer came after \(latency / 1_000_000) ms, more than "
                    + "\(pair.timeout) ms"))
    }
}

extension [ProfilePlace] {
    /// Cuts the places where a property changes.
    fileprivate func chunked(by property: (ProfilePlace) -> Int) -> [ArraySlice<ProfilePlace>] {
        var chunks: [ArraySlice<ProfilePlace>] = []
        var start = startIndex
        for index in indices where index + 1 == endIndex || property(self[index]) != property(self[index + 1])
        {
            chunks.append(self[start...index])
            start = index + 1
        }
        return chunks
    }
}
