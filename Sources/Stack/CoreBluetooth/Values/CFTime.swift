// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Names are those of Apple's declarations.

import Foundation
import Runtime

// Parts of Core Foundation, which Apple's Foundation re-exports, and Debian's does not.

/// Seconds.
public typealias CFTimeInterval = Double

/// Returns the current time: in a replay that of the log, otherwise the machine's.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    guard let adapter = AdapterSlot.bound else { return Date.timeIntervalSinceReferenceDate }
    return Double(adapter.wallClock) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
}
