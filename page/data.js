'use strict';

// What the page knows: the packed blocks, unpacked when they are looked at. Everything in them may have been
// chosen by a stranger, so it becomes text and never markup.

const FRAME = 0, FILE = 1, TIME = 2, LINK = 3, DEVICE = 4, WAY = 5, FOLDED = 6, RSSI = 7, LABEL = 8,
    MEANING = 9, PROBLEM = 10, LATENCY = 11, BYTES = 12, FIELDS = 13, WRONG = 14, SHORT = 15, VALUE = 16,
    LAYER = 17, PART = 18, HANDLE = 19, ATTRIBUTE = 20, KIND = 21, OPERATIONS = 22,
    CAUSE = 23, CARRIER = 24, MESSAGE = 25;
const TX = 0, RX = 1;
/** What WRONG can be; 0 stands for a note, or nothing. */
const WARNED = 1, FAILED = 2;

/** All that the page shows; filled by `load`. */
const log = {
    lines: [], start: '', devices: [], gaps: [], rows: 0,
    /** Number of devices that advertised; 0 for selected frames. */
    heard: 0,
    /** Number of adapters or sniffers of the connections. */
    adapters: 0,
    /** Whether the log has clock times, and whether times are shown as those, in UTC. */
    hasClock: false, showsDay: false,
    /** One row a frame, by the constants above. */
    index: [],
    /** The places in `index`, by file and frame. */
    places: new Map(),
    files: [], connections: [], summary: null,
    /** The names that devices gave on their connections, by address. */
    names: new Map(),
    // Of each connection, by its number: what host and peer are called, how it ended, whether the peer asked
    // for the MTU and discovered, whether the log shows it only until its last packet, whether it was lost,
    // when the peer was last heard, whether that was an acknowledgement, the end without its reason, the
    // method of the pairing, the number of packets, and how long the scan lasted without its stops.
    sides: new Map(),
    // Failures, overcome problems and warnings: their words, the connection of each occurrence, and the
    // frames that have room in the page.
    incidents: [],
    /** The places of last packets, whose connections only silence shows to have ended. */
    inferred: new Set(),
    /** The places of requests that had no answer when the log ended. */
    waiting: [],
    /** The places of all requests without an answer. */
    unanswered: new Set(),
};

/** Blocks of frames that were unpacked, by number: the last ones looked at. */
const kept = new Map();
const MOST_KEPT = 64;

/** The place in `index` of a frame of a file; undefined if the page does not have it. */
function placeOf(frame, path) {
    const file = Math.max(0, log.files.findIndex((one) => one.file === path));
    return log.places.get(file > 0 ? `${file + 1}:${frame}` : String(frame));
}

/** What shows nothing or turns around the text beside it; the same characters as in the command's text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** A text with such characters escaped, but for line ends. */
function visible(text) {
    return text.replace(HIDDEN, (found) => found === '\n' ? found : found.split('').map((unit) =>
        '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')).join(''));
}

/** Creates an element: attributes, then children, which are elements or texts. */
function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'class') element.className = value;
        else element.setAttribute(key, value === true ? '' : visible(String(value)));
    }
    element.append(...children.filter((child) => child !== null && child !== undefined).map((child) =>
        typeof child === 'string' ? visible(child) : child));
    return element;
}

/** The rows of a packed block. */
async function unpack(id) {
    const element = document.getElementById(id);
    if (!element) throw new Error('the page has no block ' + id);
    const text = atob(element.textContent), packed = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return JSON.parse(await new Response(stream).text());
}

/** All about the frame at a place of the index. */
async function frameAt(place) {
    const number = Math.floor(place / log.rows);
    if (!kept.has(number)) {
        kept.set(number, unpack('frames' + number));
        if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    }
    return (await kept.get(number))[place % log.rows];
}

/** Microseconds from which on a log is long: its reader knows by the clock when something happened. */
const LONG_LOG = 6e8;

