import CoreBluetooth
import Runtime

// Values: fragments of messages to and from the car.
extension UQDKBleAdapter {
    /// Maximum length of a fragment with its header, in bytes.
    var maximumValueLength: Int { peripheralManager.maximumValueLength }

    /// Writes a message, after those already waiting.
    func write(_ fragments: [[UInt8]], id: UInt64) {
        writingQueue.append(UQDKBleQueueData(id: id, fragments: fragments))
        pump()
    }

    /// Stops writing a message.
    func stopWriting(_ id: UInt64) { writingQueue.remove(id) }

    /// Passes fragments on: with response one at a time, without response as long as they are accepted.
    func pump() {
        guard status == .ready || status == .authenticating else { return }
        while !isWriting, !writingQueue.isEmpty {
            if options.writeType == .withoutResponse, !peripheralManager.canWriteWithoutResponse { return }
            guard let next = writingQueue.next() else { return }
            isWriting = options.writeType == .withResponse
            writingID = next.id
            if next.isLast { onWritten?(next.id) }
            peripheralManager.write(next.fragment, options.writeType)
        }
    }

    func didWrite(_ isDone: Bool) {
        guard isWriting else { return }
        isWriting = false
        if !isDone, let id = writingID {
            writingQueue.remove(id)
            onWriteFailed?(id)
        }
        pump()
    }

    /// Handles a value that the car has notified.
    func received(_ value: [UInt8]) {
        var problems: [UQDKBleProblem] = []
        let whole = receivingQueue.take(value, at: queue.now, problems: &problems)
        for problem in problems { onProblem?(problem) }
        receivingTimer?.cancel()
        if let deadline = receivingQueue.nextDeadline {
            receivingTimer = queue.after(queue.now.duration(to: deadline)) { [weak self] in
                self?.receivingDidTimeOut()
            }
        }
        if let whole { onMessage?(whole.id, whole.octets) }
    }

    private func receivingDidTimeOut() {
        for problem in receivingQueue.expire(at: queue.now) { onProblem?(problem) }
        guard let deadline = receivingQueue.nextDeadline else { return }
        receivingTimer = queue.after(queue.now.duration(to: deadline)) { [weak self] in
            self?.receivingDidTimeOut()
        }
    }
}
