import WireBytes

/// The Bluetooth adapters among the devices of a USB capture.
struct USBDevices {
    /// A packet that continues over several transfers of one endpoint.
    struct Pipe {
        /// The endpoint; nil until it is known.
        var endpoint: UInt8?
        /// Longest packet of the endpoint in bytes: a transfer that ends with a shorter one ends the message.
        var packetLength = 16
        /// Beginning of the unfinished HCI packet.
        var octets: [UInt8] = []
        /// Its bytes so far when they were transferred.
        var sent = 0
        /// Whether the last transfer ended with a short packet.
        var wasShort = false

        mutating func clear() { (octets, sent, wasShort) = ([], 0, false) }
    }

    struct Device {
        var key: USBDeviceKey
        var interface: UInt16
        var isAdapter = false
        /// Number among the adapters; nil until its first packet.
        var number: UInt16?
        /// Whether its class is Bluetooth by its descriptors.
        var isDescribed = false
        /// Vendor, product and version, to notice another device at the same address.
        var identity: UInt64?
        /// The pending request for a descriptor: number of the transfer, and type.
        var wanted: (id: UInt64, type: UInt8)?
        /// Whether the last setup packet began a command whose data follows in a record of its own.
        var awaitsCommand = false
        var events = Pipe()
        var received = Pipe()
        var sent = Pipe()
        var receivedSound = Pipe()
        var sentSound = Pipe()

        init(_ key: USBDeviceKey, interface: UInt16) {
            (self.key, self.interface) = (key, interface)
        }

        mutating func clear() {
            (wanted, awaitsCommand, number) = (nil, false, nil)
            for pipe in Self.pipes { self[keyPath: pipe].clear() }
        }

        static var pipes: [WritableKeyPath<Device, Pipe>] {
            [\.events, \.received, \.sent, \.receivedSound, \.sentSound]
        }
    }

    private(set) var list: [Device] = []
    private var latest = 0
    /// The next entry to be replaced.
    private var victim = 0
    var numbers = AdapterNumbers()

    /// Devices that are remembered; further ones replace devices that are not adapters.
    private static let most = 64

    var hasAdapter: Bool { list.contains(where: \.isAdapter) }

    subscript(index: Int) -> Device {
        _read { yield list[index] }
        _modify { yield &list[index] }
    }

    /// Index of a device; nil if nothing is known about it.
    mutating func index(of key: USBDeviceKey, interface: UInt16) -> Int? {
        if latest < list.count, list[latest].key == key, list[latest].interface == interface { return latest }
        guard let found = list.firstIndex(where: { $0.key == key && $0.interface == interface }) else {
            return nil
        }
        latest = found
        return found
    }

    /// Adds a device; nil if there is no room.
    mutating func add(_ key: USBDeviceKey, interface: UInt16) -> Int? {
        let device = Device(key, interface: interface)
        if list.count < Self.most {
            list.append(device)
            return list.count - 1
        }
        for _ in 0..<Self.most {
            victim = (victim + 1) % Self.most
            if !list[victim].isAdapter {
                list[victim] = device
                return victim
            }
        }
        return nil
    }

    /// The number of an adapter: the lowest free one at its first packet.
    mutating func number(of index: Int) -> UInt16 {
        if let number = list[index].number { return number }
        let device = list[index]
        let place = UInt64(device.interface) << 32 | UInt64(device.key.bus) << 16 | UInt64(device.key.address)
        let number = numbers.number(of: 0, log: 1 + Int(place))
        list[index].number = number
        return number
    }

    /// Forgets everything that lies between two records, to read the capture again from its beginning.
    mutating func rewind() {
        for index in list.indices { list[index].clear() }
        numbers = AdapterNumbers()
    }
}

// Descriptors (USB 2.0, 9.6).
extension USBDevices {
    private enum DescriptorType {
        static let device: UInt8 = 1
        static let configuration: UInt8 = 2
        static let interface: UInt8 = 4
        static let endpoint: UInt8 = 5
    }

    /// Whether the three bytes of a class stand for a Bluetooth controller: wireless, radio frequency,
    /// Bluetooth (Vol 4, Part B, 3.1).
    private static func isBluetooth(_ octets: RawSpan, at place: Int) -> Bool {
        octets.octet(at: place) == 0xE0 && octets.octet(at: place &+ 1) == 1
            && octets.octet(at: place &+ 2) == 1
    }

    static func wantedType(_ setup: USBTransfer.Setup) -> UInt8? {
        guard setup.requestType == 0x80, setup.request == 6 else { return nil }
        let type = UInt8(setup.value >> 8)
        return type == DescriptorType.device || type == DescriptorType.configuration ? type : nil
    }

    mutating func take(_ type: UInt8, _ octets: RawSpan, of index: Int) {
        if type == DescriptorType.device {
            guard octets.octet(at: 1) == type else { return }
            if octets.byteCount >= 14 {
                let identity = octets.u64(at: 8, .leastSignificantFirst) & 0xFFFF_FFFF_FFFF
                if let before = list[index].identity, before != identity {
                    // Another device has got the address.
                    let device = list[index]
                    list[index] = Device(device.key, interface: device.interface)
                }
                list[index].identity = identity
            }
            if Self.isBluetooth(octets, at: 4) { describe(device: index) }
        } else {
            takeConfiguration(octets, of: index)
        }
    }

    private mutating func describe(device index: Int) {
        list[index].isDescribed = true
        list[index].isAdapter = true
    }

    private mutating func takeConfiguration(_ octets: RawSpan, of index: Int) {
        var place = 0
        var isBluetooth = false
        while let length = octets.octet(at: place), length >= 2, let type = octets.octet(at: place &+ 1) {
            if type == DescriptorType.interface {
                isBluetooth = Self.isBluetooth(octets, at: place &+ 5)
                if isBluetooth { describe(device: index) }
            } else if type == DescriptorType.endpoint, isBluetooth,
                let address = octets.octet(at: place &+ 2), let attributes = octets.octet(at: place &+ 3)
            {
                let kind = USBTransfer.Kind(rawValue: [2, 0, 3, 1][Int(attributes & 3)])
                if let kind, let pipe = Self.pipe(kind, toHost: address & 0x80 != 0) {
                    list[index][keyPath: pipe].endpoint = address
                    let size = Int(octets.u16(at: place &+ 4, .leastSignificantFirst) & 0x7FF)
                    if size > 0 { list[index][keyPath: pipe].packetLength = size }
                }
            }
            place &+= Int(length)
        }
    }

    /// The pipe for a kind of transfer; nil for control transfers, and interrupts from the host.
    static func pipe(_ kind: USBTransfer.Kind, toHost: Bool) -> WritableKeyPath<Device, Pipe>? {
        switch (kind, toHost) {
        case (.interrupt, true): \.events
        case (.bulk, true): \.received
        case (.bulk, false): \.sent
        case (.isochronous, true): \.receivedSound
        case (.isochronous, false): \.sentSound
        case (.interrupt, false), (.control, _): nil
        }
    }
}
