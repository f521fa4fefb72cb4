import WireBytes

/// The pcapng format: blocks in sections, each section with its own byte order and interfaces.
struct Pcapng: CaptureFormat {
    static let name = CaptureInfo.Format.pcapng

    struct Interface {
        /// The link type; nil if it is not supported.
        var linkType: LinkType?
        /// Its number among the supported interfaces.
        var adapter: UInt16
        var snapLength: Int
        var clock = PcapngClock()
        /// Packets dropped so far, by the interface's statistics.
        var statedDrops: UInt64 = 0
    }

    var order = OctetOrder.leastSignificantFirst
    private var interfaces: [Interface] = []
    private var adapters: UInt16 = 0
    /// Packets dropped so far, by the counts in packet blocks.
    private var countedDrops: UInt64 = 0
    /// Whether interfaces of USB are skipped: none was described before the first packet.
    private var skipsUSB = false
    /// Packets dropped so far on all interfaces of all sections, by their statistics; a running sum, since a
    /// file may hold thousands of interfaces and statistics blocks.
    private var statedDrops: UInt64 = 0
    /// Packets dropped so far.
    private var drops: UInt32 = 0
    /// Dropped packets reported up to the last packet.
    private var toldDrops: UInt32 = 0
    /// The latest time of a packet; used for packets without one.
    private var latest = CaptureTime(nanoseconds: 0)
    /// The first unsupported link type that was found.
    private(set) var foreignLinkType: UInt32?

    /// Program name in every pcapng file written by this project.
    private static let ownName = Array("blecap".utf8)
    static let longestHeaderBlock = 1 << 20
    static let longestRecord = 1 << 20
    /// More interfaces than any recorder has; a file with more is damaged.
    static let mostInterfaces = 4096

    func hasInterface(_ number: UInt32) -> Bool { number < UInt32(interfaces.count) }

    @inline(__always)
    static func padded(_ length: Int) -> Int { (length &+ 3) & ~3 }
}

private enum BlockType {
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    static let interfaceDescription: UInt32 = 1
    static let packet: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let statistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
}

extension Pcapng {
    /// Bytes that show a section's beginning: its type, length and byte order.
    static let leastSection = 12

    static func recognize(
        _ input: inout RecordInput, by evidence: FormatEvidence
    ) throws(CaptureFileError) -> Recognized? {
        guard evidence == .magic, input.window.holds(leastSection), startsSection(input.window) != nil
        else { return nil }
        var file = Pcapng()
        var info = CaptureInfo(name: input.file, format: name)
        var supported: LinkType?
        while try file.readHeaderBlock(&input, &info, keeps: true) {}
        for interface in file.interfaces {
            guard let linkType = interface.linkType else { continue }
            if supported == nil {
                supported = linkType
                info.datalink = UInt32(linkType.rawValue)
            }
            info.hasDirection = info.hasDirection && linkType.hasDirection
            if interface.clock.hasNanoseconds { info.timeDigits = 9 }
        }
        if supported == nil, let code = file.foreignLinkType {
            throw input.failure(LinkType.unsupported(code, "pcapng"))
        }
        let usb = file.interfaces.lazy.compactMap(\.linkType).first { $0.isUSB }
        if let usb {
            let capture = USBCapture(.pcapng(file), linkType: UInt32(usb.rawValue), input)
            return Recognized(info, capture)
        }
        file.skipsUSB = true
        return Recognized(info, file)
    }

    /// The byte order of the section that begins here; nil if none does.
    private static func startsSection(_ window: borrowing InputWindow) -> OctetOrder? {
        guard window.u32(at: 0, .mostSignificantFirst) == BlockType.sectionHeader else { return nil }
        switch window.u32(at: 8, .mostSignificantFirst) {
        case 0x1A2B_3C4D: return .mostSignificantFirst
        case 0x4D3C_2B1A: return .leastSignificantFirst
        default: return nil
        }
    }

