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
const COLORS = ['#5d6b80', '#2f62c9', '#7d47b5', '#1f7a70'];
/** A scan this many times as long as what follows is no part of what the timeline opens on. */
const SCAN = 4;
/** So many times as long as the setup is a connection whose other stretches are drawn shorter. */
const LONGEST_WAIT = 5;
// The most of the axis for each stretch that is drawn in full, the least for each shorter one and each
// failure in it, and the least for all that is drawn in full.
const MOST_STEP = 0.12, LEAST_REST = 0.12, LEAST_FULL = 0.4;
/** Pixels beside a break that time which is drawn shorter leaves free, so that no mark is on the break. */
const BREAK_ROOM = 16;

/** A connection's phases, in microseconds since the first record; `lasts` is null for an unfinished one. */
function barsOf(line) {
    const [host, peer, , isMTU, isDiscovery] = sidesOf(line), byPeer = {MTU: isMTU, discovery: isDiscovery};
    const bars = PHASES.flatMap(([name, start, end, color, meaning]) => {
        if (!line[start]) return [];
        const from = sinceStart(line[start]), isUse = end === 'disconnected';
        const isStopped = name === 'pairing' && line.pairing_stopped !== undefined;
        // Behind the last message there is only silence.
        const said = isUse ? lastOf(line, 'ATT') : null;
        const last = isStopped ? null : line[end] || (isUse ? line.log_ended : null);
        const refusal = last ? null : refusalIn(line, name, from);
        if (refusal) {
            return [{name, words: name, from, ...refusal, lasts: refusal.to - from, isUse,
                color: COLORS[color], connection: line.connection, meaning}];
        }
        // A pairing that came to nothing ends with its last PDU.
        const given = name === 'pairing' && !last ? lastOf(line, 'SMP') : null;
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
    }).concat(voicesOf(line).map(({from, to, name, ...voice}) => ({name: 'voice', words: 'voice', from, to,
        lasts: to - from, isUse: true, color: COLORS[3], connection: line.connection, voice,
        meaning: `${name}: ${VOICE[4]}`, place: log.places.get(voice.frame)})))
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

/** The time of the last message of a layer on a connection; null if the page has none. */
function lastOf(line, layer) {
    const place = placesOfLink(line.connection).findLast((at) => log.index[at][LAYER] === layer);
    return place === undefined ? null : log.index[place][TIME];
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
    const bars = barsOf(line).filter((bar) => bar.lasts === null || bar.to > bar.from);
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
        isWhole: true, connection: line.connection, silence: endSilence(line)[0],
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
    const scale = scaleOf(stretchesOf(times, bars), failed);
    const rows = [...grouped(bars, (bar) => bar.words).values()].map((some) => phaseRow(some, scale));
    for (const whole of wholes) {
        const row = phaseRow([whole], scale);
        rows.push(row);
        if (whole.silence) row[1].append(silentPart(whole.silence, scale.share));
    }
    const marks = failures.map((one) => failureMark(one, scale.share));
    const teeth = 2 * rows.length;
    const breaks = scale.breaks.map((one) => breakMark(scale.share(one.from), one.isShorter, teeth));
    rows.forEach((row, at) => row.forEach((cell) => { cell.style.gridRow = at + 1; }));
    for (const mark of [...breaks, ...marks]) mark.style.gridRow = `1 / ${rows.length + 1}`;
    return make('div', {class: 'gantt'},
        ...rows.flat(), axisOf(scale, rows.length + 1, failed), ...breaks, ...marks);
}

// The stretches of the axis between these times: those of the setup one by one, what is between them, in
// which only the scan or the use lasts, as one. Those much longer than the others are drawn shorter.
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

// Where each time stands on the axis. All that is drawn in full has one scale; breaks mark where a shorter
// one begins or ends. What its marks make longer than it would be in full is drawn in full.
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
    const length = full.reduce((sum, one) => sum + one.length, 0);
    const weight = shorter.reduce((sum, one) => sum + one.marks, 0);
    const part = shorter.length === 0 ? 1
        : Math.min(MOST_STEP * full.length, Math.max(LEAST_FULL, 1 - LEAST_REST * weight));
    let at = 0;
    for (const one of stretches) {
        one.start = at;
        one.part = one.isShorter ? (1 - part) * one.marks / weight : part * one.length / Math.max(1, length);
        at += one.part;
    }
    const isFull = (nth) => Boolean(stretches[nth] && !stretches[nth].isShorter);
    const share = (time) => {
        const isIn = (one) => time >= one.from && time <= one.to;
        // Where both meet, what is drawn in full has no room to leave.
        const inFull = stretches.findIndex((one) => !one.isShorter && isIn(one));
        const found = inFull >= 0 ? inFull : stretches.findIndex((one) => time <= one.to);
        const nth = found < 0 ? stretches.length - 1 : found, own = stretches[nth];
        if (!own) return '0%';
        const within = Math.max(0, Math.min(1, (time - own.from) / Math.max(1, own.length)));
        const place = `${100 * (own.start + own.part * within)}%`;
        // Away from the breaks at its ends.
        const away = own.isShorter ? isFull(nth - 1) * (1 - within) - isFull(nth + 1) * within : 0;
        return away === 0 ? place
            : `calc(${place} + ${away} * min(${BREAK_ROOM}px, ${30 * own.part}%))`;
    };
    return {stretches, share, length: length / Math.max(part, 1e-9),
        breaks: stretches.slice(1).filter((one, nth) => one.isShorter !== stretches[nth].isShorter)};
}

