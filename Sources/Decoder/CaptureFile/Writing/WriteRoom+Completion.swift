import Glibc

extension WriteRoom {
    /// Writes to the file what its recorder, which has exited, could not write.
    ///
    /// The file is left alone unless it ends where the recorder's last write can have ended. If it can't be
    /// completed (the disk is full), it is cut after the last whole record.
    func complete(_ file: Int32) -> CaptureWriter.Completion {
        var status = stat()
        // Safe: the kernel fills one structure, which outlives the call.
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .nothing }
        let (start, whole) = (start, whole)
        let (found, before) = Int(status.st_size).subtractingReportingOverflow(start)
        guard !before, found >= 0, found < whole, whole <= Self.capacity else { return .nothing }
        var place = found
        while place < whole {
            // Safe: `place` and `whole` are within the buffer, as was just checked.
            let done = unsafe pwrite(file, buffer + place, whole &- place, start &+ place)
            if done > 0 { place &+= done } else if done == 0 || errno != EINTR { break }
        }
        var completion = CaptureWriter.Completion.completed
        if place < whole {
            // If no write was under way, only this attempt can have left a partial record.
            let end = marks.last { $0 <= place } ?? found
            guard ftruncate(file, start &+ end) == 0 else { return .failed }
            completion = .cut
        }
        fdatasync(file)
        return completion
    }
}

extension CaptureWriter {
    /// Result of completing a file whose recorder was killed.
    public enum Completion: Equatable, Sendable {
        /// Nothing was missing.
        case nothing
        /// The received records that were missing were written.
        case completed
        /// The file ends at its last whole record; more could not be written.
        case cut
        /// The file could not be changed.
        case failed
    }

    /// Size of the memory for ``share(_:)``, in bytes.
    public static var sharedLength: Int { WriteRoom.length }

    /// Completes a file whose recorder was killed, from the memory that it shared.
    public static func complete(_ file: Int32, from memory: Int32) -> Completion {
        WriteRoom(memory)?.complete(file) ?? .failed
    }
}
