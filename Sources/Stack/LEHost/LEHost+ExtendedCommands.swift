import BluetoothCore

// Scanning, advertising and connecting, with extended or legacy commands.

extension LEHost {
    /// Whether the supported commands include all those of extended advertising, scanning and connecting that
    /// the host uses.
    ///
    /// Source: Core Specification, Vol 4, Part E, 6.27: bytes 36 and 37.
    static func hasExtendedCommands(_ octets: [UInt8]) -> Bool {
        // Advertising: set random address, parameters, data, scan response data, enable, maximum data length;
        // clear sets. Scan parameters, scan enable, create connection.
        [36: 0b0111_1110, 37: 0b1110_0010].allSatisfy { octet, bits in
            octets.indices.contains(octet) && octets[octet] & bits == bits
        }
    }

    mutating func sendScanParameters(_ wanted: ScanParameters) {
        let own = ownAddressType
        guard bringUp.usesExtendedCommands else {
            return send(
                LESetScanParameters(
                    leScanType: wanted.isActive ? 1 : 0, leScanInterval: wanted.intervalUnits,
                    leScanWindow: wanted.windowUnits, ownAddressType: own), for: .scanParameters)
        }
        send(
            LESetExtendedScanParameters(
                ownAddressType: own, scanningPHYs: .le1M,
                phys: [
                    LEScanningPHYParameters(
                        scanType: wanted.isActive ? 1 : 0, scanInterval: wanted.intervalUnits,
                        scanWindow: wanted.windowUnits)
                ]), for: .scanParameters)
    }

    /// Starts scanning; stops if no scan is wanted.
    mutating func sendScanEnable(_ wanted: ScanParameters?) {
        let enable: UInt8 = wanted == nil ? 0 : 1
        let filter: UInt8 = wanted?.filtersDuplicates == true ? 1 : 0
        guard bringUp.usesExtendedCommands else {
            return send(
                LESetScanEnable(leScanEnable: enable, filterDuplicates: filter), for: .scanEnable(enable == 1)
            )
        }
        send(LESetExtendedScanEnable(enable: enable, filterDuplicates: filter), for: .scanEnable(enable == 1))
    }

    mutating func sendAdvertisingEnable(_ isEnabled: Bool) {
        guard bringUp.usesExtendedCommands else {
            return send(
                LESetAdvertisingEnable(advertisingEnable: isEnabled ? 1 : 0),
                for: .advertisingEnable(isEnabled))
        }
        send(
            LESetExtendedAdvertisingEnable {
                $0.enable = isEnabled ? 1 : 0
                // A command without sets disables all of them.
                if isEnabled { $0.sets = [LEAdvertisingSetDuration()] }
            }, for: .advertisingEnable(isEnabled))
    }

    /// Sets up advertising set 0.
    ///
    /// Data that fits in legacy PDUs is sent in these, so that every scanner receives it.
    mutating func sendAdvertisingSet(_ wanted: AdvertisingParameters) {
        send(LEClearAdvertisingSets(), for: .advertisingSetup)
        let own = ownAddressType
        let isScannable = !wanted.isLong && (wanted.isConnectable || !wanted.scanResponse.isEmpty)
        send(
            LESetExtendedAdvertisingParameters {
                $0.advertisingEventProperties =
                    (wanted.isConnectable ? 1 : 0) | (isScannable ? 2 : 0) | (wanted.isLong ? 0 : 0x10)
                $0.primaryAdvertisingIntervalMin = UInt32(wanted.intervalUnits)
                $0.primaryAdvertisingIntervalMax = UInt32(wanted.intervalUnits)
                $0.primaryAdvertisingChannelMap = 7
                $0.ownAddressType = own
                $0.advertisingTxPower = 127
            }, for: .advertisingSetup)
        if own == 1, let random = address {
            send(LESetAdvertisingSetRandomAddress(randomAddress: random), for: .advertisingSetup)
        }
        let data = wanted.isLong ? wanted.data + wanted.scanResponse : wanted.data
        let parts = stride(from: 0, to: max(1, data.count), by: 251).map {
            Array(data[$0..<min($0 + 251, data.count)])
        }
        for (place, part) in parts.enumerated() {
            send(
                LESetExtendedAdvertisingData {
                    // The operation: all of the data, or its first, intermediate or last fragment.
                    $0.operation = parts.count == 1 ? 3 : place == 0 ? 1 : place == parts.count - 1 ? 2 : 0
                    $0.fragmentPreference = 1
                    $0.advertisingData = part
                }, for: .advertisingSetup)
        }
        guard isScannable else { return }
        send(
            LESetExtendedScanResponseData(
                operation: 3, fragmentPreference: 1, scanResponseData: wanted.scanResponse),
            for: .advertisingSetup)
    }

    /// Converts a connection request to the extended command, with every PHY on which an advertiser may
    /// accept a connection.
    func extended(_ legacy: LECreateConnection) -> LEExtendedCreateConnection {
        var phys = LEPHYs.le1M
        if bringUp.leFeatures.contains(.le2MPHY) { phys.insert(.le2M) }
        let parameters = LEInitiatingPHYParameters(
            scanInterval: legacy.leScanInterval, scanWindow: legacy.leScanWindow,
            connectionIntervalMin: legacy.connectionIntervalMin,
            connectionIntervalMax: legacy.connectionIntervalMax, maxLatency: legacy.maxLatency,
            supervisionTimeout: legacy.supervisionTimeout)
        return LEExtendedCreateConnection(
            initiatorFilterPolicy: legacy.initiatorFilterPolicy, ownAddressType: legacy.ownAddressType,
            peerAddressType: legacy.peerAddressType, peerAddress: legacy.peerAddress, initiatingPHYs: phys,
            phys: Array(repeating: parameters, count: phys.rawValue.nonzeroBitCount))
    }
}

extension AdvertisingParameters {
    /// Whether the data does not fit in legacy PDUs.
    var isLong: Bool { data.count > 31 || scanResponse.count > 31 }
}

/// Reassembles advertising data that is in several reports.
///
/// Source: Core Specification, Vol 4, Part E, 7.7.65.13.
struct AdvertisementAssembler: Sendable {
    private struct Part: Sendable {
        var address: DeviceAddress
        var set: UInt8
        var isScanResponse: Bool
        var data: [UInt8]
    }

    /// Maximum length of advertising data in bytes.
    private static var dataLimit: Int { 1650 }
    /// Limit of advertisers with incomplete data; the oldest one is evicted.
    private static var partLimit: Int { 16 }

    private var parts: [Part] = []

    /// Adds a report.
    ///
    /// - Returns: the data of the complete advertisement; nil if more of it follows, or if the advertiser is
    ///   anonymous.
    mutating func take(_ report: LEAdvertisement, _ octets: [UInt8]) -> [UInt8]? {
        guard report.isExtended else { return octets }
        // An anonymous advertiser can't be recognized, and can't be connected to.
        guard report.addressType != 0xFF else { return nil }
        let place = parts.firstIndex {
            $0.address == report.address && $0.set == report.advertisingSID
                && $0.isScanResponse == report.isScanResponse
        }
        var part =
            place.map { parts.remove(at: $0) }
            ?? Part(
                address: report.address, set: report.advertisingSID, isScanResponse: report.isScanResponse,
                data: [])
        part.data += octets.prefix(max(0, Self.dataLimit - part.data.count))
        guard report.isIncomplete else { return part.data }
        if parts.count == Self.partLimit { parts.removeFirst() }
        parts.append(part)
        return nil
    }
}
