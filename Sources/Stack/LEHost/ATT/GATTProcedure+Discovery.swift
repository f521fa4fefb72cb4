import BluetoothCore
import WireBytes

// Procedures that walk over a range of handles. A response whose handles don't increase, or leave the range,
// is rejected: the walk would never end.

extension GATTProcedure {
    mutating func nextServices() -> Step {
        guard cursor <= last, case .discoverServices(let uuid) = operation else { return finishRange() }
        guard let uuid else {
            return ask(
                ATTReadByGroupTypeRequest(
                    startingHandle: UInt16(clamping: cursor), endingHandle: UInt16(clamping: last),
                    type: .primaryService))
        }
        return ask(
            ATTFindByTypeValueRequest(
                startingHandle: UInt16(clamping: cursor), endingHandle: UInt16(clamping: last),
                type: .primaryService, value: GATTServiceDeclaration(uuid: uuid).encoded))
    }

    mutating func nextInRange() -> Step {
        guard cursor <= last else { return finishRange() }
        let first = UInt16(clamping: cursor)
        let end = UInt16(clamping: last)
        let type: BluetoothUUID
        switch operation {
        case .discoverDescriptors:
            return ask(
                ATTFindInformationRequest(startingHandle: first, endingHandle: end))
        case .discoverIncludes: type = .includeDeclaration
        case .discoverCharacteristics: type = .characteristicDeclaration
        case .readByType(let uuid, _): type = uuid
        default: return .done(.failure(.invalidOperation))
        }
        return ask(
            ATTReadByTypeRequest(startingHandle: first, endingHandle: end, type: type))
    }

    mutating func foundServices(_ response: ATTReadByGroupTypeResponse) -> Step {
        let malformed = Step.done(.failure(.malformedResponse(.readByGroupTypeResponse)))
        let width = Int(response.length)
        guard
            let groups = try? ATTGroupValue.elements(of: response.attributes, width: width),
            !groups.isEmpty
        else { return malformed }
        for group in groups {
            guard advance(over: group.handle, to: group.groupEndHandle),
                let service = try? GATTServiceDeclaration(whole: group.value)
            else { return malformed }
            services.append(
                GATTService(uuid: service.uuid, handle: group.handle, endHandle: group.groupEndHandle))
        }
        return nextServices()
    }

    mutating func foundServices(_ response: ATTFindByTypeValueResponse) -> Step {
        let malformed = Step.done(.failure(.malformedResponse(.findByTypeValueResponse)))
        guard let groups = try? ATTHandleRange.elements(of: response.handles, width: 4), !groups.isEmpty,
            case .discoverServices(let uuid?) = operation
        else { return malformed }
        for group in groups {
            guard advance(over: group.handle, to: group.groupEndHandle) else { return malformed }
            services.append(GATTService(uuid: uuid, handle: group.handle, endHandle: group.groupEndHandle))
        }
        return nextServices()
    }

    mutating func found(_ response: ATTReadByTypeResponse) -> Step {
        let malformed = Step.done(.failure(.malformedResponse(.readByTypeResponse)))
        let width = Int(response.length)
        guard
            let attributes = try? ATTHandleValue.elements(of: response.attributes, width: width),
            !attributes.isEmpty
        else { return malformed }
        for attribute in attributes {
            guard advance(over: attribute.handle, to: attribute.handle), keep(attribute) else {
                return malformed
            }
        }
        return nextInRange()
    }

    mutating func foundDescriptors(_ response: ATTFindInformationResponse) -> Step {
        let malformed = Step.done(.failure(.malformedResponse(.findInformationResponse)))
        guard let width = response.elementWidth,
            let found = try? ATTHandleType.elements(of: response.information, width: width), !found.isEmpty
        else { return malformed }
        for one in found {
            guard advance(over: one.handle, to: one.handle) else { return malformed }
            descriptors.append(GATTDescriptor(uuid: one.type, handle: one.handle))
        }
        return nextInRange()
    }

    /// Handles the UUID of an included service, read from its declaration.
    mutating func named(_ value: [UInt8]) -> Step {
        guard let place = unnamed.first, let service = try? GATTServiceDeclaration(whole: value)
        else { return .done(.failure(.malformedResponse(.readResponse))) }
        includes[place].service.uuid = service.uuid
        unnamed.removeFirst()
        return finishRange()
    }

    /// Ends a walk, after reading the UUIDs of included services that are unknown.
    mutating func finishRange() -> Step {
        switch operation {
        case .discoverServices: return .done(.success(.services(services)))
        case .discoverCharacteristics(let range):
            for index in characteristics.indices {
                let next =
                    index + 1 < characteristics.count ? characteristics[index + 1].declarationHandle : 0
                characteristics[index].endHandle = next > 0 ? next - 1 : range.upperBound
            }
            return .done(.success(.characteristics(characteristics)))
        case .discoverDescriptors: return .done(.success(.descriptors(descriptors)))
        case .readByType: return .done(.success(.values(values)))
        case .discoverIncludes:
            guard let place = unnamed.first else { return .done(.success(.includes(includes))) }
            return ask(ATTReadRequest(handle: includes[place].service.handle))
        default: return .done(.failure(.invalidOperation))
        }
    }

    private mutating func keep(_ attribute: ATTHandleValue) -> Bool {
        switch operation {
        case .discoverIncludes:
            guard let include = try? GATTIncludeDeclaration(whole: attribute.value),
                include.handle > 0, include.endGroupHandle >= include.handle
            else { return false }
            if include.uuid == nil { unnamed.append(includes.count) }
            includes.append(
                GATTInclude(
                    declarationHandle: attribute.handle,
                    service: GATTService(
                        uuid: include.uuid ?? BluetoothUUID(UInt16(0)), handle: include.handle,
                        endHandle: include.endGroupHandle)))
        case .discoverCharacteristics:
            guard let found = try? GATTCharacteristicDeclaration(whole: attribute.value),
                found.valueHandle > attribute.handle
            else { return false }
            characteristics.append(
                GATTCharacteristic(
                    uuid: found.uuid, properties: found.properties, declarationHandle: attribute.handle,
                    valueHandle: found.valueHandle, endHandle: found.valueHandle))
        default: values.append(attribute)
        }
        return true
    }

    private mutating func advance(over handle: UInt16, to end: UInt16) -> Bool {
        guard Int(handle) >= cursor, end >= handle, Int(end) <= last else { return false }
        cursor = Int(end) + 1
        return true
    }
}
