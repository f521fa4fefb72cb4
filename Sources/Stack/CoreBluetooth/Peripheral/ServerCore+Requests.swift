import BluetoothCore
import Foundation
import LEHost

// Requests of centrals.
extension ServerCore {
    func read(_ request: ServerRequestID, _ handle: UInt16, _ offset: Int, on link: LinkID) {
        guard let (characteristic, role) = characteristic(at: handle), let central = central(on: link),
            let manager = role.manager
        else { return adapter.put(.answerRead(request, .failure(.unlikelyError), on: link)) }
        let asked = CBATTRequest(
            central: central, characteristic: characteristic, offset: offset, value: nil,
            request: (request, link), isRead: true)
        manager.call { [weak manager, weak adapter] in
            guard let manager, let delegate = manager.delegate else {
                // Without an answer the central would wait for 30 s and then end the link.
                adapter?.submit { $0.put(.answerRead(request, .failure(.unlikelyError), on: link)) }
                return
            }
            delegate.peripheralManager(manager, didReceiveRead: asked)
        }
    }

    func write(_ request: ServerRequestID?, _ writes: [ServerWrite], on link: LinkID) {
        if let error = refusal(of: writes, isCommand: request == nil) {
            if let request { adapter.put(.answerWrite(request, error, on: link)) }
            return
        }
        guard let central = central(on: link), let first = writes.first,
            let (_, role) = characteristic(at: first.handle), let manager = role.manager
        else {
            if let request { adapter.put(.answerWrite(request, .unlikelyError, on: link)) }
            return
        }
        let asked = writes.compactMap { write -> CBATTRequest? in
            guard let (characteristic, _) = characteristic(at: write.handle) else { return nil }
            return CBATTRequest(
                central: central, characteristic: characteristic, offset: write.offset,
                value: Data(write.value), request: request.map { ($0, link) }, isRead: false)
        }
        manager.call { [weak manager, weak adapter] in
            guard let manager, let delegate = manager.delegate else {
                guard let request else { return }
                adapter?.submit { $0.put(.answerWrite(request, .unlikelyError, on: link)) }
                return
            }
            delegate.peripheralManager(manager, didReceiveWrite: asked)
        }
    }

    // A batch gets one answer, so all of it must belong to one manager, and each characteristic's properties
    // must permit the write.
    private func refusal(of writes: [ServerWrite], isCommand: Bool) -> ATTErrorCode? {
        let owners = writes.map { characteristic(at: $0.handle) }
        for owner in owners {
            guard let (characteristic, role) = owner, role === owners.first??.1 else { return .unlikelyError }
            let way: CBCharacteristicProperties = isCommand ? .writeWithoutResponse : .write
            guard characteristic.properties.contains(way) else { return .writeNotPermitted }
        }
        return nil
    }

    func respond(
        _ answered: (id: ServerRequestID, link: LinkID), _ isRead: Bool, _ value: [UInt8],
        _ result: CBATTError.Code
    ) {
        let error = result == .success ? nil : ATTErrorCode(rawValue: UInt8(clamping: result.rawValue))
        guard isRead else { return adapter.put(.answerWrite(answered.id, error, on: answered.link)) }
        adapter.put(
            .answerRead(answered.id, error.map { .failure($0) } ?? .success(value), on: answered.link))
    }

    func subscription(of handle: UInt16, _ configuration: GATTClientConfiguration, on link: LinkID) {
        guard let central = central(on: link), let (characteristic, role) = characteristic(at: handle) else {
            return
        }
        guard configuration != [] else { return unsubscribe(central, from: characteristic, role) }
        guard let mutable = characteristic as? CBMutableCharacteristic else { return }
        role.manager?.call { [weak manager = role.manager] in
            let isNew = mutable.subscribers.change { subscribers in
                guard !subscribers.contains(where: { $0 === central }) else { return false }
                subscribers.append(central)
                return true
            }
            guard isNew, let manager else { return }
            manager.delegate?.peripheralManager(manager, central: central, didSubscribeTo: mutable)
        }
    }

    func unsubscribe(_ central: CBCentral, from characteristic: CBCharacteristic, _ role: ServerRole) {
        guard let mutable = characteristic as? CBMutableCharacteristic else { return }
        role.manager?.call { [weak manager = role.manager] in
            let wasThere = mutable.subscribers.change { subscribers in
                defer { subscribers.removeAll { $0 === central } }
                return subscribers.contains { $0 === central }
            }
            guard wasThere, let manager else { return }
            manager.delegate?.peripheralManager(manager, central: central, didUnsubscribeFrom: mutable)
        }
    }
}
