public import BluetoothCore

/// An advertising set, or the advertising of the legacy commands.
public struct AdvertisingSet: Sendable {
    /// The handle of legacy advertising, which no set may have (Vol 4, Part E, 7.8.53).
    static var legacyHandle: UInt8 { 0xFF }

    /// Maximum number of data octets in a packet of connectable advertising, which has no further packet.
    ///
    /// Source: Core Specification, Vol 6, Part B, 2.3.4: 254 octets less flags, AdvA, ADI.
    static var connectableDataLimit: Int { 245 }

    var handle = Self.legacyHandle
    public internal(set) var parameters = LESetExtendedAdvertisingParameters {
        $0.advertisingEventProperties = 0x13
        $0.primaryAdvertisingIntervalMin = 0x800
        $0.primaryAdvertisingIntervalMax = 0x800
        $0.primaryAdvertisingChannelMap = 7
    }
    var randomAddress: DeviceAddress?
    public internal(set) var data = AdvertisingData()
    public internal(set) var scanResponse = AdvertisingData()
    /// Incremented with each change of the data, like the Advertising Data ID.
    var dataID = 0
    public internal(set) var isEnabled = false
    /// The controller's generation number when advertising last began or ended.
    public internal(set) var generation = 0
    /// Time until it ends, in steps of 10 ms; 0 for no end.
    var duration: UInt16 = 0
    /// Number of advertising events after which it ends; 0 for no limit.
    var eventLimit: UInt8 = 0
    var events: UInt8 = 0

    private var properties: UInt16 { parameters.advertisingEventProperties }
    var isLegacy: Bool { handle == Self.legacyHandle }
    public var isConnectable: Bool { properties & 1 != 0 }
    var isScannable: Bool { properties & 2 != 0 }
    var isDirected: Bool { properties & 4 != 0 }
    var isHighDuty: Bool { properties & 8 != 0 }
    var usesLegacyPDUs: Bool { properties & 0x10 != 0 }
    var isAnonymous: Bool { properties & 0x20 != 0 }
    var includesTxPower: Bool { properties & 0x40 != 0 }
    /// Whether its PDUs carry advertising data. Extended scannable ones have only scan response data.
    var carriesData: Bool { usesLegacyPDUs ? !isDirected : !isScannable }
    var primaryPHY: LEPHY { usesLegacyPDUs ? .le1M : parameters.primaryAdvertisingPHY }

    var target: DeviceAddress {
        DeviceAddress(parameters.peerAddress.value, parameters.peerAddressType & 1 == 0 ? .public : .random)
    }

    /// The PDU type in a legacy report, which has one value for all directed advertising.
    var reportType: UInt8 { isDirected ? 1 : isConnectable ? 0 : isScannable ? 2 : 3 }
}

/// The data of an advertising set, which a host may provide in fragments.
public struct AdvertisingData: Sendable {
    public internal(set) var octets: [UInt8] = []
    /// Whether the last fragment is missing.
    var isPartial = false
}

extension LESetExtendedAdvertisingParameters {
    init(_ legacy: LESetAdvertisingParameters) {
        self.init()
        // ADV_IND, high duty cycle ADV_DIRECT_IND, ADV_SCAN_IND, ADV_NONCONN_IND, ADV_DIRECT_IND.
        let properties: [UInt16] = [0x13, 0x1D, 0x12, 0x10, 0x15]
        advertisingEventProperties = properties[min(Int(legacy.advertisingType), properties.count - 1)]
        // High duty cycle directed advertising has a fixed interval.
        let isHighDuty = legacy.advertisingType == 1
        primaryAdvertisingIntervalMin = isHighDuty ? 0x20 : UInt32(legacy.advertisingIntervalMin)
        primaryAdvertisingIntervalMax = isHighDuty ? 0x20 : UInt32(legacy.advertisingIntervalMax)
        primaryAdvertisingChannelMap = legacy.advertisingChannelMap
        ownAddressType = legacy.ownAddressType
        peerAddressType = legacy.peerAddressType
        peerAddress = legacy.peerAddress
        advertisingFilterPolicy = legacy.advertisingFilterPolicy
    }
}

extension LESetExtendedScanParameters {
    init(_ legacy: LESetScanParameters) {
        self.init()
        ownAddressType = legacy.ownAddressType
        scanningFilterPolicy = legacy.scanningFilterPolicy
        scanningPHYs = .le1M
        phys = [
            LEScanningPHYParameters(
                scanType: legacy.leScanType, scanInterval: legacy.leScanInterval,
                scanWindow: legacy.leScanWindow)
        ]
    }

    /// Returns the scan parameters of a PHY; nil if it is not scanned.
    func parameters(of phy: LEPHY) -> LEScanningPHYParameters? {
        let mask = phy.mask.rawValue
        guard scanningPHYs.rawValue & mask != 0 else { return nil }
        let place = (scanningPHYs.rawValue & (mask - 1)).nonzeroBitCount
        return phys.indices.contains(place) ? phys[place] : nil
    }
}

extension LEExtendedCreateConnection {
    init(_ legacy: LECreateConnection) {
        self.init()
        initiatorFilterPolicy = legacy.initiatorFilterPolicy
        ownAddressType = legacy.ownAddressType
        peerAddressType = legacy.peerAddressType
        peerAddress = legacy.peerAddress
        initiatingPHYs = .le1M
        phys = [
            LEInitiatingPHYParameters(
                scanInterval: legacy.leScanInterval, scanWindow: legacy.leScanWindow,
                connectionIntervalMin: legacy.connectionIntervalMin,
                connectionIntervalMax: legacy.connectionIntervalMax, maxLatency: legacy.maxLatency,
                supervisionTimeout: legacy.supervisionTimeout, minCELength: legacy.minCELength,
                maxCELength: legacy.maxCELength)
        ]
    }

    /// Returns the parameters of a link on a PHY: its own, or else the first ones.
    func parameters(of phy: LEPHY) -> LinkParameters? {
        let mask = phy.mask.rawValue
        let bits = initiatingPHYs.rawValue
        let place = bits & mask == 0 ? 0 : (bits & (mask - 1)).nonzeroBitCount
        guard phys.indices.contains(place) else { return nil }
        return LinkParameters(
            interval: phys[place].connectionIntervalMin, latency: phys[place].maxLatency,
            timeout: phys[place].supervisionTimeout)
    }
}

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
        var report = LEExtendedAdvertisingReportItem(
            eventType: type, addressType: address.kind.rawValue, address: address, rssi: rssi)
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
