import BluetoothCore
public import CoreBluetooth
import Foundation
public import Gadgets
import Runtime
import Synchronization
import WireBytes

/// Links to devices known by their MAC addresses, up to four at once, each on a numbered channel.
///
/// Methods may be called from anywhere; they run in the queue of the context, which also receives all
/// callbacks. All state except `handlers` is used only in that queue; hence the unchecked conformance.
public final class LinkDeviceManager: @unchecked Sendable {
    private struct Handlers {
        var info: (@Sendable (Int, String) -> Void)?
        var link: (@Sendable (LinkState, Bool) -> Void)?
    }

    private let handlers = Mutex(Handlers())
    private let options: LinkDeviceOptions
    private let centralManager: UQDKCentralManager
    private let kept = Mutex(LinkChannels())
    /// Devices of the list that are not linked.
    private var wanted: [DeviceAddress] = []
    /// Keyed by channel, as are the writes.
    private var sessions: [Int: GATTSession] = [:]
    /// The channel whose link is being established, until its first data.
    private var pending: Int?
    private var timer: UQDKTimer?
    private var writes: [Int: [@Sendable (LinkDeviceError?) -> Void]] = [:]

    public init(options: LinkDeviceOptions = LinkDeviceOptions(), context: ManagerContext = ManagerContext())
    {
        self.options = options
        var scan = UQDKBleOptions()
        scan.scanTimeout = options.scanTimeout
        centralManager = UQDKCentralManager(scan, context)
        centralManager.onState = { [weak self] in self?.radioDidChange($0) }
    }

    /// Receives values from devices: the channel's number, and the value as UTF-8 text, or in hexadecimal if
    /// it isn't text.
    public var infoBlock: (@Sendable (Int, String) -> Void)? {
        get { handlers.withLock { $0.info } }
        set { handlers.withLock { $0.info = newValue } }
    }

    /// Receives changes of devices, with whether they succeeded.
    public var linkInfoBlock: (@Sendable (LinkState, Bool) -> Void)? {
        get { handlers.withLock { $0.link } }
        set { handlers.withLock { $0.link = newValue } }
    }

    // MARK: Channels

