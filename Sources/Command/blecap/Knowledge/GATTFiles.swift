import Analysis
import CaptureFile
import CommandLineKit
import Replay

/// Sources of known attributes: other captures, and BlueZ's cache files of discovered attributes.
enum GATTFiles {
    /// The longest cache file that is accepted, in bytes.
    static let limit = 4 << 20

    /// Reads the attributes of the `--gatt` files; existing knowledge helps to decode captures among them.
    static func read(
        _ arguments: ParsedArguments, _ knowledge: AnalysisKnowledge
    ) throws(Failure) -> GATTKnowledge {
        var all = GATTKnowledge()
        for path in arguments.values(.gatt) { try read(path, knowledge, arguments.environment, into: &all) }
        return all
    }

    private static func read(
        _ path: String, _ knowledge: AnalysisKnowledge, _ environment: CommandEnvironment,
        into all: inout GATTKnowledge
    ) throws(Failure) {
        var set: CaptureSet
        do throws(CaptureFileError) {
            set = try CaptureSet(paths: [path], input: environment.input.descriptor)
        } catch {
            guard error.cause == .notACapture else { throw Failure(error) }
            return try readCache(path, environment, into: &all)
        }
        let holdsDevice: Bool
        do throws(CaptureFileError) {
            holdsDevice = try all.add(reading: &set, with: knowledge)
        } catch {
            throw Failure(error)
        }
        guard holdsDevice else {
            throw Failure(
                .input, "\(path): no connection in it, so no attributes of any device",
                advice: "give a capture in which the services are discovered")
        }
    }

    private static func readCache(
        _ path: String, _ environment: CommandEnvironment, into all: inout GATTKnowledge
    ) throws(Failure) {
        let (octets, _) = try environment.contents(of: path, atMost: limit)
        do throws(BlueZCacheError) {
            try all.add(bluezCache: octets, of: GATTKnowledge.address(ofCacheFile: path))
        } catch {
            if error == .noAttributes {
                throw Failure(.input, "\(path): neither a capture nor a cache file of BlueZ")
            }
            throw Failure(
                .input, "\(path): not a cache file of BlueZ: \(error)",
                advice: error == .noDevice ? "name it after its device's address, as BlueZ does" : nil)
        }
    }
}
