// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Names are those of Apple's declarations.

import Foundation
import Runtime

// Of Core Foundation, which Apple's Foundation hands on, and Debian's does not.

/// Seconds.
public typealias CFTimeInterval = Double

/// The present: on a replay that of the log, else the machine's.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    guard let adapter = AdapterSlot.bound else { return Date.timeIntervalSinceReferenceDate }
    return Double(adapter.wallClock) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
}
