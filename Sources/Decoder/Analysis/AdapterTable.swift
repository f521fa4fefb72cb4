import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// State of each adapter: scanning, connecting, and the commands that wait for an answer.
struct AdapterTable: Sendable {
    static let limit = 64

    struct Adapter: Sendable {
        /// The adapter's file and index, see ``AdapterTable/key(file:adapter:)``.
        let key: UInt64
        /// The adapter's public address, if the log contains it.
        var address: DeviceAddress?
        var scan = ScanState()
        /// The state of the scan when the host last requested a connection.
        var scanAtRequest = ScanState()
        /// The last commands that switched scanning off and on since the last connection request, packed for
        /// comparison; 0 if none.
        private(set) var lastScans: (off: UInt64, on: UInt64) = (0, 0)
        /// Whether the host's last scan command asked to switch scanning on.
        var lastScanCommandEnables = false
        /// The state before that command, which returns if the controller refuses the command.
        var scanBeforeCommand = ScanState()
        /// The time when scanning was switched on; nil while it is off.
        var scanningSince: CaptureTime?
        /// The total time of the scans that have ended, in nanoseconds.
        var totalScanTime: Int64 = 0
        /// The host's connection attempt, and the earlier attempt that was still under way when it was
        /// requested.
        var attempt: ConnectAttempt?
        var attemptBefore: ConnectAttempt?
        /// The last request of a peer for a BR/EDR connection.
        var incoming: ConnectAttempt?
        /// The host's role by a Role Change that came before its connection, and the device.
        var earlyRole: (peer: DeviceAddress, role: Link.Role)?
        /// The time when the host's last connection was established.
        var lastConnected: CaptureTime?
        var acceptList = AcceptList()
        /// The last device whose pairing the host declined, and the command.
        var declined: (peer: DeviceAddress, frame: FramePlace)?
        /// The first refusal of an attempt to connect to each device, over LE and over BR/EDR; removed when a
        /// connection follows.
        var refusedConnects: [UnresolvedFailure] = []
        var refusedClassicConnects: [UnresolvedFailure] = []
        /// The first refused scan; removed when a scan starts.
        var refusedScan: UnresolvedFailure?
        /// A command that the controller did not know or support, sent before the adapter was first used.
        /// With `closedAdapter`, the host closed the adapter right after: it could not start it.
        var startFailure: (refusal: UnresolvedFailure, time: CaptureTime, closedAdapter: Bool)?
        /// The first refusal that kept advertising from starting, and whether advertising ever started.
        var refusedAdvertising: UnresolvedFailure?
        var hasAdvertised = false
        /// Number of advertising events, counted for advertising sets whose end is in the log.
        var advertisingEvents = 0
        /// Earliest time at which a command can count as overdue, in nanoseconds: a silence in the log
        /// postpones it.
        var earliestOverdue = Int64.min
        /// The first withdrawn attempt to each device; removed when a connection follows.
        var withdrawnAttempts: [UnresolvedFailure] = []
        /// The withdrawn attempts to each device since it was connected last.
        var withdrawnCounts: [WithdrawnAttempts] = []
        /// Number of the controller's LE packet buffers; nil if it is unknown or they are shared with BR/EDR.
        var buffers: Int?
        var answers = 0
        var loss = PacketLoss()
        /// The last answer that refused a command of the log.
        var lastRefused: (opcode: UInt16, status: UInt8, frame: FramePlace, time: CaptureTime)?
        /// Unanswered commands, oldest first.
        var pending: [PendingCommand] = []
        /// Commands whose completion a separate event reports.
        var running: [RunningCommand] = []
        var streams = StreamHandles()
        /// The attributes of the local server, and a number that changes with them.
        fileprivate(set) var database = AttributeDatabase()
        fileprivate var generation = 0
        /// The boundary flags with which the host starts PDUs, for files without packet directions.
        var hostBoundaryFlag = HostBoundaryFlag.unknown
        var lastUse = 0

        var file: Int { Int(truncatingIfNeeded: key &>> 16) }
        /// Its index in the file; 0xFFFF for records without an adapter.
        var index: UInt16 { UInt16(truncatingIfNeeded: key) }
    }

    /// Scanning, as switched by the host.
    struct ScanState: Sendable {
        /// Longest pause, in nanoseconds, after which a restart continues the same scan: hosts stop scanning
        /// for each change of its parameters.
        static let longestRestart: Int64 = 1_000_000_000
        /// Longest time from the end of a scan to a connection that it led to, in nanoseconds.
        static let scanRelevance: Int64 = 30_000_000_000
        /// Longest scan for a device that was not heard in it, in nanoseconds.
        static let longestUnheard: Int64 = 10_000_000_000

