import BluetoothCore
import CaptureFile
import PayloadFormat

/// The connections that ended or were evicted last, until packets with their handles stop.
struct EndedHandles: Sendable {
    /// Most connections that are remembered.
    static let limit = 2 * Analyzer.linkLimit

    private var all: [EndedHandle] = []

    mutating func add(_ ended: EndedHandle) {
        if all.count >= Self.limit { all.removeFirst() }
        all.append(ended)
    }

    func last(file: Int, adapter: UInt16, handle: UInt16) -> EndedHandle? {
        all.last { $0.file == file && $0.adapter == adapter && $0.handle == handle }
    }

    /// Removes an evicted connection, since it is followed again.
    mutating func resume(_ before: EndedHandle) {
        all.removeAll {
            $0.file == before.file && $0.adapter == before.adapter && $0.handle == before.handle
                && $0.mayBeOpen
        }
    }

    /// Ends the last connection with a handle, if it was evicted and is open; without a handle, all such
    /// connections of the adapter.
    mutating func end(
        file: Int, adapter: UInt16, handle: UInt16?, at frame: FramePlace, _ time: CaptureTime
    ) {
        for place in all.indices.reversed() where all[place].file == file && all[place].adapter == adapter {
            guard handle.map({ all[place].handle == $0 }) ?? true else { continue }
            if all[place].mayBeOpen {
                (all[place].mayBeOpen, all[place].frame, all[place].time) = (false, frame, time)
            }
            if handle != nil { return }
        }
    }
}

/// A connection that ended or was evicted, by its handle.
struct EndedHandle: Sendable {
    var file: Int
    var adapter: UInt16
    var handle: UInt16
    var connection: Int
    /// The frame that ended or evicted it, and the time of that frame.
    var frame: FramePlace
    var time: CaptureTime
    /// Whether it was evicted, and may still be open: the log shows no end so far.
    var mayBeOpen: Bool
    var address: DeviceAddress?
    var role: Link.Role
    var transport: Link.Transport

    init(_ link: borrowing Link, at frame: FramePlace, _ time: CaptureTime) {
        (file, adapter, handle, connection) = (link.file, link.adapter, link.handle, link.number)
        (self.frame, self.time) = (frame, time)
        mayBeOpen = link.isOpen
        (address, role, transport) = (link.address, link.role, link.transport)
    }
}
