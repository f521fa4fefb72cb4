import BluetoothCore
import CommandLineKit
import Crypto
import LinkLayer
import Rendering
import WireBytes

/// The keys that pairings in captures from the air revealed, as a keys file.
enum LearnedKeys {
    /// Fails early if the file of `--save-keys` can't be written.
    static func check(_ arguments: ParsedArguments) throws(Failure) {
        guard let path = arguments.value(.saveKeys) else { return }
        _ = try Output.secretFile(path, arguments)
    }

    /// Writes the file of `--save-keys`, complete or not at all, and returns a notice; nil without the
    /// option.
    static func save(
        _ learned: [LinkKeys.Learned], _ arguments: ParsedArguments
    ) throws(Failure) -> String? {
        guard let path = arguments.value(.saveKeys) else { return nil }
        // A Short Term Key opens no later connection, and zeros are a key that was not recorded.
        let keys = learned.filter { $0.kind != .shortTerm && $0.key.octets.contains { $0 != 0 } }
        guard !keys.isEmpty else { return "\(path): not written, because no pairing revealed a key" }
        var out = TextBuffer()
        out.put("{")
        out.array("peers")
        for key in keys {
            out.separator()
            out.put("\n    {")
            put(key, into: &out)
            out.endObject()
        }
        out.put("\n  ]}\n")
        let file = try Output.secretFile(path, arguments)
        do throws(OutputError) {
            let unfinished = try UnfinishedFile(file)
            var sink = DescriptorSink(borrowing: unfinished.descriptor, name: path)
            try sink.drain(&out)
            try unfinished.publish()
        } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't write the keys")
        }
        return "\(path): \(keys.count.counting("key")) that pairings revealed"
    }

    /// Says that the keys are not written, because the output's reader has gone and the rest of the input was
    /// not read.
    static func reportNotSaved(_ arguments: ParsedArguments, _ console: Console) -> ExitStatus {
        if let path = arguments.value(.saveKeys) {
            console.say("\(path): not written, because the input was not read to its end")
        }
        return .success
    }

    /// Appends a key's members, as an element of `peers` has them.
    private static func put(_ key: LinkKeys.Learned, into out: inout TextBuffer) {
        // A key of unknown devices is tried on every link, as one of other devices.
        let device = key.device ?? key.peer ?? DeviceAddress(0, .public)
        out.member("address", device)
        out.member("addressType", device.withPlainKind.kind == .random ? "random" : "public")
        let octets = Hex.text(key.key.octets)
        switch key.kind {
        case .shortTerm: break
        case .identity: out.member("irk", octets)
        case .longTerm(let names):
            out.member("ltk", octets)
            guard names != LinkKeys.Diversifier(ediv: 0, rand: 0) else { return }
            out.member("ediv", Hex.text(names.ediv.littleOctets(2).reversed()))
            out.member("rand", Hex.text(names.rand.littleOctets(8).reversed()))
        }
    }
}
