public import BluetoothCore

/// An attribute of a device, known from a capture or a given database.
public struct KnownAttribute: Hashable, Sendable {
    /// Kind and content of an attribute.
    public enum Content: Hashable, Sendable {
        /// The declaration of a service that ends at a handle.
        case service(BluetoothUUID, endHandle: UInt16, isPrimary: Bool)
        /// The declaration of a characteristic; without UUID if the record was truncated before it.
        case characteristic(BluetoothUUID?, properties: UInt8, valueHandle: UInt16)
        /// A value or descriptor of this type.
        case other(BluetoothUUID)
    }

    /// The attribute's handle.
    public var handle: UInt16
    public var content: Content
    /// The source of the knowledge.
    public var source: AttributeLabel.Source
    /// The frame that it was learned from; 0 if it comes from elsewhere.
    public var frame: Int

    public init(handle: UInt16, content: Content, source: AttributeLabel.Source, frame: Int) {
        self.handle = handle
        self.content = content
        self.source = source
        self.frame = frame
    }
}

extension Analyzer {
    /// Returns the known attributes of the peer's server on a link (an index of ``links``): services first,
    /// then characteristics, then other attributes, each by handle.
    ///
    /// Attributes of a link that has just ended are available until the next record.
    ///
    /// - Parameter isOwn: whether to return those of the adapter's own server instead.
    public func knownAttributes(ofLink slot: Int, isOwn: Bool = false) -> [KnownAttribute] {
        guard links.indices.contains(slot) else { return [] }
        let database = isOwn ? ownDatabase(slot: slot) : peers[links[slot].peer].database
        let number = links[slot].number
        func make(
            at handle: UInt16, _ content: KnownAttribute.Content, _ origin: AttributeDatabase.Origin
        ) -> KnownAttribute {
            let isEarlier = origin.source == .discovered && origin.link != number
            return KnownAttribute(
                handle: handle, content: content, source: isEarlier ? .earlierLink : origin.source,
                frame: origin.frame)
        }
        return database.services.map {
            make(at: $0.start, .service($0.uuid, endHandle: $0.end, isPrimary: $0.isPrimary), $0.origin)
        }
            + database.characteristics.map {
                make(
                    at: $0.declaration,
                    .characteristic($0.uuid, properties: $0.properties, valueHandle: $0.value), $0.origin)
            } + database.attributes.map { make(at: $0.handle, .other($0.type), $0.origin) }
    }

    /// Returns the attributes of the adapter's own server: those in the log, else those given for its
    /// address.
    private func ownDatabase(slot: Int) -> AttributeDatabase {
        let (file, adapter) = (links[slot].file, links[slot].adapter)
        let shown = adapters.database(file: file, adapter: adapter)
        guard shown.isEmpty, let address = adapters.address(file: file, adapter: adapter) else {
            return shown
        }
        return peers.given(of: address) ?? shown
    }
}
