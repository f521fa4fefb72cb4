import PayloadFormat
import TestSupport
import Testing
import UQDK
import WireBytes

/// The recorded session of an independent car, against what the independent side reads from it.
@Suite struct RecordedSessionTests {
    /// A value of the session's characteristics.
    struct Value {
        var frame: UInt64
        var time: Int64
        var sender: Sender
        var octets: [UInt8]
    }

    /// The writes and notifications of a btsnoop file of the monitor channel, each PDU in one piece.
    private static func values(_ file: [UInt8]) -> [Value] {
        func number(_ octets: ArraySlice<UInt8>) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
        var values: [Value] = []
        var position = 16
        var frame: UInt64 = 0
        while position + 24 <= file.count {
            frame += 1
            let header = file[position..<position + 24]
            let length = Int(number(header.dropFirst(4).prefix(4)))
            let opcode = number(header.dropFirst(10).prefix(2))
            let time = Int64(number(header.suffix(8)))
            position += 24
            let record = Array(file[position..<min(file.count, position + length)])
            position += length
            // ACL sent and received; handle, length, L2CAP length, channel, ATT opcode, attribute handle.
            guard opcode == 4 || opcode == 5, record.count >= 11, record[6] == 4, record[7] == 0 else {
                continue
            }
            let attribute = UInt16(record[9]) | UInt16(record[10]) << 8
            let isCommand = (record[8] == 0x12 || record[8] == 0x52) && attribute == 0x10
            let isEvent = record[8] == 0x1B && attribute == 0x12
            guard isCommand || isEvent else { continue }
            values.append(
                Value(
                    frame: frame, time: time &* 1000, sender: isCommand ? .phone : .car,
                    octets: Array(record[11...])))
        }
        return values
    }

    private static func annotations(_ keys: KeyStore) throws -> [(Value, UQDKAnnotation)] {
        let file = try PackageFile.octets("captures/uqdk-unlock.btsnoop")
        var tracker = UQDKTracker(UQDKKnowledge(keys: keys))
        var result: [(Value, UQDKAnnotation)] = []
        for value in values(file) {
            let role: UQDKAttribute.Role = value.sender == .phone ? .command : .event
            let attribute = UQDKAttribute(role: role, dialects: [0])
            let source = UQDKSource(
                handle: role == .command ? 0x10 : 0x12, sender: value.sender, time: value.time,
                frame: value.frame, originalLength: value.octets.count)
            let annotation = value.octets.withReader { reader in
                tracker.handle(reader.takeRest(), attribute, from: source)
            }
            result.append((value, try #require(annotation)))
        }
        #expect(tracker.close(at: .max).isEmpty)
        return result
    }

    @Test func `every message of the session is read as the other side reads it`() throws {
        let keys = try KeyStore(json: try PackageFile.octets("captures/uqdk-unlock.keys.json"))
        let whole = try Self.annotations(keys).filter { $0.1.message?.isWhole == true }
        let lines = try PackageFile.text("captures/uqdk-unlock.messages.ndjson").split(separator: "\n")
        let expected = try lines.map { try JSONParser.parse(Array($0.utf8)) }
        let dialect = Dialect.reference1
        #expect(whole.count == expected.count)
        for ((value, annotation), line) in zip(whole, expected) {
            let note = try #require(annotation.message)
            #expect(line.text("frame") == "\(value.frame)")
            #expect(line.text("from") == "\(value.sender)")
            #expect(line.text("id") == note.messageID.map { "\($0)" })
            guard line.text("kind") != nil, case .right = note.checksum else {
                #expect(annotation.problems.contains { $0.code == "uqdk.message.checksum" })
                continue
            }
            #expect(line.text("kind") == note.kind?.word && line.text("name") == note.name)
            #expect(line.text("secured") == "\(note.isSecured)")
            if note.isSecured {
                #expect(note.tag == .verified && line.text("counter") == note.counter.map { "\($0)" })
            }
            let command = try #require(note.command.flatMap { dialect.command($0) })
            var body: [UInt8] = []
            if let status = note.status {
                body += dialect.statusOctets(status)
                let name = line.text("status")?.filter { $0 != "_" }.lowercased()
                if note.statusName != "refusedInState" { #expect(name == note.statusName?.lowercased()) }
                if status == 0 { body += try command.response.encode(note.body) }
            } else {
                body += try command.request.encode(note.body)
            }
            #expect(line.text("body") == Hex.text(body), "frame \(value.frame)")
        }
    }

    @Test func `with the key proofs are judged, and what went wrong is found`() throws {
        let keys = try KeyStore(json: try PackageFile.octets("captures/uqdk-unlock.keys.json"))
        let annotations = try Self.annotations(keys)
        let proofs = annotations.compactMap { $0.1.message?.proof?.verification }
        #expect(proofs == [.wrong, .verified, .verified, .verified])
        let codes = Set(annotations.flatMap { $0.1.problems.map(\.code) })
        #expect(
            codes == [
                "uqdk.session.unsecured-request", "uqdk.status", "uqdk.status.authentication-required",
                "uqdk.proof.wrong", "uqdk.message.checksum",
            ])
        #expect(annotations.last?.1.session == .established)
    }

    @Test func `without the key secured bodies stay closed and nothing is called wrong`() throws {
        let annotations = try Self.annotations(KeyStore())
        for (_, annotation) in annotations {
            guard let note = annotation.message, note.isWhole, note.isSecured else { continue }
            #expect(note.tag == .notCheckable(.noKey) && note.body.isEmpty)
        }
        let codes = Set(annotations.flatMap { $0.1.problems.map(\.code) })
        #expect(
            codes == [
                "uqdk.session.unsecured-request", "uqdk.status", "uqdk.status.authentication-required",
                "uqdk.message.checksum",
            ])
    }
}

extension JSONNode {
    /// A member as text, whatever kind it is.
    fileprivate func text(_ name: String) -> String? {
        guard case .object(let members) = value, let node = members.first(where: { $0.name == name })?.node
        else {
            return nil
        }
        switch node.value {
        case .string(let text): return text
        case .number(let number): return number.integer.map { "\($0)" }
        case .bool(let value): return "\(value)"
        default: return nil
        }
    }
}
