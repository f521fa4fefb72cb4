// The search: words as `--find` has them, frame numbers and names of devices. docs/screens.md describes
// them, and a test compares both.

/** A search that can't be understood. */
class SearchProblem extends Error {}

const NOT_IN_RUN = '[0-9a-z.:-]';

/** The words of a search: for each whether it is excluded, and its tests of a row. */
function searchWords(text) {
    if (text.split('"').length % 2 === 0) throw new SearchProblem('the quote is not closed');
    const parts = (text.match(/(?:"[^"]*"|[^ "])+/g) || [])
        .map((part) => ({isQuoted: part.includes('"'), text: part.replace(/"/g, '')}))
        .filter((part) => part.text !== '');
    const words = [];
    while (parts.length > 0) words.push(bytesIn(parts) || frameIn(parts) || wordOf(parts.shift()));
    return words;
}

/** What two digits are, of which either may be any. */
const BYTE = /^[0-9a-f?]{2}$/i;

/** Takes bytes in a row from the front, as the page's dump has them: they lie in a row; null for others. */
function bytesIn(parts) {
    const end = parts.findIndex(({text, isQuoted}) => isQuoted || !BYTE.test(text));
    const count = end < 0 ? parts.length : end;
    const digits = lower(parts.slice(0, count).map(({text}) => text).join(''));
    if (count < 2 || /^\?+$/.test(digits)) return null;
    const name = parts.splice(0, count).map(({text}) => text).join(' ');
    const isLong = digits.length >= LEAST_DIGITS;
    const tests = [hasDigits(digits), ...isLong ? [isInPacket(digits)] : []];
    return {name, isBytes: true, isExcluded: false, tests};
}

/** Takes the word frame and a number: the frame that the page names so; null for others. */
function frameIn(parts) {
    const [word, name] = parts.map(({text, isQuoted}) => isQuoted ? '' : lower(text));
    if (!/^frames?$/.test(word) || !name || !/^(\d+:)?\d+$/.test(name)) return null;
    parts.splice(0, 2);
    const isIt = (row) => nameOf(row) === name.replace(/^1:/, '');
    return {name: `frame ${name}`, isExcluded: false, tests: [isIt]};
}

function wordOf(part) {
    const isExcluded = part.text.length > 1 && part.text.startsWith('-');
    const word = isExcluded ? part.text.slice(1) : part.text;
    const isBytes = !part.isQuoted && /^(0x)?[0-9a-f?]+$/i.test(word);
    return {name: part.text, isBytes, isExcluded, tests: readingsOf(word, part.isQuoted)};
}

/** The bits of the operations and layers that `--find` knows, by their words. */
const bits = new Map();

/** The bit of an operation or layer; 0 for other words. */
function bitOf(word) {
    if (bits.size === 0) {
        log.operations.forEach((words, at) => words.split(' ').forEach((one) => bits.set(one, 1 << at)));
    }
    return bits.get(word) || 0;
}

function isOperation(row, word) { return (row[OPERATIONS] & bitOf(word)) !== 0; }

function lower(text) { return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()); }

function has(pattern) {
    const expression = new RegExp(pattern);
    return (row, text) => expression.test(text);
}

function hasText(part) { return (row, text) => text.includes(part); }

/** Bytes that lie in a run of whole bytes. */
function hasDigits(digits) {
    const bytes = digits.replace(/\?/g, '[0-9a-f]');
    return has(`(?<!${NOT_IN_RUN})(?:[0-9a-f]{2})*?${bytes}(?:[0-9a-f]{2})*(?!${NOT_IN_RUN})`);
}

/** The bytes of all packets in hexadecimal, by their places; null until a search asks for them. */
const raw = {octets: null, isLoading: false};
/** Least number of digits that are searched in whole packets: fewer are found in too many. */
const LEAST_DIGITS = 6;

/** Unpacks the bytes of all packets, and searches again. */
async function loadBytes() {
    if (raw.isLoading) return;
    raw.isLoading = true;
    const octets = [];
    for (let number = 0; document.getElementById('frames' + number); number++) {
        for (const frame of await unpack('frames' + number)) {
            octets.push(lower([frame.bytes, frame.joined || ''].join('\n')));
        }
    }
    Object.assign(raw, {octets, isLoading: false});
    filterList();
}

/** Bytes anywhere in a packet: its headers, and what no field shows. */
function isInPacket(digits) {
    const bytes = new RegExp(`^(?:..)*?${digits.replace(/\?/g, '[0-9a-f]')}`, 'm');
    const test = (row) => raw.octets !== null && bytes.test(raw.octets[log.places.get(nameOf(row))] || '');
    return Object.assign(test, {isOfBytes: true});
}

function hasStart(part) { return has('(?<![0-9a-z])' + part); }

function readingsOf(given, isQuoted) {
    const word = lower(given);
    if (word.includes('…')) return [(row) => shownText(row).includes(word)];
    if (isQuoted) return [hasText(word), isNumberOrName(word), ...octetsOf(given)];
    if (bitOf(word)) return [(row) => isOperation(row, word)];
    if (word === 'tx' || word === 'rx') return [(row) => row[WAY] === (word === 'tx' ? TX : RX)];
    return [isNumberOrName(word), ...hexadecimal(word) || [hasText(word), ...octetsOf(given)]];
}

/** A frame by its number, or by the name of its device, which `--find` does not know. */
function isNumberOrName(word) {
    return (row) => nameOf(row) === word
        || (row[DEVICE] >= 0 && lower(givenName(row[DEVICE])).includes(word));
}

/** The bytes of a text in a value, if it is long enough to mean one. */
function octetsOf(text) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length < 3) return [];
    return [hasDigits([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''))];
}

