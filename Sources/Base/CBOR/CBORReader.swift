import CCBOR

/// Builds items from the heads that libcbor reads one by one, so that no length in the data takes memory.
struct CBORReader {
    /// The start of an item; of a string of definite length all of it.
    fileprivate enum Head {
        case unsigned(UInt64)
        case negative(UInt64)
        case octets(length: Int)
        case text(length: Int)
        case octetParts
        case textParts
        /// The number of elements; nil for up to the end.
        case array(UInt64?)
        case map(UInt64?)
        case tag(UInt64)
        case float(Double)
        case simple(UInt8)
        /// The end of an item of indefinite length.
        case end
    }

    private let octets: ArraySlice<UInt8>
    private let maximumDepth: Int
    private let maximumCount: Int
    private var position: Int
    private var count = 0

    init(_ octets: ArraySlice<UInt8>, depth: Int, count: Int) {
        self.octets = octets
        maximumDepth = depth
        maximumCount = count
        position = octets.startIndex
    }

    /// Returns the next item; nil after the last.
    mutating func next() throws(CBORError) -> CBORItem? {
        position == octets.endIndex ? nil : try item(depth: 0)
    }

    private mutating func item(depth: Int) throws(CBORError) -> CBORItem {
        let start = position
        guard let item = try itemOrEnd(depth) else { throw malformed(start, "an item", "the end of another") }
        return item
    }

    /// Returns an item; nil for the end of one of indefinite length.
    private mutating func itemOrEnd(_ depth: Int) throws(CBORError) -> CBORItem? {
        let start = position
        let value: CBORItem.Value
        switch try head() {
        case .unsigned(let number): value = .unsigned(number)
        case .negative(let number): value = .negative(number)
        case .octets(let length): value = .octets(Array(octets[position - length..<position]))
        case .text(let length): value = .text(try text(length, start))
        case .octetParts:
            var all: [UInt8] = []
            while case .octets(let part)? = try part(start) { all += part }
            value = .octets(all)
        case .textParts:
            var all = ""
            while case .text(let part)? = try part(start) { all += part }
            value = .text(all)
        case .array(let count): value = .array(try elements(count, start, depth))
        case .map(let count):
            var entries: [CBOREntry] = []
            while count.map({ UInt64(entries.count) < $0 }) ?? true {
                guard let key = try itemOrEnd(try inside(depth, start)) else {
                    guard count == nil else { throw malformed(start, "a key", "the end of the map") }
                    break
                }
                entries.append(CBOREntry(key, try item(depth: depth + 1)))
            }
            value = .map(entries)
        case .tag(let number): value = .tagged(number, try item(depth: try inside(depth, start)))
        case .float(let number): value = .float(number)
        case .simple(let number): value = .simple(number)
        case .end: return nil
        }
        return CBORItem(value, start..<position)
    }

    private mutating func elements(
        _ count: UInt64?, _ start: Int, _ depth: Int
    ) throws(CBORError) -> [CBORItem] {
        var items: [CBORItem] = []
        while count.map({ UInt64(items.count) < $0 }) ?? true {
            guard let item = try itemOrEnd(try inside(depth, start)) else {
                guard count == nil else { throw malformed(start, "an element", "the end of the array") }
                break
            }
            items.append(item)
        }
        return items
    }

    /// Returns the depth of the items inside of one.
    private func inside(_ depth: Int, _ start: Int) throws(CBORError) -> Int {
        guard depth < maximumDepth else {
            throw CBORError(
                check: "depth", index: start, expected: "\(maximumDepth) levels at most", found: "one more")
        }
        return depth + 1
    }

    /// Returns a part of a string of indefinite length, which has a definite one; nil at the end.
    private mutating func part(_ start: Int) throws(CBORError) -> CBORItem.Value? {
        let isText = octets[start] == 0x7F
        let place = position
        switch try head() {
        case .octets(let length) where !isText: return .octets(Array(octets[position - length..<position]))
        case .text(let length) where isText: return .text(try text(length, place))
        case .end: return nil
        default: throw malformed(place, "a part of a string", "another item")
        }
    }

    private func text(_ length: Int, _ start: Int) throws(CBORError) -> String {
        guard let text = String(validating: octets[position - length..<position], as: UTF8.self) else {
            throw CBORError(check: "text", index: start, expected: "UTF-8", found: "other bytes")
        }
        return text
    }

    private func malformed(_ index: Int, _ expected: String, _ found: String) -> CBORError {
        CBORError(check: "item", index: index, expected: expected, found: found)
    }

