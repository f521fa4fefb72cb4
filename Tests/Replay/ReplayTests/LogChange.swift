import BluetoothCore
import CaptureFile

@testable import Replay

/// A single change in a log: what it would hold if the host, the peer or the recorder had done one thing
/// otherwise. The table of all changes is ``all``.
struct LogChange: Sendable {
    /// What a change is to a program that does what the unchanged log holds.
    enum Meaning {
        /// Nothing: there must be no alarm.
        case harmless
        /// The recorder lost something in which nothing is compared: the host must not be blamed for it.
        case gap
        /// What can't have been: the log must not be judged as if it were whole, and one of these frames be
        /// named.
        case contradiction([Int])
        /// Something else: it must be found at one of these frames of the changed log; 0 is past its last
        /// step.
        case different([Int])
    }

    /// How records are changed. A record that is removed leaves an empty event in its place, so that the
    /// others keep their numbers.
    enum Edit {
        case replace(frame: Int, [UInt8])
        case remove([Int])
        case insert(after: Int, [(side: RecordedPDU.Side, octets: [UInt8])])
        /// The first frames come after the second ones.
        case exchange([Int], [Int])
        /// All records of the log, one by one, with their frame.
        case each((Int, inout Recording.Kept) -> Void)
    }

    var name: String
    /// What becomes of a log at one place; nil where the change can't be made there.
    var apply: @Sendable (ChangeSite) -> (edits: [Edit], meaning: Meaning)?

    init(
        _ name: String, _ apply: @escaping @Sendable (ChangeSite) -> (edits: [Edit], meaning: Meaning)?
    ) {
        self.name = name
        self.apply = apply
    }

    /// Every place of a log at which the change can be made.
    func places(in model: SessionModel, isKeyed: Bool) -> [Place] {
        var found: [Place] = []
        for connection in model.connections where connection.isPlayable {
            let steps = connection.steps
            for place in connection.pdus.indices where connection.pdus[place].channel == .attribute {
                let site = ChangeSite(
                    isKeyed: isKeyed, connection: connection, steps: steps, place: place)
                guard let (edits, meaning) = apply(site) else { continue }
                found.append(Place(change: name, frame: site.frame, edits: edits, meaning: meaning))
            }
        }
        return found
    }

    /// One change that can be made.
    struct Place {
        var change: String
        /// The frame that is changed.
        var frame: Int
        var edits: [Edit]
        var meaning: Meaning

        /// The changed records; nil where one of them does not hold a whole PDU.
        func made(in log: [Recording.Kept]) -> [Recording.Kept]? {
            var records = log
            return edits.allSatisfy({ $0.apply(to: &records) }) ? records : nil
        }
    }
}

/// One place in a log where a change can be made.
struct ChangeSite {
    /// Whether the messages are made by the manager of the digital-key protocol.
    var isKeyed: Bool
    var connection: RecordedConnection
    var steps: [HostStep]
    /// The place of the PDU among those of the connection.
    var place: Int

    var pdu: RecordedPDU { connection.pdus[place] }
    var frame: Int { pdu.frame }
    var opcode: ATTOpcode { pdu.opcode }
    var octets: [UInt8] { pdu.octets }
    var handle: UInt16 { Self.handle(octets) }

    /// The PDU that answers this one, and the one that this one answers.
    var response: RecordedPDU? { connection.pdus.first { $0.answers == place } }
    var request: RecordedPDU? { pdu.answers.map { connection.pdus[$0] } }

    /// The step that begins with the PDU.
    var step: HostStep? { steps.first { $0.pdus.first == place } }

    var isWrite: Bool {
        if case .write? = step?.action { return step?.pdus.count == 1 }
        return false
    }

    var isValue: Bool { [.handleValueNotification, .handleValueIndication].contains(opcode) }

    /// Whether it is the response to a read that begins a step.
    var isReadResponse: Bool {
        opcode == .readResponse && request?.opcode == .readRequest
    }

    /// The rule of what is harmless, written before the changes: what operating systems read and write by
    /// themselves makes no difference to anyone. (A receiver of the digital-key protocol drops a fragment
    /// that comes twice, as it must; two subscriptions next to each other may change places.)
    var isHousekeeping: Bool {
        Normalization.isHousekeeping(request.map { Self.handle($0.octets) } ?? handle, connection.database)
    }

    /// What the client does after a step, as far as it must be seen.
    func steps(after step: HostStep) -> ArraySlice<HostStep> {
        steps[(step.index + 1)...].filter { $0.lane == .client && $0.isRequired }[...]
    }

