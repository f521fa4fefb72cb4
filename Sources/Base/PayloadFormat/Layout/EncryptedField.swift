import Crypto
import WireBytes

/// The cipher of an encrypted field, with its inputs.
public struct FieldCipher: Hashable, Sendable {
    /// The algorithm.
    public var algorithm: NamedCipher
    /// The terms that form the key; ``keyName`` stands for the one in the keys file.
    public var key: [FormulaTerm] = [.variable(FieldCipher.keyName, nil)]
    /// The terms that form the nonce, the initialization vector or the first counter block.
    public var nonce: [FormulaTerm] = []
    /// The terms that the tag covers beside the field.
    public var additionalData: [FormulaTerm] = []
    /// The name of the field beside this one that holds the tag; nil without one.
    public var tag: String?
    /// The name of the field beside this one that repeats the first bytes of the key; nil without one.
    public var keyStart: String?
    /// Whether the last block ends with padding (PKCS #7).
    public var isPadded = false
    /// The byte order of the counter of AES-CTR in its block.
    public var counterOrder = OctetOrder.big

    /// The name in terms of the key in the keys file.
    public static let keyName = "key"
    /// The name in terms of the device's address, 6 bytes, most significant first.
    public static let addressName = "deviceAddress"

    /// Creates a cipher that needs no more than a key.
    public init(_ algorithm: NamedCipher) { self.algorithm = algorithm }

    /// Whether it can't be opened without an entry of the keys file.
    var needsKeysFile: Bool { key.contains { $0.names.contains(Self.keyName) } }
}

/// A key of the keys file for the encrypted fields of a profile.
public struct FieldKey: Hashable, Sendable {
    /// The profile's name.
    public var profile: String
    /// The address of the device that has the key, a number of 48 bits; nil for any device.
    public var address: UInt64?
    /// The key.
    public var key: SecretKey

    /// Creates a key of a profile's devices.
    public init(profile: String, address: UInt64? = nil, key: SecretKey) {
        self.profile = profile
        self.address = address
        self.key = key
    }
}

/// The knowledge that opens the encrypted fields of a message: keys, and the device that it belongs to.
public struct FieldKeys: Sendable {
    /// The name of the profile that describes the message.
    public var profile: String
    /// The device's address, a number of 48 bits; nil if unknown.
    public var device: UInt64?
    /// All keys, also those of other profiles and devices.
    public var all: [FieldKey]

    /// Creates the knowledge about a message of a profile.
    public init(profile: String, device: UInt64?, _ all: [FieldKey]) {
        self.profile = profile
        self.device = device
        self.all = all
    }

    /// The keys that may open the message: the device's own before those of any device.
    fileprivate var candidates: [SecretKey] {
        let fit = all.filter { $0.profile == profile && ($0.address == nil || $0.address == device) }
        return (fit.filter { $0.address != nil } + fit.filter { $0.address == nil }).map(\.key)
    }

    /// The device's address, most significant byte first.
    fileprivate var deviceOctets: [UInt8]? { device.map { Array($0.littleOctets(6).reversed()) } }
}

// MARK: Opening

extension LayoutReader {
    /// Opens the encrypted ones among fields of one list that were read: their ciphers may use fields after
    /// them.
    mutating func open(_ fields: ArraySlice<FieldLayout>, path: String, in decoded: inout [DecodedField]) {
        var values = FormulaVariables()
        values.add(decoded, of: octets)
        values[FieldCipher.addressName] = keys?.deviceOctets
        for field in fields {
            guard case .encrypted(_, let cipher, let inside) = field.shape,
                let index = decoded.firstIndex(where: { $0.name == field.name }),
                case .octets(let ciphertext) = decoded[index].value
            else { continue }
            let name = path.isEmpty ? field.name : "\(path).\(field.name)"
            let start = decoded[index].range.lowerBound
            do throws(Unopened) {
                let opened = try opened(ciphertext, cipher, inside, name, values)
                decoded[index].value = .group(opened.map { $0.moved(by: start) })
            } catch {
                decoded[index].value = .group([
                    DecodedField(Self.state, .text("encrypted; \(error.reason)")),
                    DecodedField(Self.unopened, .octets(ciphertext), range: decoded[index].range),
                ])
                // The same plaintext looks different under each nonce.
                if !cipher.nonce.isEmpty { decoded[index].isVolatile = true }
            }
        }
    }

