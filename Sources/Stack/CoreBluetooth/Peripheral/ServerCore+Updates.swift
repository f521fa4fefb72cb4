import BluetoothCore
import Foundation
import LEHost

// Advertising, and values sent without a request.
extension ServerCore {
    func advertise(_ role: ServerRole, _ payload: AdvertisingPayload, _ stops: UInt64) {
        // The power may have been turned off after the application saw it on.
        guard state == .poweredOn else { return told(role, stops, CBError(.unknown)) }
        guard !roles.contains(where: { $0.advertised != nil }) else {
            return told(role, stops, CBError(.alreadyAdvertising))
        }
        var parameters = AdvertisingParameters()
        parameters.data = payload.data
        parameters.scanResponse = payload.scanResponse
        let units = payload.interval.saturatedMicroseconds / 625
        parameters.intervalUnits = UInt16(clamping: max(0x20, min(0x4000, units)))
        role.advertised = payload
        role.starting = stops
        if let name = payload.name, let handle = generic.deviceName {
            database.setValue(Array(name.utf8.prefix(248)), of: handle)
            adapter.put(.setDatabase(database))
        }
        adapter.put(.startAdvertising(parameters))
    }

    func stopAdvertising(_ role: ServerRole) {
        guard role.advertised != nil else { return }
        role.advertised = nil
        // A start that was interrupted ends with an error.
        if let stops = role.starting { told(role, stops, CBError(.operationCancelled)) }
        role.starting = nil
        adapter.put(.stopAdvertising)
    }

    func advertising(_ isOn: Bool) {
        guard isOn, let role = roles.first(where: { $0.starting != nil }), let stops = role.starting else {
            return
        }
        role.starting = nil
        told(role, stops, nil)
    }

    func advertisingFailed() {
        guard let role = roles.first(where: { $0.advertised != nil }) else { return }
        role.advertised = nil
        if let stops = role.starting { told(role, stops, CBError(.invalidParameters)) }
        role.starting = nil
    }

    /// Ends advertising because the radio is off.
    func advertisingLost(_ role: ServerRole) {
        role.advertised = nil
        if let stops = role.starting { told(role, stops, CBError(.unknown)) }
        role.starting = nil
    }

    private func told(_ role: ServerRole, _ stops: UInt64, _ error: CBError?) {
        role.manager?.call { [weak manager = role.manager] in
            guard let manager else { return }
            // It may have been stopped since.
            manager.advertising.change { advertising in
                if error == nil, advertising.stops == stops { advertising.isOn = true }
            }
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
        guard let handle = handle(of: characteristic), !links.isEmpty else { return settled(role) }
        let call = UpdateCall(role, left: links.count)
        for link in links {
            // Values longer than the link allows are cut, as with Apple.
            let limit = max(0, (adapter.askHost { $0.mtu(of: link) } ?? 23) - 3)
            backlog.append(
                Update(handle: handle, value: Array(value.prefix(limit)), link: link, call: call))
        }
        sendBacklog()
    }

    func sendBacklog() {
        var held: Set<LinkID> = []
        var kept: [Update] = []
        let waiting = backlog
        backlog = []
        for update in waiting {
            guard !held.contains(update.link),
                adapter.askHost({ $0.canUpdate(update.handle, on: update.link) })
            else {
                held.insert(update.link)
                kept.append(update)
                continue
            }
            adapter.put(.update(valueHandle: update.handle, update.value, on: update.link))
            settle(update)
        }
        backlog = kept + backlog
    }

    /// Counts a link that got the value, or is gone; the call ends with its last link.
    func settle(_ update: Update) {
        update.call.left -= 1
        if update.call.left == 0 { settled(update.call.role) }
    }

    /// Frees the place of a call whose value was passed on.
    private func settled(_ role: ServerRole) {
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
