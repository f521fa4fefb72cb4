import BluetoothCore
import Runtime
import WireBytes

// Commands of scanners and initiators.

extension ControllerCore {
    mutating func performScanning(
        _ opcode: HCIOpcode, _ parameters: [UInt8], at now: Instant
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetScanParameters.opcode:
            let wish = try LESetScanParameters(whole: parameters)
            guard wish.leScanInterval <= 0x4000 else { return .complete(.invalidHCICommandParameters) }
            return .complete(setScanning(LESetExtendedScanParameters(wish)))
        case LESetScanEnable.opcode:
            let wish = try LESetScanEnable(whole: parameters)
            let isOn = wish.leScanEnable == 1
            guard wish.leScanEnable <= 1, wish.filterDuplicates <= 1,
                !isOn || ownAddress(scanning.parameters.ownAddressType) != nil
            else { return .complete(.invalidHCICommandParameters) }
            if isOn, !scanning.isEnabled { scanning.start = now }
            scanning.isEnabled = isOn
            scanning.filterDuplicates = wish.filterDuplicates
            scanning.forgetSeen()
            change = .scanning
            return .complete(.success)
        case LECreateConnection.opcode:
            let wish = try LECreateConnection(whole: parameters)
            guard wish.leScanInterval <= 0x4000 else { return .status(.invalidHCICommandParameters) }
            return .status(initiate(LEExtendedCreateConnection(wish)))
        case LECreateConnectionCancel.opcode:
            _ = try LECreateConnectionCancel(whole: parameters)
            guard initiating != nil else { return .complete(.commandDisallowed) }
            initiating = nil
            change = .cancelled
            return .complete(.success)
        default: return try performExtendedScanning(opcode, parameters, at: now)
        }
    }

    private mutating func performExtendedScanning(
        _ opcode: HCIOpcode, _ parameters: [UInt8], at now: Instant
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetExtendedScanParameters.opcode:
            return .complete(setScanning(try LESetExtendedScanParameters(whole: parameters)))
        case LESetExtendedScanEnable.opcode:
            return .complete(enableScanning(try LESetExtendedScanEnable(whole: parameters), at: now))
        case LEExtendedCreateConnection.opcode:
            return .status(initiate(try LEExtendedCreateConnection(whole: parameters)))
        default: return nil
        }
    }

    /// Source: Core Specification, Vol 4, Part E, 7.8.64.
    private mutating func setScanning(_ wish: LESetExtendedScanParameters) -> HCIStatus {
        guard wish.ownAddressType <= 3, wish.scanningFilterPolicy <= 3, !wish.scanningPHYs.isEmpty,
            wish.phys.allSatisfy({
                $0.scanType <= 1 && $0.scanInterval >= 4 && (4...$0.scanInterval).contains($0.scanWindow)
            })
        else { return .invalidHCICommandParameters }
        // The primary channels support two PHYs.
        let possible = configuration.phys.subtracting(.le2M)
        guard wish.scanningPHYs.isSubset(of: possible) else { return .unsupportedFeatureOrParameterValue }
        guard !scanning.isEnabled else { return .commandDisallowed }
        scanning.parameters = wish
        return .success
    }

    /// Source: Core Specification, Vol 4, Part E, 7.8.65.
    private mutating func enableScanning(_ wish: LESetExtendedScanEnable, at now: Instant) -> HCIStatus {
        guard wish.enable <= 1 else { return .invalidHCICommandParameters }
        guard wish.enable == 1 else {
            scanning.isEnabled = false
            change = .scanning
            return .success
        }
        let isLongerThanPeriod = wish.period > 0 && Int(wish.duration) * 10 >= Int(wish.period) * 1280
        guard wish.filterDuplicates <= 2, wish.filterDuplicates < 2 || wish.period > 0, !isLongerThanPeriod,
            wish.period == 0 || wish.duration > 0
        else { return .invalidHCICommandParameters }
        guard ownAddress(scanning.parameters.ownAddressType) != nil else {
            return .invalidHCICommandParameters
        }
        scanning.isEnabled = true
        scanning.start = now
        scanning.filterDuplicates = wish.filterDuplicates
        scanning.duration = wish.duration
        scanning.period = wish.period
        scanning.forgetSeen()
        change = .scanning
        return .success
    }

    /// Starts waiting for an advertiser, if the air allows it too.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.66.
    private mutating func initiate(_ wish: LEExtendedCreateConnection) -> HCIStatus {
        let phys = wish.initiatingPHYs
        let primary = phys.intersection([.le1M, .leCoded])
        guard wish.initiatorFilterPolicy <= 1, wish.ownAddressType <= 3,
            wish.initiatorFilterPolicy == 1 || wish.peerAddressType <= 3, !primary.isEmpty,
            wish.phys.allSatisfy({
                $0.scanInterval >= 4 && (4...$0.scanInterval).contains($0.scanWindow)
                    && LinkParameters.areAllowed(
                        min: $0.connectionIntervalMin, max: $0.connectionIntervalMax,
                        latency: $0.maxLatency, timeout: $0.supervisionTimeout)
                    && $0.minCELength <= $0.maxCELength
            })
        else { return .invalidHCICommandParameters }
        guard phys.isSubset(of: configuration.phys) else { return .unsupportedFeatureOrParameterValue }
        guard initiating == nil else { return .commandDisallowed }
        guard ownAddress(wish.ownAddressType) != nil else { return .invalidHCICommandParameters }
        initiating = wish
        change = .initiating(wish)
        return .success
    }
}
