/// The log in the text of an Android bug report: base64 between two markers.
enum BugReport {
    static let begin = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)
    static let end = Array("--- END:BTSNOOP_LOG_SUMMARY".utf8)
    /// Bytes of the input examined to decide whether it is text.
    static let octetsToRecognize = 512
    static let longestLine = 64 << 10

    /// Bytes of text searched for its kind: people keep the prompt and the lines above the part they copied.
    private static let longestBeginning = 32 << 10

    /// Kinds of text that people send instead of a capture, by words near the beginning.
    private static let kinds: [(words: [UInt8], cause: CaptureFileError.Cause)] = [
        (Array("== dumpstate: ".utf8), .emptyReport),
        (Array("Bluetooth monitor ver ".utf8), .decoderText("btmon")),
        (Array("HCI sniffer - Bluetooth packet analyzer ".utf8), .decoderText("hcidump")),
        (Array("> HCI Event: ".utf8), .decoderText("btmon or hcidump")),
        (Array("< HCI Command: ".utf8), .decoderText("btmon or hcidump")),
        (Array("> ACL Data RX: ".utf8), .decoderText("btmon")),
        (Array("< ACL Data TX: ".utf8), .decoderText("btmon")),
        (Array("> ISO Data RX: ".utf8), .decoderText("btmon")),
        (Array("< ISO Data TX: ".utf8), .decoderText("btmon")),
        (Array("@ MGMT ".utf8), .decoderText("btmon")),
        (Array("= New Index: ".utf8), .decoderText("btmon")),
        (Array("> ACL data: ".utf8), .decoderText("hcidump")),
        (Array("< ACL data: ".utf8), .decoderText("hcidump")),
        // Wireshark's export of what it shows: a table with commas or in columns, JSON, and XML.
        (Array(#""No.","Time","Source""#.utf8), .decoderText("Wireshark")),
        (Array("No.     Time           Source".utf8), .decoderText("Wireshark")),
        (Array("\"_source\": {\n      \"layers\": {".utf8), .decoderText("Wireshark")),
        (Array("\"_source\": {\r\n      \"layers\": {".utf8), .decoderText("Wireshark")),
        (Array(#""_source":{"layers":{"#.utf8), .decoderText("Wireshark")),
        (Array("<psml version=".utf8), .decoderText("Wireshark")),
        (Array("<pdml version=".utf8), .decoderText("Wireshark")),
    ]

    /// The reason why text without a log block is not a capture; nil if unknown.
    static func kind(of window: inout InputWindow) -> CaptureFileError.Cause? {
        _ = window.holds(longestBeginning)
        let beginning = (0..<min(window.available, longestBeginning)).map { window.u8(at: $0) }
        return kinds.first { beginning.contains($0.words) }?.cause
    }

    /// Searches text for the log block and makes its records the input; returns nil if absent.
    static func recognize(_ input: inout RecordInput) throws(CaptureFileError) -> Recognized? {
        guard isText(&input.window) else { return nil }
        let kind = kind(of: &input.window)
        guard let block = findBlock(&input.window) else {
            if let kind { throw input.failure(kind) }
            return nil
        }
        if block.octets.isEmpty, input.isWhole { throw input.failure(.emptyReport) }
        return try Btsnooz.unpack(block.octets, isCut: block.isCut, &input)
    }

    static func isText(_ window: inout InputWindow) -> Bool {
        guard window.holds(1) else { return false }
        _ = window.holds(octetsToRecognize)
        for index in 0..<min(window.available, octetsToRecognize) {
            let octet = window.u8(at: index)
            let isControl = octet < 0x20 && !(0x07...0x0D).contains(octet) && octet != 0x1B
            if isControl || octet == 0x7F { return false }
        }
        return true
    }

    static func findBlock(_ window: inout InputWindow) -> (octets: [UInt8], isCut: Bool)? {
        while let length = window.lineLength(atMost: longestLine) {
            let isBegin = window.starts(with: begin)
            window.consume(length)
            if isBegin { return readBlock(&window) }
        }
        return nil
    }

    private static func readBlock(_ window: inout InputWindow) -> (octets: [UInt8], isCut: Bool) {
        var decoder = Base64Decoder()
        while let length = window.lineLength(atMost: longestLine) {
            if window.starts(with: end) { return (decoder.octets, false) }
            for index in 0..<length { decoder.take(window.u8(at: index)) }
            window.consume(length)
            if decoder.octets.count > Btsnooz.longestUnpacked { break }
        }
        return (decoder.octets, true)
    }
}

extension CaptureSource {
    /// Whether this is an empty log block of a report's text.
    var isEmptyBlock: Bool {
        if case .unreadable(let error) = content { error.cause == .emptyReport } else { false }
    }

    /// Bytes kept in memory before it is read, for tests of the bound.
    var octetsHeld: Int {
        switch content {
        case .descriptor(_, let head, _): head.count
        case .octets(let octets): octets.count
        case .stream, .block, .unreadable: 0
        }
    }
}

/// Base64 decoder for text: skips line ends and all other characters that aren't digits.
struct Base64Decoder {
    private(set) var octets: [UInt8] = []
    private var bits: UInt32 = 0
    private var count = 0

    mutating func take(_ character: UInt8) {
        let value: UInt8
        switch character {
        case 0x41...0x5A: value = character &- 0x41
        case 0x61...0x7A: value = character &- 0x61 &+ 26
        case 0x30...0x39: value = character &- 0x30 &+ 52
        case 0x2B: value = 62
        case 0x2F: value = 63
        default: return
        }
        bits = bits &<< 6 | UInt32(value)
        count &+= 6
        if count >= 8 {
            count &-= 8
            octets.append(UInt8(truncatingIfNeeded: bits &>> UInt32(count)))
        }
    }
}
