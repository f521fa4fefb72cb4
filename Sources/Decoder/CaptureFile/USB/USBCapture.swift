import WireBytes

/// The HCI packets in a USB capture (USBPcap, usbmon) inside pcap or pcapng: setup packets of the control
/// endpoint are commands, interrupts are events, bulk transfers ACL data, isochronous ones synchronous data
/// (Vol 4, Part B, 2).
///
/// Other devices' transfers are skipped and counted.
struct USBCapture: CaptureFormat {
    private var container: Container
    private var devices = USBDevices()
    /// Packets of the latest transfer that have not been delivered, and unfinished ones at the end.
    private var ready: [Ready] = []
    private var hasEnded = false
    private let linkType: UInt32
    /// Transfers of devices that are not Bluetooth adapters.
    private var others = 0

    static let name = CaptureInfo.Format.pcap

    /// An HCI packet that does not lie in the input as a whole.
    private struct Ready {
        var header: RecordHeader
        var octets: [UInt8]
    }

    /// Result of reading a transfer.
    private enum Outcome {
        /// The packet that the transfer's record holds as a whole, and its place there.
        case packet(RecordHeader, Range<Int>)
        /// Packets, or a part of one, that were copied; or nothing of interest.
        case taken
        /// A transfer of another device.
        case foreign
    }

    /// Reads on in `container`, whose packets are next in the input.
    init(_ container: Container, linkType: UInt32, _ input: borrowing RecordInput) {
        self.container = container
        self.linkType = linkType
        findAdapters(input.window)
    }

    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized? { nil }

    /// Searches the buffered records for adapters, so that packets before the first sign of one are read.
    private mutating func findAdapters(_ window: borrowing InputWindow) {
        let octets = window.next(at: 0, count: window.available).copied()
        var ahead = RecordInput(InputWindow(octets), file: "", isWhole: false)
        var (probe, found) = (container, true)
        while found {
            found = (try? probe.advance(&ahead)) ?? false
            guard found else { break }
            // Safe: nothing is read while the record is used.
            let record = unsafe ahead.record()
            _ = take(record, probe.order)
        }
        devices.rewind()
        (ready, others) = ([], 0)
    }

    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        while true {
            if !ready.isEmpty {
                let packet = ready.removeFirst()
                input.deliver(packet.header, copied: packet.octets)
                return true
            }
            if hasEnded { return false }
            guard try container.advance(&input) else {
                hasEnded = true
                try end(&input)
                continue
            }
            // Safe: the window is not filled while the record is used.
            let record = unsafe input.record()
            switch take(record, container.order) {
            case .packet(let header, let place):
                input.narrow(to: header, at: place)
                return true
            case .taken: input.withdraw(isSkipped: false)
            case .foreign:
                others &+= 1
                input.withdraw(isSkipped: true)
            }
        }
    }

    /// Delivers unfinished packets as cut ones; throws if no adapter was found.
    private mutating func end(_ input: inout RecordInput) throws(CaptureFileError) {
        for index in devices.list.indices {
            for pipe in USBDevices.Device.pipes { giveUp(pipe, of: index, input.latest) }
        }
        if others > 0, !devices.hasAdapter, input.tally.records == 0 {
            throw input.failure(cause("no Bluetooth adapter in", "the file"))
        }
    }

    func lengthOfNext(_ window: borrowing InputWindow) -> Int { ready.isEmpty ? Int.max : 0 }

    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord? {
        container.fittingRecord(window, at: place)
    }

    var notice: CaptureFileError.Cause? {
        others > 0 && devices.hasAdapter ? cause("left out", "other devices") : nil
    }

    private func cause(_ what: String, _ whose: String) -> CaptureFileError.Cause {
        let name = linkType == UInt32(LinkType.usbPcap.rawValue) ? "USBPcap" : "usbmon"
        return .unsupportedDatalink(
            "\(what) \(others) USB transfer\(others == 1 ? "" : "s") of \(whose) "
                + "(link type \(linkType), \(name))", holds: .other)
    }
}

