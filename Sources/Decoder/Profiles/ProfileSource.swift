import BluetoothCore
import PayloadFormat
import Synchronization
import WireBytes

/// A profile of a set. One that comes with the program is read when a value needs it, channel by channel:
/// most logs need few of the channels, or none.
public final class ProfileSource: Sendable {
    /// The profiles that come with the program, in the order of their names.
    public static let shipped = Profile.shippedDocuments.compactMap { ProfileSource(text: $0.value) }

    private struct Read {
        /// Everything but the channels.
        var frame: Profile?
        /// The reader, which knows the profile's byte order once it has read the frame.
        var document = ProfileDocument()
        var channels: [ProfileChannel?]
    }

    /// The profile's name.
    public let name: String
    /// The selectors of each channel.
    let selectors: [[AttributeSelector]]
    /// The selectors of each channel in advertising data.
    let advertising: [[AdvertisingSelector]]
    /// The selectors of each channel among the SDUs of L2CAP channels.
    let l2cap: [[L2CAPSelector]]
    private let text: [UInt8]
    private let outline: ProfileOutline
    private let read: Mutex<Read>

    /// Creates the source of a profile that was read.
    init(_ profile: Profile) {
        name = profile.name
        selectors = profile.channels.map(\.attributes)
        advertising = profile.channels.map(\.advertising)
        l2cap = profile.channels.map(\.l2cap)
        text = []
        outline = ProfileOutline()
        read = Mutex(Read(frame: profile, channels: profile.channels))
    }

    /// Creates the source of a profile from a text that is known to be right; nil without a name.
    init?(text: [UInt8]) {
        let outline = ProfileOutline(text)
        guard let name = outline.name else { return nil }
        self.name = name
        selectors = outline.channels.map(\.selectors)
        advertising = outline.channels.map(\.advertising)
        l2cap = outline.channels.map(\.l2cap)
        self.text = text
        self.outline = outline
        read = Mutex(Read(channels: Array(repeating: nil, count: outline.channels.count)))
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

    /// The pairs of requests and responses.
    var pairs: [ProfilePair] { frame.pairs }

    private var frame: Profile { read.withLock { frame(&$0) } }

    private func frame(_ read: inout Read) -> Profile {
        if let frame = read.frame { return frame }
        // The text without its channels.
        let root = try? JSONParser.parse(
            Array(text[..<outline.body.lowerBound] + text[outline.body.upperBound...]))
        let frame = valid(root.flatMap { read.document.frame($0) })
        read.frame = frame
        return frame
    }

    /// Returns a channel by its number in the profile.
    func channel(_ number: Int) -> ProfileChannel {
        read.withLock { read in
            if let channel = read.channels[number] { return channel }
            _ = frame(&read)
            let node = try? JSONParser.parse(Array(text[outline.channels[number].range]))
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

extension Profile {
    /// Returns the profile with this name that comes with the program; nil if absent.
    public static func shipped(named name: String) -> Profile? {
        ProfileSource.shipped.first { $0.name == name }?.profile
    }
}

/// The channels of a profile and their selectors, found without reading fields.
struct ProfileOutline {
    struct Channel {
        /// Its place in the text.
        var range: Range<Int>
        var selectors: [AttributeSelector] = []
        var advertising: [AdvertisingSelector] = []
        var l2cap: [L2CAPSelector] = []
    }

    /// A list of selectors in a channel.
    private enum List {
        case attributes, advertising, l2cap
    }

    private(set) var name: String?
    /// The place in the text of what the list of channels holds.
    private(set) var body = 0..<0
    private(set) var channels: [Channel] = []

    /// Creates an empty outline.
    init() {}

    /// Finds the channels of a right profile in one pass over its brackets and strings. Selectors by handle,
    /// and companies and SPSMs that are not in strings, are not found.
    init(_ text: [UInt8]) {
        var depth = 0
        var index = 0
        // The last key at each depth: root 1, channels 2, channel 3, selectors 4, selector 5, operations 6.
        var keys = [String](repeating: "", count: 7)
        var list: List?
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth == 2, keys[1] == "channels" {
                    body = index + 1..<index + 1
                } else if depth == 3, keys[1] == "channels" {
                    channels.append(Channel(range: index..<index))
                } else if depth == 4 {
                    if keys[1] == "channels" { list = Self.lists[keys[3]] }
                } else if depth == 5, list == .attributes {
                    channels[channels.count - 1].selectors.append(AttributeSelector())
                } else if depth == 5, list == .advertising {
                    channels[channels.count - 1].advertising.append(AdvertisingSelector(owner: .company(0)))
                } else if depth == 6, list == .attributes {
                    self[selector: \.operations] = []
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 4 {
                    list = nil
                } else if depth == 3, keys[1] == "channels" {
                    channels[channels.count - 1].range =
                        channels[channels.count - 1].range.lowerBound..<index + 1
                } else if depth == 2, keys[1] == "channels" {
                    body = body.lowerBound..<index
                    // Pairs and types follow, which may be long.
                    if name != nil { return }
                }
                depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard depth == 1 || depth == 3 || list != nil, index < text.count else { break }
                let string = String(decoding: text[start..<index], as: UTF8.self)
                if text[(index + 1)...].first(where: { $0 > 0x20 }) == UInt8(ascii: ":") {
                    keys[depth] = string
                } else if depth == 1, keys[1] == "name" {
                    name = string
                } else {
                    switch list {
                    case .attributes: take(string, as: keys[5])
                    case .advertising: take(advertising: string, as: keys[5])
                    case .l2cap: take(l2cap: string, as: keys[5])
                    case nil: break
                    }
                }
            default: break
            }
            index += 1
        }
    }

    private mutating func take(_ string: String, as key: String) {
        switch key {
        case "service": self[selector: \.service] = BluetoothUUID(string)
        case "characteristic": self[selector: \.characteristic] = BluetoothUUID(string)
        case "valuePrefix": self[selector: \.valuePrefix] = (try? Hex.octets(string)) ?? []
        case "operations":
            ProfileOperation(rawValue: string).map { _ = self[selector: \.operations].insert($0) }
        default: break
        }
    }

    private mutating func take(advertising string: String, as key: String) {
        let channel = channels.count - 1
        let last = channels[channel].advertising.count - 1
        switch key {
        case "company":
            let code = JSONNode.code(string).map { UInt16(truncatingIfNeeded: $0) }
            channels[channel].advertising[last].owner = .company(code ?? 0)
        case "serviceData":
            BluetoothUUID(string).map { channels[channel].advertising[last].owner = .service($0) }
        case "valuePrefix":
            channels[channel].advertising[last].valuePrefix = (try? Hex.octets(string)) ?? []
        default: break
        }
    }

    private mutating func take(l2cap string: String, as key: String) {
        let selector: L2CAPSelector? =
            switch key {
            case "psm": JSONNode.code(string).map { .psm(UInt16(truncatingIfNeeded: $0)) }
            case "psmField": .field(string)
            default: nil
            }
        if let selector { channels[channels.count - 1].l2cap.append(selector) }
    }

    private static let lists: [String: List] = [
        "attributes": .attributes, "advertising": .advertising, "l2cap": .l2cap,
    ]

    /// A member of the last selector.
    private subscript<Value>(selector member: WritableKeyPath<AttributeSelector, Value>) -> Value {
        get {
            channels[channels.count - 1].selectors[channels[channels.count - 1].selectors.count - 1][
                keyPath: member]
        }
        set {
            let last = channels[channels.count - 1].selectors.count - 1
            channels[channels.count - 1].selectors[last][keyPath: member] = newValue
        }
    }
}
