import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// What the analyser made of one record.
struct Seen {
    var frame: Frame
    var problems: [Problem]
    var payload: [UInt8]
    /// The number of the connection; nil for none.
    var link: Int?
    var identity: DeviceAddress?
    var frames: [Int]
    /// Whether a protocol above ATT has a part in it.
    var isAnnotated = false
    /// How many of its values are of the digital-key protocol.
    var keyMessages = 0
    /// The whole values of long reads or writes.
    var allJoined: [JoinedValue] = []
    var joined: [UInt8] { allJoined.first?.octets ?? [] }
    var joinedHandle: UInt16? { allJoined.first?.handle }

    var codes: [Problem.Code] { problems.map(\.code) }
    var label: AttributeLabel? { frame.att?.label }
    /// The label as text: `service/characteristic part source`.
    var labelText: String {
        guard let label else { return "none" }
        let service = label.service.map { "\($0)" } ?? "?"
        let characteristic = label.characteristic.map { "\($0)" } ?? "?"
        let part: String
        switch label.part {
        case .service: part = "service"
        case .include: part = "include"
        case .declaration: part = "declaration"
        case .value: part = "value"
        case .descriptor(let type): part = type.map { "descriptor \($0)" } ?? "descriptor"
        }
        return "\(service)/\(characteristic) \(part) \(label.source.name)"
    }
}

/// What the analyser made of a whole trace.
struct Outcome {
    var seen: [Seen] = []
    var links: [Link] = []
    var totals: CaptureStatistics?

    /// The frame with this number of the first file.
    subscript(number: Int) -> Seen {
        seen.first { $0.frame.number == number && $0.frame.file == 0 } ?? seen[0]
    }

    var codes: [Problem.Code] { seen.flatMap(\.codes) }
    func frames(with code: Problem.Code) -> [Int] {
        seen.filter { $0.codes.contains(code) }.map(\.frame.number)
    }
}

extension Trace {
    /// Returns the analyzer at the end of the trace, with these frames selected.
    func selecting(where isChosen: (RecordHeader) -> Bool = { _ in true }) -> Analyzer {
        var analyzer = Analyzer()
        analyzer.beginSelection()
        for made in made {
            analyzer.analyze(Record(made.header, made.octets.borrowedOctets), file: made.file)
            if isChosen(made.header) { analyzer.select() } else { analyzer.passOver() }
        }
        analyzer.finish()
        return analyzer
    }

    /// Analyses the trace.
    func run(_ knowledge: AnalysisKnowledge = AnalysisKnowledge()) -> Outcome {
        var analyzer = Analyzer(knowledge)
        return run(&analyzer)
    }

    func run(_ analyzer: inout Analyzer) -> Outcome {
        var outcome = Outcome()
        for made in made {
            let record = Record(made.header, made.octets.borrowedOctets)
            analyzer.analyze(record, file: made.file)
            let slot = analyzer.frame.link
            outcome.seen.append(
                Seen(
                    frame: analyzer.frame, problems: analyzer.problems,
                    payload: analyzer.payload(in: record).copied(),
                    link: slot < 0 ? nil : analyzer.links[slot].number,
                    identity: analyzer.identity(ofLink: slot), frames: analyzer.assembledFrames.map(\.frame),
                    isAnnotated: !analyzer.annotations.isEmpty,
                    keyMessages: analyzer.annotations.count { $0.kind == .uqdk },
                    allJoined: analyzer.joined))
        }
        analyzer.finish()
        outcome.links = analyzer.listedLinks
        outcome.totals = analyzer.totals
        return outcome
    }
}

extension CaptureStatistics {
    /// Returns the number of problems with a code, whatever their names.
    func count(of code: Problem.Code) -> Int {
        problemCounts.filter { $0.code == code }.reduce(0) { $0 + $1.count }
    }
}
