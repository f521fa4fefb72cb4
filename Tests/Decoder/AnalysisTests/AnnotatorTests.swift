import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import Testing
import UQDK
import WireBytes

@testable import Analysis

/// The protocols above ATT on one connection, by themselves: values in, annotations and problems out.
@Suite struct AnnotatorTests {
    private static let both: ShownPackets = [.fromHost, .fromController]

    private var key = KeyProtocolAnnotator(UQDKKnowledge(), startSeen: true)
    private var profiles = ProfileAnnotator(
        ProfileProtocol(AnalysisKnowledge(profiles: ProfileSet(ProfileSource.shipped.map(\.profile)))),
        of: nil)
    private var annotations: [Annotation] = []
    private var problems: [Problem] = []
    private var frame = 0

    private mutating func context(_ opcode: ATTOpcode, _ value: [UInt8]) -> ValueContext {
        frame += 1
        return ValueContext(
            handle: 3, opcode: opcode, sender: opcode == .writeCommand ? .host : .peer,
            time: CaptureTime(nanoseconds: Int64(frame)), frame: FramePlace(file: 0, frame: frame),
            order: frame, originalLength: value.count, shown: Self.both)
    }

    /// Values of the key protocol, from the phone or from the car.
    private mutating func send(_ values: [String], _ role: UQDKAttribute.Role) {
        let opcode: ATTOpcode = role == .command ? .writeCommand : .handleValueNotification
        for hex in values {
            let value = octets(hex)
            let context = context(opcode, value)
            _ = key.annotate(
                value.borrowedOctets, purpose: UQDKAttribute(role: role, dialects: [0]), context,
                &annotations,
                &problems)
        }
    }

    private mutating func profile(_ hex: String, _ opcode: ATTOpcode) -> ValueFindings? {
        let value = octets(hex)
        let context = context(opcode, value)
        return profiles.annotate(value.borrowedOctets, nil, context, &annotations, &problems)
    }

    private func moment(_ time: Int64, shown: ShownPackets = Self.both) -> CheckTime {
        CheckTime(time: time, shown: shown)
    }

    @Test mutating func `a request waits for its response`() {
        send(KeySideTests.begin, .command)
        #expect(key.waiting(at: 5).map(\.frame) == [2])
        send(KeySideTests.begun, .event)
        #expect(key.waiting(at: 5).isEmpty && key.deadline == .max)
        #expect(key.isDetected && key.uses.map(\.messages) == [2] && annotations.count == 4)
    }

    @Test mutating func `a request that waits for too long is told of once, as the car's failure`() {
        send(KeySideTests.begin, .command)
        let late = moment(key.deadline + 1)
        let ends = [key.overdue(at: moment(key.deadline)), key.overdue(at: late), key.overdue(at: late)]
        #expect(ends.map(\.lacksAnswers) == [false, true, false])
        #expect(ends[1].problems.map(\.name) == ["uqdk.request.timeout"])
        #expect(ends[1].problems.first?.side == .peer && key.uses.first?.unanswered == 1)
    }

    @Test mutating func `no answer is missed where the log would not show it`() {
        send(KeySideTests.begin, .command)
        let end = key.overdue(at: moment(key.deadline + 1, shown: .fromHost))
        #expect(end.problems.isEmpty && key.uses.first?.unanswered == 0)
    }

    @Test mutating func `what waits as the connection ends is unanswered`() {
        send(KeySideTests.begin, .command)
        let end = key.close(at: moment(9), reason: 0x13)
        #expect(end.lacksAnswers && end.problems.map(\.name) == ["uqdk.request.unanswered"])
    }

    @Test mutating func `a message that is not whole takes room until it is given up`() {
        send([KeySideTests.begin[0]], .command)
        #expect(key.incompleteBytes > 0 && !key.isDetected)
        key.dropIncomplete()
        #expect(key.incompleteBytes == 0)
    }

    @Test mutating func `a profile's values are counted, and no others`() {
        #expect(profile("1b9901", .writeCommand) != nil)
        #expect(profile("00010203", .writeCommand) == nil)
        #expect(profiles.uses.map(\.name) == ["mi-band"] && profiles.uses.first?.messages == 1)
        #expect(annotations.map(\.layer) == ["mi-band"])
    }

    @Test(arguments: [(UInt8?.none, Problem.Severity.error), (0x08, .warning), (0x16, .error)])
    mutating func `a request that a profile's device did not answer fails unless the link was lost`(
        reason: UInt8?, severity: Problem.Severity
    ) {
        _ = profile("1b9901", .writeCommand)
        let end = profiles.close(at: moment(60_000_000_000), reason: reason)
        #expect(end.problems.map(\.severity) == [severity])
    }
}
