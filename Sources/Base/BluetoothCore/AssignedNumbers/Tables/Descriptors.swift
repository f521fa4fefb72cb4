// GATT descriptors. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let descriptorsLines: StaticString = """
        2900 Characteristic Extended Properties~Characteristic User Description
        2902 Client Characteristic Configuration~Server Characteristic Configuration
        2904 Characteristic Presentation Format~Characteristic Aggregate Format~Valid Range
        2907 External Report Reference~Report Reference~Number of Digitals~Value Trigger Setting
        290B Environmental Sensing Configuration~Environmental Sensing Measurement
        290D Environmental Sensing Trigger Setting~Time Trigger Setting~Complete BR-EDR Transport Block Data
        2910 Observation Schedule~Valid Range and Accuracy~Measurement Description~Manufacturer Limits
        2914 Process Tolerances~IMD Trigger Setting~Cooking Sensor Info~Cooking Trigger Setting
        """
}

// GATT attribute types of declarations. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let declarationsLines: StaticString = """
        2800 Primary Service~Secondary Service~Include~Characteristic
        """
}
