import Adapters
import BluetoothCore
import CommandLineKit
import LEHost
import Replay
import Runtime
import Synchronization

// The option `--listen` of `replay`: the recording acts as a controller for another program's host.

extension ReplayCommand {
    /// Replays a log to the first host that connects, until there is a verdict, the host leaves, or the user
    /// ends it. The wait for a host has the same limit as an idle host.
    func listen(
        _ model: SessionModel, _ options: LogReplay.Options, at place: AdapterAddress
    ) throws(Failure) -> LogReplay {
        let stage = try Stage(arguments.environment, isLive: true, seed: options.seed)
        guard let time = stage.time as? RealTime else { throw Failure(.environment, "no real time") }
        let replay = OutsideReplay(model, options: options, scheduler: time)
        let transport = recording?.transport(replay.recording, time, from: stage.wallClockOrigin)
        let guest = Guest(transport ?? replay.recording)
        let listener = try Failure.reporting { () throws(AdapterError) in
            try place.listen(time) { guest.take($0) }
        }
        console.say("waiting for a host at \(listener.address)")
        guard stage.run(for: options.replay.idleLimit, until: { guest.isThere }) || stage.isOver else {
            listener.close()
            throw Failure(
                .environment,
                "no host came to \(listener.address) within \(arguments.value(.patience) ?? "30s")",
                advice: "start the host meanwhile, or wait longer: --patience 5m")
        }
        while !replay.recording.isSettled, !guest.isGone, !stage.isOver {
            let left = time.now.duration(to: replay.recording.idleDeadline(pastEnd: false))
            if left <= .zero {
                if !replay.recording.noteStuck() { break }
            } else {
                stage.run(for: left) { replay.recording.isSettled || guest.isGone }
            }
        }
        if !replay.recording.isSettled { replay.recording.noteStuck() }
        listener.close()
        guest.close()
        return replay.result
    }
}

/// The one host that a recording is replayed to.
private final class Guest: Sendable {
    private let recording: any HCITransport
    private let stream = Mutex<HCIStream?>(nil)

    init(_ recording: any HCITransport) { self.recording = recording }

    /// Whether a host has come.
    var isThere: Bool { stream.withLock { $0 != nil } }
    /// Whether it has left.
    var isGone: Bool { stream.withLock { $0?.failure != nil } }

    func take(_ arrived: HCIStream) {
        let isFirst = stream.withLock { stream in
            defer { stream = stream ?? arrived }
            return stream == nil
        }
        guard isFirst else { return arrived.close() }
        let recording = recording
        do {
            try recording.open { [weak arrived] packet in try? arrived?.send(packet) }
            try arrived.open { packet in try? recording.send(packet) }
        } catch {
            arrived.close()
        }
    }

    func close() {
        recording.close()
        stream.withLock { $0 }?.close()
    }
}
