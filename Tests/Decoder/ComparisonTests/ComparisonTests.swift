import BluetoothCore
import CaptureFile
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis
@testable import Comparison

@Suite struct ComparisonTests {
    @Test func `Other frames and times make no difference`() {
        var other = MadeLog()
        (other.first, other.step) = (500, 35)
        #expect(other.differences(from: MadeLog()).areAlike)
    }

    @Test func `Refused proofs before a lock-out make no difference`() {
        let place = FramePlace(file: 0, frame: 7)
        let kind = AnnotationProblem.Kind("uqdk.status", .error, .afterProofs)
        var locked = AnnotatedProblem(
            .uqdk, AnnotationProblem(kind, "AUTH_BEGIN is answered with keyLockedOut"))
        (locked.keyID, locked.message) = ([1], "AUTH_BEGIN")
        var problem = Problem(.annotated(locked))
        var refused = [RefusedProofs(keyID: [1], message: "AUTH_FINISH", first: place, last: place)]
        problem.linkRefusedProofs(&refused, at: place)
        #expect(problem.sentenceOfHost.contains("keyLockedOut after 1 refused proof"))
        let digest = IncidentDigest(
            Incident(problem, .error, place, order: 7, connection: 1, involvesProtocol: true))
        #expect(digest.text.hasSuffix("is answered with keyLockedOut"), "\(digest.text)")
        #expect(!digest.key.contains("refused proof"))
    }

    @Test func `A changed answer is the first difference, with both frames`() throws {
        var bad = MadeLog()
        bad.first = 100
        bad.answer(MadeLog.key + " response", "keyRevoked")
        bad.leaveOut("write of FFF2")
        let found = bad.differences(from: MadeLog())
        let cause = try #require(found.cause)
        #expect(cause.kind == .answer && cause.bad?.text == "UQDK AUTH_BEGIN response: keyRevoked")
        #expect(cause.good?.place?.frame == 5 && cause.bad?.place?.frame == 104)
        #expect(found.before.isEmpty)
        #expect(found.following.map(\.kind) == [.missing])
    }

    @Test func `What was not done is told, with the last thing before it`() throws {
        var bad = MadeLog()
        bad.leaveOut("notifications on")
        let cause = try #require(bad.differences(from: MadeLog()).cause)
        #expect(cause.kind == .missing && cause.subject == "notifications on")
        #expect(cause.bad?.text.hasSuffix("last before it: discovery") == true)
    }

    @Test func `A step that a retry did is not missing, and what none did is told of the furthest`() throws {
        var bad = MadeLog()
        bad.retry = bad.acts
        bad.acts = [(.disconnection, "disconnection", "Connection Failed to be Established")]
        #expect(bad.differences(from: MadeLog()).areAlike)
        bad.retry.removeAll { $0.what == "notifications on" }
        let both = bad.differences(from: MadeLog())
        #expect(both.cause?.subject == "notifications on" && both.cause?.bad?.connection == 2)
        #expect(both.before.isEmpty && both.following.map(\.kind) == [.answer])
        // Without an address, a device is known by its attributes.
        bad.device = nil
        #expect(bad.differences(from: MadeLog()).cause?.subject == "notifications on")
    }

    @Test func `A connection that was not established is the cause where none followed`() {
        var bad = MadeLog()
        bad.acts = [(.disconnection, "disconnection", "Connection Failed to be Established")]
        #expect(bad.differences(from: MadeLog()).cause?.kind == .answer)
        bad.retry = bad.acts
        #expect(bad.differences(from: MadeLog()).cause?.kind == .answer)
    }

    @Test func `A step that only an earlier connection did is missing`() {
        var bad = MadeLog()
        bad.retry = bad.acts.filter { $0.what != "notifications on" }
        #expect(bad.differences(from: MadeLog()).cause?.subject == "notifications on")
    }

    @Test func `What came before a log in mid-connection is not missing`() {
        var bad = MadeLog()
        bad.acts.removeFirst(3)
        #expect(!bad.differences(from: MadeLog()).areAlike)
        bad.wasOpenAtStart = true
        #expect(bad.differences(from: MadeLog()).areAlike)
    }

    @Test func `What two good logs differ in is no difference`() {
        let good = MadeLog()
        var other = MadeLog()
        other.leaveOut("notifications on")
        #expect(!other.differences(from: good).areAlike)
        #expect(!good.differences(from: other).areAlike)
        #expect(good.differences(from: good, other).areAlike)
        #expect(other.differences(from: good, other).areAlike)
    }

