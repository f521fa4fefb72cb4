import BluetoothCore
import CommandLineKit
import Crypto
import LinkLayer
import PayloadFormat
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
    ///
    /// Short Term Keys are left out: no later connection uses them.
    static func save(
        _ learned: [LinkKeys.Learned], _ arguments: ParsedArguments
    ) throws(Failure) -> String? {
        guard let path = arguments.value(.saveKeys) else { return nil }
        let entries = learned.compactMap(entry)
        guard !entries.isEmpty else { return "\(path): not written, because no pairing revealed a key" }
        let text = "{\n  \"peers\": [\n" + entries.joined(separator: ",\n") + "\n  ]\n}\n"
        let file = try Output.secretFile(path, arguments)
        do throws(OutputError) {
            let unfinished = try UnfinishedFile(file)
            var sink = DescriptorSink(borrowing: unfinished.descriptor, name: path)
            try sink.write(Array(text.utf8).borrowedOctets)
            try unfinished.publish()
        } catch {
            throw error.failure ?? Failure(.environment, "\(path): can't write the keys")
        }
        return "\(path): \(entries.count.counting("key")) that pairings revealed"
    }

    /// A key as an element of `peers`; nil for a key that is of no further use.
    private static func entry(_ key: LinkKeys.Learned) -> String? {
        // A key of unknown devices is tried on every link, as one of other devices.
        let device = key.device ?? key.peer ?? DeviceAddress(0, .public)
        let kind = device.withPlainKind.kind == .random ? "random" : "public"
        var members = [("address", "\(device)"), ("addressType", kind)]
        let octets = Hex.text(key.key.octets)
        switch key.kind {
        case .shortTerm: return nil
        case .identity: members.append(("irk", octets))
        case .longTerm(let names):
            members.append(("ltk", octets))
            if names != LinkKeys.Diversifier(ediv: 0, rand: 0) {
                members.append(("ediv", Hex.text(bytes(UInt64(names.ediv), 2))))
                members.append(("rand", Hex.text(bytes(names.rand, 8))))
            }
        }
        return "    {" + members.map { "\"\($0.0)\": \"\($0.1)\"" }.joined(separator: ", ") + "}"
    }

    /// The bytes of a number, most significant first.
    private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
