import BluetoothCore

/// The attributes of a bonded server, kept so that it need not be asked again.
///
/// Source: Core Specification, Vol 3, Part G, 2.5.2.
public struct PeerDatabase: Hashable, Sendable {
    /// Most attributes of one server that are kept.
    static let limit = 1_000

    /// The server's hash when they were found, 16 octets; empty for a server without one.
    var hash: [UInt8] = []
    private(set) var found: [GATTOperation: GATTOutcome] = [:]
    private var count = 0

    public init() {}

    /// Whether nothing is kept.
    public var isEmpty: Bool { found.isEmpty }

    /// The result of a discovery; nil if the server has to be asked.
    subscript(operation: GATTOperation) -> GATTOutcome? {
        if let outcome = found[operation] { return outcome }
        guard case .discoverServices(let uuid?) = operation,
            case .services(let all)? = found[.discoverServices()]
        else { return nil }
        return .services(all.filter { $0.uuid == uuid })
    }

    /// Keeps what an operation found, if it was a discovery.
    ///
    /// - Returns: whether it was.
    mutating func note(_ operation: GATTOperation, _ outcome: GATTOutcome) -> Bool {
        let size: Int
        switch (operation, outcome) {
        case (.discoverServices, .services(let all)): size = all.count
        case (.discoverIncludes, .includes(let all)): size = all.count
        case (.discoverCharacteristics, .characteristics(let all)): size = all.count
        case (.discoverDescriptors, .descriptors(let all)): size = all.count
        default: return false
        }
        // An empty answer takes room, too.
        guard found[operation] == nil, count + size + 1 <= Self.limit else { return true }
        count += size + 1
        found[operation] = outcome
        return true
    }

    /// Adds what another has.
    mutating func add(_ other: PeerDatabase) {
        for (operation, outcome) in other.found { _ = note(operation, outcome) }
    }

    /// The handle of Service Changed, if it was found.
    var serviceChanged: UInt16? {
        for case .characteristics(let all) in found.values {
            if let one = all.first(where: { $0.uuid == .serviceChanged }) { return one.valueHandle }
        }
        return nil
    }
}

extension GATTOperation {
    /// Whether it asks for what a database has, and not for values.
    var isDiscovery: Bool {
        switch self {
        case .discoverServices, .discoverIncludes, .discoverCharacteristics, .discoverDescriptors: true
        default: false
        }
    }
}

// As it is kept with a bond: a line of text for each discovery, `services`, `service UUID`, `includes`,
// `characteristics` or `descriptors`, with the range of handles, and what was found: `UUID:HANDLE:…`.
extension PeerDatabase {
    var lines: [String] {
        found.map { operation, outcome in
            ([Self.word(operation)] + Self.items(outcome)).joined(separator: " ")
        }.sorted()
    }

    /// Nil if a line has another form.
    init?(hash: [UInt8], lines: [String]) {
        self.hash = hash
        guard lines.count <= Self.limit else { return nil }
        for line in lines {
            let words = line.split(separator: " ").map { $0.split(separator: ":").map(String.init) }
            guard let head = words.first, let entry = Self.entry(head, Array(words.dropFirst())) else {
                return nil
            }
            guard note(entry.0, entry.1) else { return nil }
        }
    }

    private static func word(_ operation: GATTOperation) -> String {
        switch operation {
        case .discoverServices(let uuid?): "service:\(uuid)"
        case .discoverIncludes(let range): "includes:\(range.lowerBound):\(range.upperBound)"
        case .discoverCharacteristics(let range): "characteristics:\(range.lowerBound):\(range.upperBound)"
        case .discoverDescriptors(let range): "descriptors:\(range.lowerBound):\(range.upperBound)"
        default: "services"
        }
    }

    private static func items(_ outcome: GATTOutcome) -> [String] {
        switch outcome {
        case .services(let all): all.map { "\($0.uuid):\($0.handle):\($0.endHandle)" }
        case .includes(let all):
            all.map {
                "\($0.service.uuid):\($0.declarationHandle):\($0.service.handle):\($0.service.endHandle)"
            }
        case .characteristics(let all):
            all.map { one in
                let handles = [one.declarationHandle, one.valueHandle, one.endHandle]
                let numbers = [UInt16(one.properties.rawValue)] + handles
                return ([one.uuid.description] + numbers.map(\.description)).joined(separator: ":")
            }
        case .descriptors(let all): all.map { "\($0.uuid):\($0.handle)" }
        default: []
        }
    }

    private static func entry(
        _ head: [String], _ items: [[String]]
    ) -> (GATTOperation, GATTOutcome)? {
        let bounds = head.dropFirst().compactMap { UInt16($0) }
        let range = bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : nil
        // A UUID and numbers.
        let fields = items.compactMap { item -> (uuid: BluetoothUUID, numbers: [UInt16])? in
            guard let uuid = item.first.flatMap({ BluetoothUUID($0) }) else { return nil }
            let numbers = item.dropFirst().compactMap { UInt16($0) }
            return numbers.count == item.count - 1 ? (uuid, numbers) : nil
        }
        func all<Value>(_ count: Int, _ make: (BluetoothUUID, [UInt16]) -> Value) -> [Value]? {
            guard fields.count == items.count, fields.allSatisfy({ $0.numbers.count == count }) else {
                return nil
            }
            return fields.map { make($0.uuid, $0.numbers) }
        }
        func services() -> GATTOutcome? {
            all(2) { GATTService(uuid: $0, handle: $1[0], endHandle: $1[1]) }.map { .services($0) }
        }
        switch (head.first, range) {
        case ("services", nil) where head.count == 1: return services().map { (.discoverServices(), $0) }
        case ("service", nil) where head.count == 2:
            guard let uuid = BluetoothUUID(head[1]) else { return nil }
            return services().map { (.discoverServices(uuid), $0) }
        case ("includes", let range?):
            let found = all(3) {
                GATTInclude(
                    declarationHandle: $1[0],
                    service: GATTService(uuid: $0, handle: $1[1], endHandle: $1[2]))
            }
            return found.map { (.discoverIncludes(range), .includes($0)) }
        case ("characteristics", let range?):
            let found = all(4) {
                GATTCharacteristic(
                    uuid: $0, properties: .init(rawValue: UInt8(truncatingIfNeeded: $1[0])),
                    declarationHandle: $1[1], valueHandle: $1[2], endHandle: $1[3])
            }
            return found.map { (.discoverCharacteristics(range), .characteristics($0)) }
        case ("descriptors", let range?):
            let found = all(1) { GATTDescriptor(uuid: $0, handle: $1[0]) }
            return found.map { (.discoverDescriptors(range), .descriptors($0)) }
        default: return nil
        }
    }
}
