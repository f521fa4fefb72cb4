import CaptureFile
import PayloadFormat

/// What the frames that a caller chose add up to, beside what the whole capture does.
public struct FrameSelection: Sendable {
    /// What was counted over the chosen frames.
    public internal(set) var totals = CaptureStatistics()
    /// How many connections have a chosen frame.
    public internal(set) var connectionCount = 0
    /// The adapters of chosen frames, by file and index.
    var adapters: Set<UInt64> = []
    /// What was reported of advertisers in chosen frames, by their place in the table.
    var advertisers: [Int: Heard] = [:]
    /// The chosen commands; of those that wait for nothing only some.
    private var commands: Set<FramePlace> = []
    /// How many of them are kept before those that wait for nothing are dropped: twice as
    /// many as may wait, so that each dropping makes room for as many again.
    static let mostCommands = 2 * AdapterTable.mostWaiting
    /// The adapters' requests that still wait and were asked for in chosen frames.
    private(set) var openRequests: [OpenRequest] = []

    /// What chosen frames report of one advertiser.
    struct Heard: Sendable {
        var reports = 0
        var strongestRSSI: Int8 = -128
    }
}

extension FrameSelection {
    /// Whether commands are to be dropped before another one is noted.
    var isFull: Bool { commands.count >= Self.mostCommands }

    /// Drops the commands that wait for nothing: of others there are at most half as many as are kept.
    mutating func drop(allBut waiting: Set<FramePlace>) { commands.formIntersection(waiting) }

    /// Notes the adapter of a chosen frame.
    mutating func note(adapter: UInt64, _ table: borrowing AdapterTable) {
        // Only those that still have their place in the table are ever listed.
        if adapters.count >= 2 * AdapterTable.limit { adapters.formIntersection(table.all.map(\.key)) }
        adapters.insert(adapter)
    }

    /// Notes a chosen command.
    mutating func note(command: FramePlace) {
        if !isFull { commands.insert(command) }
    }

    /// Keeps those of requests that chosen frames asked for.
    mutating func keep(_ requests: ArraySlice<OpenRequest>) {
        openRequests += requests.filter { commands.contains($0.place) }
    }

    /// Counts a problem of a command that never got its answer, if that is among the chosen frames.
    mutating func count(_ problem: Problem, of asked: AdapterTable.PendingCommand) {
        guard commands.contains(asked.frame) else { return }
        totals.order = asked.order
        totals.count(problem, at: asked.frame, link: asked.connection, speaksProtocol: false)
    }
}

/// One advertising report of the last frame: whose, by the place in the table, and how strong.
struct AdvertiserReport: Sendable {
    var place: Int
    /// In dBm; 127 where the controller did not measure it.
    var rssi: Int8
}

extension Analyzer {
    /// Starts to add up what chosen frames hold: before the first record.
    public mutating func beginSelection() { selection = FrameSelection() }

    /// Chooses the frame analysed last. What it means does not change: every record is analysed, so that a
    /// chosen frame is seen in the state that the frames before it left.
    public mutating func select() {
        guard selection != nil else { return }
        selection?.totals.count(frame)
        selection?.note(adapter: AdapterTable.key(frame.file, frame.header.adapter), adapters)
        for report in reported {
            var heard = selection?.advertisers[report.place] ?? FrameSelection.Heard()
            heard.reports &+= 1
            if report.rssi != 127, report.rssi > heard.strongestRSSI { heard.strongestRSSI = report.rssi }
            selection?.advertisers[report.place] = heard
        }
        if frame.header.kind == .command {
            if selection?.isFull == true { selection?.drop(allBut: adapters.waitingCommands) }
            selection?.note(command: frame.place)
        }
        if frame.acl?.isVendor == true { selection?.totals.vendorPackets &+= 1 }
        let slot = frame.link
        let number = slot < 0 ? 0 : links[slot].number
        let speaks = problems.isEmpty ? false : speaksProtocol(slot)
        selection?.totals.order = totals.records
        for problem in problems where problem.connection == 0 {
            selection?.totals.count(problem, at: frame, link: number, speaksProtocol: speaks)
            chooseRefusal(problem)
        }
        defer { selectOthers() }
        guard slot >= 0 else { return }
        if !links[slot].isChosen {
            links[slot].isChosen = true
            selection?.connectionCount += 1
        }
        peers.choose(links[slot].peer)
    }

    /// Passes over the frame analysed last, but not over what it says of connections that have chosen frames:
    /// a request's time runs out at whichever frame comes next.
    public mutating func passOver() {
        if selection != nil, !problems.isEmpty { selectOthers() }
    }

    /// Counts the problems of connections other than the frame's own that have chosen frames.
    private mutating func selectOthers() {
        selection?.totals.order = totals.records
        for problem in problems where problem.connection != 0 {
            guard let slot = links.firstIndex(where: { $0.number == problem.connection }),
                links[slot].isChosen
            else { continue }
            let speaks = speaksProtocol(slot)
            selection?.totals.count(problem, at: frame, link: 0, speaksProtocol: speaks)
        }
    }

    /// The advertisers whose reports are in the chosen frames, or all where none are chosen, with what was
    /// heard there.
    public var heardAdvertisers: [AdvertiserTable.Advertiser] {
        guard let selection else { return advertisers.all }
        return selection.advertisers.keys.sorted().map { place in
            var advertiser = advertisers.all[place]
            let heard = selection.advertisers[place] ?? FrameSelection.Heard()
            advertiser.reports = heard.reports
            advertiser.strongestRSSI = heard.strongestRSSI
            return advertiser
        }
    }

    /// Whether an adapter of the log advertised.
    public var hasAdvertised: Bool { adapters.all.contains { $0.hasAdvertised } }

    /// In how many advertising events, where controllers told.
    public var advertisingEvents: Int { adapters.all.reduce(0) { $0 &+ $1.advertisingEvents } }

    /// What adapters were asked for and had not done when the log ended: by the chosen frames, or by all
    /// where none are chosen.
    public var listedRequests: [OpenRequest] {
        selection.map { $0.openRequests.sorted { $0.place.bits < $1.place.bits } } ?? openRequests
    }

    /// Whether a report about the chosen frames (about the capture, where none are chosen) lists this peer.
    func lists(_ peer: PeerTable.Peer) -> Bool { selection == nil || peer.isChosen }

    /// Whether such a report lists this adapter.
    func lists(_ adapter: AdapterTable.Adapter) -> Bool {
        selection?.adapters.contains(adapter.key) ?? true
    }
}

extension AdapterTable {
    /// How many commands may wait at a time: of each adapter the two attempts to connect, and those that are
    /// remembered until they are answered or end.
    static let mostWaiting = limit * (2 + Adapter.pendingLimit + Adapter.runningLimit)

    /// The commands that may still be told of as unanswered.
    var waitingCommands: Set<FramePlace> {
        var places: Set<FramePlace> = []
        for adapter in all {
            let attempts = [adapter.attempt, adapter.attemptBefore].compactMap { $0?.place }
            places.formUnion(attempts + adapter.running.map(\.frame) + adapter.pending.map(\.frame))
        }
        return places
    }
}
