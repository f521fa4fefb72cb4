import BluetoothCore

// What can be said of a connection only when all of it has been read.

extension SessionModelBuilder {
    /// Takes out of a connection that has ended what can't be played.
    mutating func leaveOutIncomplete(_ place: Int, _ log: Int) {
        let left = logs[log].connections[place].leaveOutIncomplete()
        let number = logs[log].connections[place].number
        for frame in left.frames { logs[log].obstacles.note(.filtered, frame: frame, connection: number) }
        for frame in left.answered {
            logs[log].assumptions.note(.missingResponse, frame: frame, connection: number)
        }
    }

    /// A pairing is played with a peer that lives; where that can't be, nor can the encryption that follows.
    private mutating func takePairing(_ place: Int, _ log: Int) {
        let connection = logs[log].connections[place]
        let pairing = RecordedPairing(connection)
        let isPairing = { (one: Obstacle) in one.kind == .pairing && one.connection == connection.number }
        if pairing != nil {
            logs[log].connections[place].pairing = pairing
            logs[log].obstacles.removeAll(where: isPairing)
        } else if logs[log].obstacles.contains(where: isPairing) {
            logs[log].connections[place].encryption = nil
        }
    }

    mutating func complete(_ place: Int, _ log: Int) {
        let connection = logs[log].connections[place]
        guard connection.status == .success, connection.isCentral else { return }
        if connection.database.isEmpty, connection.peer.value != 0 {
            // Another connection to the same device may have found out what this one did not.
            let other = logs[log].connections.first {
                $0.peer == connection.peer && !$0.database.isEmpty
            }
            if let other { logs[log].connections[place].database = other.database }
            logs[log].connections[place].learnFromPDUs()
        }
        takePairing(place, log)
        if let frame = logs[log].connections[place].frameBeyondMTU {
            // What can't have been is not judged.
            logs[log].connections[place].isLeftOut = true
            logs[log].obstacles.note(.contradiction, frame: frame, connection: connection.number)
        }
        let inferred = logs[log].connections[place].inferAttributes()
        if inferred.count > 0 {
            logs[log].assumptions.append(
                Obstacle(
                    .missingDatabase, frame: inferred.frame, connection: connection.number,
                    count: inferred.count))
        }
        // A host that only answers is no client, and whose connection it is, is not known.
        if connection.wasOpenAtStart, !logs[log].connections[place].steps.contains(where: \.isRequired) {
            logs[log].connections[place].isLeftOut = true
            logs[log].obstacles.note(
                .nothingToCompare, frame: connection.frame, connection: connection.number)
        }
    }
}
