import BluetoothCore
@_spi(Host) public import CoreBluetooth
public import Foundation
import Runtime
import Synchronization

/// A small device on a peripheral manager.
///
/// It advertises once all its services are added, supports read offsets, writes a batch completely or not at
/// all, and notifies each subscriber separately.
public final class SimulatedGadget: NSObject, CBPeripheralManagerDelegate, Sendable {
    /// Maximum number of waiting values for one subscriber; beyond that the oldest is dropped.
    static let waitingLimit = 64

    struct Subscription: Sendable {
        let central: CBCentral
        let characteristic: CBMutableCharacteristic
        var timer: EventID?
    }

    struct Waiting: Sendable {
        let value: [UInt8]
        let characteristic: CBMutableCharacteristic
        let central: CBCentral
    }

    struct State: Sendable {
        var gadget: any Gadget
        var isAsked = false
        var added = 0
        var subscriptions: [Subscription] = []
        var waiting: [Waiting] = []
        var problems: [String] = []
    }

    let adapter: BluetoothAdapter
    let manager: CBPeripheralManager
    let services: [CBMutableService]
    let state: Mutex<State>

    /// Creates a gadget on an adapter. It advertises when the adapter is on.
    public init(_ gadget: some Gadget, on adapter: BluetoothAdapter) {
        self.adapter = adapter
        services = gadget.services.map(Self.service)
        state = Mutex(State(gadget: gadget))
        manager = CBPeripheralManager(
            delegate: nil, queue: (adapter.delivery as? SettlingDelivery)?.inline, options: nil,
            adapter: adapter)
        super.init()
        manager.delegate = self
    }

    /// The number of subscriptions of all centrals.
    public var subscriptions: Int { state.withLock { $0.subscriptions.count } }
    /// Failures: services that were not added, and advertising that did not start.
    public var problems: [String] { state.withLock { $0.problems } }

    private static func service(_ service: GadgetService) -> CBMutableService {
        let made = CBMutableService(type: CBUUID(service.uuid), primary: true)
        made.characteristics = service.characteristics.map { characteristic in
            var properties: CBCharacteristicProperties = []
            var permissions: CBAttributePermissions = []
            let isEncrypted = characteristic.isEncrypted
            for use in characteristic.uses {
                switch use {
                case .read:
                    properties.insert(.read)
                    permissions.insert(isEncrypted ? .readEncryptionRequired : .readable)
                case .write:
                    properties.insert(.write)
                    permissions.insert(isEncrypted ? .writeEncryptionRequired : .writeable)
                case .writeWithoutResponse:
                    properties.insert(.writeWithoutResponse)
                    permissions.insert(isEncrypted ? .writeEncryptionRequired : .writeable)
                case .notify: properties.insert(isEncrypted ? .notifyEncryptionRequired : .notify)
                }
            }
            let one = CBMutableCharacteristic(
                type: CBUUID(characteristic.uuid), properties: properties, value: nil,
                permissions: permissions)
            if let text = characteristic.text {
                let type = CBUUID(string: CBUUIDCharacteristicUserDescriptionString)
                one.descriptors = [CBMutableDescriptor(type: type, value: text)]
            }
            return one
        }
        return made
    }

    // MARK: Notifications

    /// Sends a value to a central, or keeps it until there is room.
    func tell(_ value: [UInt8], _ characteristic: CBMutableCharacteristic, _ central: CBCentral) {
        state.withLock { state in
            let isListening = state.subscriptions.contains {
                $0.central === central && $0.characteristic === characteristic
            }
            guard isListening else { return }
            if state.waiting.count(where: { $0.central === central }) >= Self.waitingLimit,
                let oldest = state.waiting.firstIndex(where: { $0.central === central })
            {
                state.waiting.remove(at: oldest)
            }
            state.waiting.append(Waiting(value: value, characteristic: characteristic, central: central))
            send(&state)
        }
    }

    func send(_ state: inout State) {
        while let first = state.waiting.first {
            let isTaken = manager.updateValue(
                Data(first.value), for: first.characteristic, onSubscribedCentrals: [first.central])
            guard isTaken else { return }
            state.waiting.removeFirst()
        }
    }

    /// Starts the timer of a subscriber's regular notifications.
    func tellLater(_ central: CBCentral, _ characteristic: CBMutableCharacteristic) {
        let uuid = characteristic.uuid.value
        guard let period = state.withLock({ $0.gadget.period(of: uuid) }) else { return }
        let timer = adapter.asyncAfter(period, on: manager.callbackQueue) { [weak self] in
            guard let self else { return }
            let clock = adapter.wallClock
            tell(state.withLock { $0.gadget.told(of: uuid, wallClock: clock) }, characteristic, central)
            tellLater(central, characteristic)
        }
        let isGone = state.withLock { state in
            for index in state.subscriptions.indices
            where state.subscriptions[index].central === central
                && state.subscriptions[index].characteristic === characteristic
            {
                state.subscriptions[index].timer = timer
                return false
            }
            return true
        }
        if isGone { adapter.cancel(timer) }
    }
}
