import CoreBluetooth
import Foundation

/// What an application does with a channel: it writes what it has, and reads what comes.
final class Talker: NSObject, StreamDelegate, @unchecked Sendable {
    let channel: CBL2CAPChannel
    let lines = Lines()
    /// Bytes to be sent.
    var pending: [UInt8] = []
    var came: [UInt8] = []
    /// Whether it sends back what comes.
    let echoes: Bool
    /// Bytes read at once.
    let portion: Int
    /// Takes the place of reading.
    var onBytes: ((Talker) -> Void)?

    init(_ channel: CBL2CAPChannel, echoes: Bool = false, portion: Int = 100, loop: RunLoop = .current) {
        self.channel = channel
        self.echoes = echoes
        self.portion = portion
        super.init()
        for stream in [channel.inputStream as Stream, channel.outputStream as Stream] {
            stream.delegate = self
            stream.schedule(in: loop, forMode: .default)
            stream.open()
        }
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        let name = aStream === channel.inputStream ? "in" : "out"
        switch eventCode {
        case .openCompleted: lines.add("\(name) open")
        case .hasBytesAvailable:
            lines.add("\(name) bytes")
            if let onBytes { onBytes(self) } else { read() }
        case .hasSpaceAvailable:
            lines.add("\(name) space")
            write()
        case .endEncountered: lines.add("\(name) end")
        case .errorOccurred: lines.add("\(name) error \((aStream.streamError).mark)")
        default: lines.add("\(name) \(eventCode)")
        }
    }

    func read() {
        var buffer = [UInt8](repeating: 0, count: portion)
        let count = unsafe channel.inputStream.read(&buffer, maxLength: buffer.count)
        guard count > 0 else { return lines.add("read \(count)") }
        came += buffer[..<count]
        guard echoes else { return }
        pending += buffer[..<count]
        write()
    }

    func write() {
        while !pending.isEmpty, channel.outputStream.hasSpaceAvailable {
            let count = unsafe channel.outputStream.write(pending, maxLength: pending.count)
            guard count > 0 else { return lines.add("wrote \(count)") }
            pending.removeFirst(count)
        }
    }

    func say(_ bytes: [UInt8]) {
        pending += bytes
        write()
    }

    func close() {
        channel.inputStream.close()
        channel.outputStream.close()
    }
}
