import Analysis
import CaptureFile
import FoundationEssentials
import Replay
import Synchronization
import WireBytes

/// The captures that the tests replay.
enum Recording {
    /// One record with octets of its own.
    struct Kept: Sendable {
        var header: RecordHeader
        var octets: [UInt8]
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL.path

    static let captures: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: root + "/captures")) ?? [])
        .filter { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".pcap") }.sorted()

    /// The models of captures, each made once: many tests replay the same ones again and again.
    private static let models = Mutex<[String: SessionModel]>([:])

    static func model(_ name: String, adapter: UInt16? = nil) throws -> SessionModel {
        let key = name + (adapter.map { " \($0)" } ?? "")
        if let known = models.withLock({ $0[key] }) { return known }
        let model = try model(path: root + "/captures/" + name, adapter: adapter)
        models.withLock { $0[key] = model }
        return model
    }

    static func model(path: String, adapter: UInt16? = nil) throws -> SessionModel {
        var captures = try CaptureSet(paths: [path])
        return try SessionModel(reading: &captures, adapter: adapter)
    }

    /// The records of a capture.
    static func records(_ name: String) throws -> [Kept] {
        var captures = try CaptureSet(paths: [root + "/captures/" + name])
        var kept: [Kept] = []
        while let record = try captures.next() {
            kept.append(Kept(header: record.header, octets: record.octets.copied()))
        }
        return kept
    }

    /// The model of records.
    static func model(_ records: some Sequence<Kept>) throws -> SessionModel {
        var builder = SessionModelBuilder()
        for kept in records { builder.add(kept) }
        return try builder.model()
    }
}

extension SessionModelBuilder {
    mutating func add(_ kept: Recording.Kept) {
        var header = kept.header
        header.capturedLength = kept.octets.count
        add(Record(header, kept.octets.borrowedOctets))
    }
}

extension ReplayReport {
    /// The frame that the verdict names; nil without a fault.
    var frame: Int? {
        switch verdict {
        case .diverged(let found): found.told?.frame ?? found.expected?.frame
        case .stuck(let stuck): stuck.expected?.frame
        default: nil
        }
    }
}
