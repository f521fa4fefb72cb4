import CommandLineKit
import UQDKBle
import WireBytes

/// `blecap drive uqdk` and `blecap simulate car`: a phone and a car on the virtual air, told by the one side
/// or the other.
struct Simulate {
    let arguments: ParsedArguments
    let console: Console
    let side: Simulation.Side

    /// What a phone does to a car that is simulated, where nothing is said.
    private static let usualVisit: [DriveAction] = [.unlock(.all), .status]

    /// Runs to the end and gives the exit status.
    func run() throws(Failure) -> ExitStatus {
        var options = try SimulationOptions(arguments, default: Self.usualVisit)
        if side == .phone, options.actions.last != .status { options.actions.append(.status) }
        var recording = try SimulationRecording.open(arguments)
        let simulation = try Simulation(options, showing: side)
        let failures = simulation.run()
        if side == .car { simulation.journal.add(simulation.carState) }
        try recording?.write(simulation.packets, of: simulation.address, seed: options.seed)
        try Self.show(simulation.journal)
        if options.usesTestKey {
            console.say("no --keys given: the test key of the published vectors was used")
        }
        if let path = recording?.path, let packets = recording?.packets {
            let keys = arguments.value(.keys).map { "--keys \(Shell.quoted($0)) " } ?? ""
            let dialect = arguments.value(.dialect).map { "--dialect \(Shell.quoted($0)) " } ?? ""
            let rest = "\(keys)\(dialect)\(Shell.quoted(path))"
            console.say(
                "\(packets) packets of the \(side == .phone ? "phone" : "car") recorded into \(path); "
                    + "'blecap annotate \(rest)' explains them"
                    + (side == .phone ? ", 'blecap replay \(rest)' plays them to the stack" : ""))
        }
        guard let first = failures.first else { return .success }
        console.say(failures.count == 1 ? first : "\(first) (the first of \(failures.count))")
        return .negative
    }

    /// Writes the lines of a journal to standard output.
    static func show(_ journal: SimulationJournal) throws(Failure) {
        var out = TextBuffer()
        journal.take(into: &out)
        var sink = DescriptorSink.standardOutput
        do throws(OutputError) { try sink.drain(&out) } catch {
            if let failure = error.failure { throw failure }
        }
    }
}
