/// The opcodes of the Linux monitor channel that carry HCI packets.
enum MonitorOpcode {
    /// System note: text, terminated by a zero.
    static let systemNote: UInt16 = 12

    @inline(__always)
    static func apply(_ opcode: UInt16, to header: inout RecordHeader) {
        header.foreignType = opcode
        switch opcode {
        case 2: (header.kind, header.direction) = (.command, .hostToController)
        case 3: (header.kind, header.direction) = (.event, .controllerToHost)
        case 4: (header.kind, header.direction) = (.acl, .hostToController)
        case 5: (header.kind, header.direction) = (.acl, .controllerToHost)
        case 6: (header.kind, header.direction) = (.sco, .hostToController)
        case 7: (header.kind, header.direction) = (.sco, .controllerToHost)
        case 18: (header.kind, header.direction) = (.iso, .hostToController)
        case 19: (header.kind, header.direction) = (.iso, .controllerToHost)
        default: (header.kind, header.direction) = (.monitor, .unknown)
        }
    }
}

extension RecordHeader {
    /// The header of a complete record of the monitor channel with `length` bytes.
    public init(
        monitorOpcode opcode: UInt16, adapter: UInt16, number: Int, time: CaptureTime, length: Int
    ) {
        self.init(
            number: number, fileOffset: 0, time: time, adapter: adapter, kind: .monitor, direction: .unknown,
            originalLength: length, capturedLength: length)
        MonitorOpcode.apply(opcode, to: &self)
    }
}