    /// Takes the head of an item, and the content of a string.
    private mutating func head() throws(CBORError) -> Head {
        count += 1
        guard count <= maximumCount else {
            throw CBORError(
                check: "count", index: position, expected: "\(maximumCount) items at most", found: "one more")
        }
        let rest = octets[position...]
        // libcbor reports no simple values but those that have a name, and before 0.11 no tags from 6 to 20.
        if let octet = rest.first, (0xC6...0xD4).contains(octet) {
            position += 1
            return .tag(UInt64(octet & 0x1F))
        }
        if let octet = rest.first, (0xE0...0xF3).contains(octet) {
            position += 1
            return .simple(octet & 0x1F)
        }
        if rest.first == 0xF8, let number = rest.dropFirst().first, number >= 32 {
            position += 2
            return .simple(number)
        }
        var head = Head.end
        // Safe: libcbor reads the bytes that it is told, and calls back with this head before it returns.
        let result = unsafe rest.withUnsafeBufferPointer { bytes in
            unsafe withUnsafeMutablePointer(to: &head) { head in
                var callbacks = Self.callbacks()
                return unsafe cbor_stream_decode(bytes.baseAddress, bytes.count, &callbacks, head)
            }
        }
        guard result.status == CBOR_DECODER_FINISHED, result.read > 0 else {
            if result.status == CBOR_DECODER_NEDATA || rest.isEmpty {
                throw CBORError(
                    check: "length", index: position, expected: "a whole item", found: "\(rest.count) left")
            }
            throw malformed(position, "the head of an item", "another byte")
        }
        position += result.read
        return head
    }

    // Safe: functions without a context of their own.
    private static func callbacks() -> cbor_callbacks {
        unsafe cbor_callbacks(
            uint8: { unsafe set($0, .unsigned(UInt64($1))) },
            uint16: { unsafe set($0, .unsigned(UInt64($1))) },
            uint32: { unsafe set($0, .unsigned(UInt64($1))) },
            uint64: { unsafe set($0, .unsigned($1)) },
            negint64: { unsafe set($0, .negative($1)) },
            negint32: { unsafe set($0, .negative(UInt64($1))) },
            negint16: { unsafe set($0, .negative(UInt64($1))) },
            negint8: { unsafe set($0, .negative(UInt64($1))) },
            byte_string_start: { unsafe set($0, .octetParts) },
            byte_string: { unsafe set($0, .octets(length: Int($2))) },
            string: { unsafe set($0, .text(length: Int($2))) },
            string_start: { unsafe set($0, .textParts) },
            indef_array_start: { unsafe set($0, .array(nil)) },
            array_start: { unsafe set($0, .array(UInt64(truncatingIfNeeded: $1))) },
            indef_map_start: { unsafe set($0, .map(nil)) },
            map_start: { unsafe set($0, .map(UInt64(truncatingIfNeeded: $1))) },
            tag: { unsafe set($0, .tag($1)) },
            float2: { unsafe set($0, .float(Double($1))) },
            float4: { unsafe set($0, .float(Double($1))) },
            float8: { unsafe set($0, .float($1)) },
            undefined: { unsafe set($0, .simple(23)) },
            null: { unsafe set($0, .simple(22)) },
            boolean: { unsafe set($0, .simple($1 ? 21 : 20)) },
            indef_break: { unsafe set($0, .end) })
    }
}

/// Hands a head to the caller of libcbor.
private func set(_ context: UnsafeMutableRawPointer?, _ head: CBORReader.Head) {
    // Safe: the context is the head that the caller holds.
    unsafe context?.assumingMemoryBound(to: CBORReader.Head.self).pointee = head
}

extension CBORItem {
    /// The item as bytes, each head as short as it can be, and each length definite.
    public var octets: [UInt8] {
        var octets: [UInt8] = []
        write(&octets)
        return octets
    }

    // Safe: the functions of libcbor get the buffer of a head and its length.
    private func write(_ octets: inout [UInt8]) {
        switch value {
        case .unsigned(let number): octets += unsafe Self.head { unsafe cbor_encode_uint(number, $0, $1) }
        case .negative(let number): octets += unsafe Self.head { unsafe cbor_encode_negint(number, $0, $1) }
        case .octets(let content):
            octets +=
                unsafe Self.head { unsafe cbor_encode_bytestring_start(.init(content.count), $0, $1) }
                + content
        case .text(let text):
            let content = Array(text.utf8)
            octets +=
                unsafe Self.head { unsafe cbor_encode_string_start(.init(content.count), $0, $1) } + content
        case .array(let items):
            octets += unsafe Self.head { unsafe cbor_encode_array_start(.init(items.count), $0, $1) }
            for item in items { item.write(&octets) }
        case .map(let entries):
            octets += unsafe Self.head { unsafe cbor_encode_map_start(.init(entries.count), $0, $1) }
            for entry in entries {
                entry.key.write(&octets)
                entry.value.write(&octets)
            }
        case .tagged(let tag, let item):
            octets += unsafe Self.head { unsafe cbor_encode_tag(tag, $0, $1) }
            item.write(&octets)
        case .float(let number):
            let single = Float(number)
            octets += unsafe Self.head {
                Double(single) == number || number.isNaN
                    ? unsafe cbor_encode_single(single, $0, $1) : unsafe cbor_encode_double(number, $0, $1)
            }
        case .simple(let number): octets += unsafe Self.head { unsafe cbor_encode_ctrl(number, $0, $1) }
        }
    }

    private static func head(_ encode: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8] {
        // Safe: libcbor writes no more bytes than it is told, and a head has nine at most.
        unsafe [UInt8](unsafeUninitializedCapacity: 9) { buffer, count in
            count = unsafe encode(buffer.baseAddress, 9)
        }
    }
}
