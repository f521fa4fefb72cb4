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
/** Most bars of one phase, which may happen thousands of times. */
const MOST_BARS = 100;

/** A connection's phases, in microseconds since the first record; `lasts` is null for an unfinished one. */
function barsOf(line) {
    const [host, peer, , isMTU, isDiscovery] = sidesOf(line), byPeer = {MTU: isMTU, discovery: isDiscovery};
    const isOneSided = lacksAnswers(line);
    const bars = firstOf(PHASES.flatMap(([name, start, end, color, meaning]) => {
        if (!line[start]) return [];
        const from = sinceStart(line[start]), isUse = end === 'disconnected';
        const isStopped = name === 'pairing' && line.pairing_stopped !== undefined;
        // Behind the last message there is only silence.
        const said = isUse ? lastOf(line, isMessage) : null;
        const last = isStopped ? null : line[end] || (isUse ? line.log_ended : null);
        const times = name === 'pairing' ? pairingsOf(line) : name === 'discovery' ? discoveriesOf(line)
            : name === 'authentication' ? authenticationsOf(line) : [];
        const isPeers = byPeer[name];
        const own = {name, words: isPeers ? `${name} by ${peer}` : name, isUse, color: COLORS[color],
            connection: line.connection, meaning: isPeers ? MEANINGS_BY_PEER[name](peer, host)
                : name === 'encryption' && isInPairing(line, from) ? 'encrypting with the key just agreed'
                    : meaning};
        if (times.length > 1) return times.map((one) => ({...own, ...one}));
        const refusal = last ? null : refusalIn(line, name, from);
        if (refusal) return [{...own, words: name, from, ...refusal, lasts: refusal.to - from}];
        // A pairing that came to nothing ends with its last PDU.
        const given = name === 'pairing' && !last ? lastOf(line, (row) => row[LAYER] === 'SMP') : null;
        const to = Math.max(from, said ?? given ?? (last ? sinceStart(last) : endTime(line) ?? from));
        const lasts = !last && said === null ? null : name === 'discovery' ? line.discovery_us
            : name === 'scan' ? sidesOf(line)[12] ?? to - from : to - from;
        if (lasts === null && isOneSided) {
            const asked = Math.max(from, lastOf(line, REQUESTS[name] || (() => false)) ?? from);
            return [{...own, from, to: asked, lasts: asked - from, missing: NO_ANSWERS}];
        }
        return [{...own, from, to, lasts}];
    }).concat(furtherMTUs(line), voicesOf(line).map(({from, to, name, ...voice}) => ({name: 'voice',
        words: 'voice', from, to, lasts: to - from, isUse: true, color: COLORS[3], voice,
        connection: line.connection, meaning: `${name}: ${VOICE[4]}`, place: log.places.get(voice.frame)})))
        .sort((a, b) => a.from - b.from));
    // Where two overlap, the timeline draws them below each other.
    let over = [];
    for (const bar of bars) {
        over = over.filter((one) => one.to > bar.from);
        bar.isHalf = over.length > 0;
        bar.isLower = over.length > 0 && !over[over.length - 1].isLower;
        for (const one of over) one.isHalf = true;
        over.push(bar);
    }
    return bars;
}

/** The first bars of each phase; the last of these has the others as `more`. */
function firstOf(bars) {
    const left = new Set();
    for (const some of grouped(bars, (bar) => bar.words).values()) {
        if (some.length <= MOST_BARS) continue;
        some[MOST_BARS - 1].more = some.slice(MOST_BARS);
        for (const one of some[MOST_BARS - 1].more) left.add(one);
    }
    return bars.filter((bar) => !left.has(bar));
}

/** These bars with those that `firstOf` left out. */
function withMore(bars) { return bars.flatMap((bar) => [bar, ...bar.more || []]); }

/** Whether a phase begins within a pairing of the same connection. */
function isInPairing(line, time) { return pairingsOf(line).some(({from, to}) => from <= time && time <= to); }

/** The time of the last such frame on a connection; null if the page has none. */
function lastOf(line, test) {
    const place = placesOfLink(line.connection).findLast((at) => test(log.index[at]));
    return place === undefined ? null : log.index[place][TIME];
}

/** Whether a frame is data above the link that is neither voice nor pairing. */
function isMessage(row) {
    return isData(row) && row[WAY] <= RX && !['LL', 'SMP', 'SCO'].includes(row[LAYER]);
}

/** The shortest pause that is seen within so many microseconds. */
function leastPause(span) { return Math.max(SILENCE, span / MOST_RESTS); }

