public import BluetoothCore

/// A server's record of a client; that of a bonded client is kept between links.
///
/// Source: Core Specification, Vol 3, Part G, 2.5.2.1, 3.3.3.3 and 7.2.
public struct ClientRecord: Hashable, Sendable {
    /// A client's subscription to a characteristic.
    public struct Subscription: Hashable, Codable, Sendable {
        /// The handle of the Client Characteristic Configuration.
        public var handle: UInt16
        /// The characteristic, so that a later attribute with the same handle is not mistaken for it.
        public var uuid: BluetoothUUID
        public var configuration: GATTClientConfiguration

        private enum CodingKeys: String, CodingKey {
            case handle, configuration
            case uuid = "characteristic"
        }

        public init(handle: UInt16, uuid: BluetoothUUID, configuration: GATTClientConfiguration) {
            self.handle = handle
            self.uuid = uuid
            self.configuration = configuration
        }
    }

    /// The subscriptions whose configuration is not 0.
    public var subscriptions: [Subscription] = []
    /// Client Supported Features, as the client wrote it.
    public var features: [UInt8] = []
    /// Hash of the database that the client knows, 16 bytes; empty before the first database.
    public var databaseHash: [UInt8] = []

    public init() {}

    /// Whether the client asked to be informed of database changes by errors too (Robust Caching).
    var isRobust: Bool { (features.first ?? 0) & 1 != 0 }

    mutating func set(_ subscription: Subscription) {
        subscriptions.removeAll { $0.handle == subscription.handle }
        if subscription.configuration != [] { subscriptions.append(subscription) }
    }
}
