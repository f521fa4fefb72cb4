// Company identifiers. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let companiesLines2: StaticString = """
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
        """
}
