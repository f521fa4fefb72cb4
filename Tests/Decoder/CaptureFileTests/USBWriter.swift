import CaptureFile
import TestSupport

/// Writes HCI packets as a USB capture in memory, as the recorders do.
struct USBWriter {
    enum Form: CaseIterable {
        case usbPcap
        /// As versions of USBPcap before 1.5 write control transfers.
        case usbPcapInStages
        case usbmon
        case usbmonMapped
        case usbmonBigEndian
        case usbmonMappedInPcapng

        var isUSBPcap: Bool { self == .usbPcap || self == .usbPcapInStages }
        var isMapped: Bool { self == .usbmonMapped || self == .usbmonMappedInPcapng }
        var isBigEndian: Bool { self == .usbmonBigEndian }
        var linkType: UInt16 { isUSBPcap ? 249 : isMapped ? 220 : 189 }
    }

    enum Kind: UInt8 {
        case isochronous, interrupt, control, bulk
    }

    /// A device and one of its endpoints.
    struct Pipe {
        var bus: UInt16 = 1
        var device: UInt8 = 5
        var kind: Kind
        var endpoint: UInt8

        var isToHost: Bool { endpoint & 0x80 != 0 }
    }

    let form: Form
    private(set) var octets: [UInt8] = []
    /// Bytes of each packet that are kept, with the header of the form.
    var snapLength = Int.max
    private var id: UInt64 = 0xFFFF_8800_0000_1000

    init(_ form: Form) {
        self.form = form
        if form == .usbmonMappedInPcapng {
            octets = Samples.hex(
                "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000"
                    + "01000000 14000000 dc000000 00000000 14000000")
            return
        }
        octets += number(UInt32(0xA1B2_C3D4)) + number(UInt16(2)) + number(UInt16(4))
        octets += number(UInt64(0)) + number(UInt32(1 << 18)) + number(UInt32(form.linkType))
    }

