// Words that a reader may not know, with their meanings, and the names of both sides.

const WORDS = {
    'ATT': 'Attribute Protocol: reads, writes and notifications of values',
    'CRC': 'the check sum of a packet on the air',
    'GATT': 'the order of services and characteristics that a device offers over ATT',
    'HCI': 'Host Controller Interface: between the computer and its Bluetooth chip, not on the air',
    'L2CAP': 'the layer that carries ATT, pairing and channels on a connection',
    'LL': 'Link Layer: what both Bluetooth chips say to each other on the air',
    'MTU': 'the most bytes that one ATT message may have',
    'PDU': 'one message of a protocol',
    'RSSI': 'strength of the received signal: −40 dBm is near, −90 dBm is hardly heard',
    'SMP': 'Security Manager Protocol: pairing and keys',
    'UQDK': 'the protocol of the digital key',
    'chip': 'the Bluetooth controller of this side',
    'central': 'the side that asked for the connection, mostly a phone or computer',
    'peripheral': 'the side that advertised, mostly the device',
    'timeout': 'silence on the air after which the connection counts as lost; packets without data, which '
        + 'HCI does not show, are no silence',
    'interval': 'time from one meeting of both radios to the next',
    'latency': 'number of meetings that the device may leave out',
};
/** The rules by which the page counts, as in docs/verdict.md. */
const COUNTED = {
    'failure': 'something failed, and was not overcome in this log; a lost connection always is one, also if '
        + 'the device was connected again. The most serious one is at the top. What only follows from it is '
        + 'listed with it, not counted',
    'overcome': 'it failed, and succeeded later on the same connection: a wrong code and then the right one. '
        + 'For a request, a pairing, an encryption or an attempt to connect, a success with the same device '
        + 'within a minute counts too; for a digital key, only one with the same key',
    'warning': 'worth knowing, but no connection is known to have failed because of it',
    'place': 'a frame in which it happened: the same thing again on a connection is not counted again, but '
        + 'has another place',
    'side': 'who refused, made the mistake or did not answer; not always who is at fault',
};
const EXPLAINED = new RegExp(`\\b(${Object.keys(WORDS).sort((a, b) => b.length - a.length).join('|')})\\b`);

/** Explains each such word where it first stands in an element. */
function explain(element) {
    const seen = new Set();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (texts.nextNode()) nodes.push(texts.currentNode);
    for (const node of nodes) {
        if (node.parentElement.closest('abbr, a, button, kbd')) continue;
        const parts = node.data.split(EXPLAINED);
        if (parts.length === 1) continue;
        node.replaceWith(...parts.map((part, at) => {
            if (at % 2 === 0 || seen.has(part)) return part;
            seen.add(part);
            return make('abbr', {title: WORDS[part]}, part);
        }));
    }
    return element;
}

/** What host and peer of a connection are called, with their articles. */
function sidesOf(line) {
    return line && log.sides.get(line.connection) || ['this phone or computer', 'the other side'];
}

/** The roles of host and peer of a connection; nothing if the log does not show them. */
function rolesOf(line) {
    const roles = ['central', 'peripheral'];
    return line.role === 'peripheral' ? roles.reverse() : line.role === 'central' || line.air ? roles : [];
}

/** Such a name without its article. */
function bare(name) { return name.replace(/^the /, ''); }

/** Bits of the packets that a connection's file has: from both sides, and events. */
const BOTH_SIDES = 3, EVENTS = 4;

/** Whether the log has what both sides of a connection sent. */
function showsBothSides(line) { return (sidesOf(line)[13] & BOTH_SIDES) === BOTH_SIDES; }

/** Whether the log proves that a connection was open when it began: only events show that none opened it. */
function wasOpenBefore(line) {
    return line.open_at_start && beginOf(line) < SOON && (sidesOf(line)[13] & EVENTS) !== 0;
}

/** How a connection ended, in words; empty if the log does not show it. */
function endOf(line) { return sidesOf(line)[2] || ''; }

/** The direction of a frame in words. */
function wayText(row) {
    if (row[WAY] > RX) return '';
    const line = log.connections.find((one) => one.connection === row[LINK]);
    const isSent = row[WAY] === TX;
    if (!line && ['ADV', 'LL'].includes(row[LAYER])) {
        return isSent ? '▶ from the central' : '◀ from the peripheral';
    }
    if (!line || row[LAYER] === 'HCI') return isSent ? '▶ to the chip' : '◀ from the chip';
    return `${isSent ? '▶ to' : '◀ from'} ${bare(sidesOf(line)[1])}`;
}

function listed(words) {
    return make('dl', {}, ...Object.entries(words).flatMap(([name, text]) => [
        make('dt', {}, name), make('dd', {}, text)]));
}

/** Puts a button behind the facts that shows the rules of the counts of failures and warnings. */
function explainCounts() {
    const lede = document.querySelector('.lede');
    if (!lede || log.incidents.length === 0) return;
    lede.append(' · ', make('button', {
        type: 'button', class: 'plain', id: 'rules', onclick: () => {
            showHelp();
            document.getElementById('counted').scrollIntoView();
        },
    }, 'what counts as what?'));
}
