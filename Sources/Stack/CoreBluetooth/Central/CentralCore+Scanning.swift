import BluetoothCore
import Foundation
import LEHost

// Scanning: one scan of the host serves all managers, and each gets the results that it requested.
extension CentralCore {
    func scan(_ role: CentralRole, _ wanted: Scan?) {
        role.reported = [:]
        // The power may have been turned off after the application saw it on.
        role.scan = state == .poweredOn ? wanted : nil
        if let wanted, role.scan == nil { tellStopped(role, wanted) }
        reconcileScan()
    }

    private func tellStopped(_ role: CentralRole, _ scan: Scan) {
        role.manager?.call { [weak manager = role.manager] in
            manager?.scanning.change { if $0.number == scan.number { $0.isOn = false } }
        }
    }

    func reconcileScan() {
        guard roles.contains(where: { $0.scan != nil }) else { return adapter.put(.stopScanning) }
        // The controller's own filter ignores data, so duplicates are filtered here.
        adapter.put(.startScanning(ScanParameters()))
    }

    func scanFailed() {
        for role in roles {
            if let scan = role.scan { tellStopped(role, scan) }
            role.scan = nil
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
            // Addresses change: devices reported long ago may be reported again.
            if role.reported.count >= 8192 { role.reported = [:] }
            role.reported[advertisement.address] = reported
            tell(manager, role, scan.number, advertisement.address, told, heard.rssi)
        }
    }

    private func tell(
        _ manager: CBCentralManager, _ role: CentralRole, _ scan: UInt64, _ address: DeviceAddress,
        _ contents: AdvertisementContents, _ rssi: Int8
    ) {
        let peripheral = role.peripheral(at: address, of: manager, on: adapter)
        if let name = contents.name {
            adapter.acquaintances.change { if $0.name(of: address) == nil { $0.call(address, name) } }
        }
        manager.call { [weak manager] in
            // Results of an earlier scan may not match this one.
            guard let manager, manager.scanning.current == (true, scan) else { return }
            if let name = contents.name {
                peripheral.visible.change { if $0.name == nil { $0.name = name } }
            }
            manager.inform {
                $0.centralManager(
                    manager, didDiscover: peripheral, advertisementData: contents.dictionary,
                    rssi: NSNumber(value: rssi))
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
