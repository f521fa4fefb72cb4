import BluetoothCore
import CaptureFile
import PayloadFormat

/// What each adapter is doing: scanning, connecting, and which commands wait for their answer.
struct AdapterTable: Sendable {
    static let limit = 64

    struct Adapter: Sendable {
        var key: UInt64
        /// The adapter's public address, where the log tells it.
        var address: DeviceAddress?
        var name: [UInt8] = []
        var manufacturer: UInt16?
        var scan = ScanState()
        /// The scan as it was when the host asked for the connection.
        var scanBefore = ScanState()
        /// Whether scanning was shown to be switched on (1) and off (2) since the last connection was asked
        /// for.
        var scanShown: UInt8 = 0
        /// What the host switched scanning to last, whether on, and how it was before: the controller may
        /// refuse.
        var scanIsAsked = false
        var scanUndone = ScanState()
        /// Since when scanning is on, and for how many nanoseconds it was before.
        var scanOn: CaptureTime?
        var scanned: Int64 = 0
        /// The connection that the host asked for, and the one under way when it asked.
        var attempt: ConnectAttempt?
        var attemptBefore: ConnectAttempt?
        /// When the host's last connection came about.
        var lastConnected: CaptureTime?
        var acceptList = AcceptList()
        /// The first refusals of each connection, on LE and on BR/EDR, after which none came about.
        var refusedConnects: [Refusal] = []
        var refusedClassicConnects: [Refusal] = []
        /// The first refusal after which no scan came about.
        var refusedScan: Refusal?
        /// The first refusal that kept advertising from starting, and whether it ever started.
        var refusedAdvertising: Refusal?
        var hasAdvertised = false
        /// In how many events it did, of those advertising sets whose end is in the log.
        var advertisingEvents = 0
        /// Before this time, in nanoseconds, no command is overdue: the log was silent until shortly before.
        var patience = Int64.min
        /// The first attempt to each device that was withdrawn, unless one came about later.
        var givenUp: [Refusal] = []
        /// The controller's buffers for packets of LE, where it told; nil where it shares those of BR/EDR.
        var buffers: Int?
        /// How many commands were answered.
        var answers = 0
        /// Where packets were lost last.
        var loss = PacketLoss()
        /// Commands without an answer, in a ring.
        var pending: [PendingCommand] = []
        /// Commands whose end an event of its own tells.
        var running: [RunningCommand] = []
        /// The streams that belong to connections.
        var streams = StreamHandles()
        /// The attributes of the local server, and a number that no other state of any has.
        fileprivate(set) var database = AttributeDatabase()
        fileprivate var generation = 0
        /// How its host marks its packets, where the file keeps no direction.
        var hostStarts = HostStarts.unseen
        var lastUse = 0
    }

    /// Scanning, as the host switched it.
    struct ScanState: Sendable {
        /// Restarts that follow a stop within this time go on with the scan: hosts stop it for each change
        /// of its parameters.
        static let longestRestart: Int64 = 1_000_000_000
        /// A scan that ended longer ago has nothing to do with a connection.
        static let longestPause: Int64 = 30_000_000_000

        var started: CaptureTime?
        /// Nil while it goes on.
        var ended: CaptureTime?

        mutating func enable(at time: CaptureTime) {
            if let ended, started != nil {
                let pause = time.nanoseconds &- ended.nanoseconds
                if !(0...Self.longestRestart).contains(pause) { started = time }
            } else if started == nil {
                started = time
            }
            ended = nil
        }

        mutating func disable(at time: CaptureTime) {
            if started != nil, ended == nil { ended = time }
        }

        /// Whether a connection asked for now follows from it.
        func precedes(_ time: CaptureTime) -> Bool {
            guard let started, started <= time else { return false }
            guard let ended else { return true }
            return time.nanoseconds &- ended.nanoseconds <= Self.longestPause
        }
    }

    /// The handles of synchronous connections and connected isochronous streams, with those of the ACL
    /// connections that they belong to.
    struct StreamHandles: Sendable {
        /// The most that are remembered; the oldest one goes.
        static let limit = 64

        private var all: [(stream: UInt16, connection: UInt16)] = []

        mutating func add(_ stream: UInt16, of connection: UInt16) {
            all.removeAll { $0.stream == stream }
            if all.count == Self.limit { all.removeFirst() }
            all.append((stream, connection))
        }

        /// Forgets a stream that has ended, or the streams of a connection that has.
        mutating func remove(_ handle: UInt16) {
            all.removeAll { $0.stream == handle || $0.connection == handle }
        }

        func connection(of stream: UInt16) -> UInt16? { all.first { $0.stream == stream }?.connection }
    }

