import BluetoothCore
@_spi(Host) import CoreBluetooth
import Runtime

// The application's callbacks, compared with those that the log implies. Each delivered PDU of the peer
// determines its callbacks, their order and their deadline.

extension FakeLink {
    /// Maximum delay of a callback.
    static let allowance = Duration.milliseconds(100)

    /// Adds a callback that must come now, within ``allowance``.
    mutating func expect(
        _ event: ApplicationEvent, _ air: inout RecordedAir, frame: Int, isOptional: Bool = false
    ) {
        guard air.judge.options.judgesApplication, !isLive, !air.judge.hasVerdict else { return }
        let due = air.now.advanced(by: Self.allowance)
        let event = event.inForm(of: connection.database)
        expectedCallbacks.append(
            ExpectedCallback(event: event, frame: frame, due: due, isOptional: isOptional))
        air.schedule(.link(index, .due), at: due)
    }

    /// Makes an optional callback required, after a delay.
    mutating func insist(on event: ApplicationEvent, after delay: Duration, _ air: inout RecordedAir) {
        guard let place = expectedCallbacks.firstIndex(where: { $0.event == event }) else { return }
        let due = air.now.advanced(by: delay + Self.allowance)
        expectedCallbacks[place].isOptional = false
        expectedCallbacks[place].due = due
        air.schedule(.link(index, .due), at: due)
    }

    /// Extends the deadline of a value's callback while the host reads more of the value.
    ///
    /// - Parameter time: the time from now; nil for no deadline.
    mutating func prolong(valueOf handle: UInt16, by time: Duration?, _ air: inout RecordedAir) {
        let place = expectedCallbacks.lastIndex { expected in
            if case .value(handle, _) = expected.event { return true }
            return false
        }
        guard let place else { return }
        let due = time.map { air.now.advanced(by: $0) }
        expectedCallbacks[place].due = due ?? .distantFuture
        if let due { air.schedule(.link(index, .due), at: due) }
    }

    /// Reports a divergence if a required callback is overdue.
    mutating func checkDue(_ air: inout RecordedAir) {
        let late = expectedCallbacks.first { $0.due <= air.now && !$0.isOptional }
        if let late { divergeInApplication(late, got: nil, &air) }
    }

    /// Compares a callback with the expected one.
    mutating func told(_ event: ApplicationEvent, _ air: inout RecordedAir) {
        guard air.judge.options.judgesApplication, !air.judge.hasVerdict, !isLive else { return }
        let place = expectedCallbacks.firstIndex { $0.event == event || !$0.isOptional }
        let next = place.map { expectedCallbacks[$0] }
        if let place, next?.event == event {
            expectedCallbacks.removeFirst(place + 1)
            matchedCallbacks += 1
            air.judge.lastProgress = air.now
            return
        }
        // Callbacks about existing subscriptions or past links may come without a PDU, but not callbacks
        // about values.
        if next == nil, event.isBookkeeping { return }
        let isHousekeeping =
            event.handle.map { Normalization.isHousekeeping($0, connection.database) } ?? false
        guard !isHousekeeping, !takeFreeAnswer(for: event) else { return }
        divergeInApplication(next, got: event, &air)
    }

    private mutating func divergeInApplication(
        _ expected: ExpectedCallback?, got: ApplicationEvent?, _ air: inout RecordedAir
    ) {
        guard !air.judge.hasVerdict else { return }
        let goesOn = air.judge.record(
            .told(
                .application, at: air.now, on: connection.number, to: connection.peer,
                frame: expected?.frame ?? 0, expected: expected?.event.text, got: got?.text,
                before: air.transcript.last(8, of: connection.number), callbacks: air.transcript.callbacks,
                state: [stateLine]))
        guard goesOn, let expected else { return }
        // The expected callback that was replaced or is missing is dropped.
        expectedCallbacks.removeAll { $0.event == expected.event && $0.due == expected.due }
    }

    // MARK: Notifications and indications

    /// Records that the host subscribes to a characteristic or ends the subscription.
    mutating func configured(_ configuration: UInt16, _ value: [UInt8]) {
        guard let handle = connection.database.valueHandle(ofConfiguration: configuration) else { return }
        let isOn = value.contains { $0 != 0 }
        subscriptions[handle] = isOn ? .active : subscriptions[handle].map { _ in .ending }
    }

    mutating func configurationAnswered(of handle: UInt16, isRefused: Bool) {
        guard let state = subscriptions[handle] else { return }
        // A refused subscription never began; if its end is refused, it continues.
        if (state == .ending) != isRefused { subscriptions[handle] = nil }
    }

    /// Adds the callbacks for the values in a notification or indication.
    mutating func expectValues(in pdu: RecordedPDU, _ air: inout RecordedAir) {
        let isEarly = connection.isBeforeBond(pdu)
        for (handle, value) in pdu.sentValues {
            guard let state = subscriptions[handle] else { continue }
            let isOptional = state == .ending || isEarly
            expect(.value(handle: handle, value), &air, frame: pdu.frame, isOptional: isOptional)
        }
    }
}

extension ApplicationEvent {
    /// Returns the event as the API can express it, whatever bytes the server sent.
    fileprivate func inForm(of database: PeerDatabase) -> ApplicationEvent {
        guard case .value(let handle, let value) = self, let type = database[handle]?.type else {
            return self
        }
        return .value(handle: handle, CBDescriptor.octets(of: CBDescriptor.form(of: value, type: type)))
    }
}

extension RecordedPDU {
    /// The values in a notification or indication, with their handles.
    var sentValues: [(handle: UInt16, value: [UInt8])] {
        if let one = att(ATTHandleValueNotification.self) { return [(one.handle, one.value)] }
        if let one = att(ATTHandleValueIndication.self) { return [(one.handle, one.value)] }
        guard let several = att(ATTMultipleHandleValueNotification.self) else { return [] }
        let elements = (try? ATTHandleLengthValue.elements(of: several.values)) ?? []
        return elements.map { ($0.handle, $0.value) }
    }
}

extension PeerDatabase {
    /// Returns the handle of the value that a Client Characteristic Configuration belongs to; nil if it is
    /// unknown, or if operating systems manage the configuration.
    func valueHandle(ofConfiguration handle: UInt16) -> UInt16? {
        guard isClientConfiguration(handle), !Normalization.isHousekeeping(handle, self) else { return nil }
        var place = handle
        while place > 1 {
            place -= 1
            guard let one = self[place] else { continue }
            if one.type == .characteristicDeclaration { return self[place + 1] == nil ? nil : place + 1 }
            if one.declaration != nil { return nil }
        }
        return nil
    }
}
