import BluetoothCore

// What can be said of a connection only when the whole log has been read.

extension SessionModelBuilder {
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
        noteUnknownHandles(place, log)
    }

    /// A host that speaks by characteristics can't use a handle of which nothing is known.
    private mutating func noteUnknownHandles(_ place: Int, _ log: Int) {
        let connection = logs[log].connections[place]
        for step in connection.steps where step.isRequired {
            guard let handle = step.handle, connection.database[handle]?.characteristic == nil else {
                continue
            }
            logs[log].obstacles.note(.missingDatabase, frame: step.frame, connection: connection.number)
        }
    }
}