    @Test(arguments: ["MTU exchange", "discovery"])
    func `What hosts do by themselves is no difference, unless nothing else was done`(what: String) throws {
        var other = MadeLog()
        other.leaveOut(what)
        #expect(other.differences(from: MadeLog()).areAlike)
        #expect(MadeLog().differences(from: other).areAlike)
        var turned = MadeLog()
        turned.acts.swapAt(0, 2)
        #expect(turned.differences(from: MadeLog()).areAlike)
        other = MadeLog()
        other.acts.removeAll { $0.kind != .disconnection }
        #expect(try #require(other.differences(from: MadeLog()).cause).subject == "MTU exchange")
    }

    @Test func `What systems do with attributes of their own is no difference`() {
        var other = MadeLog()
        other.acts.insert((.subscription, "indications of Service Changed on", ""), at: 4)
        #expect(!other.differences(from: MadeLog()).areAlike && !MadeLog().differences(from: other).areAlike)
        other.housekeeping = ["indications of Service Changed on"]
        #expect(other.differences(from: MadeLog()).areAlike && MadeLog().differences(from: other).areAlike)
    }

    @Test func `A service of the system that one host did not look for is no difference of the device`() {
        var other = MadeLog()
        let service = AttributeText.housekeeping[0]
        other.database += [service, service + ", 2A00 (Device Name), properties read"]
        #expect(other.differences(from: MadeLog()).areAlike && MadeLog().differences(from: other).areAlike)
        var less = other
        less.database.removeLast()
        #expect(!less.differences(from: other).areAlike)
    }

    @Test func `Where a log does not tell which attribute was meant, none is missing`() {
        var other = MadeLog()
        other.leaveOut("notifications on")
        #expect(!other.differences(from: MadeLog()).areAlike && !MadeLog().differences(from: other).areAlike)
        other.hasUnlabelled = true
        let note = "reads, writes and notifications of attributes that only --gatt can name (unnamed in the "
        #expect(other.differences(from: MadeLog()).notes == [note + "bad log)"])
        #expect(MadeLog().differences(from: other).notes == [note + "good log)"])
        #expect(other.differences(from: MadeLog()).areAlike && MadeLog().differences(from: other).areAlike)
    }

    @Test func `Something read besides is told of a log that differs, and alone is no difference`() {
        var bad = MadeLog()
        bad.acts.insert((.read, "read of FFF3", ""), at: 4)
        #expect(bad.differences(from: MadeLog()).areAlike)
        bad.leaveOut("notifications on")
        let found = bad.differences(from: MadeLog())
        #expect(found.cause?.kind == .missing && found.following.map(\.kind) == [.added])
        bad = MadeLog()
        bad.acts.insert((.read, "read of FFF3", "Read Not Permitted"), at: 4)
        #expect(bad.differences(from: MadeLog()).cause?.kind == .added)
    }

    @Test func `One good log does not tell which write is needed, two do`() {
        var good = MadeLog()
        good.acts.insert((.write, "write of FFF3", ""), at: 5)
        #expect(MadeLog().differences(from: good).areAlike)
        #expect(MadeLog().differences(from: good, good).cause?.subject == "write of FFF3")
        var bad = good
        bad.acts.removeAll { $0.kind == .write }
        #expect(bad.differences(from: good).cause?.kind == .missing)
    }

    @Test func `What a recorder leaves out is not missing`() {
        var bad = MadeLog()
        bad.leaveOut("disconnection")
        #expect(!bad.differences(from: MadeLog()).areAlike)
        bad.hasEvents = false
        #expect(bad.differences(from: MadeLog()).areAlike)
        #expect(MadeLog().differences(from: bad).areAlike)
        bad.leaveOut("notifications on")
        #expect(!bad.differences(from: MadeLog()).areAlike)
        bad.hasData = false
        #expect(bad.differences(from: MadeLog()).areAlike)
    }

    @Test func `The first failure that no good log has comes first`() throws {
        func incident(_ code: String, frame: Int) -> IncidentDigest {
            IncidentDigest(code: code, text: code, place: FramePlace(file: 0, frame: frame), connection: 1)
        }
        var (good, bad) = (MadeLog(), MadeLog())
        good.failures = [incident("att-error", frame: 2)]
        bad.failures = [incident("att-error", frame: 4), incident("no-response", frame: 6)]
        bad.leaveOut("notifications on")
        let found = bad.differences(from: good)
        let cause = try #require(found.cause)
        #expect(cause.kind == .failure && cause.code == "no-response" && cause.bad?.place?.frame == 6)
        #expect(found.before.map(\.subject) == ["notifications on"])
        bad.failures.removeLast()
        #expect(bad.differences(from: good).cause?.subject == "notifications on")
    }

