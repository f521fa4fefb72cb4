// The phases of a connection on one axis of time, a row each, as they were: they may overlap, and one that
// did not finish is open at its end. Failures are marks across all rows.

/** Name, beginning, end and colour of each phase, and its meaning. */
const PHASES = [
    ['scan', 'scan_started', 'scan_ended', 0, 'looking for the device'],
    ['connecting', 'connect_started', 'connected', 0, 'from the request to the connection'],
    ['MTU', 'mtu_started', 'mtu_exchanged', 1, 'agreeing on the longest message'],
    ['discovery', 'discovery_started', 'discovery_ended', 1, 'asking which services the device has'],
    ['pairing', 'pairing_started', 'encrypted_at', 2, 'agreeing on keys, until the link is encrypted'],
    ['encryption', 'encryption_started', 'encrypted_at', 2, 'encrypting with a key from before'],
    ['authentication', 'authentication_started', 'authenticated', 2, 'proving the digital key'],
    ['commands', 'first_command', 'disconnected', 3, 'from the first command to the last message'],
];
/** What the other side may begin, with its meaning then. */
const MEANINGS_BY_PEER = {
    MTU: (name) => `agreeing on the longest message, as ${name} asked`,
    discovery: (name, host) => `${name} asks which services ${host} has`,
};
/** Voice beside a connection, as a phase. */
const VOICE = ['voice', null, null, 3, 'synchronous data beside the connection'];
/** Of the radio, of what the device offers, of security, of use. */
const COLORS = ['#5d6b80', '#2f62c9', '#7d47b5', '#1f7a70'], REST_COLOR = '#6fa59d';
/** A scan this many times as long as what follows is no part of what the timeline opens on. */
const SCAN = 4;
/** So many times as long as the setup is a connection whose other stretches are drawn shorter. */
const LONGEST_WAIT = 5;
// The most of the axis for each stretch that is to scale, the least for all of them, and the pixels for each
// other one and each failure in it.
const MOST_STEP = 0.12, LEAST_FULL = 0.4, REST = 64;
/** Pixels beside a break that time which is not to scale leaves free, so that no mark is on the break. */
const BREAK_ROOM = 16;
/** A wide page has about as many pixels for the axis. */
const WIDE_AXIS = 1000;
/** Most bars of messages outside of the phases, and so most pauses between them. */
const MOST_RESTS = 60;

/** A connection's phases, in microseconds since the first record; `lasts` is null for an unfinished one. */
function barsOf(line) {
    const [host, peer, , isMTU, isDiscovery] = sidesOf(line), byPeer = {MTU: isMTU, discovery: isDiscovery};
    const bars = PHASES.flatMap(([name, start, end, color, meaning]) => {
        if (!line[start]) return [];
        const from = sinceStart(line[start]), isUse = end === 'disconnected';
        const isStopped = name === 'pairing' && line.pairing_stopped !== undefined;
        // Behind the last message there is only silence.
        const said = isUse ? lastOf(line, isMessage) : null;
        const last = isStopped ? null : line[end] || (isUse ? line.log_ended : null);
        const refusal = last ? null : refusalIn(line, name, from);
        if (refusal) {
            return [{name, words: name, from, ...refusal, lasts: refusal.to - from, isUse,
                color: COLORS[color], connection: line.connection, meaning}];
        }
        // A pairing that came to nothing ends with its last PDU.
        const given = name === 'pairing' && !last ? lastOf(line, (row) => row[LAYER] === 'SMP') : null;
        const to = Math.max(from, said ?? given ?? (last ? sinceStart(last) : endTime(line) ?? from));
        const lasts = !last && said === null ? null : name === 'discovery' ? line.discovery_us : to - from;
        const isPeers = byPeer[name], words = isPeers ? `${name} by ${peer}` : name;
        const pairings = name === 'pairing' ? pairingsOf(line) : [];
        if (pairings.length > 1) {
            return pairings.map((one) => ({name, words, ...one, isUse, color: COLORS[color],
                connection: line.connection, meaning}));
        }
        return [{name, words, from, to, lasts, isUse, color: COLORS[color], connection: line.connection,
            meaning: isPeers ? MEANINGS_BY_PEER[name](peer, host)
                : name === 'encryption' && isInPairing(line, from) ? 'encrypting with the key just agreed'
                    : meaning}];
    }).concat(furtherMTUs(line), voicesOf(line).map(({from, to, name, ...voice}) => ({name: 'voice',
        words: 'voice', from, to, lasts: to - from, isUse: true, color: COLORS[3], voice,
        connection: line.connection, meaning: `${name}: ${VOICE[4]}`, place: log.places.get(voice.frame)})))
        .sort((a, b) => a.from - b.from);
    // Where two overlap, the timeline draws them below each other.
    bars.forEach((bar, at) => {
        const over = bars.slice(0, at).filter((one) => one.to > bar.from);
        bar.isHalf = over.length > 0;
        bar.isLower = over.length > 0 && !over[over.length - 1].isLower;
        for (const one of over) one.isHalf = true;
    });
    return bars;
}

