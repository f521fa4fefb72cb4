import BluetoothCore
import CaptureFile

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
        var connectStarted: CaptureTime?
        /// The peer that the host asked to connect to.
        var connectingTo: DeviceAddress?
        /// Commands without an answer, in a ring.
        var pending: [PendingCommand] = []
        /// Commands whose end an event of its own tells.
        var running: [RunningCommand] = []
        /// The attributes of the local server.
        var database = AttributeDatabase()
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

    struct PendingCommand: Sendable {
        var opcode: UInt16
        var frame: Int
        var time: CaptureTime
        /// The connection handle it names; 0xFFFF for none.
        var handle: UInt16
    }

    struct RunningCommand: Sendable {
        var opcode: UInt16
        /// The connection handle or the address that the event will name; 0 where it names neither.
        var key: UInt64
        var frame: Int
        var time: CaptureTime
    }

    private(set) var all: [Adapter] = []
    private var last = 0
    private var clock = 0
    /// Whether an adapter had to be forgotten.
    private(set) var wasFull = false

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

    /// The attributes of an adapter's own server; nil where the adapter is not known.
    func database(_ file: Int, _ adapter: UInt16) -> AttributeDatabase? {
        let key = Self.key(file, adapter)
        return all.first { $0.key == key }?.database
    }

    subscript(place: Int) -> Adapter {
        _read { yield all[place] }
        _modify { yield &all[place] }
    }
}

extension AdapterTable.Adapter {
    mutating func asked(_ opcode: UInt16, _ frame: Frame, handle: UInt16 = 0xFFFF) {
        if pending.count >= 32 { pending.removeFirst() }
        pending.append(.init(opcode: opcode, frame: frame.number, time: frame.time, handle: handle))
    }

    /// The most commands that are remembered until they end.
    static let runningLimit = 32

    /// Notes a command whose end an event of its own tells; the last one with its key counts.
    mutating func started(_ opcode: UInt16, key: UInt64, _ frame: Frame) {
        running.removeAll { $0.opcode == opcode && $0.key == key }
        if running.count >= Self.runningLimit { running.removeFirst() }
        running.append(.init(opcode: opcode, key: key, frame: frame.number, time: frame.time))
    }

    /// Takes the command that an event ends; nil where none was seen.
    mutating func ended(_ opcode: UInt16, key: UInt64) -> AdapterTable.RunningCommand? {
        guard let index = running.firstIndex(where: { $0.opcode == opcode && $0.key == key }) else {
            return nil
        }
        return running.remove(at: index)
    }

    /// Forgets the last command with this opcode: the controller refused it.
    mutating func abandon(_ opcode: UInt16) {
        guard let index = running.lastIndex(where: { $0.opcode == opcode }) else { return }
        running.remove(at: index)
    }

    /// Takes the oldest command with this opcode that waits for its answer.
    mutating func answered(_ opcode: UInt16) -> AdapterTable.PendingCommand? {
        guard let index = pending.firstIndex(where: { $0.opcode == opcode }) else { return nil }
        return pending.remove(at: index)
    }
}
