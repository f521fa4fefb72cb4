import BluetoothCore
import PayloadFormat
import Synchronization
import WireBytes

/// A profile of a set. One that comes with the program is read when a value needs it, channel by channel:
/// most logs need few of the channels, or none.
public final class ProfileSource: Sendable {
    /// The profiles that come with the program, in the order of their names.
    public static let shipped = zip(Profile.shippedDocuments, Profile.shippedSelectors).map {
        one, selectors in
        ProfileSource(name: one.key, text: one.value, selectors: selectors)
    }

    private struct Read {
        /// Everything but the channels.
        var frame: Profile?
        /// The places of the channels in the text.
        var outline: ProfileOutline?
        /// The reader, which knows the profile's byte order once it has read the frame.
        var document = ProfileDocument()
        var channels: [ProfileChannel?]
    }

    /// The profile's name.
    public let name: String
    let selectors: [[AttributeSelector]]
    let advertising: [[AdvertisingSelector]]
    /// The selectors of each channel among the SDUs of L2CAP channels.
    let l2cap: [[L2CAPSelector]]
    private let text: [UInt8]
    private let read: Mutex<Read>

    init(_ profile: Profile) {
        name = profile.name
        selectors = profile.channels.map(\.attributes)
        advertising = profile.channels.map(\.advertising)
        l2cap = profile.channels.map(\.l2cap)
        text = []
        read = Mutex(Read(frame: profile, channels: profile.channels))
    }

    /// Creates the source of a profile from a text that is known to be right, and a row of selectors for each
    /// of its channels.
    private init(name: String, text: [UInt8], selectors: String) {
        self.name = name
        self.text = text
        var reader = SelectorReader(selectors)
        let channels = reader.channels()
        self.selectors = channels.map(\.attributes)
        advertising = channels.map(\.advertising)
        l2cap = channels.map(\.l2cap)
        read = Mutex(Read(channels: Array(repeating: nil, count: channels.count)))
    }

    /// The whole profile.
    public var profile: Profile {
        var profile = frame
        profile.channels = selectors.indices.map(channel)
        return profile
    }

    /// The description for a person; nil if absent.
    public var title: String? { frame.title }

    /// Whether a value that does not fit is an error.
    var isStrict: Bool { frame.isStrict }

    var pairs: [ProfilePair] { frame.pairs }

    private var frame: Profile { read.withLock { frame(&$0) } }

    private func frame(_ read: inout Read) -> Profile {
        if let frame = read.frame { return frame }
        // The text without its channels.
        let outline = ProfileOutline(text)
        let root = try? JSONParser.parse(
            Array(text[..<outline.body.lowerBound] + text[outline.body.upperBound...]))
        let frame = valid(root.flatMap { read.document.frame($0) })
        read.outline = outline
        read.frame = frame
        return frame
    }

    func channel(number: Int) -> ProfileChannel {
        read.withLock { read in
            if let channel = read.channels[number] { return channel }
            _ = frame(&read)
            let range = read.outline?.channels[number] ?? 0..<0
            let node = try? JSONParser.parse(Array(text[range]))
            var channel = valid(node.flatMap { read.document.channel($0) })
            channel.attributes = selectors[number]
            channel.advertising = advertising[number]
            channel.l2cap = l2cap[number]
            read.channels[number] = channel
            return channel
        }
    }

    /// A part of a profile that comes with the program: the tests read them all.
    private func valid<Part>(_ part: Part?) -> Part {
        guard let part else { preconditionFailure("the profile \(name) is not right") }
        return part
    }
}

/// The places of the channels in the text of a right profile, found by its brackets and strings alone.
struct ProfileOutline {
    /// The place in the text of what the list of channels holds.
    private(set) var body = 0..<0
    private(set) var channels: [Range<Int>] = []

    init(_ text: [UInt8]) {
        var depth = 0
        var index = 0
        var isInChannels = false
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth == 2, isInChannels { body = index + 1..<index + 1 }
                if depth == 3, isInChannels { channels.append(index..<index) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 3, isInChannels {
                    channels[channels.count - 1] = channels[channels.count - 1].lowerBound..<index + 1
                } else if depth == 2, isInChannels {
                    body = body.lowerBound..<index
                    // Pairs and types follow, which may be long.
                    return
                }
                depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard depth == 1, index < text.count else { break }
                isInChannels =
                    text[start..<index].elementsEqual("channels".utf8)
                    && text[(index + 1)...].first(where: { $0 > 0x20 }) == UInt8(ascii: ":")
            default: break
            }
            index += 1
        }
    }
}

