import BluetoothCore
import SimulatedDevices
import UQDK
import WireBytes

/// A simulated car that recorded the log, in its state at the beginning of the log.
///
/// The car acts as the application of the replay, so its proofs and answers are judged. Logs of other cars
/// don't show the state.
struct RecordedCar: Sendable {
    /// The beginning of a simulator log's maker field.
    private static let maker = "blecap simulator"

    let configuration: CarConfiguration
    /// Nonces that the car drew, in order.
    let nonces: [[UInt8]]
    let handles: Set<UInt16>

    /// Returns nil if another program recorded the log, or a key is missing.
    init?(_ model: SessionModel, _ visits: [UQDKVisit], _ keys: KeyStore) {
        guard model.maker?.hasPrefix(Self.maker) == true, let first = visits.first,
            let database = model.ownDatabase,
            visits.allSatisfy({ PlayPlan.frameWithoutKey($0, keys) == nil }),
            let service = database.attributes.first(where: {
                $0.declaredService == first.dialect.gatt.service
            }), service.groupEnd >= service.handle
        else { return nil }
        let requests = visits.flatMap(\.requests)
        let activation = requests.first { $0.purpose == .activate }
        let key = first.keyID(in: keys).flatMap(keys.key)
        if let activation, activation.status != .refusedInState, key?.pairingCode == nil { return nil }
        // A key that was used before any activation had been activated before the log.
        let begun = requests.first {
            $0.purpose == .authBegin || $0.purpose == .activate && $0.status == .success
        }
        let isActivated = begun?.purpose == .authBegin && begun?.status == .success
        let highest = first.authCounterBefore
        var configuration = CarConfiguration(
            keys: keys.uqdk.map { one in
                let isUsed = one.keyID == key?.keyID && isActivated
                return CarKey(
                    keyID: one.keyID, key: one.key, slot: isUsed ? 0 : nil,
                    authCounter: isUsed ? highest : nil)
            }, dialect: first.dialect)
        if let activation, activation.status != .refusedInState {
            configuration.pairingCode = key?.pairingCode.map { String(decoding: $0, as: UTF8.self) }
        }
        let advertised = model.connections.lazy.compactMap(\.advertising).first
        configuration.name = advertised.flatMap { Self.name(in: $0.data) ?? Self.name(in: $0.scanResponse) }
        self.configuration = configuration
        nonces = visits.flatMap(\.carNonces)
        handles = Set(service.handle...service.groupEnd)
    }

    /// Returns the Complete Local Name in advertising data.
    private static func name(in data: [UInt8]) -> String? {
        data.withReader { (reader: inout ByteReader) in
            var structures = ADStructures(reader.wholeSpan)
            while let one = structures.next() {
                if one.type == .completeName { return String(decoding: data[one.data], as: UTF8.self) }
            }
            return nil
        }
    }
}
