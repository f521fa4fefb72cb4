import BluetoothCore
import LEHost

/// Something that an application has asked a peripheral to do. It ends once, whatever becomes of the link.
///
/// It is used within the adapter's scheduler alone.
final class GATTCall: @unchecked Sendable {
    typealias Outcome = Result<GATTOutcome, any Error>

    /// Who asked; kept until the answer, as with Apple.
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

    /// Whether it has ended.
    var isOver: Bool { end == nil }

    /// Whether what it is about is still of use.
    var isAboutSomething: Bool { life?.serves(peripheral) ?? true }

    func start(_ core: CentralCore, _ link: LinkID) { begin(core, self, link) }

    /// Ends it without an answer.
    func drop() { end = nil }

    /// Ends it, the first time.
    func finish(_ outcome: Outcome) {
        let end = end
        self.end = nil
        end?(outcome)
    }
}

// The calls of all managers to one device are done one after another, so that they end in the order in which
// they were made, and that each finds what the one before has changed.
extension CentralCore {
    /// Does one operation for an application.
    ///
    /// - Parameter life: that of the attribute which it is about.
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
            device.told.contains(where: { $0 === role }), role.existing(address) === call.peripheral
        else { return lose(call) }
        devices[address]?.calls.append(call)
        startNext(address)
    }

    /// Ends a call with what came of it, and begins the next.
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

    /// Ends the calls of a manager, or of all managers: their link is theirs no more.
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

    /// Ends a call that has no link, or no longer.
    private func lose(_ call: GATTCall) {
        if answersLost(of: call.peripheral) { return call.finish(.failure(CBError(.notConnected))) }
        call.drop()
    }

    /// Ends a question for the strength of a signal in the same way.
    func loseRSSI(_ peripheral: CBPeripheral) {
        if answersLost(of: peripheral) { tellRSSI(peripheral, 127, CBError(.notConnected)) }
    }

    // Where nothing answers, a line says it.
    private func answersLost(of peripheral: CBPeripheral) -> Bool {
        if adapter.configuration.answersLostCalls { return true }
        peripheral.role.manager?.noteMisuse("\(peripheral.identifier) is not connected: no callback follows")
        return false
    }
}
