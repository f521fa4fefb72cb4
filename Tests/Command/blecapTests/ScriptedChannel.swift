import CaptureFile
import CommandLineKit
import Foundation
import MonitorCapture
import WireBytes

@testable import blecap

/// A channel that gives what a test wants it to give; records are waiting until all were taken.
struct ScriptedChannel: RecordChannel, ~Copyable {
    /// What it gives next.
    enum Step {
        /// A record of so many octets, received so many seconds after the channel was made.
        case record(octets: Int, in: Int64)
        /// What libpcap says when it can't go on.
        case failure
    }

    private let pipe = Pipe()
    private let script: [Step]
    private let made = ClockReading.now()
    private var place = 0
    private var octets: [UInt8] = []
    let leftOut = 0
    let dropsAreUnknown = false

    init(_ script: [Step]) throws {
        self.script = script
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
    }

    var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

    @_lifetime(&self)
    mutating func next() throws(MonitorError) -> Record? {
        guard place < script.count else {
            if place == script.count {
                place += 1
                _ = pipe.fileHandleForReading.availableData
            }
            return nil
        }
        guard case .record(let length, let seconds) = script[place] else {
            throw .library("the channel has failed")
        }
        place += 1
        octets = [UInt8](repeating: UInt8(truncatingIfNeeded: place), count: length)
        let time = CaptureTime(microseconds: made.wall / 1000 + seconds * 1_000_000)
        let header = RecordHeader(monitorOpcode: 3, adapter: 0, number: place, time: time, length: length)
        return Record(header, octets.borrowedOctets)
    }

    mutating func readDrops() -> Int { 0 }
}

/// Takes records and notes, and remembers how many.
struct CountingTarget: RecordTarget, ~Copyable {
    private(set) var octets = 0
    private(set) var taken = 0
    private(set) var settled = 0
    private(set) var notes: [String] = []
    private(set) var ends = false
    var watched: (descriptor: Int32, wantsRoom: Bool)? { nil }

    mutating func take(_ record: borrowing Record) {
        taken += 1
        octets += record.octets.byteCount
    }

    mutating func take(_ note: MonitorNote, at time: CaptureTime, drops: Int) { notes.append(note.text) }
    mutating func settle(_ state: PumpState) { settled = taken }
    mutating func hasToEnd() { ends = true }
    func readerGone() -> Failure { Failure(.success, "gone") }
}
