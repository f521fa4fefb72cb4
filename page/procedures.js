// What a connection has several times, or only in part: discovery, pairing, authentication, exchanges of the
// MTU, refusals, and requests whose answers the log lacks.

/** What a phase is refused by, and the word for that: an answer to its request, or an event with a status. */
const REFUSALS = {MTU: ['mtu', 'refused'], encryption: ['encrypt', 'failed']};
/** The layer of the message that refuses a phase, and the word for that. */
const REFUSERS = {pairing: ['SMP', 'failed'], authentication: ['uqdk', 'refused']};

/** When a phase was refused, and the word for it; null if the log does not show that. */
function refusalIn(line, name, from) {
    const [operation, word] = REFUSALS[name] || [], [layer, result = word] = REFUSERS[name] || [];
    const place = !result ? undefined : placesOfLink(line.connection).find((at) => {
        const row = log.index[at];
        if (layer) return row[LAYER] === layer && row[WRONG] > 0 && row[TIME] > from;
        // Times are rounded to microseconds.
        return isOperation(row, operation) && row[TIME] > from && (row[LAYER] === 'HCI' ? row[CAUSE] !== 0
            : row[LATENCY] !== null && Math.abs(row[TIME] - row[LATENCY] - from) < 3);
    });
    return place === undefined ? null : {to: log.index[place][TIME], result};
}

/** What stands for the duration of a phase whose answers the log lacks. */
const NO_ANSWERS = 'answers not in this log';
/** The frames of phases that last until their last request where the log lacks the answers. */
const REQUESTS = {
    discovery: (row) => isOperation(row, 'discover'), pairing: (row) => row[LAYER] === 'SMP',
};

/** Whether the log lacks one side of a connection, or all answers of one whose start it does not show. */
function lacksAnswers(line) {
    if (!showsBothSides(line)) return true;
    return Boolean(line.open_at_start) && !placesOfLink(line.connection).some((at) => {
        const row = log.index[at];
        return row[LATENCY] !== null && row[LAYER] !== 'HCI' || isOperation(row, 'error');
    });
}

/** Microseconds of a pause that ends a part of discovery, as in the text. */
const DISCOVERY_PAUSE = 1e6;

/** The parts of a discovery that pauses interrupt, where the page has all of them. */
function discoveriesOf(line) {
    const [, , , , isPeers] = sidesOf(line), parts = [];
    const answers = placesOfLink(line.connection).map((at) => log.index[at]).filter((row) =>
        row[LATENCY] !== null && row[WAY] === (isPeers ? TX : RX) && isOperation(row, 'discover'));
    for (const {[TIME]: to, [LATENCY]: latency} of answers) {
        const from = to - latency, last = parts[parts.length - 1];
        if (last && from - last.to < DISCOVERY_PAUSE) last.to = Math.max(last.to, to);
        else parts.push({from, to});
    }
    for (const part of parts) part.lasts = part.to - part.from;
    const sum = parts.reduce((total, {lasts}) => total + lasts, 0);
    // Times are rounded to microseconds.
    return Math.abs(sum - line.discovery_us) <= 3 * answers.length ? parts : [];
}

// The authentications of a connection, which may be several, within the commands too: each from a message
// like the first one's to an answer like that of the last one, or to a refusal.
function authenticationsOf(line) {
    const rows = placesOfLink(line.connection).map((at) => log.index[at])
        .filter((row) => row[LAYER] === 'uqdk');
    // Times are rounded to microseconds.
    const rowAt = (time) => time && rows.find((row) => Math.abs(row[TIME] - sinceStart(time)) < 3);
    const begin = rowAt(line.authentication_started), end = rowAt(line.authenticated), all = [];
    for (const row of begin ? rows : []) {
        const own = all[all.length - 1];
        // Its first message may have several fragments.
        const isBegun = own && own.lasts === null && own.isPart;
        if (isBegun) own.isPart = Boolean(row[PART]);
        if (row[MESSAGE] === begin[MESSAGE]) {
            if (!isBegun) all.push({from: row[TIME], to: row[TIME], lasts: null, isPart: row[PART] === 1});
        } else if (own && own.lasts === null && row[WAY] !== begin[WAY]) {
            own.to = row[TIME];
            const isRefused = row[WRONG] > 0, isDone = end && row[MESSAGE] === end[MESSAGE] && !row[PART];
            if (isRefused || isDone) own.lasts = own.to - own.from;
            if (isRefused) own.result = 'refused';
        }
    }
    return all;
}

/** The pairings of a connection; one that came to nothing lasted until its last PDU. */
function pairingsOf(line) {
    return log.pairings.filter(([connection]) => connection === line.connection)
        .map(([, from, to, isDone]) => {
            const refusal = isDone ? null : refusalIn(line, 'pairing', from);
            return refusal && refusal.to <= to + 3 ? {from, ...refusal, lasts: refusal.to - from}
                : {from, to, lasts: isDone ? to - from : null};
        });
}

/** The exchanges of the MTU after a connection's first one, as phases: both sides may ask. */
function furtherMTUs(line) {
    if (!overview.exchanges) {
        overview.exchanges = grouped(log.index.filter((row) => row[LATENCY] !== null && row[LAYER] === 'ATT'
            && isOperation(row, 'mtu')), (row) => row[LINK]);
    }
    const first = line.mtu_started ? sinceStart(line.mtu_started) : Infinity;
    const [, peer] = sidesOf(line), [, , , color, meaning] = PHASES.find(([name]) => name === 'MTU');
    return (overview.exchanges.get(line.connection) || []).flatMap((row) => {
        const {[TIME]: to, [LATENCY]: lasts} = row, isPeers = row[WAY] === TX;
        // Times are rounded to microseconds.
        return to - lasts < first + 3 ? [] : [{name: 'MTU', words: isPeers ? `MTU by ${peer}` : 'MTU',
            from: to - lasts, to, lasts, isUse: false, color: COLORS[color], connection: line.connection,
            meaning: isPeers ? MEANINGS_BY_PEER.MTU(peer) : meaning}];
    });
}
