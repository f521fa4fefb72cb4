import BluetoothCore
import CoreBluetooth
import Crypto
import Foundation
import Gadgets
import LEHost
import PayloadFormat
import Runtime
import Testing
import UQDK
import WireBytes

@testable import UQDKBle
@testable import blecap

/// Errors reach users as sentences, never as Swift prints values.
@Suite struct ErrorTextTests {
    /// Forms that Swift prints: `Type.case(`, `case(label: `, `Module.Type`, `Optional(`, `rawValue: `.
    private static let forms: [String] = [
        #"\bOptional\("#, #"\bnil\b"#, #"\b[A-Z]\w*\.[a-z]\w*\("#, #"\b[a-z]\w*\([a-z]\w*: "#,
        #"\b[A-Z]\w*\.[A-Z]\w*\.[a-z]"#, #"\brawValue\b"#, #"\bcodingPath\b"#, #"\bdebugDescription\b"#,
        #"\bNSLocalizedDescription\b"#,
        #"\b(Swift|Foundation|Adapters|Analysis|BluetoothCore|CaptureFile|CommandLineKit|CoreBluetooth|Crypto|"#
            + #"Gadgets|LEHost|MonitorCapture|PayloadFormat|Profiles|Rendering|Replay|ReplayHarness|"#
            + #"SimulatedDevices|UQDK|UQDKBle|VirtualController|WireBytes|blecap)\.[A-Z_(]"#,
    ]

    /// What of a text Swift must have printed.
    static func debugForms(_ text: String) -> [String] {
        forms.flatMap { form in
            text.split(separator: "\n").filter {
                $0.range(of: form, options: .regularExpression) != nil
            }.map { String($0.prefix(300)) }
        }
    }

    private static let response = UQDKResponse(
        id: 1, command: 1, name: nil, statusCode: 3, status: nil, fields: [], body: [], isSecured: true,
        counter: 1)

    static let errors: [any Error] = [
        UQDKBleError.alreadyConnecting, UQDKBleError.alreadyConnected, UQDKBleError.isDisconnecting,
        UQDKBleError.invalidMAC, UQDKBleError.bluetooth(.poweredOff), UQDKBleError.connectedElsewhere,
        UQDKBleError.connectFailed(nil), UQDKBleError.connectFailed(.connectionTimeout),
        UQDKBleError.linkLost(.peripheralDisconnected), UQDKBleError.refused(response),
        UQDKBleError.encoding(.body(.missing("doors"))), UQDKBleError.encoding(.messageTooLong(9)),
        UQDKBleError.tooLongForVehicle(4), UQDKBleError.noEntropy, UQDKBleError.idInUse,
        UQDKBleError.invalidPairingCode, LinkDeviceError.invalidID("x"), LinkDeviceError.noDevice(channel: 1),
        LinkDeviceError.invalidHex(.notADigit(at: 3)), LinkDeviceError.tooLong(limit: 20),
        LinkDeviceError.writeFailed, BandError.bluetooth(.unsupported), BandError.busy,
        BandError.badAnswer(.checksum(found: 1, expected: 2)), BandError.badAnswer(.length(3)),
        BandError.invalidHex(.oddDigitCount), BandError.refused(.readNotPermitted),
        PhoneSession.Rejection.replayed(counter: 1), PhoneSession.Rejection.wrongTag,
        MessageError.length(says: 1, has: 2), MessageError.checksum(found: 1, expected: 2),
        MessageError.unknownCommand(7), UQDKEncodeError.unknownCommand("x"), LayoutError.unfit("y"),
        CryptoError.keyLength(3), CryptoError.library(5), EntropyError.exhausted(.nonce),
        EntropyError.system(4), Hex.Problem.notADigit(at: 0),
        HostFailure.refused(HCIOpcode(rawValue: 0x0C03), .init(rawValue: 1)),
        HostFailure.unanswered(HCIOpcode(rawValue: 0x0C03)), HostFailure.hardware(3),
        GATTFailure.refused(.readNotPermitted, handle: 3), GATTFailure.echoMismatch(handle: 4),
        HCITransportError(operation: "send", errno: 5), ATTErrorCode(rawValue: 0x85),
        HCIStatus(rawValue: 0xF0),
    ]

    @Test func `every error is a sentence`() {
        for error in Self.errors {
            let text = "\(error)"
            #expect(Self.debugForms(text).isEmpty, "\(text)")
            #expect(
                text.contains(" ") || text.hasPrefix("0x") || !text.contains { $0.isUppercase }, "\(text)")
        }
    }

    @Test func `so is what a phone's manager tells`() {
        let kinds: [UQDKBleProblem.Kind] = [
            .fragment, .reassembly(.gap(expected: 1, found: 2)), .message(.length(says: 1, has: 2)),
            .security(.replayed(counter: 1)), .noSession, .inClear, .unexpectedResponse, .otherCommand, .body,
        ]
        var events = kinds.map { UQDKBleEvent.problem(UQDKBleProblem(kind: $0, id: 3)) }
        events += [
            .authenticated(lifetime: 300), .authenticated(lifetime: nil), .sessionEnded(.countersUsedUp),
        ]
        events += [.reauthenticationFailed(.linkLost(nil))]
        for event in events {
            #expect(Self.debugForms(PhoneText.event(event)).isEmpty, "\(event)")
            #expect(PhoneText.event(event).contains(" ") || event == .authenticated(lifetime: nil))
        }
        #expect("\(UQDKBleStatus.failed(.timedOut))" == "failed: no response in time")
        #expect(
            PhoneText.event(events[3])
                == "ignored, message 3: a secured message with counter 1, which is not above the last")
    }

    /// Error types whose texts have another place: the failure that holds the cause, the pairing's desk, and
    /// the adapter's log.
    private static let elsewhere: Set<String> = ["Cause", "PairingFailure", "PrivateDocumentError"]

    @Test func `every type of error has a text of its own`() throws {
        let root = PackageRoot.url.appendingPathComponent("Sources")
        let names = try #require(FileManager.default.subpaths(atPath: root.path)).filter {
            $0.hasSuffix(".swift")
        }
        let all = try names.map {
            try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)
        }.joined(separator: "\n")
        var count = 0
        for match in all.matches(
            of: #/\n *(?:public|package)[ a-z]* (?:enum|struct|class) (\w+): ([^{\n]*\bError\b[^{\n]*)\{/#)
        {
            let name = String(match.output.1)
            count += 1
            guard !match.output.2.contains("CustomStringConvertible"), !Self.elsewhere.contains(name) else {
                continue
            }
            let form = try Regex("extension (\\w+\\.)*\(name): [^{\\n]*CustomStringConvertible")
            #expect(all.contains(form), "\(name) would be printed as Swift prints it")
        }
        #expect(count > 25)
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"version\": 2, \"departures\": [], \"outcomes\": []}",
        "{\"version\": 1, \"departures\": [{\"frame\": \"x\"}], \"outcomes\": []}",
        "{\"version\": 1, \"departures\": [], \"outcomes\": [{\"frame\": 1}]}", "{\"version\": null}",
    ])
    func `an expectation that is wrong is refused in words`(text: String) throws {
        let run = try CommandRun(
            ["replay", "--expect", "-", AnnotateTests.session], input: Data(text.utf8))
        #expect(run.errors.contains("it holds no expectation: "), "\(run.errors)")
        #expect(Self.debugForms(run.text + run.errors).isEmpty, "\(run.text)\(run.errors)")
    }
}
