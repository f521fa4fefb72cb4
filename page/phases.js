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
/** Of the radio, of what the device offers, of security, of use. */
const COLORS = ['#5d6b80', '#2f62c9', '#7d47b5', '#1f7a70'];
/** A connection this many times as long as its other phases is cut at the right. */
const LONGEST = 12;
/** A scan this many times as long as what follows is cut at the left. */
const SCAN = 4;
/** The share of the axis for what is beyond a cut. */
const REST = 0.12;

/** A connection's phases, in microseconds since the first record; `lasts` is null for an unfinished one. */
function barsOf(line) {
    const closed = line.disconnected || line.log_ended;
    const [host, peer, , isMTU, isDiscovery] = sidesOf(line), byPeer = {MTU: isMTU, discovery: isDiscovery};
    const bars = PHASES.flatMap(([name, start, end, color, meaning]) => {
        if (!line[start]) return [];
        const from = sinceStart(line[start]), isUse = end === 'disconnected';
        const isStopped = name === 'pairing' && line.pairing_stopped !== undefined;
        // Behind the last message there is only silence.
        const said = isUse ? lastOf(line, 'ATT') : null;
        const last = isStopped ? null : line[end] || (isUse ? line.log_ended : null);
        const until = last || closed;
        // A pairing that came to nothing ends with its last PDU.
        const given = name === 'pairing' && !last ? lastOf(line, 'SMP') : null;
        const to = Math.max(from, said ?? given ?? (until ? sinceStart(until) : from));
        const lasts = !last && said === null ? null : name === 'discovery' ? line.discovery_us : to - from;
        const isPeers = byPeer[name], words = isPeers ? `${name} by ${peer}` : name;
        return [{name, words, from, to, lasts, isUse, color: COLORS[color], connection: line.connection,
            meaning: isPeers ? MEANINGS_BY_PEER[name](peer, host) : meaning}];
    }).sort((a, b) => a.from - b.from);
    // Where two overlap, the timeline draws them below each other.
    bars.forEach((bar, at) => {
        const over = bars.slice(0, at).filter((one) => one.to > bar.from);
        bar.isHalf = over.length > 0;
        bar.isLower = over.length > 0 && !over[over.length - 1].isLower;
        for (const one of over) one.isHalf = true;
    });
    return bars;
}

/** The time of the last message of a layer on a connection; null if the page has none. */
function lastOf(line, layer) {
    const place = placesOfLink(line.connection).findLast((at) => log.index[at][LAYER] === layer);
    return place === undefined ? null : log.index[place][TIME];
}

/** The phases of a connection, with its failures, for the top of the page. */
function phaseChart(line) {
    const bars = barsOf(line).filter((bar) => bar.lasts === null || bar.to > bar.from);
    if (bars.length === 0) return null;
    const end = line.disconnected || line.log_ended;
    const began = line.connected ? sinceStart(line.connected) : null;
    const setup = bars.filter((bar) => !bar.isUse && bar.lasts !== null);
    const failures = timeline.incidents.filter((one) => one.kind === 'failed')
        .flatMap(({sites, text}) => sites.map(({place, link}) => ({place, link, text})))
        .filter(({link}) => link === line.connection);
    let from = Math.min(...bars.map((bar) => bar.from));
    let to = Math.max(...bars.map((bar) => bar.to), end ? sinceStart(end) : from,
        ...failures.map((one) => log.index[one.place][TIME]));
    const first = from, last = to;
    const scan = bars.find((bar) => bar.name === 'scan' && bar.lasts !== null);
    if (scan && scan.to - from > SCAN * (to - scan.to) && to > scan.to) from = 2 * scan.to - to;
    const ready = Math.max(...setup.map((bar) => bar.to));
    if (to - from > LONGEST * (ready - from) && ready > from) to = from + (ready - from) * 1.5;
    const share = shareOf(first, from, to, last);
    const cut = (bar) => bar.to > to ? 'cut' : bar.from < from ? 'earlier' : '';
    const rows = bars.map((bar) => phaseRow(bar, share, cut(bar)));
    if (began !== null && end) {
        const whole = {words: 'connection', from: began, to: sinceStart(end), lasts: line.lasted_us,
            color: 'var(--line)', isWhole: true, meaning: 'how long the connection was open'};
        rows.push(phaseRow(whole, share, cut(whole)));
    }
    const silence = endSilence(line)[0];
    if (silence && began !== null && end) {
        const [, track] = rows[rows.length - 1];
        track.append(silentPart(silence, share));
    }
    const marks = failures.slice(0, 100).map((one) => failureMark(one, share));
    const breaks = [[first < from, 'before'], [to < last, 'after']]
        .flatMap(([isCut, place]) => isCut ? [breakMark(place, 2 * rows.length)] : []);
    rows.forEach((row, at) => row.forEach((cell) => { cell.style.gridRow = at + 1; }));
    for (const mark of [...breaks, ...marks]) mark.style.gridRow = `1 / ${rows.length + 1}`;
    return make('div', {class: 'gantt'},
        ...rows.flat(), axisOf(from, to, last, share, rows.length + 1), ...breaks, ...marks);
}

/** Where a time stands: on the axis, or on the shorter one before or behind it. */
function shareOf(first, from, to, last) {
    const begin = first < from ? REST : 0, end = to < last ? 1 - REST : 1;
    const within = (time, start, stop) =>
        Math.max(0, Math.min(1, (time - start) / Math.max(1, stop - start)));
    return (time) => {
        const part = time < from ? begin * within(time, first, from)
            : time > to ? end + (1 - end) * within(time, to, last)
            : begin + (end - begin) * within(time, from, to);
        return `${part * 100}%`;
    };
}

