public import BluetoothCore
public import CaptureFile
public import WireBytes

/// A connection that the host asked for, until it is there or can't be any more.
public struct ConnectAttempt: Sendable {
    /// The device that it is to; of one by the filter accept list the only device on that, nil where the log
    /// does not tell or there are several.
    public var peer: DeviceAddress?
    /// Whether any device of the filter accept list will do: hosts leave such a request open for as long as
    /// it takes, and withdraw it to change the list.
    public var isByAcceptList = false
    /// The frame that asked.
    public var place: FramePlace
    /// When that was.
    public var time: CaptureTime
    /// Whether it still waited when the log ended.
    public internal(set) var isOpen = false
    /// When the host withdrew it; nil where it did not.
    var withdrawn: CaptureTime?
    /// Nanoseconds from the asking frame until it failed, was withdrawn, or the log ended.
    public var waited: Int64 = 0

    init(_ peer: DeviceAddress?, place: FramePlace, time: CaptureTime, waited: Int64 = 0) {
        self.peer = peer
        self.place = place
        self.time = time
        self.waited = waited
    }

    /// The number of that frame in its file.
    public var frame: Int { place.frame }

    /// One that is withdrawn sooner, in nanoseconds, is a host's change of mind and no device's silence.
    static let shortest: Int64 = 1_000_000_000
}

/// A command that the controller refused, or an attempt that the host withdrew, and that nothing worked
/// without.
struct Refusal: Sendable {
    var problem: Problem
    var place: FramePlace
}
