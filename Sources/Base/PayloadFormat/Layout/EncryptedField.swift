import Crypto
import WireBytes

/// The cipher of an encrypted field, or the algorithm of the tag of one in clear, with its inputs.
public struct FieldCipher: Hashable, Sendable {
    /// The algorithm.
    public var algorithm: NamedCipher
    /// The terms that form the key; ``keyName`` stands for the one in the keys file.
    public var key: [FormulaTerm] = [.variable(FieldCipher.keyName, nil)]
    /// The terms that form the nonce, the initialization vector or the first counter block.
    public var nonce: [FormulaTerm] = []
    /// The terms before the field that the tag also covers.
    public var additionalData: [FormulaTerm] = []
    /// The name of the field beside this one that holds the tag; nil without one.
    public var tag: String?
    /// The number of bytes that are kept of the tag of a field in clear; nil for all.
    public var tagOctets: Int?
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

    var names: [String] {
        (key + nonce + additionalData).flatMap(\.names) + [tag, keyStart].compactMap(\.self)
    }

    /// Whether its field can't be read without the key; otherwise it has only a tag.
    public var encrypts: Bool { algorithm.encrypts }

    /// Whether its key stands in the description, and all that it needs beside it.
    var hasOwnKey: Bool { names.isEmpty }

    /// Whether a name is that of the key in the keys file, or of a value beside it there.
    fileprivate static func isInKeysFile(_ name: String) -> Bool {
        name == keyName || name.hasPrefix(keyName + ".")
    }
}

/// A key of the keys file for the encrypted fields of a profile.
public struct FieldKey: Hashable, Sendable {
    /// The profile's name.
    public var profile: String
    /// The address of the device that has the key, a number of 48 bits; nil for any device.
    public var address: UInt64?
    /// The key.
    public var key: SecretKey
    /// Other values that the device's ciphers use, by their names.
    public var values: [String: SecretKey]

    /// Creates a key of a profile's devices.
    public init(
        profile: String, address: UInt64? = nil, key: SecretKey, values: [String: SecretKey] = [:]
    ) {
        self.profile = profile
        self.address = address
        self.key = key
        self.values = values
    }
}

/// The knowledge that opens the encrypted fields of a message: keys, the device that it belongs to, and
/// earlier messages.
public struct FieldKeys: Sendable {
    /// The name of the profile that describes the message.
    public var profile: String
    /// The device's address, a number of 48 bits; nil if unknown.
    public var device: UInt64?
    /// All keys, also those of other profiles and devices.
    public var all: [FieldKey]
    /// The values of earlier messages of the same link that were remembered.
    public var earlier: FormulaVariables
    /// The results of slow functions; nil to compute them each time.
    public var results: FunctionResults?

    /// Creates the knowledge about a message of a profile.
    public init(
        profile: String, device: UInt64?, _ all: [FieldKey], earlier: FormulaVariables = FormulaVariables(),
        results: FunctionResults? = nil
    ) {
        self.earlier = earlier
        self.results = results
        self.profile = profile
        self.device = device
        self.all = all
    }

    /// The keys that may open the message: the device's own before those of any device.
    fileprivate var candidates: [FieldKey] {
        let fit = all.filter { $0.profile == profile && ($0.address == nil || $0.address == device) }
        return fit.filter { $0.address != nil } + fit.filter { $0.address == nil }
    }

    /// The device's address, most significant byte first.
    fileprivate var deviceOctets: [UInt8]? { device.map { Array($0.littleOctets(6).reversed()) } }
}

// MARK: Opening

extension LayoutReader {
    /// Opens the encrypted ones among fields of one list that were read, and checks the tags of those in
    /// clear: their ciphers may use fields after them. A field that the description's own key does not open
    /// is a misfit.
    mutating func open(
        _ fields: ArraySlice<FieldLayout>, path: String, in decoded: inout [DecodedField]
    ) throws(Misfit) {
        let outside = self
        for field in fields {
            guard case .encrypted(_, let cipher, let inside) = field.shape,
                let index = decoded.firstIndex(where: { $0.name == field.name })
            else { continue }
            let name = path.isEmpty ? field.name : "\(path).\(field.name)"
            var values = keys?.earlier ?? FormulaVariables()
            values.add(decoded, of: octets, paths: cipher.names)
            guard cipher.encrypts else {
                let range = decoded[index].range
                let start = octets.startIndex
                let covered = Array(octets[start + range.lowerBound..<start + range.upperBound])
                let misfit = decoded[index].check(covered, cipher, values, keys, path: name)
                wrongTag = wrongTag ?? misfit
                continue
            }
            var inner: LayoutReader?
            decoded[index].open(cipher, values, keys) { plaintext, opened throws(Misfit) in
                var reader = outside.inside(plaintext)
                defer { inner = reader }
                try reader.readWhole(inside, path: name, into: &opened)
            }
            refusal = refusal ?? inner?.refusal
            wrongTag = wrongTag ?? inner?.wrongTag
            if cipher.hasOwnKey, case .group(let opened) = decoded[index].value,
                let octets = opened.unopenedOctets
            {
                throw Misfit(
                    check: "cipher", field: name, offset: decoded[index].range.lowerBound,
                    expected: "what its key opens", found: Hex.text(octets))
            }
        }
    }
}

