// GATT characteristics. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let characteristicsLines: StaticString = """
        2A00 Device Name~Appearance~Peripheral Privacy Flag~Reconnection Address
        2A04 Peripheral Preferred Connection Parameters~Service Changed~Alert Level~Tx Power Level~Date Time
        2A09 Day of Week~Day Date Time
        2A0C Exact Time 256~DST Offset~Time Zone~Local Time Information
        2A11 Time with DST~Time Accuracy~Time Source~Reference Time Information
        2A16 Time Update Control Point~Time Update State~Glucose Measurement~Battery Level
        2A1C Temperature Measurement~Temperature Type~Intermediate Temperature
        2A21 Measurement Interval~Boot Keyboard Input Report~System ID~Model Number String
        2A25 Serial Number String~Firmware Revision String~Hardware Revision String~Software Revision String
        2A29 Manufacturer Name String~IEEE 11073-20601 Regulatory Certification Data List~Current Time
        2A2C Magnetic Declination
        2A31 Scan Refresh~Boot Keyboard Output Report~Boot Mouse Input Report~Glucose Measurement Context
        2A35 Blood Pressure Measurement~Intermediate Cuff Pressure~Heart Rate Measurement
        2A38 Body Sensor Location~Heart Rate Control Point
        2A3F Alert Status~Ringer Control Point~Ringer Setting~Alert Category ID Bit Mask~Alert Category ID
        2A44 Alert Notification Control Point~Unread Alert Status~New Alert~Supported New Alert Category
        2A48 Supported Unread Alert Category~Blood Pressure Feature~HID Information~Report Map
        2A4C HID Control Point~Report~Protocol Mode~Scan Interval Window~PnP ID~Glucose Feature
        2A52 Record Access Control Point~RSC Measurement~RSC Feature~SC Control Point
        2A5A Aggregate~CSC Measurement~CSC Feature~Sensor Location~PLX Spot-Check Measurement
        2A5F PLX Continuous Measurement~PLX Features
        2A63 Cycling Power Measurement~Cycling Power Vector~Cycling Power Feature
        2A66 Cycling Power Control Point~Location and Speed~Navigation~Position Quality~LN Feature
        2A6B LN Control Point~Elevation~Pressure~Temperature~Humidity~True Wind Speed~True Wind Direction
        2A72 Apparent Wind Speed~Apparent Wind Direction~Gust Factor~Pollen Concentration~UV Index
        2A77 Irradiance~Rainfall~Wind Chill~Heat Index~Dew Point
        2A7D Descriptor Value Changed~Aerobic Heart Rate Lower Limit~Aerobic Threshold~Age
        2A81 Anaerobic Heart Rate Lower Limit~Anaerobic Heart Rate Upper Limit~Anaerobic Threshold
        2A84 Aerobic Heart Rate Upper Limit~Date of Birth~Date of Threshold Assessment~Email Address
        2A88 Fat Burn Heart Rate Lower Limit~Fat Burn Heart Rate Upper Limit~First Name
        2A8B Five Zone Heart Rate Limits~Gender~Heart Rate Max~Height~Hip Circumference~Last Name
        2A91 Maximum Recommended Heart Rate~Resting Heart Rate
        2A93 Sport Type for Aerobic and Anaerobic Thresholds~Three Zone Heart Rate Limits
        2A95 Two Zone Heart Rate Limits~VO2 Max~Waist Circumference~Weight~Database Change Increment
        2A9A User Index~Body Composition Feature~Body Composition Measurement~Weight Measurement
        2A9E Weight Scale Feature~User Control Point~Magnetic Flux Density - 2D~Magnetic Flux Density - 3D
        2AA2 Language~Barometric Pressure Trend~Bond Management Control Point~Bond Management Feature
        2AA6 Central Address Resolution~CGM Measurement~CGM Feature~CGM Status~CGM Session Start Time
        2AAB CGM Session Run Time~CGM Specific Ops Control Point~Indoor Positioning Configuration~Latitude
        2AAF Longitude~Local North Coordinate~Local East Coordinate~Floor Number~Altitude~Uncertainty
        2AB5 Location Name~URI~HTTP Headers~HTTP Status Code~HTTP Entity Body~HTTP Control Point
        2ABB HTTPS Security~TDS Control Point~OTS Feature~Object Name~Object Type~Object Size
        2AC1 Object First-Created~Object Last-Modified~Object ID~Object Properties
        2AC5 Object Action Control Point~Object List Control Point~Object List Filter~Object Changed
        2AC9 Resolvable Private Address Only
        2ACC Fitness Machine Feature~Treadmill Data~Cross Trainer Data~Step Climber Data~Stair Climber Data
        2AD1 Rower Data~Indoor Bike Data~Training Status~Supported Speed Range~Supported Inclination Range
        2AD6 Supported Resistance Level Range~Supported Heart Rate Range~Supported Power Range
        2AD9 Fitness Machine Control Point~Fitness Machine Status~Mesh Provisioning Data In
        2ADC Mesh Provisioning Data Out~Mesh Proxy Data In~Mesh Proxy Data Out
        2AE0 Average Current~Average Voltage~Boolean~Chromatic Distance from Planckian
        2AE4 Chromaticity Coordinates~Chromaticity in CCT and Duv Values~Chromaticity Tolerance
        2AE7 CIE 13.3-1995 Color Rendering Index~Coefficient~Correlated Color Temperature~Count 16~Count 24
        2AEC Country Code~Date UTC~Electric Current~Electric Current Range~Electric Current Specification
        2AF1 Electric Current Statistics~Energy~Energy in a Period of Day~Event Statistics~Fixed String 16
        2AF6 Fixed String 24~Fixed String 36~Fixed String 8~Generic Level~Global Trade Item Number
        2AFB Illuminance~Luminous Efficacy~Luminous Energy~Luminous Exposure~Luminous Flux
        2B00 Luminous Flux Range~Luminous Intensity~Mass Flow~Perceived Lightness~Percentage 8~Power
        2B06 Power Specification~Relative Runtime in a Current Range
        2B08 Relative Runtime in a Generic Level Range~Relative Value in a Voltage Range
        2B0A Relative Value in an Illuminance Range~Relative Value in a Period of Day
        2B0C Relative Value in a Temperature Range~Temperature 8~Temperature 8 in a Period of Day
        2B0F Temperature 8 Statistics~Temperature Range~Temperature Statistics~Time Decihour 8
        2B13 Time Exponential 8~Time Hour 24~Time Millisecond 24~Time Second 16~Time Second 8~Voltage
        2B19 Voltage Specification~Voltage Statistics~Volume Flow~Chromaticity Coordinate~RC Feature
        2B1E RC Settings~Reconnection Configuration Control Point~IDD Status Changed~IDD Status
        2B22 IDD Annunciation Status~IDD Features~IDD Status Reader Control Point~IDD Command Control Point
        2B26 IDD Command Data~IDD Record Access Control Point~IDD History Data~Client Supported Features
        2B2A Database Hash~BSS Control Point~BSS Response~Emergency ID~Emergency Text~ACS Status~ACS Data In
        2B31 ACS Data Out Notify~ACS Data Out Indicate~ACS Control Point~Enhanced Blood Pressure Measurement
        2B35 Enhanced Intermediate Cuff Pressure~Blood Pressure Record~Registered User~BR-EDR Handover Data
        2B39 Bluetooth SIG Data~Server Supported Features~Physical Activity Monitor Features
        2B3C General Activity Instantaneous Data~General Activity Summary Data
        2B3E CardioRespiratory Activity Instantaneous Data~CardioRespiratory Activity Summary Data
        2B40 Step Counter Activity Summary Data~Sleep Activity Instantaneous Data
        2B42 Sleep Activity Summary Data~Physical Activity Monitor Control Point
        2B44 Physical Activity Current Session~Physical Activity Session Descriptor~Preferred Units
        2B47 High Resolution Height~Middle Name~Stride Length~Handedness~Device Wearing Position
        2B4C Four Zone Heart Rate Limits~High Intensity Exercise Threshold~Activity Goal
        2B4F Sedentary Interval Notification~Caloric Intake~TMAP Role
        2B77 Audio Input State~Gain Settings Attribute~Audio Input Type~Audio Input Status
        2B7B Audio Input Control Point~Audio Input Description~Volume State~Volume Control Point
        2B7F Volume Flags~Volume Offset State~Audio Location~Volume Offset Control Point
        2B83 Audio Output Description~Set Identity Resolving Key~Coordinated Set Size~Set Member Lock
        2B87 Set Member Rank~Encrypted Data Key Material~Apparent Energy 32~Apparent Power
        2B8B Live Health Observations~CO2 Concentration~Cosine of the Angle~Device Time Feature
        2B8F Device Time Parameters~Device Time~Device Time Control Point~Time Change Log Data
        2B93 Media Player Name~Media Player Icon Object ID~Media Player Icon URL~Track Changed~Track Title
        2B98 Track Duration~Track Position~Playback Speed~Seeking Speed~Current Track Segments Object ID
        2B9D Current Track Object ID~Next Track Object ID~Parent Group Object ID~Current Group Object ID
        2BA1 Playing Order~Playing Orders Supported~Media State~Media Control Point
        2BA5 Media Control Point Opcodes Supported~Search Results Object ID~Search Control Point~Energy 32
        2BAD Constant Tone Extension Enable~Advertising Constant Tone Extension Minimum Length
        2BAF Advertising Constant Tone Extension Minimum Transmit Count
        2BB0 Advertising Constant Tone Extension Transmit Duration
        2BB1 Advertising Constant Tone Extension Interval~Advertising Constant Tone Extension PHY
        2BB3 Bearer Provider Name~Bearer UCI~Bearer Technology~Bearer URI Schemes Supported List
        2BB7 Bearer Signal Strength~Bearer Signal Strength Reporting Interval~Bearer List Current Calls
        2BBA Content Control ID~Status Flags~Incoming Call Target Bearer URI~Call State~Call Control Point
        2BBF Call Control Point Optional Opcodes~Termination Reason~Incoming Call~Call Friendly Name~Mute
        2BC4 Sink ASE~Source ASE~ASE Control Point~Broadcast Audio Scan Control Point
        2BC8 Broadcast Receive State~Sink PAC~Sink Audio Locations~Source PAC~Source Audio Locations
        2BCD Available Audio Contexts~Supported Audio Contexts~Ammonia Concentration
        2BD0 Carbon Monoxide Concentration~Methane Concentration~Nitrogen Dioxide Concentration
        2BD3 Non-Methane Volatile Organic Compounds Concentration~Ozone Concentration
        2BD5 Particulate Matter - PM1 Concentration~Particulate Matter - PM2.5 Concentration
        2BD7 Particulate Matter - PM10 Concentration~Sulfur Dioxide Concentration
        2BD9 Sulfur Hexafluoride Concentration~Hearing Aid Features~Hearing Aid Preset Control Point
        2BDC Active Preset Index~Stored Health Observations~Fixed String 64~High Temperature~High Voltage
        2BE1 Light Distribution~Light Output~Light Source Type~Noise
        2BE5 Relative Runtime in a Correlated Color Temperature Range~Time Second 32~VOC Concentration
        2BE8 Voltage Frequency~Battery Critical Status~Battery Health Status~Battery Health Information
        2BEC Battery Information~Battery Level Status~Battery Time Status~Estimated Service Date
        2BF0 Battery Energy Status~Observation Schedule Changed~Elapsed Time~Health Sensor Features
        2BF4 GHS Control Point~LE GATT Security Levels~ESL Address~AP Sync Key Material
        2BF8 ESL Response Key Material~ESL Current Absolute Time~ESL Display Information
        2BFB ESL Image Information~ESL Sensor Information~ESL LED Information~ESL Control Point
        2BFF UDI for Medical Devices~GMAP Role~UGG Features~UGT Features~BGS Features~BGR Features
        2C05 Percentage 8 Steps~Acceleration~Force~Linear Position~Rotational Speed~Length~Torque~IMD Status
        2C0D IMDS Descriptor Value Changed~First Use Date~Life Cycle Data~Work Cycle Data~Service Cycle Data
        2C12 IMD Control~IMD Historical Data~RAS Features~Real-time Ranging Data~On-demand Ranging Data
        2C17 RAS Control Point~Ranging Data Ready~Ranging Data Overwritten~Coordinated Set Name~Humidity 8
        2C1C Illuminance 16~Acceleration - 3D~Precise Acceleration - 3D~Acceleration Detection Status
        2C20 Door/Window Status~Pushbutton Status 8~Contact Status 8~HID ISO Properties
        2C24 LE HID Operation Mode~Cookware Description~Recipe Control~Recipe Parameters~Cooking Step Status
        2C29 Cooking Zone Capabilities~Cooking Zone Desired Cooking Conditions
        2C2B Cooking Zone Actual Cooking Conditions~Cookware Sensor Data~Cookware Sensor Aggregate
        2C2E Cooking Temperature~Cooking Zone Perceived Power~Kitchen Appliance Airflow~Voice Assistant Name
        2C32 Voice Assistant UUID~Voice Assistant Service Control Point~Installed Location
        2C35 Voice Assistant Session State~Voice Assistant Session Flag~Voice Assistant Supported Languages
        2C38 Voice Assistant Supported Features
        """
}
