import BluetoothCore
import WireBytes

/// The scan that the application wants, and the controller's state of it.
struct Scanner: Sendable {
    /// The scan of the application; nil without one.
    var wanted: ScanParameters?
    var active: ScanParameters?
    /// The parameters that the controller is being given.
    var pending: ScanParameters?
    /// Whether a scan command is unanswered.
    var isBusy = false
    /// Whether the application was informed of the scan; false if only the host looks for devices.
    var isTold = false
    /// Whether the controller can't scan while it connects.
    var yieldsToInitiator = false
    var assembler = AdvertisementAssembler()

    var isActive: Bool { active != nil }

    /// Forgets the controller's state, and keeps the wanted parameters.
    mutating func restart() { self = Scanner(wanted: wanted) }
}

extension LEHost {
    /// Brings the controller one command closer to the state that is wanted.
    mutating func reconcileScanner() {
        guard state == .ready, !scanner.isBusy else { return }
        let wanted = scanWish
        guard wanted != scanner.active else { return tellScanning() }
        scanner.isBusy = true
        if scanner.active != nil {
            return sendScanEnable(nil)
        }
        guard let wanted else {
            scanner.isBusy = false
            return
        }
        scanner.pending = wanted
        sendScanParameters(wanted)
    }

    /// The scan that is needed: the application's, or one to find bonded devices to connect to.
    private var scanWish: ScanParameters? {
        let isConnecting = initiator.isCreating || !targets.isEmpty
        if isPaused || scanner.yieldsToInitiator && isConnecting { return nil }
        guard isSeeking else { return scanner.wanted }
        guard var wish = scanner.wanted else { return .seeking }
        wish.filtersDuplicates = false
        return wish
    }

    /// Reports to the application whether the host scans; interruptions by the host itself are not reported.
    private mutating func tellScanning() {
        let isOn = scanner.wanted != nil && (scanner.active != nil || isPaused && scanner.isTold)
        guard isOn != scanner.isTold else { return }
        scanner.isTold = isOn
        tell(.scanning(isOn))
    }

    mutating func scanParametersSet(_ status: HCIStatus) {
        guard status == .success, let pending = scanner.pending else { return scanFailed(status) }
        sendScanEnable(pending)
    }

    mutating func scanEnabled(_ enabled: Bool, _ status: HCIStatus) {
        guard status == .success else { return scanFailed(status) }
        scanner.isBusy = false
        scanner.active = enabled ? scanner.pending : nil
        scanner.pending = nil
        tellScanning()
        // The initiator is first, since a scanner that yields to it must know whether it connects.
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
        // The controller would refuse the same parameters again.
        scanner.wanted = scanner.active
        tell(.scanFailed(status))
    }

    mutating func takeReports(_ parameters: [UInt8], extended: Bool) {
        let intact = parameters.withReader { (reader: inout ByteReader) -> Bool in
            do throws(DecodeError) {
                var reports = try LEAdvertisingReports(reader.wholeSpan, extended: extended)
                while let report = try reports.next() {
                    let octets = Array(parameters[report.data.clamped(to: 0..<parameters.count)])
                    let address = context.resolver.seen(report.address)
                    if report.isConnectable { noteSighting(of: address, at: report.address) }
                    guard let data = scanner.assembler.take(report, octets) else { continue }
                    if scanner.isActive, !scanner.isTold { continue }
                    tell(
                        .advertisement(
                            Advertisement(
                                address: address, isScanResponse: report.isScanResponse,
                                isConnectable: report.isConnectable, data: data, rssi: report.rssi)))
                }
                return true
            } catch {
                return false
            }
        }
        if !intact { tell(.problem(.malformedPacket(.event))) }
    }
}

extension ScanParameters {
    /// The scan for bonded devices to connect to; it leaves half of the time to the initiator.
    fileprivate static var seeking: ScanParameters {
        var parameters = ScanParameters()
        parameters.isActive = false
        parameters.windowUnits = 0x30
        return parameters
    }
}
