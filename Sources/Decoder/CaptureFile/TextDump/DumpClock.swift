/// The time of the packets in a text, from the various times that lines begin with.
struct DumpClock {
    /// A time in a text, in microseconds.
    enum Stamp {
        /// Since the Unix epoch, taken for UTC: the texts don't name a time zone.
        case date(Int64)
        /// Since midnight, or since the recorder's start.
        case ofDay(Int64)
        case sinceStart(Int64)
    }

    /// Microseconds since the epoch, or since the recorder's start.
    private(set) var now: Int64 = 0
    private(set) var hasTimes = false
    private(set) var hasDates = false
    /// Microseconds to add to times of day.
    private var days: Int64 = 0

    private static let hour: Int64 = 3_600_000_000

    mutating func set(_ stamp: Stamp) {
        hasTimes = true
        switch stamp {
        case .date(let time):
            (now, hasDates) = (time, true)
        case .sinceStart(let time):
            if !hasDates { now = time }
        case .ofDay(let time):
            guard !hasDates else { return }
            // A time long before the last one is of the next day, or of the next half where hours end at 12.
            let half = 12 * Self.hour
            let behind = now &- 6 * Self.hour &- days &- time
            if behind > 0 { days &+= (behind &+ half &- 1) / half &* half }
            now = days &+ time
        }
    }

    /// Adds the time that has passed since the last line.
    mutating func advance(by microseconds: Int64) {
        hasTimes = true
        if !hasDates { now &+= microseconds }
    }

    /// Sets a time that precedes the packet's bytes; one of this century is a date.
    mutating func set(microseconds: UInt64) {
        let time = Int64(clamping: microseconds)
        let start2001: Int64 = 978_307_200_000_000
        set(time >= start2001 ? .date(min(time, Int64.max / 1000)) : .sinceStart(time))
    }
}

extension DumpLine {
    private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

    /// Takes the time that follows; nil if none does.
    mutating func stamp() -> DumpClock.Stamp? {
        skipSpaces()
        let begin = place
        let isBracketed = take("[")
        if let found = date() ?? clock().map({ .ofDay($0) }) ?? (isBracketed ? seconds() : ticks()) {
            if isBracketed { _ = find([UInt8(ascii: "]")]) }
            return found
        }
        back(to: begin)
        return nil
    }

    /// `2026-11-21 09:47:16.329447`, `2026-11-21T09:47:16.329Z` or `Sat, 21 Nov 2026 09:47:16 GMT`.
    private mutating func date() -> DumpClock.Stamp? {
        let begin = place
        if let year = number(4...4), take("-"), let month = number(2...2), take("-"), let day = number(2...2),
            take(" ") || take("T"), let time = clock()
        {
            _ = take("Z")
            return .date(Self.days(year, month, day) &* 86_400_000_000 &+ time)
        }
        back(to: begin)
        if next(3) == UInt8(ascii: ","), find([UInt8(ascii: ","), 0x20]), place == begin + 5,
            let day = number(1...2), take(" "),
            let month = month(), take(" "), let year = number(4...4), take(" "), let time = clock()
        {
            // With an offset from UTC it is the date of a mail around the packets.
            let isOfMail = next() == 0x20 && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(next(1))
            guard take(Array(" GMT".utf8)) || !isOfMail else {
                back(to: begin)
                return nil
            }
            return .date(Self.days(year, month, day) &* 86_400_000_000 &+ time)
        }
        back(to: begin)
        return nil
    }

    private mutating func month() -> Int64? {
        for index in 0..<12 where take(Array(Self.months[3 * index..<3 * index + 3])) {
            return Int64(index) + 1
        }
        return nil
    }

    /// `09:47:16.329447`, `00:00:01.123,456` or without a fraction.
    mutating func clock() -> Int64? {
        let begin = place
        guard let hours = number(2...2), take(":"), let minutes = number(2...2), take(":"),
            let seconds = number(2...2), minutes < 60, seconds < 61
        else {
            back(to: begin)
            return nil
        }
        return ((hours &* 60 &+ minutes) &* 60 &+ seconds) &* 1_000_000 &+ fraction()
    }

    /// `793.872751`
    private mutating func seconds() -> DumpClock.Stamp? {
        let begin = place
        guard let seconds = number(1...10), next() == UInt8(ascii: ".") else {
            back(to: begin)
            return nil
        }
        return .sinceStart(seconds &* 1_000_000 &+ fraction())
    }

    /// `I (16814) TAG:` of ESP-IDF, in milliseconds.
    private mutating func ticks() -> DumpClock.Stamp? {
        let begin = place
        guard let level = next(), Array("EWIDV".utf8).contains(level),
            take([level, 0x20, UInt8(ascii: "(")]),
            let milliseconds = number(1...10), take(")")
        else {
            back(to: begin)
            return nil
        }
        return .sinceStart(milliseconds &* 1000)
    }

    /// Takes a fraction of a second in microseconds; 0 if it is missing.
    private mutating func fraction() -> Int64 {
        guard take(".") || take(",") else { return 0 }
        var (value, unit): (Int64, Int64) = (0, 100_000)
        while let octet = next() {
            if (0x30...0x39).contains(octet) {
                value &+= Int64(octet &- 0x30) &* unit
                unit /= 10
            } else if octet != UInt8(ascii: ",") || unit != 100 {
                break
            }
            back(to: place + 1)
        }
        return value
    }

    /// Days from the Unix epoch to a date of the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Years that begin in March, so that leap days are at their ends.
        let shifted = month <= 2 ? year &- 1 : year
        let century = shifted / 100
        let leaps = shifted / 4 &- century &+ century / 4
        let ofYear = (153 &* ((month &+ 9) % 12) &+ 2) / 5 &+ day &- 1
        return shifted &* 365 &+ leaps &+ ofYear &- 719_468
    }

    /// Takes the time since the last line from the end of a line (`+2ms`, `+1s`), in microseconds.
    mutating func elapsed() -> Int64? {
        var last: Int64?
        while find([0x20, UInt8(ascii: "+")]) {
            guard let count = number(1...5) else { continue }
            let units: [(String, Int64)] = [
                ("ms", 1000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000),
                ("d", 86_400_000_000),
            ]
            for (name, length) in units where take(Array(name.utf8)) {
                skipSpaces()
                if next() == nil { last = count &* length }
                break
            }
        }
        return last
    }
}