    /// The names of the reason and of the bytes of a field that was not opened.
    static let (state, unopened) = ("state", "bytes")

    fileprivate struct Unopened: Error {
        let reason: String
    }

    /// Returns the fields of a plaintext by the first key that fits.
    private mutating func opened(
        _ ciphertext: [UInt8], _ cipher: FieldCipher, _ fields: [FieldLayout], _ name: String,
        _ values: FormulaVariables
    ) throws(Unopened) -> [DecodedField] {
        let candidates = cipher.needsKeysFile ? keys?.candidates.map(Optional.some) ?? [] : [nil]
        var failure = Unopened(reason: "no key for this device: --keys")
        for candidate in candidates {
            var values = values
            if let candidate { values[FieldCipher.keyName] = candidate.octets }
            let plaintext: [UInt8]
            do throws(Unopened) {
                plaintext = try cipher.open(ciphertext, values)
            } catch {
                failure = error
                continue
            }
            var reader = inside(plaintext)
            var decoded: [DecodedField] = []
            do throws(Misfit) {
                try reader.readWhole(fields, path: name, into: &decoded)
            } catch {
                guard cipher.algorithm.authenticates else {
                    failure = Unopened(reason: "wrong key, or another version: what it opens does not fit")
                    continue
                }
                decoded.append(DecodedField("does-not-fit", .text(error.description)))
                decoded.append(DecodedField("opened", .octets(plaintext), range: plaintext.indices))
            }
            refusal = refusal ?? reader.refusal
            return decoded
        }
        throw failure
    }
}

extension FieldCipher {
    /// Returns the plaintext of a field from the values that its terms name.
    fileprivate func open(
        _ ciphertext: [UInt8], _ values: FormulaVariables
    ) throws(LayoutReader.Unopened) -> [UInt8] {
        let secret: [UInt8]
        let tag: [UInt8]
        var inputs = CipherInputs()
        do throws(UnknownValue) {
            secret = try key.concatenation(values)
            inputs.nonce = try nonce.concatenation(values)
            inputs.additionalData = try additionalData.concatenation(values)
            tag = try self.tag.map { [FormulaTerm.variable($0, nil)] }?.concatenation(values) ?? []
        } catch {
            throw LayoutReader.Unopened(reason: "\(error.name) is missing or too short for the cipher")
        }
        inputs.isPadded = isPadded
        inputs.countsFromFirst = counterOrder == .little
        let start = keyStart.flatMap { values[$0] } ?? []
        guard ConstantTime.equal(Array(secret.prefix(start.count)), start) else {
            throw LayoutReader.Unopened(reason: "wrong key: the device's starts differently")
        }
        do throws(CryptoError) {
            return try algorithm.open(ciphertext, tag: tag, inputs, key: secret)
        } catch {
            let reason =
                switch error {
                case .keyLength(let count): "\(algorithm.rawValue) takes no key of \(count.counting("byte"))"
                case .inputLength(let count):
                    "\(algorithm.rawValue) takes no part of \(count.counting("byte"))"
                case .notAuthentic where algorithm.authenticates:
                    "wrong key, or changed bytes: the tag does not fit"
                case .notAuthentic: "wrong key: the padding does not fit"
                default: "\(error)"
                }
            throw LayoutReader.Unopened(reason: reason)
        }
    }
}