/** Whether a phase begins within a pairing of the same connection. */
function isInPairing(line, time) { return pairingsOf(line).some(({from, to}) => from <= time && time <= to); }

/** What a phase is refused by: an answer to its request, or an event with a status; and the word for that. */
const REFUSALS = {MTU: ['mtu', 'refused'], encryption: ['encrypt', 'failed']};

/** When a phase was refused, and the word for it; null if the log does not show that. */
function refusalIn(line, name, from) {
    const [operation, result] = REFUSALS[name] || [];
    const place = !operation ? undefined : placesOfLink(line.connection).find((at) => {
        const row = log.index[at];
        // Times are rounded to microseconds.
        return isOperation(row, operation) && row[TIME] > from && (row[LAYER] === 'HCI' ? row[CAUSE] !== 0
            : row[LATENCY] !== null && Math.abs(row[TIME] - row[LATENCY] - from) < 3);
    });
    return place === undefined ? null : {to: log.index[place][TIME], result};
}

/** The pairings of a connection; one that came to nothing lasted until its last PDU. */
function pairingsOf(line) {
    return log.pairings.filter(([connection]) => connection === line.connection)
        .map(([, from, to, isDone]) => ({from, to, lasts: isDone ? to - from : null}));
}

/** The time of the last such frame on a connection; null if the page has none. */
function lastOf(line, test) {
    const place = placesOfLink(line.connection).findLast((at) => test(log.index[at]));
    return place === undefined ? null : log.index[place][TIME];
}

