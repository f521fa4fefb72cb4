import BluetoothCore
import CaptureFile
import PayloadFormat

/// The state in which a controller has to refuse a command: then the host is at fault, which could have known
/// it.
public enum CommandConflict: Sendable {
    /// Another connection was being made (Core Specification, Vol 4, Part E, 7.8.12).
    case connecting
    /// A connection by the accept list was being made, which locks the list (7.8.15 to 7.8.17).
    case acceptList
    /// A scan or a connection attempt ran, which fixes its parameters and addresses (7.8.4, 7.8.10, 7.8.38).
    case active
    /// The connection had ended.
    case ended
    /// The connection ended while the command was on its way: nobody's fault.
    case crossed

    /// The reason as the end of a sentence.
    var text: String {
        switch self {
        case .connecting: "since another connection was being made"
        case .acceptList: "since a connection by the accept list was being made"
        case .active: "since a scan or a connection attempt ran"
        case .ended: "since the connection had ended"
        case .crossed: "since the connection ended meanwhile"
        }
    }
}

extension HCIStatus {
    /// Whether only the host can cause this status of a command: a connection that exists, parameters, an
    /// unknown advertising handle, too long data.
    var isOfHost: Bool { [0x0B, 0x12, 0x42, 0x45].contains(rawValue) }
}

extension Analyzer {
    /// Longest time in which the event of a connection's end reaches the program that sends commands, in
    /// nanoseconds.
    private static let crossing: Int64 = 50_000_000

    /// Commands that are refused while an activity runs.
    private static let locked: [(opcodes: Set<UInt16>, by: CommandConflict)] = [
        // Clear, Add Device To and Remove Device From Filter Accept List.
        ([0x2010, 0x2011, 0x2012], .acceptList),
        // Set Random Address, Scan Parameters and Extended Scan Parameters; changes of the resolving list.
        ([0x2005, 0x200B, 0x2041, 0x2027, 0x2028, 0x2029, 0x202D], .active),
    ]

    /// Returns the state in which the controller had to refuse a command; nil if the log shows none.
    func conflict(
        of asked: AdapterTable.PendingCommand, _ status: HCIStatus, adapter: Int
    ) -> CommandConflict? {
        switch status {
        case .unknownConnectionIdentifier where asked.handle != 0xFFFF && frame.link < 0:
            let ended = endedHandles.last(frame.file, frame.header.adapter, asked.handle)
            // A connection of which the log shows nothing may be the controller's mistake.
            guard asked.connection > 0 || ended?.isOpen == false else { return nil }
            let isLate = ended.map { asked.time.since($0.time) >= Self.crossing } ?? false
            return asked.connection > 0 || !isLate ? .crossed : .ended
        case .commandDisallowed:
            let attempt = adapters[adapter].attempt
            let isScanning = adapters[adapter].scanOn != nil
            switch Self.locked.first(where: { $0.opcodes.contains(asked.opcode) })?.by {
            case .acceptList where attempt?.isByAcceptList == true: return .acceptList
            case .active where attempt != nil || isScanning: return .active
            default: return nil
            }
        default: return nil
        }
    }
}