    /// The filter accept list, as far as it is worth knowing.
    struct AcceptList: Sendable {
        var count = 0
        /// Its only device, where the log tells.
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

    /// The most devices of an adapter whose withdrawn, or refused, attempts are remembered.
    static let refusalLimit = 16

    /// How long other packets may come while a command has no answer, in nanoseconds.
    static let longestOvertaking: Int64 = 10_000_000_000
    /// A longer pause between two records, in nanoseconds, may be a suspend.
    static let longestPause: Int64 = 5_000_000_000

    /// How long a controller may take to answer a command, in nanoseconds. The Core Specification sets no
    /// such time; hosts give up after two seconds or ten.
    static let longestAnswer: Int64 = 2_000_000_000

    struct PendingCommand: Sendable {
        var opcode: UInt16
        var frame: FramePlace
        var time: CaptureTime
        /// The connection handle it names; 0xFFFF for none.
        var handle: UInt16
        /// The number of that connection; 0 for none.
        var connection = 0
        /// The number of its record among all of the capture.
        var order = 0
        /// Whether it stops something.
        var stops = false
        /// Whether the controller delivered other packets for so long that no answer is on its way.
        var isOverdue = false

        /// Whether a controller has to answer it: what commands get that only vendors or programs know is
        /// theirs to say.
        var expectsAnswer: Bool { HCIOpcode(rawValue: opcode).name != nil }
    }

    struct RunningCommand: Sendable {
        var opcode: UInt16
        /// The connection handle or the address that the event will name; 0 where it names neither.
        var key: UInt64
        var frame: FramePlace
        var time: CaptureTime
        /// The command of its key that it took the place of, where that may still be the one that ends.
        var before: (frame: FramePlace, time: CaptureTime)?
    }

    private(set) var all: [Adapter] = []
    /// Whether one of the files has records of more than one adapter.
    private(set) var hasSeveral = false
    private var last = 0
    private var clock = 0
    /// Whether an adapter had to be forgotten.
    private(set) var wasFull = false
    /// Whether an attribute of a local server had no room.
    private(set) var databaseWasFull = false
    /// How often the attributes of a local server changed.
    private var changes = 0

    /// What an adapter of a file is known by.
    static func key(_ file: Int, _ adapter: UInt16) -> UInt64 {
        UInt64(truncatingIfNeeded: file) &<< 16 | UInt64(adapter)
    }

