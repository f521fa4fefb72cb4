import CommandLineKit
import Glibc
import MonitorCapture
import WireBytes

/// The command `blecap extcap`: the HCI monitor channel as an interface of Wireshark.
///
/// Source: Wireshark's doc/extcap.adoc. Wireshark runs the program with its query as options, and reads the
/// answer line by line, or for a capture the packets from a named pipe.
struct Extcap {
    let arguments: ParsedArguments

    /// The interface's name; different from libpcap's own device, which Wireshark lists as well.
    static let interface = "blecap"
    /// Its link type: LINKTYPE_BLUETOOTH_LINUX_MONITOR.
    static let linkType = 254

    /// The command line with the command's name added, if Wireshark started the program through a link.
    static func arguments(from words: [String]) -> [String] {
        guard let first = words.first, first.hasPrefix("--extcap-") || first == "--capture" else {
            return words
        }
        return ["extcap"] + words
    }

    func run() throws(Failure) -> ExitStatus {
        if arguments.has(.extcapInterfaces) {
            return try Command.show(Self.interfaces, arguments.environment)
        }
        guard arguments.value(.extcapInterface) == Self.interface else {
            throw Failure(
                .usage, "the interface is \(Self.interface)",
                advice: "Wireshark runs this command; 'blecap extcap --help' says how to install it")
        }
        if arguments.has(.extcapDLTs) { return try Command.show(Self.dlts, arguments.environment) }
        if arguments.has(.extcapConfig) { return try Command.show(Self.config, arguments.environment) }
        if let filter = arguments.value(.extcapFilter), !filter.isEmpty {
            throw Failure(
                .usage, "capture filters are not supported",
                advice: "leave it empty and use a display filter: frame.comment holds the annotation")
        }
        guard arguments.has(.extcapCapture) else {
            throw Failure(.usage, "nothing to do", advice: "'blecap extcap --help' lists the options")
        }
        guard let fifo = arguments.value(.extcapFifo) else {
            throw Failure(.usage, "--capture needs --fifo PATH")
        }
        return try capture(fifo)
    }

    static let interfaces = """
        extcap {version=\(CommandTable.blecap.version)}{display=blecap}
        interface {value=\(interface)}{display=Bluetooth HCI of all adapters, annotated by blecap}

        """

    static let dlts = """
        dlt {number=\(linkType)}{name=BLUETOOTH_LINUX_MONITOR}{display=Linux HCI monitor channel}

        """

    static let config = """
        arg {number=0}{call=--buffer}{display=Receive buffer}{type=string}{default=16M}\
        {tooltip=How long a burst may be before records are lost; K, M and G}
        arg {number=1}{call=--keys}{display=Keys}{type=fileselect}{mustexist=true}\
        {tooltip=A keys file that verifies and opens secured messages}
        arg {number=2}{call=--profile}{display=Profile}{type=fileselect}{mustexist=true}\
        {tooltip=Describes a private protocol}
        arg {number=3}{call=--gatt}{display=Attributes}{type=fileselect}{mustexist=true}\
        {tooltip=A capture in which the attributes were discovered, or a cache file of BlueZ}
        arg {number=4}{call=--keep-keys}{display=Keep keys}{type=boolflag}{default=false}\
        {tooltip=Keys stay in the packets, so that Wireshark can decrypt}

        """

    private func capture(_ fifo: String) throws(Failure) -> ExitStatus {
        let knowledge = try GivenKnowledge.read(arguments)
        let buffer = try arguments.octets(.buffer) ?? RecordOptions.usualBuffer
        let signals = try StopSignals(arguments.environment)
        let stop = signals.descriptor
        let links = try Failure.reporting { () throws(MonitorError) in try OpenLinkList() }
        let channel = try Failure.reporting { () throws(MonitorError) in
            try MonitorChannel(receiveBuffer: buffer)
        }
        let descriptor: Int32
        do throws(SystemCall.Problem) {
            descriptor = try SystemCall.createAnew(fifo, replacing: true, stop: stop)
        } catch {
            // Stopped before anyone read the pipe.
            if error.code == EINTR { return .success }
            throw Failure(.environment, "\(fifo): can't open: \(SystemMessage.text(error.code))")
        }
        do throws(Failure) {
            var target = try AnnotatedTarget(
                fifo, descriptor: descriptor, knowledge, links, blanksKeys: !arguments.has(.keepKeys),
                stop: stop)
            var pump = ChannelPump(channel, signals, RecordLimits())
            _ = try pump.run(&target)
        } catch {
            guard error.status == .success else { throw error }
        }
        return .success
    }
}
