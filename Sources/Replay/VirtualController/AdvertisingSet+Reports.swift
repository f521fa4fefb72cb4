import BluetoothCore

extension AdvertisingSet {
    /// Maximum number of data octets in one report event.
    private static var reportDataLimit: Int { 229 }

    /// Returns a scanner's reports of one of the set's PDUs. Data that doesn't fit into one event is divided.
    ///
    /// - Parameter target: the target of directed advertising; nil for undirected advertising.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.7.65.13.
    func reports(
        _ data: [UInt8], isScanResponse: Bool, _ address: DeviceAddress, target: DeviceAddress?,
        _ rssi: Int8
    ) -> [LEExtendedAdvertisingReportItem] {
        var type = parameters.advertisingEventProperties & (usesLegacyPDUs ? 0x17 : 0x07)
        if isScanResponse { type |= 8 }
        var report = LEExtendedAdvertisingReportItem {
            $0.eventType = type
            $0.addressType = address.kind.rawValue
            $0.address = address
            $0.rssi = rssi
        }
        if !usesLegacyPDUs {
            report.primaryPHY = parameters.primaryAdvertisingPHY
            report.secondaryPHY = parameters.secondaryAdvertisingPHY
            report.advertisingSID = parameters.advertisingSID
            if includesTxPower { report.txPower = txPower }
        }
        if isAnonymous {
            report.addressType = 0xFF
            report.address = DeviceAddress(0)
        }
        if let target {
            report.directAddressType = target.kind.rawValue
            report.directAddress = target
        }
        var rest = data[...]
        var reports: [LEExtendedAdvertisingReportItem] = []
        repeat {
            var part = report
            part.data = Array(rest.prefix(Self.reportDataLimit))
            rest = rest.dropFirst(part.data.count)
            if !rest.isEmpty { part.eventType |= 0x20 }
            reports.append(part)
        } while !rest.isEmpty
        return reports
    }

    /// The controller's transmit power in dBm: the requested one, up to 0.
    var txPower: Int8 { min(parameters.advertisingTxPower, 0) }
}
