import BluetoothCore
import CommandLineKit
import CoreBluetooth
import Profiles
import SimulatedDevices

/// The command `blecap drive`: a plain central that performs actions with any device.
struct Drive {
    let arguments: ParsedArguments
    let console: Console

    /// Time to wait for an answer: a little more than the attribute protocol's timeout of 30 s.
    private static let patience = Duration.seconds(31)

    /// - Parameter stage: takes the place of the one that the options name.
    func run(on stage: Stage? = nil) throws(Failure) -> ExitStatus {
        var actions: [GATTAction] = []
        var profiles: [Profile] = []
        for name in arguments.values(.profile) {
            profiles.append(try ProfileFiles.read(name, arguments.environment))
        }
        for word in arguments.operands { actions.append(try GATTAction(word, profiles)) }
        try SimulationRecording.check(arguments)
        let isTyped = actions.isEmpty
        let stage = if let stage { stage } else { try Stage(arguments, console, isTyped: isTyped) }
        guard !stage.isOutside || !arguments.has(.pairing) else {
            throw Failure(
                .usage, "--pairing is for the simulator's fob, not for an adapter",
                advice: "the device at the other end decides how it pairs")
        }
        let journal = SimulationJournal(stage)
        let desk = try PairingDesk(arguments)
        let pairing = arguments.value(.pairing).flatMap(Fob.Pairing.init) ?? .compare
        let phone = try stage.phone(asking: desk, arguments)
        var air = try AirRecording.open(arguments, stage)
        var recording = try SimulationRecording.open(arguments)
        var isUnderstood = true
        let gadgets = stage.isOutside ? [] : SimulatedDevice.gadgets(in: stage.world, pairing: pairing, desk)
        let central = PlainCentral(phone.bluetooth, desk, journal)
        stage.run(for: Self.patience) { central.isIdle }
        var hasLines = false
        if isTyped {
            Typing.run(stage) { text in
                hasLines = true
                guard text != "help" else { return journal.add(GATTAction.help) }
                guard !text.isEmpty else { return }
                do throws(Failure) {
                    perform(try GATTAction(text, isAsked: central.isAsked, profiles), central, stage)
                } catch {
                    isUnderstood = false
                    _ = console.report(error)
                }
            }
        }
        for (place, action) in actions.enumerated() where !stage.isOver && central.failures.isEmpty {
            perform(action, central, stage)
            let isAnsweredLater = actions[(place + 1)...].contains(where: \.isAnswer)
            if central.isAsked, !isAnsweredLater { try ask(central, stage, journal) }
        }
        // The last action's result may still arrive; on a real adapter, a final subscription runs until
        // stopped.
        if stage.isLive, case .subscribe(_, true)? = actions.last, central.failures.isEmpty {
            stage.run(for: .seconds(1_000_000))
        }
        stage.run(for: .milliseconds(500))
        if central.isLinked {
            central.perform(.disconnect)
            stage.world.run(for: .seconds(1)) { central.isIdle }
        }
        stage.run(for: .seconds(stage.isLive ? 0 : 1))
        withExtendedLifetime(gadgets) {}
        try recording?.finish(phone, stage, console)
        try air?.finish(stage, console)
        try journal.show()
        let failure = stage.failure ?? central.failures.first
        if let failure { console.say(failure) }
        if isTyped, !hasLines, !stage.isOver, !arguments.environment.input.isTerminal {
            console.say("no action given; 'blecap drive scan' finds devices, 'blecap drive --help' has more")
        }
        // A user who types has seen the failures.
        let isGood = failure == nil && isUnderstood || isTyped && arguments.environment.input.isTerminal
        return isGood ? .success : .negative
    }

    /// Asks the person at the terminal what a pairing asks; without a terminal, the action fails.
    private func ask(
        _ central: PlainCentral, _ stage: Stage, _ journal: SimulationJournal
    ) throws(Failure) {
        guard arguments.environment.input.isTerminal else {
            return central.failAsked(
                "nobody answers the pairing: give --passkey PASSKEY, or the answer as a later action")
        }
        try journal.show()
        Typing.ask("answer: ", stage, while: central.isAsked) { text in
            do throws(Failure) { perform(try GATTAction(text, isAsked: true), central, stage) } catch {
                _ = console.report(error)
            }
        }
        if central.isAsked, !stage.isOver { central.failAsked("the pairing's question was not answered") }
    }

    private func perform(_ action: GATTAction, _ central: PlainCentral, _ stage: Stage) {
        central.perform(action)
        stage.run(for: action.patience ?? Self.patience) { action.patience == nil && central.isIdle }
        central.end(action, isInterrupted: stage.isInterrupted)
    }
}