    private func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        let count = T.bitWidth / 8
        let octets = (0..<count).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
        return form.isBigEndian ? octets.reversed() : octets
    }

    /// Writes one record of a USB transfer.
    ///
    /// - Parameters:
    ///   - setup: the setup packet; nil if the record has none.
    ///   - claimed: length of the data by the header; nil if it is right.
    ///   - packets: lengths of the isochronous packets that make up the data.
    mutating func transfer(
        _ pipe: Pipe, isCompletion: Bool, setup: [UInt8]? = nil, _ data: [UInt8] = [], at time: Int64,
        status: UInt32 = 0, claimed: Int? = nil, length: Int? = nil, packets: [Int] = [], stage: UInt8? = nil
    ) {
        var header: [UInt8]
        var rest = data
        let claimed = UInt32(
            truncatingIfNeeded: claimed ?? data.count + (form.isUSBPcap ? setup?.count ?? 0 : 0))
        if form.isUSBPcap {
            var extra: [UInt8] = []
            if pipe.kind == .control { extra = [stage ?? (isCompletion ? 3 : 0)] }
            if pipe.kind == .isochronous {
                extra = number(UInt32(0)) + number(UInt32(packets.count)) + number(UInt32(0))
                var place = 0
                for packet in packets {
                    extra +=
                        number(UInt32(truncatingIfNeeded: place)) + number(UInt32(pipe.isToHost ? packet : 0))
                        + number(UInt32(0))
                    place += packet
                }
            }
            header = number(UInt16(27 + extra.count)) + number(id) + number(status) + number(UInt16(9))
            header += [isCompletion ? 1 : 0] + number(pipe.bus) + number(UInt16(pipe.device))
            header += [pipe.endpoint, pipe.kind.rawValue] + number(claimed) + extra
            rest = (setup ?? []) + rest
        } else {
            header =
                number(id) + [isCompletion ? 0x43 : 0x53, pipe.kind.rawValue, pipe.endpoint, pipe.device]
            header += number(pipe.bus) + [setup == nil ? 0x2D : 0, data.isEmpty ? 0x3C : 0]
            header += number(UInt64(time / 1_000_000)) + number(UInt32(time % 1_000_000))
            header += number(isCompletion ? status : UInt32(bitPattern: -115))
            header += number(UInt32(length ?? data.count)) + number(claimed &+ UInt32(16 * packets.count))
            header += setup ?? number(UInt32(0)) + number(UInt32(packets.count))
            if form.isMapped { header += [UInt8](repeating: 0, count: 12) + number(UInt32(packets.count)) }
            var place = 0
            for packet in packets {
                header +=
                    number(UInt32(0)) + number(UInt32(truncatingIfNeeded: place)) + number(UInt32(packet))
                    + number(UInt32(0))
                place += packet
            }
        }
        write(header + rest, at: time)
    }

    /// Writes one packet of pcap or pcapng.
    mutating func write(_ packet: [UInt8], at time: Int64) {
        let kept = Array(packet.prefix(snapLength))
        if form == .usbmonMappedInPcapng {
            let padding = [UInt8](repeating: 0, count: (4 - kept.count % 4) % 4)
            let total = number(UInt32(32 + kept.count + padding.count))
            octets += number(UInt32(6)) + total + number(UInt32(0)) + number(UInt32(time >> 32))
            octets += number(UInt32(truncatingIfNeeded: time)) + number(UInt32(kept.count))
            octets += number(UInt32(packet.count)) + kept + padding + total
        } else {
            octets += number(UInt32(time / 1_000_000)) + number(UInt32(time % 1_000_000))
            octets += number(UInt32(kept.count)) + number(UInt32(packet.count)) + kept
        }
    }

    /// Writes both records of a transfer; `at` is the time of the one with the data.
    mutating func whole(
        _ pipe: Pipe, setup: [UInt8]? = nil, _ data: [UInt8], at time: Int64, packets: [Int] = []
    ) {
        id += 0x40
        let isControl = pipe.kind == .control
        if pipe.isToHost {
            transfer(pipe, isCompletion: false, setup: setup, at: time, length: data.count)
            transfer(pipe, isCompletion: true, data, at: time, packets: packets)
        } else if form == .usbPcapInStages, isControl {
            transfer(pipe, isCompletion: false, setup: setup, at: time, stage: 0)
            transfer(pipe, isCompletion: false, data, at: time, stage: 1)
            transfer(pipe, isCompletion: true, at: time, stage: 2)
        } else {
            transfer(pipe, isCompletion: false, setup: setup, data, at: time, packets: packets)
            transfer(pipe, isCompletion: true, at: time, length: data.count)
        }
    }

    /// Writes an HCI packet of an adapter.
    ///
    /// - Parameter most: longest transfer of an interrupt.
    mutating func packet(_ sample: Sample, bus: UInt16 = 1, device: UInt8 = 5, most: Int = 16) {
        let octets = Samples.hex(sample.octets)
        func pipe(_ kind: Kind, _ endpoint: UInt8) -> Pipe {
            Pipe(bus: bus, device: device, kind: kind, endpoint: endpoint)
        }
        let time = sample.microseconds
        switch sample.kind {
        case .command:
            let setup: [UInt8] = [0x20, 0, 0, 0, 0, 0, UInt8(octets.count & 0xFF), UInt8(octets.count >> 8)]
            whole(pipe(.control, 0), setup: setup, octets, at: time)
        case .event:
            for from in stride(from: 0, to: octets.count, by: most) {
                whole(pipe(.interrupt, 0x81), Array(octets[from..<min(from + most, octets.count)]), at: time)
            }
        case .sco:
            let isToHost = sample.direction == .controllerToHost
            let packets = stride(from: 0, to: octets.count, by: 9).map { min(9, octets.count - $0) }
            whole(pipe(.isochronous, isToHost ? 0x83 : 3), octets, at: time, packets: packets)
        default: whole(pipe(.bulk, sample.direction == .controllerToHost ? 0x82 : 2), octets, at: time)
        }
    }

    /// Writes the answers to requests for a Bluetooth adapter's descriptors.
    mutating func descriptors(bus: UInt16 = 1, device: UInt8 = 5, at time: Int64) {
        let pipe = Pipe(bus: bus, device: device, kind: .control, endpoint: 0x80)
        let described = Samples.hex("1201 1001 e0 01 01 40 120a 0100 9188 00 02 00 01")
        whole(pipe, setup: Samples.hex("8006 0001 0000 1200"), described, at: time)
        let configured = Samples.hex(
            "0902 4a00 02 01 00 c0 32"
                + "0904 00 00 03 e0 01 01 00 0705 81 03 1000 01 0705 02 02 4000 01 0705 82 02 4000 01"
                + "0904 01 00 02 e0 01 01 00 0705 03 01 0000 01 0705 83 01 0000 01"
                + "0904 01 01 02 e0 01 01 00 0705 03 01 0900 01 0705 83 01 0900 01")
        whole(pipe, setup: Samples.hex("8006 0002 0000 4a00"), configured, at: time)
    }

    /// Writes transfers of a mouse and a disk.
    mutating func others(at time: Int64) {
        whole(Pipe(device: 9, kind: .interrupt, endpoint: 0x81), [0, 3, 0xFE, 0], at: time)
        whole(Pipe(device: 7, kind: .bulk, endpoint: 0x82), [UInt8](repeating: 4, count: 512), at: time)
    }

    /// A session as a capture with descriptors and other devices in it.
    static func capture(of session: [Sample], as form: Form, most: Int = 16, isDescribed: Bool = true)
        -> [UInt8]
    {
        var writer = USBWriter(form)
        let start = session.first?.microseconds ?? 0
        writer.others(at: start)
        if isDescribed { writer.descriptors(at: start) }
        for sample in session {
            writer.packet(sample, most: most)
            if sample.kind == .command { writer.others(at: sample.microseconds) }
        }
        return writer.octets
    }
}

extension Samples {
    /// The HCI packets of a recorded session.
    static func recorded() throws -> [Sample] {
        let octets = try PackageFile.octets("captures/uqdk-unlock.btsnoop")
        var samples: [Sample] = []
        var reader = try CaptureReader(octets: octets, name: "uqdk-unlock")
        while let record = try reader.next() {
            var sample = Sample(record)
            (sample.foreignType, sample.adapter) = (0, 0)
            if [.command, .event, .acl].contains(sample.kind) { samples.append(sample) }
        }
        return samples
    }
}