    /// Reads one block that is not a packet; returns false if a packet or the end follows.
    ///
    /// - Parameter keeps: whether comments are kept in `info`; otherwise they are only counted.
    private mutating func readHeaderBlock(
        _ input: inout RecordInput, _ info: inout CaptureInfo, keeps: Bool
    ) throws(CaptureFileError) -> Bool {
        guard input.window.holds(8) else { return false }
        switch input.window.u32(at: 0, order) {
        case BlockType.sectionHeader: try readSectionHeader(&input, &info, keeps)
        case BlockType.interfaceDescription: try readInterface(&input, &info, keeps)
        case BlockType.statistics: try readStatistics(&input)
        case BlockType.packet, BlockType.simplePacket, BlockType.enhancedPacket: return false
        default: try skipBlock(&input)
        }
        return true
    }

    /// Reads the next record, reading or skipping the other blocks before it.
    mutating func advance(_ input: inout RecordInput) throws(CaptureFileError) -> Bool {
        while true {
            guard input.window.holds(8) else {
                if input.window.available == 0 && input.window.failure == nil { return false }
                throw input.cut()
            }
            let type = input.window.u32(at: 0, order)
            switch type {
            case BlockType.enhancedPacket, BlockType.packet, BlockType.simplePacket:
                guard let packet = try readPacket(&input, type) else { continue }
                input.deliver(
                    packet.header, after: packet.prefix, consuming: packet.total, padding: packet.padding,
                    options: packet.options, order)
                return true
            default:
                var info = CaptureInfo(name: "", format: .pcapng)
                _ = try readHeaderBlock(&input, &info, keeps: false)
            }
        }
    }

    /// A block other than a packet block may be the last one for now, so its length says nothing about the
    /// next record.
    func lengthOfNext(_ window: borrowing InputWindow) -> Int {
        guard window.available >= 8 else { return 8 }
        switch window.u32(at: 0, order) {
        case BlockType.enhancedPacket, BlockType.packet, BlockType.simplePacket:
            return Int(window.u32(at: 4, order))
        default: return Int.max
        }
    }

    /// Returns the total length of the block here, after reading all of it into the window.
    @inline(__always)
    private mutating func blockLength(
        _ input: inout RecordInput, atLeast least: Int, atMost most: Int
    ) throws(CaptureFileError) -> Int {
        let total = Int(input.window.u32(at: 4, order))
        guard total >= least, total <= most, total & 3 == 0 else {
            throw input.failure(.damaged("impossible block length \(total)"))
        }
        try input.require(total)
        guard Int(input.window.u32(at: total &- 4, order)) == total else {
            throw input.failure(.damaged("the two lengths of a block differ"))
        }
        return total
    }

    private mutating func skipBlock(_ input: inout RecordInput) throws(CaptureFileError) {
        let total = Int(input.window.u32(at: 4, order))
        guard total >= 12, total & 3 == 0 else {
            throw input.failure(.damaged("impossible block length \(total)"))
        }
        input.tally.skippedBlocks &+= 1
        try input.skip(total)
    }
}

// Sections and interfaces
extension Pcapng {
    private mutating func readSectionHeader(
        _ input: inout RecordInput, _ info: inout CaptureInfo, _ keeps: Bool
    ) throws(CaptureFileError) {
        try input.require(12)
        guard let order = Self.startsSection(input.window) else {
            throw input.failure(.damaged("a section without a byte order"), ahead: 8)
        }
        self.order = order
        interfaces.removeAll(keepingCapacity: true)
        adapters = 0
        let total = try blockLength(&input, atLeast: 28, atMost: Self.longestHeaderBlock)
        let major = input.window.u16(at: 12, order)
        guard major == 1 else {
            throw input.failure(.unsupportedDatalink("pcapng version \(major) is not supported"), ahead: 12)
        }
        var options = PcapngOptions(input.window.next(at: 24, count: total &- 28), order)
        while let option = options.next() {
            take(option, &info, keeps, &input.tally)
            if option.code == 4 { info.recorder = info.recorder ?? info.text(option.value) }
        }
        input.consumeFileHeader(total)
    }