extension [DecodedField] {
    /// The names of the reason and of the bytes of a field that was not opened.
    static let (state, unopened) = ("state", "bytes")

    /// The bytes of an encrypted field with these fields that was not opened; nil for another.
    var unopenedOctets: [UInt8]? {
        guard map(\.name) == [Self.state, Self.unopened], case .octets(let octets)? = last?.value else {
            return nil
        }
        return octets
    }
}

extension DecodedField {
    /// Replaces its bytes by what the first key that fits opens, or by the reason why they stay encrypted.
    ///
    /// - Parameter read: reads the fields of a plaintext.
    mutating func open(
        _ cipher: FieldCipher, _ values: FormulaVariables, _ keys: FieldKeys?,
        _ read: ([UInt8], inout [DecodedField]) throws(Misfit) -> Void
    ) {
        guard case .octets(let ciphertext) = value else { return }
        do throws(Unopened) {
            let opened = try cipher.opened(ciphertext, values, keys, read)
            let start = range.lowerBound
            value = .group(opened.map { $0.moved(by: start) })
        } catch {
            value = .group([
                DecodedField([DecodedField].state, .text("encrypted; \(error.reason)")),
                DecodedField([DecodedField].unopened, .octets(ciphertext), range: range),
            ])
            // The same plaintext looks different under each nonce.
            if !cipher.nonce.isEmpty { isVolatile = true }
        }
    }

