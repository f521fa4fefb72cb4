// As in Apple's module, code that imports only CoreBluetooth also gets Foundation and Dispatch.
@_exported public import Dispatch
@_exported public import Foundation
