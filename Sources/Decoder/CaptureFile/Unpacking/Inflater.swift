/// Unpacks deflate data (RFC 1951) to the last octet that is there.
///
/// libarchive gives up the last block of what it unpacked when its input ends too early; this takes over
/// then, and unpacks what stands in the text of bug reports. It is written for exactness at the end, not for
/// speed.
struct Inflater {
    /// How the data ended.
    enum End {
        /// The last block is complete.
        case complete
        /// The input ended before the data.
        case cut
        /// The data can't be.
        case damaged
    }

    /// What stands at the present place of the data.
    private enum State {
        case blockHeader
        case stored(Int)
        case coded(literals: HuffmanCode, distances: HuffmanCode)
    }

    private var input: BitInput
    private var state = State.blockHeader
    private var isLastBlock = false
    /// What was unpacked: the last 32 KiB, to which lengths and distances refer, and what is new after them.
    private var unpacked: [UInt8] = []
    private var given = 0
    /// Set when there is nothing more.
    private(set) var end: End?

    private static let farthest = 32 << 10
    private static let chunk = 32 << 10

    init(_ input: BitInput) { self.input = input }

    /// What follows the data.
    var rest: BitInput { input }

    /// The next octets, some ten thousand or fewer; empty at the end.
    mutating func next() -> [UInt8] {
        if given > Self.farthest {
            let old = given - Self.farthest
            unpacked.removeFirst(old)
            given -= old
        }
        while end == nil && unpacked.count - given < Self.chunk { end = step() }
        defer { given = unpacked.count }
        return Array(unpacked[given...])
    }

    /// Unpacks a header, a literal, a length with its distance, or stored octets; the end if it came.
    private mutating func step() -> End? {
        switch state {
        case .blockHeader:
            if isLastBlock { return .complete }
            guard let last = input.bits(1), let type = input.bits(2) else { return .cut }
            isLastBlock = last == 1
            switch type {
            case 0: return beginStored()
            case 1: state = .coded(literals: .fixedLiterals, distances: .fixedDistances)
            case 2: return beginCoded()
            default: return .damaged
            }
            return nil
        case .stored(let left):
            if left == 0 {
                state = .blockHeader
                return nil
            }
            guard let octet = input.bits(8) else { return .cut }
            unpacked.append(UInt8(truncatingIfNeeded: octet))
            state = .stored(left - 1)
            return nil
        case .coded(let literals, let distances): return symbol(literals, distances)
        }
    }

    private mutating func beginStored() -> End? {
        input.alignToOctet()
        guard let length = input.bits(16), let inverted = input.bits(16) else { return .cut }
        guard length == ~inverted & 0xFFFF else { return .damaged }
        state = .stored(length)
        return nil
    }

    private mutating func symbol(_ literals: HuffmanCode, _ distances: HuffmanCode) -> End? {
        switch literals.decode(&input) {
        case .failure(let end): return end
        case .success(let symbol) where symbol < 256:
            unpacked.append(UInt8(truncatingIfNeeded: symbol))
        case .success(256): state = .blockHeader
        case .success(let symbol):
            guard symbol - 257 < Self.lengths.count else { return .damaged }
            let (base, extra) = Self.lengths[symbol - 257]
            guard let more = input.bits(extra) else { return .cut }
            return copy(base + more, distances)
        }
        return nil
    }

    private mutating func copy(_ length: Int, _ distances: HuffmanCode) -> End? {
        switch distances.decode(&input) {
        case .failure(let end): return end
        case .success(let symbol):
            guard symbol < Self.distances.count else { return .damaged }
            let (base, extra) = Self.distances[symbol]
            guard let more = input.bits(extra) else { return .cut }
            let distance = base + more
            guard distance <= unpacked.count else { return .damaged }
            for _ in 0..<length { unpacked.append(unpacked[unpacked.count - distance]) }
            return nil
        }
    }

    /// Reads the codes of a block that brings its own.
    private mutating func beginCoded() -> End? {
        guard let literalCount = input.bits(5), let distanceCount = input.bits(5),
            let lengthCount = input.bits(4)
        else { return .cut }
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<(lengthCount + 4) {
            guard let length = input.bits(3) else { return .cut }
            lengths[Self.orderOfLengths[index]] = UInt8(truncatingIfNeeded: length)
        }
        let lengthCode = HuffmanCode(lengths)
        let count = literalCount + 257 + distanceCount + 1
        lengths = []
        while lengths.count < count {
            switch lengthCode.decode(&input) {
            case .failure(let end): return end
            case .success(let length) where length < 16: lengths.append(UInt8(truncatingIfNeeded: length))
            case .success(let symbol):
                guard let (value, times) = repetition(symbol, lengths.last) else { return .damaged }
                guard let more = input.bits(times.bits) else { return .cut }
                lengths.append(contentsOf: repeatElement(value, count: times.base + more))
            }
        }
        guard lengths.count == count else { return .damaged }
        state = .coded(
            literals: HuffmanCode(Array(lengths[..<(literalCount + 257)])),
            distances: HuffmanCode(Array(lengths[(literalCount + 257)...])))
        return nil
    }

