public import Analysis
public import CaptureFile
public import UQDK

// Knowledge from files beside a log, which the caller has opened.

extension AnalysisKnowledge {
    /// Adds the keys of a keys file.
    public mutating func add(_ keys: KeyStore) {
        var all = uqdk.keys
        all.uqdk += keys.uqdk
        all.peers += keys.peers
        all.privateKeys += keys.privateKeys
        let keepsBodies = uqdk.keepsBodies
        uqdk = UQDKKnowledge(dialects: uqdk.dialects, keys: all)
        uqdk.keepsBodies = keepsBodies
    }
}

extension GATTKnowledge {
    /// Adds the attributes that were discovered in captures, which are read to their end.
    ///
    /// - Parameter knowledge: the knowledge with which they are analyzed.
    /// - Returns: whether the captures have a connection, or a device that was unknown.
    public mutating func add(
        reading captures: inout CaptureSet, with knowledge: AnalysisKnowledge
    ) throws(CaptureFileError) -> Bool {
        var analyzer = Analyzer(knowledge)
        while try captures.advance() {
            let log = captures.log
            let record = captures.record()
            analyzer.analyze(record, file: log)
        }
        analyzer.finish()
        let before = count
        add(analyzer)
        return count > before || analyzer.connectionCount > 0
    }
}
