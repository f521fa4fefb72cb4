import CaptureFile
import MonitorCapture

/// Where a pump's records come from: the monitor channel, or what stands in its place in a test.
protocol RecordChannel: ~Copyable {
    /// Readable while records are waiting.
    var descriptor: Int32 { get }
    /// Records of a length that can't be, left out.
    var leftOut: Int { get }
    /// Whether it is not known how many records were dropped.
    var dropsAreUnknown: Bool { get }
    /// The next record; nil where none is waiting. It is valid until the next call.
    @_lifetime(&self)
    mutating func next() throws(MonitorError) -> Record?
    /// How many records were dropped so far.
    mutating func readDrops() -> Int
}

extension MonitorChannel: RecordChannel {}
