import Glibc

extension WriteRoom {
    /// Puts into the file what its recorder, which is no more, had no time to write.
    ///
    /// The file is left alone unless it ends where the recorder's last write can have ended. Where it can't
    /// be completed (the disk is full), it is cut behind the last record that is whole.
    func complete(_ file: Int32) -> CaptureWriter.Completion {
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .nothing }
        let (start, whole) = (start, whole)
        let (found, before) = Int(status.st_size).subtractingReportingOverflow(start)
        guard !before, found >= 0, found < whole, whole <= Self.capacity else { return .nothing }
        var place = found
        while place < whole {
            // Safe: `place` and `whole` lie within the buffer, as was just checked.
            let done = unsafe pwrite(file, buffer + place, whole &- place, start &+ place)
            if done > 0 { place &+= done } else if done == 0 || errno != EINTR { break }
        }
        var completion = CaptureWriter.Completion.completed
        if place < whole {
            // Without a write under way nothing was torn but by the attempt to complete.
            let end = marks.last { $0 <= place } ?? found
            guard ftruncate(file, start &+ end) == 0 else { return .failed }
            completion = .cut
        }
        fdatasync(file)
        return completion
    }
}

extension CaptureWriter {
    /// What became of a file whose recorder was killed.
    public enum Completion: Equatable, Sendable {
        /// Nothing was missing.
        case nothing
        /// The records that were received and not written are in it now.
        case completed
        /// It ends at the last record that is whole; more could not be written.
        case cut
        /// It could not be changed.
        case failed
    }

    /// Octets of the memory that ``share(_:)`` takes.
    public static var sharedLength: Int { WriteRoom.length }

    /// Completes a file whose recorder was killed, from the memory that it shared.
    public static func complete(_ file: Int32, from memory: Int32) -> Completion {
        WriteRoom(memory)?.complete(file) ?? .failed
    }
}
