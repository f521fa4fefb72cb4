import BluetoothCore
import LEHost

/// A call of an application to a peripheral. It ends exactly once, whatever happens to the link.
///
/// Used only within the adapter's scheduler.
final class GATTCall: @unchecked Sendable {
    typealias Outcome = Result<GATTOutcome, any Error>

    /// The peripheral; strongly held until the answer, as with Apple.
    let peripheral: CBPeripheral
    private let life: AttributeLife?
    private let begin: @Sendable (CentralCore, GATTCall, LinkID) -> Void
    private var end: (@Sendable (Outcome) -> Void)?

    init(
        _ peripheral: CBPeripheral, _ life: AttributeLife?,
        _ begin: @escaping @Sendable (CentralCore, GATTCall, LinkID) -> Void,
        _ end: @escaping @Sendable (Outcome) -> Void
    ) {
        self.peripheral = peripheral
        self.life = life
        self.begin = begin
        self.end = end
    }

    var isOver: Bool { end == nil }

    /// Whether its attribute is still valid.
    var isAboutSomething: Bool { life?.serves(peripheral) ?? true }

    func start(_ core: CentralCore, _ link: LinkID) { begin(core, self, link) }

    /// Ends it without an answer.
    func drop() { end = nil }

    /// Ends it; later calls do nothing.
    func finish(_ outcome: Outcome) {
        let end = end
        self.end = nil
        end?(outcome)
    }
}

// The calls of all managers to one device run one after another, so that they end in the order in which they
// were made, and each sees the effects of the one before.
extension CentralCore {
    /// Performs one operation for an application.
    ///
    /// - Parameter life: lifetime of the attribute that it concerns.
    func perform(
        _ operation: GATTOperation?, for peripheral: CBPeripheral, _ life: AttributeLife? = nil,
        _ end: @escaping @Sendable (GATTCall.Outcome) -> Void
    ) {
        enqueue(
            GATTCall(
                peripheral, life,
                { core, call, link in
                    guard let operation else { return core.complete(call, on: link, .success(.written)) }
                    core.adapter.perform(operation, on: link) { [weak core] result in
                        core?.complete(call, on: link, result.mapError { $0.error })
                    }
                }, end))
    }

    func enqueue(_ call: GATTCall) {
        let (address, role) = (call.peripheral.address, call.peripheral.role)
        guard let device = devices[address], let link = device.link, adapter.askHost({ $0.isOpen(link) }),
            device.connectedRoles.contains(where: { $0 === role }), role.existing(address) === call.peripheral
        else { return lose(call) }
        devices[address]?.calls.append(call)
        startNext(address)
    }

    /// Ends a call with its outcome and starts the next.
    func complete(_ call: GATTCall, on link: LinkID, _ outcome: GATTCall.Outcome) {
        let isLost = (outcome.failure as? CBError)?.code == .notConnected
        isLost ? lose(call) : call.finish(outcome)
        let address = call.peripheral.address
        guard devices[address]?.link == link, devices[address]?.running === call else { return }
        devices[address]?.running = nil
        startNext(address)
    }

    private func startNext(_ address: DeviceAddress) {
        guard let device = devices[address], let link = device.link, device.running == nil,
            let call = device.calls.first
        else { return }
        devices[address]?.calls.removeFirst()
        guard adapter.askHost({ $0.isOpen(link) }) else {
            lose(call)
            return startNext(address)
        }
        guard call.isAboutSomething else {
            call.finish(.failure(CBError(.invalidHandle)))
            return startNext(address)
        }
        devices[address]?.running = call
        call.start(self, link)
    }

    /// Ends the calls of a manager, or of all managers, which have lost their link.
    func endCalls(_ device: inout Device, of role: CentralRole? = nil) {
        let isMeant = { (peripheral: CBPeripheral) in role == nil || peripheral.role === role }
        let over = ([device.running].compactMap { $0 } + device.calls).filter { isMeant($0.peripheral) }
        device.calls.removeAll { isMeant($0.peripheral) }
        let asking = device.asking.filter { $0.map(isMeant) ?? false }.compactMap { $0 }
        device.asking = device.asking.map { $0.flatMap { isMeant($0) ? nil : $0 } }
        device.backlog.removeAll { isMeant($0.peripheral) }
        for call in over { lose(call) }
        for peripheral in asking { loseRSSI(peripheral) }
    }

    /// Ends a call that has no link, or has lost it.
    private func lose(_ call: GATTCall) {
        if answersLost(of: call.peripheral) { return call.finish(.failure(CBError(.notConnected))) }
        call.drop()
    }

    /// Ends a signal strength query that has no link, or has lost it.
    func loseRSSI(_ peripheral: CBPeripheral) {
        if answersLost(of: peripheral) { tellRSSI(peripheral, 127, CBError(.notConnected)) }
    }

    // Without an answer, the misuse log says so.
    private func answersLost(of peripheral: CBPeripheral) -> Bool {
        if adapter.configuration.answersLostCalls { return true }
        peripheral.role.manager?.noteMisuse("\(peripheral.identifier) is not connected: no callback follows")
        return false
    }
}
