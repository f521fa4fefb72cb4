import BluetoothCore
import CommandLineKit
import CoreBluetooth
import Gadgets
import SimulatedDevices
import UQDKBle
import WireBytes

/// The commands `blecap drive band` and `blecap drive link`: the clients of two small devices.
struct DriveGadget {
    let arguments: ParsedArguments
    let console: Console

    /// Limit for one operation, longer than the clients' own limits.
    private static let patience = Duration.seconds(60)

    /// - Parameter stage: takes the place of the one that the options name.
    func run(on stage: Stage? = nil) throws(Failure) -> ExitStatus {
        let word = String(arguments.command.dropFirst("drive ".count))
        var actions: [GadgetAction] = []
        for operand in arguments.operands {
            actions.append(try GadgetAction(operand, of: word, in: arguments.environment))
        }
        let id = try Self.address(arguments)
        try SimulationRecording.check(arguments)
        let stage = if let stage { stage } else { try Stage(arguments, console) }
        let journal = SimulationJournal(stage)
        let phone = try stage.phone()
        var air = try AirRecording.open(arguments, stage)
        var recording = try SimulationRecording.open(arguments)
        let gadgets = stage.isOutside ? [] : SimulatedDevice.gadgets(in: stage.world)
        let context = ManagerContext(adapter: phone.bluetooth, queue: stage.world.delivery.inline)
        let client: any GadgetClient =
            word == "band" ? DrivenBand(context, journal) : DrivenLink(id, context, journal)
        stage.run(for: .milliseconds(500)) { stage.isLive }
        var failure = client.connect(stage, within: Self.patience)
        for action in actions where failure == nil && !stage.isOver {
            if case .wait(let seconds) = action {
                stage.run(for: .seconds(Int64(seconds)))
            } else {
                failure = client.perform(action, stage, within: Self.patience)
            }
        }
        if let failure { journal.add(failure) }
        // An answer to the last action may still arrive.
        stage.run(for: .milliseconds(500))
        client.close()
        stage.world.run(for: .seconds(1))
        withExtendedLifetime(gadgets) {}
        try recording?.finish(phone, stage, console)
        try air?.finish(stage, console)
        try journal.show()
        guard let first = stage.failure ?? failure else { return .success }
        console.say(first)
        return .negative
    }

    private static func address(_ arguments: ParsedArguments) throws(Failure) -> DeviceAddress {
        guard let text = arguments.value(.device) else { return SimulatedDevice.linkAddress }
        guard let address = DeviceAddress(text, kind: .public) else {
            throw Failure(
                .usage, "--device: '\(text)' is not an address", advice: "write it as AA:BB:CC:DD:EE:FF")
        }
        return address
    }
}

/// A client of a small device; each call returns a line about a failure, nil for success.
private protocol GadgetClient {
    func connect(_ stage: Stage, within limit: Duration) -> String?
    func perform(_ action: GadgetAction, _ stage: Stage, within limit: Duration) -> String?
    func close()
}

private struct DrivenBand: GadgetClient {
    private let client: BandClient
    private let journal: SimulationJournal

    init(_ context: ManagerContext, _ journal: SimulationJournal) {
        client = BandClient(context: context)
        self.journal = journal
        client.onFound = { device in
            let address = device.address.map { ", \($0)" } ?? ""
            journal.add("found \(device.name?.shown ?? "a device")\(address)")
        }
        client.onClosed = { journal.add("disconnected") }
    }

    func connect(_ stage: Stage, within limit: Duration) -> String? {
        journal.add("scanning")
        let end = stage.result(within: limit) { (done: @escaping @Sendable (BandError?) -> Void) in
            client.connect(done)
        }
        if end == .some(nil) { journal.add("connected and subscribed") }
        return Self.failure("the band", end)
    }

