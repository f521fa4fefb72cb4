public import Analysis
public import BluetoothCore
import LEHost
import WireBytes

/// The attributes of a recorded device's server, in the form needed to answer discovery.
public struct PeerDatabase: Sendable {
    /// An attribute of the server.
    public struct Attribute: AttributeTableEntry, Hashable, Sendable {
        public var handle: UInt16
        public var type: BluetoothUUID
        /// The value of a declaration; nil for values and descriptors.
        public var declaration: [UInt8]?
        /// The last handle of a declared service; for other attributes, their own handle.
        public var groupEnd: UInt16
        /// The source of the knowledge about the attribute.
        public var source: AttributeLabel.Source
        /// The frame that shows the attribute; 0 if the knowledge comes from elsewhere.
        public var frame: Int
        /// The service that contains the attribute.
        public var service: BluetoothUUID?
        public var characteristic: BluetoothUUID?

        var declaredService: BluetoothUUID? {
            guard let declaration, type == .primaryService || type == .secondaryService else { return nil }
            let fields: GATTServiceDeclaration? = declaration.withReader { (reader: inout ByteReader) in
                try? GATTServiceDeclaration(decoding: reader.wholeSpan)
            }
            return fields?.uuid
        }
    }

    /// Sorted by handle.
    public private(set) var attributes = AttributeTable<Attribute>()
    /// Values that were read in the log; the last value of each attribute.
    private var values: [UInt16: [UInt8]] = [:]

    init() {}

    /// - Parameters:
    ///   - known: the attributes known from the analysis.
    ///   - includes: include declarations with their handles.
    init(_ known: [KnownAttribute], includes: [(handle: UInt16, value: [UInt8], frame: Int)]) {
        for one in known {
            guard case .service(let uuid, let end, let isPrimary) = one.content, end >= one.handle else {
                continue
            }
            add(
                one, isPrimary ? .primaryService : .secondaryService,
                GATTServiceDeclaration(uuid: uuid).encoded, groupEnd: end)
        }
        for one in known {
            switch one.content {
            case .service: break
            case .characteristic(let uuid, let properties, let valueHandle):
                guard let uuid else { continue }
                add(
                    one, .characteristicDeclaration,
                    GATTCharacteristicDeclaration(
                        properties: GATTCharacteristicProperties(rawValue: properties),
                        valueHandle: valueHandle, uuid: uuid
                    ).encoded, groupEnd: one.handle)
                add(
                    Attribute(
                        handle: valueHandle, type: uuid, groupEnd: valueHandle, source: one.source,
                        frame: one.frame))
            case .other(let type): add(one, type, nil, groupEnd: one.handle)
            }
        }
        for include in includes {
            add(
                Attribute(
                    handle: include.handle, type: .includeDeclaration, declaration: include.value,
                    groupEnd: include.handle, source: .discovered, frame: include.frame))
        }
        label()
    }

    /// Adds an attribute unless its handle is known.
    mutating func add(_ attribute: Attribute) {
        if self[attribute.handle] == nil { attributes.insert(attribute) }
    }

    /// Converts the UUIDs in these declarations to their 128-bit form.
    mutating func useLongForms(_ handles: Set<UInt16>) {
        for index in attributes.indices where handles.contains(attributes[index].handle) {
            guard let declaration = attributes[index].declaration else { continue }
            attributes[index].declaration = GATTDatabase.longForm(declaration, of: attributes[index].type)
        }
    }

    /// Extends a service so that it includes a handle.
    mutating func extend(_ service: UInt16, to end: UInt16) {
        guard var one = self[service] else { return }
        one.groupEnd = max(one.groupEnd, end)
        attributes.insert(one)
    }

    /// Whether no attribute is known.
    public var isEmpty: Bool { attributes.isEmpty }

    private mutating func add(
        _ known: KnownAttribute, _ type: BluetoothUUID, _ declaration: [UInt8]?, groupEnd: UInt16
    ) {
        add(
            Attribute(
                handle: known.handle, type: type, declaration: declaration, groupEnd: groupEnd,
                source: known.source, frame: known.frame))
    }

    /// Sets the service and the characteristic of each attribute.
    mutating func label() {
        var service: (end: UInt16, uuid: BluetoothUUID)?
        var characteristic: BluetoothUUID?
        for index in attributes.indices {
            let attribute = attributes[index]
            if let known = service, known.end < attribute.handle { service = nil }
            switch attribute.type {
            case .primaryService, .secondaryService:
                characteristic = nil
                service = attribute.declaredService.map { (attribute.groupEnd, $0) }
            case .characteristicDeclaration:
                let next = index + 1 < attributes.count ? attributes[index + 1] : nil
                characteristic = next?.type
            default: break
            }
            attributes[index].service = service?.uuid
            if attributes[index].type != .includeDeclaration {
                attributes[index].characteristic = characteristic
            }
        }
    }

    // MARK: Looking up

    /// The attribute with this handle; nil if it is not known.
    public subscript(handle: UInt16) -> Attribute? { attributes.entry(at: handle) }

    func attributes(in range: ClosedRange<UInt16>) -> ArraySlice<Attribute> { attributes.entries(in: range) }

    /// Returns an attribute's value according to the log; nil if it was never read.
    public func value(of handle: UInt16) -> [UInt8]? { self[handle]?.declaration ?? values[handle] }

    mutating func setValue(_ value: [UInt8], of handle: UInt16) { values[handle] = value }

    func isClientConfiguration(_ handle: UInt16) -> Bool {
        self[handle]?.type == .clientCharacteristicConfiguration
    }

    /// Returns an attribute's assigned name or else its UUID; nil if it is not known.
    func name(of handle: UInt16) -> String? {
        guard let attribute = self[handle] else { return nil }
        let use = AssignedNumbers.UUIDUse.characteristic(in: attribute.service)
        let characteristic = attribute.characteristic.map { Self.name($0, [use]) } ?? "a characteristic"
        switch attribute.type {
        case .clientCharacteristicConfiguration: return "CCCD of " + characteristic
        case .characteristicDeclaration: return "declaration of " + characteristic
        case .primaryService, .secondaryService:
            return "service " + (attribute.service.map { Self.name($0, [.service]) } ?? "")
        default: return Self.name(attribute.type, [use, .descriptor])
        }
    }

    private static func name(_ uuid: BluetoothUUID, _ uses: [AssignedNumbers.UUIDUse]) -> String {
        uses.lazy.compactMap { AssignedNumbers.text(uuid, as: $0) }.first ?? uuid.description
    }
}
