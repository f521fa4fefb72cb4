import BluetoothCore
import Runtime
import WireBytes

// Extended scanning and initiating.

extension VirtualAir {
    mutating func performExtendedScanning(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetExtendedScanParameters.opcode:
            let wish = try LESetExtendedScanParameters(whole: parameters)
            return .complete(setScanning(wish, controller))
        case LESetExtendedScanEnable.opcode:
            return .complete(enableScanning(try LESetExtendedScanEnable(whole: parameters), controller))
        case LEExtendedCreateConnection.opcode:
            return .status(startInitiating(try LEExtendedCreateConnection(whole: parameters), controller))
        default: return nil
        }
    }

    /// Source: Core Specification, Vol 4, Part E, 7.8.64.
    private mutating func setScanning(_ wish: LESetExtendedScanParameters, _ controller: Int) -> HCIStatus {
        guard wish.ownAddressType <= 3, wish.scanningFilterPolicy <= 3, !wish.scanningPHYs.isEmpty,
            wish.phys.allSatisfy({
                $0.scanType <= 1 && $0.scanInterval >= 4 && (4...$0.scanInterval).contains($0.scanWindow)
            })
        else { return .invalidHCICommandParameters }
        // The primary channels support two PHYs.
        let possible = controllers[controller].configuration.phys.subtracting(.le2M)
        guard wish.scanningPHYs.isSubset(of: possible) else { return .unsupportedFeatureOrParameterValue }
        guard !controllers[controller].scanning.isEnabled else { return .commandDisallowed }
        controllers[controller].scanning.parameters = wish
        return .success
    }

    /// Source: Core Specification, Vol 4, Part E, 7.8.65.
    private mutating func enableScanning(_ wish: LESetExtendedScanEnable, _ controller: Int) -> HCIStatus {
        guard wish.enable <= 1 else { return .invalidHCICommandParameters }
        guard wish.enable == 1 else {
            controllers[controller].scanning.isEnabled = false
            return .success
        }
        let isLongerThanPeriod = wish.period > 0 && Int(wish.duration) * 10 >= Int(wish.period) * 1280
        guard wish.filterDuplicates <= 2, wish.filterDuplicates < 2 || wish.period > 0, !isLongerThanPeriod,
            wish.period == 0 || wish.duration > 0
        else { return .invalidHCICommandParameters }
        let own = controllers[controller].scanning.parameters.ownAddressType
        guard controllers[controller].ownAddress(own) != nil else { return .invalidHCICommandParameters }
        controllers[controller].scanning.isEnabled = true
        controllers[controller].scanning.start = now
        controllers[controller].scanning.filterDuplicates = wish.filterDuplicates
        controllers[controller].scanning.duration = wish.duration
        controllers[controller].scanning.period = wish.period
        controllers[controller].scanning.seen = []
        controllers[controller].scanning.seenPeriod = 0
        if wish.duration > 0, wish.period == 0 {
            heap.push(
                .scanTimeout(controller, start: now),
                at: now.advanced(by: .milliseconds(Int64(wish.duration) * 10)),
                from: .controller.numbered(controller))
        }
        return .success
    }

    mutating func scanTimedOut(controller: Int, _ start: Instant) {
        let scanning = controllers[controller].scanning
        guard scanning.isEnabled, scanning.start == start, scanning.duration > 0, scanning.period == 0 else {
            return
        }
        controllers[controller].scanning.isEnabled = false
        tell(LEScanTimeout(), to: controller)
    }

    /// Source: Core Specification, Vol 4, Part E, 7.8.66.
    private mutating func startInitiating(
        _ wish: LEExtendedCreateConnection, _ controller: Int
    ) -> HCIStatus {
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
        guard phys.isSubset(of: controllers[controller].configuration.phys) else {
            return .unsupportedFeatureOrParameterValue
        }
        return initiate(wish, controller: controller)
    }
}
