import CaptureFile
import MonitorCapture

/// Where a pump's records come from: the monitor channel, or a replacement in a test.
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
    /// How many records were dropped so far.
    mutating func readDrops() -> Int
}

extension MonitorChannel: RecordChannel {}
