import BluetoothCore
import Foundation
import LEHost

// Callbacks about links. They also set the peripheral's state, unless the application has called again since:
// then that call's state stays.
extension CentralCore {
    func tellConnected(_ role: CentralRole, _ address: DeviceAddress, _ link: LinkID) {
        if role.isDormant { return }
        guard let manager = role.manager, let peripheral = role.existing(address) else {
            return cancel(role, address, tells: false)
        }
        // The object of the request has been released, and the request ends with it.
        guard role.wanted[address]?.object == peripheral.number else { return }
        let mtu = adapter.askHost { $0.mtu(of: link) } ?? 23
        let heard = role.heard[address] ?? 0
        adapter.remember(address)
        manager.call { [weak manager] in
            guard let manager else { return }
            let isCancelled = peripheral.visible.change { visible in
                visible.mtu = mtu
                if visible.lastCall > heard, visible.state == .disconnecting { return true }
                if visible.state != .connected {
                    visible.unsent = 0
                    visible.wasRefused = false
                }
                visible.state = .connected
                return false
            }
            // A cancelled connection only reports its end.
            if !isCancelled { manager.inform { $0.centralManager(manager, didConnect: peripheral) } }
        }
    }

    func tellFailed(_ role: CentralRole, _ address: DeviceAddress, _ error: CBError) {
        role.wanted[address] = nil
        guard let manager = role.manager, let peripheral = role.existing(address) else { return }
        let heard = role.heard[address] ?? 0
        manager.call { [weak manager] in
            peripheral.end(.disconnected, after: heard)
            guard let manager else { return }
            manager.inform { $0.centralManager(manager, didFailToConnect: peripheral, error: error) }
        }
    }

    /// Reports a disconnection.
    ///
    /// - Parameters:
    ///   - again: whether the system reconnects by itself.
    ///   - isWanted: whether the application has already requested the next connection.
    func tellDisconnected(
        _ role: CentralRole, _ address: DeviceAddress, _ error: CBError?, again: Bool = false,
        isWanted: Bool = false
    ) {
        guard let manager = role.manager, let peripheral = role.existing(address) else { return }
        let seconds = Double(adapter.wallClock) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
        let heard = role.heard[address] ?? 0
        manager.call { [weak manager] in
            peripheral.end(again || isWanted ? .connecting : .disconnected, after: heard)
            guard let manager else { return }
            manager.inform {
                $0.centralManager(
                    manager, didDisconnectPeripheral: peripheral, timestamp: seconds, isReconnecting: again,
                    error: error)
            }
        }
    }

    /// Reports a connection or disconnection to managers that registered for it.
    func tellEvent(
        _ event: CBConnectionEvent, _ address: DeviceAddress, _ services: Set<BluetoothUUID>
    ) {
        let identifier = adapter.identifier(of: address)
        for role in roles {
            guard let wanted = role.events, wanted.matches(identifier, services), let manager = role.manager
            else { continue }
            let peripheral = role.peripheral(at: address, of: manager, on: adapter)
            manager.call { [weak manager] in
                guard let manager else { return }
                manager.inform {
                    $0.centralManager(
                        manager, connectionEventDidOccur: event, for: peripheral)
                }
            }
        }
    }
}

extension CBPeripheral {
    /// Handles the end of an established or pending connection, in the manager's queue.
    func end(_ state: CBPeripheralState, after heard: UInt64) {
        let gone = visible.change { visible -> [CBService] in
            defer { visible.services = nil }
            visible.unsent = 0
            visible.wasRefused = false
            if visible.lastCall <= heard {
                visible.state = state
            } else if visible.state == .connected {
                // The application asked to connect while it was connected.
                visible.state = .connecting
            }
            return visible.services ?? []
        }
        for service in gone { service.end() }
    }
}
