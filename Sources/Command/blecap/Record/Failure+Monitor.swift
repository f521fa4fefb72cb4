import CommandLineKit
import Glibc
import MonitorCapture

extension Failure {
    /// The failure for inaccessible Bluetooth, in the user's terms.
    init(_ error: MonitorError, _ what: String = "the HCI monitor channel") {
        switch error {
        case .noBluetooth:
            self.init(
                .environment, "this kernel has no Bluetooth",
                advice: "load its module ('sudo modprobe bluetooth'), or go to the machine with the adapter")
        case .notPermitted(let capability):
            self.init(
                .environment, "not allowed to open \(what): \(capability) is missing",
                advice: "use sudo, or once: \(Self.grant)")
        case .system(let call, let code):
            self.init(.environment, "\(what): can't \(call): \(SystemCall.message(code))")
        case .library(let text): self.init(.environment, "\(what): \(text)")
        }
    }

    /// The command that grants the program its capabilities.
    static var grant: String {
        let path = SystemCall.programPath.map(Shell.quoted) ?? "blecap"
        return "sudo setcap cap_net_raw,cap_net_admin+ep \(path)"
    }
}
