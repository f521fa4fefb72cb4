import BluetoothCore
import UQDK

/// Plays one connection of a log with a fault, whole or in part.
struct SweepBench {
    private let model: SessionModel
    private let connection: RecordedConnection
    private let options: LogReplay.Options

    init(_ model: SessionModel, _ connection: RecordedConnection, _ options: LogReplay.Options) {
        self.model = model
        self.connection = connection
        self.options = options
    }

    /// Plays the PDUs in these frames; all PDUs if the list is empty.
    func run(frames: [ClosedRange<Int>], _ fault: (fault: SweepFault, place: Int)?) -> LiveRun {
        var connection = connection
        if !frames.isEmpty {
            connection.leaveOut(
                Set(
                    connection.pdus.indices.filter { place in
                        !frames.contains { $0.contains(connection.pdus[place].frame) }
                    }))
        }
        return LiveRun(model.twice(connection), options, fault)
    }

    // MARK: Shrinking

    /// Limit of the runs for shrinking one failure.
    private static let mostRuns = 600

    /// Returns the shortest case with the same failure, and its number of packets.
    ///
    /// The host's actions are removed one by one, each with everything that follows from it, as long as the
    /// failure remains.
    ///
    /// - Parameter cause: the cause of the failure.
    func shrink(_ fault: SweepCase, _ cause: String) -> (SweepCase, packets: (needed: Int, all: Int)) {
        var kept = pieces
        var place = fault.place
        var runs = 0
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            // From the end, because PDUs after the fault can be removed without moving its place.
            for index in kept.indices.reversed() where kept.count > 1 && runs < Self.mostRuns {
                var fewer = kept
                let count = fewer.remove(at: index).count
                let frames = ranges(fewer)
                let baseline = run(frames: frames, nil)
                runs += 1
                for moved in 0...min(place, 2 * count) where runs < Self.mostRuns {
                    runs += 1
                    let found = run(frames: frames, (fault.fault, place - moved))
                    guard found.wasApplied,
                        found.wrong(against: baseline).contains(where: { $0.cause == cause })
                    else { continue }
                    (kept, place, isSmaller) = (fewer, place - moved, true)
                    break
                }
            }
        }
        let needed = kept.reduce(0) { $0 + $1.count }
        let shrunk = SweepCase(
            fault.fault, at: place, connection: connection.number,
            frames: needed == connection.pdus.count ? [] : ranges(kept))
        return (shrunk, (needed, connection.pdus.count))
    }

    /// The indices of the PDUs, in one piece for each action that the host started itself. All fragments of a
    /// digital-key message are in one piece.
    private var pieces: [[Int]] {
        let visit = UQDKVisit(connection, options.knowledge)
        var pieces: [[Int]] = []
        for (place, pdu) in connection.pdus.enumerated() {
            let isLater = visit?.request(at: pdu.frame).map { $0.frames.first != pdu.frame } ?? false
            let kind = pdu.opcode.kind
            let isOwn = pdu.side == .host && (kind == .request || kind == .command) && !isLater
            if isOwn || pieces.isEmpty { pieces.append([]) }
            pieces[pieces.count - 1].append(place)
        }
        return pieces
    }

    /// Returns the frames of the pieces as ranges; adjacent ranges are joined.
    private func ranges(_ pieces: [[Int]]) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        var last: Int?
        for place in pieces.joined() {
            let frame = connection.pdus[place].frame
            if let range = ranges.last, last == place - 1 {
                ranges[ranges.count - 1] = range.lowerBound...max(range.upperBound, frame)
            } else {
                ranges.append(frame...frame)
            }
            last = place
        }
        return ranges
    }
}
