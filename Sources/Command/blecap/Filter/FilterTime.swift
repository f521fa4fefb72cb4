import CommandLineKit

/// A time given to `--since` or `--until`.
enum FilterTime: Equatable, Sendable {
    /// Nanoseconds since the Unix epoch.
    case absolute(Int64)
    /// Nanoseconds since midnight UTC of the day of the first frame.
    case timeOfDay(Int64)
    /// Nanoseconds after the first frame.
    case afterStart(Int64)

    private static let second: Int64 = 1_000_000_000
    private static let day: Int64 = 86_400 * second

    /// The time in nanoseconds since the Unix epoch, if the first frame's time is `first`.
    func nanoseconds(first: Int64) -> Int64 {
        switch self {
        case .absolute(let time): time
        case .timeOfDay(let time):
            first.subtractingReportingOverflow(Self.modulo(first, Self.day)).partialValue &+ time
        case .afterStart(let time): first &+ time
        }
    }

    /// Whether it is certainly an earlier time than another one.
    func isBefore(_ other: FilterTime) -> Bool {
        switch (self, other) {
        case (.absolute(let own), .absolute(let time)), (.timeOfDay(let own), .timeOfDay(let time)),
            (.afterStart(let own), .afterStart(let time)):
            own < time
        default: false
        }
    }

    private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    /// Parses `2026-11-21T09:30:00.5+01:00`, `2026-11-21 09:30`, `2026-11-21`, `09:30:00.25`, `+12.5`.
    init?(_ text: String) {
        var scanner = TimeScanner(text)
        if scanner.take("+") {
            guard let time = scanner.seconds(), scanner.isAtEnd else { return nil }
            self = .afterStart(time)
            return
        }
        guard let days = scanner.date() else {
            guard let time = scanner.timeOfDay() else { return nil }
            _ = scanner.take("Z")
            guard scanner.isAtEnd else { return nil }
            self = .timeOfDay(time)
            return
        }
        var time: Int64 = 0
        var offset: Int64 = 0
        if scanner.take("T") || scanner.take("t") || scanner.take(" ") {
            guard let clock = scanner.timeOfDay(), let zone = scanner.offset() else { return nil }
            (time, offset) = (clock, zone)
        }
        let whole = days.multipliedReportingOverflow(by: Self.day)
        guard scanner.isAtEnd, !whole.overflow else { return nil }
        let sum = whole.partialValue.addingReportingOverflow(time - offset)
        guard !sum.overflow else { return nil }
        self = .absolute(sum.partialValue)
    }
}

/// Scans the parts of a time from its start.
private struct TimeScanner {
    private let characters: [Character]
    private var index = 0

    init(_ text: String) { characters = Array(text) }

    var isAtEnd: Bool { index == characters.count }

    mutating func take(_ character: Character) -> Bool {
        guard index < characters.count, characters[index] == character else { return false }
        index += 1
        return true
    }

    /// Exactly `count` digits; consumes nothing if there are fewer.
    private mutating func digits(_ count: Int) -> Int64? {
        guard index + count <= characters.count else { return nil }
        var value: Int64 = 0
        for character in characters[index..<index + count] {
            guard character.isASCII, let digit = character.wholeNumberValue else { return nil }
            value = value * 10 + Int64(digit)
        }
        index += count
        return value
    }

    /// Days from 1970-01-01 to a date; consumes nothing if the text has no date.
    mutating func date() -> Int64? {
        let start = index
        if let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
            (1...12).contains(month), (1...Self.length(of: month, in: year)).contains(day)
        {
            // Years begin in March, so that the leap day is the last of its year.
            let shifted = month <= 2 ? year - 1 : year
            let era = shifted / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            return era * 146_097 + dayOfEra - 719_468
        }
        index = start
        return nil
    }

    private static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Nanoseconds since midnight: hours and minutes, optional seconds and a fraction.
    mutating func timeOfDay() -> Int64? {
        guard let hours = digits(2), hours < 24, take(":"), let minutes = digits(2), minutes < 60 else {
            return nil
        }
        var time = (hours * 60 + minutes) * 60 * 1_000_000_000
        if take(":") {
            guard let seconds = digits(2), seconds <= 60 else { return nil }
            time += seconds * 1_000_000_000
            guard let part = fraction() else { return nil }
            time += part
        }
        return time
    }

    /// Seconds with a fraction.
    mutating func seconds() -> Int64? {
        var value: Int64 = 0
        var any = false
        while let digit = digits(1) {
            any = true
            value = value * 10 + digit
            guard value <= 4_000_000_000 else { return nil }
        }
        guard any, let part = fraction() else { return nil }
        return value * 1_000_000_000 + part
    }

    /// The fraction after a point, in nanoseconds; digits after the ninth are dropped. 0 if there is no
    /// point.
    private mutating func fraction() -> Int64? {
        guard take(".") || take(",") else { return 0 }
        var value: Int64 = 0
        var count = 0
        while let digit = digits(1) {
            if count < 9 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 9)..<9 { value *= 10 }
        return value
    }

    /// Nanoseconds by which the local time is ahead of UTC; 0 if there is no offset.
    mutating func offset() -> Int64? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes) * 60 * 1_000_000_000
    }
}
