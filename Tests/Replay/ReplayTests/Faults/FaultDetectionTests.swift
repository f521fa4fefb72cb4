import Foundation
import Synchronization
import Testing

@testable import Replay

/// Faults of the stack, of the digital-key manager and of an application, all in one build and chosen at run
/// time, each at every place that it can be in: the replay finds them where they are.
///
/// The rules for what makes no difference, written before the faults:
/// - what operating systems read and write by themselves (the Generic Access and Generic Attribute services);
/// - the last byte of a configuration that is read: an application is given it as a number;
/// - what is told within 100 ms of the packet that it follows from;
/// - a counter or an id that no later message shows;
/// - limits and habits that nothing in the log comes near to, and how often advertisements are heard.
@Suite struct FaultDetectionTests {
    static let logs = [
        "mi-band", "mobike", "link-device", "peripheral-clock", "two-devices", "handle-reuse", "uqdk-unlock",
        "made",
    ]

    /// A session with what no capture has: indications, and reads that are refused.
    private static func made() -> SessionModel {
        Synthetic.model([
            .host("1213000200"), .peer("13"), .peer("1d1200aabb"), .host("1e"), .host("0a1500"),
            .peer("010a150002"), .peer("1d1200ccdd"), .host("1e"), .host("0a1800"), .peer("010a180005"),
            .host("12150042"), .peer("0112150003"),
        ])
    }

    // MARK: The stack

    /// Replays a log with a fault; nil where no PDU of it had the fault.
    private static func replay(
        _ name: String, _ fault: StackFault, at place: Int
    ) throws -> (replay: LogReplay, model: SessionModel, applied: FaultyTransport.Applied)? {
        var options = try LogReplayTests.options()
        let made = Mutex<[FaultyTransport]>([])
        let model = name == "made" ? Self.made() : try Recording.model("\(name).btsnoop")
        options.transport = { adapter, time in
            let transport = FaultyTransport(adapter, time, fault, at: place)
            made.withLock { $0.append(transport) }
            return transport
        }
        let replay = LogReplay(model, actions: model, options: options)
        return made.withLock { $0.first?.applied }.map { (replay, model, $0) }
    }

    @Test(arguments: StackFault.all)
    func `a fault of the stack is found at every place`(fault: StackFault) throws {
        var figures = FaultFigures("stack", fault.name)
        for name in Self.logs {
            for place in 0..<40 {
                guard let (replay, model, applied) = try Self.replay(name, fault, at: place) else { break }
                let isHarmless = model.connections.contains { connection in
                    Normalization.isHousekeeping(applied.handle, connection.database)
                        || fault.name.hasSuffix("read is lost")
                            && connection.database.isClientConfiguration(applied.handle)
                }
                guard !isHarmless else { continue }
                figures.note("\(name) \(place)", replay.report, model, at: applied.frame)
            }
        }
        figures.expectRight()
    }

    // MARK: The digital-key manager

    /// Replays a log with a fault of the manager; nil where it had no place.
    private static func replay(
        _ variant: (model: SessionModel, id: UInt64?), _ fault: ManagerFault, at place: Int
    ) throws -> (replay: LogReplay, frame: Int)? {
        var options = try LogReplayTests.options()
        let trigger = FaultTrigger(at: place, changed: variant.id)
        options.transport = { adapter, _ in
            trigger.watch(adapter)
            return adapter
        }
        options.seam = fault.seam(trigger)
        let replay = LogReplay(variant.model, actions: variant.model, options: options)
        return trigger.frame.map { (replay, $0) }
    }

