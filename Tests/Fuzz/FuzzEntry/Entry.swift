import FuzzTargets
import Glibc

/// The target that the environment names, read once.
private let target: FuzzTarget? = {
    // Safe: getenv gives nil or a string that ends with a zero octet.
    guard let name = unsafe getenv("BLECAP_FUZZ_TARGET") else { return nil }
    return unsafe FuzzTarget(rawValue: String(cString: name))
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else {
        exit(2)
    }
    // Safe: libFuzzer hands over `count` octets at `start`.
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    target.run(input)
    return 0
}
