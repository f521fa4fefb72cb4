import BluetoothCore
@_spi(Host) import CoreBluetooth
import Runtime

// The application's callbacks, compared with those that the log implies. Each delivered PDU of the peer
// determines its callbacks, their order and their deadline.

extension FakeController {
    /// Maximum delay of a callback.
    private static let allowance = Duration.milliseconds(100)

    /// Adds a callback that must come now, within ``allowance``.
    mutating func expect(_ event: ApplicationEvent, frame: Int, link index: Int, isOptional: Bool = false) {
        guard options.judgesApplication, !links[index].isLive, divergence == nil, stuck == nil else { return }
        let due = now.advanced(by: Self.allowance)
        let event = event.inForm(of: links[index].connection.database)
        links[index].expectedCallbacks.append(
            ExpectedCallback(event: event, frame: frame, due: due, isOptional: isOptional))
        schedule(.due(index), at: due)
    }

    /// Makes an optional callback required, after a delay.
    mutating func insist(on event: ApplicationEvent, after delay: Duration, link index: Int) {
        guard let place = links[index].expectedCallbacks.firstIndex(where: { $0.event == event }) else {
            return
        }
        let due = now.advanced(by: delay + Self.allowance)
        links[index].expectedCallbacks[place].isOptional = false
        links[index].expectedCallbacks[place].due = due
        schedule(.due(index), at: due)
    }

    /// Extends the deadline of a value's callback while the host reads more of the value.
    mutating func prolong(valueOf handle: UInt16, until due: Instant, link index: Int) {
        let place = links[index].expectedCallbacks.lastIndex { expected in
            if case .value(handle, _) = expected.event { return true }
            return false
        }
        guard let place else { return }
        links[index].expectedCallbacks[place].due = due
        if due < .distantFuture { schedule(.due(index), at: due) }
    }

    mutating func valueAnswered(of handle: UInt16, link index: Int) {
        prolong(valueOf: handle, until: now.advanced(by: Self.allowance), link: index)
    }

    /// Reports a divergence if a required callback is overdue.
    mutating func checkDue(link index: Int) {
        guard let late = links[index].expectedCallbacks.first(where: { $0.due <= now && !$0.isOptional })
        else {
            return
        }
        divergeInApplication(late, got: nil, link: index)
    }

    /// Compares a callback with the expected one.
    mutating func told(_ event: ApplicationEvent, by peer: DeviceAddress) {
        guard options.judgesApplication, divergence == nil, stuck == nil,
            let index = links.lastIndex(where: { $0.connection.peer == peer }), !links[index].isLive
        else { return }
        let place = links[index].expectedCallbacks.firstIndex { $0.event == event || !$0.isOptional }
        let next = place.map { links[index].expectedCallbacks[$0] }
        if let place, next?.event == event {
            links[index].expectedCallbacks.removeFirst(place + 1)
            links[index].matchedCallbacks += 1
            lastProgress = now
            return
        }
        // Callbacks about existing subscriptions or past links may come without a PDU, but not callbacks
        // about values.
        if next == nil, event.isBookkeeping { return }
        let isHousekeeping =
            event.handle.map { Normalization.isHousekeeping($0, links[index].connection.database) } ?? false
        guard !isHousekeeping, !takeFreeAnswer(for: event, link: index) else { return }
        divergeInApplication(next, got: event, link: index)
    }

    private mutating func divergeInApplication(
        _ expected: ExpectedCallback?, got: ApplicationEvent?, link index: Int
    ) {
        guard divergence == nil, stuck == nil else { return }
        let connection = links[index].connection
        let goesOn = record(
            Divergence(
                kind: .application, time: now, connection: connection.number, peer: connection.peer,
                told: .init(frame: expected?.frame ?? 0, expected: expected?.event.text, got: got?.text),
                channel: .attribute, before: transcript.last(8, of: connection.number),
                callbacks: transcript.callbacks, state: state))
        guard goesOn, let expected else { return }
        // The expected callback that was replaced or is missing is dropped.
        links[index].expectedCallbacks.removeAll { $0.event == expected.event && $0.due == expected.due }
    }

    // MARK: Notifications and indications

    /// Records that the host subscribes to a characteristic or ends the subscription.
    mutating func configured(_ configuration: UInt16, _ value: [UInt8], link index: Int) {
        guard let handle = links[index].connection.database.value(ofConfiguration: configuration) else {
            return
        }
        let isOn = value.contains { $0 != 0 }
        links[index].subscriptions[handle] =
            isOn ? .active : links[index].subscriptions[handle].map { _ in .ending }
    }

    /// Handles the answer to a write of a configuration.
    mutating func configurationAnswered(of handle: UInt16, isRefused: Bool, link index: Int) {
        guard let state = links[index].subscriptions[handle] else { return }
        // A refused subscription never began; if its end is refused, it continues.
        if (state == .ending) != isRefused { links[index].subscriptions[handle] = nil }
    }

    /// Adds the callbacks for the values in a notification or indication.
    mutating func expectValues(in pdu: RecordedPDU, link index: Int) {
        let isEarly = links[index].connection.isBeforeBond(pdu)
        for (handle, value) in pdu.sentValues {
            guard let state = links[index].subscriptions[handle] else { continue }
            let isOptional = state == .ending || isEarly
            expect(.value(handle: handle, value), frame: pdu.frame, link: index, isOptional: isOptional)
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
    func value(ofConfiguration handle: UInt16) -> UInt16? {
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
