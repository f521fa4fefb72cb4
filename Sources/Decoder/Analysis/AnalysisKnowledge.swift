import BluetoothCore
public import UQDK

/// What a run knows before it reads the first record.
public struct AnalysisKnowledge: Sendable {
    /// The digital-key protocol's dialects and keys.
    public var uqdk: UQDKKnowledge

    /// Knowledge of reference format 1 alone, unless more is given.
    public init(uqdk: UQDKKnowledge = UQDKKnowledge()) { self.uqdk = uqdk }
}

/// The characteristics that the annotators above ATT look for: a handful, compared one by one on the way of
/// every value.
struct WatchedCharacteristics: Sendable {
    private var uqdk: [(uuid: BluetoothUUID, attribute: UQDKAttribute)] = []

    init(_ knowledge: AnalysisKnowledge) {
        for dialect in knowledge.uqdk.dialects {
            for uuid in [dialect.gatt.command, dialect.gatt.event, dialect.gatt.info].compactMap({ $0 }) {
                guard let attribute = knowledge.uqdk.attribute(of: uuid),
                    !uqdk.contains(where: { $0.uuid == uuid })
                else { continue }
                uqdk.append((uuid, attribute))
            }
        }
    }

    /// What text calls a characteristic that one of the protocols above ATT uses.
    func name(_ uuid: BluetoothUUID) -> StaticString? {
        switch uqdk(uuid)?.role {
        case .command: "UQDK Command"
        case .event: "UQDK Event"
        case .info: "UQDK Info"
        case nil: nil
        }
    }

    func uqdk(_ uuid: BluetoothUUID) -> UQDKAttribute? {
        for entry in uqdk where entry.uuid == uuid { return entry.attribute }
        return nil
    }
}