extension DecodedField {
    /// Returns the field with its bytes, and those of its nested fields, moved.
    fileprivate func moved(by octets: Int) -> DecodedField {
        var field = self
        field.range = range.lowerBound + octets..<range.upperBound + octets
        switch value {
        case .group(let fields): field.value = .group(fields.map { $0.moved(by: octets) })
        case .list(let elements):
            field.value = .list(elements.map { $0.map { $0.moved(by: octets) } })
        default: break
        }
        return field
    }
}

// MARK: Documents

extension FieldCipher {
    /// Reads the member `cipher` of a field.
    init?(_ object: JSONObjectReader?, _ problems: inout DocumentProblems) {
        guard var object else { return nil }
        var algorithm: NamedCipher?
        if let node = object.member("algorithm", required: true, &problems), let name = node.string(&problems)
        {
            algorithm = NamedCipher(rawValue: name)
            if algorithm == nil {
                let names = NamedCipher.allCases.map(\.rawValue).joined(separator: ", ")
                problems.add(node, found: "\"\(name.prefix(40))\"", expected: "one of \(names)")
            }
        }
        self.init(algorithm ?? .xor)
        if let terms = object.terms("key", &problems) { key = terms }
        nonce = object.terms("nonce", &problems) ?? []
        additionalData = object.terms("additionalData", &problems) ?? []
        tag = object.string("tag", &problems)
        keyStart = object.string("keyStart", &problems)
        isPadded = object.choice("padding", ["none": false, "pkcs7": true], &problems) ?? false
        counterOrder = object.choice("counterEndian", LayoutDocument.orders, &problems) ?? .big
        object.finish(&problems)
        if algorithm == nil { return nil }
    }

    /// Adds the contradictions between a cipher and the fields beside it.
    ///
    /// - Parameter node: the cipher's object.
    func check(_ fields: [FieldLayout], at node: JSONNode, _ problems: inout DocumentProblems) {
        let name = algorithm.rawValue
        let place = { (member: String) -> JSONNode in
            guard case .object(let members) = node.value else { return node }
            return members.first { $0.name == member }?.node ?? node
        }
        var known = [Self.addressName: Optional(6)]
        for field in fields { known[field.name] = .some(field.width) }
        additionalData.check(known, at: place("additionalData"), &problems)
        if let length = nonce.check(known, at: place("nonce"), &problems),
            !algorithm.nonceLengths.contains(length)
        {
            let lengths = algorithm.nonceLengths
            let range =
                lengths.count == 1
                ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
            problems.add(
                place("nonce"), found: "a nonce of \(length.counting("byte"))",
                expected: "\(range) for \(name)")
        }
        known[Self.keyName] = .some(nil)
        if let length = key.check(known, at: place("key"), &problems), !algorithm.takes(keyOctets: length) {
            problems.add(
                place("key"), found: "a key of \(length.counting("byte"))",
                expected: algorithm == .xor ? "1 or more for xor" : "16, 24 or 32 for \(name)")
        }
        for (member, field) in [("tag", tag), ("keyStart", keyStart)] {
            guard let field, !fields.contains(where: { $0.name == field }) else { continue }
            problems.add(
                place(member), found: "\"\(field.prefix(40))\"",
                expected: "the name of a field beside this one")
        }
        let width = tag.map { tag in fields.first { $0.name == tag }?.width ?? 0 } ?? 0
        if !algorithm.takes(tagOctets: width) {
            problems.add(
                place("tag"), found: tag == nil ? "no tag" : "a tag of \(width.counting("byte"))",
                expected: algorithm.authenticates
                    ? "a field of 4 to 16 bytes for \(name)\(algorithm == .aesCCM ? ", an even number" : "")"
                    : "no tag for \(name)")
        }
        let surplus = [
            ("additionalData", !algorithm.authenticates && !additionalData.isEmpty),
            ("padding", isPadded && algorithm != .aesECB && algorithm != .aesCBC),
            ("counterEndian", counterOrder == .little && algorithm != .aesCTR),
        ]
        for (member, isSurplus) in surplus where isSurplus {
            problems.add(place(member), found: "\(member)", expected: "no such member for \(name)")
        }
    }
}
