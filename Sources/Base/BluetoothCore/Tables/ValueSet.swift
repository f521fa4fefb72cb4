public import WireBytes

/// A set of names for the values or the bits of a field.
///
/// The texts of ``ValueNames`` contain the set under its name; an unknown name is a programmer's error.
@frozen
public struct ValueSet: Sendable, ExpressibleByStringLiteral {
    /// The set's index in ``ValueNames``; negative if a table's rows hold the names.
    @usableFromInline let place: Int

    @usableFromInline init(place: Int) { self.place = place }

    public init(stringLiteral name: StaticString) {
        guard let set = ValueSet(named: StaticText(name)) else { preconditionFailure("no set \(name)") }
        self = set
    }

    init?(named name: StaticText) {
        if name == "att_opcode" || name == "ll_control" {
            self = name == "ll_control" ? .airControl : .attOpcodes
            return
        }
        guard let place = ValueNames.all.places[name] else { return nil }
        self.place = place
    }

    @usableFromInline static var managementCommands: ValueSet { ValueSet(place: -1) }
    @usableFromInline static var managementEvents: ValueSet { ValueSet(place: -2) }
    @usableFromInline static var leEvents: ValueSet { ValueSet(place: -3) }

    /// The names of the ATT PDUs, from their own rows: `att_opcode`.
    @usableFromInline static var attOpcodes: ValueSet { ValueSet(place: -4) }

    /// The names of the link layer's control PDUs, from their own rows: `ll_control`.
    @usableFromInline static var airControl: ValueSet { ValueSet(place: -5) }

    /// Returns the name of a value, or of the bit at a position; nil if unknown.
    public func name(_ value: UInt64) -> StaticText? {
        if place >= 0 { return ValueNames.all.name(value, at: place) }
        guard let code = UInt16(exactly: value) else { return nil }
        return switch place {
        case -1: ManagementTable.commands.name(of: code)
        case -2: ManagementTable.events.name(of: code)
        case -4: ATTTable.pdus.name(of: code)
        case -5: AirTable.control.name(of: code)
        default: HCIEventTable.leEvents.name(of: code)
        }
    }
}

/// The names of coded values and bits, read once from text in the program.
///
/// A line has a set's name, a colon, and the names of the values 0, 1, 2 and so on, separated by semicolons.
/// `HEX=` or `HEX-HEX=` before a name gives its values, and counting continues from there. A line that begins
/// with a space continues the line before, and one that begins with `#` is a comment.
public struct ValueNames: Sendable {
    /// The names of one set: of consecutive values from 0, and of single higher values.
    private struct Place {
        var first = 0..<0
        var others = 0..<0
    }

    private var sets: [Place] = []
    /// Names of consecutive values from 0, set after set; empty for values without a name.
    private var names: [StaticText] = []
    private var others: [(values: ClosedRange<UInt64>, name: StaticText)] = []
    /// The index of each set, by its name.
    private(set) var places: [StaticText: Int] = [:]

    static let all = ValueNames([hci, management, protocols])

    /// Reads the sets of `texts`; of two sets with the same name, the first is used.
    public init(_ texts: [StaticText]) {
        for text in texts {
            var at = 0
            while at < text.count {
                let start = at
                while let octet = text.octets.octet(at: at), octet != 0x3A, octet != 0x0A { at += 1 }
                let name = text[start..<at]
                let isSet = text.octets.octet(at: at) == 0x3A && text.octets.octet(at: start) != 0x23
                let names = at + 1
                // Up to the end of the first line without a continuation.
                while let octet = text.octets.octet(at: at) {
                    if octet == 0x0A, text.octets.octet(at: at + 1) != 0x20 { break }
                    at += 1
                }
                if isSet, places[name] == nil {
                    places[name] = sets.count
                    add(text[names..<at])
                }
                at += 1
            }
        }
    }

    private mutating func add(_ line: StaticText) {
        var place = Place(first: names.count..<names.count, others: others.count..<others.count)
        var next: UInt64 = 0
        var at = 0
        while at < line.count {
            while let octet = line.octets.octet(at: at), octet == 0x20 || octet == 0x0A { at += 1 }
            let start = at
            while let octet = line.octets.octet(at: at), octet != 0x3B, octet != 0x0A { at += 1 }
            let item = line[start..<at]
            at += 1
            guard item.count > 0 else { continue }
            let (values, name) = Self.split(item, next)
            next = values.upperBound &+ 1
            let index = Int(values.lowerBound)
            if values.count == 1, index < 128, place.first.count <= index {
                while names.count - place.first.lowerBound < index { names.append("") }
                names.append(name)
                place.first = place.first.lowerBound..<names.count
            } else {
                others.append((values, name))
            }
        }
        place.others = place.others.lowerBound..<others.count
        sets.append(place)
    }

    /// Splits an item into its values and its name. The values are in hexadecimal before an equals sign, or
    /// else `next`.
    private static func split(_ item: StaticText, _ next: UInt64) -> (ClosedRange<UInt64>, StaticText) {
        var low: UInt64?
        var value: UInt64 = 0
        for at in 0..<min(item.count, 18) {
            guard let octet = item.octets.octet(at: at) else { break }
            if octet == 0x3D, at > 0 {
                let first = low ?? value
                return (first...max(first, value), item[at + 1..<item.count])
            }
            if octet == 0x2D, low == nil {
                low = value
                value = 0
            } else if let digit = Hex.value(ofDigit: octet) {
                value = (value & 0xFFFF_FFFF) << 4 | UInt64(digit)
            } else {
                break
            }
        }
        return (next...next, item)
    }

    func name(_ value: UInt64, at place: Int) -> StaticText? {
        let set = sets[place]
        if value < UInt64(set.first.count) {
            let name = names[set.first.lowerBound + Int(value)]
            if name.count > 0 { return name }
        }
        return others[set.others].first { $0.values.contains(value) }?.name
    }

    /// Returns the name of a value in a set; nil for an unknown set or value.
    public func name(of value: UInt64, in set: StaticText) -> StaticText? {
        places[set].flatMap { name(value, at: $0) }
    }
}

// The sets that code refers to by name.

extension ValueSet {
    @usableFromInline static let attError: ValueSet = "att_error"
    @usableFromInline static let gattClientConfiguration: ValueSet = "gatt_client_configuration"
    @usableFromInline static let gattProperties: ValueSet = "gatt_properties"
    @usableFromInline static let l2capChannel: ValueSet = "l2cap_channel"
    /// The results of a Connection Response on BR/EDR (Vol 3, Part A, 4.3).
    public static let l2capConnectionResult: ValueSet = "l2cap_connection_result"
    /// The results of a Credit Based Connection Response (Vol 3, Part A, 4.26).
    public static let l2capCreditBasedResult: ValueSet = "l2cap_credit_based_result"
    /// The services for which channels are opened, by their fixed PSM or SPSM (Assigned Numbers, 2.5).
    public static let l2capPSM: ValueSet = "l2cap_psm"
    /// By the control field of a frame, without the poll bit.
    public static let rfcommFrame: ValueSet = "rfcomm_frame"
    @usableFromInline static let managementStatus: ValueSet = "mgmt_status"
    /// The reasons why pairing failed (Vol 3, Part H, 3.5.5).
    public static let smpFailureReason: ValueSet = "smp_failure_reason"
}