        var started: CaptureTime?
        /// Nil while scanning.
        var ended: CaptureTime?
        /// Time of the stops after which the scan went on, in nanoseconds.
        private(set) var stopped: Int64 = 0

        mutating func enable(at time: CaptureTime) {
            if let ended, started != nil {
                let pause = time.nanoseconds &- ended.nanoseconds
                let goesOn = (0...Self.longestRestart).contains(pause)
                if !goesOn { started = time }
                stopped = goesOn ? stopped &+ pause : 0
            } else if started == nil {
                started = time
            }
            ended = nil
        }

        mutating func disable(at time: CaptureTime) {
            if started != nil, ended == nil { ended = time }
        }

        /// Whether this scan may have led to a connection requested at this time.
        func precedes(_ time: CaptureTime) -> Bool {
            guard let started, started <= time else { return false }
            guard let ended else { return true }
            return time.nanoseconds &- ended.nanoseconds <= Self.scanRelevance
        }
    }

    /// Handles of synchronous connections and connected isochronous streams, with the handles of their ACL
    /// connections.
    struct StreamHandles: Sendable {
        /// Most streams remembered; a new one evicts the oldest.
        static let limit = 64

        private var all: [(stream: UInt16, connection: UInt16)] = []

        mutating func add(_ stream: UInt16, of connection: UInt16) {
            all.removeAll { $0.stream == stream }
            if all.count == Self.limit { all.removeFirst() }
            all.append((stream, connection))
        }

        /// Forgets an ended stream, or the streams of an ended connection.
        mutating func remove(_ handle: UInt16) {
            all.removeAll { $0.stream == handle || $0.connection == handle }
        }

        func connection(of stream: UInt16) -> UInt16? { all.first { $0.stream == stream }?.connection }
    }

    /// The size of the filter accept list, and its device if there is only one.
    struct AcceptList: Sendable {
        var count = 0
        /// Its only device, if the log shows it.
        var only: DeviceAddress?

        mutating func add(_ address: DeviceAddress) {
            count &+= 1
            only = count == 1 ? address : nil
        }

        mutating func remove() {
            count = max(0, count &- 1)
            only = nil
        }
    }

    /// Most devices of an adapter whose withdrawn or refused attempts are remembered.
    static let refusalLimit = 16

    /// Time after which a command counts as overdue if other packets overtook it, in nanoseconds.
    static let longestOvertaking: Int64 = 10_000_000_000
    /// Pause between two records, in nanoseconds, above which the system may have been suspended.
    static let suspendThreshold: Int64 = 5_000_000_000

    /// Longest time that a controller may take to answer a command, in nanoseconds. The Core Specification
    /// sets no limit; hosts give up after two or ten seconds.
    static let commandTimeout: Int64 = 2_000_000_000

    /// A command that waits for its answer: Command Complete or Command Status.
    struct PendingCommand: Sendable {
        var opcode: UInt16
        var frame: FramePlace
        var time: CaptureTime
        /// The connection handle in its parameters; 0xFFFF if absent.
        var handle: UInt16
        /// The number of that connection; 0 if absent.
        var connection = 0
        /// The number of its record in the whole capture.
        var order = 0
        var stops = false
        var isMalformed = false
        /// Whether the controller delivered other packets for so long that no answer will come.
        var isOverdue = false

        /// Whether a controller has to answer it. Vendor commands and those that programs invent have rules
        /// of their own.
        var expectsAnswer: Bool { HCIOpcode(rawValue: opcode).name != nil }
    }

    /// A command whose completion a separate event reports, until that event.
    struct RunningCommand: Sendable {
        var opcode: UInt16
        /// The connection handle or the address that the event will name; 0 if it names neither.
        var key: UInt64
        var frame: FramePlace
        var time: CaptureTime
        /// The earlier command with the same key that it replaced; that one may be the one that completes.
        var before: (frame: FramePlace, time: CaptureTime)?
    }

    private(set) var all: [Adapter] = []
    /// Whether one of the files has records of more than one adapter.
    private(set) var hasSeveral = false
    private var last = 0
    private var clock = 0
    private(set) var wasFull = false
    /// Whether an attribute of a local server did not fit.
    private(set) var databaseWasFull = false
    /// Number of changes to the attributes of local servers.
    private var changes = 0

    static func key(file: Int, adapter: UInt16) -> UInt64 {
        UInt64(truncatingIfNeeded: file) &<< 16 | UInt64(adapter)
    }

