import BluetoothCore
import Foundation
import LEHost

// Scanning: one scan of the host serves all managers, and each is told of what it asked for.
extension CentralCore {
    func scan(_ role: CentralRole, _ wanted: Scan?) {
        role.scan = wanted
        role.reported = [:]
        reconcileScan()
    }

    func reconcileScan() {
        guard roles.contains(where: { $0.scan != nil }) else { return adapter.put(.stopScanning) }
        // The controller's own filter compares no data, so repeats are left out here.
        adapter.put(.startScanning(ScanParameters()))
    }

    func scanFailed() {
        for role in roles {
            role.scan = nil
            role.manager?.call { [weak manager = role.manager] in manager?.scanning.current = false }
        }
    }

    func take(_ advertisement: Advertisement) {
        let heard = advertisers.take(advertisement)
        var contents: AdvertisementContents?
        for role in roles {
            guard let scan = role.scan, let manager = role.manager else { continue }
            let told = contents ?? AdvertisementContents(heard)
            contents = told
            guard scan.matches(told) else { continue }
            var reported = role.reported[advertisement.address] ?? CentralRole.Reported()
            let isRepeat = advertisement.isScanResponse ? reported.scanResponse : reported.advertisement
            if isRepeat, !scan.allowsDuplicates { continue }
            if advertisement.isScanResponse {
                reported.scanResponse = true
            } else {
                reported.advertisement = true
            }
            role.reported[advertisement.address] = reported
            tell(manager, role, advertisement.address, told, heard.rssi)
        }
    }

    private func tell(
        _ manager: CBCentralManager, _ role: CentralRole, _ address: DeviceAddress,
        _ contents: AdvertisementContents, _ rssi: Int8
    ) {
        let peripheral = role.peripheral(at: address, of: manager, on: adapter)
        manager.call { [weak manager] in
            guard let manager, manager.isScanning else { return }
            manager.delegate?.centralManager(
                manager, didDiscover: peripheral, advertisementData: contents.dictionary,
                rssi: NSNumber(value: rssi))
            // In the first report the name is not yet the peripheral's own.
            if let name = contents.name {
                peripheral.visible.change { if $0.name == nil { $0.name = name } }
            }
        }
    }
}

extension Scan {
    func matches(_ contents: AdvertisementContents) -> Bool {
        if services.isEmpty, solicited.isEmpty { return true }
        return services.contains { contents.services.contains($0) }
            || solicited.contains { contents.solicited.contains($0) }
    }
}
