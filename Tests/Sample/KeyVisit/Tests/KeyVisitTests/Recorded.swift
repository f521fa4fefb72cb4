import Foundation
import ReplayHarness

/// The log that the tests replay.
let capture = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../../captures/uqdk-unlock.btsnoop").standardizedFileURL.path

/// What the phone of `captures/uqdk-unlock.btsnoop` sent: the fragments of each message.
let recorded: [[Data]] = [
    [octets("00805551010103010000008a89")],
    [octets("01005551010100010000101122334455667788eb"), octets("01818b475ce25f67ee67fd")],
    [octets("0200555101010001000010112233445566778806"), octets("02814b7ed42959d4e844a5")],
    [octets("030055510101010100001811223344556677889f"), octets("0381a51df0a50e233d35c96e41221205f2bcd6")],
    [octets("040055510101010200000c0000000797de2c10ef"), octets("0481edd1b15fa9")],
    [octets("050055510101030101000c00000001bd58a194ad"), octets("058127b7682a33")],
    [octets("060055510101020201000d000000020a03d350db"), octets("06810c746662ef4c")],
    [octets("070055510101020301000c00000003369853b29c"), octets("07819fc4a9a74d")],
    [octets("080055510101020501000d00000004fa4bc39e33"), octets("08818dc5a73abe2c")],
    [octets("40805551010103010000008a76")],
    [octets("090055510101020101000d00000005c7a3196952"), octets("09819450044973a3")],
]

func octets(_ hex: String) -> Data {
    let digits = Array(hex)
    return Data(
        stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
}
