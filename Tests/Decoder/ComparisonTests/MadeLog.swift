import BluetoothCore
import CaptureFile
import PayloadFormat

@testable import Comparison

/// A log with one connection, or a second one behind it, made of things done.
struct MadeLog {
    static let key = "UQDK AUTH_BEGIN"

    var acts: [(kind: Act.Kind, what: String, status: String)] = [
        (.mtu, "MTU exchange", ""), (.discovery, "discovery", ""), (.subscription, "notifications on", ""),
        (.message, key + " request", ""), (.message, key + " response", "success"),
        (.write, "write of FFF2", ""), (.disconnection, "disconnection", ""),
    ]
    var device: DeviceAddress? = DeviceAddress(0xC011_2233_4455, .random)
    var values: [String: [Act.Value]] = [:]
    var database = ["service 180F", "service FFF0", "service FFF0, FFF2, properties write"]
    var phases: [SessionDigest.Phase] = []
    var failures: [IncidentDigest] = []
    var wasOpenAtStart = false
    /// The texts of what systems do by themselves.
    var housekeeping: Set<String> = []
    var hasUnlabelled = false
    /// The lines of services that were not searched for characteristics.
    var unsearched: Set<String> = []
    /// Secured messages that could not be read.
    var unread = 0
    /// The rest of its content that can't be compared.
    var gaps: [LogDigest.Gap] = []
    var name: String?
    /// Milliseconds without data behind the last thing done.
    var pause: Int64 = 0
    /// Whether a client's next command ended the pause, and not a notification.
    var isOwn = false
    /// Whether the peer sent a value after the host's write before the pause; nil without a write.
    var valueAfterWrite: Bool?
    /// Milliseconds from the last thing done to the log's end.
    var rest: Int64 = 0
    /// Whether the connection was open when the log ended.
    var isOpenAtEnd = false
    var hasEvents = true
    var hasData = true
    /// What was done on a second connection with the device; empty without one.
    var retry: [(kind: Act.Kind, what: String, status: String)] = []
    /// The number of the first frame, and the milliseconds between two.
    var first = 1
    var step: Int64 = 10

    /// Takes what has this text, with another outcome.
    mutating func answer(_ what: String, _ status: String) {
        for index in acts.indices where acts[index].what == what { acts[index].status = status }
    }

    /// Leaves out what has this text.
    mutating func leaveOut(_ what: String) { acts.removeAll { $0.what == what } }

    var digest: LogDigest {
        let first = session(1, acts, from: 0)
        let sessions = retry.isEmpty ? [first] : [first, session(2, retry, from: acts.count)]
        let end = CaptureTime(nanoseconds: (Int64(acts.count - 1) * step + rest) * 1_000_000)
        return LogDigest(
            name: "made", unread: unread, gaps: gaps, start: CaptureTime(nanoseconds: 0),
            end: (FramePlace(file: 0, frame: 99), end), sessions: sessions,
            failures: failures, incidents: Set(failures.map(\.key)), hasEvents: hasEvents, hasData: hasData)
    }

    private func session(
        _ number: Int, _ acts: [(kind: Act.Kind, what: String, status: String)], from past: Int
    ) -> SessionDigest {
        func time(_ index: Int) -> CaptureTime {
            CaptureTime(nanoseconds: Int64(past + index) * step * 1_000_000)
        }
        var session = SessionDigest(
            connection: number, firstFrame: FramePlace(file: 0, frame: first + past), start: time(0))
        session.device = device
        session.name = name
        session.database = database
        session.phases = phases
        session.wasOpenAtStart = wasOpenAtStart
        session.wasNotEstablished = acts.contains { $0.status == "Connection Failed to be Established" }
        session.hasUnlabelled = hasUnlabelled
        for (index, act) in acts.enumerated() {
            session.add(
                Act.Key(kind: act.kind, what: act.what, status: act.status),
                FramePlace(file: 0, frame: first + past + index), time(index), values[act.what] ?? [],
                isHousekeeping: housekeeping.contains(act.what))
        }
        session.unsearched = unsearched
        session.isOpenAtEnd = isOpenAtEnd
        let end = time(acts.count)
        if let valueAfterWrite {
            session.goOn(at: FramePlace(file: 0, frame: 88), end, .writeCommand, isFromHost: true) { "FFF2" }
            let value: ATTOpcode? = valueAfterWrite ? .handleValueNotification : nil
            session.goOn(at: FramePlace(file: 0, frame: 89), end, value, isFromHost: false) { "" }
        }
        session.goOn(at: FramePlace(file: 0, frame: 90), end, isFromHost: isOwn) { "" }
        let later = CaptureTime(nanoseconds: end.nanoseconds + pause * 1_000_000)
        let opcode: ATTOpcode = isOwn ? .writeCommand : .handleValueNotification
        session.goOn(at: FramePlace(file: 0, frame: 91), later, opcode, isFromHost: isOwn) { "write" }
        return session
    }

    /// In what it differs from good logs.
    func differences(from goods: MadeLog...) -> LogDifferences {
        LogComparison(goods: goods.map(\.digest), bad: digest).differences()
    }
}
