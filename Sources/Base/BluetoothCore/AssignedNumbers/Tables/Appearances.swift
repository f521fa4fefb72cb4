// Appearance values. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let appearancesLines: StaticString = """
        0000 Unknown
        0040 Phone
        0080 Computer~Desktop Workstation~Server-class Computer~Laptop~Handheld PC/PDA (clamshell)
        0085 Palm-size PC/PDA~Wearable computer (watch size)~Tablet~Docking Station~All in One~Blade Server
        008B Convertible~Detachable~IoT Gateway~Mini PC~Stick PC
        00C0 Watch~Sports Watch~Smartwatch
        0100 Clock
        0140 Display
        0180 Remote Control
        01C0 Eye-glasses
        0200 Tag
        0240 Keyring
        0280 Media Player
        02C0 Barcode Scanner
        0300 Thermometer~Ear Thermometer
        0340 Heart Rate Sensor~Heart Rate Belt
        0380 Blood Pressure~Arm Blood Pressure~Wrist Blood Pressure
        03C0 Human Interface Device~Keyboard~Mouse~Joystick~Gamepad~Digitizer Tablet~Card Reader~Digital Pen
        03C8 Barcode Scanner~Touchpad~Presentation Remote
        0400 Glucose Meter
        0440 Running Walking Sensor~In-Shoe Running Walking Sensor~On-Shoe Running Walking Sensor
        0443 On-Hip Running Walking Sensor
        0480 Cycling~Cycling Computer~Speed Sensor~Cadence Sensor~Power Sensor~Speed and Cadence Sensor
        04C0 Control Device~Switch~Multi-switch~Button~Slider~Rotary Switch~Touch Panel~Single Switch
        04C8 Double Switch~Triple Switch~Battery Switch~Energy Harvesting Switch~Push Button~Dial
        0500 Network Device~Access Point~Mesh Device~Mesh Network Proxy
        0540 Sensor~Motion Sensor~Air quality Sensor~Temperature Sensor~Humidity Sensor~Leak Sensor
        0546 Smoke Sensor~Occupancy Sensor~Contact Sensor~Carbon Monoxide Sensor~Carbon Dioxide Sensor
        054B Ambient Light Sensor~Energy Sensor~Color Light Sensor~Rain Sensor~Fire Sensor~Wind Sensor
        0551 Proximity Sensor~Multi-Sensor~Flush Mounted Sensor~Ceiling Mounted Sensor~Wall Mounted Sensor
        0556 Multisensor~Energy Meter~Flame Detector~Vehicle Tire Pressure Sensor
        0580 Light Fixtures~Wall Light~Ceiling Light~Floor Light~Cabinet Light~Desk Light~Troffer Light
        0587 Pendant Light~In-ground Light~Flood Light~Underwater Light~Bollard with Light~Pathway Light
        058D Garden Light~Pole-top Light~Spotlight~Linear Light~Street Light~Shelves Light~Bay Light
        0594 Emergency Exit Light~Light Controller~Light Driver~Bulb~Low-bay Light~High-bay Light
        05C0 Fan~Ceiling Fan~Axial Fan~Exhaust Fan~Pedestal Fan~Desk Fan~Wall Fan
        0600 HVAC~Thermostat~Humidifier~De-humidifier~Heater~Radiator~Boiler~Heat Pump~Infrared Heater
        0609 Radiant Panel Heater~Fan Heater~Air Curtain
        0640 Air Conditioning
        0680 Humidifier
        06C0 Heating~Radiator~Boiler~Heat Pump~Infrared Heater~Radiant Panel Heater~Fan Heater~Air Curtain
        0700 Access Control~Access Door~Garage Door~Emergency Exit Door~Access Lock~Elevator~Window
        0707 Entrance Gate~Door Lock~Locker
        0740 Motorized Device~Motorized Gate~Awning~Blinds or Shades~Curtains~Screen
        0780 Power Device~Power Outlet~Power Strip~Plug~Power Supply~LED Driver~Fluorescent Lamp Gear
        0787 HID Lamp Gear~Charge Case~Power Bank
        07C0 Light Source~Incandescent Light Bulb~LED Lamp~HID Lamp~Fluorescent Lamp~LED Array
        07C6 Multi-Color LED Array~Low voltage halogen~Organic light emitting diode (OLED)
        0800 Window Covering~Window Shades~Window Blinds~Window Awning~Window Curtain~Exterior Shutter
        0806 Exterior Screen
        0840 Audio Sink~Standalone Speaker~Soundbar~Bookshelf Speaker~Standmounted Speaker~Speakerphone
        0880 Audio Source~Microphone~Alarm~Bell~Horn~Broadcasting Device~Service Desk~Kiosk
        0888 Broadcasting Room~Auditorium
        08C0 Motorized Vehicle~Car~Large Goods Vehicle~2-Wheeled Vehicle~Motorbike~Scooter~Moped
        08C7 3-Wheeled Vehicle~Light Vehicle~Quad Bike~Minibus~Bus~Trolley~Agricultural Vehicle
        08CE Camper / Caravan~Recreational Vehicle / Motor Home
        0900 Domestic Appliance~Refrigerator~Freezer~Oven~Microwave~Toaster~Washing Machine~Dryer
        0908 Coffee maker~Clothes iron~Curling iron~Hair dryer~Vacuum cleaner~Robotic vacuum cleaner
        090E Rice cooker~Clothes steamer
        0940 Wearable Audio Device~Earbud~Headset~Headphones~Neck Band~Left Earbud~Right Earbud
        0980 Aircraft~Light Aircraft~Microlight~Paraglider~Large Passenger Aircraft
        09C0 AV Equipment~Amplifier~Receiver~Radio~Tuner~Turntable~CD Player~DVD Player~Bluray Player
        09C9 Optical Disc Player~Set-Top Box
        0A00 Display Equipment~Television~Monitor~Projector
        0A40 Hearing aid~In-ear hearing aid~Behind-ear hearing aid~Cochlear Implant
        0A80 Gaming~Home Video Game Console~Portable handheld console
        0AC0 Signage~Digital Signage~Electronic Label
        0C40 Pulse Oximeter~Fingertip Pulse Oximeter~Wrist Worn Pulse Oximeter
        0C80 Weight Scale
        0CC0 Personal Mobility Device~Powered Wheelchair~Mobility Scooter
        0D00 Continuous Glucose Monitor
        0D40 Insulin Pump~Insulin Pump, durable pump
        0D44 Insulin Pump, patch pump
        0D48 Insulin Pen
        0D80 Medication Delivery
        0DC0 Spirometer~Handheld Spirometer
        1440 Outdoor Sports Activity~Location Display~Location and Navigation Display~Location Pod
        1444 Location and Navigation Pod
        1480 Industrial Measurement Device~Torque Testing Device~Caliper~Dial Indicator~Micrometer
        1485 Height Gauge~Force Gauge
        14C0 Industrial Tools~Machine Tool Holder~Generic Clamping Device~Clamping Jaws/Jaw Chuck
        14C4 Clamping (Collet) Chuck~Clamping Mandrel~Vise~Zero-Point Clamping System~Torque Wrench
        14C9 Torque Screwdriver
        1500 Cookware Device~Pot and Jugs~Pressure Cooker~Slow Cooker~Steam Cooker~Saucepan~Frying Pan
        1507 Casserole~Dutch Oven~Grill Pan/Raclette Grill/Griddle Pan~Braising Pan~Wok Pan~Paella Pan
        150D Crepe Pan~Tagine~Fondue~Lid~Wired Probe~Wireless Probe~Baking Molds~Baking Tray
        """
}
