import CEdit
import Glibc

/// Reads lines of standard input as they arrive: with editing, history and completion on a terminal,
/// otherwise plain.
///
/// It never blocks: ``read()`` is called when the descriptor is ready. Only one instance per process can edit
/// lines.
public struct LineEditor: ~Copyable {
    private let isTyped: Bool
    private let descriptor: Int32
    private var rest: [UInt8] = []

    /// - Parameter words: the completions for the first word of a line.
    public init(prompt: String, words: [String], in environment: CommandEnvironment) {
        descriptor = environment.input.descriptor
        // The library reads the process's terminal.
        isTyped = environment.input.isTerminal && environment.output.isTerminal && descriptor == 0
        guard isTyped else { return }
        // Safe: set before the library is started, on the only thread that uses it.
        unsafe completions = words
        unsafe hasEnded = false
        unsafe blecap_complete_by { text, start, _ in
            guard start == 0, let text = unsafe text else { return nil }
            return unsafe completion_matches(UnsafeMutablePointer(mutating: text)) { text, state in
                guard let text = unsafe text else { return nil }
                let begin = unsafe String(cString: text)
                let fitting = unsafe completions.filter { $0.hasPrefix(begin) }
                return fitting.indices.contains(Int(state)) ? unsafe strdup(fitting[Int(state)]) : nil
            }
        }
        unsafe rl_callback_handler_install(prompt) { line in
            guard let line = unsafe line else {
                unsafe hasEnded = true
                return
            }
            let text = unsafe String(cString: line)
            if !text.isEmpty { unsafe add_history(line) }
            unsafe typed.append(text)
            unsafe free(line)
        }
    }

    deinit { if isTyped { rl_callback_handler_remove() } }

    /// Reads the available input.
    ///
    /// - Returns: the lines completed now, without surrounding blanks; nil at the end of the input.
    public mutating func read() -> [String]? {
        guard isTyped else { return readPlain() }
        rl_callback_read_char()
        // Safe: the handlers run within the call above.
        defer { unsafe typed = [] }
        return unsafe hasEnded ? nil : typed.map(Self.trimmed)
    }

    private mutating func readPlain() -> [String]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe: the kernel writes at most as many bytes as the array has.
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else {
            defer { rest = [] }
            return rest.isEmpty ? nil : [Self.trimmed(String(decoding: rest, as: UTF8.self))]
        }
        rest += bytes.prefix(count)
        var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
        rest = Array(lines.removeLast())
        return lines.map { Self.trimmed(String(decoding: $0, as: UTF8.self)) }
    }

    private static func trimmed(_ line: String) -> String {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        let head = line.drop(while: blank)
        return String(head.prefix(head.count - head.reversed().prefix(while: blank).count))
    }
}

// State shared by the library's handlers and the editor; all run on the thread that calls the library.

/// Completions for the first word.
nonisolated(unsafe) private var completions: [String] = []
/// Typed lines not yet returned.
nonisolated(unsafe) private var typed: [String] = []
/// Whether the user has typed the end of the input.
nonisolated(unsafe) private var hasEnded = false
