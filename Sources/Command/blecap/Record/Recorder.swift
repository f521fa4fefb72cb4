import CaptureFile
import CommandLineKit
import Glibc
import MonitorCapture
import WireBytes

/// The command `blecap record`: records the HCI monitor channel to files.
struct Recorder {
    let arguments: ParsedArguments
    let console: Console
    let options: RecordOptions

    init(_ arguments: ParsedArguments, _ console: Console) throws(Failure) {
        self.arguments = arguments
        self.console = console
        options = try RecordOptions(arguments)
    }

    func run() throws(Failure) -> ExitStatus {
        try Output.refuseTerminal(options.path, arguments.environment)
        let annotator =
            options.annotates ? try LiveAnnotator(arguments, into: arguments.environment.outputSink) : nil
        let user = try wantedUser()
        let path = options.path ?? Self.usualName()
        try refuseExisting(path)
        let signals = try StopSignals(arguments.environment)
        let stop = signals.descriptor
        // List the links first: the list uses the management interface, which would appear in the channel.
        let links = try Failure.reporting { () throws(MonitorError) in try OpenLinkList() }
        let channel = try Failure.reporting { () throws(MonitorError) in
            try MonitorChannel(receiveBuffer: options.receiveBuffer)
        }
        sayWhatIsMissing(channel, links)
        if let user {
            try become(user)
        } else if UserIdentity.isRoot {
            console.say("running as root; --user NAME gives it up. To record without it: \(Failure.grant)")
        }
        let start = ClockReading.now()
        let file = try RecordingFile(path, options, now: start, stop: stop, keeper: RecordingGuard())
        announce(file.shownName)
        let isGuarded = file.unguarded == nil
        if let problem = file.unguarded { sayUnguarded(problem) }
        var target = FileTarget(file, options, links, annotator, start: start)
        var pump = ChannelPump(channel, signals, options.limits)
        do throws(Failure) {
            let ending = try pump.run(&target)
            try target.finish(pump.state, info(path))
            summarize(ending.text, pump.state, target, isGuarded)
        } catch {
            target.giveUp()
            summarize("a failure", pump.state, target, isGuarded)
            throw error
        }
        return .success
    }

    /// The default name of a recording.
    static func usualName() -> String {
        "blecap-\(SystemCall.localStamp(ClockReading.now().wall / 1_000_000_000)).btsnoop"
    }

    /// Rejects an existing file before anything is opened; creating it checks again.
    private func refuseExisting(_ path: String) throws(Failure) {
        guard !options.replaces, path != "-" else { return }
        let first = options.rotation.isWanted ? RecordingFile.leftover(of: path) : path
        guard let first, SystemCall.status(ofLink: first) != nil else { return }
        throw Failure(
            .environment, "\(first): already exists", advice: "choose another name, or give --force")
    }

    /// Reports once the consequences of a missing capability.
    private func sayWhatIsMissing(_ channel: borrowing MonitorChannel, _ links: borrowing OpenLinkList) {
        var costs: [String] = []
        if channel.bufferIsCapped {
            costs.append("the receive buffer is \(Quantity.text(octets: channel.receiveBuffer))")
        }
        if links.lacksAddressTypes { costs.append("links already up lack their address type") }
        if !costs.isEmpty { console.say("without CAP_NET_ADMIN " + costs.joined(separator: ", and ")) }
    }

    /// The user to become, if requested and possible.
    private func wantedUser() throws(Failure) -> UserIdentity? {
        guard let name = options.user else { return nil }
        guard let user = UserIdentity(name: name) else {
            throw Failure(.usage, "--user: unknown user '\(name)'")
        }
        guard user.user != 0 else {
            throw Failure(.usage, "--user: '\(name)' is root")
        }
        guard UserIdentity.isRoot else {
            throw Failure(.usage, "--user: only root can become another user")
        }
        return user
    }

    private func become(_ user: UserIdentity) throws(Failure) {
        do throws(MonitorError) { try user.assume() } catch { throw Failure(error, "user \(user.name)") }
    }

    private func announce(_ name: String) {
        let formatName =
            switch options.format {
            case .pcapMonitor: "pcap"
            case .pcapngMonitor: "pcapng"
            default: "btsnoop"
            }
        console.say("recording all adapters to \(name) (\(formatName)); Ctrl-C stops")
    }

    private func sayUnguarded(_ problem: String) {
        console.say("no guard process (\(problem)): if killed, the recorder may leave part of a record")
    }

    /// Metadata of the recording, as a reader of the file would give it.
    private func info(_ path: String) -> CaptureInfo {
        switch options.format {
        case .pcapMonitor: CaptureInfo(name: path, format: .pcap, datalink: 254)
        case .pcapngMonitor: CaptureInfo(name: path, format: .pcapng, datalink: 254)
        default: CaptureInfo(name: path, format: .btsnoop, datalink: 2001)
        }
    }

    /// A summary of lost records.
    static func losses(_ state: PumpState) -> String {
        if state.lost > 0 { return "\(state.lost) LOST (a larger --buffer holds more)" }
        return state.lossIsUnknown ? "losses unknown: the kernel does not report them" : "none lost"
    }