async function load() {
    const [about] = await unpack('about0');
    Object.assign(log, about);
    log.sides = new Map(about.sides.map(([connection, ...names]) => [connection, names]));
    for (let number = 0; document.getElementById('index' + number); number++) {
        for (const row of await unpack('index' + number)) {
            for (const one of [LABEL, MEANING, SHORT]) row[one] = row[one].replace(/\s+/g, ' ').trim();
            log.places.set(nameOf(row), log.index.length);
            log.index.push(row);
        }
    }
    for (const line of log.lines) {
        if (line.kind === 'file') log.files.push(line);
        if (line.kind === 'connection') log.connections.push(line);
        if (line.peer_name) log.names.set(line.peer, visible(line.peer_name));
        if (line.kind === 'summary') log.summary = line;
    }
    log.incidents = about.incidents.map(([kind, text, links, frames, consequences]) => {
        const sites = frames.map((name, at) => ({place: log.places.get(name), link: links[at]}))
            .filter(({place}) => place !== undefined);
        return {kind, text, links, sites, places: sites.map(({place}) => place),
            consequences: placesOf(consequences)};
    });
    for (const [name, problem, weight, isEnd] of about.earlier) {
        const row = log.index[log.places.get(name)];
        if (!row) continue;
        if (isEnd) log.inferred.add(log.places.get(name));
        row[PROBLEM] = [row[PROBLEM], problem].filter(Boolean).join('; ');
        row[WRONG] = Math.max(row[WRONG], weight);
    }
    const classic = log.connections.filter((line) => line.transport === 'br-edr');
    log.voices = about.voices.map(([connection, from, to, sent, received, bytes, kind, frame]) => ({
        // Without the event that began it, it belongs to the only connection that can have voice.
        connection: connection || (classic.length === 1 ? classic[0].connection : 0),
        from, to, sent, received, bytes, name: VOICES[kind] || 'synchronous data', frame,
    }));
    log.adapters = new Set(log.connections.map((line) => line.adapter)).size;
    log.waiting = placesOf(about.waiting);
    log.unanswered = new Set([...placesOf(about.unanswered), ...log.connections.flatMap((line) =>
        (line.unanswered || []).map(({frame}) => placeOf(frame, line.file)))]);
    calmFrames();
    // A recorder that only counts from its start has times of 1970.
    log.hasClock = Date.parse(log.start) > Date.UTC(1990) && !log.files.every((file) => file.relative_time);
    const lasts = log.index.length === 0 ? 0 : log.index[log.index.length - 1][TIME] - log.index[0][TIME];
    log.showsDay = log.hasClock && lasts >= LONG_LOG;
}

/** The kinds of synchronous connections, by their codes in the events. */
const VOICES = {0: 'SCO', 2: 'eSCO'};

/** The stretches of voice beside a connection. */
function voicesOf(line) { return log.voices.filter(({connection}) => connection === line.connection); }

/** How many packets of voice these are, and which way they went. */
function voiceText(voices) {
    const sum = (of) => voices.reduce((total, one) => total + of(one), 0);
    const [sent, received] = [sum((one) => one.sent), sum((one) => one.received)];
    return `${counted(sent + received, 'packet')}: ${sent} sent, ${received} received`;
}

/** Whether a frame carries data between both sides: no message between this side and its chip. */
function isData(row) { return row[LINK] !== 0 && !['HCI', 'ADV'].includes(row[LAYER]); }

/** The places of frames, without those that have no room in the page. */
function placesOf(names) {
    return names.map((name) => log.places.get(name)).filter((place) => place !== undefined);
}

/** Makes failures of the frames of failures alone, and warnings of those of what was overcome or warns. */
function calmFrames() {
    const of = (test) => log.incidents.filter(({kind}) => test(kind))
        .flatMap(({places, consequences}) => [...places, ...consequences]);
    const failed = new Set(of((kind) => kind === 'failed'));
    for (const place of log.incidents.flatMap(({kind, places}) => kind === 'failed' ? places : [])) {
        log.index[place][WRONG] = FAILED;
    }
    for (const place of of((kind) => kind !== 'failed')) {
        const row = log.index[place];
        if (row[WRONG] === FAILED && !failed.has(place)) row[WRONG] = WARNED;
    }
}

/** A frame's name in links: `257`, and of the second file `2:257`. */
function nameOf(row) { return row[FILE] > 0 ? `${row[FILE] + 1}:${row[FRAME]}` : `${row[FRAME]}`; }

/** The class and the sign of what is wrong with a frame, by its weight. */
const SIGNS = [['mild', 'ℹ'], ['warning', '⚠'], ['problem', '✗']];

