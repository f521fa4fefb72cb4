import LEHost

extension ServerCore {
    /// Requests the connection interval for a latency from a central's host or controller.
    func ask(_ latency: CBPeripheralManagerConnectionLatency, of central: CBCentral) {
        guard let link = centrals.first(where: { $0.value === central })?.key else { return }
        adapter.put(.updateParameters(ConnectionParameters(latency), on: link))
    }
}

extension ConnectionParameters {
    /// Intervals that Apple's devices accept too: steps of 15 ms, a range of 15 ms or more.
    fileprivate init(_ latency: CBPeripheralManagerConnectionLatency) {
        let shortest: UInt16
        switch latency {
        case .low: shortest = 12
        case .medium: shortest = 60
        case .high: shortest = 240
        }
        self.init(intervalMin: shortest, intervalMax: shortest + 12, latency: 0, timeout: 420)
    }
}