    /// The place of an adapter, made where it is new; the one used longest ago gives its place up.
    mutating func place(_ file: Int, _ adapter: UInt16) -> Int {
        let key = Self.key(file, adapter)
        if last < all.count, all[last].key == key { return last }
        clock &+= 1
        if let found = all.firstIndex(where: { $0.key == key }) {
            last = found
        } else if all.count < Self.limit {
            if adapter != 0xFFFF, !hasSeveral {
                hasSeveral = all.contains { $0.key &>> 16 == key &>> 16 && $0.key & 0xFFFF != 0xFFFF }
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

    /// Packets of a file were lost before this frame: answers of its adapters may be among them.
    mutating func losePackets(_ file: Int, before loss: PacketLoss) {
        for place in all.indices where all[place].key &>> 16 == UInt64(truncatingIfNeeded: file) {
            all[place].loss = loss
        }
    }

    /// Changes the attributes of an adapter's own server.
    mutating func withDatabase(
        _ file: Int, _ adapter: UInt16, _ body: (inout AttributeDatabase) -> Void
    ) {
        let place = place(file, adapter)
        body(&all[place].database)
        guard all[place].database.takeChange() else { return }
        changes &+= 1
        all[place].generation = changes
        if all[place].database.wasFull { databaseWasFull = true }
    }

    /// The place of an adapter; nil where it is not known.
    private func known(_ file: Int, _ adapter: UInt16) -> Int? {
        let key = Self.key(file, adapter)
        for place in all.indices where all[place].key == key { return place }
        return nil
    }

    /// A number that changes whenever the attributes of an adapter's own server do.
    func generation(_ file: Int, _ adapter: UInt16) -> Int {
        known(file, adapter).map { all[$0].generation } ?? -1
    }

    /// What is known about a handle of an adapter's own server.
    func label(of handle: UInt16, _ file: Int, _ adapter: UInt16, link: Int) -> AttributeLabel? {
        known(file, adapter).flatMap { all.span[$0].database.label(of: handle, onLink: link) }
    }

    /// The attributes of an adapter's own server.
    func database(_ file: Int, _ adapter: UInt16) -> AttributeDatabase {
        known(file, adapter).map { all[$0].database } ?? AttributeDatabase()
    }

    /// An adapter's public address, where the log tells it.
    func address(_ file: Int, _ adapter: UInt16) -> DeviceAddress? {
        known(file, adapter).flatMap { all[$0].address }
    }

    subscript(place: Int) -> Adapter {
        _read { yield all[place] }
        _modify { yield &all[place] }
    }
}

extension AdapterTable.Adapter {
    /// Follows the host as it switches scanning.
    mutating func switchScan(_ value: UInt8?, at time: CaptureTime) {
        scanUndone = scan
        scanIsAsked = value == 1
        switch value {
        case 0: stopScan(at: time)
        case 1:
            scan.enable(at: time)
            if scanOn == nil { scanOn = time }
        default: break
        }
    }

    /// Scanning has ended.
    mutating func stopScan(at time: CaptureTime) {
        scan.disable(at: time)
        if let on = scanOn { scanned &+= max(0, time.nanoseconds &- on.nanoseconds) }
        scanOn = nil
    }

    /// The controller did not switch scanning; whether it was on before.
    mutating func takeBackScan() -> Bool {
        let wasOn = scanUndone.started != nil && scanUndone.ended == nil
        scan = scanUndone
        if scanIsAsked, !wasOn { scanOn = nil }
        return wasOn
    }

    /// Whether the next command takes the place of the oldest one without an answer.
    var isPendingFull: Bool { pending.count >= Self.pendingLimit }

    mutating func asked(_ opcode: UInt16, _ frame: FramePlace, _ time: CaptureTime, handle: UInt16 = 0xFFFF) {
        if isPendingFull { pending.removeFirst() }
        pending.append(.init(opcode: opcode, frame: frame, time: time, handle: handle))
    }

    /// Adds what is known about the command that was noted last.
    mutating func describeLast(stops: Bool, order: Int, connection: Int) {
        let last = pending.count &- 1
        guard last >= 0 else { return }
        pending[last].stops = stops
        pending[last].order = order
        pending[last].connection = connection
    }

    /// Forgets what the host asked for: the controller starts anew.
    mutating func forgetAsked() {
        pending.removeAll(keepingCapacity: true)
        running.removeAll(keepingCapacity: true)
    }

    /// The most commands that are remembered until they are answered, and until they end.
    static let pendingLimit = 32
    static let runningLimit = 32

    /// Notes that a refusal was seen in a chosen frame.
    mutating func choose(_ sight: Refusal.Sight) {
        refusedConnects.choose(sight)
        refusedClassicConnects.choose(sight)
        refusedScan?.choose(sight)
        refusedAdvertising?.choose(sight)
        givenUp.choose(sight)
    }

    /// Notes a command whose end an event of its own tells; the last one with its key counts.
    mutating func started(_ opcode: UInt16, key: UInt64, _ frame: FramePlace, _ time: CaptureTime) {
        let before = ended(opcode, key: key)
        if running.count >= Self.runningLimit { running.removeFirst() }
        running.append(
            .init(
                opcode: opcode, key: key, frame: frame, time: time,
                before: before.map { ($0.frame, $0.time) }))
    }

    /// Takes the command that an event ends; nil where none was seen.
    mutating func ended(_ opcode: UInt16, key: UInt64) -> AdapterTable.RunningCommand? {
        guard let index = running.firstIndex(where: { $0.opcode == opcode && $0.key == key }) else {
            return nil
        }
        return running.remove(at: index)
    }

    /// Takes back a command with this opcode that the controller refused: of the frame that asked, or the
    /// last one. One whose place it took goes on.
    mutating func takeBack(_ opcode: UInt16, _ frame: FramePlace?) -> AdapterTable.RunningCommand? {
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

    /// Takes back a command whose place another of its key took before it was refused: that one goes on.
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

    /// Takes the oldest command with this opcode that waits for its answer.
    mutating func answered(_ opcode: UInt16) -> AdapterTable.PendingCommand? {
        guard let index = pending.firstIndex(where: { $0.opcode == opcode }) else { return nil }
        return pending.remove(at: index)
    }
}

/// Where a log's recorder lost packets.
struct PacketLoss: Sendable {
    /// The frame after the loss; none where nothing was lost.
    var before = FramePlace()
    var time = CaptureTime(nanoseconds: .min)

    /// Whether an answer to what this frame asked may be among what was lost: of one file the order of its
    /// records tells, of several parts of a log only their times.
    func concerns(_ frame: FramePlace, _ asked: CaptureTime) -> Bool {
        frame.file == before.file ? frame.frame < before.frame : asked < time
    }
}
