public import BluetoothCore
import WireBytes

/// What an attribute handle is, and where that knowledge comes from.
public struct AttributeLabel: Hashable, Sendable {
    /// The service it lies in.
    public var service: BluetoothUUID?
    /// The characteristic it belongs to.
    public var characteristic: BluetoothUUID?
    /// What the attribute is within its service.
    public var part: Part
    /// Where the label comes from.
    public var source: Source
    /// The index of the file with the frame that taught it, among those read together.
    public var file: UInt16 = 0
    /// The frame that taught it; 0 where it comes from elsewhere.
    public var frame: Int

    /// What an attribute is within its service.
    public enum Part: Hashable, Sendable {
        /// The service's declaration.
        case service
        /// An include declaration.
        case include
        /// The characteristic's declaration.
        case declaration
        /// The characteristic's value.
        case value
        /// A descriptor, with its type where that is known.
        case descriptor(BluetoothUUID?)
    }

    /// Where a label comes from, the best first.
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
    /// Whether it is one, or a descriptor whose type is not known.
    var mayBeClientConfiguration: Bool { isClientConfiguration || part == .descriptor(nil) }
}