    /// Returns the field with its bytes, and those of its nested fields, moved.
    private func moved(by octets: Int) -> DecodedField {
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

/// The reason why a cipher does not open a field, or why its tag was not found right.
struct Unopened: Error {
    /// The reason, without capital and full stop.
    let reason: String
    /// Whether the tag was checked and is wrong.
    var isCertain = false

    fileprivate static let withoutKey = Self(reason: "no key for this device: --keys")
}

extension FieldCipher {
    /// Returns the values for each key that may fit, after those that terms name.
    private func attempts(_ values: FormulaVariables, _ keys: FieldKeys?) -> [FormulaVariables] {
        let needsKeysFile = names.contains(where: Self.isInKeysFile)
        let candidates = needsKeysFile ? keys?.candidates.map(Optional.some) ?? [] : [nil]
        return candidates.map { candidate in
            var values = values
            values.results = keys?.results
            values[Self.addressName] = keys?.deviceOctets
            if let candidate {
                values[Self.keyName] = candidate.key.octets
                for (name, value) in candidate.values { values["\(Self.keyName).\(name)"] = value.octets }
            }
            return values
        }
    }

    /// Returns the reason why the tag of bytes in clear was not found right by any key; nil if it is right.
    func failure(of octets: [UInt8], _ values: FormulaVariables, _ keys: FieldKeys?) -> Unopened? {
        var failure = Unopened.withoutKey
        for values in attempts(values, keys) {
            do throws(Unopened) {
                _ = try open(octets, values)
                return nil
            } catch {
                if error.isCertain || !failure.isCertain { failure = error }
            }
        }
        return failure
    }

    /// Returns the fields of a plaintext by the first key that fits.
    fileprivate func opened(
        _ ciphertext: [UInt8], _ values: FormulaVariables, _ keys: FieldKeys?,
        _ read: ([UInt8], inout [DecodedField]) throws(Misfit) -> Void
    ) throws(Unopened) -> [DecodedField] {
        var failure = Unopened.withoutKey
        for values in attempts(values, keys) {
            let plaintext: [UInt8]
            do throws(Unopened) {
                plaintext = try open(ciphertext, values)
            } catch {
                failure = error
                continue
            }
            var decoded: [DecodedField] = []
            do throws(Misfit) {
                try read(plaintext, &decoded)
            } catch {
                guard algorithm.authenticates else {
                    failure = Unopened(reason: "wrong key, or another version: what it opens does not fit")
                    continue
                }
                decoded.append(DecodedField("does-not-fit", .text(error.description)))
                decoded.append(DecodedField("opened", .octets(plaintext), range: plaintext.indices))
            }
            return decoded
        }
        throw failure
    }

    /// Returns the plaintext of a field from the values that its terms name.
    private func open(_ ciphertext: [UInt8], _ values: FormulaVariables) throws(Unopened) -> [UInt8] {
        var inputs = CipherInputs()
        let secret: [UInt8]
        let tag: [UInt8]
        do throws(UnknownValue) {
            secret = try key.concatenation(values)
            inputs.nonce = try nonce.concatenation(values)
            inputs.additionalData = try additionalData.concatenation(values)
            tag = try self.tag.map { [FormulaTerm.variable($0, nil)] }?.concatenation(values) ?? []
        } catch {
            throw Unopened(reason: error.description)
        }
        inputs.isPadded = isPadded
        inputs.countsFromFirst = counterOrder == .little
        let start = keyStart.flatMap { values[$0] } ?? []
        guard ConstantTime.equal(Array(secret.prefix(start.count)), start) else {
            throw Unopened(reason: "wrong key: the device's starts differently")
        }
        if let whole = algorithm.wholeTagOctets, tag.count != tagOctets ?? whole {
            let reason = "a tag of \(tag.count.counting("byte")) instead of \(tagOctets ?? whole)"
            throw Unopened(reason: reason, isCertain: true)
        }
        do throws(CryptoError) {
            return try algorithm.open(ciphertext, tag: tag, inputs, key: secret)
        } catch {
            let reason =
                switch error {
                case .notAuthentic where algorithm.authenticates:
                    "wrong key, or changed bytes: the tag does not fit"
                case .notAuthentic: "wrong key: the padding does not fit"
                default: "\(algorithm.rawValue) \(error.refusal)"
                }
            throw Unopened(reason: reason, isCertain: error == .notAuthentic)
        }
    }
}

// MARK: Documents

extension FieldCipher {
    /// Reads the member `cipher` of a field.
    init?(_ object: JSONObjectReader?, _ problems: inout DocumentProblems) {
        guard var object else { return nil }
        let algorithm: NamedCipher? = object.choice("algorithm", required: true, &problems)
        self.init(algorithm ?? .xor)
        if let terms = object.terms("key", &problems) { key = terms }
        nonce = object.terms("nonce", &problems) ?? []
        additionalData = object.terms("additionalData", &problems) ?? []
        tag = object.string("tag", &problems)
        tagOctets = object.integer("tagLength", 4...32, &problems).map { Int($0) }
        keyStart = object.string("keyStart", &problems)
        isPadded = object.choice("padding", ["none": false, "pkcs7": true], &problems) ?? false
        counterOrder = object.choice("counterEndian", LayoutDocument.orders, &problems) ?? .big
        object.finish(&problems)
        if algorithm == nil { return nil }
    }

    /// Adds the contradictions between a cipher and the type and the fields of its field.
    func check(type: String, _ fields: [FieldLayout], at node: JSONNode, _ problems: inout DocumentProblems) {
        let expected = encrypts ? "encrypted" : "authenticated"
        if type != expected {
            problems.add(
                node, found: "the type \"\(type)\" with \(algorithm.rawValue)", expected: expected)
        }
        if !encrypts { problems.reserve(fields.map(\.name), at: node) }
    }

    /// Adds the contradictions between a cipher and the values that it may use.
    ///
    /// - Parameters:
    ///   - values: the lengths of these values in bytes, by name; nil for one that varies.
    ///   - node: the cipher's object.
    func check(_ values: [String: Int?], at node: JSONNode, _ problems: inout DocumentProblems) {
        let name = algorithm.rawValue
        let place = { (member: String) -> JSONNode in node.member(member) ?? node }
        var known = values
        known[Self.addressName] = .some(6)
        for name in names where name != Self.keyName && Self.isInKeysFile(name) { known[name] = .some(nil) }
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
            let lengths =
                switch algorithm {
                case .xor, .hmacSHA256: "1 or more"
                case .aesCMAC: "16"
                case .aesCCM, .aesGCM, .aesCTR, .aesECB, .aesCBC: "16, 24 or 32"
                }
            problems.add(
                place("key"), found: "a key of \(length.counting("byte"))", expected: "\(lengths) for \(name)"
            )
        }
        for (member, field) in [("tag", tag), ("keyStart", keyStart)] {
            guard let field, values[field] == nil else { continue }
            problems.add(
                place(member), found: "\"\(field.prefix(40))\"",
                expected: "the name of a field beside this one")
        }
        // The length of a tag may vary where the field is one that takes any number of bytes.
        let width = tag.map { values[$0] ?? nil } ?? 0
        if let whole = algorithm.wholeTagOctets {
            let kept = tagOctets ?? whole
            if kept > whole || width.map({ $0 != kept }) ?? false {
                problems.add(
                    place("tag"),
                    found: tag == nil ? "no tag" : "a tag of \((width ?? kept).counting("byte"))",
                    expected: "a field of \(min(kept, whole).counting("byte")) for \(name)")
            }
        } else if width.map({ !algorithm.takes(tagOctets: $0) }) ?? !algorithm.authenticates {
            problems.add(
                place("tag"),
                found: tag == nil ? "no tag" : "a tag" + (width.map { " of \($0.counting("byte"))" } ?? ""),
                expected: algorithm.authenticates
                    ? "a field of 4 to 16 bytes for \(name)\(algorithm == .aesCCM ? ", an even number" : "")"
                    : "no tag for \(name)")
        }
        let surplus = [
            ("additionalData", !algorithm.authenticates && !additionalData.isEmpty),
            ("padding", isPadded && algorithm != .aesECB && algorithm != .aesCBC),
            ("counterEndian", counterOrder == .little && algorithm != .aesCTR),
            ("tagLength", tagOctets != nil && encrypts),
        ]
        for (member, isSurplus) in surplus where isSurplus {
            problems.add(place(member), found: "\(member)", expected: "no such member for \(name)")
        }
    }
}
