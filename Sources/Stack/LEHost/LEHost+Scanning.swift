import BluetoothCore
import WireBytes

/// What the application wants scanned, and what the controller does.
struct Scanner: Sendable {
    /// Nil where nothing is to be scanned.
    var wanted: ScanParameters?
    /// What the controller scans with; nil where it does not scan.
    var active: ScanParameters?
    /// What the controller is being set to.
    var pending: ScanParameters?
    /// Whether a command of the scanner is unanswered.
    var isBusy = false
    /// Whether the controller does not scan while it connects.
    var yieldsToInitiator = false

    var isActive: Bool { active != nil }

    /// Forgets what the controller does, and keeps what is wanted.
    mutating func restart() {
        active = nil
        pending = nil
        isBusy = false
        yieldsToInitiator = false
    }
}

extension LEHost {
    /// Brings the controller nearer to what is wanted, by one command.
    mutating func reconcileScanner() {
        guard state == .ready, !scanner.isBusy else { return }
        let wanted = scanner.yieldsToInitiator && initiator.isCreating ? nil : scanner.wanted
        guard wanted != scanner.active else { return }
        scanner.isBusy = true
        if scanner.active != nil {
            return send(LESetScanEnable(), for: .scanEnable(false))
        }
        guard let wanted else {
            scanner.isBusy = false
            return
        }
        scanner.pending = wanted
        let own = ownAddressType
        send(
            LESetScanParameters {
                $0.leScanType = wanted.isActive ? 1 : 0
                $0.leScanInterval = wanted.intervalUnits
                $0.leScanWindow = wanted.windowUnits
                $0.ownAddressType = own
            }, for: .scanParameters)
    }

    mutating func scanParametersSet(_ status: HCIStatus) {
        guard status == .success, let pending = scanner.pending else { return scanFailed(status) }
        send(
            LESetScanEnable {
                $0.leScanEnable = 1
                $0.filterDuplicates = pending.filtersDuplicates ? 1 : 0
            }, for: .scanEnable(true))
    }

    mutating func scanEnabled(_ enabled: Bool, _ status: HCIStatus) {
        guard status == .success else { return scanFailed(status) }
        scanner.isBusy = false
        scanner.active = enabled ? scanner.pending : nil
        scanner.pending = nil
        tell(.scanning(enabled))
        // The initiator goes first: a scanner that yields to it must see whether it is connecting.
        reconcileInitiator()
        reconcileScanner()
    }

    private mutating func scanFailed(_ status: HCIStatus) {
        scanner.isBusy = false
        scanner.pending = nil
        if status == .commandDisallowed, initiator.isCreating, !scanner.yieldsToInitiator {
            scanner.yieldsToInitiator = true
            return reconcileScanner()
        }
        // What the controller refuses once it would refuse again.
        scanner.wanted = scanner.active
        tell(.scanFailed(status))
    }

    mutating func takeReports(_ parameters: [UInt8], extended: Bool) {
        let intact = parameters.withReader { (reader: inout ByteReader) -> Bool in
            do throws(DecodeError) {
                var reports = try LEAdvertisingReports(reader.wholeSpan, extended: extended)
                while let report = try reports.next() {
                    effects.append(
                        .event(
                            .advertisement(
                                Advertisement(
                                    address: report.address, isScanResponse: report.isScanResponse,
                                    isConnectable: report.isConnectable,
                                    data: Array(parameters[report.data.clamped(to: 0..<parameters.count)]),
                                    rssi: report.rssi))))
                }
                return true
            } catch {
                return false
            }
        }
        if !intact { tell(.problem(.malformedPacket(.event))) }
    }
}