/** The readings of a number, a UUID or bytes; nothing for other words. */
function hexadecimal(word) {
    const isNumber = word.startsWith('0x'), text = isNumber ? word.slice(2) : word;
    if (!isNumber && !/[0-9a-f]/.test(text) && !/^\?+$/.test(text)) return null;
    if (/^[0-9a-f-]+$/.test(text)) {
        const uuid = longUUID(text.replace(/-/g, ''));
        if (uuid) return uuid;
    }
    if (!/^[0-9a-f?*]*$/.test(text)) {
        if (isNumber) throw new SearchProblem(`'${word}' is not a number; write it as 0x0012`);
        return null;
    }
    if (text.includes('*')) {
        throw new SearchProblem(`'*' in '${word}' is not a wildcard; write ?? for each byte`);
    }
    if (!/[0-9a-f]/.test(text)) throw new SearchProblem(`'${word}' has no digit; write it as a5??01`);
    const isWild = text.includes('?'), isWhole = text.length % 2 === 0;
    const readings = [];
    if ((isNumber || text.length === 4) && !isWild && text.length <= 16) {
        readings.push(has(`(?<![0-9a-z])0x0*${text.replace(/^0+(?=.)/, '')}(?![0-9a-f])`));
    }
    if (isWhole && (!isNumber || text.length > 4)) readings.push(hasDigits(text));
    if (isWhole && !isNumber && text.length >= LEAST_DIGITS) readings.push(isInPacket(text));
    if (!isNumber && !isWild) readings.push(isWhole ? hasStart(text) : hasText(text));
    if (!isNumber && text.length >= 4) readings.push(isInShortUUID(text));
    if (readings.length === 0) {
        throw new SearchProblem(`'${word}' has ${text.length} digits; a byte has two: write it as a5??01`);
    }
    return readings;
}

function longUUID(digits) {
    if (digits.length !== 32) return null;
    const base = /^0000(.{4})00001000800000805f9b34fb$/.exec(digits);
    const dashed = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return [hasStart(base ? base[1] : dashed), hasDigits(digits)];
}

/** What the page itself says of a frame, where it shortens long UUIDs and values. */
function shownText(row) { return lower([row[SHORT], row[ATTRIBUTE], row[VALUE]].join(' ')); }

const SHORT_UUID = /[0-9a-f]{8}-[0-9a-f]{4}…[0-9a-f]{4}/g;

/** Digits of a long UUID as the page shows it. */
function isInShortUUID(digits) {
    return (row) => (shownText(row).match(SHORT_UUID) || []).some((uuid) => uuid.includes(digits));
}

/** The texts of rows that were searched. */
const searched = new WeakMap();

/** The text of a row that is searched: what its lines show, and its device's address. */
function searchText(row) {
    if (!searched.has(row)) {
        const address = row[DEVICE] < 0 ? '' : log.devices[row[DEVICE]][0];
        const parts = [row[LABEL], row[MEANING], row[FIELDS], problemText(row), address];
        searched.set(row, lower(parts.join('\n')));
    }
    return searched.get(row);
}

/** What the words of a search look like where they are found, as one expression; null without any. */
function hitsOf(words) {
    const parts = words.filter(({isExcluded}) => !isExcluded).flatMap(({name, isBytes}) => {
        const text = isBytes ? name.replace(/ /g, '').replace(/\?/g, '[0-9a-f]')
            : name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const bytes = new TextEncoder().encode(name);
        const octets = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        return [text, ...bytes.length < 3 ? [] : [octets]];
    });
    return parts.length === 0 ? null : new RegExp(`(${parts.join('|')})`, 'i');
}

/** Marks what the search finds in the texts of an element. */
function lightHits(element) {
    if (!list.hits) return element;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), nodes = [];
    while (texts.nextNode()) nodes.push(texts.currentNode);
    for (const node of nodes) {
        const parts = node.data.split(list.hits);
        if (parts.length > 1) {
            node.replaceWith(...parts.map((part, at) => at % 2 === 1 ? make('mark', {}, part) : part));
        }
    }
    return element;
}

function finds(words, row) {
    const text = searchText(row);
    return words.every((word) => word.tests.some((test) => test(row, text)) !== word.isExcluded);
}