    /// What the symbols 16 to 18 of the code of lengths repeat, and how often.
    private func repetition(
        _ symbol: Int, _ before: UInt8?
    ) -> (value: UInt8, times: (base: Int, bits: Int))? {
        switch symbol {
        case 16: before.map { ($0, (3, 2)) }
        case 17: (0, (3, 3))
        default: (0, (11, 7))
        }
    }

    private static let orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The least length of each symbol from 257 on, and the bits that add to it (RFC 1951, 3.2.5).
    private static let lengths: [(Int, Int)] = {
        var table: [(Int, Int)] = []
        var base = 3
        for symbol in 0..<28 {
            let extra = symbol < 8 ? 0 : symbol / 4 - 1
            table.append((base, extra))
            base += 1 << extra
        }
        return table + [(258, 0)]
    }()

    /// The least distance of each symbol, and the bits that add to it.
    private static let distances: [(Int, Int)] = {
        var table: [(Int, Int)] = []
        var base = 1
        for symbol in 0..<30 {
            let extra = symbol < 4 ? 0 : symbol / 2 - 1
            table.append((base, extra))
            base += 1 << extra
        }
        return table
    }()
}

/// A prefix code given by the lengths of its symbols (RFC 1951, 3.2.2).
struct HuffmanCode {
    /// How many symbols have each length.
    private var counts = [Int](repeating: 0, count: 16)
    /// The symbols in the order of their codes.
    private var symbols: [Int] = []

    static let fixedLiterals = HuffmanCode(
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
            + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8))
    static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30))

    /// - Parameter lengths: the length of each symbol's code, 0 to 15; 0 for a symbol that has none.
    init(_ lengths: [UInt8]) {
        for length in lengths where length < 16 { counts[Int(length)] += 1 }
        counts[0] = 0
        for wanted in 1..<16 {
            for (symbol, length) in lengths.enumerated() where Int(length) == wanted {
                symbols.append(symbol)
            }
        }
    }

    /// Reads one symbol, bit by bit.
    func decode(_ input: inout BitInput) -> Decoded {
        var (code, first, index) = (0, 0, 0)
        for length in 1..<16 {
            guard let bit = input.bits(1) else { return .failure(.cut) }
            code |= bit
            let count = counts[length]
            if code - first < count {
                let place = index + code - first
                return place >= 0 && place < symbols.count ? .success(symbols[place]) : .failure(.damaged)
            }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return .failure(.damaged)
    }

    /// A symbol, or why there is none.
    enum Decoded {
        case success(Int)
        case failure(Inflater.End)
    }
}

/// Octets in memory or of a file, taken bit by bit from the least significant one on.
struct BitInput {
    private let file: Int32?
    private var octets: [UInt8]
    private var place = 0
    private var fileOffset = 0
    private var held: UInt32 = 0
    private var count = 0

    /// Octets in memory.
    init(_ octets: [UInt8]) {
        file = nil
        self.octets = octets
    }

    /// A file that can be read at any place, from its beginning; it stays open.
    init(file: Int32) {
        self.file = file
        octets = []
    }

    /// The next `wanted` bits, at most 16, the first one least significant; nil where they are not there.
    mutating func bits(_ wanted: Int) -> Int? {
        while count < wanted {
            guard let octet = octet() else { return nil }
            held |= UInt32(octet) &<< UInt32(count)
            count &+= 8
        }
        let value = held & ((1 &<< UInt32(wanted)) &- 1)
        held &>>= UInt32(wanted)
        count &-= wanted
        return Int(value)
    }

    /// Drops the bits up to the next octet.
    mutating func alignToOctet() {
        held &>>= UInt32(count & 7)
        count &-= count & 7
    }

    private mutating func octet() -> UInt8? {
        if place == octets.count {
            guard let file else { return nil }
            octets = FileOctets.read(file, at: fileOffset)
            fileOffset &+= octets.count
            place = 0
            if octets.isEmpty { return nil }
        }
        defer { place &+= 1 }
        return octets[place]
    }
}