// A gap with edges as of torn paper across all rows, where a stretch in which time is drawn shorter begins or
// ends; within that.
function breakMark(left, isBegin, teeth) {
    const edge = (from) => Array.from({length: 2 * teeth + 1}, (_, at) =>
        `${from + (at % 2) * 4}px ${at / teeth * 50}%`);
    const shape = (from, to) => `polygon(${[...edge(from), ...edge(to).reverse()].join(', ')})`;
    const inside = make('span', {}), mark = make('span', {
        class: 'break', title: 'at one side of this, time is drawn shorter: the durations are at the right',
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
        part.style.left = scale.share(bar.from);
        part.style.right = `calc(100% - ${scale.share(bar.to)})`;
        part.style.setProperty('--color', bar.color);
        return part;
    });
    const [first] = all, lasts = all.map((bar) => bar.lasts ?? null);
    const done = lasts.filter((one) => one !== null), whole = first.to - first.from;
    const busy = all.length > 1 || done.length === 0 || whole < done[0] * 1.05 ? ''
        : ` within ${duration(whole)}`;
    const result = first.result ? `, ${first.result}` : '';
    const text = done.length === 0 ? 'not finished' : duration(done.reduce((sum, one) => sum + one, 0));
    const voices = all.flatMap(({voice}) => voice || []);
    const packets = voices.length === 0 ? '' : ` · ${voiceText(voices).split(':')[0]}`;
    const times = all.length > 1 ? ` in ${all.length}${done.length < all.length
        ? `, ${all.length - done.length} not finished` : ''}` : '';
    return [
        make('span', {class: 'name'}, phaseName(first)),
        make('span', {class: 'track', 'aria-hidden': 'true'}, ...bars),
        make('span', {class: 'lasts', title: packets && voiceText(voices)},
            make('b', {}, text), busy, times, result, packets),
    ];
}

/** The hatched end of a connection on which nothing came any more. */
function silentPart(silence, share) {
    const kind = silence.isLoss ? 'silent loss' : 'silent';
    const part = make('span', {class: kind, title: capital(silence.text)});
    part.style.left = share(silence.from);
    part.style.right = `calc(100% - ${share(silence.to)})`;
    return part;
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
    for (const one of stretches.filter(({isShorter}) => isShorter)) {
        const tick = make('span', {class: 'rest', 'data-rank': 4}, make('i', {}, 'drawn shorter'));
        tick.style.left = `${100 * one.start}%`;
        tick.style.width = `${100 * one.part}%`;
        ticks.push({time: one.from, tick});
    }
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
        const {left, right, width} = boxes[at], tick = all[at], isRest = tick.matches('.rest');
        const isBefore = right > end && !isRest;
        tick.classList.toggle('before', isBefore);
        const isCut = isRest && width > tick.clientWidth;
        tick.hidden = isCut || !(isBefore ? takes(left - width - 6, left - 6) : takes(left, right));
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