    /// The frames of a step's PDUs and of their responses.
    func frames(of step: HostStep) -> [Int] {
        connection.pdus.filter { pdu in
            step.pdus.contains { connection.pdus[$0] == pdu } || pdu.answers.map(step.pdus.contains) ?? false
        }
        .map(\.frame)
    }

    /// The frames of a PDU's response.
    func frames(answering pdu: RecordedPDU) -> [Int] {
        connection.pdus.filter { $0.answers.map { connection.pdus[$0] } == pdu }.map(\.frame)
    }

    /// The client's first step after the PDU; 0 after the last.
    var nextFrame: Int {
        steps.first { $0.lane == .client && $0.isRequired && $0.frame > frame }?.frame ?? 0
    }

    /// Another attribute of the same kind.
    var otherHandle: UInt16? {
        let known = connection.database.attributes
        guard let own = known.first(where: { $0.handle == handle }) else { return nil }
        func kind(_ one: PeerDatabase.Attribute) -> BluetoothUUID? {
            one.declaration != nil ? .primaryService : one.type == one.characteristic ? nil : one.type
        }
        return known.first {
            $0.handle != handle && kind($0) == kind(own)
                && !Normalization.isHousekeeping($0.handle, connection.database)
        }?.handle
    }

    /// The PDU with another handle.
    func octets(handle: UInt16) -> [UInt8] {
        [octets[0], UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8)] + octets[3...]
    }

    static func handle(_ octets: [UInt8]) -> UInt16 {
        octets.count < 3 ? 0 : UInt16(octets[1]) | UInt16(octets[2]) << 8
    }

    /// What a change of one PDU comes to, found there or at what the client does next.
    func replaced(_ octets: [UInt8]?) -> (edits: [LogChange.Edit], meaning: LogChange.Meaning)? {
        guard let octets, !isHousekeeping else { return nil }
        return ([.replace(frame: frame, octets)], .different([frame, nextFrame]))
    }
}

extension LogChange.Edit {
    /// Changes the records; false where one of them is not a whole PDU.
    func apply(to records: inout [Recording.Kept]) -> Bool {
        switch self {
        case .replace(let frame, let octets): return Self.put(octets, at: frame, in: &records)
        case .remove(let frames):
            for frame in frames {
                guard Self.isWhole(records[frame - 1]) else { return false }
                records[frame - 1].header.kind = .event
                records[frame - 1].header.direction = .controllerToHost
                records[frame - 1].octets = [0x13, 1, 0]
                records[frame - 1].header.originalLength = 3
            }
        case .insert(let frame, let pdus):
            for (place, pdu) in pdus.enumerated() {
                var new = records[frame - 1]
                guard Self.isWhole(new) else { return false }
                new.header.direction = pdu.side == .host ? .hostToController : .controllerToHost
                new.header.time = CaptureTime(
                    nanoseconds: new.header.time.nanoseconds + Int64(place + 1) * 1_000_000)
                records.insert(new, at: frame + place)
                _ = Self.put(pdu.octets, at: frame + place + 1, in: &records)
            }
            for place in records.indices {
                records[place].header.number = place + 1
                // What was inserted may be later than what came next.
                guard place > 0 else { continue }
                records[place].header.time = max(records[place].header.time, records[place - 1].header.time)
            }
        case .exchange(let first, let second):
            let places = (first + second).map { $0 - 1 }.sorted()
            let contents = (second + first).map { records[$0 - 1] }
            guard contents.allSatisfy(Self.isWhole) else { return false }
            for (place, content) in zip(places, contents) {
                let header = records[place].header
                records[place] = content
                records[place].header.time = header.time
                records[place].header.number = header.number
            }
        case .each(let change):
            for place in records.indices { change(place + 1, &records[place]) }
        }
        return true
    }

    /// Whether a record is data with one whole PDU.
    static func isWhole(_ record: Recording.Kept) -> Bool {
        let octets = record.octets
        return record.header.kind == .acl && octets.count >= 8
            && Int(octets[4]) | Int(octets[5]) << 8 == octets.count - 8
    }

    private static func put(_ pdu: [UInt8], at frame: Int, in records: inout [Recording.Kept]) -> Bool {
        let old = records[frame - 1].octets
        guard isWhole(records[frame - 1]) else { return false }
        func word(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
        records[frame - 1].octets = old[..<2] + word(pdu.count + 4) + word(pdu.count) + old[6..<8] + pdu
        records[frame - 1].header.originalLength = pdu.count + 8
        return true
    }
}
