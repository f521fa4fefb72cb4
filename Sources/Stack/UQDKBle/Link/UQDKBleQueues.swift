import PayloadFormat
import Runtime
import UQDK

/// A message being written: its fragments, and the number already sent.
struct UQDKBleQueueData {
    let id: UInt64
    let fragments: [[UInt8]]
    var written = 0
}

/// Messages to write by message id, in order of arrival.
struct UQDKWritingQueue {
    private(set) var messages: [UInt64: UQDKBleQueueData] = [:]
    private var order: [UInt64] = []

    var isEmpty: Bool { order.isEmpty }

    /// Adds a message; its id must not be in the queue yet.
    mutating func append(_ data: UQDKBleQueueData) {
        guard messages[data.id] == nil else { return }
        messages[data.id] = data
        order.append(data.id)
    }

    mutating func next() -> (id: UInt64, fragment: [UInt8], isLast: Bool)? {
        while let id = order.first {
            guard var data = messages[id], data.written < data.fragments.count else {
                remove(id)
                continue
            }
            let fragment = data.fragments[data.written]
            data.written += 1
            messages[id] = data
            let isLast = data.written == data.fragments.count
            if isLast { remove(id) }
            return (id, fragment, isLast)
        }
        return nil
    }

    /// Drops the unsent fragments of a message.
    mutating func remove(_ id: UInt64) {
        messages[id] = nil
        order.removeAll { $0 == id }
    }
}

/// The received parts of the car's messages, by message id.
struct UQDKReceivingQueue {
    private let dialect: Dialect
    private var reassembler: Reassembler
    private var count: UInt64 = 0

    init(_ dialect: Dialect) {
        self.dialect = dialect
        reassembler = Reassembler(limits: dialect.reassemblyLimits)
    }

    var openCount: Int { reassembler.openCount }

    /// Time at which the first message fails unless its next fragment arrives.
    var nextDeadline: Instant? { reassembler.nextDeadline.map { Instant(nanoseconds: $0) } }

    /// Handles a value of the Event characteristic.
    ///
    /// - Returns: the message that it completes.
    mutating func take(
        _ value: [UInt8], at now: Instant, problems: inout [UQDKBleProblem]
    ) -> (id: UInt64, octets: [UInt8])? {
        guard let format = dialect.fragments?.format else {
            return (dialect.messageID(of: value, fragments: 0), value)
        }
        guard let fragment = Fragment(value, format) else {
            problems.append(UQDKBleProblem(kind: .fragment, id: nil))
            return nil
        }
        count &+= 1
        var ended: [Reassembler.Ended] = []
        let outcome = reassembler.accept(fragment, at: now.nanoseconds, frame: count, ended: &ended)
        problems += ended.map { UQDKBleProblem(kind: .reassembly($0.failure), id: $0.messageID) }
        guard case .complete(let whole) = outcome else { return nil }
        return (dialect.messageID(of: whole.octets, fragments: whole.messageID), whole.octets)
    }

    /// Ends the messages whose next fragment is overdue.
    mutating func expire(at now: Instant) -> [UQDKBleProblem] {
        var ended: [Reassembler.Ended] = []
        reassembler.expire(at: now.nanoseconds, ended: &ended)
        return ended.map { UQDKBleProblem(kind: .reassembly($0.failure), id: $0.messageID) }
    }
}
