/// One program's way to print HCI packets as text with all their bytes in hexadecimal.
struct DumpDialect {
    enum Place {
        /// At the beginning, behind times and spaces.
        case start
        /// At the beginning, behind a number of two hexadecimal digits and a space.
        case numbered
        case anywhere
    }

    /// A text that precedes the bytes of a packet.
    struct Marker {
        var text: [UInt8]
        var place: Place
        /// Kind of the packet; nil if a packet type byte comes first.
        var kind: RecordKind?
        var direction: Direction
        /// Bytes that the program leaves out at the beginning.
        var implied: [UInt8] = []
        /// Whether the bytes begin in the next line.
        var isHeading = false
        /// Whether other lines may look the same, so that only a whole packet is taken.
        var isWeak: Bool { text.isEmpty }

        init(
            _ text: String, _ place: Place, _ direction: Direction, _ kind: RecordKind? = nil,
            implied: [UInt8] = [], isHeading: Bool = false
        ) {
            self.text = Array(text.utf8)
            (self.place, self.kind, self.direction) = (place, kind, direction)
            (self.implied, self.isHeading) = (implied, isHeading)
        }
    }

    var name: String
    var markers: [Marker]
    /// Whether the bytes of a packet continue in the next lines.
    var continues = false
    /// Bytes of a time in microseconds before each packet, little-endian.
    var stampLength = 0
    /// Whether other bytes may follow a packet in its last line.
    var isPadded = false
    /// Whether the times of lines are those of the packets; otherwise the packets were printed later.
    var hasLineTimes = true
    /// Text before the time of the packets that follow; may be empty.
    var clock: [UInt8] = []
    /// Beginning of the lines that end with the time since the last such line (`+2ms`); may be empty.
    var elapsedAfter: [UInt8] = []

    /// All dialects. Where two read a text equally well, the first is taken.
    static let all: [DumpDialect] = [
        DumpDialect(
            name: "hcidump",
            markers: [Marker("< ", .start, .hostToController), Marker("> ", .start, .controllerToHost)],
            continues: true),
        DumpDialect(
            name: "BTstack",
            markers: [
                Marker("CMD => ", .anywhere, .hostToController, .command),
                Marker("EVT <= ", .anywhere, .controllerToHost, .event),
                Marker("ACL => ", .anywhere, .hostToController, .acl),
                Marker("ACL <= ", .anywhere, .controllerToHost, .acl),
                Marker("SCO => ", .anywhere, .hostToController, .sco),
                Marker("SCO <= ", .anywhere, .controllerToHost, .sco),
                Marker("ISO => ", .anywhere, .hostToController, .iso),
                Marker("ISO <= ", .anywhere, .controllerToHost, .iso),
            ]),
        DumpDialect(
            name: "noble",
            markers: [
                Marker("onSocketData: ", .anywhere, .controllerToHost),
                Marker(" - writing: ", .anywhere, .hostToController),
            ], elapsedAfter: Array("hci ".utf8)),
        DumpDialect(name: "ESP-IDF", markers: espressif, hasLineTimes: false),
        DumpDialect(name: "ESP-IDF", markers: espressif, stampLength: 8, hasLineTimes: false),
        DumpDialect(
            name: "ESP-IDF",
            markers: [
                Marker("Transmit Pkt: len ", .anywhere, .hostToController, isHeading: true),
                Marker("Recv Pkt: len ", .anywhere, .controllerToHost, isHeading: true),
            ], continues: true, isPadded: true),
        // The heading ends with the packet type, which newer versions repeat before the packet.
        DumpDialect(name: "Zephyr", markers: zephyr(isHeading: true), continues: true),
        DumpDialect(name: "Zephyr", markers: zephyr(isHeading: false), continues: true),
        // The drivers of a host, and the programs that make a chip a controller.
        DumpDialect(
            name: "Zephyr",
            markers: [
                Marker("Final HCI buffer:", .anywhere, .hostToController, isHeading: true),
                Marker("ipc data:", .anywhere, .controllerToHost, isHeading: true),
                Marker("RPMsg data:", .anywhere, .controllerToHost, isHeading: true),
                Marker("host packet data:", .anywhere, .controllerToHost, isHeading: true),
            ], continues: true),
        DumpDialect(
            name: "Zephyr",
            markers: [
                Marker("IPC data:", .anywhere, .hostToController, isHeading: true),
                Marker("Final HCI buffer:", .anywhere, .controllerToHost, isHeading: true),
            ], continues: true),
        DumpDialect(
            name: "BTool",
            markers: [
                Marker("Dump(Tx):", .start, .hostToController, isHeading: true),
                Marker("Dump(Rx):", .start, .controllerToHost, isHeading: true),
            ], continues: true, clock: Array("x> - ".utf8)),
    ]

    /// The tags of newer and of older versions. An advertising report has no tag, or its own, and lacks its
    /// event code.
    private static let espressif: [Marker] = [
        Marker("C:", .numbered, .hostToController, .command),
        Marker("CMD:", .numbered, .hostToController, .command),
        Marker("E:", .numbered, .controllerToHost, .event),
        Marker("EVT:", .numbered, .controllerToHost, .event),
        Marker("H:", .numbered, .hostToController, .acl),
        Marker("HAL:", .numbered, .hostToController, .acl),
        Marker("D:", .numbered, .controllerToHost, .acl),
        Marker("CAL:", .numbered, .controllerToHost, .acl),
        Marker("ADV:", .numbered, .controllerToHost, .event, implied: [0x3E]),
        Marker("", .numbered, .controllerToHost, .event, implied: [0x3E]),
    ]

    private static func zephyr(isHeading: Bool) -> [Marker] {
        [
            Marker("!HCI! 00 00 00 00 ", .anywhere, .hostToController, isHeading: isHeading),
            Marker("!HCI! 00 00 00 01 ", .anywhere, .controllerToHost, isHeading: isHeading),
        ]
    }
}
