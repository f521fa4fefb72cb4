import CaptureFile
import PayloadFormat
import Profiles
import WireBytes

/// The protocols that profiles describe, on one connection.
struct ProfileAnnotator: LinkAnnotator {
    /// Most profiles that are kept of a connection.
    private static let limit = 8

    private var tracker: ProfileTracker
    /// Use of each of them.
    private(set) var uses: [ProtocolUse] = []

    init(_ set: ProfileSet) { tracker = ProfileTracker(set) }

    var room: Int { tracker.room }

    func waiting(at time: Int64) -> [OpenRequest] { [] }

    mutating func giveUpUnfinished() { tracker.giveUpUnfinished() }

    /// Returns the name of the profile, among those that the user named, that a value belongs to; nil if
    /// absent.
    func claimant(of value: RawSpan, _ matches: [ProfileMatch]?, _ context: ValueContext) -> String? {
        tracker.claimant(of: value, ProfileValue(value, matches, context))
    }

    mutating func annotate(
        _ value: RawSpan, _ purpose: [ProfileMatch]?, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        let made = tracker.handle(value, ProfileValue(value, purpose, context))
        if made.isEmpty { return nil }
        for annotation in made {
            problems += annotation.problems.map { Problem(.annotated(AnnotatedProblem(.profile, $0))) }
            count(annotation)
            annotations.add(Annotation(annotation))
        }
        return ValueFindings()
    }

    private mutating func count(_ annotation: ProfileAnnotation) {
        var place = uses.firstIndex { $0.name == annotation.profile }
        if place == nil, uses.count < Self.limit {
            place = uses.count
            uses.append(ProtocolUse(.profile, annotation.profile))
        }
        guard let place else { return }
        if annotation.message != nil { uses[place].messages &+= 1 }
        if !annotation.misfits.isEmpty { uses[place].misfits &+= 1 }
    }

    mutating func close(at moment: LinkMoment, reason: UInt8?) -> OpenEnd {
        let problems = tracker.close(at: moment.time, from: moment.file)
        return OpenEnd(
            kind: .profile, lacksAnswers: !problems.isEmpty,
            problems: problems.map { Problem(.annotated(AnnotatedProblem(.profile, $0))) })
    }
}

extension ProfileValue {
    fileprivate init(_ value: RawSpan, _ matches: [ProfileMatch]?, _ context: ValueContext) {
        self.init(
            handle: context.handle, matches: matches,
            operation: context.isRead ? .read : context.isNotified ? .notify : .write,
            time: context.time.nanoseconds, frame: context.frame.bits, originalLength: context.originalLength)
    }
}