/** What is wrong with a frame, or only notable. */
function problemOf(row, element) {
    if (!row[PROBLEM]) return null;
    const [kind, sign] = SIGNS[row[WRONG]];
    return make(element, {class: kind}, `${sign} ${problemText(row)} `);
}

// Stand for host and peer in problems, around the number of the connection that the problem is about: their
// names are known at the log's end. Before an apostrophe, a name has no quotes: Mac’s, not “Mac”’s.
const SIDE_MARK = /([\u0001\u0002])(\d+)\1(')?/g;

/** The same in words, with the names of the sides, as cards have them. */
function problemText(row) {
    return row[PROBLEM].replace(SIDE_MARK, (_, mark, connection, apostrophe = '') => {
        const name = sidesOf({connection: Number(connection)})[mark === '\u0001' ? 0 : 1];
        return apostrophe && name.endsWith('”') ? name.slice(1, -1) + '’' : name + apostrophe;
    });
}

/** Seconds since the first record, with as many digits as the log has. */
function seconds(microseconds) { return (microseconds / 1e6).toFixed(6); }

/** The date and the time of day of a time, in UTC. */
function clockText(time) {
    const [, second, digits = ''] = log.start.match(/^(.*?)(?:\.(\d+))?Z$/);
    const passed = Number(digits.slice(0, 6).padEnd(6, '0')) + time;
    return new Date(Date.parse(second + 'Z') + Math.floor(passed / 1000)).toISOString();
}

/** A time in the form that is chosen, with the digits that a step of microseconds needs. */
function timeText(time, step = 1) {
    if (!log.showsDay) return (time / 1e6).toFixed(digitsOf(step));
    return clockText(time).slice(11, step >= 6e7 ? 16 : step >= 1e6 ? 19 : 23);
}

function timeWithUnit(time, step) { return timeText(time, step) + (log.showsDay ? '' : NBSP + 's'); }

/** A time that follows the form that is chosen. */
function moment(time, step = 1) {
    return make('span', {'data-at': time, 'data-step': step}, timeWithUnit(time, step));
}

/** Pages so narrow that what is not needed at first is one line each. */
const SLIM = window.matchMedia('screen and (max-width: 40rem)');

/** Keeps a number and its unit on one line. */
const NBSP = '\u00a0';

/** Units of durations: their microseconds, and the duration from which the next unit is used. */
const UNITS = [
    ['ms', 1e3, 1e6], ['s', 1e6, 6e8], ['min', 6e7, 7.2e9], ['h', 3.6e9, 1.728e11], ['d', 8.64e10, Infinity],
];

/** A duration for a person. */
function duration(microseconds) {
    const size = Math.abs(microseconds);
    if (size < 1000) return `${microseconds}${NBSP}µs`;
    const [name, unit] = UNITS.find(([, , end]) => size < end);
    return `${(microseconds / unit).toFixed(1)}${NBSP}${name}`;
}

/** How long something lasted; empty where the log does not show that it took time. */
function lasting(microseconds) { return microseconds > 0 ? duration(microseconds) : ''; }

/** How long a connection was open, with words before it. */
function lastedOf(line, words = '') {
    const begin = beginOf(line), end = begin + line.lasted_us;
    const isKnown = !timeline.pauses.some(({from, to}) => to - from > JUMP && begin < to && end > from);
    if (!(line.lasted_us > 0)) return '';
    return isKnown ? words + duration(line.lasted_us) : 'the clock jumped meanwhile';
}

/** Microseconds from the first record to a time as NDJSON has it. */
function sinceStart(time) {
    const parse = (text) => {
        const match = /^(.*:\d\d)(?:\.(\d+))?Z$/.exec(text);
        if (!match) return NaN;
        return Date.parse(match[1] + 'Z') * 1000 + Number((match[2] || '').padEnd(6, '0').slice(0, 6));
    };
    return parse(time) - parse(log.start);
}

/** The address of a connection's device, or its handle where the log has no address. */
function peerOf(line) { return line.peer || 'handle 0x' + line.handle.toString(16).padStart(4, '0'); }

/** The name that a device gave, in advertising or on a connection; empty if the log has none. */
function givenName(number) {
    const [address, name] = log.devices[number];
    return name || log.names.get(address) || '';
}

/** What a device is called. */
function deviceName(number) {
    if (number < 0) return 'no device';
    const [address] = log.devices[number], name = givenName(number);
    return name ? `${name} (${address})` : address;
}
