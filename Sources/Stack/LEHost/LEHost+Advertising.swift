import BluetoothCore

/// Parameters of advertising.
///
/// Source: Core Specification, Vol 4, Part E, 7.8.5 to 7.8.9.
public struct AdvertisingParameters: Hashable, Sendable {
    /// AD structures, up to 31 bytes; more if the controller has extended advertising.
    public var data: [UInt8] = []
    /// AD structures of the scan response, up to 31 bytes.
    ///
    /// If these or ``data`` are longer, both are advertised together, and no scan request is needed.
    public var scanResponse: [UInt8] = []
    /// Time between two advertising events, in steps of 0.625 ms (32 to 16384).
    public var intervalUnits: UInt16 = 0xA0
    /// Whether centrals may connect.
    public var isConnectable = true
    /// Whether advertising ends when a central connects, as in the controller; otherwise it is resumed.
    public var endsWithConnection = false

    public init() {}
}

/// The advertising that the application wants, and the controller's state of it.
struct Advertiser: Sendable {
    var wanted: AdvertisingParameters?
    var active: AdvertisingParameters?
    /// The parameters that the controller is being given.
    var pending: AdvertisingParameters?
    var isBusy = false
    /// Whether the application was informed that the controller advertises.
    var isTold = false
    var resumption = Resumption.none

    /// The resumption of advertising after a connection ended it; some controllers can't advertise while
    /// connected.
    enum Resumption: Sendable {
        case none
        case tried
        /// The controller refused; the next attempt is at the end of a link.
        case waiting
    }

    /// Forgets the controller's state, and keeps the wanted parameters.
    mutating func restart() { self = Advertiser(wanted: wanted) }
}

extension LEHost {
    /// Brings the controller one step closer to the state that is wanted.
    mutating func reconcileAdvertiser() {
        guard state == .ready, !advertiser.isBusy, advertiser.resumption != .waiting else { return }
        let wanted = isPaused ? nil : advertiser.wanted
        guard wanted != advertiser.active else { return tellAdvertising() }
        if advertiser.active != nil {
            advertiser.isBusy = true
            return sendAdvertisingEnable(false)
        }
        guard let wanted else { return }
        let length = wanted.data.count + wanted.scanResponse.count
        guard !wanted.isLong || bringUp.usesExtendedCommands && length <= bringUp.maxAdvertisingDataLength
        else { return advertisingFailed(.invalidHCICommandParameters) }
        advertiser.isBusy = true
        advertiser.pending = wanted
        if bringUp.usesExtendedCommands {
            sendAdvertisingSet(wanted)
        } else {
            sendLegacyAdvertising(wanted)
        }
        sendAdvertisingEnable(true)
    }

    private mutating func sendLegacyAdvertising(_ wanted: AdvertisingParameters) {
        let own = ownAddressType
        send(
            LESetAdvertisingParameters {
                $0.advertisingIntervalMin = wanted.intervalUnits
                $0.advertisingIntervalMax = wanted.intervalUnits
                // Connectable and scannable, only scannable, or neither.
                $0.advertisingType = wanted.isConnectable ? 0 : wanted.scanResponse.isEmpty ? 3 : 2
                $0.ownAddressType = own
                $0.advertisingChannelMap = 7
            }, for: .advertisingSetup)
        send(
            LESetAdvertisingData(
                advertisingDataLength: UInt8(wanted.data.count), advertisingData: wanted.data),
            for: .advertisingSetup)
        send(
            LESetScanResponseData(
                scanResponseDataLength: UInt8(wanted.scanResponse.count),
                scanResponseData: wanted.scanResponse), for: .advertisingSetup)
    }

    mutating func advertisingEnabled(_ enabled: Bool, _ status: HCIStatus) {
        advertiser.isBusy = false
        guard status == .success else {
            let isForLink = status == .commandDisallowed || status == .connectionLimitExceeded
            guard isForLink, advertiser.resumption == .tried, advertiser.wanted == advertiser.pending,
                !links.isEmpty
            else { return advertisingFailed(status) }
            advertiser.pending = nil
            advertiser.resumption = .waiting
            return
        }
        if enabled { advertiser.resumption = .none }
        advertiser.active = enabled ? advertiser.pending : nil
        advertiser.pending = nil
        tellAdvertising()
        reconcileAdvertiser()
    }

    /// Reports to the application whether the host advertises; interruptions by the host itself are not
    /// reported.
    private mutating func tellAdvertising() {
        let isOn = advertiser.active != nil || isPaused && advertiser.isTold && advertiser.wanted != nil
        guard isOn != advertiser.isTold else { return }
        advertiser.isTold = isOn
        tell(.advertising(isOn))
    }

    private mutating func advertisingFailed(_ status: HCIStatus) {
        advertiser.pending = nil
        // The controller would refuse the same parameters again.
        advertiser.wanted = advertiser.active
        tell(.advertisingFailed(status))
    }

    /// Handles the end of advertising by the controller that is not due to a connection.
    mutating func advertisingSetTerminated(_ terminated: LEAdvertisingSetTerminated) {
        guard terminated.status != .success, advertiser.active != nil else { return }
        advertiser.active = nil
        reconcileAdvertiser()
    }

    /// Resumes advertising at the end of a link, if the controller refused it beside that link.
    mutating func resumeAdvertising() {
        guard advertiser.resumption == .waiting else { return }
        advertiser.resumption = .tried
        reconcileAdvertiser()
    }

    /// Sets the advertising that is wanted; nil stops it.
    mutating func advertise(_ parameters: AdvertisingParameters?) {
        advertiser.resumption = .none
        advertiser.wanted = parameters
        reconcileAdvertiser()
    }

    /// Handles the end of advertising because a central connected.
    mutating func advertisingEndedByConnection() {
        guard let active = advertiser.active else { return }
        advertiser.active = nil
        advertiser.isTold = false
        if active.endsWithConnection, advertiser.wanted == active {
            advertiser.wanted = nil
            tell(.advertising(false))
        } else {
            advertiser.resumption = .tried
        }
        reconcileAdvertiser()
    }
}
