import BluetoothCore
import WireBytes

// Divergences in the words of the application's developer.

extension ReplayReport {
    /// The party that is judged: the user's program; over HCI, a host with its program; or this project's
    /// stack, driven by the log.
    private var subject: String { isOutside ? "the host" : isOfProgram ? "the app" : "the stack" }

    /// The party of the log that it is compared with.
    private var recorded: String { isOfProgram ? "the recorded app" : "the recorded host" }

    /// Returns a line about a divergence in terms of the API; empty if the packets describe it better.
    func words(_ divergence: Divergence) -> [String] {
        let expected = divergence.expected.flatMap { phrase($0, on: divergence.connection) }
        let got =
            divergence.got.map { phrase($0, divergence.channel, on: divergence.connection) }
            ?? (divergence.other == nil ? nil : "disconnected")
        switch divergence.kind {
        case .application:
            return Self.told(
                divergence.told, isOfProgram ? "the app got" : "\(subject) reported to the application")
        case .requestWhilePending:
            return got.map { "\(subject) \($0) before its last request was answered" }.map(Self.line) ?? []
        case .missing: return expected.map { Self.line("\(subject) never \($0); \(recorded) did") } ?? []
        case .attempt:
            return Self.line(
                "\(subject) asked again and again to connect to \(divergence.peer); \(recorded) did not")
        case .scan: return Self.line("\(subject) scanned on; \(recorded) had stopped")
        case .packet where tier == .strict:
            return Self.line(
                "\(subject) sent another packet than \(recorded): strict compares every packet to the "
                    + "controller, in order and in the same parts, so it suits only logs of this stack; "
                    + "--tier semantic suits any log")
        case .different, .unexpected: break
        default: return []
        }
        guard let got else { return [] }
        guard divergence.expected != nil else {
            return Self.line("\(subject) \(got), although \(recorded) did nothing more")
        }
        guard let expected else { return [] }
        // Attributes of one name differ in their handles.
        let handles =
            got == expected
            ? [divergence.got, divergence.expected?.octets].map { octets in
                octets?.attributeHandle.map { " (\(PDUText.handle($0)))" } ?? ""
            } : ["", ""]
        return Self.line("\(subject) \(got)\(handles[0]), but \(recorded) \(expected)\(handles[1])")
    }

    /// Returns a line about the action that is missing.
    func words(_ stuck: Stuck) -> [String] {
        if stuck.isUnconnected {
            guard !stuck.waitsOn else {
                return Self.line("\(subject) still waits for \(stuck.peer); \(recorded) had given up")
            }
            let isCentral = results.first { $0.number == stuck.connection }?.isCentral ?? true
            let verb = isCentral ? "connected to \(stuck.peer)" : "advertised"
            return Self.line("\(subject) never \(verb); \(recorded) did")
        }
        let expected = stuck.expected.flatMap { phrase($0, on: stuck.connection) }
        return expected.map { Self.line("\(subject) never \($0); \(recorded) did") } ?? []
    }

    private static func line(_ text: String) -> [String] { ["  in words  " + text] }

    private static func told(_ told: Divergence.Told?, _ verb: String) -> [String] {
        switch (told?.expected, told?.got) {
        case (let expected?, let got?):
            line("\(verb) \"\(got)\", but the log implies \"\(expected)\"")
        case (let expected?, nil): line("\(verb) nothing in time, but the log implies \"\(expected)\"")
        case (nil, let got?): line("\(verb) \"\(got)\", but the log implies nothing of the kind")
        case (nil, nil): []
        }
    }

    /// Returns a step of the log's host in the past tense; nil if it isn't an action of an application.
    private func phrase(_ step: HostStep, on connection: Int) -> String? {
        switch step.action {
        case .disconnect: "disconnected"
        case .pair: "paired"
        case .encrypt: "encrypted the link"
        case .read, .write, .configure, .request:
            step.octets.flatMap { phrase($0, step.channel, on: connection) }
        case .security(let octets): phrase(octets, step.channel, on: connection)
        case .confirm, .serve, .signal: nil
        }
    }

    /// Returns the host's action that a PDU shows, in the past tense.
    private func phrase(_ octets: [UInt8], _ channel: L2CAPChannelID, on connection: Int) -> String? {
        // Only the name, because its parameters may be keys.
        if channel == .securityManager {
            return octets.first.flatMap { SMPCode(rawValue: $0).name }.map { "sent the \($0) of a pairing" }
        }
        guard channel == .attribute, let pdu = (try? ATTTable.decode(octets)) ?? nil else { return nil }
        switch pdu {
        case let read as ATTReadRequest: return "read \(name(of: read.handle, on: connection))"
        case let read as ATTReadBlobRequest:
            return "read on in \(name(of: read.handle, on: connection)) at byte \(read.offset)"
        case let write as ATTWriteRequest: return phrase(of: write.handle, write.value, "", on: connection)
        case let write as ATTWriteCommand:
            return phrase(of: write.handle, write.value, " without response", on: connection)
        case let write as ATTPrepareWriteRequest:
            return "wrote a part of \(name(of: write.handle, on: connection)) at byte \(write.offset): "
                + Self.value(write.value)
        default: return nil
        }
    }

    private func phrase(of handle: UInt16, _ value: [UInt8], _ kind: String, on connection: Int) -> String {
        guard let database = databases[connection], database.isClientConfiguration(handle) else {
            return "wrote \(Self.value(value)) to \(name(of: handle, on: connection))\(kind)"
        }
        let isOn = value.contains { $0 != 0 }
        let subject = database.valueHandle(ofConfiguration: handle) ?? handle
        return (isOn ? "subscribed to " : "unsubscribed from ") + name(of: subject, on: connection)
    }

    private func name(of handle: UInt16, on connection: Int) -> String {
        databases[connection]?.name(of: handle) ?? "attribute \(PDUText.handle(handle))"
    }

    /// Maximum number of bytes of a value in a sentence.
    private static let most = 24

    private static func value(_ octets: [UInt8]) -> String {
        guard !octets.isEmpty else { return "nothing" }
        return Hex.text(Array(octets.prefix(most))) + (octets.count > most ? "…" : "")
    }
}