    /// Changed only in the queue; may be read from anywhere.
    private(set) var channels: LinkChannels {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// The linked devices, by number.
    public var linkedDevices: [LinkChannel] { channels.all }

    /// Whether a channel is free.
    public var hasFreeChannel: Bool { channels.canAdd }

    /// Returns the device on a channel; nil if the channel is free.
    public func linkedDevice(channel: Int) -> LinkChannel? { channels[channel] }

    /// Returns the channel of a device; nil if it is not linked.
    public func linkedDevice(of peripheral: CBPeripheral) -> LinkChannel? {
        channels.number(of: peripheral).flatMap { channels[$0] }
    }

    // MARK: Linking

    /// Links to the devices in a list of MAC addresses, such as from QR codes; existing links stay.
    public func startLinkDevice(_ ids: [String]) throws(LinkDeviceError) {
        guard !ids.isEmpty else { throw .noDevices }
        var list: [DeviceAddress] = []
        for id in ids {
            guard let address = DeviceAddress(id) else { throw .invalidID(id) }
            if !list.contains(address) { list.append(address) }
        }
        guard list.count <= LinkChannels.limit else { throw .tooManyDevices(list.count) }
        let addresses = list
        centralManager.queue.run { [self] in
            for id in addresses where !wanted.contains(id) && !channels.all.contains(where: { $0.id == id }) {
                wanted.append(id)
            }
            scan()
        }
    }

    /// Ends the link of a channel, which frees its number.
    public func unlink(channel: Int) {
        centralManager.queue.run { [self] in
            guard let channel = channels[channel] else { return }
            centralManager.cancel(channel.peripheral)
        }
    }

    /// Ends the scan, then all links.
    public func stop() {
        centralManager.queue.run { [self] in
            wanted = []
            timer?.cancel()
            centralManager.stopScanning()
            for channel in channels.all { centralManager.cancel(channel.peripheral) }
        }
    }

    private func tell(_ state: LinkState, _ isDone: Bool) {
        let handler = handlers.withLock { $0.link }
        handler?(state, isDone)
    }

    private func radioDidChange(_ state: CBManagerState) {
        tell(.deviceOpen, state == .poweredOn)
        guard state != .poweredOn else { return scan() }
        timer?.cancel()
        for channel in channels.all { gone(channel: channel.number) }
    }

    // One device after another: scan for the remaining ones, link, and repeat.
    private func scan() {
        guard !wanted.isEmpty, pending == nil, channels.canAdd else { return }
        centralManager.startScanning([options.service]) { [weak self] in
            self?.didDiscover($0)
        } timedOut: {
        }
    }

    private func didDiscover(_ found: UQDKPeripheral) {
        guard pending == nil, let address = AdvertisedAddress.of(found.advertisement),
            let index = wanted.firstIndex(where: { $0.value == address.value }),
            let number = channels.add(wanted[index], found.peripheral)
        else { return }
        wanted.remove(at: index)
        centralManager.stopScanning()
        pending = number
        sessions[number] = GATTSession(found.peripheral) { [weak self] in self?.take($0, $1, channel: number)
        }
        limit(channel: number)
        centralManager.connect(found.peripheral)
    }

    private func limit(channel number: Int) {
        timer?.cancel()
        timer = centralManager.queue.after(options.connectTimeout) { [weak self] in
            self?.giveUp(channel: number)
        }
    }

    private func giveUp(channel number: Int) {
        guard let channel = channels[number] else { return }
        tell(.ready(channel: number), false)
        centralManager.cancel(channel.peripheral)
    }

    private func take(_ event: GATTSession.Event, _ session: GATTSession, channel number: Int) {
        switch event {
        case .connected:
            tell(.connected(channel: number), true)
            limit(channel: number)
            session.discover([options.characteristic], of: options.service)
        case .connectFailed:
            tell(.connected(channel: number), false)
            gone(channel: number)
        case .disconnected: gone(channel: number)
        case .discovered: discovered(session, channel: number)
        case .subscription(_, let error):
            guard error == nil else { return giveUp(channel: number) }
            tell(.ready(channel: number), true)
            if pending == number { proceed() }
        case .value(_ as CBCharacteristic, let value, nil):
            let text = String(bytes: value, encoding: .utf8) ?? Hex.text(value)
            let handler = handlers.withLock { $0.info }
            handler?(number, text)
        case .written(_, let error):
            guard let completion = writes[number]?.first else { return }
            writes[number]?.removeFirst()
            completion(error == nil ? nil : .writeFailed)
        default: break
        }
    }

    private func discovered(_ session: GATTSession, channel number: Int) {
        guard let characteristic = session.characteristic(options.characteristic) else {
            return giveUp(channel: number)
        }
        channels.set(characteristic, of: session.peripheral)
        // The device sends data only after these three calls.
        session.peripheral.readValue(for: characteristic)
        session.peripheral.discoverDescriptors(for: characteristic)
        session.peripheral.setNotifyValue(true, for: characteristic)
    }

    private func gone(channel number: Int) {
        channels.remove(channel: number)
        sessions.removeValue(forKey: number)?.end()
        if pending == number { proceed() }
        tell(.disconnected(channel: number), true)
        for completion in writes.removeValue(forKey: number) ?? [] { completion(.writeFailed) }
    }

    private func proceed() {
        pending = nil
        timer?.cancel()
        scan()
    }

    // MARK: Writing

    /// Writes a command with an upload rate of 0 to 1,000 bytes per second.
    public func writeCommand(
        _ kind: LinkCommand.Kind, channel: Int, speed: Int,
        _ completion: @escaping @Sendable (LinkDeviceError?) -> Void = { _ in }
    ) {
        guard let command = LinkCommand(kind, speed: speed) else {
            return centralManager.queue.run { completion(.invalidSpeed(speed)) }
        }
        var writer = ByteWriter()
        command.encode(into: &writer)
        write(writer.octets, channel: channel, completion)
    }

    /// Writes the frame that sets the upload rate, 0 to 1,000 bytes per second.
    public func writeSpeed(
        _ speed: Int, channel: Int, _ completion: @escaping @Sendable (LinkDeviceError?) -> Void = { _ in }
    ) {
        guard let frame = LinkFrame(speed: speed) else {
            return centralManager.queue.run { completion(.invalidSpeed(speed)) }
        }
        var writer = ByteWriter()
        frame.encode(into: &writer)
        write(writer.octets, channel: channel, completion)
    }

    /// Writes bytes given in hexadecimal; an odd digit is an error, and nothing is written.
    public func writeHex(
        _ text: String, channel: Int, _ completion: @escaping @Sendable (LinkDeviceError?) -> Void = { _ in }
    ) {
        do throws(Hex.Problem) {
            write(try HexText.octets(text), channel: channel, completion)
        } catch {
            centralManager.queue.run { completion(.invalidHex(error)) }
        }
    }

    /// Sends bytes unchanged, in parts that fit the link, at most 1,000 bytes per second.
    public func send(
        _ octets: [UInt8], channel: Int, _ completion: @escaping @Sendable (LinkDeviceError?) -> Void
    ) {
        let queue = centralManager.queue
        queue.run { [self] in
            let limit = channels[channel]?.peripheral.maximumWriteValueLength(for: .withoutResponse) ?? 20
            let part = Array(octets.prefix(limit))
            let rest = Array(octets.dropFirst(limit))
            let pause = Duration.seconds(1) * part.count / LinkFrame.speeds.upperBound
            let due = queue.now.advanced(by: pause)
            write(part, channel: channel) { [self] error in
                guard error == nil, !rest.isEmpty else { return completion(error) }
                _ = queue.after(max(.zero, queue.now.duration(to: due))) { [self] in
                    send(rest, channel: channel, completion)
                }
            }
        }
    }

    private func write(
        _ octets: [UInt8], channel number: Int, _ completion: @escaping @Sendable (LinkDeviceError?) -> Void
    ) {
        centralManager.queue.run { [self] in
            guard let channel = channels[number], let characteristic = channel.characteristic,
                characteristic.isNotifying
            else { return completion(.noDevice(channel: number)) }
            let limit = channel.peripheral.maximumWriteValueLength(for: .withoutResponse)
            guard octets.count <= limit else { return completion(.tooLong(limit: limit)) }
            writes[number, default: []].append(completion)
            channel.peripheral.writeValue(Data(octets), for: characteristic, type: .withResponse)
        }
    }
}
