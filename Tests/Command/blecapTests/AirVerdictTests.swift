import Foundation
import TestSupport
import Testing

/// What the first screen says of connections on the air that broke a rule, or that fell silent.
@Suite struct AirVerdictTests {
    private typealias PDU = AirLink.PDU

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The output about a session after which the sniffer hears only advertising.
    private func screen(
        _ form: AirCapture.Form = .radio, heardLast: [UInt8] = AirLink.peripheral,
        _ play: (inout AirCapture, inout AirLink) -> Void
    ) throws -> String {
        var capture = AirCapture(form)
        var link = AirLink(at: 0)
        link.connect(&capture)
        play(&capture, &link)
        let advertised: [UInt8] = [0x40, 9] + heardLast + [2, 1, 6]
        capture.add(at: link.time + 9_000_000, AirCapture.advertising, advertised)
        let path = folder.path("air.pcap")
        try Data(capture.octets).write(to: URL(fileURLWithPath: path))
        return try CommandRun(["annotate", path]).unwrapped
    }

    /// A PDU of the Security Manager, whose fields are 0.
    private static func pairing(_ code: String, _ size: Int) -> PDU {
        PDU(2, [UInt8(size + 1), 0, 6, 0, UInt8(code, radix: 16) ?? 0] + [UInt8](repeating: 0, count: size))
    }

    private static let request = pairing("01", 6)
    private static let response = pairing("02", 6)
    private static let encryption = PDU.control("03" + String(repeating: "00", count: 22))
    private static let encryptionResponse = PDU.control("04" + String(repeating: "00", count: 12))

    @Test func `the first packet of a peripheral answers no request of its data`() throws {
        let text = try screen { capture, link in
            link.event(&capture, .empty, Self.pairing("0B", 1))
            link.event(&capture, Self.request, .empty)
            link.event(&capture, .empty, Self.response)
        }
        #expect(text.contains("Security Request AuthReq=") && !text.contains("(to 1, "), "\(text)")
    }

