import BluetoothCore
import CaptureFile
import PayloadFormat

/// Totals of the frames that the caller selected, kept beside those of the whole capture.
public struct FrameSelection: Sendable {
    /// Counts over the selected frames.
    public internal(set) var totals = CaptureStatistics()
    /// Number of connections that have a selected frame.
    public internal(set) var connectionCount = 0
    /// The adapters of selected frames, by file and index.
    var adapters: Set<UInt64> = []
    /// Counts of the advertisers' reports in selected frames, by index in the table.
    var advertisers: [Int: Heard] = [:]
    /// The selected commands that may still be reported as unanswered, and some finished ones.
    private var commands: Set<FramePlace> = []
    /// Number of commands at which the finished ones are dropped: twice as many as can wait, so that dropping
    /// makes room for as many again.
    static let mostCommands = 2 * AdapterTable.mostWaiting
    private(set) var openRequests: [OpenRequest] = []
    private var jumps = ClockJumps()

    /// Counts of one advertiser's reports in selected frames.
    struct Heard: Sendable {
        var reports = 0
        var strongestRSSI: Int8 = -128
    }

    /// Whether commands must be dropped before another one is recorded.
    var isFull: Bool { commands.count >= Self.mostCommands }

    /// Drops the finished commands; those that wait are at most half of the limit.
    mutating func drop(allBut waiting: Set<FramePlace>) { commands.formIntersection(waiting) }

    mutating func note(adapter: UInt64, _ table: borrowing AdapterTable) {
        // Only adapters that are still in the table are ever listed.
        if adapters.count >= 2 * AdapterTable.limit { adapters.formIntersection(table.all.map(\.key)) }
        adapters.insert(adapter)
    }

    mutating func updateTotals(_ change: (inout CaptureStatistics) -> Void) { change(&totals) }

    mutating func note(command: FramePlace) {
        if !isFull { commands.insert(command) }
    }

    /// Remembers a jump of the clock at a frame that is not selected.
    mutating func passOver(_ gap: Int64, _ place: FramePlace) {
        if totals.records > 0, place.frame > 1 { jumps.add(gap, at: place) }
    }

    /// Counts the jumps between the last selected frame and the next one.
    mutating func takeJumps() {
        totals.clockJumps.add(jumps)
        jumps = ClockJumps()
    }

    mutating func keep(_ requests: ArraySlice<OpenRequest>) {
        openRequests += requests.filter { commands.contains($0.place) }
    }

    /// Counts a problem of a command that was never answered, if the command is in a selected frame.
    mutating func count(_ problem: Problem, of asked: AdapterTable.PendingCommand) {
        guard commands.contains(asked.frame) else { return }
        totals.count(
            problem, at: asked.frame, order: asked.order, asked.time, link: asked.connection,
            speaksProtocol: false)
    }
}

/// One advertising report of the last frame: the advertiser's index in the table, and the signal strength.
struct AdvertiserReport: Sendable {
    var place: Int
    /// In dBm; 127 if the controller did not measure it.
    var rssi: Int8
}

extension Analyzer {
    /// Starts to count selected frames; called before the first record.
    public mutating func beginSelection() { selection = FrameSelection() }

    /// Changes the totals of the capture and, if the subject of the change is selected, of the selection.
    mutating func updateTotals(selected: Bool = true, _ change: (inout CaptureStatistics) -> Void) {
        change(&totals)
        if selected { selection?.updateTotals(change) }
    }

    /// Selects the frame analysed last. Every record is analysed, selected or not, so that a selected frame
    /// is seen in the state that the frames before it left.
    public mutating func select() {
        guard selection != nil else { return }
        selection?.takeJumps()
        selection?.totals.count(frame)
        selection?.note(adapter: AdapterTable.key(file: frame.file, adapter: frame.header.adapter), adapters)
        for report in reported {
            var heard = selection?.advertisers[report.place] ?? FrameSelection.Heard()
            heard.reports &+= 1
            if report.rssi <= LEAdvertisement.highestRSSI {
                heard.strongestRSSI = max(heard.strongestRSSI, report.rssi)
            }
            selection?.advertisers[report.place] = heard
        }
        if frame.header.kind == .command {
            if selection?.isFull == true { selection?.drop(allBut: adapters.waitingCommands) }
            selection?.note(command: frame.place)
        }
        if frame.acl?.isVendor == true { selection?.totals.vendorPackets &+= 1 }
        let slot = frame.link
        let number = slot < 0 ? 0 : links[slot].number
        let speaks = problems.isEmpty ? false : speaksProtocol(slot: slot)
        for problem in problems where problem.connection == 0 && countsInSelection(problem) {
            selection?.totals.count(problem, at: frame, link: number, speaksProtocol: speaks)
            chooseRefusal(problem)
        }
        for index in setbacks.indices where setbacks[index].place == frame.place {
            setbacks[index].isSelected = true
        }
        defer { selectOthers() }
        guard slot >= 0 else { return }
        if !links[slot].isChosen {
            links[slot].isChosen = true
            selection?.connectionCount += 1
        }
        peers.choose(peer: links[slot].peer)
    }

    /// Leaves out the frame analysed last, but not the problems that it reports for connections with selected
    /// frames: a request times out at whichever frame comes next.
    public mutating func passOver() {
        for problem in problems {
            if case .record(.clockJump(let gap)) = problem.kind { selection?.passOver(gap, frame.place) }
        }
        if selection != nil, !problems.isEmpty { selectOthers() }
    }

    /// Counts the problems of other connections than the frame's own, if they have selected frames.
    private mutating func selectOthers() {
        for problem in problems where problem.connection != 0 {
            guard let slot = links.firstIndex(where: { $0.number == problem.connection }),
                links[slot].isChosen
            else { continue }
            let speaks = speaksProtocol(slot: slot)
            for index in setbacks.indices
            where setbacks[index].place == frame.place && setbacks[index].connection == problem.connection {
                setbacks[index].isSelected = true
            }
            selection?.totals.count(problem, at: frame, link: 0, speaksProtocol: speaks)
        }
    }

    /// The advertisers whose reports are in the selected frames, with the counts of those reports; all
    /// advertisers if no frames are selected.
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

    /// The number of advertising events, as far as controllers reported it.
    public var advertisingEvents: Int { adapters.all.reduce(0) { $0 &+ $1.advertisingEvents } }

    /// Requests to adapters that were unfinished when the log ended: those in selected frames, or all if no
    /// frames are selected.
    public var listedRequests: [OpenRequest] {
        selection.map { $0.openRequests.sorted { $0.place.bits < $1.place.bits } } ?? openRequests
    }

    /// Whether a report about the selection (or, without one, about the capture) lists this peer.
    func lists(_ peer: PeerTable.Peer) -> Bool { selection == nil || peer.isChosen }

    /// Whether a report about the selection (or, without one, about the capture) lists this adapter.
    func lists(_ adapter: AdapterTable.Adapter) -> Bool {
        selection?.adapters.contains(adapter.key) ?? true
    }
}

extension AdapterTable {
    /// Most commands that may wait at a time: for each adapter, two connection attempts, and the commands
    /// remembered until they are answered or complete.
    static let mostWaiting = limit * (2 + Adapter.pendingLimit + Adapter.runningLimit)

    /// The commands that may still be reported as unanswered.
    var waitingCommands: Set<FramePlace> {
        var places: Set<FramePlace> = []
        for adapter in all {
            let attempts = [adapter.attempt, adapter.attemptBefore].compactMap { $0?.place }
            places.formUnion(attempts + adapter.running.map(\.frame) + adapter.pending.map(\.frame))
        }
        return places
    }
}