// The messages of a connection in none of these phases, as bars without the longer pauses.
function restOf(line, phases) {
    const places = placesOfLink(line.connection).filter((at) => isMessage(log.index[at])).sort(byTime);
    const times = places.map((at) => log.index[at][TIME]), bars = [];
    const least = leastPause(times.length === 0 ? 0 : times[times.length - 1] - times[0]);
    const ended = phases.filter((bar) => bar.lasts !== null && bar.name !== 'voice');
    const latestBegin = latest(ended, ({from}) => from), latestEnd = latest(withMore(ended), ({to}) => to);
    for (const time of times) {
        // Times are rounded to microseconds.
        if (latestEnd(time + 3) > time - 3) continue;
        const last = bars[bars.length - 1];
        const isNext = last && time - last.to < least && latestBegin(time) <= last.to;
        if (isNext) [last.to, last.count] = [time, last.count + 1];
        else bars.push({from: time, to: time, count: 1});
    }
    const words = phases.length > 0 ? 'other messages' : 'messages';
    return bars.map((bar) => ({...bar, name: 'rest', words, lasts: bar.to - bar.from, isUse: true,
        color: REST_COLOR, connection: line.connection,
        meaning: 'in none of the other phases; without the longer pauses'}));
}

/** A function with the greatest value of the bars that begin before a time; asked for one after the other. */
function latest(bars, value) {
    const sorted = [...bars].sort((a, b) => a.from - b.from);
    let at = 0, most = -Infinity;
    return (time) => {
        for (; at < sorted.length && sorted[at].from < time; at++) most = Math.max(most, value(sorted[at]));
        return most;
    };
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
    const phases = barsOf(line).filter((bar) =>
        bar.lasts === null || bar.to > bar.from || bar.more || bar.missing);
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

/** Bars on an axis, with the connections below them and the failures across; null if all have one time. */
function chartOf(bars, wholes, all, edges) {
    const failures = all.slice(0, 100), failed = failures.map((one) => log.index[one.place][TIME]);
    const times = [...[...bars, ...wholes].flatMap((bar) => [bar.from, bar.to]), ...edges, ...failed];
    const stretches = stretchesOf(times, bars);
    if (stretches.length === 0) return null;
    const scale = scaleOf(stretches, failed), {share} = scale;
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
    const all = [['.phase.open', 'open', 'not finished'], ['.phase.refused', 'refused', 'refused or failed'],
        ['.silent:not(.loss)', 'silent', 'no data'],
        ['.silent.loss', 'silent loss', 'no data before a loss'],
        ['.mark', 'mark', 'place of a failure'],
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
    const latestEnd = latest(steps, (bar) => bar.to);
    for (const [at, to] of edges.slice(1).entries()) {
        // What begins at this edge or before it begins before the next.
        const from = edges[at], isStep = latestEnd(to) >= to;
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

/** What opens the first frame of a phase; undefined if the page has none. */
function openerOf({from, connection, place = firstAt(connection, from)}) {
    return place === Infinity ? undefined : () => openFrame(place, true, true);
}

/** The name of a phase, which opens its first frame. */
function phaseName(bar) {
    const name = make('abbr', {title: bar.meaning}, bar.words), open = openerOf(bar);
    return open ? make('button', {type: 'button', class: 'plain', onclick: open}, name) : name;
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
function phaseRow(drawn, scale) {
    const all = withMore(drawn), bars = drawn.map((bar) => {
        const isOpen = bar.lasts === null || bar.lasts === undefined, open = openerOf(bar);
        const part = make('span', {
            class: [bar.isWhole ? 'whole' : 'phase', isOpen && 'open', bar.result && 'refused',
                open && 'opens'].filter(Boolean).join(' '),
            title: `${timeWithUnit(bar.from)} to ${timeWithUnit(bar.to)}`, onclick: open,
        });
        part.style.setProperty('--color', bar.color);
        return placed(part, bar, scale.share);
    });
    const [first] = all, silences = first.silences || [];
    bars.push(...silences.map((one) => silentPart(one, scale.share)));
    const lasts = all.map((bar) => bar.lasts ?? null);
    const done = lasts.filter((one) => one !== null), whole = first.to - first.from;
    const busy = all.length > 1 || done.length === 0 || first.missing || whole < done[0] * 1.05 ? ''
        : ` within ${duration(whole)}`;
    const results = all.flatMap((bar) => bar.result || []), isPart = results.length < all.length;
    const result = results.length > 0 ? `, ${isPart ? `${results.length} ` : ''}${results[0]}` : '';
    const text = first.missing || (done.length === 0 ? 'not finished'
        : duration(done.reduce((sum, one) => sum + one, 0)));
    const voices = all.flatMap(({voice}) => voice || []);
    const packets = voices.length === 0 ? '' : ` · ${voiceText(voices).split(':')[0]}`;
    const silent = silences.length === 0 ? '' : make('span', {class: 'help'},
        ` · no data for ${duration(silences.reduce((sum, {from, to}) => sum + to - from, 0))}`);
    const times = all.length > 1 ? ` in ${all.length}${done.length < all.length
        ? `, ${all.length - done.length} not finished` : ''}${drawn.length < all.length
        ? `, the first ${drawn.length} drawn` : ''}` : '';
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

/** The pixels that the triangle of a failure needs beside the next. */
const WIDE_MARK = 14;

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
