import UQDK

// Entries for those who test cars and what listens to them: octets as they are.
extension UQDKBleManager {
    /// Sends the octets of a message as they are, cut into fragments under this id. The manager's own next id
    /// does not move, nothing is secured, and any response under the id ends it.
    public func sendRaw(message octets: [UInt8], id: UInt64, _ completion: @escaping UQDKCompletion) {
        bleAdapter.queue.run { [self] in
            do throws(UQDKBleError) {
                raw(try cut(octets, id: id), id, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Writes values as they are; the response is awaited under this id.
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
