import CoreBluetooth
import Foundation
public import Gadgets
import Synchronization
import WireBytes

// Values of the band: its battery, its text, and raw writes.
extension BandClient {
    /// Requests the battery's level: a command without response, answered by a notification.
    public func readBattery(_ completion: @escaping Completion<BandBattery>) {
        queue.run { [self] in
            guard let peripheral, let commanding, answering?.isNotifying == true else {
                return completion(.failure(.notConnected))
            }
            let timer = queue.after(options.answerTimeout) { [weak self] in self?.batteryDidTimeOut() }
            batteries.append((completion, timer))
            peripheral.writeValue(Data(BandBattery.command), for: commanding, type: .withoutResponse)
        }
    }

    // Answers come in the order of the commands with equal timeouts, so the first one is late.
    private func batteryDidTimeOut() {
        guard !batteries.isEmpty else { return }
        batteries.removeFirst().completion(.failure(.timedOut))
    }

    /// Reads the value of the answer characteristic as text.
    public func readText(_ completion: @escaping Completion<String>) {
        queue.run { [self] in
            guard let peripheral, let answering else { return completion(.failure(.notConnected)) }
            texts.append(completion)
            peripheral.readValue(for: answering)
        }
    }

    /// Writes bytes given in hexadecimal, with response.
    public func writeDataWithHexStr(
        _ text: String, _ completion: @escaping @Sendable (BandError?) -> Void
    ) {
        let octets: [UInt8]
        do throws(Hex.Problem) {
            octets = try HexText.octets(text, oddDigit: options.oddDigit)
        } catch {
            return queue.run { completion(.invalidHex(error)) }
        }
        queue.run { [self] in
            guard let peripheral, let commanding else { return completion(.notConnected) }
            let limit = peripheral.maximumWriteValueLength(for: .withoutResponse)
            guard octets.count <= limit else { return completion(.tooLong(limit: limit)) }
            writes.append(completion)
            peripheral.writeValue(Data(octets), for: commanding, type: .withResponse)
        }
    }

    /// Handles a value of the answer characteristic: read values are text, notified ones are answers.
    func take(_ value: [UInt8]) {
        let handler = handlers.withLock { $0.value }
        handler?(value)
        do throws(BandBattery.Problem) {
            let battery = try BandBattery(value)
            guard !batteries.isEmpty else { return }
            let first = batteries.removeFirst()
            first.timer.cancel()
            first.completion(.success(battery))
        } catch {
            // Reads and notifications have the same callback, but a text is not an answer.
            if !texts.isEmpty {
                let text = String(validating: value, as: UTF8.self)
                texts.removeFirst()(text.map { .success($0) } ?? .failure(.notText))
            } else if !batteries.isEmpty {
                let first = batteries.removeFirst()
                first.timer.cancel()
                first.completion(.failure(.badAnswer(error)))
            }
        }
    }
}