// From transfers to packets.
extension USBCapture {
    /// Longest unfinished packet; a longer one does not exist.
    private static let longestPacket = USBTransfer.longestPacket
    /// Request of the control transfer that carries a command (Vol 4, Part B, 2.2.2): to the device, or the
    /// interface of a device with several functions.
    private static let toDevice: UInt8 = 0x20
    private static let toInterface: UInt8 = 0x21

    private mutating func take(_ record: borrowing Record, _ order: OctetOrder) -> Outcome {
        let type = LinkType.codeOfUSB(record.header.foreignType)
        guard record.header.kind == .unknown, let code = type else {
            // A packet of an HCI interface.
            var header = record.header
            header.adapter = devices.numbers.number(of: header.adapter, log: 0)
            return .packet(header, 0..<header.capturedLength)
        }
        let original = record.header.originalLength
        let transfer =
            code == .usbPcap
            ? USBTransfer(pcap: record.octets, original: original)
            : USBTransfer(
                usbmon: record.octets, original: original, isMapped: code == .usbmonMapped, order)
        guard let transfer else { return .taken }
        var index = devices.index(of: transfer.device, interface: record.header.adapter)
        if transfer.kind == .control, transfer.endpoint & 0x7F == 0 {
            return takeControl(transfer, record, &index)
        }
        guard let index, devices[index].isAdapter else { return .foreign }
        return takeData(transfer, record, of: index)
    }

    private mutating func takeControl(
        _ transfer: USBTransfer, _ record: borrowing Record, _ index: inout Int?
    ) -> Outcome {
        let data = record.octets.clamped(transfer.data.first ?? 0..<0)
        if let setup = transfer.setup, !transfer.isCompletion {
            let type = USBDevices.wantedType(setup)
            let isCommand = carriesCommand(setup, to: index)
            if type != nil || isCommand, index == nil {
                index = devices.add(transfer.device, interface: record.header.adapter)
            }
            guard let index else { return .foreign }
            devices[index].wanted = type.map { (transfer.id, $0) }
            devices[index].awaitsCommand = isCommand && transfer.sent == 0
            if isCommand, transfer.sent > 0 { return takeCommand(transfer, record, of: index) }
        } else if let index {
            if transfer.isCompletion, let wanted = devices[index].wanted, wanted.id == transfer.id {
                devices[index].wanted = nil
                if !transfer.hasFailed, data.byteCount > 0 { devices.take(wanted.type, data, of: index) }
            } else if devices[index].awaitsCommand, transfer.sent > 0, !transfer.isToHost,
                !transfer.isCompletion
            {
                devices[index].awaitsCommand = false
                return takeCommand(transfer, record, of: index)
            }
        }
        return index.map { devices[$0].isAdapter } == true ? .taken : .foreign
    }

    private func carriesCommand(_ setup: USBTransfer.Setup, to index: Int?) -> Bool {
        switch setup.requestType {
        case Self.toDevice: true
        case Self.toInterface: setup.request == 0 && index.map { devices[$0].isDescribed } == true
        default: false
        }
    }

    /// Takes the data of a command. It shows that the device is an adapter if it is a whole HCI command.
    private mutating func takeCommand(
        _ transfer: USBTransfer, _ record: borrowing Record, of index: Int
    ) -> Outcome {
        let place = transfer.data.first ?? 0..<0
        let data = record.octets.clamped(place)
        if !devices[index].isAdapter {
            let length = data.octet(at: 2).map { 3 &+ Int($0) }
            guard length == transfer.sent, data.u16(at: 0, .leastSignificantFirst) != 0 else {
                return .foreign
            }
            devices[index].isAdapter = true
        }
        var header = header(record, .command, of: index)
        header.direction = .hostToController
        (header.capturedLength, header.originalLength) = (place.count, transfer.sent)
        return .packet(header, place)
    }

