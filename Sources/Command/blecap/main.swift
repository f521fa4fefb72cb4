import CommandLineKit
import Glibc

SystemCall.openStandardDescriptors()
SystemCall.ignoreBrokenPipes()
exit(Command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
