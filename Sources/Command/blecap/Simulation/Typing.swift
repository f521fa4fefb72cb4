import Adapters
import CommandLineKit
import Synchronization

/// Input lines, typed or from a pipe, processed while time runs.
enum Typing {
    /// The lines that end the input.
    private static let endings = ["quit", "exit"]

    /// Passes each line to `body` until the input ends or a line is `quit`.
    static func run(_ stage: Stage, _ body: (String) -> Void) {
        guard let time = stage.time as? RealTime else { return }
        let words = GATTAction.words.map(\.word) + ["help", "quit"]
        let input = stage.environment.input
        let lines = TypedLines(LineEditor(prompt: "blecap> ", words: words, in: stage.environment))
        if input.isTerminal || SystemCall.status(of: input.descriptor)?.isPipeOrSocket == true {
            time.watch(
                input.descriptor,
                read: {
                    lines.take()
                    if lines.hasEnded { time.unwatch(input.descriptor) }
                })
        } else {
            // The kernel can't watch a file, but all of it is available.
            lines.takeAll()
        }
        defer { time.unwatch(input.descriptor) }
        while true {
            stage.run(for: RealTime.forever) { lines.isReady }
            guard !stage.isOver, let line = lines.next(), !endings.contains(line) else { return }
            body(line)
        }
    }

    /// Passes the lines that a person types to `body`, while time runs and a condition holds, until the input
    /// ends or a line is `quit`.
    static func ask(
        _ prompt: String, _ stage: Stage, while holds: @autoclosure () -> Bool, _ body: (String) -> Void
    ) {
        let input = stage.environment.input
        let lines = TypedLines(LineEditor(prompt: prompt, words: [], in: stage.environment))
        let time = stage.time as? RealTime
        time?.watch(input.descriptor, read: { lines.take() })
        defer { time?.unwatch(input.descriptor) }
        while holds(), !stage.isOver {
            if time != nil {
                stage.run(for: RealTime.forever) { lines.isReady || !holds() }
            } else {
                // Virtual time waits for the person.
                while !lines.isReady { lines.take() }
            }
            guard holds(), let line = lines.next(), !endings.contains(line) else { return }
            body(line)
        }
    }
}

/// The complete lines so far, and whether more can follow.
private final class TypedLines: Sendable {
    private struct State: ~Copyable {
        var editor: LineEditor
        var lines: [String] = []
        var hasEnded = false
    }

    private let state: Mutex<State>

    init(_ editor: consuming sending LineEditor) { state = Mutex(State(editor: editor)) }

    func take() {
        state.withLock { state in
            if let lines = state.editor.read() { state.lines += lines } else { state.hasEnded = true }
        }
    }

    func takeAll() {
        while !hasEnded { take() }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    var isReady: Bool { state.withLock { !$0.lines.isEmpty || $0.hasEnded } }

    func next() -> String? {
        state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
    }
}