    private mutating func header(
        _ record: borrowing Record, _ kind: RecordKind, of index: Int
    ) -> RecordHeader {
        var header = record.header
        header.kind = kind
        header.foreignType = 0
        header.adapter = devices.number(of: index)
        return header
    }

    private mutating func takeData(
        _ transfer: USBTransfer, _ record: borrowing Record, of index: Int
    ) -> Outcome {
        let kind: RecordKind =
            switch transfer.kind {
            case .interrupt: .event
            case .isochronous: .sco
            case .bulk, .control: .acl
            }
        guard let pipe = USBDevices.pipe(transfer.kind, toHost: transfer.isToHost), transfer.holdsData,
            transfer.sent > 0, isOf(pipe, transfer, kind, record, of: index)
        else { return .taken }
        var header = header(record, kind, of: index)
        header.direction = transfer.isToHost ? .controllerToHost : .hostToController
        let place = transfer.data.first ?? 0..<0
        (header.capturedLength, header.originalLength) = (place.count, transfer.sent)
        if kind == .acl, !transfer.isToHost { return .packet(header, place) }
        if transfer.data.count <= 1 {
            let data = record.octets.clamped(place)
            let isWhole = place.count == transfer.sent && PacketType.isWhole(kind, data)
            if devices[index][keyPath: pipe].sent == 0, isWhole { return .packet(header, place) }
            append(data, sent: transfer.sent, to: pipe, of: index, header)
        } else {
            for place in transfer.data {
                append(record.octets.clamped(place), sent: place.count, to: pipe, of: index, header)
            }
        }
        return .taken
    }

    /// Whether a transfer is one of the pipe's endpoint. If the descriptors are not in the capture, it is the
    /// first endpoint of its kind with data that can begin a packet.
    private mutating func isOf(
        _ pipe: WritableKeyPath<USBDevices.Device, USBDevices.Pipe>, _ transfer: USBTransfer,
        _ kind: RecordKind, _ record: borrowing Record, of index: Int
    ) -> Bool {
        if let endpoint = devices[index][keyPath: pipe].endpoint { return endpoint == transfer.endpoint }
        let data = record.octets.clamped(transfer.data.first ?? 0..<0)
        if kind != .sco {
            guard let length = Self.length(kind, data), transfer.sent <= length else { return false }
            if kind == .acl, data.u16(at: 0, .leastSignificantFirst) & 0xFFF > 0xEFF { return false }
        }
        devices[index][keyPath: pipe].endpoint = transfer.endpoint
        return true
    }

    /// Length of a packet by its own header; nil if the header is incomplete.
    private static func length(_ kind: RecordKind, _ octets: RawSpan) -> Int? {
        switch kind {
        case .event: octets.octet(at: 1).map { 2 &+ Int($0) }
        case .sco: octets.octet(at: 2).map { 3 &+ Int($0) }
        default: octets.u16le(at: 2).map { 4 &+ Int($0) }
        }
    }

