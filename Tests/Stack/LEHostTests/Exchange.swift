import LEHost
import Runtime
import Testing

/// Octets written as hexadecimal digits; spaces are for the reader.
func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Octets as hexadecimal digits, for messages that a person reads.
func hex(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
}

/// A client and what was seen of it.
struct Exchange {
    var client = ATTClient()
    var now = Instant.zero
    var sent: [[UInt8]] = []
    var finished: [(GATTToken, Result<GATTOutcome, GATTFailure>)] = []
    var others: [ATTClient.Output] = []
    private var nextToken: UInt64 = 1

    /// Begins an operation.
    @discardableResult
    mutating func start(_ operation: GATTOperation) -> GATTToken {
        let token = GATTToken(rawValue: nextToken)
        nextToken += 1
        take(client.start(operation, token: token, at: now))
        return token
    }

    /// The server has asked for another MTU.
    mutating func agree(onMTU mtu: Int) { take(client.agree(onMTU: mtu)) }

    /// The server sends octets.
    mutating func receive(_ hex: String) { take(client.receive(octets(hex), at: now)) }

    /// Time goes on.
    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        take(client.timeReached(now))
    }

    /// The link goes.
    mutating func close(_ failure: GATTFailure) { take(client.close(failure)) }

    /// Expects that exactly these PDUs were sent since the last time.
    mutating func expectSent(_ expected: String..., location: SourceLocation = #_sourceLocation) {
        #expect(
            sent.map(hex) == expected.map { hex(octets($0)) }, sourceLocation: location)
        sent = []
    }

    /// A request that the client must send, and the server's answer, alternately.
    mutating func play(_ lines: String..., location: SourceLocation = #_sourceLocation) {
        for pair in stride(from: 0, to: lines.count, by: 2) {
            #expect(
                sent.map(hex) == [hex(octets(lines[pair]))], "request \(pair / 2)",
                sourceLocation: location)
            sent = []
            if pair + 1 < lines.count { receive(lines[pair + 1]) }
        }
    }

    /// The only result since the last time.
    mutating func result(location: SourceLocation = #_sourceLocation) -> Result<GATTOutcome, GATTFailure>? {
        #expect(finished.count == 1, sourceLocation: location)
        defer { finished = [] }
        return finished.last?.1
    }

    private mutating func take(_ outputs: [ATTClient.Output]) {
        for output in outputs {
            switch output {
            case .send(let pdu): sent.append(pdu)
            case .finished(let token, let result): finished.append((token, result))
            default: others.append(output)
            }
        }
    }
}