    /// Returns the index of an adapter, which is added if it is new. A full table evicts the least recently
    /// used adapter.
    mutating func indexAdding(file: Int, adapter: UInt16) -> Int {
        let key = Self.key(file: file, adapter: adapter)
        if last < all.count, all[last].key == key { return last }
        clock &+= 1
        if let found = all.firstIndex(where: { $0.key == key }) {
            last = found
        } else if all.count < Self.limit {
            if adapter != 0xFFFF, !hasSeveral {
                hasSeveral = all.contains { $0.file == file && $0.index != 0xFFFF }
            }
            all.append(Adapter(key: key))
            last = all.count - 1
        } else {
            wasFull = true
            last = all.indices.min { all[$0].lastUse < all[$1].lastUse } ?? 0
            all[last] = Adapter(key: key)
        }
        all[last].lastUse = clock
        return last
    }

    /// Records that packets of a file, possibly answers of its adapters, were lost before this frame.
    mutating func handleLostPackets(in file: Int, before loss: PacketLoss) {
        for place in all.indices where all[place].file == file {
            all[place].loss = loss
        }
    }

    /// Changes the attributes of an adapter's own server.
    mutating func withDatabase(
        file: Int, adapter: UInt16, _ body: (inout AttributeDatabase) -> Void
    ) {
        let place = indexAdding(file: file, adapter: adapter)
        body(&all[place].database)
        guard all[place].database.takeChange() else { return }
        changes &+= 1
        all[place].generation = changes
        if all[place].database.wasFull { databaseWasFull = true }
    }

    /// Returns the index of an adapter; nil if it is unknown.
    private func known(file: Int, adapter: UInt16) -> Int? {
        let key = Self.key(file: file, adapter: adapter)
        for place in all.indices where all[place].key == key { return place }
        return nil
    }

    /// Returns a number that changes with the attributes of an adapter's own server.
    func generation(file: Int, adapter: UInt16) -> Int {
        known(file: file, adapter: adapter).map { all[$0].generation } ?? -1
    }

    /// Returns the label of a handle of an adapter's own server; nil if nothing is known.
    func label(of handle: UInt16, file: Int, adapter: UInt16, link: Int) -> AttributeLabel? {
        known(file: file, adapter: adapter).flatMap { all.span[$0].database.label(of: handle, onLink: link) }
    }

    /// Returns the attributes of an adapter's own server.
    func database(file: Int, adapter: UInt16) -> AttributeDatabase {
        known(file: file, adapter: adapter).map { all[$0].database } ?? AttributeDatabase()
    }

    /// Returns an adapter's public address, if the log contains it.
    func address(file: Int, adapter: UInt16) -> DeviceAddress? {
        known(file: file, adapter: adapter).flatMap { all[$0].address }
    }

    subscript(place: Int) -> Adapter {
        _read { yield all[place] }
        _modify { yield &all[place] }
    }
}

extension AdapterTable.Adapter {
    /// Whether a command that switches scanning repeats the last one of its kind; remembers it.
    mutating func repeatsScan(_ parameters: RawSpan) -> Bool {
        let isOn = parameters.octet(at: 0) == 1
        var key: UInt64 = 1
        var at = 1
        // Where a scan ends, what it filters does not matter.
        while isOn, let octet = parameters.octet(at: at) {
            key = key << 8 | UInt64(octet)
            at &+= 1
        }
        let isSame = key == (isOn ? lastScans.on : lastScans.off)
        if isOn { lastScans.on = key } else { lastScans.off = key }
        return isSame
    }

    /// Forgets the commands that switched scanning, so that the next ones are no repetitions.
    mutating func forgetScans() { lastScans = (0, 0) }

    /// Applies the host's switching of scanning.
    mutating func switchScan(_ value: UInt8?, at time: CaptureTime) {
        scanBeforeCommand = scan
        lastScanCommandEnables = value == 1
        switch value {
        case 0: stopScan(at: time)
        case 1:
            scan.enable(at: time)
            if scanningSince == nil { scanningSince = time }
            startFailure = nil
        default: break
        }
    }

    mutating func stopScan(at time: CaptureTime) {
        scan.disable(at: time)
        if let on = scanningSince { totalScanTime &+= max(0, time.nanoseconds &- on.nanoseconds) }
        scanningSince = nil
    }

    /// Restores the scan state after the controller refused to switch it; returns whether scanning was on
    /// before.
    mutating func takeBackScan() -> Bool {
        let wasOn = scanBeforeCommand.started != nil && scanBeforeCommand.ended == nil
        scan = scanBeforeCommand
        if lastScanCommandEnables, !wasOn { scanningSince = nil }
        return wasOn
    }

    /// Whether the host has not used the adapter yet, and has not failed to start it.
    var isUnused: Bool {
        lastConnected == nil && scanningSince == nil && totalScanTime == 0 && !hasAdvertised
            && startFailure?.closedAdapter != true
    }

    /// Whether the next command evicts the oldest unanswered one.
    var isPendingFull: Bool { pending.count >= Self.pendingLimit }