    private func summarize(
        _ ending: String, _ state: PumpState, _ target: borrowing FileTarget, _ wasGuarded: Bool
    ) {
        var parts = [
            "ended by \(ending): " + state.received.counting("record")
                + ", \(Quantity.text(octets: target.octets)), " + Quantity.text(nanoseconds: state.elapsed)
        ]
        if state.unwritten > 0 { parts.append("\(state.unwritten) received, NOT WRITTEN") }
        if state.leftOut > 0 { parts.append("\(state.leftOut) of impossible length left out") }
        parts.append(Self.losses(state))
        let files = target.file.kept.count
        if options.rotation.isWanted { parts.append(files.counting("file")) }
        if let (blanked, leftOut) = target.blanking {
            parts.append("\(blanked) with keys blanked, \(leftOut.counting("vendor diagnostic")) left out")
        }
        console.say(parts.joined(separator: "; "))
        if wasGuarded, let problem = target.file.unguarded { sayUnguarded(problem) }
        if let name = target.file.unsynced {
            console.say("\(name): can't sync its folder: after a power failure the file may be missing")
        }
        if let name = target.file.unremoved { console.say("\(name): can't be removed") }
        for (count, what) in target.file.loss.sentences where !what.hasSuffix(ConversionLoss.ofDrops) {
            console.say("not held by the format: \(count) \(what)")
        }
    }
}

/// Source of a pump's records: the monitor channel, or a replacement in a test.
protocol RecordChannel: ~Copyable {
    /// Readable while records are waiting.
    var descriptor: Int32 { get }
    /// Records of impossible length, left out.
    var leftOut: Int { get }
    /// Whether the number of dropped records is unknown.
    var dropsAreUnknown: Bool { get }
    /// The next record; nil if none is waiting. It is valid until the next call.
    @_lifetime(&self)
    mutating func next() throws(MonitorError) -> Record?
    /// Reads the number of records dropped so far.
    mutating func readDrops() -> Int
}

extension MonitorChannel: RecordChannel {}

/// The latest wall time that a record received by some moment can have: the clock may have been set back
/// since, but never showed more than this.
struct LatestWall: Equatable, Sendable {
    private var difference = Int64.min

    /// Adds a reading of both clocks.
    mutating func note(_ reading: ClockReading) {
        difference = max(difference, reading.wall &- reading.monotonic)
    }

    /// The latest wall time at a moment of the monotonic clock.
    func wall(at monotonic: Int64) -> Int64 {
        let (sum, overflows) = difference.addingReportingOverflow(monotonic)
        return overflows ? .max : sum
    }
}

/// Completes the recorded file if the recorder is killed.
///
/// A second process waits for the recorder's end. It has the file, and the memory in which the recorder
/// collects records; if the recorder was killed, it writes the records missing from the file, so that
/// everything read from the channel is in the file and its last record is whole.
struct RecordingGuard {
    private let start: () throws(SystemCall.Problem) -> ChildProcess
    private var child: ChildProcess?
    /// The reason why the recorded file has no guard process; nil if it has one.
    private(set) var problem: String?

    /// The name of the process.
    static let name = "recording-guard"

    /// - Parameter start: starts the process.
    init(
        start: @escaping () throws(SystemCall.Problem) -> ChildProcess = {
            () throws(SystemCall.Problem) in try ChildProcess(named: RecordingGuard.name)
        }
    ) {
        self.start = start
    }

    /// Guards a file from now on, instead of the previous one.
    mutating func take(_ descriptor: Int32, _ writer: inout CaptureWriter) {
        problem = nil
        do throws(SystemCall.Problem) {
            if child?.hasEnded != false { child = try start() }
            let memory = try SystemCall.memory(named: Self.name, octets: CaptureWriter.sharedLength)
            defer { close(memory) }
            guard writer.share(memory) else { throw SystemCall.Problem(code: ENOMEM) }
            guard child?.hand([descriptor, memory]) == true else { throw SystemCall.Problem(code: EPIPE) }
        } catch {
            problem = SystemMessage.text(error.code)
        }
    }

    /// Checks whether the process is still running.
    mutating func look() {
        if problem == nil, child?.hasEnded == true { problem = "it has ended" }
    }

    /// Runs the guard process: waits, and completes the last file that it got.
    static func run() {
        ChildProcess.settle(as: name)
        var last: [Int32] = []
        while let next = ChildProcess.take() {
            for descriptor in last { close(descriptor) }
            last = next
        }
        if last.count == 2 { _ = CaptureWriter.complete(last[0], from: last[1]) }
    }
}

extension Failure {
    /// The failure for inaccessible Bluetooth, in the user's terms.
    init(_ error: MonitorError, _ what: String = "the HCI monitor channel") {
        switch error {
        case .noBluetooth:
            self.init(
                .environment, "this kernel has no Bluetooth",
                advice: "load its module ('sudo modprobe bluetooth'), or go to the machine with the adapter")
        case .notPermitted(let capability):
            self.init(
                .environment, "not allowed to open \(what): \(capability) is missing",
                advice: "use sudo, or once: \(Self.grant)")
        case .system(let call, let code):
            self.init(.environment, "\(what): can't \(call): \(SystemMessage.text(code))")
        case .library(let text): self.init(.environment, "\(what): \(text)")
        }
    }

    /// The command that grants the program its capabilities.
    static var grant: String {
        let path = SystemCall.programPath.map(Shell.quoted) ?? "blecap"
        return "sudo setcap cap_net_raw,cap_net_admin+ep \(path)"
    }
}
