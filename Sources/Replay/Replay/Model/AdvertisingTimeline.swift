public import BluetoothCore
public import Runtime

/// What was received of advertisers, and when the recorded host was scanning.
public struct AdvertisingTimeline: Sendable {
    /// One advertisement or scan response.
    public struct Report: Hashable, Sendable {
        /// The number of its record.
        public var frame: Int
        public var time: Instant
        public var address: DeviceAddress
        /// The kind of PDU as a legacy report says it: 0 ADV_IND, 1 directed, 2 ADV_SCAN_IND, 3
        /// ADV_NONCONN_IND, 4 SCAN_RSP.
        public var kind: UInt8
        /// Where its data lies in ``AdvertisingTimeline/octets``.
        public var data: Range<Int>
        /// Signal strength in dBm.
        public var rssi: Int8
        /// Whether it came in an extended report.
        public var wasExtended: Bool
    }

    /// A time in which the host was scanning.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        /// Its end; nil where the log ends first.
        public var end: Instant?
        /// The number of the record with its end; 0 if absent.
        public var endFrame = 0
        /// Whether the log shows its start.
        public var startIsKnown: Bool
    }

    /// In the order in which they were received.
    public internal(set) var reports: [Report] = []
    /// In order; they don't overlap.
    public internal(set) var windows: [Window] = []
    /// The data of all reports.
    public internal(set) var octets: [UInt8] = []

    /// The data of a report.
    public func data(of report: Report) -> ArraySlice<UInt8> {
        octets[report.data.clamped(to: 0..<octets.count)]
    }

    /// The first report not before an instant.
    func firstReport(notBefore time: Instant) -> Int {
        var low = 0
        var high = reports.count
        while low < high {
            let middle = (low + high) / 2
            if reports[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