private struct ChannelSelectors {
    var attributes: [AttributeSelector] = []
    var advertising: [AdvertisingSelector] = []
    var l2cap: [L2CAPSelector] = []
}

/// Reads rows that were made while the package was built, a row for each channel: selectors with `;` after
/// each, and the parts of a selector with `,` between them. Every run reads all of them.
private struct SelectorReader {
    private let octets: [UInt8]
    private var index = 0
    /// The sets of operations so far, by the bits of their members: hashing them takes long.
    private var operations: [Set<ProfileOperation>?] = Array(repeating: nil, count: 8)

    init(_ rows: String) { octets = Array(rows.utf8) }

    mutating func channels() -> [ChannelSelectors] {
        var channels: [ChannelSelectors] = []
        while index < octets.count {
            var channel = ChannelSelectors()
            while octets[index] != UInt8(ascii: "\n") { addSelector(to: &channel) }
            index += 1
            channels.append(channel)
        }
        return channels
    }

    private mutating func addSelector(to channel: inout ChannelSelectors) {
        let kind = octets[index]
        index += 1
        switch kind {
        case UInt8(ascii: "a"):
            let operations = operationSet()
            let (service, characteristic) = (uuid(), uuid())
            channel.attributes.append(
                AttributeSelector(
                    service: service, characteristic: characteristic, operations: operations,
                    valuePrefix: prefix()))
        case UInt8(ascii: "c"):
            let company = UInt16(truncatingIfNeeded: number().value)
            channel.advertising.append(AdvertisingSelector(owner: .company(company), valuePrefix: prefix()))
        case UInt8(ascii: "s"):
            guard let service = uuid() else { break }
            channel.advertising.append(AdvertisingSelector(owner: .service(service), valuePrefix: prefix()))
        case UInt8(ascii: "p"): channel.l2cap.append(.psm(UInt16(truncatingIfNeeded: number().value)))
        case UInt8(ascii: "f"):
            let start = index
            while octets[index] != UInt8(ascii: ";") { index += 1 }
            channel.l2cap.append(.field(String(decoding: octets[start..<index], as: UTF8.self)))
            index += 1
        default: break
        }
    }

    /// Takes the first letters of operations; none stands for all.
    private mutating func operationSet() -> Set<ProfileOperation> {
        var bits = 0
        while octets[index] != UInt8(ascii: ",") {
            switch octets[index] {
            case UInt8(ascii: "w"): bits |= 1
            case UInt8(ascii: "n"): bits |= 2
            default: bits |= 4
            }
            index += 1
        }
        index += 1
        if bits == 0 { bits = 7 }
        if let known = operations[bits] { return known }
        var set: Set<ProfileOperation> = []
        if bits & 1 != 0 { set.insert(.write) }
        if bits & 2 != 0 { set.insert(.notify) }
        if bits & 4 != 0 { set.insert(.read) }
        operations[bits] = set
        return set
    }

    /// Takes the digits of a part, and the sign after it.
    private mutating func number() -> (value: UInt128, digits: Int) {
        var (value, digits): (UInt128, Int) = (0, 0)
        while let digit = Hex.value(ofDigit: octets[index]) {
            value = value << 4 | UInt128(digit)
            digits += 1
            index += 1
        }
        index += 1
        return (value, digits)
    }

    private mutating func uuid() -> BluetoothUUID? {
        let (value, digits) = number()
        if digits == 0 { return nil }
        return digits == 32
            ? BluetoothUUID(high: UInt64(value >> 64), low: UInt64(truncatingIfNeeded: value))
            : BluetoothUUID(UInt32(truncatingIfNeeded: value))
    }

    private mutating func prefix() -> [UInt8] {
        let start = index
        while octets[index] != UInt8(ascii: ";") { index += 1 }
        defer { index += 1 }
        if start == index { return [] }
        return (try? Hex.octets(String(decoding: octets[start..<index], as: UTF8.self))) ?? []
    }
}

extension Profile {
    /// Returns the profile with this name that comes with the program; nil if absent.
    public static func shipped(named name: String) -> Profile? {
        ProfileSource.shipped.first { $0.name == name }?.profile
    }
}