    /// Records a command that waits for its answer.
    mutating func notePending(_ command: AdapterTable.PendingCommand) {
        if isPendingFull { pending.removeFirst() }
        pending.append(command)
        if lastRefused?.opcode == command.opcode { lastRefused = nil }
        if startFailure?.closedAdapter == false { startFailure = nil }
    }

    /// Whether an event without a command only repeats the last answer that refused one.
    func wasRefused(_ opcode: UInt16, _ status: UInt8) -> Bool {
        guard let last = lastRefused, last.opcode == opcode, last.status == status else { return false }
        return !loss.mayIncludeAnswer(toRequestAt: last.frame, sent: last.time)
    }

    /// Forgets the host's commands, since the controller restarts.
    mutating func forgetAsked() {
        pending.removeAll(keepingCapacity: true)
        running.removeAll(keepingCapacity: true)
        lastRefused = nil
    }

    /// Limits of the commands that wait for an answer, and for the event of their completion.
    static let pendingLimit = 32
    static let runningLimit = 32

    /// Records that a selected frame shows a refusal.
    mutating func choose(_ occurrence: UnresolvedFailure.Occurrence) {
        refusedConnects.choose(occurrence)
        refusedClassicConnects.choose(occurrence)
        refusedScan?.choose(occurrence)
        startFailure?.refusal.choose(occurrence)
        refusedAdvertising?.choose(occurrence)
        withdrawnAttempts.choose(occurrence)
    }

    /// Records a command whose completion a separate event reports. It replaces an earlier one with the same
    /// key.
    mutating func noteRunning(_ opcode: UInt16, key: UInt64, _ frame: FramePlace, _ time: CaptureTime) {
        let before = takeRunning(opcode, key: key)
        if running.count >= Self.runningLimit { running.removeFirst() }
        running.append(
            .init(
                opcode: opcode, key: key, frame: frame, time: time,
                before: before.map { ($0.frame, $0.time) }))
    }

    /// Whether the host had asked for the end of a command's connection before it sent the command.
    func isEnding(_ command: AdapterTable.PendingCommand) -> Bool {
        running.contains {
            $0.opcode == HCIDisconnect.opcode.rawValue && $0.key == UInt64(command.handle)
                && $0.frame.file == command.frame.file && $0.frame.frame < command.frame.frame
        }
    }

    /// Removes and returns the command that an event completes; nil if it is not in the log.
    mutating func takeRunning(_ opcode: UInt16, key: UInt64) -> AdapterTable.RunningCommand? {
        guard let index = running.firstIndex(where: { $0.opcode == opcode && $0.key == key }) else {
            return nil
        }
        return running.remove(at: index)
    }

    /// Removes a command with this opcode that the controller refused: the command of this frame, or the last
    /// one. An earlier command that it had replaced continues.
    mutating func takeRefusedRunning(_ opcode: UInt16, _ frame: FramePlace?) -> AdapterTable.RunningCommand? {
        guard
            let index = running.lastIndex(where: {
                $0.opcode == opcode && (frame == nil || $0.frame == frame)
            })
        else { return frame.flatMap { takeBackEarlier(opcode, $0) } }
        let refused = running[index]
        if let before = refused.before {
            (running[index].frame, running[index].time) = before
            running[index].before = nil
        } else {
            running.remove(at: index)
        }
        return refused
    }

    /// Removes a refused command that a later one with the same key had replaced; the later one continues.
    private mutating func takeBackEarlier(
        _ opcode: UInt16, _ frame: FramePlace
    ) -> AdapterTable.RunningCommand? {
        let index = running.lastIndex { $0.opcode == opcode && $0.before?.frame == frame }
        guard let index, let before = running[index].before else { return nil }
        running[index].before = nil
        var refused = running[index]
        (refused.frame, refused.time) = before
        return refused
    }

    /// Removes and returns the oldest unanswered command with this opcode.
    mutating func takePending(_ opcode: UInt16) -> AdapterTable.PendingCommand? {
        guard let index = pending.firstIndex(where: { $0.opcode == opcode }) else { return nil }
        return pending.remove(at: index)
    }
}

/// The place in a log where its recorder lost packets.
struct PacketLoss: Sendable {
    /// The first frame after the loss; empty if nothing was lost.
    var firstFrameAfter = FramePlace()
    var time = CaptureTime(nanoseconds: .min)

    /// Whether the answer to the request in this frame may be among the lost packets. Within one file, the
    /// order of the records decides; across the parts of a log, only their times do.
    func mayIncludeAnswer(toRequestAt frame: FramePlace, sent: CaptureTime) -> Bool {
        frame.file == firstFrameAfter.file ? frame.frame < firstFrameAfter.frame : sent < time
    }
}
