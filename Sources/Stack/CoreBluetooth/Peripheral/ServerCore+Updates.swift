import BluetoothCore
import Foundation
import LEHost

// Advertising, and values that are sent without being asked for.
extension ServerCore {
    func advertise(_ role: ServerRole, _ payload: AdvertisingPayload) {
        guard !roles.contains(where: { $0.advertised != nil }) else {
            return told(role, CBError(.alreadyAdvertising))
        }
        var parameters = AdvertisingParameters()
        parameters.data = payload.data
        parameters.scanResponse = payload.scanResponse
        let units = payload.interval.saturatedMicroseconds / 625
        parameters.intervalUnits = UInt16(clamping: max(0x20, min(0x4000, units)))
        role.advertised = payload
        role.isStarting = true
        adapter.put(.startAdvertising(parameters))
    }

    func stopAdvertising(_ role: ServerRole) {
        guard role.advertised != nil else { return }
        role.advertised = nil
        role.isStarting = false
        adapter.put(.stopAdvertising)
    }

    func advertising(_ isOn: Bool) {
        guard isOn, let role = roles.first(where: { $0.isStarting }) else { return }
        role.isStarting = false
        told(role, nil)
    }

    func advertisingFailed() {
        guard let role = roles.first(where: { $0.advertised != nil }) else { return }
        role.advertised = nil
        role.isStarting = false
        told(role, CBError(.invalidParameters))
    }

    private func told(_ role: ServerRole, _ error: CBError?) {
        role.manager?.call { [weak manager = role.manager] in
            guard let manager else { return }
            if error == nil { manager.advertising.current = true }
            manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: error)
        }
    }

    func update(
        _ value: [UInt8], _ characteristic: CBMutableCharacteristic, _ wanted: [CBCentral]?,
        _ role: ServerRole
    ) {
        let subscribers = characteristic.subscribers.current
        let links = centrals.keys.sorted().filter { link in
            guard let central = centrals[link], subscribers.contains(where: { $0 === central }) else {
                return false
            }
            return wanted?.contains { $0 === central } ?? true
        }
        guard let handle = handle(of: characteristic), let last = links.last else { return settled(role) }
        for link in links {
            // What is longer than the link takes is cut, as with Apple.
            let limit = max(0, (adapter.host.mtu(of: link) ?? 23) - 3)
            backlog.append(
                Update(
                    handle: handle, value: Array(value.prefix(limit)), link: link, role: role,
                    isLast: link == last))
        }
        sendBacklog()
    }

    func sendBacklog() {
        var held: Set<LinkID> = []
        var kept: [Update] = []
        let waiting = backlog
        backlog = []
        for update in waiting {
            guard !held.contains(update.link), adapter.host.canWriteCommand(on: update.link) else {
                held.insert(update.link)
                kept.append(update)
                continue
            }
            adapter.put(.update(valueHandle: update.handle, update.value, on: update.link))
            if update.isLast { settled(update.role) }
        }
        backlog = kept + backlog
    }

    /// One call's value has been handed over: there is room for another.
    func settled(_ role: ServerRole) {
        guard let manager = role.manager else { return }
        manager.call { [weak manager] in
            guard let manager else { return }
            let isReady = manager.updates.change { updates in
                updates.waiting = max(0, updates.waiting - 1)
                defer { updates.wasRefused = false }
                return updates.wasRefused
            }
            if isReady { manager.delegate?.peripheralManagerIsReady(toUpdateSubscribers: manager) }
        }
    }
}

extension Duration {
    fileprivate var saturatedMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : scaled &+ attoseconds / 1_000_000_000_000
    }
}
