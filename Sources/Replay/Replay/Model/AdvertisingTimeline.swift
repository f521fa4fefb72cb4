public import BluetoothCore
public import Runtime

/// Advertisements that the recorded host received, and the times at which it scanned.
public struct AdvertisingTimeline: Sendable {
    /// An advertisement or scan response.
    public struct Report: Hashable, Sendable {
        /// The number of the report's record.
        public var frame: Int
        public var time: Instant
        public var address: DeviceAddress
        /// The PDU type as in a legacy report: 0 ADV_IND, 1 directed, 2 ADV_SCAN_IND, 3 ADV_NONCONN_IND, 4
        /// SCAN_RSP.
        public var kind: UInt8
        /// The range of the data in ``AdvertisingTimeline/octets``.
        public var data: Range<Int>
        /// Signal strength in dBm.
        public var rssi: Int8
        /// Whether it was received in an extended report.
        public var wasExtended: Bool
    }

    /// A period of scanning.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        /// The end of the scan; nil if the log ends first.
        public var end: Instant?
        /// The number of the record that ends the scan; 0 if absent.
        public var endFrame = 0
        /// Whether the log shows the start of the scan.
        public var startIsKnown: Bool
    }

    /// In the order of reception.
    public internal(set) var reports: [Report] = []
    /// In order, without overlap.
    public internal(set) var windows: [Window] = []
    /// The data of all reports.
    public internal(set) var octets: [UInt8] = []

    /// Returns the data of a report.
    public func data(of report: Report) -> ArraySlice<UInt8> {
        octets[report.data.clamped(to: 0..<octets.count)]
    }

    /// Returns the index of the first report not before an instant.
    func firstReport(notBefore time: Instant) -> Int { reports.firstIndex(notBelow: time) { $0.time } }
}