/** A gap with edges as of torn paper across all rows: beyond it, time is drawn shorter. */
function breakMark(place, teeth) {
    const edge = (left) => Array.from({length: 2 * teeth + 1}, (_, at) =>
        `${left + (at % 2) * 4}px ${at / teeth * 50}%`);
    const shape = (left, right) => `polygon(${[...edge(left), ...edge(right).reverse()].join(', ')})`;
    const inside = make('span', {}), mark = make('span', {
        class: `break ${place}`,
        title: 'beyond this, time is drawn shorter: what crosses it lasted longer than it seems',
    }, inside);
    mark.style.clipPath = shape(0, 6);
    inside.style.clipPath = shape(1.3, 4.7);
    return mark;
}

/** Name, bar and duration of a phase. */
function phaseRow(bar, share, cut) {
    const isOpen = bar.lasts === null || bar.lasts === undefined;
    const bars = make('span', {
        class: [bar.isWhole ? 'whole' : 'phase', isOpen ? 'open' : '', cut].join(' ').trim(),
        title: `${timeWithUnit(bar.from)} to ${timeWithUnit(bar.to)}${cut ? ', drawn shorter here' : ''}`,
    });
    bars.style.left = share(bar.from);
    bars.style.right = `calc(100% - ${share(bar.to)})`;
    bars.style.setProperty('--color', bar.color);
    const whole = bar.to - bar.from;
    const busy = isOpen || whole < bar.lasts * 1.05 ? '' : ` within ${duration(whole)}`;
    return [
        make('span', {class: 'name'}, make('abbr', {title: bar.meaning}, bar.words)),
        make('span', {class: 'track', 'aria-hidden': 'true'}, bars),
        make('span', {class: 'lasts'}, make('b', {}, isOpen ? 'not finished' : duration(bar.lasts)), busy),
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

/** The times, in the row below the others; the last one where time is drawn shorter before it. */
function axisOf(from, to, last, share, row) {
    const step = stepOf(to - from, 5), ticks = [];
    for (let time = firstTick(from, step); time <= to; time += step) {
        const tick = make('span', {}, make('i', {}, timeWithUnit(time, step)));
        tick.style.left = share(time);
        ticks.push(tick);
    }
    if (to < last) {
        ticks.push(make('span', {class: 'last'}, make('i', {},
            make('em', {}, `${duration(last - to)} drawn shorter · `),
            timeWithUnit(last, step))));
    }
    const axis = make('span', {class: 'axis', 'aria-hidden': 'true'}, ...ticks);
    axis.style.gridRow = row;
    return axis;
}

// Leaves out the axis's ticks that have no room for their words, beside the one before or before the end. A
// word that would reach past the end stands before its tick.
function fitAxis() {
    const axis = document.querySelector('.axis');
    if (!axis) return;
    const texts = [...axis.querySelectorAll(':scope > :not(.last) > i')];
    const last = axis.querySelector('.last i');
    const end = last ? last.getBoundingClientRect().left - 6 : axis.getBoundingClientRect().right;
    for (const text of texts) {
        text.parentElement.hidden = false;
        text.parentElement.classList.remove('before');
    }
    const boxes = texts.map((text) => text.getBoundingClientRect());
    let free = -Infinity;
    texts.forEach((text, at) => {
        const tick = text.parentElement;
        const {left, right, width} = boxes[at], isBefore = right > end, start = left - width - 6;
        tick.classList.toggle('before', isBefore);
        tick.hidden = left > end || (isBefore ? start : left) < free;
        if (!tick.hidden) free = isBefore ? end : right + 6;
    });
}

function failureMark(incident, share) {
    const time = log.index[incident.place][TIME], name = nameOf(log.index[incident.place]);
    const text = `frame ${name}, ${timeWithUnit(time)}: ${incident.text}`;
    const mark = make('a', {href: '#frame=' + name, class: 'mark', title: text,
        'aria-label': `Failure at ${text}`});
    mark.style.setProperty('--at', share(time));
    return mark;
}

/** Steps of a clock, in seconds, minutes, hours and days. */
const CLOCK_STEPS = [[1e6, 1, 2, 5, 10, 15, 30], [6e7, 1, 2, 5, 10, 15, 30], [3.6e9, 1, 2, 3, 6, 12]]
    .flatMap(([unit, ...counts]) => counts.map((count) => count * unit));

/** The first time of an axis: a whole number of steps, by the clock where that is shown. */
function firstTick(from, step) {
    const start = log.showsDay ? Date.parse(clockText(0)) * 1000 % step : 0;
    return Math.ceil((from + start) / step) * step - start;
}

// The least of 1, 2 and 5 times a power of ten, in microseconds, of which a span has fewer than so many; of
// a clock's steps, where it is shown and the span is long enough.
function stepOf(span, most) {
    const least = log.showsDay && span / 1e6 >= most ? CLOCK_STEPS.find((step) => span / step < most) : 0;
    if (least) return least;
    for (let power = 1; power < 1e15; power *= 10) {
        for (const digit of [1, 2, 5]) if (span / (digit * power) < most) return digit * power;
    }
    return span;
}

/** Decimals of a second that a step of an axis needs. */
function digitsOf(step) { return Math.min(6, Math.max(0, 6 - Math.floor(Math.log10(step) + 1e-9))); }
