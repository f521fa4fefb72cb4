import BluetoothCore
import Runtime
import Testing
import VirtualController
import WireBytes

/// Octets written as hexadecimal digits; spaces are for the reader.
func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Two controllers on an air, and what each has told its host.
struct AirHarness {
    var air: VirtualAir
    var now = Instant.zero
    let phone: ControllerID
    let car: ControllerID
    var received: [[HCIPacket]] = [[], [], []]
    /// The packets between the phone's host and its controller: time, packet, and whether the host sent it.
    var log: [(Instant, HCIPacket, Bool)] = []

    static let phoneAddress = DeviceAddress(0x0000_0000_00F1, .public)
    static let carAddress = DeviceAddress(0x0000_0000_00C1, .public)

    init(seed: UInt64 = 1, _ configure: (inout ControllerConfiguration) -> Void = { _ in }) {
        air = VirtualAir(seed: seed)
        var one = ControllerConfiguration(publicAddress: Self.phoneAddress)
        configure(&one)
        phone = air.add(one)
        var two = ControllerConfiguration(publicAddress: Self.carAddress)
        configure(&two)
        car = air.add(two)
        unmask()
    }

    /// Lets LE Meta through, which a controller that was reset keeps to itself.
    mutating func unmask() {
        for controller in [phone, car] {
            command(controller, HCISetEventMask { $0.eventMask = 1 << 61 | 0x1FFF_FFFF_FFFF })
        }
    }

    mutating func take(_ effects: [AirEffect]) {
        for effect in effects {
            received[effect.controller.rawValue].append(effect.packet)
            if effect.controller == phone { log.append((now, effect.packet, false)) }
        }
    }

    mutating func send(_ packet: HCIPacket, _ controller: ControllerID) {
        if controller == phone { log.append((now, packet, true)) }
        take(air.receive(packet, for: controller, at: now))
    }

    /// Sends a command and gives the status that was answered.
    @discardableResult
    mutating func command<Command: HCICommand>(
        _ controller: ControllerID, _ command: Command
    ) -> HCIStatus? {
        let before = received[controller.rawValue].count
        send(HCIPacket(.command, command.packet), controller)
        guard let answer = received[controller.rawValue].dropFirst(before).first else { return nil }
        received[controller.rawValue].remove(at: before)
        switch answer.octets[0] {
        case 0x0E where answer.octets.count > 5: return HCIStatus(rawValue: answer.octets[5])
        case 0x0F: return HCIStatus(rawValue: answer.octets[2])
        default: return nil
        }
    }

    mutating func data(_ controller: ControllerID, _ handle: UInt16, _ octets: [UInt8], boundary: UInt8 = 0) {
        let header = HCIACLHeader(
            handle: handle, boundary: boundary, dataLength: UInt16(octets.count))
        send(HCIPacket(.acl, header.encoded + octets), controller)
    }

    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        take(air.advance(to: now))
    }

    /// Waits in steps, so that the log has the times of events to 5 ms.
    mutating func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end { wait(.milliseconds(5)) }
    }

    /// What a host was told since the last time.
    mutating func told(_ controller: ControllerID) -> [HCIPacket] {
        defer { received[controller.rawValue] = [] }
        return received[controller.rawValue]
    }

    /// LE events of one kind that a host was told since the last time.
    mutating func events<Event: LEEvent>(_ controller: ControllerID, _: Event.Type) -> [Event] {
        told(controller).compactMap { packet in
            guard packet.type == .event, packet.octets.count > 2, packet.octets[0] == 0x3E,
                packet.octets[2] == Event.subeventCode.rawValue
            else { return nil }
            return try? Array(packet.octets[3...]).withReader {
                (reader: inout ByteReader) throws(DecodeError) in try Event(decoding: &reader)
            }
        }
    }

    mutating func advertise(_ type: UInt8 = 0) {
        command(
            car,
            LESetAdvertisingParameters {
                $0.advertisingIntervalMin = 0x20
                $0.advertisingIntervalMax = 0x20
                $0.advertisingType = type
                $0.advertisingChannelMap = 7
            })
        command(
            car,
            LESetAdvertisingData {
                $0.advertisingDataLength = 3
                $0.advertisingData = octets("020106")
            })
        command(
            car,
            LESetScanResponseData {
                $0.scanResponseDataLength = 5
                $0.scanResponseData = octets("0409434152")
            })
        #expect(command(car, LESetAdvertisingEnable { $0.advertisingEnable = 1 }) == .success)
    }

    static var createConnection: LECreateConnection {
        LECreateConnection {
            $0.leScanInterval = 0x60
            $0.leScanWindow = 0x30
            $0.peerAddress = carAddress
            $0.connectionIntervalMin = 24
            $0.connectionIntervalMax = 40
            $0.supervisionTimeout = 100
        }
    }

    /// Connects the phone to the car: the handles at both.
    mutating func connect() -> (phone: UInt16, car: UInt16) {
        advertise()
        #expect(command(phone, Self.createConnection) == .success)
        wait(.milliseconds(40))
        let one = events(phone, LEConnectionComplete.self)
        let other = events(car, LEConnectionComplete.self)
        #expect(one.count == 1)
        #expect(other.count == 1)
        return (one.first?.connectionHandle ?? 0, other.first?.connectionHandle ?? 0)
    }
}
