public import Analysis
import BluetoothCore
public import CaptureFile
import WireBytes

/// Builds session models from records in one pass.
public struct SessionModelBuilder: ~Copyable {
    var analyzer: Analyzer
    var logs: [AdapterLog] = []
    private let budget: ModelBudget
    private var current = 0
    private var damage: Int?
    private var maker: String?

    public init(_ knowledge: AnalysisKnowledge = AnalysisKnowledge(), limits: SessionLimits = .init()) {
        analyzer = Analyzer(knowledge)
        budget = ModelBudget(limits)
    }

    /// Adds the next record of a log; logs are numbered from 0.
    public mutating func add(_ record: borrowing Record, file: Int = 0) {
        analyzer.analyze(record, file: file)
        let header = record.header
        if header.kind == .monitor, header.foreignType == MonitorOpcode.systemNote.rawValue, maker == nil {
            maker = String(decoding: record.octets.copied().prefix { $0 != 0 }, as: UTF8.self)
        }
        // Records without an adapter belong to no session.
        guard header.adapter != 0xFFFF || header.kind != .monitor, header.kind != .note,
            let log = log(of: header.adapter, in: file, at: header.time)
        else { return }
        logs[log].add(record, analyzer)
    }

    /// Records that the file can't be read beyond a record.
    public mutating func noteDamage(record: Int) { damage = record }

    /// Returns the model of one adapter; nil for the adapter with the most ATT PDUs, centrals first.
    public consuming func model(of adapter: UInt16? = nil) throws(SessionModel.Failure) -> SessionModel {
        analyzer.finish()
        for log in logs.indices { logs[log].finish(analyzer, damage: damage) }
        let chosen: AdapterLog?
        if let adapter {
            chosen = logs.first { $0.adapter == adapter }
            guard chosen != nil else { throw .unknownAdapter(adapter) }
        } else {
            // `max` returns the last of equal elements, but the first is wanted.
            chosen = logs.reversed().max { $0.weight < $1.weight }
        }
        guard let chosen else { throw .noAdapter }
        var model = SessionModel(chosen)
        model.maker = maker
        for log in logs where log.adapter != chosen.adapter || log.file != chosen.file {
            let count = log.connections.count { $0.isCentral && $0.status == .success }
            guard count > 0 else { continue }
            model.otherAdapters.append(.init(adapter: log.adapter, connections: count))
        }
        let others = model.otherAdapters.reduce(0) { $0 + $1.connections }
        if adapter == nil, others > 0 { model.obstacles.append(Obstacle(.otherAdapter, count: others)) }
        return model
    }

    private mutating func log(of adapter: UInt16, in file: Int, at time: CaptureTime) -> Int? {
        if current < logs.count, logs[current].adapter == adapter, logs[current].file == file {
            return current
        }
        if let known = logs.firstIndex(where: { $0.adapter == adapter && $0.file == file }) {
            current = known
            return known
        }
        guard logs.count < budget.limits.adapters else { return nil }
        logs.append(AdapterLog(file: file, adapter: adapter, origin: time, budget))
        current = logs.count - 1
        return current
    }
}

/// The limits that the models of a log's adapters share, and the amounts that they hold so far.
final class ModelBudget {
    let limits: SessionLimits
    /// Bytes of PDUs and advertising data.
    var octets = 0
    var pdus = 0

    init(_ limits: SessionLimits = SessionLimits()) { self.limits = limits }
}
