// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Names are those of Apple's declarations.

import Foundation
import Runtime

// Parts of Core Foundation, which Apple's Foundation re-exports, and Debian's does not.

/// Seconds.
public typealias CFTimeInterval = Double

// Of Dispatch: Linux has them as macros that Swift does not import.

/// Nanoseconds of a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds of a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds of a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// Microseconds of a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

/// The present: on a replay that of the log, else the machine's.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    guard let adapter = AdapterSlot.bound else { return Date.timeIntervalSinceReferenceDate }
    return Double(adapter.wallClock) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
}
