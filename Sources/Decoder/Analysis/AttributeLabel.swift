public import BluetoothCore
import WireBytes

/// The identity of an attribute handle, and the source of that knowledge.
public struct AttributeLabel: Hashable, Sendable {
    /// The service that contains it.
    public var service: BluetoothUUID?
    /// The characteristic that it belongs to.
    public var characteristic: BluetoothUUID?
    /// The role of the attribute within its service.
    public var part: Part
    /// The source of the label.
    public var source: Source
    /// The index, among the files read together, of the file with the frame that it was learned from.
    public var file: UInt16 = 0
    /// The frame that it was learned from; 0 if it comes from elsewhere.
    public var frame: Int

    /// The role of an attribute within its service.
    public enum Part: Hashable, Sendable {
        /// The service's declaration.
        case service
        /// An include declaration.
        case include
        /// The characteristic's declaration.
        case declaration
        /// The characteristic's value.
        case value
        /// A descriptor, with its type if that is known.
        case descriptor(BluetoothUUID?)
    }

    /// Source of a label, best first.
    public enum Source: UInt8, Hashable, Sendable {
        /// Discovery on this link.
        case discovered
        /// Discovery on an earlier link to the same identity.
        case earlierLink
        /// A file: `--gatt`, a sibling log, or BlueZ's cache.
        case file
        /// A database whose hash the peer showed.
        case databaseHash
        /// The way the attribute is used.
        case inferred

        /// The name in the outputs.
        public var name: StaticText {
            switch self {
            case .discovered: "discovered"
            case .earlierLink: "earlier-link"
            case .file: "file"
            case .databaseHash: "database-hash"
            case .inferred: "inferred"
            }
        }
    }

    /// The UUID that names the attribute best: the descriptor's, the characteristic's, else the service's.
    public var uuid: BluetoothUUID? {
        switch part {
        case .service: service
        case .include: nil
        case .declaration, .value: characteristic
        case .descriptor(let type): type
        }
    }

    /// Whether it is a Client Characteristic Configuration descriptor.
    public var isClientConfiguration: Bool { part == .descriptor(BluetoothUUID(0x2902 as UInt16)) }
    /// Whether it is a Client Characteristic Configuration descriptor, or a descriptor of unknown type.
    var mayBeClientConfiguration: Bool { isClientConfiguration || part == .descriptor(nil) }
}