    /// Keeps or counts a comment, and counts descriptions of the recorder or an interface: names,
    /// descriptions, filter, hardware, operating system and program.
    private func take(
        _ option: borrowing PcapngOptions.Option, _ info: inout CaptureInfo, _ keeps: Bool,
        _ tally: inout ReaderTally
    ) {
        switch option.code {
        case PcapngOptions.comment:
            if !keeps || !info.add(comment: option.value) { tally.laterComments &+= 1 }
        case 4 where option.value.elementsEqual(Self.ownName.borrowedOctets): break
        case 2, 3, 4, 11, 12, 15: tally.descriptions &+= 1
        default: break
        }
    }

    /// Reads the dropped packets from interface statistics; nothing else in them is used.
    private mutating func readStatistics(_ input: inout RecordInput) throws(CaptureFileError) {
        let total = Int(input.window.u32(at: 4, order))
        if total >= 24, total <= Self.longestHeaderBlock, total & 3 == 0, input.window.holds(total) {
            let number = Int(input.window.u32(at: 8, order))
            var lost: UInt64 = 0
            var options = PcapngOptions(input.window.next(at: 20, count: total &- 24), order)
            while let option = options.next() {
                switch option.code {
                case PcapngOptions.comment: input.tally.laterComments &+= 1
                // Dropped by the interface, and by the operating system.
                case 5, 7: lost &+= min(option.value.u64(at: 0, order), UInt64(UInt32.max))
                default: break
                }
            }
            if number < interfaces.count, interfaces[number].linkType != nil {
                let before = interfaces[number].statedDrops
                interfaces[number].statedDrops = max(before, lost)
                statedDrops &+= interfaces[number].statedDrops &- before
                sumDrops(&input)
            }
        }
        try skipBlock(&input)
    }

    /// Updates the drop count; the statistics and the packets' own counts cover the same drops, so the larger
    /// one is used.
    private mutating func sumDrops(_ input: inout RecordInput) {
        drops = UInt32(clamping: max(countedDrops, statedDrops))
        input.tally.dropsAfterLast = Int(drops &- toldDrops)
    }

    private mutating func readInterface(
        _ input: inout RecordInput, _ info: inout CaptureInfo, _ keeps: Bool
    ) throws(CaptureFileError) {
        let total = try blockLength(&input, atLeast: 20, atMost: Self.longestHeaderBlock)
        let code = input.window.u16(at: 8, order)
        let known = LinkType(rawValue: code)
        let linkType = skipsUSB && known?.isUSB == true ? nil : known
        var interface = Interface(
            linkType: linkType, adapter: adapters, snapLength: Int(input.window.u32(at: 12, order)))
        var options = PcapngOptions(input.window.next(at: 16, count: total &- 20), order)
        while let option = options.next() {
            switch option.code {
            case 9: interface.clock.setResolution(option.value.octet(at: 0) ?? 6)
            case 14: interface.clock.offsetSeconds = Int64(bitPattern: option.value.u64(at: 0, order))
            default: take(option, &info, keeps, &input.tally)
            }
        }
        guard interfaces.count < Self.mostInterfaces else {
            throw input.failure(.damaged("more than \(Self.mostInterfaces) interfaces"))
        }
        if linkType != nil { adapters &+= 1 } else { foreignLinkType = foreignLinkType ?? UInt32(code) }
        interfaces.append(interface)
        input.consumeFileHeader(total)
    }
}

// Packets
extension Pcapng {
    /// A decoded packet block that is completely in the window.
    private struct Packet {
        var header: RecordHeader
        /// Bytes from the block's start to the record's bytes.
        var prefix: Int
        var options: Range<Int>
        var padding: Int
        var total: Int
    }

    /// The fields in which the three kinds of packet block differ.
    private struct Fields {
        var interface = 0
        var included = 0
        var original = 0
        /// Bytes from the block's start to the packet.
        var data = 0
        var ticks: UInt64?
        var drops: UInt64 = 0
    }

