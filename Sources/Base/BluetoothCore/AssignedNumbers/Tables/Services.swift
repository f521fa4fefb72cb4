// GATT services. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let servicesLines: StaticString = """
        1800 GAP~GATT~Immediate Alert~Link Loss~Tx Power~Current Time~Reference Time Update~Next DST Change
        1808 Glucose~Health Thermometer~Device Information
        180D Heart Rate~Phone Alert Status~Battery~Blood Pressure~Alert Notification~Human Interface Device
        1813 Scan Parameters~Running Speed and Cadence~Automation IO~Cycling Speed and Cadence
        1818 Cycling Power~Location and Navigation~Environmental Sensing~Body Composition~User Data
        181D Weight Scale~Bond Management~Continuous Glucose Monitoring~Internet Protocol Support
        1821 Indoor Positioning~Pulse Oximeter~HTTP Proxy~Transport Discovery~Object Transfer
        1826 Fitness Machine~Mesh Provisioning~Mesh Proxy~Reconnection Configuration
        183A Insulin Delivery~Binary Sensor~Emergency Configuration~Authorization Control
        183E Physical Activity Monitor~Elapsed Time~Generic Health Sensor
        1843 Audio Input Control~Volume Control~Volume Offset Control~Coordinated Set Identification
        1847 Device Time~Media Control~Generic Media Control~Constant Tone Extension~Telephone Bearer
        184C Generic Telephone Bearer~Microphone Control~Audio Stream Control~Broadcast Audio Scan
        1850 Published Audio Capabilities~Basic Audio Announcement~Broadcast Audio Announcement~Common Audio
        1854 Hearing Access~Telephony and Media Audio~Public Broadcast Announcement~Electronic Shelf Label
        1858 Gaming Audio~Mesh Proxy Solicitation~Industrial Measurement Device~Ranging~HID ISO~Cookware
        185E Voice Assistant~Generic Voice Assistant
        """
}