    @Test func `A changing value is learned from good logs, a fixed one is compared at once`() {
        func log(_ text: String, isSteady: Bool) -> MadeLog {
            var log = MadeLog()
            log.values["MTU exchange"] = [Act.Value(name: "MTU", text: text, isSteady: isSteady)]
            return log
        }
        #expect(log("2", isSteady: false).differences(from: log("1", isSteady: false)).areAlike)
        #expect(log("2", isSteady: true).differences(from: log("1", isSteady: true)).cause?.kind == .value)
        let two = log("2", isSteady: false)
            .differences(from: log("1", isSteady: false), log("1", isSteady: false))
        #expect(two.cause?.kind == .value)
        let noise = log("2", isSteady: true)
            .differences(from: log("1", isSteady: true), log("3", isSteady: true))
        #expect(noise.areAlike)
    }

    @Test func `Another order is told unless a good log has it too`() {
        var turned = MadeLog()
        turned.acts.swapAt(2, 3)
        #expect(turned.differences(from: MadeLog()).cause?.kind == .order)
        #expect(turned.differences(from: MadeLog(), turned).areAlike)
    }

    @Test func `A phase is slower past three times as long and a second`() {
        func log(milliseconds: Int64) -> MadeLog {
            var log = MadeLog()
            let phase = SessionDigest.Phase(
                name: "discovery", duration: milliseconds * 1_000_000, start: log.digest.start)
            log.phases = [phase]
            return log
        }
        #expect(log(milliseconds: 900).differences(from: log(milliseconds: 100)).areAlike)
        #expect(log(milliseconds: 2_900).differences(from: log(milliseconds: 1_000)).areAlike)
        let slow = log(milliseconds: 3_100).differences(from: log(milliseconds: 1_000))
        #expect(slow.cause?.kind == .time)
        #expect(
            log(milliseconds: 3_100).differences(from: log(milliseconds: 1_000), log(milliseconds: 2_000))
                .areAlike)
    }

    @Test func `Logs of different devices are told apart, by lasting addresses or by attributes`() throws {
        func strangers(_ change: (inout MadeLog) -> Void) -> LogDifferences.Strangers? {
            var other = MadeLog()
            change(&other)
            return LogComparison(goods: [MadeLog().digest], bad: other.digest).differences().strangers
        }
        #expect(strangers { _ in } == nil)
        let lasting = DeviceAddress(0xD011_2233_4455, .random)
        let unit = try #require(strangers { $0.device = lasting })
        #expect(unit.areAlike && unit.good == [MadeLog().device] && unit.bad == [lasting])
        let other = try #require(strangers { ($0.device, $0.database) = (nil, ["service 1234"]) })
        #expect(!other.areAlike && other.bad == [nil])
        #expect(unit.areOthers && other.areOthers && unit.unknownBad.isEmpty)
        // A private address says nothing, nor does a device without attributes.
        let hidden = try #require(strangers { $0.device = DeviceAddress(0x4011_2233_4455, .random) })
        let unknown = try #require(strangers { ($0.device, $0.database) = (nil, []) })
        #expect(!hidden.areOthers && hidden.isBadUnknown && hidden.areAlike && !hidden.isGoodUnknown)
        #expect(!unknown.areOthers && unknown.unknownBad == [1] && !unknown.areAlike)
        // Names tell devices without a lasting address apart.
        func named(_ name: String) -> LogDifferences.Strangers? {
            var (one, other) = (MadeLog(), MadeLog())
            (one.name, one.database) = ("Lamp", [])
            (other.name, other.database, other.device) = (name, [], nil)
            return other.differences(from: one).strangers
        }
        #expect(named("Candle")?.areOthers == true && named("La")?.areOthers == false)
        // One connection with an unknown device does not hide that the others are of different devices.
        var several = MadeLog()
        several.retry = several.acts
        var sessions = several.digest.sessions
        sessions[0].device = nil
        sessions[0].database = []
        sessions[1].device = lasting
        let digest = LogDigest(
            name: "made", start: several.digest.start, sessions: sessions, failures: [], incidents: [])
        let one = try #require(
            LogComparison(goods: [MadeLog().digest], bad: digest).differences().strangers)
        #expect(one.areOthers && one.unknownBad == [1] && !one.isBadUnknown)
    }

    @Test func `Content that a log lacks, or that can't be read, is a note that names the logs`() {
        let (classic, events) = (
            LogDigest.Gap("Bluetooth Classic", because: "not decoded"),
            LogDigest.Gap("HCI events", because: "missing")
        )
        var (good, bad) = (MadeLog(), MadeLog())
        #expect(bad.differences(from: good).notes.isEmpty)
        (good.gaps, bad.gaps) = ([classic], [classic, events])
        let found = bad.differences(from: good)
        let both = "Bluetooth Classic (not decoded in both logs)"
        #expect(found.notes == [both, "HCI events (missing in the bad log)"])
        #expect(found.areAlike && found.extent.compared == 1 && found.extent.acts == 7)
        #expect(
            good.differences(from: bad, MadeLog()).notes
                == [
                    "Bluetooth Classic (not decoded in a good log and the bad one)",
                    "HCI events (missing in a good log)",
                ])
    }

    @Test func `A failure beside another one of the good log is not only in the bad log`() {
        let place = FramePlace(file: 0, frame: 7)
        var (good, bad) = (MadeLog(), MadeLog())
        bad.failures = [IncidentDigest(code: "a", text: "lost", place: place, connection: 1)]
        #expect(bad.differences(from: good).cause?.isOfBoth == false)
        good.answer("disconnection", "Connection Failed to be Established")
        #expect(bad.differences(from: good).cause?.isOfBoth == true)
        good = MadeLog()
        good.failures = [IncidentDigest(code: "b", text: "refused", place: place, connection: 1)]
        #expect(bad.differences(from: good).cause?.isOfBoth == true)
    }

    @Test func `A device with a new address is found by its attributes`() {
        var other = MadeLog()
        other.device = DeviceAddress(0x4011_2233_4455, .random)
        #expect(other.differences(from: MadeLog()).areAlike)
        other.database = ["service 1800"]
        #expect(other.differences(from: MadeLog()).cause?.kind == .connection)
    }

    @Test func `A lost attribute is told`() {
        var bad = MadeLog()
        bad.database.removeLast()
        let cause = bad.differences(from: MadeLog()).cause
        #expect(cause?.kind == .database && cause?.good?.text == "service FFF0, FFF2, properties write")
    }

    @Test func `Who ended the connection is a difference`() throws {
        func log(_ initiator: String) -> MadeLog {
            var log = MadeLog()
            log.values["disconnection"] = [Act.Value(name: "initiator", text: initiator, isSteady: true)]
            return log
        }
        let cause = try #require(log("peer").differences(from: log("host")).cause)
        #expect(cause.subject == "initiator of disconnection" && cause.bad?.text.hasSuffix("peer") == true)
        #expect(log("host").differences(from: log("host")).areAlike)
        #expect(log("peer").differences(from: log("host"), log("peer")).areAlike)
    }

    /// A log with a pairing whose features both sides announce with these bytes.
    private static func pairing(request: String, response: String) throws -> LogDigest {
        let records: [(RecordKind, Direction, String)] = [
            (.event, .controllerToHost, "3E1301004000000066554433221118000000F40100"),
            (.acl, .hostToController, "40000B0007000600" + request),
            (.acl, .controllerToHost, "40200B0007000600" + response),
            (.event, .controllerToHost, "050400400013"),
        ]
        var analyzer = Analyzer()
        var builder = DigestBuilder()
        for (index, (kind, direction, hex)) in records.enumerated() {
            let octets = try Hex.octets(hex)
            let header = RecordHeader(
                number: index + 1, fileOffset: 0, time: CaptureTime(nanoseconds: Int64(index) * 1_000_000),
                adapter: 0, kind: kind, direction: direction, originalLength: octets.count,
                capturedLength: octets.count, cumulativeDrops: 0)
            let record = Record(header, octets.borrowedOctets)
            analyzer.analyze(record, file: 0)
            builder.take(record, analyzer)
        }
        analyzer.finish()
        return builder.finish("made", files: [], analyzer, failures: [], names: [:], gaps: [])
    }

    @Test func `A device that announces other features when it pairs is a difference`() throws {
        let (request, response) = ("01040005100707", "02030009100707")
        let good = try Self.pairing(request: request, response: response)
        for (octets, told) in [
            ("02000009100707", "IO Capability DisplayOnly"), ("02030001100707", "AuthReq Bonding"),
            ("02030009070707", "Maximum Encryption Key Size 7"),
        ] {
            let bad = try Self.pairing(request: request, response: octets)
            let cause = LogComparison(goods: [good], bad: bad).differences().cause
            #expect(cause?.bad?.text == "Pairing Response by the peer: \(told)")
        }
        // Another host has other features, and asks for other keys.
        let other = try Self.pairing(request: "01010005100303", response: "02030009100301")
        #expect(LogComparison(goods: [good], bad: other).differences().areAlike)
    }

    @Test func `A write before the subscription that it followed on good nights is another order`() throws {
        var bad = MadeLog()
        bad.leaveOut("write of FFF2")
        bad.acts.insert((.write, "write of FFF2", ""), at: 2)
        let cause = try #require(bad.differences(from: MadeLog()).cause)
        #expect(cause.kind == .order && cause.bad?.text == "write of FFF2, then notifications on")
        #expect(bad.differences(from: MadeLog(), bad).areAlike)
    }

    @Test func `Another length of a value is told, unless it changes within a session`() {
        func log(_ text: String) -> MadeLog {
            var log = MadeLog()
            log.values["write of FFF2"] = [Act.Value(name: "length", text: text, isLength: true)]
            return log
        }
        #expect(log("7 bytes").differences(from: log("8 bytes")).cause?.kind == .value)
        #expect(log("7 bytes").differences(from: log("7 bytes"), log("8 bytes")).areAlike)
    }

    @Test func `A pause is told past three times the longest of good nights and a second`() {
        func log(_ milliseconds: Int64) -> MadeLog {
            var log = MadeLog()
            log.pause = milliseconds
            return log
        }
        #expect(log(5_000).differences(from: log(0)).cause?.subject == "pause before write")
        let side = log(5_000).differences(from: log(0)).cause?.bad
        #expect(side?.place?.frame == 90 && side?.end?.place.frame == 91)
        #expect(log(5_000).differences(from: log(2_000)).areAlike)
        #expect(log(900).differences(from: log(0)).areAlike)
    }

    @Test func `A pause before a client's own next command is a note, and no difference`() {
        var bad = MadeLog()
        (bad.pause, bad.isOwn) = (5_000, true)
        let found = bad.differences(from: MadeLog())
        #expect(found.areAlike && found.pauses.count == 1, "\(found.pauses)")
        #expect(found.pauses.first?.contains("frames 90\u{2013}91, ") == true, "\(found.pauses)")
        #expect(bad.differences(from: bad).pauses.isEmpty)
    }

    @Test func `A pause is not the user's while a value is due or a phase goes on`() {
        var good = MadeLog()
        good.valueAfterWrite = true
        var bad = MadeLog()
        (bad.pause, bad.isOwn, bad.valueAfterWrite) = (5_000, true, false)
        #expect(bad.differences(from: good).cause?.subject == "pause before write")
        (good.valueAfterWrite, good.isOwn) = (false, true)
        #expect(bad.differences(from: good).areAlike)
        bad.valueAfterWrite = nil
        let start = CaptureTime(nanoseconds: 0)
        bad.phases = [SessionDigest.Phase(name: "encryption", duration: 4_000_000_000, start: start)]
        #expect(bad.differences(from: good).pauses.isEmpty && !bad.differences(from: good).areAlike)
    }

    @Test func `A missing step says where the bad log ends`() {
        var bad = MadeLog()
        bad.leaveOut("write of FFF2")
        bad.leaveOut("disconnection")
        #expect(bad.differences(from: MadeLog()).cause?.bad?.text.contains("last before it") == true)
        bad.isOpenAtEnd = true
        let side = bad.differences(from: MadeLog()).cause?.bad
        #expect(side?.text == "not done; the bad log ends at frame 99, before this")
        #expect(side?.place?.frame == 99)
        bad.rest = 5_000
        let later = bad.differences(from: MadeLog()).cause?.bad
        #expect(
            later?.text.hasSuffix("; the log ends at frame 99, 5.0 s later") == true, "\(later?.text ?? "")")
        #expect((later?.place?.frame ?? 99) < 99)
    }

    @Test func `What the bad night never looked for is not missing, and is noted`() {
        var bad = MadeLog()
        bad.database.removeLast()
        bad.unsearched = ["service FFF0"]
        let found = bad.differences(from: MadeLog())
        #expect(found.areAlike)
        #expect(found.notes == ["connection 1 did not look for service FFF0, FFF2, properties write"])
        bad.database = MadeLog().database
        #expect(bad.differences(from: MadeLog()).notes.isEmpty)
    }

    @Test func `Unread secured messages are noted, and are no difference`() {
        var bad = MadeLog()
        bad.unread = 3
        let found = bad.differences(from: MadeLog())
        #expect(found.areAlike && found.notes.count == 1 && found.notes[0].hasPrefix("3 secured messages"))
    }

    @Test(arguments: [
        ("frame 12 waited 31.2 s", "frame # waited # s"), ("handle 0x00fe", "handle #"),
        ("no number", "no number"), ("a1b2 at +7", "a# at +#"),
    ])
    func `Sentences are compared without their numbers`(_ text: String, _ without: String) {
        #expect(IncidentDigest.withoutNumbers(text) == without)
    }
}
