import UQDK

// Raw access for testing cars and receivers: bytes are sent unchanged.
extension UQDKBleManager {
    /// Sends a message's bytes unchanged, cut into fragments with this id.
    ///
    /// The manager's own next id stays the same, nothing is secured, and any response with the id completes
    /// the call.
    public func sendRaw(message octets: [UInt8], id: UInt64, _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in
            do throws(UQDKBleError) {
                raw(try cut(octets, id: id), id, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Writes values unchanged; the response is expected under this id.
    public func sendRaw(fragments: [[UInt8]], id: UInt64, _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in raw(fragments, id, completion) }
    }

    private func raw(_ fragments: [[UInt8]], _ id: UInt64, _ completion: @escaping UQDKCompletion) {
        guard isUp else { return completion(.failure(.notReady)) }
        guard commandData[id] == nil else { return completion(.failure(.idInUse)) }
        guard !fragments.isEmpty else { return completion(.failure(.encoding(.noRoom(0)))) }
        commandData[id] = UQDKOutstanding(
            command: nil, session: nil, timeout: options.commandTimeout, attempt: nil, completion: completion)
        bleAdapter.write(fragments, id: id)
    }
}
