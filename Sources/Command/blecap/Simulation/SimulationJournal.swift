import CommandLineKit
import PayloadFormat
import Runtime
import Synchronization
import WireBytes

/// The output lines of a simulation, each with its time in seconds from the start: written at the end in
/// virtual time, immediately in real time.
final class SimulationJournal: Sendable {
    private let time: any PassingTime
    private let isLive: Bool
    private let environment: CommandEnvironment
    private let lines = Mutex<[(Instant, String)]>([])

    init(_ stage: Stage) {
        time = stage.time
        isLive = stage.isLive
        environment = stage.environment
    }

    /// Adds a line with the current time.
    func add(_ text: String) {
        let now = time.now
        lines.withLock { $0.append((now, text)) }
        // A closed reader is reported at the end.
        if isLive { try? show() }
    }

    /// Writes the lines so far to standard output.
    func show() throws(Failure) {
        let taken = lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
        var out = TextBuffer()
        for (time, text) in taken {
            let microseconds = UInt64(max(0, time.nanoseconds)) / 1_000
            out.decimal(microseconds / 1_000_000, width: 4)
            out.put(".")
            out.decimal(microseconds % 1_000_000, digits: 6)
            out.put("  ")
            out.visible(text)
            out.put("\n")
        }
        try environment.write(&out)
    }
}

extension [DecodedField] {
    /// The fields as one line: `doors locked all, battery 60 %`.
    var shown: String {
        map { field in "\(field.name) \(field.value.shown)" + (field.unit.map { " \($0)" } ?? "") }
            .joined(separator: ", ")
    }
}

extension AnnotationValue {
    fileprivate var shown: String {
        switch self {
        case .unsigned(let value): String(value)
        case .signed(let value): String(value)
        case .decimal(let value): value.description
        case .hex(let value, _): "0x" + String(value, radix: 16)
        case .octets(let octets): Hex.text(octets)
        case .text(let text): "\"\(text.escaped)\""
        case .bool(let value): value ? "yes" : "no"
        case .named(let value, let name): name ?? String(value)
        case .flags(_, let names): names.isEmpty ? "none" : names.joined(separator: "+")
        case .numbers(let numbers): numbers.map { String($0) }.joined(separator: " ")
        case .group(let fields): "(\(fields.shown))"
        case .list(let elements): "[\(elements.map(\.shown).joined(separator: "; "))]"
        }
    }
}