    /// Appends data to the unfinished packet of a pipe, and finishes packets.
    ///
    /// - Parameter sent: length of the data before the capture cut it.
    private mutating func append(
        _ data: RawSpan, sent: Int, to pipe: WritableKeyPath<USBDevices.Device, USBDevices.Pipe>,
        of index: Int, _ header: RecordHeader
    ) {
        let kind = header.kind
        let most = devices[index][keyPath: pipe].packetLength
        if kind != .sco, devices[index][keyPath: pipe].wasShort, PacketType.isWhole(kind, data) {
            let unfinished = devices[index][keyPath: pipe]
            let length = Self.length(kind, unfinished.octets.borrowedOctets)
            // Otherwise the rest of the unfinished packet was not captured.
            if length != unfinished.sent &+ sent { giveUp(pipe, of: index, header) }
        }
        // Bytes behind a cut have no place in the packet.
        let isCut = devices[index][keyPath: pipe].octets.count < devices[index][keyPath: pipe].sent
        let room = Self.longestPacket &- devices[index][keyPath: pipe].octets.count
        if !isCut { devices[index][keyPath: pipe].octets += data.clamped(0..<max(0, room)).copied() }
        devices[index][keyPath: pipe].sent &+= sent
        devices[index][keyPath: pipe].wasShort = sent % most != 0
        while devices[index][keyPath: pipe].sent > 0 {
            let unfinished = devices[index][keyPath: pipe]
            guard let length = Self.length(kind, unfinished.octets.borrowedOctets) else {
                // A cut header says nothing about what follows.
                if unfinished.octets.count < unfinished.sent { giveUp(pipe, of: index, header) }
                return
            }
            guard unfinished.sent >= length else { return }
            var whole = header
            whole.capturedLength = min(length, unfinished.octets.count)
            whole.originalLength = length
            ready.append(Ready(header: whole, octets: Array(unfinished.octets.prefix(length))))
            devices[index][keyPath: pipe].octets.removeFirst(whole.capturedLength)
            devices[index][keyPath: pipe].sent &-= length
            // What follows a cut packet in the same transfer was cut too.
            if unfinished.octets.count < unfinished.sent { devices[index][keyPath: pipe].clear() }
        }
    }

    /// Delivers the unfinished packet of a pipe as a cut one.
    private mutating func giveUp(
        _ pipe: WritableKeyPath<USBDevices.Device, USBDevices.Pipe>, of index: Int, _ latest: RecordHeader
    ) {
        let unfinished = devices[index][keyPath: pipe]
        devices[index][keyPath: pipe].clear()
        guard unfinished.sent > 0 else { return }
        let kind: RecordKind =
            pipe == \.events ? .event : pipe == \.receivedSound || pipe == \.sentSound ? .sco : .acl
        var header = latest
        (header.kind, header.adapter, header.foreignType) = (kind, devices.number(of: index), 0)
        header.direction =
            pipe == \.sent || pipe == \.sentSound ? .hostToController : .controllerToHost
        header.capturedLength = unfinished.octets.count
        let length = Self.length(kind, unfinished.octets.borrowedOctets) ?? 0
        header.originalLength = max(length, unfinished.sent, unfinished.octets.count)
        ready.append(Ready(header: header, octets: unfinished.octets))
    }
}

// The file around the transfers.
extension USBCapture {
    /// A pcap or pcapng file.
    enum Container {
        case pcap(Pcap)
        case pcapng(Pcapng)

        /// Longest record of another device that is skipped.
        private static let longestSkipped = 128 << 20

        var order: OctetOrder {
            switch self {
            case .pcap(let file): file.order
            case .pcapng(let file): file.order
            }
        }

        mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
            try skipLongRecords(&input)
            switch self {
            case .pcap(var file):
                defer { self = .pcap(file) }
                return try file.advance(&input)
            case .pcapng(var file):
                defer { self = .pcapng(file) }
                return try file.advance(&input)
            }
        }

        func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord? {
            switch self {
            case .pcap(let file): file.fittingRecord(window, at: place)
            case .pcapng(let file): file.fittingRecord(window, at: place)
            }
        }

        /// Skips transfers that are longer than any HCI packet, as disks have them.
        private func skipLongRecords(_ input: inout RecordInput) throws(CaptureFileError) {
            while input.window.holds(Pcap.recordHeaderLength) {
                let total: Int
                switch self {
                case .pcap(let file):
                    let length = Int(input.window.u32(at: 8, file.order))
                    guard length > Pcap.longestRecord else { return }
                    total = Pcap.recordHeaderLength &+ length
                case .pcapng(let file):
                    total = Int(input.window.u32(at: 4, file.order))
                    guard input.window.u32(at: 0, file.order) == 6, total > Pcapng.longestRecord,
                        total & 3 == 0
                    else { return }
                }
                guard total <= Self.longestSkipped else { return }
                input.number &+= 1
                input.tally.skippedRecords &+= 1
                try input.skip(total)
            }
        }
    }
}