    /// The packet block here; nil if it was skipped because its interface is not supported.
    @inline(__always)
    private mutating func readPacket(
        _ input: inout RecordInput, _ type: UInt32
    ) throws(CaptureFileError) -> Packet? {
        input.number &+= 1
        let least = type == BlockType.simplePacket ? 16 : 32
        let total = try blockLength(&input, atLeast: least, atMost: Self.longestRecord)
        var fields = fields(input.window, type, length: total)
        guard fields.interface < interfaces.count else {
            throw input.failure(.damaged("a packet of interface \(fields.interface), which is not described"))
        }
        guard fields.included <= total &- 4 &- fields.data else {
            throw input.failure(
                .damaged("impossible packet length \(fields.included) in a block of \(total)"))
        }
        let interface = interfaces[fields.interface]
        guard let linkType = interface.linkType else {
            input.tally.skippedRecords &+= 1
            try input.skip(total)
            return nil
        }
        if let ticks = fields.ticks { latest = interface.clock.time(ticks) }
        let optionsFrom = fields.data &+ Self.padded(fields.included)
        let options = min(optionsFrom, total &- 4)..<total &- 4
        var header = RecordHeader(
            number: input.number, fileOffset: input.window.offset, time: latest, adapter: interface.adapter,
            kind: .unknown, direction: .unknown,
            faults: fields.original < fields.included ? .originalLength : [],
            originalLength: max(fields.original, fields.included), capturedLength: fields.included)
        let taken = linkType.apply(
            input.window.next(at: fields.data, count: min(fields.included, AirHeader.longest)), to: &header)
        if !options.isEmpty {
            let span = input.window.next(at: options.lowerBound, count: options.count)
            fields.drops = max(fields.drops, read(options: span, linkType, &header))
        }
        if fields.drops > 0 {
            countedDrops &+= min(fields.drops, UInt64(UInt32.max))
            drops = UInt32(clamping: max(countedDrops, statedDrops))
        }
        if drops != toldDrops {
            toldDrops = drops
            input.tally.dropsAfterLast = 0
        }
        header.cumulativeDrops = drops
        return Packet(
            header: header, prefix: fields.data &+ taken, options: options,
            padding: min(optionsFrom, total &- 4) &- fields.data &- fields.included, total: total)
    }

    @inline(__always)
    private func fields(_ window: borrowing InputWindow, _ type: UInt32, length total: Int) -> Fields {
        var fields = Fields()
        switch type {
        case BlockType.simplePacket:
            fields.data = 12
            fields.original = Int(window.u32(at: 8, order))
            fields.included = min(fields.original, total &- 16)
            let limit = interfaces.first?.snapLength ?? 0
            if limit > 0 { fields.included = min(fields.included, limit) }
        default:
            fields.data = 28
            fields.interface = Int(window.u32(at: 8, order))
            if type == BlockType.packet {
                fields.interface = Int(window.u16(at: 8, order))
                let drops = window.u16(at: 10, order)
                // 0xFFFF means that the count is unknown.
                fields.drops = drops == 0xFFFF ? 0 : UInt64(drops)
            }
            fields.ticks = UInt64(window.u32(at: 12, order)) &<< 32 | UInt64(window.u32(at: 16, order))
            fields.included = Int(window.u32(at: 20, order))
            fields.original = Int(window.u32(at: 24, order))
        }
        return fields
    }

    /// Sets the direction from a packet's options if the link type has none; returns the packets dropped
    /// before it.
    private func read(options: RawSpan, _ linkType: LinkType, _ header: inout RecordHeader) -> UInt64 {
        var drops: UInt64 = 0
        var walk = PcapngOptions(options, order)
        while let option = walk.next() {
            switch option.code {
            case 2 where linkType == .h4 && header.direction == .unknown:
                let way = option.value.u32(at: 0, order) & 3
                if way == 1 { header.direction = .controllerToHost }
                if way == 2 { header.direction = .hostToController }
            case PcapngOptions.dropCount: drops &+= option.value.u64(at: 0, order)
            default: break
            }
        }
        return drops
    }
}
