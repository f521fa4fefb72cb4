import CommandLineKit
import Glibc

SystemCall.openStandardDescriptors()
SystemCall.ignoreBrokenPipes()
if CommandLine.arguments.first == RecordingGuard.name, ChildProcess.isThisProcess {
    RecordingGuard.run()
    exit(ExitStatus.success.rawValue)
}
exit(Command.run(Array(CommandLine.arguments.dropFirst()), in: .ofProcess()).rawValue)
