// Company identifiers. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let companiesLines: StaticString = """
        0000 Ericsson AB~Nokia Mobile Phones~Intel Corp.~IBM Corp.~Toshiba Corp.~3Com~Microsoft~Lucent
        0008 Motorola~Infineon Technologies AG~Qualcomm Technologies International, Ltd. (QTIL)~Silicon Wave
        000C Digianswer A/S~Texas Instruments Inc.~Parthus Technologies Inc.~Broadcom Corporation
        0010 Mitel Semiconductor~Widcomm, Inc.~Zeevo, Inc.~Atmel Corporation~Mitsubishi Electric Corporation
        0015 RTX A/S~KC Technology Inc.~Newlogic~Transilica, Inc.~Rohde & Schwarz GmbH & Co. KG
        001A TTPCom Limited~Signia Technologies, Inc.~Conexant Systems Inc.~Qualcomm~Inventel~AVM Berlin
        0020 BandSpeed, Inc.~Mansella Ltd~NEC Corporation~WavePlus Technology Co., Ltd.~Alcatel~NXP B.V.
        0026 C Technologies~Open Interface~R F Micro Devices~Hitachi Ltd~Symbol Technologies, Inc.~Tenovis
        002C Macronix International Co. Ltd.~GCT Semiconductor~Norwood Systems~MewTel Technology Inc.
        0030 ST Microelectronics~Synopsys, Inc.~Red-M (Communications) Ltd~Commil Ltd
        0034 Computer Access Technology Corporation (CATC)~Eclipse (HQ Espana) S.L.
        0036 Renesas Electronics Corporation~Mobilian Corporation~Syntronix Corporation
        0039 Integrated System Solution Corp.~Panasonic Holdings Corporation~Gennum Corporation
        003C BlackBerry Limited~IPextreme, Inc.~Systems and Chips, Inc~Bluetooth SIG, Inc
        0040 Seiko Epson Corporation~Integrated Silicon Solution Taiwan, Inc.
        0042 CONWISE Technology Corporation Ltd~PARROT AUTOMOTIVE SAS~Socket Mobile
        0045 Atheros Communications, Inc.~MediaTek, Inc.~Bluegiga~Marvell Technology Group Ltd.
        0049 3DSP Corporation~Accel Semiconductor Ltd.~AUMOVIO Systems, Inc.~Apple, Inc.
        004D Staccato Communications, Inc.~Avago Technologies~APT Ltd.~SiRF Technology, Inc.
        0051 Tzero Technologies, Inc.~J&M Corporation~Free2move AB~3DiJoy Corporation~Plantronics, Inc.
        0056 Sony Ericsson Mobile Communications~Harman International Industries, Inc.~Vizio, Inc.
        0059 Nordic Semiconductor ASA~EM Microelectronic-Marin SA~Ralink Technology Corporation
        005C Belkin International, Inc.~Realtek Semiconductor Corporation~Stonestreet One, LLC
        005F Wicentric, Inc.~RivieraWaves S.A.S~RDA Microelectronics~Gibson Guitars~MiCommand Inc.
        0064 Band XI International, LLC~HP, Inc.
        0067 GN Hearing~General Motors~A&D Engineering, Inc.~LTIMINDTREE LIMITED~Polar Electro OY
        006C Beautiful Enterprise Co., Ltd.
        006E Summit Data Communications, Inc.~Sound ID~Monster, LLC~connectBlue AB
        0072 ShangHai Super Smart Electronics Co. Ltd.~Group Sense Ltd.~Zomm, LLC
        0075 Samsung Electronics Co. Ltd.~Creative Technology Ltd.~Laird Connectivity LLC~Nike, Inc.
        0079 lesswire AG~MStar Semiconductor, Inc.~Hanlynn Technologies
        007D Seers Technology Co., Ltd.~Sports Tracking Technologies Ltd.~Autonet Mobile
        0080 DeLorme Publishing Company, Inc.~WuXi Vimicro~DSEA A/S~TimeKeeping Systems, Inc.
        0084 Ludus Helsinki Ltd.~BlueRadios, Inc.~Equinux AG~Garmin International, Inc.~Ecotest
        0089 GN Hearing A/S~Jawbone~Topcon Positioning Systems, LLC~Gimbal Inc.~Zscan Software~Quintic Corp
        008F Telit Wireless Solutions GmbH~Funai Electric Co., Ltd.~Advanced PANMOBIL systems GmbH & Co. KG
        0092 ThinkOptics, Inc.~Universal Electronics, Inc.~Airoha Technology Corp.~NEC Lighting, Ltd.
        0096 ODM Technology, Inc.~ConnecteDevice Ltd.~zero1.tv GmbH~i.Tech Dynamic Global Distribution Ltd.
        009A Alpwise~Jiangsu Toppower Automotive Electronics Co., Ltd.~Colorfy, Inc.~Geoforce Inc.
        009E Bose Corporation~Suunto Oy~Kensington Computer Products Group~SR-Medizinelektronik
        00A2 Vertu Corporation Limited~Meta Watch Ltd.~LINAK A/S~OTL Dynamics LLC~Panda Ocean Inc.
        00A7 Visteon Corporation~ARP Devices Limited~MARELLI EUROPE S.P.A.~CAEN RFID srl
        00AB Ingenieur-Systemgruppe Zahn GmbH~Green Throttle Games~Peter Systemtechnik GmbH~Omegawave Oy
        00AF Cinetix~Passif Semiconductor Corp~Saris Cycling Group, Inc~Bekey A/S
        00B3 Clarinox Technologies Pty. Ltd.~BDE Technology Co., Ltd.~Swirl Networks~Meso international
        00B7 TreLab Ltd~Qualcomm Innovation Center, Inc. (QuIC)~Johnson Controls, Inc.
        00BA Starkey Hearing Technologies~S-Power Electronics Limited~Ace Sensor Inc~Aplix Corporation
        00BE AAMP of America~Stalmart Technology Limited~AMICCOM Electronics Corporation
        00C1 Shenzhen Excelsecu Data Technology Co.,Ltd~Geneq Inc.~adidas AG~LG Electronics
        00C5 Onset Computer Corporation~Selfly BV~Quuppa Oy.~GeLo Inc~Evluma~MC10~Binauric SE
        00CC Beats Electronics~Microchip Technology Inc.~Eve Systems GmbH~ARCHOS SA~Dexcom, Inc.
        00D1 Polar Electro Europe B.V.~Renesas Design Netherlands B.V.~Taixingbang Technology (HK) Co,. LTD.
        00D5 Austco Communication Systems~Timex Group USA, Inc.~Qualcomm Technologies, Inc.
        00D8 Qualcomm Connected Experiences, Inc.~Voyetra Turtle Beach~txtr GmbH~Snuza (Pty) Ltd
        00DC Procter & Gamble~Hosiden Corporation~Muzik LLC~Misfit Wearables Corp~Google~Danlers Ltd
        00E2 Semilink Inc~inMusic Brands, Inc~L.S. Research, Inc.~Eden Software Consultants Ltd.
        00E7 KS Technologies~ACTS Technologies~Vtrack Systems~Nielsen-Kellerman~Server Technology Inc.
        00EC BioResearch Associates~Jolly Logic, LLC~Above Average Outcomes, Inc.~Bitsplitters GmbH
        00F0 PayPal, Inc.~Witron Technology Limited~Morse Project Inc.~Kent Displays Inc.~Nautilus Inc.
        00F5 Smartifier Oy~Elcometer Limited~VSN Technologies, Inc.~AceUni Corp., Ltd.
        00FA Crystal Alarm AB~KOUKAAM a.s.~Delphi Corporation~ValenceTech Limited~Stanley Black and Decker
        00FF Typo Products, LLC~TomTom International BV~Fugoo, Inc.~Keiser Corporation~Bang & Olufsen A/S
        0104 PLUS Location Systems Pty Ltd~Ubiquitous Computing Technology Corporation
        0106 Innovative Yachtter Solutions~Demant A/S~Chicony Electronics Co., Ltd.~Atus BV~Codegate Ltd
        010B ERi, Inc~Transducers Direct, LLC~DENSO TEN Limited~Audi AG~HiSilicon Technologies CO., LIMITED
        0110 Nippon Seiki Co., Ltd.~Steelseries ApS~Visybl Inc.~Openbrain Technologies, Co., Ltd.
        0115 e.solutions~10AK Technologies~Wimoto Technologies Inc~Radius Networks, Inc.
        011A Qualcomm Labs, Inc.~Hewlett Packard Enterprise~Baidu~Arendi AG~Skoda Auto a.s.~Volkswagen AG
        0120 Porsche AG~Sino Wealth Electronic Ltd.~AirTurn, Inc.~Kinsa, Inc~HID Global~SEAT es
        0126 Promethean Ltd.~Salutica Allied Solutions~GPSI Group Pty Ltd~Nimble Devices Oy
        012A Changzhou Yongse Infotech Co., Ltd.~SportIQ~TEMEC Instruments B.V.~Sony Corporation~ASSA ABLOY
        012F Clarion Co. Inc.~Warehouse Innovations~Cypress Semiconductor~MADS Inc~Blue Maestro Limited
        0134 Resolution Products, Ltd.~Aireware LLC~Silvair, Inc.~Prestigio Plaza Ltd.~NTEO Inc.
        0139 Focus Systems Corporation~Tencent Holdings Ltd.~Allegion~Murata Manufacturing Co., Ltd.
        013D WirelessWERX~Nod, Inc.
        0140 Alpine Electronics (China) Co., Ltd~FedEx Services~Grape Systems Inc.~Bkon Connect~Lintech GmbH
        0145 Novatel Wireless~Ciright~Mighty Cast, Inc.~Ambimat Electronics~Perytons Ltd.~Tivoli Audio, LLC
        014B Master Lock~Mesh-Net Ltd~HUIZHOU DESAY SV AUTOMOTIVE CO., LTD.~Tangerine, Inc.~B&W Group Ltd.
        0150 Pioneer Corporation~OnBeep~Vernier Software & Technology~ROL Ergo~Pebble Technology~NETATMO
        0156 Accumulate AB~Anhui Huami Information Technology Co., Ltd.~Inmite s.r.o.~ChefSteps, Inc.
        015A micas AG~Biomedical Research Ltd.~Pitius Tec S.L.~Estimote, Inc.~Unikey Technologies, Inc.
        015F Timer Cap Co.~AwoX~yikes~MADSGlobalNZ Ltd.~PCH International
        0164 Qingdao Yeelink Information Technology Co., Ltd.~Milwaukee Electric Tools~MISHIK Pte Ltd
        0167 Ascensia Diabetes Care US Inc.~Spicebox LLC~emberlight~Copeland Cold Chain LP~Qblinks~MYSPHERA
        016D LifeScan Inc~Volantic AB~Podo Labs, Inc~Roche Diabetes Care AG~Amazon.com Services LLC
        0172 Connovate Technology Private Limited~Kocomojo, LLC~Everykey Inc.~Dynamic Controls~SentriLock
        0177 I-SYST inc.~CASIO COMPUTER CO., LTD.~LAPIS Semiconductor Co.,Ltd~Telemonitor, Inc.~taskit GmbH
        017C Mercedes-Benz Group AG~BatAndCat~BluDotz Ltd~XTel Wireless ApS~Gigaset Technologies GmbH
        0181 Gecko Health Innovations, Inc.~HOP Ubiquitous~Walt Disney~Nectar
        0186 CORE Lighting Ltd~Seraphim Sense Ltd~Unico RBC~Physical Enterprises Inc.
        018A Able Trend Technology Limited~Konica Minolta, Inc.~Wilo SE~Extron Design Services~Google LLC
        0190 Intelletto Technologies Inc.~FDK CORPORATION~Cloudleaf, Inc~Maveric Automation LLC
        0194 Acoustic Stream Corporation~Zuli~Paxton Access Ltd~WiSilica Inc.
        0198 VENGIT Korlatolt Felelossegu Tarsasag~SALTO SYSTEMS S.L.~TRON Forum~CUBETECH s.r.o.
        019C Cokiya Incorporated~CVS Health~Ceruus~Strainstall Ltd~Channel Enterprises (HK) Ltd.~FIAMM
        01A2 GIGALANE.CO.,LTD~EROAD~MSA Innovation, LLC~Icon Health and Fitness~Wille Engineering
        01A7 ENERGOUS CORPORATION~Taobao~Canon Inc.~Geophysical Technology Inc.~Meta Platforms, Inc.
        01AC Trividia Health, Inc.~FlightSafety International
        01AF Sunrise Micro Devices, Inc.~Star Micronics Co., Ltd.~Netizens Sp. z o.o.~Nymi Inc.~Nytec, Inc.
        01B4 Trineo Sp. z o.o.~Nest Labs Inc.~LM Technologies Ltd~General Electric Company~i+D3 S.L.
        01B9 HANA Micron~Stages Cycling LLC~Cochlear Bone Anchored Solutions AB~SenionLab AB
        01BD Syszone Co., Ltd~Pulsate Mobile Ltd.~Hongkong OnMicro Electronics Limited
        01C1 BRADATECH Corp.~Transenergooil AG
        01C4 DME Microelectronics~Bitcraze AB~HASWARE Inc.~Abiogenix Inc.~Poly-Control ApS~Avi-on
        01CA Laerdal Medical AS~Fetch My Pet~Sam Labs Ltd.~Chengdu Synwing Technology Ltd
        01CE HOUWA SYSTEM DESIGN, k.k.~BSH~Primus Inter Pares Ltd~August Home, Inc~Gill Electronics
        01D3 Sky Wave Design~Newlab S.r.l.~ELAD srl~G-wearables inc.
        01D8 Code Corporation~Savant Systems LLC~Logitech International SA~Innblue Consulting~iParking Ltd.
        01DD Koninklijke Philips N.V.~Minelab Electronics Pty Limited~Bison Group Ltd.~Widex A/S~Jolla Ltd
        01E3 Caterpillar Inc~Freedom Innovations~Dynamic Devices Ltd~Technology Solutions (UK) Ltd
        01EA Advanced Application Design, Inc.
        01EC Spreadtrum Communications Shanghai Ltd~CuteCircuit LTD~Valeo Service
        01EF Fullpower Technologies, Inc.~KloudNation~Zebra Technologies Corporation~Itron, Inc.
        01F3 The University of Tokyo~UTC Fire and Security~Cool Webthings Limited~DJO Global
        01F7 Gelliner Limited~Anyka (Guangzhou) Microelectronics Technology Co, LTD~Medtronic Inc.
        01FA Gozio Inc.~Form Lifting, LLC~Wahoo Fitness, LLC~Kontakt Micro-Location Sp. z o.o.
        01FE Radio Systems Corporation~Freescale Semiconductor, Inc.~Verifone Systems Pte Ltd. Taiwan Branch
        0201 AR Timing~Rigado LLC~Kemppi Oy
        0206 Otter Products, LLC~STEMP Inc.~LumiGeek LLC~InvisionHeart Inc.~Macnica Inc.
        020B Jaguar Land Rover Limited~CoroWare Technologies, Inc
        020E Omron Healthcare Co., LTD~Comodule GMBH~ikeGPS~Telink Semiconductor Co. Ltd~Interplan Co., Ltd
        0213 Wyler AG~IK Multimedia Production srl~Lukoton Experience Oy~MTI Ltd~Tech4home, Lda
        0219 DOTT Limited~Blue Speck Labs, LLC~Cisco Systems, Inc~Mobicomm Inc~Edamic~Goodnet, Ltd
        021F Luster Leaf Products Inc~Manus Machina BV~Mobiquity Networks Inc~Praxis Dynamics
        0223 Philip Morris Products S.A.~Comarch SA~Nestlé Nespresso S.A.~Merlinia A/S~LifeBEAM Technologies
        0228 Twocanoes Labs, LLC~Muoverti Limited~Stamer Musikanlagen GMBH~Tesla, Inc.~Pharynks Corporation
        022D Lupine~Siemens AG
        0230 Foster Electric Company, Ltd~ETA SA~x-Senso Solutions Kft~Shenzhen SuLong Communication Ltd
        0234 FengFan (BeiJing) Technology Co, Ltd~Qrio Inc~Pitpatpet Ltd~MSHeli s.r.l.~Trakm8 Ltd
        0239 JIN CO, Ltd~Alatech Tehnology~Beijing CarePulse Electronic Technology Co, Ltd
        023D ViCentra B.V.~Raven Industries~WaveWare Technologies Inc.~Argenox Technologies~Bragi GmbH
        0243 Masimo Corp~Iotera Inc~Endress+Hauser~ACKme Networks, Inc.~FiftyThree Inc.~Parker Hannifin Corp
        024A Uwatec AG~Orlan LLC~Blue Clover Devices~M-Way Solutions GmbH~Microtronics Engineering GmbH
        024F Schneider Schreibgeräte GmbH~Sapphire Circuits LLC~Lumo Bodytech Inc.~UKC Technosolution
        0253 Xicato Inc.~Playbrush~Dai Nippon Printing Co., Ltd.~G24 Power Limited
        0257 AdBabble Local Commerce Inc.~Devialet SA~ALTYOR
        025A University of Applied Sciences Valais/Haute Ecole Valaisanne~Five Interactive, LLC dba Zendo
        025C NetEase（Hangzhou）Network co.Ltd.~Lexmark International Inc.~Fluke Corporation
        025F Yardarm Technologies
        0261 SECVRE GmbH~Glacial Ridge Technologies~Identiv, Inc.~DDS, Inc.~SMK Corporation
        0266 Schawbel Technologies LLC~XMI Systems SA~Cerevo~Torrox GmbH & Co KG~Gemalto
        026B DEKA Research & Development Corp.~Domster Tadeusz Szydlowski~Technogym SPA~FLEURBAEY BVBA
        026F Aptcode Solutions~LSI ADL Technology~Animas Corp~Alps Alpine Co., Ltd.~OCEASOFT~Motsai Research
        0275 Geotab~E.G.O. Elektro-Geraetebau GmbH~bewhere inc~Johnson Outdoors Inc
        0279 steute Schaltgerate GmbH & Co. KG~Ekomini inc.~DEFA AS~Aseptika Ltd
        027D HUAWEI Technologies Co., Ltd.~HabitAware, LLC~ruwido austria gmbh~ITEC corporation~StoneL
        0282 Sonova AG~Maven Machines, Inc.~Synapse Electronics~WOWTech Canada Ltd.~RF Code, Inc.
        0287 Wally Ventures S.L.
        0289 SK Telecom~Jetro AS~Code Gears LTD~NANOLINK APS
        028E RF Digital Corp~Church & Dwight Co., Inc~Multibit Oy~CliniCloud Inc
        0293 Blue Bite~ELIAS GmbH~Sivantos GmbH~Petzl~storm power ltd~EISST Ltd~Inexess Technology Simma KG
        029A Currant, Inc.~C2 Development, Inc.~Blue Sky Scientific, LLC~ALOTTAZS LABS, LLC
        029E Kupson spol. s r.o.~Areus Engineering GmbH~Impossible Camera GmbH
        02A2 Sera4 Ltd.~Itude~Pacific Lock Company~Tendyron Corporation~Robert Bosch GmbH
        02A7 Illuxtron international B.V.~miSport Ltd.~Chargelib~Doppler Lab~BBPOS Limited
        02AC RTB Elektronik GmbH & Co. KG~Rx Networks, Inc.~WeatherFlow, Inc.~Technicolor USA Inc.
        02B0 Bestechnic(Shanghai),Ltd~Raden Inc~Oura Health Oy~CLABER S.P.A.~Hyginex, Inc.
        02B5 HANSHIN ELECTRIC RAILWAY CO.,LTD.~Schneider Electric~Oort Technologies LLC~Chrono Therapeutics
        02B9 Rinnai Corporation~Swissprime Technologies AG~YOKOWO CO., LTD.~Genevac Ltd~Chemtronics
        02BE Seguro Technology Sp. z o.o.~Redbird Flight Simulations~Dash Robotics~LINE Corporation
        02C2 Guillemot Corporation~Techtronic Power Tools Technology Limited~Wilson Sporting Goods
        02C5 Lenovo (Singapore) Pte Ltd.~Ayatan Sensors~Electronics Tomorrow Limited~OneSpan~PayRange Inc.
        02CA ABOV Semiconductor~AINA-Wireless Inc.
        02CD BMA ergonomics b.v.~Teva Branded Pharmaceutical Products R&D, Inc.~Anima~3M~Empatica Srl
        02D2 Afero, Inc.~Powercast Corporation~Secuyou ApS~OMRON Corporation~Send Solutions
        02D7 NIPPON SYSTEMWARE CO.,LTD.~Neosfar~Fliegl Agrartechnik GmbH~Gilvader~Digi International Inc (R)
        02DC DeWalch Technologies, Inc.~Flint Rehabilitation Devices, LLC~Samsung SDS Co., Ltd.
        02DF Blur Product Development~University of Michigan~Victron Energy BV~NTT docomo
        02E3 Carmanah Technologies Corp.~Bytestorm Ltd.~Espressif Systems (Shanghai) Co., Ltd.~Unwire
        02E7 Connected Yard, Inc.~American Music Environments~Sensogram Technologies, Inc.~Fujitsu Limited
        02EB Ardic Technology~Delta Systems, Inc~HTC Corporation~Citizen Holdings Co., Ltd.
        02EF SMART-INNOVATION.inc~Blackrat Software~The Idea Cave, LLC~GoPro, Inc.~AuthAir, Inc~Vensi, Inc.
        02F5 Indagem Tech LLC~Intemo Technologies
        02F8 Runteq Oy Ltd~IMAGINATION TECHNOLOGIES LTD
        02FB Clarius Mobile Health Corp.~Shanghai Frequen Microelectronics Co., Ltd.
        02FE Lierda Science & Technology Group Co., Ltd.~Silicon Laboratories~World Moto Inc.
        0301 Giatec Scientific Inc.~Loop Devices, Inc~IACA electronique~Oura Health Ltd~Swipp ApS
        0306 Life Laboratory Inc.~FUJI INDUSTRIAL CO.,LTD.~Surefire, LLC~Dolby Labs~Ellisys
        030B Magnitude Lighting Converters~Hilti AG~Devdata S.r.l.
        030F Shortcut Labs~SGL Italia S.r.l.~PEEQ DATA~Ducere Technologies Pvt Ltd~DiveNav, Inc.
        0314 RIIG AI Sp. z o.o.~Thermo Fisher Scientific~AG Measurematics Pvt. Ltd.
        0317 CHUO Electronics CO., LTD.~Aspenta International~Eugster Frismag AG
        031A Wurth Elektronik eiSos GmbH & Co. KG~HQ Inc~Lab Sensor Solutions~Enterlab ApS~Eyefi, Inc.
        031F MetaSystem S.p.A.~SONO ELECTRONICS. CO., LTD
        0323 Rotor Bike Components~Astro, Inc.~Amotus Solutions~Healthwear Technologies (Changzhou)Ltd
        0327 Essex Electronics~Grundfos A/S~Eargo, Inc.~Electronic Design Lab~ESYLUX~NIPPON SMT.CO.,Ltd
        032D BM innovations GmbH~indoormap~OttoQ Inc~North Pole Engineering~3flares Technologies Inc.
        0333 Mul-T-Lock~Airthings ASA~Enlighted Inc~GISTIC~AJP2 Holdings, LLC~COBI GmbH
        0339 Blue Sky Scientific, LLC~Appception, Inc.~Courtney Thorne Limited~Virtuosys
        033D TPV Technology Limited~Monitra SA~Automation Components, Inc.~Letsense s.r.l.
        0341 Etesian Technologies LLC~GERTEC BRASIL LTDA.~Drekker Development Pty. Ltd.~Whirl Inc
        0345 Locus Positioning~Acuity Brands Lighting, Inc~Prevent Biometrics
        0349 VersaMe
        034B Libratone A/S~HM Electronics, Inc.~TASER International, Inc.
        034F Heartland Payment Systems~Bitstrata Systems Inc.~Pieps GmbH~iRiding(Xiamen)Technology Co.,Ltd.
        0353 Alpha Audiotronics, Inc.~TOPPAN FORMS CO.,LTD.~Sigma Designs, Inc.~Spectrum Brands, Inc.
        0357 Polymap Wireless~MagniWare Ltd.~Novotec Medical GmbH~Phillips-Medisize A/S~Matrix Inc.
        035C Eaton Corporation~KYS~Naya Health, Inc.~Acromag~Insulet Corporation~Wellinks Inc.
        0362 ON Semiconductor~FREELAP SA~Favero Electronics Srl~BioMech Sensor LLC
        0366 BOLTT Sports technologies Private limited
        0368 Metormote AB~littleBits~SetPoint Medical~BRControls Products BV~Zipcar~AirBolt Pty Ltd
        036E MOTIVE TECHNOLOGIES, INC.~Motiv, Inc.~Wazombi Labs OÜ
        0372 Nixie Labs, Inc.~AppNearMe Ltd~Holman Industries~Expain AS
        0376 Electronic Temperature Instruments Ltd~Plejd AB~Propeller Health
        0379 Shenzhen iMCO Electronic Technology Co.,Ltd~Algoria~Apption Labs Inc.~Cronologics Corporation
        037D MICRODIA Ltd.~lulabytes S.L.~Société des Produits Nestlé S.A.~LLC "MEGA-F service"
        0381 Sharp Corporation~Precision Outcomes Ltd~Kronos Incorporated
        0385 Embedded Electronic Solutions Ltd. dba e2Solutions~Aterica Inc.~BluStor PMC, Inc.
        0388 Kapsch TrafficCom AB~ActiveBlu Corporation~Kohler Mira Limited~Noke~Appion Inc.~Resmed Ltd
        038E Crownstone B.V.~Xiaomi Inc.~INFOTECH s.r.o.~Thingsquare AB~T&D~LAVAZZA S.p.A.
        0395 SDATAWAY~BLOKS GmbH~LEGO System A/S~Thetatronics Ltd~Nikon Corporation~NeST
        039B South Silicon Valley Microelectronics~ALE International~CareView Communications, Inc.
        039E SchoolBoard Limited~Molex Corporation~IVT Wireless Limited~Alpine Labs LLC~Candura Instruments
        03A3 SmartMovt Technology Co., Ltd~Token Zero Ltd~ACE CAD Enterprise Co., Ltd. (ACECAD)~Medela, Inc
        03A7 AeroScout~Esrille Inc.
        03AA Exon Sp. z o.o.~Meizu Technology Co., Ltd.
        03AD XiQ~Allswell Inc.~Comm-N-Sense Corp DBA Verigo~VIBRADORM GmbH~Otodata Wireless Network Inc.
        03B2 Propagation Systems Limited~Midwest Instruments & Controls~Alpha Nodus, inc.~petPOMM, Inc
        03B6 Mattel~Airbly Inc.~A-Safe Limited~FREDERIQUE CONSTANT SA
        03BA Maxscend Microelectronics Company Limited~Abbott~ASB Bank Ltd~amadas~Applied Science, Inc.
        03BF iLumi Solutions Inc.~Arch Systems Inc.~Ember Technologies, Inc.~Snapchat Inc
        03C3 Casambi Technologies Oy~Pico Technology Inc.~St. Jude Medical, Inc.~Intricon
        03C7 Structural Health Systems, Inc.~Avvel International~Gallagher Group
        03CA In2things Automation Pvt. Ltd.~SYSDEV Srl~Vonkil Technologies Ltd~Wynd Technologies, Inc.
        03CE CONTRINEX S.A.~MIRA, Inc.~Watteam Ltd~Density Inc.~IOT Pot India Private Limited
        03D3 Sigma Connectivity AB~PEG PEREGO SPA~Wyzelink Systems Inc.~Yota Devices LTD~FINSECUR
        03D8 Zen-Me Labs Ltd~3IWare Co., Ltd.~EnOcean GmbH~Instabeat, Inc~Nima Labs
        03DD Andreas Stihl AG & Co. KG~Nathan Rhoades LLC~Grob Technologies, LLC~Actions Technology Co.,Ltd
        03E1 SPD Development Company Ltd~Sensoan Oy~Qualcomm Life Inc~Chip-ing AG~ffly4u~IoT Instruments Oy
        03E7 TRUE Fitness Technology~Reiner Kartengeraete GmbH & Co. KG.
        03E9 SHENZHEN LEMONJOY TECHNOLOGY CO., LTD.~Hello Inc.~Ozo Edu, Inc.~Jigowatts Inc.
        03ED BASIC MICRO.COM,INC.~CUBE TECHNOLOGIES~foolography GmbH~CLINK~Hestan Smart Cooking Inc.
        03F2 WindowMaster A/S
        03F4 PAL Technologies Ltd~WHERE, Inc.~Iton Technology Corp.~Owl Labs Inc.~Rockford Corp.
        03F9 Becon Technologies Co.,Ltd.~Vyassoft Technologies Inc~Nox Medical~Kimberly-Clark~Trimble Inc.
        03FE Littelfuse~Withings~i-developer IT Beratung UG~Relations Inc.~Sears Holdings Corporation
        0403 Gantner Electronic GmbH~Authomate Inc~Vertex International, Inc.
        0407 Swiss Audio SA~ToGetHome Inc.~RYSE INC.~ZF OPENMATICS s.r.o.~Jana Care Inc.~Senix Corporation
        040D NorthStar Battery Company, LLC~SKF (U.K.) Limited~CO-AX Technology, Inc.
        0410 Fender Musical Instruments~Luidia Inc~SEFAM~Wireless Cables Inc
        0416 SODA GmbH~Fatigue Science
        0419 Novalogy LTD~Friday Labs Limited~OrthoAccel Technologies~WaterGuru, Inc.
        041D Benning Elektrotechnik und Elektronik GmbH & Co. KG~Dell Computer Corporation~Kopin Corporation
        0420 TecBakery GmbH~Backbone Labs, Inc.~DELSEY SA~Chargifi Limited~Trainesense Ltd.
        0425 Unify Software and Solutions GmbH & Co. KG~Husqvarna AB~Focus fleet and fuel management inc
        0428 SmallLoop, LLC~Prolon Inc.~BD Medical~iMicroMed Incorporated~Ticto N.V.~Meshtech AS
        042E MemCachier Inc.~Danfoss A/S~SnapStyk Inc.~Alticor Inc.~Silk Labs, Inc.~Pillsy Inc.
        0434 Hatch Baby, Inc.~Blocks Wearables Ltd.~Drayson Technologies (Europe) Limited~eBest IOT Inc.
        0438 Helvar Ltd~Radiance Technologies~Nuheara Limited~Appside co., ltd.
        043D Coiler Corporation~Thermomedics, Inc.~Tentacle Sync GmbH~Valencell, Inc.
        0442 SECOM CO., LTD.~Tucker International LLC~Metanate Limited~Kobian Canada Inc.~NETGEAR, Inc.
        0447 Fabtronics Australia Pty Ltd~Grand Centrix GmbH~1UP USA.com llc~SHIMANO INC.~Nain Inc.
        044C LifeStyle Lock, LLC~VEGA Grieshaber KG~Xtrava Inc.~TTS Tooltechnic Systems AG & Co. KG
        0450 Teenage Engineering AB~Tunstall Nordic AB~Svep Design Center AB~Qorvo Utrecht B.V.
        0454 Sphinx Electronics GmbH & Co KG~Atomation~Nemik Consulting Inc~RF INNOVATION
        0458 Mini Solution Co., Ltd.
        045A 2048450 Ontario Inc
        045C Delta T Corporation~Boston Scientific Corporation~Nuviz, Inc.~Real Time Automation, Inc.
        0460 Kolibree~vhf elektronik GmbH~Bonsai Systems GmbH~Fathom Systems Inc.~Bellman & Symfon Group AB
        0465 International Forte Group LLC
        0467 Codenex Oy~Kynesim Ltd~Palago AB~INSIGMA INC.~PMD Solutions
        046C Qingdao Realtime Technology Co., Ltd.~BEGA Gantenbrink-Leuchten KG~Pambor Ltd.
        046F Develco Products A/S~iDesign s.r.l.~TiVo Corp~Control-J Pty Ltd~Steelcase, Inc.
        0474 iApartment co., ltd.~Icom inc.
        0477 Blue Spark Technologies~FarSite Communications Limited~mywerk system GmbH
        047A Sinosun Technology Co., Ltd.~MIYOSHI ELECTRONICS CORPORATION~POWERMAT LTD~Occly LLC
        047E OurHub Dev IvS~Pro-Mark, Inc.
        0481 Quintrax Limited~POS Tuning Udo Vosshenrich GmbH & Co. KG
        0484 Revol Technologies Inc~SKIDATA AG
        0486 DEV TECNOLOGIA INDUSTRIA, COMERCIO E MANUTENCAO DE EQUIPAMENTOS LTDA. - ME
        0487 Centrica Connected Home~Automotive Data Solutions Inc~Igarashi Engineering~Taelek Oy
        048C Vectronix AG~S-Labs Sp. z o.o.~Companion Medical, Inc.~BlueKitchen GmbH~Matting AB
        0491 SOREX - Wireless Solutions GmbH~ADC Technology, Inc.~Lynxemi Pte Ltd
        0494 SENNHEISER electronic GmbH & Co. KG
        0496 Polymorphic Labs LLC~Cochlear Limited~METER Group, Inc. USA~Ruuvi Innovations Ltd.~Situne AS
        049B nVisti, LLC~DyOcean~Uhlmann & Zacher GmbH~AND!XOR LLC~Popper Pay AB
        04A2 ovrEngineered, LLC~GT-tronics HK Ltd~Herbert Waldmann GmbH & Co. KG
        04A5 Guangzhou FiiO Electronics Technology Co.,Ltd~Vinetech Co., Ltd~Dallas Logic Corporation
        04A8 BioTex, Inc.
        04AA LINKIO SAS~Harbortronics, Inc.~Undagrid B.V.~Shure Inc~ERM Electronic Systems LTD
        04AF BIOROWER Handelsagentur GmbH
        04B1 Kartographers Technologies Pvt. Ltd.~The Shadow on the Moon~mobike (Hong Kong) Limited
        04B4 Inuheat Group AB~Swiftronix AB~Diagnoptics Technologies~Analog Devices, Inc.~Soraa Inc.
        04B9 CSR Building Products Limited~Crestron Electronics, Inc.~Neatebox Ltd~Draegerwerk AG & Co. KGaA
        04BD AlbynMedical~Averos FZCO~VIT Initiative, LLC~Statsports International~Sospitas, s.r.o.
        04C2 Dmet Products Corp.~Mantracourt Electronics Limited~TeAM Hutchins AB
        04C5 Seibert Williams Glass, LLC~Insta GmbH~Svantek Sp. z o.o.
        04C8 Shanghai Flyco Electrical Appliance Co., Ltd.~Thornwave Labs Inc~Steiner-Optik GmbH
        04CB Novo Nordisk A/S
        04CD Safetech Products LLC~GOOOLED S.R.L.~DOM Sicherheitstechnik GmbH & Co. KG~Olympus Corporation
        04D1 KTS GmbH~Anloq Technologies Inc.~Queercon, Inc~TASKA PROSTHETICS LIMITED~Gooee Limited
        04D6 LUGLOC LLC~Blincam, Inc.~FUJIFILM Corporation~RM Acquisition LLC~Franceschi Marina snc
        04DB Engineered Audio, LLC.~IOTTIVE (OPC) PRIVATE LIMITED~4MOD Technology
        04DE Lutron Electronics Co., Inc.~Emerson Electric Co.~Guardtec, Inc.~REACTEC LIMITED
        04E3 Under Armour~Woodenshark~Avack Oy~Smart Solution Technology, Inc.
        04E8 STABILO International~Busch Jaeger Elektro GmbH~Pacific Bioscience Laboratories, Inc
        04EB Bird Home Automation GmbH~Motorola Solutions
        04EE Auxivia~DaisyWorks, Inc~Kosi Limited~Theben AG~InDreamer Techsol Private Limited
        04F3 Cerevast Medical~ZanCompute Inc.~Pirelli Tyre S.P.A.~McLear Limited
        04F7 Shenzhen Goodix Technology Co., Ltd~Convergence Systems Limited~Interactio~Androtec GmbH
        04FB Benchmark Drives GmbH & Co. KG~SwingLync L. L. C.~Tapkey GmbH~Woosim Systems Inc.
        04FF Microsemi Corporation~Wiliot LTD.~Polaris IND~Specifi-Kali LLC~Locoroll, Inc~PHYPLUS Inc
        0505 InPlay, Inc.~Hager~Yellowcog~Axes System sp. z o. o.~Garage Smart, Inc.~Shake-on B.V.
        050B Vibrissa Inc.~OSRAM GmbH~TRSystems GmbH~Yichip Microelectronics (Hangzhou) Co.,Ltd.
        050F Foundation Engineering LLC~UNI-ELECTRONICS, INC.~Brookfield Equinox LLC~Soprod SA
        0513 9974091 Canada Inc.~FIBRO GmbH~RB Controls Co., Ltd.~Footmarks~Amtronic Sverige AB~MAMORIO.inc
        0519 Tyto Life LLC~Leica Camera AG
        051C EDPS~OFF Line Co., Ltd.~Detect Blue Limited~Setec Pty Ltd~Target Corporation~IAI Corporation
        0522 NS Tech, Inc.~MTG Co., Ltd.~Hangzhou iMagic Technology Co., Ltd
        0525 HONGKONG NANO IC TECHNOLOGIES CO., LIMITED~Honeywell International Inc.~Albrecht JUNG
        0528 Lunera Lighting Inc.~Lumen UAB~Keynes Controls Ltd~Novartis AG~Geosatis SA~EXFO, Inc.
        052E LEDVANCE GmbH~Center ID Corp.~Adolene, Inc.~D&M Holdings Inc.~CRESCO Wireless, Inc.
        0533 Nura Operations Pty Ltd~Frontiergadget, Inc.~Smart Component Technologies Limited
        0536 ZTR Control Systems LLC~MetaLogics Corporation~Medela AG~OPPLE Lighting Co., Ltd
        053A Savitech Corp.,~prodigy~Screenovate Technologies Ltd~TESA SA~CLIM8 LIMITED~Silergy Corp
        0540 SilverPlus, Inc~Sharknet srl~Mist Systems, Inc.~MIWA LOCK CO.,Ltd~OrthoSensor, Inc.
        0546 Apexar Technologies S.A.~LOGICDATA Electronic & Software Entwicklungs GmbH
        0548 Knick Elektronische Messgeraete GmbH & Co. KG~Smart Technologies and Investment Limited
        054A Linough Inc.~Advanced Electronic Designs, Inc.~Carefree Scott Fetzer Co Inc~Sensome
        054E FORTRONIK storitve d.o.o.~Sinnoz
        0551 Sylero~Avempace SARL~Nintendo Co., Ltd.~National Instruments~KROHNE Messtechnik GmbH
        0556 Otodynamics Ltd~Arwin Technology Limited~benegear, inc.~Newcon Optik~CANDY HOUSE, Inc.
        055B FRANKLIN TECHNOLOGY INC~Lely~Valve Corporation~Hekatron Vertriebs GmbH
        055F PROTECH S.A.S. DI GIRARDI ANDREA & C.~Sarita CareTech APS~Finder S.p.A.~Thalmic Labs Inc.
        0563 Steinel Vertrieb GmbH~Beghelli Spa
        0566 CORE TRANSPORT TECHNOLOGIES NZ LIMITED~Xiamen Everesports Goods Co., Ltd~Bodyport Inc.
        056A Flipnavi Co.,Ltd.~Rion Co., Ltd.~Long Range Systems, LLC~Redmond Industrial Group LLC
        056E VIZPIN INC.~BikeFinder AS~Consumer Sleep Solutions LLC~PSIKICK, INC.~AntTail.com
        0573 Lighting Science Group Corp.~AFFORDABLE ELECTRONICS INC~Integral Memroy Plc~Globalstar, Inc.
        0577 True Wearables, Inc.~Wellington Drive Technologies Ltd
        057A OMNI Remotes~Duracell U.S. Operations Inc.~Toor Technologies LLC~Instinct Performance~Beco, Inc
        057F Scuf Gaming International, LLC
        0581 LYS TECHNOLOGIES LTD~Breakwall Analytics, LLC~Code Blue Communications
        0584 Gira Giersiepen GmbH & Co. KG~Hearing Lab Technology~LEGRAND~Derichs GmbH~ALT-TEKNIK LLC
        0589 Star Technologies~START TODAY CO.,LTD.~Maxim Integrated Products~Fracarro Radioindustrie SRL
        058D Jungheinrich Aktiengesellschaft~Meta Platforms Technologies, LLC~HENDON SEMICONDUCTORS PTY LTD
        0590 Pur3 Ltd~Viasat Group S.p.A.~IZITHERM~Spaulding Clinical Research~Kohler Company
        0595 Inor Process AB~My Smart Blinds~RadioPulse Inc~rapitag GmbH~Lazlo326, LLC.
        059A Teledyne Lecroy, Inc.~Dataflow Systems Limited~Macrogiga Electronics~Tandem Diabetes Care
        059E Polycom, Inc.~Fisher & Paykel Healthcare~Dream Devices Technologies Oy
        05A1 Shanghai Xiaoyi Technology Co.,Ltd.~ADHERIUM(NZ) LIMITED~Axiomware Systems Incorporated
        05A4 O. E. M. Controls, Inc.~Kiiroo BV~Telecon Mobile Limited~Sonos Inc~Tom Allebrandi Consulting
        05A9 Monidor~Tramex Limited~Nofence AS~GoerTek Dynaudio Co., Ltd.~INIA~CARMATE MFG.CO.,LTD
        05AF OV LOOP, INC.~NewTec GmbH~Medallion Instrumentation Systems~CAREL INDUSTRIES S.P.A.
        05B3 Parabit Systems, Inc.~White Horse Scientific ltd~verisilicon~Elecs Industry Co.,Ltd.
        05B7 Beijing Pinecone Electronics Co.,Ltd.~Ambystoma Labs Inc.~Suzhou Pairlink Network Technology
        05BA igloohome~Oxford Metrics plc~Leviton Mfg. Co., Inc.~ULC Robotics Inc.
        05BF Real-World-Systems Corporation~Nalu Medical, Inc.~P.I.Engineering~Grote Industries
        05C3 Runtime, Inc.~Codecoup sp. z o.o. sp. k.~SELVE GmbH & Co. KG
        05C7 Lippert Components, INC~SOMFY SAS~TBS Electronics B.V.~MHL Custom Inc~LucentWear LLC
        05CC WATTS ELECTRONICS~RJ Brands LLC~V-ZUG Ltd~Biowatch SA~Anova Applied Electronics~Lindab AB
        05D2 frogblue TECHNOLOGY GmbH~Acurable Limited~LAMPLIGHT Co., Ltd.~TEGAM, Inc.
        05D6 Zhuhai Jieli technology Co.,Ltd~modum.io AG~Farm Jenny LLC~Toyo Electronics Corporation
        05DA Applied Neural Research Corp~Avid Identification Systems, Inc.~Petronics Inc.~essentim GmbH
        05DE QT Medical INC.~VIRTUALCLINIC.DIRECT LIMITED~Viper Design LLC~Human, Incorporated
        05E2 stAPPtronics GmbH~Elemental Machines, Inc.~Taiyo Yuden Co., Ltd~INEO ENERGY& SYSTEMS
        05E6 Motion Instruments Inc.~PressurePro~COWBOY~iconmobile GmbH~ACS-Control-System GmbH
        05EB Bayerische Motoren Werke AG~Gycom Svenska AB~Fuji Xerox Co., Ltd
        05EF SIKOM AS~beken~The Linux Foundation~Try and E CO.,LTD.~SeeScan~Clearity, LLC~GS TAG~DPTechnics
        05F7 TRACMO, INC.~Anki Inc.~Hagleitner Hygiene International GmbH~Konami Sports Life Co., Ltd.
        05FB Arblet Inc.~Masbando GmbH~Innoseis~Niko nv~Wellnomics Ltd~iRobot Corporation
        0601 Schrader Electronics~Geberit International AG~Fourth Evolution Inc
        0605 FMW electronic Futterer u. Maier-Wolf OHG~John Deere~Rookery Technology Ltd~KeySafe-Cloud
        0609 BUCHI Labortechnik AG~IQAir AG~Triax Technologies Inc~Vuzix Corporation~TDK Corporation
        060E Blueair AB~Signify Netherlands B.V.~ADH GUARDIAN USA LLC~Beurer GmbH~Playfinity AS
        0613 Hans Dinslage GmbH~OnAsset Intelligence, Inc.~INTER ACTION Corporation
        0616 OS42 UG (haftungsbeschraenkt)~WIZCONNECTED COMPANY LIMITED~Audio-Technica Corporation
        0619 Six Guys Labs, s.r.o.~R.W. Beckett Corporation~silex technology, inc.~Univations Limited
        061D SENS Innovation ApS~Diamond Kinetics, Inc.~Phrame Inc.~Forciot Oy~Noordung d.o.o.
        0622 Beam Labs, LLC
        0624 Biovotion AG~Square Panda, Inc.~Amplifico~WEG S.A.~Ensto Oy~PHONEPE PVT LTD
        062B MinebeaMitsumi Inc.~ASPion GmbH~Vossloh-Schwabe Deutschland GmbH~Procept~ONKYO Corporation
        0630 Asthrea D.O.O.~Fortiori Design LLC~Hugo Muller GmbH & Co KG~Wangi Lai PLT~Fanstel Corp
        0635 Crookwood~ELECTRONICA INTEGRAL DE SONIDO S.A.~GiP Innovation Tools GmbH
        0638 LX SOLUTIONS PTY LIMITED~Shenzhen Minew Technologies Co., Ltd.~Prolojik Limited
        063B Kromek Group Plc~Contec Medical Systems Co., Ltd.~Xradio Technology Co.,Ltd.
        063E The Indoor Lab, LLC~LDL TECHNOLOGY~Dish Network LLC~Revenue Collection Systems FRANCE SAS
        0642 Bluetrum Technology Co.,Ltd~makita corporation~Apogee Instruments~BM3
        0646 SGV Group Holding GmbH & Co. KG~MED-EL~Ultune Technologies~Ryeex Technology Co.,Ltd.
        064A Open Research Institute, Inc.~Scale-Tec, Ltd~Zumtobel Group AG~iLOQ Oy
        064E KRUXWorks Technologies Private Limited~Digital Matter Pty Ltd~Coravin, Inc.~Stasis Labs, Inc.
        0652 ITZ Innovations- und Technologiezentrum GmbH~Meggitt SA~Ledlenser GmbH & Co. KG~Renishaw PLC
        0656 ZhuHai AdvanPro Technology Company Limited~Meshtronix Limited~Payex Norge AS
        0659 UnSeen Technologies Oy~Marshall Group AB~Sesam Solutions BV~PixArt Imaging Inc.~Panduit Corp.
        065E Alo AB~Ricoh Company Ltd~RTC Industries, Inc.~Mode Lighting Limited~Particle Industries, Inc.
        0663 Advanced Telemetry Systems, Inc.~RHA TECHNOLOGIES LTD~Pure International Limited
        0666 WTO Werkzeug-Einrichtungen GmbH~Spark Technology Labs Inc.~Bleb Technology srl
        0669 Livanova USA, Inc.~Brady Worldwide Inc.~DewertOkin GmbH~Ztove ApS~Venso EcoSolutions AB
        066E Eurotronik Kranj d.o.o.~Hug Technology Ltd~Gema Switzerland GmbH~Buzz Products Ltd.~Kopi
        0673 Innova Ideas Limited~BeSpoon
        0676 Expai Solutions Private Limited~Innovation First, Inc.~SABIK Offshore GmbH
        0679 4iiii Innovations Inc.~The Energy Conservatory, Inc.~I.FARM, INC.~Tile, Inc.
        067D Form Athletica Inc.
        067F NETGRID S.N.C. DI BISSOLI MATTEO, CAMPOREALE SIMONE, TOGNETTI FEDERICO~Mannkind Corporation
        0681 Trade FIDES a.s.~Photron Limited~Eltako GmbH~Dermalapps, LLC~Greenwald Industries
        0686 inQs Co., Ltd.~Cherry GmbH~Amsted Digital Solutions Inc.~Tacx b.v.~Raytac Corporation
        068B Jiangsu Teranovo Tech Co., Ltd.
        068E Razer Inc.~JRM Group Limited~Eccrine Systems, Inc.~Curie Point AB~Georg Fischer AG
        0693 Hach - Danaher~T&A Laboratories LLC~Koki Holdings Co., Ltd.~Gunakar Private Limited
        0697 Stemco Products Inc~Wood IT Security, LLC~RandomLab SAS~Adero, Inc.~Dragonchip Limited~Noomi AB
        069E Delta Electronics, Inc.~FlowMotion Technologies AS~OBIQ Location Technology Inc.
        06A1 Cardo Systems, Ltd~Globalworx GmbH~Nymbus, LLC~LIMNO Co. Ltd.~TEKZITEL PTY LTD
        06A6 Roambee Corporation~Chipsea Technologies (ShenZhen) Corp.
        06A8 GD Midea Air-Conditioning Equipment Co., Ltd.~Soundmax Electronics Limited~Produal Oy
        06AB HMS Industrial Networks AB~Ingchips Technology Co., Ltd.~InnovaSea Systems Inc.~SenseQ Inc.
        06AF Shoof Technologies~BRK Brands, Inc.~SimpliSafe, Inc.~Tussock Innovation 2013 Limited
        06B4 Sencilion Oy~Wabilogic Ltd.~Sociometric Solutions, Inc.~iCOGNIZE GmbH~ShadeCraft, Inc
        06B9 Beflex Inc.~Beaconzone Ltd~Leaftronix Analogic Solutions Private Limited~TWS Srl~ABB Oy
        06BE HitSeed Oy
        06C0 CAME S.p.A.~Alarm.com Holdings, Inc~Measurlogic Inc.~King I Electronics.Co.,Ltd~Dream Labs GmbH
        06C5 Urban Compass, Inc~Simm Tronic Limited~Somatix Inc~Storz & Bickel GmbH & Co. KG~MYLAPS B.V.
        06CA Shenzhen Zhongguang Infotech Technology Development Co., Ltd~Dyeware, LLC
        06CC Dongguan SmartAction Technology Co.,Ltd.~DIG Corporation~FIOR & GENTZ
        06D0 Etekcity Corporation~Meyer Sound Laboratories, Incorporated~CeoTronics AG
        06D4 DYNAKODE TECHNOLOGY PRIVATE LIMITED~Sensirion AG~JCT Healthcare Pty Ltd
        06D7 FUBA Automotive Electronics GmbH~AW Company~Shanghai Mountain View Silicon Co.,Ltd.
        06DA Zliide Technologies ApS~Automatic Labs, Inc.~Industrial Network Controls, LLC
        06DD Intellithings Ltd.~Navcast, Inc.~HLI Solutions Inc.~Avaya Inc.~Milestone AV Technologies LLC
        06E2 Alango Technologies Ltd~Spinlock Ltd~Aluna~OPTEX CO.,LTD.~NIHON DENGYO KOUSAKU~VELUX A/S
        06E8 Almendo Technologies GmbH~Zmartfun Electronics, Inc.~SafeLine Sweden AB~Houston Radar LLC~Sigur
        06ED J Neades Ltd
        06EF ALCARE Co., Ltd.~Chargy Technologies, SL~Shibutani Co., Ltd.~Trapper Data AB
        06F3 Alfred International Inc.~Touché Technology Ltd~Vigil Technologies Inc.~Vitulo Plus BV
        06F7 WILKA Schliesstechnik GmbH~BodyPlus Technology Co.,Ltd~happybrush GmbH~Enequi AB~Sartorius AG
        06FC Tom Communication Industrial Co.,Ltd.~ESS Embedded System Solutions Inc.~Mahr GmbH
        06FF Redpine Signals Inc~TraqFreq LLC~PAFERS TECH~Akciju sabiedriba "SAF TEHNIKA"
        0703 Beijing Jingdong Century Trading Co., Ltd.~JBX Designs Inc.~AB Electrolux
        0706 Wernher von Braun Center for ASdvanced Research~Essity Hygiene and Health Aktiebolag
        0708 Be Interactive Co., Ltd~Carewear Corp.~Huf Hülsbeck & Fürst GmbH & Co. KG
        070B Element Products, Inc.~Beijing Winner Microelectronics Co.,Ltd~SmartSnugg Pty Ltd~FiveCo Sarl
        070F California Things Inc.~Audiodo AB~ABAX AS~Bull Group Company Limited~Respiri Limited
        0714 MindPeace Safety LLC~MBARC LABS Inc~Altonics
        0718 IDIBAIX enginneering~COREIOT PTY LTD~REVSMART WEARABLE HK CO LTD~Precor~F5 Sports, Inc
        071D exoTIC Systems~DONGGUAN HELE ELECTRONICS CO., LTD~Dongguan Liesheng Electronic Co.Ltd
        0720 Oculeve, Inc.~Clover Network, Inc.~Xiamen Eholder Electronics Co.Ltd~Ford Motor Company
        0724 Guangzhou SuperSound Information Technology Co.,Ltd~Tedee Sp. z o.o.~PHC Corporation
        0728 Eli Lilly and Company~SwaraLink Technologies~JMR embedded systems GmbH~Bitkey Inc.
        072C GWA Hygiene GmbH~Safera Oy~Open Platform Systems LLC~OnePlus Electronics (Shenzhen) Co., Ltd.
        0730 Wildlife Acoustics, Inc.~ABLIC Inc.~Dairy Tech, LLC~Iguanavation, Inc.~DiUS Computing Pty Ltd
        0735 UpRight Technologies LTD~Luna XIO, Inc.~LLC Navitek~Glass Security Pte Ltd
        0739 Jiangsu Qinheng Co., Ltd.~Chandler Systems Inc.~Fantini Cosmi s.p.a.
        073D Beijing Hao Heng Tian Tech Co., Ltd.~Bluepack S.R.L.~Beijing Unisoc Technologies Co., Ltd.
        0741 MAC SRL~DML LLC~Sanofi~SOCOMEC~WIZNOVA, Inc.~Seitec Elektronik GmbH~OR Technologies Pty Ltd
        0748 GuangZhou KuGou Computer Technology Co.Ltd~DIAODIAO (Beijing) Technology Co., Ltd.
        074A Illusory Studios LLC~Sarvavid Software Solutions LLP
        074D Amtech Systems, LLC~EAGLE DETECTION SA~MEDIATECH S.R.L.
        0750 Hamilton Professional Services of Canada Incorporated~Changsha JEMO IC Design Co.,Ltd
        0752 Elatec GmbH~JLG Industries, Inc.~Michael Parkin~Brother Industries, Ltd~Lumens For Less, Inc
        0757 ELA Innovation~umanSense AB~Shanghai InGeek Cyber Security Co., Ltd.~HARMAN CO.,LTD.
        075B Smart Sensor Devices AB~Antitronics Inc.~RHOMBUS SYSTEMS, INC.~Katerra Inc.
        075F Remote Solution Co., LTD.~Vimar SpA~Mantis Tech LLC~TerOpta Ltd~PIKOLIN S.L.
        0764 WWZN Information Technology Company Limited~Voxx International~ART AND PROGRAM, INC.
        0767 NITTO DENKO ASIA TECHNICAL CENTRE PTE. LTD.~Peloton Interactive Inc.~Force Impact Technologies
        076A Dmac Mobile Developments, LLC~Engineered Medical Technologies~Noodle Technology inc
        076D Graesslin GmbH~WuQi technologies, Inc.~Successful Endeavours Pty Ltd~InnoCon Medical ApS
        0771 Corvex Connected Safety~Thirdwayv Inc.~Echoflex Solutions Inc.~C-MAX Asia Limited
        0775 4eBusiness GmbH~Cyber Transport Control GmbH~Cue~KOAMTAC INC.~Loopshore Oy
        077A Niruha Systems Private Limited
        077C radius co., ltd.~Sensority, s.r.o.~Sparkage Inc.~Glenview Software Corporation
        0780 Finch Technologies Ltd.~Qingping Technology (Beijing) Co., Ltd.~DeviceDrive AS
        0783 ESEMBER LIMITED LIABILITY COMPANY~audifon GmbH & Co. KG~O2 Micro, Inc.~HLP Controls Pty Limited
        0788 BubblyNet, LLC~PCB Piezotronics, Inc.~The Wildflower Foundation~Optikam Tech Inc.
        078C MINIBREW HOLDING B.V~Cybex GmbH~FUJIMIC NIIGATA, INC.~Hanna Instruments, Inc.~KOMPAN A/S
        0791 Scosche Industries, Inc.~Cricut, Inc.~AEV spol. s r.o.~The Coca-Cola Company~GASTEC CORPORATION
        0796 StarLeaf Ltd~Water-i.d. GmbH~HoloKit, Inc.~PlantChoir Inc.
        079A GuangDong Oppo Mobile Telecommunications Corp., Ltd.~CST ELECTRONICS (PROPRIETARY) LIMITED
        079C Sky UK Limited~Digibale Pty Ltd~Smartloxx GmbH~Pune Scientific LLP~Regent Beleuchtungskorper AG
        07A1 Apollo Neuroscience, Inc.~Roku, Inc.
        07A4 Xiamen Mage Information Technology Co., Ltd.~RAB Lighting, Inc.~Musen Connect, Inc.~Zume, Inc.
        07A8 conbee GmbH~Bruel & Kjaer Sound & Vibration~The Kroger Co.~Granite River Solutions, Inc.
        07AC LoupeDeck Oy~New H3C Technologies Co.,Ltd~Aurea Solucoes Tecnologicas Ltda.
        07AF Hong Kong Bouffalo Lab Limited~GV Concepts Inc.~Thomas Dynamics, LLC~Moeco IOT Inc.
        07B3 2N TELEKOMUNIKACE a.s.~Hormann KG Antriebstechnik~CRONO CHIP, S.L.~Soundbrenner Limited
        07B7 ETABLISSEMENTS GEORGES RENAULT~iSwip~Epona Biotec Limited~Battery-Biz Inc.~EPIC S.R.L.
        07BC KD CIRCUITS LLC~Genedrive Diagnostics Ltd~Axentia Technologies AB~REGULA Ltd.~Biral AG
        07C2 Radinn AB~CIMTechniques, Inc.~Johnson Health Tech NA~June Life, Inc.~Bluenetics GmbH
        07C7 iaconicDesign Inc.~WRLDS Creations AB~Skullcandy, Inc.~Modul-System HH AB
        07CB West Pharmaceutical Services, Inc.~Barnacle Systems Inc.~Smart Wave Technologies Canada Inc
        07CE Shanghai Top-Chip Microelectronics Tech. Co., LTD~NeoSensory, Inc.
        07D0 Hangzhou Tuya Information Technology Co., Ltd~Shanghai Panchip Microelectronics Co., Ltd
        07D2 React Accessibility Limited~LIVNEX Co.,Ltd.~Kano Computing Limited~hoots classic GmbH
        07D6 ecobee Inc.~Nanjing Qinheng Microelectronics Co., Ltd~SOLUTIONS AMBRA INC.~Micro-Design, Inc.
        07DA STARLITE Co., Ltd.~Remedee Labs~ThingOS GmbH & Co KG~Linear Circuits~Unlimited Engineering SL
        07DF Snap-on Incorporated~Edifier International Limited~Lucie Labs~Alfred Kaercher SE & Co. KG
        07E3 Airoha Technology Corp.~Geeksme S.L.~Minut, Inc.~Waybeyond Limited~Komfort IQ, Inc.
        07E8 Packetcraft, Inc.~Häfele GmbH & Co KG~ShapeLog, Inc.~NOVABASE S.R.L.~Frecce LLC~Joule IQ, INC.
        07EE KidzTek LLC~Aktiebolaget Sandvik Coromant~e-moola.com Pty Ltd~Zimi Innovations Pty Ltd
        07F2 SERENE GROUP, INC~DIGISINE ENERGYTECH CO. LTD.
        07F4 MEDIRLAB Orvosbiologiai Fejleszto Korlatolt Felelossegu Tarsasag
        07F5 Byton North America Corporation~Shenzhen TonliScience and Technology Development Co.,Ltd
        07F7 Cesar Systems Ltd.~quip NYC Inc.~Direct Communication Solutions, Inc.~Klipsch Group, Inc.
        07FB Access Co., Ltd~Renault SA~JSK CO., LTD.~BIROTA~maxon motor ltd.~Optek~CRONUS ELECTRONICS LTD
        0802 NantSound, Inc.~Domintell s.a.~Andon Health Co.,Ltd~Urbanminded Ltd~TYRI Sweden AB
        0807 ECD Electronic Components GmbH Dresden~SISTEMAS KERN, SOCIEDAD ANÓMINA~Trulli Audio~Altaneos
        080B Nanoleaf Canada Limited~Ingy B.V.~Azbil Co.~TATTCOM LLC~Paradox Engineering SA~LECO Corporation
        0811 Becker Antriebe GmbH~Mstream Technologies., Inc.~Flextronics International USA Inc.~Ossur hf.
        0815 SKC Inc~SPICA SYSTEMS LLC~Wangs Alliance Corporation~tatwah SA~Hunter Douglas Inc
        081A Shenzhen Conex~DIM3~Bobrick Washroom Equipment, Inc.~Potrykus Holdings and Development LLC
        081E iNFORM Technology GmbH~eSenseLab LTD~Brilliant Home Technology, Inc.~INOVA Geophysical, Inc.
        0822 adafruit industries~Nexite Ltd~8Power Limited~CME PTE. LTD.~Hyundai Motor Company~Kickmaker
        0828 Shanghai Suisheng Information Technology Co., Ltd.~HEXAGON METROLOGY DIVISION ROMER
        082A Mitutoyo Corporation~shenzhen fitcare electronics Co.,Ltd~INGICS TECHNOLOGY CO., LTD.
        082D INCUS PERFORMANCE LTD.~ABB S.p.A.~Blippit AB
        0831 Foxble, LLC~Intermotive,Inc.~Conneqtech B.V.~RIKEN KEIKI CO., LTD.,~Canopy Growth Corporation
        0836 Bitwards Oy~vivo Mobile Communication Co., Ltd.~Etymotic Research, Inc.~A puissance 3
        083A BPW Bergische Achsen Kommanditgesellschaft~Piaggio Fast Forward~BeerTech LTD~Tokenize, Inc.
        083E Zorachka LTD~D-Link Corp.~Down Range Systems LLC~General Luminaire (Shanghai) Co., Ltd.
        0842 Tangshan HongJia electronic technology co., LTD.~FRAGRANCE DELIVERY TECHNOLOGIES LTD
        0844 Pepperl + Fuchs GmbH~Dometic Corporation~USound GmbH~DNANUDGE LIMITED~JUJU JOINTS CANADA CORP.
        0849 Dopple Technologies B.V.~ARCOM~Biotechware SRL~ORSO Inc.~SafePort~Carol Cole Company
        084F Embedded Fitness B.V.~Yealink (Xiamen) Network Technology Co.,LTD~Subeca, Inc.~Cognosos, Inc.
        0853 Pektron Group Limited~Tap Sound System~Helios Sports, Inc.~Canopy Growth Corporation~Parsyl Inc
        0858 SOUNDBOKS~BlueUp~DAKATECH~Nisshinbo Micro Devices Inc.~ACOS CO.,LTD.
        085D Guilin Zhishen Information Technology Co.,Ltd.~Krog Systems LLC
        0860 Alflex Products B.V.~SmartSensor Labs Ltd~SmartDrive~Yo-tronics Technology Co., Ltd.
        0864 Rafaelmicro~Emergency Lighting Products Limited~LAONZ Co.,Ltd~Western Digital Techologies, Inc.
        0868 WIOsense GmbH & Co. KG~EVVA Sicherheitstechnologie GmbH~Odic Incorporated~Pacific Track, LLC
        086C Revvo Technologies, Inc.~Biometrika d.o.o.~Vorwerk Elektrowerke GmbH & Co. KG~Trackunit A/S
        0870 Wyze Labs, Inc~Dension Elektronikai Kft.~11 Health & Technologies Limited
        0873 Innophase Incorporated~Treegreen Limited~Berner International LLC~SmartResQ ApS~Valtech
        0878 The Chamberlain Group, Inc.~MIZUNO Corporation~ZRF, LLC~BYSTAMP~Crosscan GmbH~Konftel AB
        087E 1bar.net Limited~Phillips Connect Technologies LLC~imagiLabs AB~Optalert~PSYONIC, Inc.
        0883 Wintersteiger AG~Controlid Industria, Comercio de Hardware e Servicos de Tecnologia Ltda
        0886 Movella Technologies B.V.~Hydro-Gear Limited Partnership~EnPointe Fencing Pty Ltd~XANTHIO
        088A sclak s.r.l.~Tricorder Arraay Technologies LLC~GB Solution co.,Ltd~Soliton Systems K.K.
        088F Tait International Limited~NICHIEI INTEC CO., LTD.~SmartWireless GmbH & Co. KG
        0892 Ingenieurbuero Birnfeld UG (haftungsbeschraenkt)~Maytronics Ltd~EPIFIT~Gimer medical
        0896 Nokian Renkaat Oyj~Current Lighting Solutions LLC~Sensibo, Inc.~SFS unimarket AG
        089A Private limited company "Teltonika"~Saucon Technologies~Embedded Devices Co. Company
        089D J-J.A.D.E. Enterprise LLC~i-SENS, inc.~Witschi Electronic Ltd~Aclara Technologies LLC
        08A1 EXEO TECH CORPORATION~Epic Systems Co., Ltd.~Hoffmann SE
        08A4 Realme Chongqing Mobile Telecommunications Corp., Ltd.
        08A6 Intelligenceworks Inc.~TGR 1.618 Limited~Shanghai Kfcube Inc~Fraunhofer IIS
        08AA SZ DJI TECHNOLOGY CO.,LTD~Coburn Technology, LLC~Topre Corporation~Kayamatics Limited
        08AE Moticon ReGo AG~Polidea Sp. z o.o.~Trivedi Advanced Technologies LLC~CORE|vision BV
        08B2 PF SCHWEISSTECHNOLOGIE GMBH~IONIQ Skincare GmbH & Co. KG~Sengled Co., Ltd.~TransferFi
        08B6 Boehringer Ingelheim Vetmedica GmbH~ABB Inc~Check Technology Solutions LLC~U-Shin Ltd.
        08BA HYPER ICE, INC.~Tokai-rika co.,ltd.~Prevayl Limited~bf1systems limited~ubisys technologies GmbH
        08BF SIRC Co., Ltd.~Accent Advanced Systems SLU~Rayden.Earth LTD~Lindinvent AB~CHIPOLO d.o.o.
        08C5 J. Wagner GmbH~Integra Optics Inc~Monadnock Systems Ltd.~Liteboxer Technologies Inc.~Noventa AG
        08CA Nubia Technology Co.,Ltd.~JT INNOVATIONS LIMITED~TGM TECHNOLOGY CO., LTD.~ifly~ZIMI CORPORATION
        08CF betternotstealmybike UG (with limited liability)~ESTOM Infotech Kft.~Sensovium Inc.
        08D2 Virscient Limited~Novel Bits, LLC~ADATA Technology Co., LTD.~KEYes
        08D7 Inovonics Corp~WARES~Pointr Labs Limited~Miridia Technology Incorporated~Tertium Technology
        08DC SHENZHEN AUKEY E BUSINESS CO., LTD~code-Q~TE Connectivity Corporation~IRIS OHYAMA CO.,LTD.
        08E0 Philia Technology~KOZO KEIKAKU ENGINEERING Inc.~Shenzhen Simo Technology co. LTD
        08E3 Republic Wireless, Inc.~Rashidov ltd~Crowd Connected Ltd~Eneso Tecnologia de Adaptacion S.L.
        08E7 Barrot Technology Co.,Ltd.~Naonext~Taiwan Intelligent Home Corp.~COWBELL ENGINEERING CO.,LTD.
        08EB Beijing Big Moment Technology Co., Ltd.~Denso Corporation
        08ED IMI Hydronic Engineering International SA~Askey Computer Corp.~Cumulus Digital Systems, Inc
        08F0 Joovv, Inc.~The L.S. Starrett Company~Microoled~PSP - Pauli Services & Products GmbH
        08F4 Kodimo Technologies Company Limited~Tymtix Technologies Private Limited
        08F6 Dermal Photonics Corporation~MTD Products Inc & Affiliates~instagrid GmbH
        08F9 Spacelabs Medical Inc.~Troo Corporation~Darkglass Electronics Oy~Hill-Rom~BioIntelliSense, Inc.
        08FE Ketronixs Sdn Bhd~Plastimold Products, Inc~Beijing Zizai Technology Co., LTD.~Lucimed
        0902 TSC Auto-ID Technology Co., Ltd.~DATAMARS, Inc.~SUNCORPORATION~Yandex Services AG
        0906 Scope Logistical Solutions~User Hello, LLC~Pinpoint Innovations Limited~70mai Co.,Ltd.
        090A Zhuhai Hoksi Technology CO.,LTD~EMBR labs, INC~Radiawave Technologies Co.,Ltd.~IOT Invent GmbH
        090E OPTIMUSIOT TECH LLP~VC Inc.~ASR Microelectronics (Shanghai) Co., Ltd.
        0911 Douglas Lighting Controls Inc.~Nerbio Medical Software Platforms Inc~Braveheart Wireless, Inc.
        0914 INEO-SENSE~Honda Motor Co., Ltd.~Ambient Sensors LLC~ASR Microelectronics(ShenZhen)Co., Ltd.
        0918 Technosphere Labs Pvt. Ltd.~NO SMD LIMITED~Albertronic BV~Luminostics, Inc.~Oblamatik AG
        091D Innokind, Inc.~Melbot Studios, Sociedad Limitada~Myzee Technology
        0921 KAHA PTE. LTD.~Shanghai MXCHIP Information Technology Co., Ltd.~JSB TECH PTE LTD
        0924 Fundacion Tecnalia Research and Innovation~Yukai Engineering Inc.~Gooligum Technologies Pty Ltd
        0927 ROOQ GmbH~AiRISTA~Qingdao Haier Technology Co., Ltd.~Sappl Verwaltungs- und Betriebs GmbH
        092B TekHome~PCI Private Limited~Leggett & Platt, Incorporated~PS GmbH~C.O.B.O. SpA
        0930 James Walker RotaBolt Limited~BREATHINGS Co., Ltd.~BarVision, LLC~SRAM~KiteSpring Inc.
        0935 Reconnect, Inc.~Elekon AG~RealThingks GmbH~Henway Technologies, LTD.~ASTEM Co.,Ltd.
        093A LinkedSemi Microelectronics (Xiamen) Co., Ltd~ENSESO LLC~Xenoma Inc.~Adolf Wuerth GmbH & Co KG
        093E Catalyft Labs, Inc.~JEPICO Corporation~Hero Workout GmbH~Rivian Automotive, LLC
        0942 TRANSSION HOLDINGS LIMITED
        0944 Agitron d.o.o.~Globe (Jiangsu) Co., Ltd~AMC International Alfa Metalcraft Corporation AG
        0947 First Light Technologies Ltd.~Wearable Link Limited~Metronom Health Europe~Zwift, Inc.
        094B Kindeva Drug Delivery L.P.~GimmiSys GmbH~tkLABS INC.~PassiveBolt, Inc.
        094F Limited Liability Company "Mikrotikls"~Capetech~PPRS~Apptricity Corporation~LogiLube, LLC~Julbo
        0955 Breville Group~Kerlink~Ohsung Electronics~ZTE Corporation~HerdDogg, Inc
        095B Lismore Instruments Limited~LogiLube, LLC~Electronic Theatre Controls~BioEchoNet inc.
        095F NUANCE HEARING LTD~Sena Technologies Inc.~Linkura AB~GL Solutions K.K.~Moonbird BV
        0964 Countrymate Technology Limited~Asahi Kasei Corporation~PointGuard, LLC
        0967 Neo Materials and Consulting Inc.~Actev Motors, Inc.~Woan Technology (Shenzhen) Co., Ltd.
        096A dricos, Inc.~Guide ID B.V.~9374-7319 Quebec inc~Gunwerks, LLC~Band Industries, inc.
        096F Lund Motion Products, Inc.~IBA Dosimetry GmbH~GA
        0972 Closed Joint Stock Company "Zavod Flometr" ("Zavod Flometr" CJSC)~Popit Oy~ABEYE
        0975 BlueIOT(Beijing) Technology Co.,Ltd~Fauna Audio GmbH~TOYOTA motor corporation
        0978 ZifferEins GmbH & Co. KG~BIOTRONIK SE & Co. KG~CORE CORPORATION~CTEK Sweden AB
        097C Thorley Industries, LLC~CLB B.V.~SonicSensory Inc~ISEMAR S.R.L.
        0980 DEKRA TESTING AND CERTIFICATION, S.A.U.~Bernard Krone Holding SE & Co.KG~ELPRO-BUCHS AG
        0983 Feedback Sports LLC~TeraTron GmbH~Lumos Health Inc.~Cello Hill, LLC~TSE BRAKES, INC.
        0988 BHM-Tech Produktionsgesellschaft m.b.H~WIKA Alexander Wiegand SE & Co.KG~Biovigil
        098B Mequonic Engineering, S.L.~bGrid B.V.
        098E ADVEEZ~Aktiebolaget Regin~Anton Paar GmbH~Telenor ASA~Big Kaiser Precision Tooling Ltd
        0993 Absolute Audio Labs B.V.~VT42 Pty Ltd~Bronkhorst High-Tech B.V.~C. & E. Fein GmbH~NextMind
        0998 Pixie Dust Technologies, Inc.~eTactica ehf~New Audio LLC~Sendum Wireless Corporation
        099C deister electronic GmbH~YKK AP Inc.~Step One Limited~Koya Medical, Inc.~Proof Diagnostics, Inc.
        09A1 VOS Systems, LLC~ENGAGENOW DATA SCIENCES PRIVATE LIMITED~ARDUINO SA~KUMHO ELECTRICS, INC
        09A5 Security Enhancement Systems, LLC~BEIJING ELECTRIC VEHICLE CO.,LTD~Paybuddy ApS
        09A8 KHN Solutions LLC~Nippon Ceramic Co.,Ltd.~PHOTODYNAMIC INCORPORATED~DashLogic, Inc.~Ambiq
        09AD Narhwall Inc.~Pozyx NV~ifLink Open Community~Deublin Company, LLC~BLINQY~DYPHI
        09B3 BlueX Microelectronics Corp Ltd.~PentaLock Aps.~AUTEC Gesellschaft fuer Automationstechnik mbH
        09B6 Pegasus Technologies, Inc.~Bout Labs, LLC~PlayerData Limited~SAVOY ELECTRONIC LIGHTING
        09BA Elimo Engineering Ltd~SkyStream Corporation~Aerosens LLC
        09BD Centre Suisse d'Electronique et de Microtechnique SA~Vessel Ltd.~Span.IO, Inc.
        09C0 AnotherBrain inc.~Rosewill~Universal Audio, Inc.~JAPAN TOBACCO INC.~UVISIO
        09C5 HungYi Microelectronics Co.,Ltd.~Honor Device Co., Ltd.~Combustion, LLC~XUNTONG~CrowdGlow Ltd
        09CA Mobitrace~Hx Engineering, LLC~Senso4s d.o.o.
        09CE Julius Blum GmbH~BlueStreak IoT, LLC~Chess Wise B.V.~ABLEPAY TECHNOLOGIES AS
        09D2 Temperature Sensitive Solutions Systems Sweden AB
        09D4 ORBIS Inc.~GEAR RADIO ELECTRONICS CORP.
        09D6 EAR TEKNIK ISITME VE ODIOMETRI CIHAZLARI SANAYI VE TICARET ANONIM SIRKETI~Coyotta
        09D8 Synergy Tecnologia em Sistemas Ltda~VivoSensMedical GmbH~Nagravision SA~Bionic Avionics Inc.
        09DC AON2 Ltd.~Innoware Development AB~JLD Technology Solutions, LLC~Magnus Technology Sdn Bhd
        09E1 Tag-N-Trac Inc~Wuhan Linptech Co.,Ltd.~Friday Home Aps~CPS AS~Mobilogix~Masonite Corporation
        09E7 Kabushikigaisha HANERON~Melange Systems Pvt. Ltd.~LumenRadio AB~Athlos Oy
        09EB KEAN ELECTRONICS PTY LTD~Yukon advanced optics worldwide, UAB~Sibel Inc.~OJMAR SA
        09EF Steinel Solutions AG~WatchGas B.V.~OM Digital Solutions Corporation~Audeara Pty Ltd
        09F3 Beijing Zero Zero Infinity Technology Co.,Ltd.~Spectrum Technologies, Inc.
        09F5 OKI Electric Industry Co., Ltd~Mobile Action Technology Inc.~SENSATEC Co., Ltd.~R.O. S.R.L.
        09F9 Hangzhou Yaguan Technology Co. LTD~Listen Technologies Corporation~TOITU CO., LTD.~Confidex
        09FD Keep Technologies, Inc.~Lichtvision Engineering GmbH~AIRSTAR~Ampler Bikes OU~Cleveron AS
        0A02 Ayxon-Dynamics GmbH~donutrobotics Co., Ltd.~Flosonics Medical~Southwire Company, LLC
        0A06 Shanghai wuqi microelectronics Co.,Ltd~Reflow Pty Ltd~Oras Oy
        0A0A Volan Technology Inc.~SIANA Systems~Shanghai Yidian Intelligent Technology Co., Ltd.
        0A0D Blue Peacock GmbH~Roland Corporation~LIXIL Corporation~SUBARU Corporation~Sensolus
        0A12 Dyson Technology Limited~Tec4med LifeScience GmbH~CROXEL, INC.~Syng Inc~RIDE VISION LTD
        0A17 Plume Design Inc~Cambridge Animal Technologies Ltd~Maxell, Ltd.~Link Labs, Inc.~Embrava Pty Ltd
        0A1C INPEAK S.C.~API-K~CombiQ AB~DeVilbiss Healthcare LLC~Jiangxi Innotech Technology Co., Ltd
        0A21 Apollogic Sp. z o.o.~DAIICHIKOSHO CO., LTD.~BIXOLON CO.,LTD~Atmosic Technologies, Inc.
        0A25 Eran Financial Services LLC~Louis Vuitton~AYU DEVICES PRIVATE LIMITED
        0A28 NanoFlex Power Corporation~Worthcloud Technology Co.,Ltd~Yamaha Corporation~PaceBait IVS
        0A2C Shenzhen H&T Intelligent Control Co., Ltd~Shenzhen Feasycom Technology Co., Ltd.
        0A2F Instamic, Inc.~Air-Weigh~Nevro Corp.~Pinnacle Technology, Inc.~WMF AG~Luxer Corporation
        0A35 safectory GmbH~NGK SPARK PLUG CO., LTD.~2587702 Ontario Inc.~Bouffalo Lab (Nanjing)., Ltd.
        0A39 BLUETICKETING SRL~Incotex Co. Ltd.~Galileo Technology Limited~Siteco GmbH~DELABIE
        0A3F Shenzhen Yopeak Optoelectronics Technology Co., Ltd.
        0A41 OPEX Corporation~Motionalysis, Inc.~Busch Systems International Inc.~Novidan, Inc.
        0A45 3SI Security Systems, Inc~Beijing HC-Infinite Technology Limited~The Wand Company Ltd
        0A48 JRC Mobility Inc.~Venture Research Inc.~Map Large, Inc.~MistyWest Energy and Transport Ltd.
        0A4C SiFli Technologies (shanghai) Inc.~Lockn Technologies Private Limited~Toytec Corporation
        0A4F VANMOOF Global Holding B.V.~Nextscape Inc.~CSIRO~Follow Sense Europe B.V.~KKM COMPANY LIMITED
        0A54 SQL Technologies Corp.~Inugo Systems Limited~ambie~Meizhou Guo Wei Electronics Co., Ltd
        0A58 Indigo Diabetes~TourBuilt, LLC~Sontheim Industrie Elektronik GmbH~LEGIC Identsystems AG
        0A5C Innovative Design Labs Inc.~MG Energy Systems B.V.
        0A5F stryker~DATANG SEMICONDUCTOR TECHNOLOGY CO.,LTD~Smart Parks B.V.~MOKO TECHNOLOGY Ltd
        0A64 Geopal system A/S~Lytx, INC.
        0A67 Beijing SuperHexa Century Technology CO. Ltd~Focus Ingenieria SRL~HAPPIEST BABY, INC.
        0A6A Scribble Design Inc.~Olympic Ophthalmics, Inc.~Pokkels~KUUKANJYOKIN Co.,Ltd.~Pac Sane Limited
        0A6F Warner Bros.~Ooma~Senquip Pty Ltd~Jumo GmbH & Co. KG~Innohome Oy~MICROSON S.A.
        0A75 Delta Cycle Corporation~Synaptics Incorporated~AXTRO PTE. LTD.
        0A78 Shenzhen Sunricher Technology Limited~Webasto SE~Emlid Limited~UniqAir Oy~WAFERLOCK
        0A7D Freedman Electronics Pty Ltd~KEBA Handover Automation GmbH~Intuity Medical~Cleer Limited
        0A81 Universal Biosensors Pty Ltd~Corsair~Rivata, Inc.~Greennote Inc,~Snowball Technology Co., Ltd.
        0A86 ALIZENT International~Shanghai Smart System Technology Co., Ltd~PSA Peugeot Citroen~VusionGroup
        0A8A HAINBUCH GMBH SPANNENDE TECHNIK~SANlight GmbH~DelpSys, s.r.o.~JCM TECHNOLOGIES S.A.
        0A8E Perfect Company~TOTO LTD.~Shenzhen Grandsun Electronic Co.,Ltd.~Monarch International Inc.
        0A92 Carestream Dental LLC~GiPStech S.r.l.~OOBIK Inc.~Pamex Inc.
        0A97 SensTek~Foil, Inc.~Shanghai high-flying electronics technology Co.,Ltd~TEMKIN ASSOCIATES, LLC
        0A9B Eello LLC~Xi'an Fengyu Information Technology Co., Ltd.~Canon Finetech Nisca Inc.
        0A9F ista International GmbH~Loy Tec electronics GmbH~LINCOGN TECHNOLOGY CO. LIMITED~Care Bloom, LLC
        0AA3 DIC Corporation~FAZEPRO LLC~Shenzhen Uascent Technology Co., Ltd~Realityworks, inc.
        0AA7 Urbanista AB~Zencontrol Pty Ltd~Spintly, Inc.~Computime International Ltd~Anhui Listenai Co
        0AAC OSM HK Limited~Adevo Consulting AB~PS Engineering, Inc.~AIAIAI ApS~Visiontronic s.r.o.
        0AB1 InVue Security Products Inc~TouchTronics, Inc.~INNER RANGE PTY. LTD.~Ellenby Technologies, Inc.
        0AB5 Elstat Electronics Ltd.~Xenter, Inc.~LogTag North America Inc.~Sens.ai Incorporated~STL
        0ABA Open Bionics Ltd.~R-DAS, s.r.o.~KCCS Mobile Engineering Co., Ltd.~Inventas AS
        0ABE Robkoo Information & Technologies Co., Ltd.~PAUL HARTMANN AG~Omni-ID USA, INC.
        0AC1 Shenzhen Jingxun Technology Co., Ltd.~RealMega Microelectronics technology (Shanghai) Co. Ltd.
        0AC3 Kenzen, Inc.~CODIUM~Flexoptix GmbH~Barnes Group Inc.~Chengdu Aich Technology Co.,Ltd
        0AC8 Keepin Co., Ltd.~Swedlock AB~Shenzhen CoolKit Technology Co., Ltd
        0ACB ise Individuelle Software und Elektronik GmbH~Nuvoton~Visuallex Sport International Limited
        0ACE KOBATA GAUGE MFG. CO., LTD.~CACI Technologies~Nordic Strong ApS
        0AD1 EAGLE KINGDOM TECHNOLOGIES LIMITED~Lautsprecher Teufel GmbH~SSV Software Systems GmbH
        0AD4 Zhuhai Pantum Electronisc Co., Ltd~Streamit B.V.~nymea GmbH~AL-KO Geraete GmbH
        0AD8 Franz Kaldewei GmbH&Co KG~Shenzhen Aimore. Co.,Ltd~Codefabrik GmbH~Reelables, Inc.~Duravit AG
        0ADD Boss Audio~Vocera Communications, Inc.~Douglas Dynamics L.L.C.
        0AE3 GlobalMed~DALI Alliance~unu GmbH~Hexology~Sunplus Technology Co., Ltd.~LEVEL, s.r.o.
        0AE9 FLIR Systems AB~Borda Technology~Square, Inc.~FUTEK ADVANCED SENSOR TECHNOLOGY, INC
        0AED Saxonar GmbH~Velentium, LLC~GLP German Light Products GmbH~Leupold & Stevens, Inc.
        0AF1 CRADERS,CO.,LTD~Shanghai All Link Microelectronics Co.,Ltd~701x Inc.
        0AF4 Radioworks Microelectronics PTY LTD~Unitech Electronic Inc.~AMETEK, Inc.~Irdeto
        0AF8 First Design System Inc.~Unisto AG~Chengdu Ambit Technology Co., Ltd.~SMT ELEKTRONIK GmbH
        0AFC Cerebrum Sensor Technologies Inc.~Weber Sensors, LLC~Earda Technologies Co.,Ltd
        0AFF FUSEAWARE LIMITED~Flaircomm Microelectronics Inc.~RESIDEO TECHNOLOGIES, INC.
        0B02 IORA Technology Development Ltd. Sti.~Precision Triathlon Systems Limited
        0B05 Marquardt GmbH~FAZUA GmbH~Workaround Gmbh~Shenzhen Qianfenyi Intelligent Technology Co., LTD
        0B09 soonisys~Belun Technology Company Limited~Sanistaal A/S~BluPeak~SANYO DENKO Co.,Ltd.
        0B0E Minebea Access Solutions Inc.~B.E.A. S.A.~Alfa Laval Corporate AB~ThermoWorks, Inc.
        0B12 ToughBuilt Industries LLC~IOTOOLS~Olumee~NAOS JAPAN K.K.~Guard RFID Solutions Inc.
        0B17 SIG SAUER, INC.~DECATHLON SE~WBS PROJECT H PTY LTD~Roca Sanitario, S.A.
        0B1B Enerpac Tool Group Corp.~Nanoleq AG~Accelerated Systems~PB INC.
        0B1F Beijing ESWIN Computing Technology Co., Ltd.~TKH Security B.V.
        0B22 Hygiene IQ, LLC.~iRhythm Technologies, Inc.~BeiJing ZiJie TiaoDong KeJi Co.,Ltd.~NIBROTECH LTD
        0B26 Baracoda Daily Healthtech.~Lumi United Technology Co., Ltd~CHACON
        0B29 Tech-Venom Entertainment Private Limited
        0B2B MAINBOT~ILLUMAGEAR, Inc.~REDARC ELECTRONICS PTY LTD~MOCA System Inc.~Duke Manufacturing Co
        0B30 ART SPA~Silver Wolf Vehicles Inc.~Hala Systems, Inc.~ARMATURA LLC
        0B34 CONZUMEX INDUSTRIES PRIVATE LIMITED~BH SENS~SINTEF~Omnivoltaic Energy Solutions Limited Company
        0B38 WISYCOM S.R.L.~Red 100 Lighting Co., ltd.~Impact Biosystems, Inc.
        0B3B AIC semiconductor (Shanghai) Co., Ltd.~Dodge Industrial, Inc.~REALTIMEID AS
        0B3E ISEO Serrature S.p.a.~MindRhythm, Inc.~Havells India Limited~Sentrax GmbH~TSI
        0B43 INCITAT ENVIRONNEMENT~nFore Technology Co., Ltd.~Electronic Sensors, Inc.
        0B47 Gentex Corporation~NIO USA, Inc.~SkyHawke Technologies~Nomono AS~EMS Integrators, LLC
        0B4C BiosBob.Biz~Adam Hall GmbH~ICP Systems B.V.~Breezi.io, Inc.~Mesh Systems LLC~FUN FACTORY GmbH
        0B52 ZIIP Inc~SHENZHEN KAADAS INTELLIGENT TECHNOLOGY CO.,Ltd~Emotion Fitness GmbH & Co. KG
        0B55 H G M Automotive Electronics, Inc.~BORA - Vertriebs GmbH & Co KG
        0B57 CONVERTRONIX TECHNOLOGIES AND SERVICES LLP~TOKAI-DENSHI INC
        0B5B Shenzhen ImagineVision Technology Limited
        0B5D Fujian Newland Auto-ID Tech. Co., Ltd.~CELLCONTROL, INC.~Rivieh, Inc.~RATOC Systems, Inc.
        0B61 Sentek Pty Ltd~NOVEA ENERGIES~Innolux Corporation~NingBo klite Electric Manufacture Co.,LTD
        0B65 The Apache Software Foundation~MITSUBISHI ELECTRIC AUTOMATION (THAILAND) COMPANY LIMITED
        0B67 CleanSpace Technology Pty Ltd~Quha oy~Addaday~Dymo~Samsara Networks, Inc~Sensitech, Inc.
        0B6D SOLUM CO., LTD~React Mobile
        0B70 JDRF Electromag Engineering Inc~lilbit ODM AS~Geeknet, Inc.~HARADA INDUSTRY CO., LTD.~BQN
        0B75 Triple W Japan Inc.~MAX-co., ltd~Aixlink(Chengdu) Co., Ltd.~FIELD DESIGN INC.
        0B79 Sankyo Air Tech Co.,Ltd.~Shenzhen KTC Technology Co.,Ltd.~Hardcoder Oy~Scangrip A/S
        0B7D FoundersLane GmbH~Offcode Oy~ICU tech GmbH~AXELIFE~SCM Group~Mammut Sports Group AG
        0B83 Taiga Motors Inc.~Presidio Medical, Inc.~VIMANA TECH PTY LTD~Trek Bicycle~Ampetronic Ltd
        0B88 Muguang (Guangdong) Intelligent Lighting Technology Co., Ltd~Rotronic AG~Seiko Instruments Inc.
        0B8B American Technology Components, Incorporated~MOTREX~Pertech Industries Inc~Gentle Energy Corp.
        0B8F Senscomm Semiconductor Co., Ltd.~Ineos Automotive Limited~Alfen ICU B.V.~Citisend Solutions, SL
        0B93 Hangzhou BroadLink Technology Co., Ltd.~Dreem SAS
        0B96 Telecom Design~SILVER TREE LABS, INC.~Gymstory B.V.~The Goodyear Tire & Rubber Company
        0B9A Beijing Wisepool Infinite Intelligence Technology Co.,Ltd
        0B9C Komatsu Ltd.~Sensoria Holdings LTD~Audio Partnership Plc~Group Lotus Limited
        0BA0 Data Sciences International~Bunn-O-Matic Corporation~TireCheck GmbH
        0BA3 Sonova Consumer Hearing GmbH~Vervent Audio Group~SONICOS ENTERPRISES, LLC
        0BA6 Nissan Motor Co., Ltd.~hearX Group (Pty) Ltd~GLOWFORGE INC.~Allterco Robotics ltd
        0BAA Infinitegra, Inc.~Grandex International Corporation~Machfu Inc.~Roambotics, Inc.~Soma Labs LLC
        0BAF NITTO KOGYO CORPORATION~Ecolab Inc.~Beijing ranxin intelligence technology Co.,LTD
        0BB2 Fjorden Electra AS~Flender GmbH~New Cosmos USA, Inc.~Xirgo Technologies, LLC
        0BB6 Build With Robots Inc.~IONA Tech LLC~INNOVAG PTY. LTD.~SaluStim Group Oy~Huso, INC
        0BBB SWISSINNO SOLUTIONS AG~T2REALITY SOLUTIONS PRIVATE LIMITED
        0BBE SAAB Aktiebolag~HIMSA II K/S~READY FOR SKY LLP~Miele & Cie. KG~EntWick Co.~MCOT INC.
        0BC4 TECHTICS ENGINEERING B.V.~Aperia Technologies, Inc.~TCL COMMUNICATION EQUIPMENT CO.,LTD.
        0BC7 Signtle Inc.~OTF Distribution, LLC~Neuvatek Inc.~Perimeter Technologies, Inc.~Divesoft s.r.o.
        0BCC Sylvac sa~Amiko srl~Neurosity, Inc.~LL Tec Group LLC~Durag GmbH
        0BD1 Hubei Yuan Times Technology Co., Ltd.~IDEC~Procon Analytics, LLC~ndd Medizintechnik AG
        0BD5 Super B Lithium Power B.V.~Shenzhen Injoinic Technology Co., Ltd.
        0BD7 VINFAST TRADING AND PRODUCTION JOINT STOCK COMPANY~PURA SCENTS, INC.
        0BDA Aardex Ltd.~CHAR-BROIL, LLC~Ledworks S.r.l.~Coroflo Limited~Yale
        0BDF WINKEY ENTERPRISE (HONG KONG) LIMITED~Koizumi Lighting Technology corp.
        0BE2 OTC engineering~Comtel Systems Ltd.~Deepfield Connect GmbH
        0BE5 ZWILLING J.A. Henckels Aktiengesellschaft~Puratap Pty Ltd~Fresnel Technologies, Inc.
        0BE8 Sensormate AG~Shindengen Electric Manufacturing Co., Ltd.
        0BEA Twenty Five Seven, prodaja in storitve, d.o.o.~Luna Health, Inc.~Miracle-Ear, Inc.
        0BED CORAL-TAIYI Co. Ltd.~LINKSYS USA, INC.~Safetytest GmbH~KIDO SPORTS CO., LTD.~Site IQ LLC
        0BF2 Angel Medical Systems, Inc.~PONE BIOMETRICS AS
        0BF5 T5 tek, Inc.~greenTEG AG~Wacker Neuson SE~Innovacionnye Resheniya
        0BFA CleanBands Systems Ltd.~Dodam Enersys Co., Ltd~T+A elektroakustik GmbH & Co.KG~Esmé Solutions
        0BFE Media-Cartec GmbH~Ratio Electric BV~MQA Limited~NEOWRK SISTEMAS INTELIGENTES S.A.
        0C02 Loomanet, Inc.~Puff Corp~Happy Health, Inc.~Montage Connect, Inc.~LED Smart Inc.
        0C07 CONSTRUKTS, INC.~limited liability company "Red"~Senic Inc.~Automated Pet Care Products, LLC
        0C0B aconno GmbH~Mendeltron, Inc.~Mereltron bv~ALEX DENKO CO.,LTD.~AETERLINK~Cosmed s.r.l.
        0C11 Gordon Murray Design Limited~IoSA~Scandinavian Health Limited~Fasetto, Inc.~Geva Sol B.V.
        0C16 TYKEE PTY. LTD.~SomnoMed Limited~CORROHM~Arlo Technologies, Inc.
        0C1A Catapult Group International Ltd~Rockchip Electronics Co., Ltd.~GEMU~OFF Line Japan Co., Ltd.
        0C1E EC sense co., Ltd~LVI Co.~COMELIT GROUP S.P.A.~Foshan Viomi Electrical Technology Co., Ltd
        0C22 Glamo Inc.~KEYTEC,Inc.~SMARTD TECHNOLOGIES INC.~JURA Elektroapparate AG
        0C26 Performance Electronics, Ltd.~Pal Electronics~Embecta Corp.~DENSO AIRCOOL CORPORATION
        0C2A Caresix Inc.~GigaDevice Semiconductor Inc.~Zeku Technology (Shanghai) Corp., Ltd.
        0C2D OTF Product Sourcing, LLC~Easee AS~BEEHERO, INC.~McIntosh Group Inc~KINDOO LLP
        0C32 Xian Yisuobao Electronic Technology Co., Ltd.~Exeger Operations AB~BYD Company Limited
        0C35 Thermokon-Sensortechnik GmbH
        0C37 SignalQuest, LLC~Noritz Corporation.~TIGER CORPORATION
        0C3B ORB Innovations Ltd~Classified Cycling~Wrmth Corp.~BELLDESIGN Inc.~Stinger Equipment, Inc.
        0C40 HORIBA, Ltd.~Control Solutions LLC~Heath Consultants Inc.~Berlinger & Co. AG~ONCELABS LLC
        0C45 Brose Verwaltung SE, Bamberg~Granwin IoT Technology (Guangzhou) Co.,Ltd~Epsilon Electronics,lnc
        0C48 VALEO MANAGEMENT SERVICES~twopounds gmbh~atSpiro ApS~ADTRAN, Inc.
        0C4C Orpyx Medical Technologies Inc.~Seekwave Technology Co.,ltd.~Tactile Engineering, Inc.
        0C4F SharkNinja Operating LLC~Imostar Technologies Inc.~INNOVA S.R.L.~ESCEA LIMITED~Taco, Inc.
        0C54 HiViz Lighting, Inc.~Zintouch B.V.~Rheem Sales Company, Inc.~UNEEG medical A/S~Hykso Inc.
        0C59 CYBERDYNE Inc.~Lockswitch Sdn Bhd~Alban Giacomo S.P.A.~MGM WIRELESSS HOLDINGS PTY LTD
        0C5D StepUp Solutions ApS~BlueID GmbH~Wuxi Linkpower Microelectronics Co.,Ltd
        0C60 KEBA Energy Automation GmbH~NNOXX, Inc~Phiaton Corporation~phg Peter Hengstler GmbH + Co. KG
        0C64 dormakaba Holding AG~WAKO CO,.LTD
        0C67 TRACKTING S.R.L.~Emerja Corporation~BLITZ electric motors. LTD~CONSORCIO TRUST CONTROL - NETTEL
        0C6B GILSON SAS~SNIFF LOGIC LTD~Fidure Corp.~Sensa LLC~Parakey AB~SCARAB SOLUTIONS LTD
        0C71 BitGreen Technolabz (OPC) Private Limited~StreetCar ORV, LLC~Truma Gerätetechnik GmbH & Co. KG
        0C74 yupiteru~Embedded Engineering Solutions LLC
        0C77 TEAC Corporation~CHARGTRON IOT PRIVATE LIMITED~Zhuhai Smartlink Technology Co., Ltd
        0C7A Triductor Technology (Suzhou), Inc.~PT SADAMAYA GRAHA TEKNOLOGI~Mopeka Products LLC
        0C7D 3ALogics, Inc.
        0C7F Rochester Sensors, LLC~CARDIOID - TECHNOLOGIES, LDA~Carrier Corporation~NACON
        0C83 Watchdog Systems LLC~MAXON INDUSTRIES, INC.~Amlogic, Inc.
        0C86 Qingdao Eastsoft Communication Technology Co.,Ltd~Weltek Technologies Company Limited
        0C88 Nextivity Inc.~AGZZX OPTOELECTRONICS TECHNOLOGY CO., LTD~A.GLOBAL co.,Ltd.~Heavys Inc
        0C8C T-Mobile USA~tonies GmbH~Technocon Engineering Ltd.~Radar Automobile Sales(Shandong)Co.,Ltd.
        0C90 WESCO AG~Yashu Systems~Kesseböhmer Ergonomietechnik GmbH~Movesense Oy
        0C94 Baxter Healthcare Corporation~Gemstone Lights Canada Ltd.~H+B Hightech GmbH~Deako
        0C98 MiX Telematics International (PTY) LTD~Vire Health Oy~ALF Inc.~NTT sonority, Inc.
        0C9C Sunstone-RTLS Ipari Szolgaltato Korlatolt Felelossegu Tarsasag~Ribbiot, INC.
        0C9E ECCEL CORPORATION SAS~Dragonfly Energy Corp.~BIGBEN~YAMAHA MOTOR CO.,LTD.~XSENSE LTD
        0CA3 MAQUET GmbH~MITSUBISHI ELECTRIC LIGHTING CO, LTD~Princess Cruise Lines, Ltd.~Megger Ltd
        0CA7 Verve InfoTec Pty Ltd~Sonas, Inc.~Mievo Technologies Private Limited
        0CAA Shenzhen Poseidon Network Technology Co., Ltd~HERUTU ELECTRONICS CORPORATION
        0CAC Shenzhen Shokz Co.,Ltd.~Shenzhen Openhearing Tech CO., LTD .~Evident Corporation~NEURINNOV
        0CB0 SwipeSense, Inc.~RF Creations~SHINKAWA Sensor Technology, Inc.~janova GmbH
        0CB4 Eberspaecher Climate Control Systems GmbH~Racketry, d. o. o.~THE EELECTRIC MACARON LLC
        0CB7 Cucumber Lighting Controls Limited
        0CB9 seca GmbH & Co. KG~Ameso Tech (OPC) Private Limited~Emlid Tech Kft.~TROX GmbH~Pricer AB
        0CBF Forward Thinking Systems LLC.~Garnet Instruments Ltd.~CLEIO Inc.~Anker Innovations Limited
        0CC3 HMD Global Oy~ABUS August Bremicker Soehne Kommanditgesellschaft~Open Road Solutions, Inc.
        0CC6 Serial Technology Corporation~SB C&S Corp.~TrikThom~Innocent Technology Co., Ltd.
        0CCA Cyclops Marine Ltd~NOTHING TECHNOLOGY LIMITED~Kord Defence Pty Ltd
        0CCD YanFeng Visteon(Chongqing) Automotive Electronic Co.,Ltd~SENOSPACE LLC
        0CCF Shenzhen CESI Information Technology Co., Ltd.
        0CD0 MooreSilicon Semiconductor Technology (Shanghai) Co., LTD.~Imagine Marketing Limited
        0CD2 EQOM SSC B.V.~TechSwipe~Reoqoo IoT Technology Co., Ltd.~Numa Products, LLC
        0CD6 HHO (Hangzhou) Digital Technology Co., Ltd.~Maztech Industries, LLC~SIA Mesh Group
        0CD9 Minami acoustics Limited~Wolf Steel ltd~Circus World Displays Limited~Ypsomed AG
        0CDD Alif Semiconductor, Inc.
        0CDF SHENZHEN CHENYUN ELECTRONICS CO., LTD~VODALOGIC PTY LTD~Regal Beloit America, Inc.
        0CE2 CORVENT MEDICAL, INC.~Taiwan Fuhsing~Off-Highway Powertrain Services Germany GmbH
        0CE5 Amina Distribution AS~McWong International, Inc.~TAG HEUER SA
        0CE8 Dongguan Yougo Electronics Co.,Ltd.~PEAG, LLC dba JLab Audio~HAYWARD INDUSTRIES, INC.
        0CEB Shenzhen Tingting Technology Co. LTD~Pacific Coast Fishery Services (2003) Inc.~CV. NURI TEKNIK
        0CEE MadgeTech, Inc~POGS B.V.~THOTAKA TEKHNOLOGIES INDIA PRIVATE LIMITED~Midmark
        0CF3 Radio Sound~SOLUX PTY LTD~BOS Balance of Storage Systems AG~OJ Electronics A/S
        0CF7 TVS Motor Company Ltd.~core sensing GmbH~Tamblue Oy~Protect Animals With Satellites LLC
        0CFB Tyromotion GmbH~ElectronX design
        0CFE Thule Group AB~Ergodriven Inc~Sparkpark AS~KEEPEN~Rocky Mountain ATV/MC Jake Wilson
        0D03 MakuSafe Corp~Bartec Auto Id Ltd~Energy Technology and Control Limited~doubleO Co., Ltd.
        0D07 Datalogic S.r.l.~Datalogic USA, Inc.~Leica Geosystems AG~CATEYE Co., Ltd.
        0D0B Research Products Corporation~Planmeca Oy~C.Ed. Schulte GmbH Zylinderschlossfabrik
        0D0E PetVoice Co., Ltd.~Timebirds Australia Pty Ltd~JVC KENWOOD Corporation
        0D12 Spartek Systems Inc.~MERRY ELECTRONICS CO., LTD.~Merry Electronics (S) Pte Ltd~Spark
        0D16 Nations Technologies Inc.~Akix S.r.l.~Bioliberty Ltd~C.G. Air Systemes Inc.~Maturix ApS
        0D1B RACHIO, INC.~LIMBOID LLC~Electronics4All Inc.~FESTINA LOTUS SA~Synkopi, Inc.~SCIENTERRA LIMITED
        0D21 Cennox Group Limited~Cedarware, Corp.~GREE Electric Appliances, Inc. of Zhuhai
        0D24 Japan Display Inc.~System Elite Holdings Group Limited~Burkert Werke GmbH & Co. KG~velocitux
        0D28 FUJITSU COMPONENT LIMITED~MIYAKAWA ELECTRIC WORKS LTD.~PhysioLogic Devices, Inc.~Sensoryx AG
        0D2C SIL System Integration Laboratory GmbH~Cooler Pro, LLC~Advanced Electronic Applications, Inc
        0D2F Delta Development Team, Inc~Laxmi Therapeutic Devices, Inc.~SYNCHRON, INC.~Badger Meter
        0D33 Micropower Group AB~ZILLIOT TECHNOLOGIES PRIVATE LIMITED~Universidad Politecnica de Madrid
        0D36 XIHAO INTELLIGENGT TECHNOLOGY CO., LTD~Zerene Inc.~CycLock~Systemic Games, LLC
        0D3A Frost Solutions, LLC~Lone Star Marine Pty Ltd~SIRONA Dental Systems GmbH~bHaptics Inc.
        0D3E LUMINOAH, INC.~Vogels Products B.V.~SignalFire Telemetry, Inc.~CPAC Systems AB
        0D42 TEKTRO TECHNOLOGY CORPORATION~Gosuncn Technology Group Co., Ltd.~Ex Makhina Inc.~Odeon, Inc.
        0D46 Thales Simulation & Training AG~Shenzhen DOKE Electronic Co., Ltd~Vemcon GmbH
        0D49 Refrigerated Transport Electronics, Inc.~Rockpile Solutions, LLC~Soundwave Hearing, LLC
        0D4D Optec, LLC~NIKAT SOLUTIONS PRIVATE LIMITED~Movano Inc.~NINGBO FOTILE KITCHENWARE CO., LTD.
        0D51 Genetus inc.~DIVAN TRADING CO., LTD.~Luxottica Group S.p.A~ISEKI FRANCE S.A.S
        0D55 NO CLIMB PRODUCTS LTD~Wellang.Co,.Ltd~Nanjing Xinxiangyuan Microelectronics Co., Ltd.
        0D58 ifm electronic gmbh~HYUPSUNG MACHINERY ELECTRIC CO., LTD.~Gunnebo Aktiebolag
        0D5B Axis Communications AB
        0D5D Stogger B.V.~Pella Corp~SiChuan Homme Intelligent Technology co.,Ltd.
        0D60 Smart Products Connection, S.A.~F.I.P. FORMATURA INIEZIONE POLIMERI - S.P.A.~MEBSTER s.r.o.
        0D63 SKF France~Southco~Molnlycke Health Care AB~Hendrickson USA , L.L.C
        0D67 BLACK BOX NETWORK SERVICES INDIA PRIVATE LIMITED~Status Audio LLC
        0D69 AIR AROMA INTERNATIONAL PTY LTD~Helge Kaiser GmbH~Crane Payment Innovations, Inc.
        0D6C Ambient IoT Pty Ltd~DYNAMOX S/A~Look Cycle International~Closed Joint Stock Company NVP BOLID
        0D70 Kindhome~Kiteras Inc.~Earfun Technology (HK) Limited~iota Biosciences, Inc.~ANUME s.r.o.
        0D75 Indistinguishable From Magic, Inc.~i-focus Co.,Ltd~DualNetworks SA~MITACHI CO.,LTD.
        0D79 VIVIWARE JAPAN, Inc.~Xiamen Intretech Inc.~MindMaze SA
        0D7C BeiJing SmartChip Microelectronics Technology Co.,Ltd~Taiko Audio B.V.~Daihatsu Motor Co., Ltd.
        0D7F Konova~Gravaa B.V.~Beyerdynamic GmbH & Co. KG~VELCO
        0D83 ATLANTIC SOCIETE FRANCAISE DE DEVELOPPEMENT THERMIQUE~Testo SE & Co. KGaA
        0D85 SEW-EURODRIVE GmbH & Co KG~ROCKWELL AUTOMATION, INC.~Quectel Wireless Solutions Co., Ltd.
        0D89 Nanohex Corp~Simply Embedded Inc.~Software Development, LLC
        0D8C Ultimea Technology (Shenzhen) Limited~RF Electronics Limited~Optivolt Labs, Inc.
        0D8F Canon Electronics Inc.~LAAS ApS~Beamex Oy Ab~TACHIKAWA CORPORATION~HagerEnergy GmbH
        0D95 Hunter Industries Incorporated~NEOKOHM SISTEMAS ELETRONICOS LTDA
        0D97 Zhejiang Huanfu Technology Co., LTD~E.F. Johnson Company~Caire Inc.
        0D9A Yeasound (Xiamen) Hearing Technology Co., Ltd~Boxyz, Inc.~Skytech Creations Limited~Cear, Inc.
        0D9E Impulse Wellness LLC~MML US, Inc~SICK AG~Fen Systems Ltd.~KIWI.KI GmbH~Airgraft Inc.~HP Tuners
        0DA5 PIXELA CORPORATION~Generac Corporation~Novoferm tormatic GmbH~Airwallet ApS~Inventronics GmbH
        0DAA Shenzhen EBELONG Technology Co., Ltd.~Efento~ITALTRACTOR ITM S.P.A.
        0DAE TITUM AUDIO, INC.~Hexagon Aura Reality AG~Invisalert Solutions, Inc.
        0DB1 TELE System Communications Pte. Ltd.~Whirlpool~SHENZHEN REFLYING ELECTRONIC CO., LTD
        0DB4 Franklin Control Systems~Djup AB~SAFEGUARD EQUIPMENT, INC.~Morningstar Corporation
        0DB8 Shenzhen Chuangyuan Digital Technology Co., Ltd~CompanyDeep Ltd~Veo Technologies ApS
        0DBB Nexis Link Technology Co., Ltd.~Felion Technologies Company Limited~MAATEL
        0DBE HELLA GmbH & Co. KGaA~HWM-Water Limited~Shenzhen Jahport Electronic Technology Co., Ltd.
        0DC1 NACHI-FUJIKOSHI CORP.~Cirrus Research plc~GEARBAC TECHNOLOGIES INC.
        0DC4 Hangzhou NationalChip Science & Technology Co.,Ltd~DHL~Levita~MORNINGSTAR FX PTE. LTD.
        0DC8 ETO GRUPPE TECHNOLOGIES GmbH~farmunited GmbH~Aptener Mechatronics Private Limited~GEOPH, LLC
        0DCC Trotec GmbH~Astra LED AG~NOVAFON - Electromedical devices limited liability company
        0DCF KUBU SMART LIMITED~ESNAH~OrangeMicro Limited~Fresh n Rebel B.V.~Global Satellite Engineering
        0DD4 KOQOON GmbH & Co.KG~BEEPINGS~MODULAR MEDICAL, INC.~Xiant Technologies, Inc.
        0DD9 SCHELL GmbH & Co. KG~Minebea Intec GmbH~KAGA FEI Co., Ltd.
        0DDC AUTHOR-ALARM, razvoj in prodaja avtomobilskih sistemov proti kraji, d.o.o.~Tozoa LLC
        0DDE SHENZHEN DNS INDUSTRIES CO., LTD.~Shenzhen Lunci Technology Co., Ltd~KNOG PTY. LTD.
        0DE1 Outshiny India Private Limited~TAMADIC Co., Ltd.~Shenzhen MODSEMI Co., Ltd~EMBEINT INC
        0DE5 Ehong Technology Co.,Ltd~DEXATEK Technology LTD~Dendro Technologies, Inc.~Vivint, Inc.
        0DE9 General Laser GmbH~Kathrein Solutions GmbH~Fitz Inc.~ATEGENOS PHARMACEUTICALS INC
        0DED Flextronic GmbH~Safety Swim LLC~SING SUN TECHNOLOGY (INTERNATIONAL) LIMITED
        0DF0 Woncan (Hong Kong) Limited~iFLYTEK (Suzhou) Technology Co., Ltd.~Weber-Stephen Products LLC
        0DF3 hDrop Technologies Inc.~REEKON TOOLS INC.~Delta Faucet Company~Mutrack Co., Ltd
        0DF7 Hangzhou Zhaotong Microelectronics Co., Ltd.~Chengdu CSCT Microelectronics Co., Ltd.
        0DF9 Belusun Technology Ltd.~Shenzhen Matches IoT Technology Co., Ltd.
        0DFB Beidou Intelligent Connected Vehicle Technology Co., Ltd.~SOJI ELECTRONICS JOINT STOCK COMPANY
        0DFD BH Technologies~Haptech, Inc.~WaveRF, Corp.~SHENZHEN SOUNDSOUL INFORMATION TECHNOLOGY CO.,LTD
        0E01 Wuhu Mengbo Technology Co., Ltd.~PROSYS DEV LIMITED~Shenzhen eMeet technology Co.,Ltd~Doro AB
        0E05 SUREPULSE MEDICAL LIMITED~iodyne, LLC~Pinpoint GmbH~Heinrich Kopp GmbH~Evolutive Systems SL
        0E0B Sounding Audio Industrial Ltd.~Yuanfeng Technology Co., Ltd.~FrontAct Co., Ltd.
        0E0F SenseWorks Tecnologia Ltda.~Eko Health, Inc.~Wanzl GmbH & Co. KGaA
        0E12 CLEVER LOGGER TECHNOLOGIES PTY LIMITED~ASYSTOM~Heilongjiang Tianyouwei Electronics Co.,Ltd.
        0E15 Eastern Partner Limited~Xiamen RUI YI Da Electronic Technology Co.,Ltd~Ad Hoc Electronics, llc.
        0E18 Hangzhou Microimage Software Co.,Ltd.~Hive-Zox International SA~Sensovo GmbH
        0E1B Time Location Systems AS~SHENZHEN DIGITECH CO., LTD~Capte B.V.~9512-5837 QUEBEC INC.~Blecon Ltd
        0E20 CFLAB TEKNOLOJI TICARET LIMITED SIRKETI~FOGO~HITO INC~MS kajak7 UG (limited liability)
        0E24 Avedis Zildjian Co.~Hangzhou Hikvision Digital Technology Co., Ltd.
        0E26 LIHJOEN SPEED METER CO., LTD.~NextSense, Inc.~PatchRx, Inc.~Flipper Devices Inc.
        0E2A Huizhou Foryou General Electronics Co., Ltd.~JE electronic a/s~9313-7263 Quebec inc.
        0E2D ECARX (Hubei) Tech Co.,Ltd.~NIHON KOHDEN CORPORATION~ONWI~Primax Electronics Ltd.
        0E31 AlphaTheta Corporation~PACIFIC INDUSTRIAL CO., LTD.~Crescent NV~Vermis, software solutions llc
        0E35 SNAPPWISH LLC~Cousins and Sears LLC~CESYS Gesellschaft für angewandte Mikroelektronik mbH
        0E38 SLOC GmbH~IRES Infrarot Energie Systeme GmbH~OFIVE LIMITED~Swift IOT Tech (Shenzhen) Co., LTD.
        0E3C Viselabs~Walmart Inc.~VANBOX~Wiser Devices, LLC~WKD Labs Ltd~Asustek Computer Inc.
        0E42 Z-ONE Technology Co., Ltd.~InnoVision Medical Technologies, LLC~QUANTATEC~Filo Srl~SOUNDUCT
        0E47 Hosiden Besson Limited~KARLUNA MUHENDISLIK SANAYI VE TICARET ANONIM SIRKETI
        0E49 Deone (Shanghai) Communication & Technology Co., Ltd~Nitto Denko Corporation
        0E4B PUDSEY DIAMOND ENGINEERING LIMITED~Luxshare Precision Industry Co., Ltd.~Brooksee, Inc.
        0E4E QSC, LLC~eBet Gaming Sytems Pty Limited~Zhejiang Desman Intelligent Technology Co., Ltd.
        0E51 Dyaco International Inc.~Aquana, LLC~MINIRIG~Relief Technologies AS
        0E55 New Cosmos Electric Co., Ltd.~INEPRO Metering B.V.~Altina Inc.~Urban Armor Gear, LLC
        0E59 Loewe Technology GmbH~OmniWave Microelectronics Shanghai Co., Ltd
        0E5B Wuhu Hongjing Electronic Co.,Ltd~Rocoto Ltd~L.T.H. Electronics Limited~SHAPER TOOLS, INC.
        0E5F Ruptela~Ant Group Co., Ltd.~Queclink Wireless Solutions Co., Ltd.~GOKI PTY LTD~LAST LOCK INC.
        0E64 HuiTong intelligence Company Limited~Daikin Industries, LTD
        0E66 Shenzhen Baseus Technology Co., Ltd.~NEXT DEVICES LTDA~EarTex Ltd
        0E69 Megatronix (Beijing) Technology Co., Ltd~Hyena Inc.
        0E6B Shenzhen Goodocom Information Technology Co., Ltd.~RIGH, INC.~FEVOS LIMITED
        0E6F OpConnect, Inc.~Powerstick.com~ENABLEWEAR LLC~TOR.AI LIMITED
        0E73 Adventures of the Persistently Impaired (and other tales) Limited~Rocky Radios LLC
        0E75 Le Touch (Shenzhen) Electronics Co., Ltd.~Guangdong Nanguang Photo&Video Systems Co., Ltd.
        0E77 MOBILE TECH, INC.~HONG KONG COMMUNICATIONS COMPANY LIMITED~Neptune First OU~Vivago Oy~Circular
        0E7C final Inc.~Jiangsu XinTongda Electric Technology Co.,Ltd.~Archon Controls LLC~SZR-Dev UG
        0E80 IQNEXXT Solutions GmbH~Guangdong Hengqin Xingtong Technology Co.,ltd.~CHEVALIER TECH LIMITED
        0E83 SPRiNTUS GmbH~Tymphany HK Ltd~TigerLight, Inc.
        0E86 Mercury Marine, a division of Brunswick Corporation~OpenTech Alliance, Inc.
        0E88 Skewered Fencing, LLC~Brudden~Tele-Radio i Lysekil AB~Allgon AB~Gopod Group Holding Limited
        0E8D Celebrities Management Private Limited~Nobest Inc~Avetos Design LLC~RainMaker Solutions, Inc.
        0E91 Identita Inc.~Glutz AG~MIV ELECTRONICS, LTD~Tactrix~Viaanix, Inc.~Skeed,co,Ltd.~kokoromil Inc.
        0E98 Chromatic Inc.~Medibound, Inc.~Scanbro OU~Panasonic Automotive Systems Co., Ltd.
        0E9C Andrews & Arnold Ltd~Audinor ApS~Travelxp India Private Limited~Owlet Baby Care Inc.
        0EA0 ENLESS WIRELESS~Culligan International Company~QIKCONNEX LLC~OLIS ELECTRONICS, LLC
        0EA4 BiTECH Automotive (Wuhu) Co.,Ltd~EasyReach Solutions Private Limited~AMG Lab LLC~BrickXter GmbH
        0EA8 Dongguan Trangjan Industrial Co., Ltd~Makichie Co., Ltd.~Hive Soundz inc.~STEYR Sport GmbH
        0EAC Dynetrex Solutions Inc.~OPTRON Co., Ltd.~BHClears Microelectronics (Shanghai) Co., Ltd.
        0EAF Unfolded Circle ApS~FactorySense~WearNex Limited~PRADCO Outdoor Brands~Zucchetti Axess
        0EB4 BLUEFIN DATA, LLC~Preseed Japan Corporation~Server Products, Inc.~Embedded Solutions LLC
        0EB8 PARAGON ID~egojin co,.ltd~THERMY LTD~Asahi Denso Co.,Ltd.~GP Acoustics International Limited
        0EBD Tongfang Health Technology (Beijing) Co., Ltd.~Deity Acoustic Technology Co.
        0EBF Schulte-Schlagbaum AG~WEST inx Ltd.~Crossdoor~High Entropy, LLC~Herschel Infrared Ltd
        0EC4 PACIFIC MARINE BATTERIES PTY. LIMITED~Alibaba (China) Co., Ltd.~AuthGate B.V.
        0EC7 Canyon Bicycles GmbH~Codie LLC~NeuroPace Inc~NexRev LLC
        0ECB Zhong Shan City Richsound Electronic Industrial Ltd.~Shenzhen NEOECO Technology Co., Ltd.
        0ECD Nature Inc.~Guangzhou Honor Microelectronic Co.,Ltd.~GGEC America, Inc.~Gibson, Inc.
        0ED1 VINYL MATT MEDIA LIMITED~SHENZHEN BESTWAY ELECTRONICS CO.,LTD~Lichens Innovation inc.
        0ED4 Goerdyna Group Co., Ltd~Relish Technologies Limited~Quintessential Design, Inc.
        0ED7 CS INSTRUMENTS GmbH & Co.KG~DORAN MFG. LLC~Overhead Door Corporation~Kodira GmbH
        0EDB ShenZhen BoYiChuangXin~Shenzhen Zoqin Technology Co., Ltd.~Ceridwen Limited
        0EDE Sony Honda Mobility Inc.~Dynaudio A/S~MAERSK CONTAINER INDUSTRY A/S~MA MICRO LIMITED
        0EE2 shenzhen hongever technology Co,. Ltd~TAMRON Co., Ltd.~CAPTEMP, LDA~Ambient Life Inc.
        0EE6 NOCTRIX HEALTH, INC~RICKARD AIR DIFFUSION (PTY) LTD~SG Armaturen AS
        0EE9 PIXEL TI IND. E COM PROD ELETRONICOS~Core Devices LLC~Fujita Electric Works, Ltd
        0EEC Willow Laboratories, Inc.~BBC Bircher AG~ELLEA INGEGNERIA SRL UNIPERSONALE~Q42 Internet B.V.
        0EF0 Seaward Electronic~Wuxi Does IOT Co., Ltd~CAPTAIN BLINK~Monil AS
        0EF5 LS ELECTRIC Co., Ltd.~Shenzhen Cyber Innovation Technology Co., Ltd.~Trackonomy Systems, Inc.
        0EF8 IoT Solutions Malta Limited~Aseptico, Inc.~Sensear Pty Ltd~BLUEPROVIDERZ LLC~Jano Life Inc.
        0EFD PRIMES GmbH~Teledyne Instruments, Inc.~Healthcare Technology Limited~TRACERCO LIMITED
        0F01 HAPPLABS SOFTWARE PRIVATE LIMITED~GE HEALTHCARE TECHNOLOGIES INC.~Olibra LLC
        0F04 Lumen Labs (HK) Ltd~SHENZHEN GWSTAI TECHNOLOGY CO.,LTD~SHENZHEN POWEROAK NEWENER CO., LTD
        0F07 Tech OVN Private Limited~Lezyne USA Inc.~ANC CHINA LIMITED~LION GROUP, INC.
        0F0B Brightway Innovation Intelligent Technology (Suzhou) Co., Ltd.
        0F0C Hitachi Industrial Equipment Systems Co.,Ltd.~Maennl Elektronik GmbH
        0F0E IDEATRONIK Limited Liability Company~caive Inc.
        0F10 ShenZhen Doctors of Intelligence & Technology Co.,Ltd~Deep and Steep LLC~Endur ID, Inc.
        0F13 Freshape SA~PreEvnt, LLC~Oval Corporation~ADHD Friendly co.Ltd~RORENTECH Co., Ltd.
        0F18 iKeyless, LLC~Shenzhen SuperSound Technology Co.,Ltd~FLO SCIENCES, LLC~PalatiumCare LLC
        0F1C Edge Semiconductors Inc.~ZIMMERMANN PV-Steel Group GmbH & Co. KG~Yolni Inc.
        0F1F Ninebot (Changzhou) Tech Co., Ltd.~Beijing Spring Creation Technology Co., Ltd.~Rokk Limited
        0F22 ONESPACE TECHNOLOGIES (PTY) LTD~Yuquan Semiconductor (Xiamen) Co., Ltd.~Easy Measure Co., Ltd.
        0F25 Sichuan Changhong Neonet Technologies Co.,Ltd.~Centromere Holding B.V.
        0F27 Global Link Distribution Corp.~Amp Fit Israel LTD~Trezor Company s.r.o.
        0F2A KELLER Druckmesstechnik AG~ElitEngineering LLC~Vision Group Inc.~ClipsClips LLC
        0F2E BRITZ INTERNATIONAL CO.,LTD~ThingCo Limited~Opal Camera, Inc.~TECHNOLOGIES FOR FREERIDE s.r.o
        0F32 FLINTEC UK LIMITED~TETNET~NINGBO SHARKWARD ELECTRONICS CO.,LTD~Audeze LLC
        0F36 NODER Joint Stock Company~Schueco International KG~GILL INSTRUMENTS LIMITED~Seitron Spa
        0F3A Southern Audio Services, Inc~SANWA NEWTEC CO.,LTD.~Mobile Technology Solutions LLC
        0F3D Vitio Medical S.L.~Salyx Medical Inc.~Landig + Lava GmbH & Co. KG~Health Data Insight C.I.C.
        0F41 BONX INC.~LINKEDCHIP TECHNOLOGY INC~12mm Health Technology (Hainan) Co., Ltd.
        0F44 MAVERICK ENERGY SOLUTIONS INTERNATIONAL,INC~Tactica Defense LLC
        0F46 Huizhou Meicanxin Electronics Technology Co.,Ltd~Lodestar Technology Inc.
        0F48 Shenzhen Xinfeiyi Technology Co., Ltd.~IYO INC.~Mitsubishi Motors Corporation~desamisCo.,Ltd.
        0F4C JL WORLD CORPORATION LIMITED~Qulinda AB~Ningbo Dooya Mechanic & Electronic Technology Co., Ltd
        0F4F G-Vision GmbH~Lantern Innovations Incorporated~ebm-papst Mulfingen GmbH & Co. KGaA & Co. KG
        0F52 Shenzhen Yunke Intelligent Co.Ltd~Fledt & Meiton Marin AB~ContiTech Deutschland GmbH
        0F55 Sensoteq Ltd~Astute Access Group Limited~Silverlake Technologies
        0F58 Shenzhen Guo-link Technology Co.,Ltd.~Silicon Vandals PTY LTD~Vibe Energy B.V.
        0F5B shanghai fudan electronics group company Co. Ltd~Micro Technology Services, Inc.~Leapcraft ApS
        0F5E WUXI WEIDA INTELLIGENT ELECTRONICS CO.,LTD.~ROBSON SRL~Quilt Systems, Inc.~HyolimXE Co., Ltd.
        0F62 Kehwin Technologies Co. Ltd.~WATTER, Inc.~SafeNow GmbH~CZV, Inc~BIGREDBEE, LLC
        0F67 White Eagle Sonic Technologies, Inc.~Navico~Ancoe Industry Corporation~Roam Devices LLC
        0F6B Skywalk Inc.~Biogents AG~MODRETRO, INC.~iSi Wearable Safety GmbH~onanoff limited
        0F70 TECHFLITTER SOLUTIONS PRIVATE LIMITED~PIRITIZ LLC~FLORLINK, INC.~Keycafe Inc.~Sperry Labs LLC
        0F75 Senseonics, Incorporated~simatec ag~CROSS BRAIN CO.,Ltd.~Also, Inc.
        0F79 Walter Mueller Inc. for Industrial Electronics~SHENZHEN GUANG QI GUO CHUANG TECHNOLOGY CO.,LTD
        0F7B SKYROAM, INC.~Polk Audio~eQ-3 AG~shenzhen Holyiot Technology Co.,Ltd~Badass eBikes GmbH
        0F80 Hydro Electronic Devices, Inc.~IN Phase International lTD~Amon Co.Ltd.~Calpeda S.p.A.
        0F84 KT Micro, Inc.~Hangzhou Sciener Smart Technology Co., Ltd.~Lakecrest Pty Ltd~Anacove Inc.
        0F88 Kohler Ventures, Inc.~STOREIO TECHNOLOGIES LTD~Innogando S.L.~A.Y. McDonald Mfg. Co.
        0F8C ROYAL PARTS CO.,LTD~JUREN CO., LTD.~Biceek Inc~SIGNUM INTELLIGENCE LTD
        0F90 MOBI7 TECNOLOGIA EM MOBILIDADE S.A.~Valostra Digital Ventures LLP~Ethos Group, Inc.
        0F93 Aktiebolaget Ebeco~IDX Company, Ltd.~Dongguang Huasoo Automation Technology Company Limited
        0F96 SEIKOIST, INC~SPX Aids to Navigation Oy~Fitnexa Inc~DEZINE GROUP LLC
        0F9A Eiritsu Electronics Industry Co., Ltd.~Hanshow Technology Co.,Ltd.~WePower Technologies LLC
        0F9D IRTrans GmbH~Hibino Corporation~Seiko Future Creation Inc.~DP IOT~PALRED RETAIL PRIVATE LIMITED
        0FA2 BIA NEUROSCIENCE INC.~B.E.G. Brueck Electronic GmbH~Nice Spa~Avanos Medical, Inc.
        0FA6 Ugreen Group Limited~spheretek japan~Senti Technologies Private Limited~Ranch Systems, Inc.
        0FAA Suzhou Fanxi Technology Co., Ltd.~Geo Radar AI Private Limited~Flitsmeister B.V.
        0FAD The AI Toy Company~Capacite~Terasite Technologies~General Resistance, LLC~Avivomed Inc.
        0FB2 PLAUD Inc.~Hooked Society Oy Ltd~StoneDevices~Hangzhou Nano IC Technologies Co,. Ltd
        0FB6 TQ-Systems GmbH~Hapn Holdings, LLC~SITERWELL ELECTRONICS CO.,LIMITED
        0FB9 Shenzhen Mutual Technology Co., Ltd~Cosonic Intelligent Technologies Co., Ltd.
        0FBB Rollease Acmeda, Inc.~ATANS TECHNOLOGY INC.~Locus Robotics Corp.~TaigaIoT~Tridentify AB
        0FC0 Littlebird Connected Care, Inc.~Air Automotive tracking Inc.~ISSPRO, INC
        0FC3 Shenzhen Jimi loT Co.,Ltd~FulScience Automotive Electronics Co., Ltd.~Hypershell Co., Ltd
        0FC6 ASD Lighting PLC~Pharox B.V.~Eforthink Technology Co., Ltd.~Zirbel Bike GmbH~Legato Audio, Inc.
        0FCB Biocorp Production~Neurotherapeutics Ltd~Wimate Technology Solutions Pvt Ltd~NOJA Power
        0FCF Nestlab AS~Stark Future SL~Auranova LLC~Domteknika S.A~YDIIT Co., Ltd~QRITAGYA LLP~Telemacy Ltd
        0FD6 LIOTYS~Hondata, Inc.~SIVA Inotec Limited~REMDEVICE S.R.L.~NIVELCO PROCESS CONTROL CO.
        0FDC Beijing Hongsi Electronic Technology Co.,Ltd.
        103A FOSS Analytical A/S
        103D Blahaj Ltd~Nextorage Corporation~infyni~Raspberry Pi
        1041 Shenzhen Huasheng Jiaye Technology Co., Ltd~Namara Water Technologies, Inc
        1043 Shanghai Holychip Electronic Co., Ltd.~Rotarex S.A.~VOTRONIC Elektronik-Systeme GmbH
        1046 EXELIO S.R.L.~Yamaha Motor eBike Systems GmbH~Ferrari s.p.a.
        1049 Anhui Ubico Advanced Manufacture Co., Ltd.~Mueller-BBM Rail Technologies GmbH~Yoto Limited
        104C LAUMAS Elettronica S.r.l.~BUND MEDIA PTY. LTD.~LSC Control Systems Pty Ltd
        104F Safety Lighting Research Pty Ltd~Hangzhou Sneuro Medical Co., Ltd.~UnlimitedIRL LLC
        1052 CHOZEN International CO., LTD.~Sensorworx, Inc.~Romcor Pty Ltd~NewNet, Inc.~CLM-Solutions
        1057 RSA Security LLC~Gravity (Shenzhen)Space Technology Co., Ltd~Shenzhen Shuye Technology Co.,Ltd.
        105A ArjoHuntleigh AB~Fairbanks Scales Inc.~YANMAR HOLDINGS CO., LTD.~Williams Sound, LLC
        105E Zuuka Limited~Chip-pump Microelectronics~TOMOE VALVE CO.,LTD~VCS Vision Control Solutions GmbH
        1062 Framason Audio S.A~Field Line Automation Ltd~Shearwater Research Inc.
        1065 HIGH HIT ENTERPRISE CO., LTD.~Algiz AS~Shenzhen FHX Precision Hardware & Plastic Co., Ltd.
        1068 Hotron Co., Ltd.~Remoticom B.V.~OSKEY~GORDON MURRAY GROUP LIMITED~Global Electronics
        106D Rokstar Holdings Limited~STRYDE LIMITED~Prosaris Solutions Ltd.~TLV Co.,LTD.~IZYBAT
        1072 ALTESSA SOLUTIONS INC.~Hong Kong Future lntelligent Technology Co., Limited~CenTrak, Inc.
        1075 TM-TECHNOLOGIES, JSC~ALPHADIF~Shenzhen Muyu Technology Co., Ltd.~augment AI Inc.
        1079 Digimax Innovative Products LTD.~CodaHD LLC~E.J. Brooks Company~Martin.Care GmbH~IMPACT-BZ LTD
        107E Belford investment holdings pty ltd~Anton Paar ConsumerTec GmbH~Knit Sound Company
        1081 Australis Scientific Pty Ltd.~AIR PRODUCTS AND CHEMICALS, INC.~SYSTEM LOCO LTD~24x8, LLC
        1085 FUTURE INTELLIGENCE TECHNOLOGY SINGAPORE PTE. LTD.~M3SH TECHNOLOGY INC.~Matisse Interactif inc.
        1088 Sesame AI, Inc.~DEER MANAGEMENT SYSTEMS, LLC~Grayhill Inc.~PERUN TECH SP. Z O.O.
        108C Tiny Displays Inc.~DEWINE Labs GmbH~Industrial Computing Limited~SkyCell AG
        1090 NAGANO KEIKI CO., LTD.~COSEL ELEKTRONIK OTOMASYON SISTEMLERI SANAYI VE TICARET LIMITED SIRKETI
        1092 BXB DIGITAL PTY LIMITED~Mindspire Limited~Personal Products Co., Ltd.~CardiaMetrics~Aktv8 LLC
        1097 Knox Associates, Inc.~smart-TEC GmbH & Co. KG~Selco GmbH~MONNIT CORPORATION~Tensoli GmbH~KIBLE
        109D terumo~SHIBAURA ELECTRONICS CO., LTD.~Shenzhen Hali-Power Industrial Co., Ltd.~inContAlert GmbH
        10A1 flexlog GmbH~Audio Research Corporation~BQT Solutions (NZ) Limited
        10A4 RAPIDISE TECHNOLOGY PRIVATE LIMITED~Cebreo Medical A/S~Lightnovo ApS~Pedigree Technologies, LLC
        10A8 Zhejiang Wanyou Intelligent Technology Co., Ltd.~Mallow~Sigenergy Technology Co., Ltd.
        10AB ObjectSpectrum, LLC~ATsens Co.,Ltd.~CoreHW Semiconductor Oy~Raycon Inc.
        """
}