/** Whether a frame is data above the link that is neither voice nor pairing. */
function isMessage(row) {
    return isData(row) && row[WAY] <= RX && !['LL', 'SMP', 'SCO'].includes(row[LAYER]);
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

/** The shortest pause that is seen within so many microseconds. */
function leastPause(span) { return Math.max(SILENCE, span / MOST_RESTS); }

// The messages of a connection in none of these phases, as bars without the longer pauses.
function restOf(line, phases) {
    const places = placesOfLink(line.connection).filter((at) => isMessage(log.index[at]));
    const time = (at) => log.index[at][TIME], bars = [];
    const span = places.length === 0 ? 0 : time(places[places.length - 1]) - time(places[0]);
    const ended = phases.filter((bar) => bar.lasts !== null && bar.name !== 'voice');
    const isNamed = (at) => ended.some(({from, to}) => from < at + 3 && at < to + 3);
    for (const at of places.filter((one) => !isNamed(time(one)))) {
        const last = bars[bars.length - 1], isNext = last && time(at) - last.to < leastPause(span)
            && !ended.some(({from}) => last.to < from && from < time(at));
        if (isNext) [last.to, last.count] = [time(at), last.count + 1];
        else bars.push({from: time(at), to: time(at), count: 1});
    }
    const words = phases.length > 0 ? 'other messages' : 'messages';
    return bars.map((bar) => ({...bar, name: 'rest', words, lasts: bar.to - bar.from, isUse: true,
        color: REST_COLOR, connection: line.connection,
        meaning: 'in none of the other phases; without the longer pauses'}));
}

/** When a connection ended: with its last packet, if the log shows no more of it; null if unknown. */
function endTime(line) {
    const began = beginOf(line);
    if (line.disconnected) return sinceStart(line.disconnected);
    if (sidesOf(line)[5] && began !== null) return began + (line.lasted_us || 0);
    return line.log_ended ? sinceStart(line.log_ended) : null;
}

/** The phases of a connection, with its failures, for the top of the page. */
function phaseChart(line) {
    const phases = barsOf(line).filter((bar) => bar.lasts === null || bar.to > bar.from);
    const bars = [...phases, ...restOf(line, phases)];
    if (bars.length === 0) return null;
    const end = endTime(line);
    const began = line.connected ? sinceStart(line.connected) : null;
    const failures = timeline.incidents.filter((one) => one.kind === 'failed')
        .flatMap(({sites, text}) => sites.map(({place, link}) => ({place, link, text})))
        .filter(({link}) => link === line.connection);
    const edges = [began, end].filter((time) => time !== null);
    return chartOf(bars, edges.length === 2 ? [wholeOf(line, 'connection')] : [], failures, edges);
}

/** A connection as a bar, from its beginning to its end. */
function wholeOf(line, words) {
    return {words, from: beginOf(line), to: endTime(line), lasts: line.lasted_us, color: 'var(--line)',
        isWhole: true, connection: line.connection,
        silences: silencesOf(placesOfLink(line.connection), [line]).filter(({from, to, isLoss}) =>
            isLoss || to - from >= leastPause(endTime(line) - beginOf(line))),
        meaning: sidesOf(line)[5] ? `until its last packet: ${endOf(line)}`
            : 'how long the connection was open'};
}

/** Most connections with the same device that are shown with the attempts. */
const MOST_WHOLES = 3;

// The requests that the headline's failure answers, where it is on no connection, and the connections with
// the same device; null for others.
function attemptChart() {
    const place = headlinePlace();
    if (place === undefined || linkOf(place)) return null;
    const {text, places} = log.incidents[document.querySelector('.card.failed').dataset.incident];
    const bars = places.flatMap((at) => {
        const request = requestOf(at), {[TIME]: to, [LATENCY]: lasts} = log.index[at];
        return request === undefined || !(lasts > 0) ? [] : [{words: log.index[request][SHORT],
            name: 'attempt', from: to - lasts, to, lasts, color: COLORS[0], connection: 0, result: 'failed',
            place: request, meaning: 'from the request to its failure'}];
    });
    const wholes = linesOf(log.index[place]).filter((line) => endTime(line) > beginOf(line))
        .slice(0, MOST_WHOLES).map((line) => wholeOf(line, `connection ${line.connection}`));
    return bars.length === 0 ? null : chartOf(bars, wholes, places.map((at) => ({place: at, text})), []);
}

/** Bars on an axis, with the connections below them and the failures across. */
function chartOf(bars, wholes, all, edges) {
    const failures = all.slice(0, 100), failed = failures.map((one) => log.index[one.place][TIME]);
    const times = [...[...bars, ...wholes].flatMap((bar) => [bar.from, bar.to]), ...edges, ...failed];
    const scale = scaleOf(stretchesOf(times, bars), failed), {share} = scale;
    const rows = [...grouped(bars, (bar) => bar.words).values(), ...wholes.map((whole) => [whole])]
        .map((some) => phaseRow(some, scale));
    const marks = failures.map((one) => failureMark(one, share));
    const teeth = 2 * rows.length;
    const breaks = scale.breaks.map((one) => breakMark(share(one.from), one.isShorter, teeth));
    const rests = scale.stretches.filter((one) => one.isShorter);
    const ground = make('span', {class: 'ground'}, ...rests.map((one) =>
        placed(make('span', {class: 'rest'}), one, share)));
    rows.forEach((row, at) => row.forEach((cell) => { cell.style.gridRow = at + 1; }));
    for (const mark of [ground, ...breaks, ...marks]) mark.style.gridRow = `1 / ${rows.length + 1}`;
    const chart = make('div', {class: 'gantt'}, ground, ...rows.flat(), axisOf(scale, rows.length + 1,
        failed), ...breaks, ...marks, lengthsOf(rests, rows.length + 2, share));
    chart.style.setProperty('--rest', scale.rest);
    return make('div', {}, chart, signsOf(chart));
}

/** Puts a part where it is on the axis. */
function placed(part, {from, to}, share) {
    part.style.left = share(from);
    part.style.right = `calc(100% - ${share(to)})`;
    return part;
}

/** How long each stretch is that is not to scale, below the axis. */
function lengthsOf(rests, row, share) {
    const lengths = make('span', {class: 'lengths'}, ...rests.map((one) => placed(make('span', {},
        make('i', {}, duration(one.length), make('span', {}, ', not to scale'))), one, share)));
    lengths.style.gridRow = row;
    return lengths;
}

/** The signs in a chart, with their words. */
function signsOf(chart) {
    const all = [['.phase.open', 'open', 'not finished'], ['.silent:not(.loss)', 'silent', 'no data'],
        ['.silent.loss', 'silent loss', 'no data before a loss'], ['.mark', 'mark', 'place of a failure'],
        ['.rest', 'rest', 'not to scale: its length is below the axis']];
    return make('p', {class: 'legend', 'aria-hidden': 'true'}, ...all.flatMap(([selector, kind, words]) =>
        chart.querySelector(selector) ? [make('span', {}, make('i', {class: kind}), words)] : []));
}

// The stretches of the axis between these times: those of the setup one by one, what is between them, in
// which only the scan or the use lasts, as one. Those much longer than the others are not to scale.
function stretchesOf(times, bars) {
    const edges = [...new Set(times)].sort((a, b) => a - b), all = [];
    // What was broken off is one, too; what did not finish lasts until the end.
    const steps = bars.filter((bar) =>
        bar.name !== 'scan' && !bar.isUse && (bar.lasts !== null || bar.to < edges[edges.length - 1]));
    for (const [at, to] of edges.slice(1).entries()) {
        const from = edges[at], isStep = steps.some((bar) => bar.from <= from && bar.to >= to);
        const last = all[all.length - 1];
        if (!isStep && last && !last.isStep) last.to = to;
        else all.push({from, to, isStep});
    }
    for (const one of all) one.length = one.to - one.from;
    const sum = (some) => some.reduce((total, {length}) => total + length, 0);
    const setup = sum(all.filter((one) => one.isStep)), total = sum(all);
    const scan = Math.max(-Infinity, ...bars.filter((bar) => bar.name === 'scan').map((bar) => bar.to));
    for (const one of all) {
        const most = one.from < scan ? setup : total > LONGEST_WAIT * setup ? 2 * setup : Infinity;
        one.isShorter = !one.isStep && setup > 0 && one.length > most;
    }
    return all;
}

// Where each time stands on the axis. Its stretches have one scale, but for those that are much longer:
// breaks mark where one begins or ends. What its marks make longer than to scale is drawn to scale.
function scaleOf(stretches, failed) {
    for (const one of stretches) {
        one.marks = 1 + failed.filter((time) => time >= one.from && time <= one.to).length;
    }
    for (;;) {
        const scale = scaleAsMarked(stretches), long = stretches.filter((one) =>
            one.isShorter && one.part * scale.length >= one.length);
        if (long.length === 0) return scale;
        for (const one of long) one.isShorter = false;
    }
}

function scaleAsMarked(stretches) {
    const shorter = stretches.filter((one) => one.isShorter);
    const full = stretches.filter((one) => !one.isShorter);
    const length = Math.max(1, full.reduce((sum, one) => sum + one.length, 0));
    const weight = shorter.reduce((sum, one) => sum + one.marks, 0);
    // What is not to scale has these shares and pixels of the axis; together, so much of a wide one.
    const least = 1 - MOST_STEP * full.length, most = 1 - LEAST_FULL;
    const part = weight === 0 ? 0 : Math.max(least, Math.min(most, weight * REST / WIDE_AXIS));
    let at = [0, 0];
    for (const one of stretches) {
        one.share = one.isShorter ? [0, one.marks / weight] : [one.length / length, 0];
        one.part = one.share[0] * (1 - part) + one.share[1] * part;
        one.start = at;
        at = at.map((each, nth) => each + one.share[nth]);
    }
    const isFull = (nth) => Boolean(stretches[nth] && !stretches[nth].isShorter);
    const share = (time) => {
        const isIn = (one) => time >= one.from && time <= one.to;
        // Where both meet, what is to scale has no room to leave.
        const inFull = stretches.findIndex((one) => !one.isShorter && isIn(one));
        const found = inFull >= 0 ? inFull : stretches.findIndex((one) => time <= one.to);
        const nth = found < 0 ? stretches.length - 1 : found, own = stretches[nth];
        if (!own) return '0%';
        const within = Math.max(0, Math.min(1, (time - own.from) / Math.max(1, own.length)));
        const [scaled, rest] = own.start.map((start, kind) => start + own.share[kind] * within);
        // Away from the breaks at its ends.
        const away = own.isShorter ? isFull(nth - 1) * (1 - within) - isFull(nth + 1) * within : 0;
        return `calc(${scaled} * (100% - var(--rest)) + ${rest} * var(--rest)
            + ${away} * min(${BREAK_ROOM}px, ${0.3 * own.share[1]} * var(--rest)))`;
    };
    return {stretches, share, length: length / (1 - part),
        rest: weight === 0 ? '0px' : `max(${100 * least}%, min(${100 * most}%, ${weight * REST}px))`,
        breaks: stretches.slice(1).filter((one, nth) => one.isShorter !== stretches[nth].isShorter)};
}

// A gap with edges as of torn paper across all rows, where a stretch that is not to scale begins or ends:
// within that.
function breakMark(left, isBegin, teeth) {
    const edge = (from) => Array.from({length: 2 * teeth + 1}, (_, at) =>
        `${from + (at % 2) * 4}px ${at / teeth * 50}%`);
    const shape = (from, to) => `polygon(${[...edge(from), ...edge(to).reverse()].join(', ')})`;
    const inside = make('span', {}), mark = make('span', {
        class: 'break', title: 'at one side of this, time is not to scale: its length is below the axis',
    }, inside);
    mark.style.left = `calc(${left} + ${isBegin ? 3 : -13}px)`;
    mark.style.clipPath = shape(0, 6);
    inside.style.clipPath = shape(1.3, 4.7);
    return mark;
}

/** The name of a phase, which opens its first frame. */
function phaseName({words, meaning, from, connection, place = firstAt(connection, from)}) {
    const name = make('abbr', {title: meaning}, words);
    return place === Infinity ? name : make('button', {
        type: 'button', class: 'plain', onclick: () => openFrame(place, true, true),
    }, name);
}

/** The place of a connection's first frame at a time or after it: of what was before it, of none. */
function firstAt(connection, time) {
    // Times are rounded to microseconds.
    const isAt = (place) => log.index[place][TIME] > time - 3;
    const own = placesOfLink(connection).find(isAt), apart = placesOfLink(0).find(isAt);
    const isExact = own !== undefined && log.index[own][TIME] < time + 3;
    return isExact ? own : Math.min(own ?? Infinity, apart ?? Infinity);
}

/** Name, bars and duration of a phase, which may have happened several times. */
function phaseRow(all, scale) {
    const bars = all.map((bar) => {
        const isOpen = bar.lasts === null || bar.lasts === undefined;
        const part = make('span', {
            class: [bar.isWhole ? 'whole' : 'phase', isOpen ? 'open' : ''].join(' ').trim(),
            title: `${timeWithUnit(bar.from)} to ${timeWithUnit(bar.to)}`,
        });
        part.style.setProperty('--color', bar.color);
        return placed(part, bar, scale.share);
    });
    const [first] = all, silences = first.silences || [];
    bars.push(...silences.map((one) => silentPart(one, scale.share)));
    const lasts = all.map((bar) => bar.lasts ?? null);
    const done = lasts.filter((one) => one !== null), whole = first.to - first.from;
    const busy = all.length > 1 || done.length === 0 || whole < done[0] * 1.05 ? ''
        : ` within ${duration(whole)}`;
    const result = first.result ? `, ${first.result}` : '';
    const text = done.length === 0 ? 'not finished' : duration(done.reduce((sum, one) => sum + one, 0));
    const voices = all.flatMap(({voice}) => voice || []);
    const packets = voices.length === 0 ? '' : ` · ${voiceText(voices).split(':')[0]}`;
    const silent = silences.length === 0 ? '' : make('span', {class: 'help'},
        ` · no data for ${duration(silences.reduce((sum, {from, to}) => sum + to - from, 0))}`);
    const times = all.length > 1 ? ` in ${all.length}${done.length < all.length
        ? `, ${all.length - done.length} not finished` : ''}` : '';
    return [
        make('span', {class: 'name'}, phaseName(first)),
        make('span', {class: 'track', 'aria-hidden': 'true'}, ...bars),
        make('span', {class: 'lasts', title: packets && voiceText(voices)},
            make('b', {}, text), busy, times, result, packets, silent),
    ];
}

/** A hatched part of a connection, in which nothing came. */
function silentPart(silence, share) {
    const kind = silence.isLoss ? 'silent loss' : 'silent';
    return placed(make('span', {class: kind, title: capital(silence.text)}), silence, share);
}

/** The times, in the row below the others. Where there is room for some only, those of less rank go first. */
function axisOf({stretches, share, length}, row, failed = []) {
    const step = stepOf(length, 8), texts = new Set(), ticks = [];
    const add = (time, rank, places, kind = '') => {
        const text = timeWithUnit(time, places);
        // Two that would read alike are one.
        if (texts.has(text)) return;
        texts.add(text);
        const tick = make('span', {class: kind, 'data-rank': rank}, make('i', {}, text));
        tick.style.left = share(time);
        ticks.push({time, tick});
    };
    // After a break, what follows has its time; so have the axis's beginning and the failures.
    stretches.forEach((one, nth) => {
        if (nth === 0 ? one.isShorter : stretches[nth - 1].isShorter) add(one.from, 0, Math.min(step, 1e5));
    });
    for (const time of failed) add(time, 1, 1e5, 'failure');
    for (const one of stretches) {
        const own = one.isShorter ? stepOf(one.length, Math.max(2, 12 * one.part)) : step;
        const places = one.isShorter ? own : Math.min(step, 1e5);
        for (let time = firstTick(one.from, own); time <= one.to; time = firstTick(time + 1, own)) {
            add(time, one.isShorter ? 3 : 2, places);
        }
    }
    const last = stretches[stretches.length - 1];
    if (last.isShorter) add(last.to, 2, Math.min(step, 1e5));
    const axis = make('span', {class: 'axis', 'aria-hidden': 'true'},
        ...ticks.sort((one, other) => one.time - other.time).map(({tick}) => tick));
    axis.style.gridRow = row;
    return axis;
}

/** The pixels that the triangle of a failure needs beside the next. */
const WIDE_MARK = 14;

// Leaves out the axis's ticks that have no room for their words beside the one before, and joins the marks of
// failures that would lie over each other. A word that would reach past the end stands before its tick.
function fitAxis() {
    const axis = document.querySelector('.axis');
    if (!axis) return;
    const all = [...axis.children], end = axis.getBoundingClientRect().right;
    for (const tick of all) {
        tick.hidden = false;
        tick.classList.remove('before');
    }
    const boxes = all.map((tick) => tick.firstChild.getBoundingClientRect());
    const taken = [];
    const takes = (left, right) => {
        const isFree = right <= end + 1
            && taken.every((one) => left >= one.right + 6 || right <= one.left - 6);
        if (isFree) taken.push({left, right});
        return isFree;
    };
    const rank = (at) => Number(all[at].dataset.rank);
    for (const at of [...all.keys()].sort((a, b) => rank(a) - rank(b) || a - b)) {
        const {left, right, width} = boxes[at], tick = all[at], isBefore = right > end;
        tick.classList.toggle('before', isBefore);
        tick.hidden = !(isBefore ? takes(left - width - 6, left - 6) : takes(left, right));
    }
    for (const part of document.querySelectorAll('.lengths > span')) {
        const words = part.querySelector('span');
        words.hidden = false;
        words.hidden = part.firstChild.offsetWidth > part.clientWidth - 12;
    }
    joinMarks([...document.querySelectorAll('.gantt .mark')]);
}

/** Shows one mark, with their number, for those that have no room beside each other. */
function joinMarks(marks) {
    for (const mark of marks) mark.hidden = false;
    const places = marks.map((mark) =>
        ({mark, left: mark.getBoundingClientRect().left, names: [mark.dataset.name]}))
        .sort((a, b) => a.left - b.left);
    let shown = null;
    for (const one of places) {
        if (shown && one.left - shown.left < WIDE_MARK + (shown.names.length > 1 ? 10 : 0)) {
            one.mark.hidden = true;
            shown.names.push(one.mark.dataset.name);
        } else {
            shown = one;
        }
    }
    for (const {mark, names} of places.filter((one) => !one.mark.hidden)) {
        mark.firstChild.textContent = names.length > 1 ? String(names.length) : '';
        const text = names.length === 1 ? mark.dataset.text : `${names.length} failures, frames ${
            names.slice(0, MOST_STOPS).join(', ')}${names.length > MOST_STOPS ? ' …' : ''}`;
        mark.title = text;
        mark.setAttribute('aria-label', names.length === 1 ? `Failure at ${text}` : text);
    }
}

function failureMark(incident, share) {
    const time = log.index[incident.place][TIME], name = nameOf(log.index[incident.place]);
    const text = `frame ${name}, ${timeWithUnit(time)}: ${incident.text}`;
    const mark = make('a', {href: '#frame=' + name, class: 'mark', title: text, 'data-name': name,
        'data-text': text, 'aria-label': `Failure at ${text}`}, make('b', {}));
    mark.style.setProperty('--at', share(time));
    return mark;
}
