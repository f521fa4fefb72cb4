// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Names are those of Apple's declarations.

import CoreBluetooth
import Foundation

/// Severity of a log line.
public struct OSLogType: Equatable, Sendable {
    public let rawValue: UInt8
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = Self(0x00)
    public static let info = Self(0x01)
    public static let debug = Self(0x02)
    public static let error = Self(0x10)
    public static let fault = Self(0x11)

    var name: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "default"
        }
    }
}

/// Destination of the log lines of one part of a program: in a replay the transcript, between the packets;
/// otherwise standard error.
public final class OSLog: Sendable {
    let part: String?

    public init(subsystem: String, category: String) { part = "\(subsystem):\(category)" }
    private init(_ part: String?) { self.part = part }

    public static let `default` = OSLog("")
    /// A log that discards everything.
    public static let disabled = OSLog(nil)

    static let hidden = "<private>"

    func write(_ type: OSLogType, _ text: String) {
        guard let part else { return }
        let line = "log \(part.isEmpty ? "" : "[\(part)] ")\(type.name): \(text)"
        if let adapter = AdapterSlot.bound, let takeNote = adapter.takesNote { return takeNote(line) }
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

/// Writes lines of one part of a program.
public struct Logger: Sendable {
    private let log: OSLog

    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    public init(_ log: OSLog) { self.log = log }
    public init() { log = .default }

    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// Writes a line with values in the order of a format: `%d`, `%{public}@` and the like.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, LogFormat("\(message)").text(arguments))
}

/// Does the same with the type first.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.write(type, LogFormat("\(message)").text(arguments))
}

/// A format of `os_log`: that of `String(format:)`, with a privacy in braces.
struct LogFormat {
    private let format: String

    init(_ format: String) { self.format = format }

    /// Formats the line with its values.
    ///
    /// Strings and objects are shown only if the format says `public`.
    func text(_ arguments: [any CVarArg]) -> String {
        var plain = ""
        var shown = arguments
        var next = 0
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            plain += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                plain += "%%"
                rest = rest.dropFirst()
                continue
            }
            var privacy: Substring = ""
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                privacy = rest[..<end].dropFirst()
                rest = rest[end...].dropFirst()
            }
            let end = rest.firstIndex { $0.isLetter && !"hlqLztj".contains($0) || $0 == "@" } ?? rest.endIndex
            let kind = end < rest.endIndex ? rest[end] : " "
            let isObject = kind == "@" || kind == "s"
            guard next < arguments.count, end < rest.endIndex else {
                plain += "%%"
                continue
            }
            if privacy.contains("private") || isObject && !privacy.contains("public") {
                plain += OSLog.hidden
                shown.remove(at: next - (arguments.count - shown.count))
            } else {
                // A C string is passed as a string object here.
                plain += "%" + (kind == "s" ? "@" : rest[...end])
            }
            next += 1
            rest = rest[end...].dropFirst()
        }
        return String(format: plain + rest, arguments: shown)
    }
}
