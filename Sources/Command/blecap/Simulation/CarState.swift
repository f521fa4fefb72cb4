import CommandLineKit
import FoundationEssentials
import Runtime
import SimulatedDevices
import WireBytes

/// State of a simulated car kept between two runs, in the file of `--state`: the activated keys and their
/// counters. It holds no secret.
struct CarState: Codable {
    struct Key: Codable {
        var keyID: String
        var slot: UInt8?
        var authCounter: UInt64?
        var isRevoked: Bool
        var badProofs: Int
        /// End of its lockout, in seconds since 1970.
        var lockedUntil: Double?
    }

    var version = 1
    var keys: [Key]

    /// Restores the state from the file, if there is one.
    static func restore(_ car: inout CarConfiguration, _ arguments: ParsedArguments) throws(Failure) {
        guard let path = arguments.value(.state), let status = SystemCall.status(of: path) else { return }
        guard status.isRegular else {
            throw Failure(.usage, "\(path): not a file, so no state can be kept there")
        }
        let state: CarState
        do {
            let octets = try arguments.environment.contents(of: path, atMost: 1 << 20).octets
            state = try JSONDecoder().decode(CarState.self, from: Data(octets))
        } catch {
            throw Failure(
                .input, "\(path): not the state of a car", advice: "remove it, or name another file")
        }
        guard state.version == 1 else {
            throw Failure(.input, "\(path): version \(state.version) is not known, 1 is")
        }
        for index in car.keys.indices {
            let id = Hex.text(car.keys[index].keyID)
            guard let kept = state.keys.first(where: { $0.keyID == id }) else { continue }
            car.keys[index].restore(
                slot: kept.slot, authCounter: kept.authCounter, isRevoked: kept.isRevoked,
                badProofs: kept.badProofs,
                lockedFor: kept.lockedUntil.map { .seconds(max(0, $0 - Date().timeIntervalSince1970)) })
        }
    }

    /// Writes the current state, replacing the file atomically.
    static func save(_ car: SimulatedCar, _ arguments: ParsedArguments) throws(Failure) {
        guard let path = arguments.value(.state) else { return }
        let keys = car.keys.map { key in
            let left = key.lockedUntil.map { car.now.duration(to: $0).components.seconds }
            return Key(
                keyID: Hex.text(key.keyID), slot: key.slot, authCounter: key.authCounter,
                isRevoked: key.isRevoked, badProofs: key.badProofs,
                lockedUntil: left.map { Date().timeIntervalSince1970 + Double($0) })
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try encoder.encode(CarState(keys: keys)).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure(.environment, "\(path): can't write the car's state")
        }
    }
}