    func perform(_ action: GadgetAction, _ stage: Stage, within limit: Duration) -> String? {
        switch action {
        case .battery:
            let end = stage.result(within: limit) { client.readBattery($0) }
            return told("battery", end) { "\($0.percent) %" }
        case .text:
            let end = stage.result(within: limit) { client.readText($0) }
            return told("text", end) { $0.shown }
        case .write(let hex):
            let end = stage.result(within: limit) { (done: @escaping @Sendable (BandError?) -> Void) in
                client.writeDataWithHexStr(hex, done)
            }
            if end == .some(nil) { journal.add("written \(hex)") }
            return Self.failure("write", end)
        case .send, .speed, .command, .wait: return nil
        }
    }

    func close() { client.close() }

    private func told<Value>(
        _ what: String, _ end: Result<Value, BandError>?, _ shown: (Value) -> String
    ) -> String? {
        switch end {
        case .success(let value)?:
            journal.add("\(what) \(shown(value))")
            return nil
        case .failure(let error)?: return Self.failure(what, error)
        case nil: return Self.failure(what, nil)
        }
    }

    private static func failure(_ what: String, _ end: BandError??) -> String? {
        switch end {
        case nil: "\(what): no answer in time"
        case .some(nil): nil
        case .some(.refused(let code)?): "\(what): \(PlainCentral.shown(CBATTError(code)))"
        case .some(let error?): "\(what): \(error)"
        }
    }
}

private struct DrivenLink: GadgetClient {
    private let manager: LinkDeviceManager
    private let journal: SimulationJournal
    private let id: DeviceAddress

    init(_ id: DeviceAddress, _ context: ManagerContext, _ journal: SimulationJournal) {
        manager = LinkDeviceManager(context: context)
        self.journal = journal
        self.id = id
        manager.infoBlock = { _, text in journal.add("received \(text.shown)") }
    }

    func connect(_ stage: Stage, within limit: Duration) -> String? {
        journal.add("scanning for \(id)")
        let isReady: Bool? = stage.result(within: limit) { done in
            let journal = journal
            manager.linkInfoBlock = { state, isDone in
                switch state {
                case .deviceOpen: break
                case .connected(let channel):
                    journal.add("\(isDone ? "connected" : "not connected"), channel \(channel)")
                case .ready(let channel):
                    journal.add("\(isDone ? "ready" : "not ready"), channel \(channel)")
                    done(isDone)
                case .disconnected:
                    journal.add("disconnected")
                    done(false)
                }
            }
            try? manager.startLinkDevice(["\(id)"])
        }
        return isReady == true ? nil : "\(id): " + (isReady == nil ? "not heard in time" : "no link")
    }

    func perform(_ action: GadgetAction, _ stage: Stage, within limit: Duration) -> String? {
        typealias Done = @Sendable (LinkDeviceError?) -> Void
        let manager = manager
        let sent: (text: String, octets: Int, start: (@escaping Done) -> Void)
        switch action {
        case .send(let octets):
            sent = (octets.count.counting("byte"), octets.count, { manager.send(octets, channel: 0, $0) })
        case .speed(let speed):
            sent = ("speed \(speed)", 0, { manager.writeSpeed(speed, channel: 0, $0) })
        case .command(let kind, let speed):
            sent = ("\(kind) \(speed)", 0, { manager.writeCommand(kind, channel: 0, speed: speed, $0) })
        case .battery, .text, .write, .wait: return nil
        }
        // A link with 20 bytes per write is slower than the device.
        let more = Duration.seconds(10) * sent.octets / LinkFrame.speeds.upperBound
        let end: LinkDeviceError?? = stage.result(within: limit + more) { sent.start($0) }
        switch end {
        case .some(nil):
            journal.add("sent \(sent.text)")
            return nil
        case .some(.noDevice?): return "the device is gone"
        case .some(let error?): return "\(sent.text): \(error)"
        case nil: return "\(sent.text): no answer in time"
        }
    }

    func close() { manager.stop() }
}

extension String {
    /// In quotes.
    fileprivate var shown: String { "\"\(escaped)\"" }
}