    @Test func `encryption in the middle of a pairing is named on both sides`() throws {
        let text = try screen { capture, link in
            link.event(&capture, Self.request, .empty)
            link.event(&capture, .empty, Self.response)
            link.event(&capture, Self.encryption, .empty)
            link.event(&capture, .empty, Self.encryptionResponse)
            link.event(&capture, .empty, .control("05"))
            link.event(&capture, .control("06"), .empty)
            link.event(&capture, .empty, .control("06"))
        }
        #expect(
            text.contains("encryption asked for in the middle of pairing: its last PDU was the peripheral's ")
        )
        #expect(text.contains("after which there is no key yet  [central]"))
        #expect(text.contains("although there is no key (asked for at frame 6)  [peripheral]"))
        #expect(text.contains("pairing not finished: it stopped at frame 5"))
    }

    @Test func `after events that were not heard only a later PDU of the pairing shows it`() throws {
        for goesOn in [true, false] {
            let text = try screen { capture, link in
                link.event(&capture, Self.request, .empty)
                link.event(&capture, .empty, Self.response)
                link.event(&capture, hears: (.missed, .missed))
                link.event(&capture, Self.encryption, .empty)
                if goesOn { link.event(&capture, Self.pairing("03", 16), .empty) }
                link.event(&capture, .empty, .control("05"))
            }
            let later = "Pairing Confirm after encryption was asked for at frame 6: pairing had no key then"
            #expect(text.contains(later) == goesOn)
            #expect(text.contains("encryption accepted in the middle of pairing") == goesOn)
        }
    }

    @Test(arguments: [true, false])
    func `the rest of a PDU of which a fragment was not heard is no fault`(_ isHeard: Bool) throws {
        let text = try screen { capture, link in
            link.event(&capture, PDU(2, [9, 0, 4, 0, 0x1B, 3]), .empty)
            link.event(&capture, PDU(1, [0, 1, 2]), hears: isHeard ? (.heard, .heard) : (.missed, .missed))
            link.event(&capture, PDU(1, [3, 4]), .empty)
            link.event(&capture, PDU(1, [5, 6]), .empty)
        }
        #expect(text.contains("continuation fragment without a start") == false)
        #expect(text.contains("Handle Value Notification") == isHeard)
    }

    @Test func `a start fragment may be shorter than a header`() throws {
        let pdu: [UInt8] = [3, 0, 4, 0, 0x0A, 3, 0]
        for length in [1, 3, 4] {
            let (payload, rest) = (Array(pdu.prefix(length)), Array(pdu.dropFirst(length)))
            let text = try screen { capture, link in
                link.event(&capture, PDU(2, payload), .empty)
                link.event(&capture, PDU(1, rest), .empty)
            }
            #expect(
                !text.contains("malformed") && text.contains("Read Request 0x0003"), "\(text.prefix(900))")
        }
    }

    @Test(arguments: [true, false])
    func `a PDU that is never completed is a warning of its sender, unless packets were missed`(
        isMissed: Bool
    ) throws {
        let hearing: (AirLink.Hearing, AirLink.Hearing) = isMissed ? (.missed, .missed) : (.heard, .heard)
        for ends in [false, true] {
            let text = try screen { capture, link in
                link.event(&capture, .empty, PDU(2, [9, 0, 4, 0, 0x1B, 3]))
                link.event(&capture, hears: hearing)
                link.event(&capture)
                if ends { link.event(&capture, .control("0213"), .empty) }
            }
            let fault = "the PDU begun at frame 3 was never completed  [peripheral]"
            #expect(text.contains(fault) == !isMissed, "\(text.prefix(900))")
        }
        let silent = try screen { capture, link in
            link.event(&capture, .empty, PDU(2, [9, 0, 4, 0, 0x1B, 3]))
            for _ in 0..<3 { link.event(&capture, .empty, nil) }
        }
        #expect(!silent.contains("never completed"), "who is silent sends no rest")
    }

    @Test func `a program that leaves its own sequence numbers to its radio has lost nothing`() throws {
        let text = try screen { capture, link in
            var number: UInt8 = 0
            let sent: [PDU] = [
                .control("0c090f000102"), .control("0801000000000000ff"), .att("02f700"), .att("0a0300"),
                Self.request, Self.encryption,
            ]
            for (index, pdu) in sent.enumerated() {
                let answer: PDU = index == 4 ? Self.response : index == 5 ? .control("05") : .empty
                capture.add(
                    at: link.time, channel: 4, AirLink.accessAddress,
                    [pdu.llid, UInt8(pdu.payload.count)] + pdu.payload, crcInit: AirLink.crcInit,
                    from: .central)
                let flags = answer.llid | number << 3 | (number ^ 1) << 2
                capture.add(
                    at: link.time + 500, channel: 4, AirLink.accessAddress,
                    [flags, UInt8(answer.payload.count)] + answer.payload, crcInit: AirLink.crcInit,
                    from: .peripheral)
                number ^= 1
                link.time += AirLink.interval * 1250
            }
        }
        #expect(text.contains("encryption asked for in the middle of pairing"))
    }

    @Test(arguments: [true, false])
    func `an answer that only the central heard is missed by nobody`(isAcknowledged: Bool) throws {
        let text = try screen { capture, link in
            link.event(&capture, .att("0a0300"), .empty)
            link.event(&capture, .empty, .att("0b01"))
            link.event(&capture, .att("0a0500"), .empty)
            if isAcknowledged {
                link.event(&capture, .empty, .att("0b01"), hears: (.heard, .missed))
            } else {
                link.event(&capture, .empty, .empty)
            }
            link.event(&capture, .att("0a0700"), .empty)
        }
        #expect(text.contains("a request while the one of frame") != isAcknowledged, "\(text.prefix(900))")
    }

    @Test func `a PDU too short for a MIC does not show that encryption began`() throws {
        let text = try screen { capture, link in
            link.event(&capture, Self.encryption, .empty)
            link.event(&capture, .empty, .control("05"))
            link.event(&capture, .empty, .control("9e8d"))
        }
        #expect(text.contains("encryption not reached"))
        #expect(text.contains("- reserved LL control opcode 0x9e: LL_UNKNOWN_RSP is the only answer"))
    }

    @Test func `a peripheral whose first encrypted PDU rejects or ends has not begun to encrypt`() throws {
        for (pdu, begins) in [("aabbccddeeff", false), ("aabbccddee", true)] {
            let text = try screen { capture, link in
                link.event(&capture, Self.encryption, .empty)
                link.event(&capture, .empty, .control("05"))
                link.event(&capture, .empty, .control(pdu))
            }
            #expect(text.contains("encryption not reached") != begins, "\(text.prefix(900))")
        }
    }

    @Test(
        "A data channel PDU that violates the specification is a warning of its sender",
        arguments: [
            (PDU(0, [1, 2, 3]), "data channel PDU with the LLID 0, which is reserved"),
            (.control("0c09"), "LL_VERSION_IND has 2 bytes (6 expected)"),
            (.control("021300"), "LL_TERMINATE_IND has 3 bytes (2 expected)"),
            (.control("0101000000005000"), "LL_CHANNEL_MAP_IND has 1 data channel (at least 2)"),
            (.control("141a004801fb004808"), "LL_LENGTH_REQ has a length of 26 bytes (27 to 251)"),
            (.control("141b004801fb000000"), "LL_LENGTH_REQ has a time of 0 µs (328 to 17040 µs)"),
            (.control("000100000500000064005000"), "LL_CONNECTION_UPDATE_IND asks for an interval"),
            (.control("14fb0048081b004801"), nil), (.control("0c090f000102"), nil),
        ] as [(PDU, String?)])
    private func invalidPDU(pdu: PDU, fault: String?) throws {
        let text = try screen { capture, link in link.event(&capture, pdu, .empty) }
        #expect(text.contains("  [central]") == (fault != nil), "\(text.prefix(900))")
        if let fault { #expect(text.contains("! 1  frame 2, connection 1  \(fault)"), "\(text.prefix(900))") }
    }

    @Test func `a second LL_VERSION_IND of a side is one too many, a repetition on the air is not`() throws {
        for count in 1...2 {
            let text = try screen { capture, link in
                for _ in 0..<count {
                    link.event(&capture, .control("0c090f000102"), .empty)
                    link.event(&capture, .empty, .control("0c080d000304"), isRepeated: true)
                    link.event(&capture, .empty, .control("0c080d000304"))
                }
            }
            let fault = "LL_VERSION_IND again on this connection (each side sends one)"
            #expect(text.contains(fault) == (count > 1), "\(text.prefix(1200))")
        }
    }

    @Test func `a PDU in plaintext after encryption began is shown, and is its sender's fault`() throws {
        for isEncrypted in [true, false] {
            let text = try screen { capture, link in
                link.event(&capture, Self.encryption, .empty)
                link.event(&capture, .empty, Self.encryptionResponse)
                link.event(&capture, .empty, .control("05"))
                if isEncrypted { link.event(&capture, .empty, .control("9fcda7f448")) }
                link.event(&capture, .att("080100ffff0328"), .empty)
            }
            #expect(text.contains("ATT   Read By Type Request"), "\(text.prefix(1200))")
            #expect(text.contains("L2CAP PDU in plaintext after encryption began") == isEncrypted)
        }
    }

    @Test func `packets after a rejected encryption are in clear, also if the rejection was missed`() throws {
        let text = try screen { capture, link in
            link.event(&capture, Self.encryption, .empty)
            link.event(&capture, .empty, Self.encryptionResponse)
            link.event(&capture, hears: (.missed, .missed))
            link.event(&capture, .control("01ffffffff1f1000"), .empty)
            link.event(&capture, .att("080100ffff0328"), .empty)
            link.event(&capture, .empty, .att("0a0300"))
        }
        #expect(text.contains("ATT   Read By Type Request"), "\(text.prefix(1200))")
        #expect(!text.contains("in plaintext"))
    }

    @Test func `requests between losses are unanswered since the first of them`() throws {
        for answers in [false, true] {
            let text = try screen { capture, link in
                for number in 0..<6 {
                    link.event(&capture, .att("0a0300"), .empty)
                    if answers { link.event(&capture, .empty, .att("0b64")) }
                    for _ in 0..<10 { link.event(&capture) }
                    if number < 5 { link.event(&capture, hears: (.missed, .missed)) }
                }
                link = AirLink(at: link.time + 50_000)
                link.connect(&capture)
            }
            let first = "unanswered: connection 1: Read Request of frame 2 had no response that was heard"
            #expect(text.contains(first) != answers, "\(text.prefix(1200))")
        }
    }

    @Test func `a response does not come from the side that asked`() throws {
        // A recorder that gives both packets of an event the same sender; one that hears only the central.
        for isMixed in [true, false] {
            let text = try screen { capture, link in
                for (number, code) in [0x14, 0x15].enumerated() {
                    let payload: [UInt8] = [UInt8(code), 0x1B, 0, 0x48, 1, 0xFB, 0, 0x48, 8]
                    capture.add(
                        at: link.time + number * (isMixed ? 500 : AirLink.interval * 1250), channel: 4,
                        AirLink.accessAddress, [3, UInt8(payload.count)] + payload, crcInit: AirLink.crcInit,
                        from: .central)
                }
            }
            #expect(text.contains(" tx  1    LL    LL_LENGTH_REQ"), "\(text)")
            #expect(text.contains(" rx~ 1    LL    LL_LENGTH_RSP") == isMixed, "\(text)")
        }
    }

    @Test func `without sides a second LL_VERSION_IND is the other's, and so is the answer of ATT`() throws {
        let packets: [[UInt8]] = [
            [3, 6, 0x0C, 9, 0, 0, 0, 0], [3, 6, 0x0C, 9, 0xD2, 0, 0, 0],
            [2, 10, 3, 0, 4, 0, 0x02, 0xF7, 0, 1, 2, 3], [2, 7, 3, 0, 4, 0, 0x03, 65, 0],
        ]
        let text = try screen { capture, link in
            for (number, packet) in packets.enumerated() {
                // Two packets in each event; none was heard in the event between them.
                let time = link.time + number / 2 * 2 * AirLink.interval * 1250 + number % 2 * 500
                capture.add(
                    at: time, channel: 4, AirLink.accessAddress, packet, crcInit: AirLink.crcInit,
                    from: .central)
            }
        }
        #expect(text.contains(" rx~ 1    LL    LL_VERSION_IND"), "\(text)")
        #expect(text.contains(" rx~ 1    ATT   Exchange MTU Response 65  (to "), "\(text)")
        #expect(text.contains("fragments of 6 bytes for a PDU of 3  [central]"), "\(text)")
        #expect(text.contains("MTU 65 in ") && !text.contains("again on this connection"), "\(text)")
    }

    @Test func `who still advertises did not take the request: the connection began with another`() throws {
        for kind: UInt8 in [0, 2] {
            let text = try screen { capture, link in
                let advertised = [0x40 | kind, 9] + AirLink.peripheral + [2, 1, 6]
                capture.add(at: link.time + 8 * AirLink.interval * 1250, AirCapture.advertising, advertised)
                link = AirLink(at: link.time + 10 * AirLink.interval * 1250)
                link.event(&capture, .att("0a0300"), .att("0b64"))
            }
            // Only a connectable advertisement (ADV_IND) shows it.
            #expect(text.contains("connect 3") == (kind == 2), "\(text)")
            #expect(text.contains("heard 1 of ") == (kind == 2), "\(text)")
        }
    }

    @Test func `a header with another length than the packet has is named, and the rest is read`() throws {
        let text = try screen { capture, link in
            let packet: [UInt8] = [2, 114, 3, 0, 4, 0, 0x02, 0xF7, 0]
            capture.add(
                at: link.time, channel: 4, AirLink.accessAddress, packet, crcInit: AirLink.crcInit,
                from: .central)
        }
        let fault = "data channel PDU has 7 bytes, and 114 by its header  [central]"
        #expect(text.contains("! 1  frame 2, connection 1  \(fault)"), "\(text)")
        #expect(text.contains("Exchange MTU Request 247") && !text.contains("fragments of"), "\(text)")
    }

    @Test func `an opcode that may be encrypted is not called reserved`() throws {
        for isMissed in [true, false] {
            let text = try screen { capture, link in
                link.event(&capture)
                if isMissed { link.event(&capture, hears: (.missed, .missed)) }
                link.event(&capture, .control("fff009000000"), .empty)
            }
            #expect(text.contains("reserved LL control opcode 0xff") == !isMissed)
        }
    }

    @Test func `a link that fell silent ends with its last packet, and is said to be inferred`() throws {
        let text = try screen { capture, link in
            link.event(&capture, .att("0a0300"), .empty)
            for _ in 0..<33 { link.event(&capture, .empty, nil) }
        }
        #expect(text.contains("lost: Connection Timeout (0x08), inferred from silence after 1.0 s"))
        #expect(text.contains("✗ 1  frame 36  connection lost: Connection Timeout (0x08)"))
        // The stranger's packet that shows the silence is not one of the connection.
        #expect(text.contains("! connection 1, frame 36: connection lost") && !text.contains("rx  1    ADV"))
        #expect(text.contains("the last packet is frame 36; no data received for 1.0 s before"))
        #expect(text.contains("came with -60 dBm") && !text.contains("closer"))
    }

    @Test func `a link that the same devices replace before its timeout has an end that was not heard`()
        throws
    {
        let text = try screen { capture, link in
            link.event(&capture, .att("0a0300"), .empty)
            for _ in 0..<8 { link.event(&capture, .empty, nil) }
            link = AirLink(at: link.time + 50_000)
            link.connect(&capture)
        }
        #expect(text.contains("its end was not heard by the sniffer") && !text.contains("inferred"))
    }

    @Test func `a request whose answer was not heard is named where the link's end was not heard`() throws {
        for answers in [false, true] {
            let text = try screen { capture, link in
                link.event(&capture, .att("0a0300"), .empty)
                if answers { link.event(&capture, .empty, .att("0b64")) }
                for _ in 0..<45 { link.event(&capture) }
                link.event(&capture, hears: (.missed, .missed))
                link.event(&capture)
                link = AirLink(at: link.time + 50_000)
                link.connect(&capture)
            }
            #expect(text.contains("unanswered: connection 1: Read Request of frame ") != answers)
            #expect(text.contains(" had no response that was heard, 1.4 s later") != answers)
        }
    }

    @Test func `a lost peripheral that is not heard advertising, although others are, is said to be gone`()
        throws
    {
        for advertiser in [AirLink.central, AirLink.peripheral] {
            let text = try screen(heardLast: advertiser) { capture, link in
                let own: [UInt8] = [0x40, 9] + AirLink.peripheral + [2, 1, 6]
                capture.add(at: link.time, AirCapture.advertising, own)
                link.event(&capture, .att("0a0300"), .empty)
                for _ in 0..<33 { link.event(&capture, .empty, nil) }
            }
            let isGone = text.contains("neither heard nor connected again in this log")
            #expect(isGone == (advertiser == AirLink.central), "\(text)")
        }
    }

    @Test func `a peripheral that never takes a fragment is lost, whatever was not heard meanwhile`() throws {
        let text = try screen { capture, link in
            link.event(&capture, .att("0a0300"), .empty)
            link.event(&capture, .empty, .att("0b64"))
            link.event(&capture, PDU(2, [0x0C]), nil, isRepeated: true)
            for _ in 0..<25 {
                link.event(&capture, PDU(2, [0x0C]), nil, hears: (.missed, .missed), isRepeated: true)
            }
            link.event(&capture, PDU(2, [0x0C]), nil)
        }
        #expect(text.contains("inferred from silence; not connected again in this log  [link]"))
        #expect(!text.contains("did not answer the last") && !text.contains("never completed"), "\(text)")
    }

    @Test func `a fragment stands apart from the advertising around it`() throws {
        let text = try screen { capture, link in
            link.event(&capture, PDU(2, [3, 0, 4, 0]), .empty)
        }
        #expect(!text.contains("never completed"))
        #expect(text.contains("\u{2026} 1 fragment") && text.contains("\u{2026} 1 advertising report"))
    }

    @Test(arguments: [(AirCapture.Sender.central, false), (.central, true), (.peripheral, false)])
    func `a side does not respond to itself: the central asked`(
        _ sender: AirCapture.Sender, isMissed: Bool
    ) throws {
        let text = try screen(.nordic2) { capture, link in
            let pdus: [PDU] = [.att("02f700"), .empty, .att("034100")]
            for (index, pdu) in pdus.enumerated() {
                capture.add(
                    at: link.time, channel: UInt8(index), AirLink.accessAddress,
                    [pdu.llid | UInt8(index & 1) << 3, UInt8(pdu.payload.count)] + pdu.payload,
                    crcInit: AirLink.crcInit, from: sender)
                link.time += AirLink.interval * 1250 * (isMissed ? 3 : 1)
            }
        }
        #expect(text.contains("MTU 65 in 60.0 ms") == !isMissed)
        #expect(text.contains("rx~ 1    ATT   Exchange MTU Response") == (sender == .central && !isMissed))
        #expect(!text.contains("a response without a request"))
    }
}
