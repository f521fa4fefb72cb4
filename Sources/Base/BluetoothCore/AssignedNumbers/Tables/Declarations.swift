// GATT attribute types of declarations. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let declarationsLines: StaticString = """
        2800 Primary Service~Secondary Service~Include~Characteristic
        """
}