    /// The reports of logs that are not the same without a fault, by their changes and what was changed.
    private static let managerLogs: [ManagerFault.Log: [UInt64: String]] = {
        guard let options = try? LogReplayTests.options(),
            let log = try? Recording.model("uqdk-unlock.btsnoop")
        else { return [:] }
        let kinds = Set(ManagerFault.all.map(\.log))
        return Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                let variants = kind.variants(of: log, options.knowledge)
                let wrong = variants.compactMap { variant -> (UInt64, String)? in
                    let right = LogReplay(variant.model, actions: variant.model, options: options)
                    return right.report.verdict == .same ? nil : (variant.id ?? 0, right.text)
                }
                return (kind, Dictionary(wrong) { first, _ in first })
            })
    }()

    @Test(arguments: ManagerFault.all)
    func `a fault of the digital-key manager is found at every place`(fault: ManagerFault) throws {
        var figures = FaultFigures("manager", fault.name)
        let options = try LogReplayTests.options()
        let log = try Recording.model("uqdk-unlock.btsnoop")
        for variant in fault.log.variants(of: log, options.knowledge) {
            if let wrong = Self.managerLogs[fault.log]?[variant.id ?? 0] { Issue.record("\(wrong)") }
            for place in 0..<(fault.hasPlaces && variant.id == nil ? 64 : 1) {
                guard let (replay, frame) = try Self.replay(variant, fault, at: place) else { break }
                let later = variant.model.steps(of: 1).count { $0.frame > frame && !$0.isEnd }
                if fault.showsLater, later < 2 { continue }
                let name = "uqdk-unlock \(variant.id ?? UInt64(place))"
                figures.note(name, replay.report, variant.model, at: frame, isAnywhere: !fault.hasPlaces)
                if let field = fault.field { #expect(replay.field == field) }
            }
        }
        figures.expectRight(isHarmless: fault.isHarmless)
    }

    // MARK: An application

    @Test(arguments: ApplicationFault.allCases)
    func `a fault of an application is found at every place`(fault: ApplicationFault) throws {
        var figures = FaultFigures("application", fault.rawValue)
        let log = try Recording.model("uqdk-unlock.btsnoop")
        let connection = try #require(log.connections.first)
        let visit = try #require(UQDKVisit(connection, try LogReplayTests.options().knowledge))
        let messages = visit.requests.map { $0.values.map { Data($0) } }
        for number in messages.indices {
            let model = fault.log.variant(of: log, visit, at: number)
            let right = ApplicationFault.run(nil, model, messages, at: 0)
            #expect(right.report.verdict == .same, "\(right.report.text)")
            let isChanged = fault.log != .asRecorded
            let run = ApplicationFault.run(fault, model, messages, at: isChanged ? 0 : number)
            guard let frame = run.frame else {
                if isChanged { continue } else { break }
            }
            // What is only shown to the user is found by a transcript that was kept.
            let isShown = !fault.isHarmless && right.shown != run.shown
            figures.note("\(number)", run.report, model, at: frame, orByTranscript: isShown)
        }
        figures.expectRight(isHarmless: fault.isHarmless)
    }

    @Test func `there are at least fifty faults`() {
        let stack = StackFault.all.count
        let manager = ManagerFault.all.count { !$0.isHarmless }
        let application = ApplicationFault.allCases.count { !$0.isHarmless }
        #expect(manager >= 20 && application >= 15 && stack + manager + application >= 50)
    }
}

extension SessionModel {
    /// What a host must do on a connection.
    fileprivate func steps(of number: Int) -> [HostStep] {
        connections.first { $0.number == number }?.steps.filter(\.isRequired) ?? []
    }
}

extension HostStep {
    fileprivate var isEnd: Bool {
        if case .disconnect = action { return true }
        return false
    }
}

/// What became of the runs with one fault.
struct FaultFigures {
    private let kind: String
    private let name: String
    private var runs = 0
    private var missed: [String] = []
    private var shown = 0
    private var misplaced: [String] = []

    init(_ kind: String, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// Notes a run.
    ///
    /// - Parameters:
    ///   - frame: the last one that had passed when the fault was there.
    ///   - isAnywhere: whether the fault is in all that follows.
    mutating func note(
        _ run: String, _ report: ReplayReport, _ model: SessionModel, at frame: Int, isAnywhere: Bool = false,
        orByTranscript isShown: Bool = false
    ) {
        runs += 1
        guard let found = report.foundFrame else {
            if isShown { shown += 1 } else { missed.append(run) }
            return
        }
        // What a fault does shows in the message that it is in, or in the next one; a message has two writes.
        let steps = model.steps(of: report.failedConnection ?? 1)
        let distance = steps.count { $0.frame <= found } - steps.count { $0.frame <= frame }
        guard !isAnywhere, !(-2...3).contains(distance) else { return }
        misplaced.append("\(run): \(frame), found at \(found)")
    }

    /// Expects that all was found where it was; where it makes no difference, that there was no alarm. The
    /// sum of them stands in docs/performance.md.
    func expectRight(isHarmless: Bool = false) {
        let what =
            isHarmless
            ? "harmless, \(runs - missed.count) alarms"
            : "\(missed.count) missed, \(misplaced.count) at another place"
        let byTranscript = shown > 0 ? ", \(shown) found by the transcript alone" : ""
        print("detection \(kind): \(name): \(runs) runs, \(what)\(byTranscript)")
        if isHarmless { return #expect(runs > 0 && missed.count == runs) }
        #expect(runs > 0 && missed.isEmpty && misplaced.isEmpty, "\(missed) \(misplaced)")
    }
}

extension ReplayReport {
    /// The frame that the report names; nil where it names no difference.
    fileprivate var foundFrame: Int? {
        switch verdict {
        case .diverged(let divergence):
            let named = [divergence.told?.frame, divergence.expected?.frame, divergence.nearest?.frame]
            return named.compactMap { $0 }.first { $0 > 0 }
                ?? divergence.before.last { $0.frame > 0 }?.frame ?? 0
        case .stuck(let stuck):
            return stuck.expected?.frame ?? stuck.before.last { $0.frame > 0 }?.frame ?? 0
        default: return nil
        }
    }
}
