import CaptureFile
import MonitorCapture

/// Source of a pump's records: the monitor channel, or a replacement in a test.
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
    /// Reads the number of records dropped so far.
    mutating func readDrops() -> Int
}

extension MonitorChannel: RecordChannel {}
