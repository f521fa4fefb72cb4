// As Apple's module does: code that imports CoreBluetooth alone has Foundation and queues with it.
@_exported public import Dispatch
@_exported public import Foundation
