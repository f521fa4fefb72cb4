public import CaptureFile

/// What was counted over a whole capture.
public struct Totals: Sendable {
    public var records = 0
    public var commands = 0
    public var events = 0
    public var acl = 0
    public var sco = 0
    public var iso = 0
    public var monitor = 0
    public var notes = 0
    public var unknown = 0
    public var l2cap = 0
    public var att = 0
    public var smp = 0
    public var advertisingReports = 0
    public var problems = 0
    public var octets = 0
    /// ACL packets on handles that are no connection's.
    public var vendorPackets = 0
    public var first: CaptureTime?
    public var last: CaptureTime?
    /// The first problem that weighs as an error, its frame, and the number of its connection (0 for none).
    public var firstError: (problem: Problem, frame: Int, link: Int)?
    /// How often each problem was met, by the place of its code in ``Problem/Code/allCases``.
    public var problemCounts = [Int](repeating: 0, count: Problem.Code.allCases.count)
    /// The first frame of each problem, by the same place.
    public var problemFrames = [Int](repeating: 0, count: Problem.Code.allCases.count)

    @inline(__always)
    mutating func count(_ frame: borrowing Frame) {
        records &+= 1
        octets &+= frame.header.capturedLength
        if records == 1 { first = frame.header.time }
        last = frame.header.time
        switch frame.header.kind {
        case .command: commands &+= 1
        case .event: events &+= 1
        case .acl: acl &+= 1
        case .sco: sco &+= 1
        case .iso: iso &+= 1
        case .monitor: monitor &+= 1
        case .note: notes &+= 1
        case .unknown: unknown &+= 1
        }
        advertisingReports &+= frame.reports
        if frame.l2cap != nil { l2cap &+= 1 }
        if frame.att != nil { att &+= 1 }
        if frame.smpCode != nil { smp &+= 1 }
    }

    mutating func count(_ problem: Problem, at frame: Frame, link: Int) {
        problems &+= 1
        if firstError == nil, problem.code.severity == .error { firstError = (problem, frame.number, link) }
        let place = problem.code.place
        if problemCounts[place] == 0 { problemFrames[place] = frame.number }
        problemCounts[place] &+= 1
    }
}

extension Problem.Code {
    /// Its place in ``allCases``.
    public var place: Int { Self.places[self] ?? 0 }

    private static let places: [Problem.Code: Int] = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}
