// The timeline: a lane a device. Phases as bars, frames as ticks, RSSI and latency as small plots, silence
// hatched, incidents as marks.

const TX_TICK = 1, RX_TICK = 2, BAD_TICK = 4, WARN_TICK = 8;
const AXIS = 24, SIDE = 168, MOST_SIDE = 320, MOST_LANES = 10, MOST_PLOTS = 5;
const TITLE_FONT = '600 12px system-ui, sans-serif';
/** Pages so narrow that the names stand above the lanes: beside them, they leave no room for the time. */
const NAMES_ABOVE = 560;
/** Pixels above a lane for its name, if that stands there, and for the marks of failures. */
const NAME_ROOM = 17, MARKS_ROOM = 10;
/** The heights of a lane with plots and without, with nothing in view, and of the RSSI within. */
const PLOTTED = 84, PLAIN = 44, EMPTY = 22, RSSI_ROOM = 24;

const timeline = {
    /** The canvas's width when it was last drawn: to ask for it costs a layout. */
    width: 0, height: 0, isDue: false,
    /** Whether the view is another one than before, so that lanes with nothing in it can be made low. */
    hasJumped: true,
    /** The pixels that the widest name of a lane needs. */
    names: 0,
    canvas: null, lanes: [], from: 0, to: 1, first: 0, last: 1, incidents: [], pointers: new Map(),
    cursor: null, range: null, status: null, tip: null, part: null,
    /** Whether the reader was told how the wheel zooms. */
    hasHinted: false,
    /** The pauses that are left out; `from` and `to` are places on the axis, `first` and `last` times. */
    pauses: [],
    /** The times of the places of failures. */
    failures: [],
};

function buildTimeline() {
    const weight = (places) => places.reduce((sum, place) => sum + (log.index[place][LINK] ? 1e6 : 1), 0);
    const line = mainConnection();
    const isMain = ({device}) => line !== null && log.devices[device][0] === peerOf(line);
    const devices = [...placesOfDevices()].filter(([device]) => device >= 0)
        .map(([device, places]) => ({device, places, weight: weight(places)}))
        .sort((a, b) => isMain(b) - isMain(a) || b.weight - a.weight);
    // Beside connected devices, those that only advertised are one lane.
    const connected = devices.filter((one) => one.weight >= 1e6);
    const own = (connected.length > 0 ? connected : devices).slice(0, MOST_LANES);
    // After the page's own, in the order of the first connections.
    const first = new Map(own.map(({device, places}) => [device, places.find((at) => log.index[at][LINK])]));
    own.sort((a, b) => isMain(b) - isMain(a) || first.get(a.device) - first.get(b.device) || 0);
    const others = devices.filter((one) => !own.includes(one));
    const times = log.index.map((row) => row[TIME]).sort((a, b) => a - b);
    timeline.first = times[0] ?? 0;
    timeline.last = Math.max(timeline.first + 1000, times[times.length - 1] ?? 0);
    timeline.pauses = pausesOf(times);
    timeline.lanes = own.map(({device, places}) => laneOf([device], places));
    if (others.length > 0) {
        const places = others.flatMap((one) => one.places).sort((a, b) => a - b);
        timeline.lanes.push(laneOf(others.map((one) => one.device), places));
    }
    timeline.incidents = incidentsToMark();
    timeline.tip = make('div', {class: 'tip', hidden: true});
    timeline.canvas = make('canvas', {
        id: 'timeline', tabindex: 0, role: 'img', 'aria-describedby': 'timeline-hint',
        'aria-label': `Timeline of ${counted(devices.length, 'device')}; the table below has it as text`,
        onwheel: wheelTimeline, onkeydown: timelineKey, onpointerdown: grabTimeline,
        onpointermove: dragTimeline, onblur: () => { timeline.tip.hidden = true; },
        // A finger leaves with each tap.
        onpointerleave: ({pointerType}) => { if (pointerType !== 'touch') timeline.tip.hidden = true; },
        onpointerup: dropTimeline, onpointercancel: dropTimeline,
    });
    // Without parameters, RSSI and answers, a lane needs only the rows of its frames.
    const isPlotted = (lane) => lane.bands.length > 0 || lane.ticks.plots.some(Boolean);
    // Of many, only the page's own and those with failures have plots.
    const failing = new Set(timeline.incidents.flatMap(({kind, places}) =>
        kind === 'failed' ? places.map((place) => log.index[place][DEVICE]) : []));
    const isChosen = (lane) => timeline.lanes.length <= MOST_PLOTS
        || [...lane.devices].some((device) => failing.has(device) || isMain({device}));
    for (const lane of timeline.lanes) lane.hasPlots = isPlotted(lane) && isChosen(lane);
    findMarks();
    placeLanes();
    timeline.names = widestName();
    fitConnections();
    window.addEventListener('resize', drawTimeline);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawTimeline);
    window.matchMedia('print').addEventListener('change', drawTimeline);
    timeline.part = make('span', {id: 'part', hidden: true}, make('i', {}, '▔ '), make('b', {}), ' ',
        make('button', {type: 'button', onclick: wholeTimeline}, 'show all of it'));
    timeline.status = make('p', {class: 'status', role: 'status', id: 'range'});
    return make('section', {'aria-labelledby': 'timeline-title'},
        make('h2', {id: 'timeline-title'}, 'Timeline'),
        make('div', {class: 'bar'},
            timelineButton('+', 'Zoom in', () => zoomTimeline(0.5)),
            timelineButton('−', 'Zoom out', () => zoomTimeline(2)),
            timelineButton('all', 'Show all', wholeTimeline),
            log.connections.length === 0 ? '' : make('button', {
                type: 'button', id: 'own', onclick: () => viewConnection(chosenConnection()),
            }, 'this connection'), timeline.part),
        make('div', {class: 'lanes'}, timeline.canvas, timeline.tip), timeline.status,
        make('div', {class: 'bar'}, phaseLegend()),
        hintOf('timeline-hint', 'Ctrl and the wheel, two fingers, or + and −, zoom; drag or arrows pan, '
            + 'c shows this connection, Home or a shows all; a click chooses the nearest frame, . and , the '
            + 'next and the one before in its lane; Shift with dragging or arrows counts a range, Escape '
            + 'forgets it.',
        'Two fingers zoom, one pans; a tap shows the nearest frame.'),
        phaseTable());
}

function grouped(places, key) {
    const groups = new Map();
    for (const place of places) {
        const name = key(place);
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(place);
    }
    return groups;
}

/** A lane of one device, or of several that only advertised. */
function laneOf(devices, places) {
    const several = devices.length > 1, others = several ? othersTitle(devices) : {};
    const [address, name] = log.devices[devices[0]];
    const links = several ? [] : log.connections.filter((line) => peerOf(line) === address);
    const shown = name || log.names.get(address);
    // The recorded side mostly is the central, and says nothing of it.
    const role = links.some((line) => line.role === 'peripheral') ? 'central' : '';
    return {
        devices: new Set(devices), places, links: links.flatMap(openOf), bars: links.flatMap(barsOf),
        bands: links.flatMap(bandsOf), ends: links.flatMap(openEndOf), silences: silencesOf(places, links),
        title: others.title || shown || address,
        address: others.more || (!several && shown ? address : ''), role,
        hasRSSI: places.some((place) => log.index[place][RSSI] !== null), scale: strengthScale(places),
        ticks: ticksOf(places),
    };
}

/** What a lane of several devices is called: of those that only advertised, the count as in their table. */
function othersTitle(devices) {
    const {connected, count} = heardDevices(), linked = new Set(connected);
    const isHeard = (number) => log.devices[number][2] > 0;
    // A log of very many connections has lanes only for the first.
    const silent = devices.filter((number) => !isHeard(number)).length;
    if (silent === devices.length || devices.some((number) => linked.has(number))) {
        return {title: `${devices.length} other devices`};
    }
    return {title: `${counted(count - connected.length, 'device')} only advertised`,
        more: silent > 0 ? `and ${counted(silent, 'other')}` : ''};
}

/** The time that a connection was open; without an end if the log has none. */
function openOf(line) {
    if (!line.connected) return [];
    const to = line.disconnected || sidesOf(line)[5] ? endTime(line) : null;
    return [{from: sinceStart(line.connected), to, connection: line.connection}];
}

/** The last packet of a connection whose end the log does not show, and words that say so. */
function openEndOf(line) {
    const from = sidesOf(line)[5] ? endTime(line) : null;
    return from === null ? [] : [{from, text: endOf(line)}];
}

/** What is drawn of a lane's frames, in arrays, because each zoom step reads all of it. */
function ticksOf(places) {
    const ticks = {
        times: new Float64Array(places.length), kinds: new Uint8Array(places.length),
        plots: new Int16Array(places.length),
    };
    places.forEach((place, at) => {
        const row = log.index[place];
        ticks.times[at] = along(row[TIME]);
        ticks.kinds[at] = (row[WAY] === TX ? TX_TICK : RX_TICK) | [0, WARN_TICK, BAD_TICK][row[WRONG]];
        // RSSI as it is, which is below 64; latency above, on its logarithmic scale; 0 for neither.
        if (row[RSSI] !== null) ticks.plots[at] = row[RSSI] || -1;
        else if (row[LATENCY] !== null) {
            const height = Math.min(1, Math.log10(1 + Math.max(0, row[LATENCY])) / 7) * 18;
            ticks.plots[at] = 64 + Math.max(1, Math.round(height));
        }
    });
    return ticks;
}

/** The parameters of a connection as bands, each to the next or to the end. */
function bandsOf(line) {
    const end = endTime(line);
    const mtu = line.att_mtu ? [`MTU ${line.att_mtu}`] : [];
    return parametersOf(line).map((band) => ({
        from: band.from, to: band.to === null ? end ?? band.from : band.to,
        // The longest that has room.
        words: [[band.interval, `latency ${band.latency}`, `timeout ${band.timeout}`, ...mtu],
            [band.interval, ...mtu], [band.interval]].map((parts) => parts.join(' · ')),
    }));
}

/** The failures and overcome problems that have frames in the page. */
function incidentsToMark() {
    return log.incidents.filter(({kind, places}) => kind !== 'warning' && places.length > 0)
        .map((one) => ({...one, place: one.places[0]})).sort((a, b) => a.place - b.place);
}

function timelineButton(text, label, action) {
    return make('button', {type: 'button', 'aria-label': label, onclick: action}, text);
}

/** Each colour with the phases that have it, and the other signs. */
function phaseLegend() {
    const used = new Set(timeline.lanes.flatMap((lane) => lane.bars.map((bar) => bar.name)));
    const phases = COLORS.flatMap((color, at) => {
        const all = [...PHASES, VOICE].filter((one) => one[3] === at && used.has(one[0]));
        const names = all.map(([name]) => name);
        return names.length === 0 ? [] : [make('span', {}, swatch(color), names.join(', '))];
    });
    return make('span', {class: 'legend', 'aria-hidden': 'true'}, ...phases, ...signs());
}

function swatch(color) {
    const box = make('i', {});
    box.style.background = color;
    return box;
}

/** What else the lanes show, each sign with its words. */
function signs() {
    const inLanes = (test) => timeline.lanes.some(test);
    const marks = (kind) => timeline.incidents.some((one) => one.kind === kind);
    const inBars = (test) => inLanes((lane) => lane.bars.some(test));
    return [
        [inBars((bar) => bar.lasts === null), 'pale', swatch(COLORS[0]), 'pale: not finished'],
        [inBars((bar) => bar.missing), 'pale', swatch(COLORS[0]), `pale: ${NO_ANSWERS}`],
        [inBars((bar) => bar.result), 'pale', swatch(COLORS[0]), 'pale: refused or failed'],
        [inLanes((lane) => lane.links.length > 0), 'band', swatch('var(--soft)'), 'connected'],
        [log.connections.length > 1, 'chosen', swatch('var(--soft)'), 'the chosen connection'],
        [true, 'sent', '╹ sent'], [true, 'received', '╻ received'],
        [inLanes((lane) => lane.ticks.kinds.some((kind) => kind & BAD_TICK)), 'bad', '╻ failed'],
        [inLanes((lane) => lane.ticks.kinds.some((kind) => kind & WARN_TICK)), 'warn', '╻ warned'],
        [marks('failed'), 'bad', '▼ place of a failure'],
        [marks('overcome'), 'warn', '▼ place of an overcome problem'],
        [inLanes((lane) => lane.silences.some((one) => !one.isLoss)), 'received', '/// no data'],
        [inLanes((lane) => lane.silences.some((one) => one.isLoss)), 'bad', '/// no data before a loss'],
        [timeline.pauses.length > 0, 'received', '⌇ nothing recorded, left out'],
        [log.gaps.some((count) => count > 0), 'warn', '▬ frames not in this page'],
        [true, 'cursor', '│ the frame shown below'],
        [true, 'band', swatch('var(--outside)'), 'before or after the log'],
        [inLanes((lane) => lane.hasRSSI), 'good', '· RSSI'],
        [inLanes((lane) => lane.ticks.plots.some((plot) => isFar(plot, lane))), 'warn',
            '· RSSI beyond its scale'],
        [inLanes((lane) => lane.ticks.plots.some((plot) => plot >= 64)), 'received', '❘ time to the answer'],
    ].flatMap(([isThere, kind, ...sign]) => isThere ? [make('span', {class: kind}, ...sign)] : []);
}

/** How long a phase lasted, and what became of it. */
function barText({lasts, result, missing}) {
    const known = [lasting(lasts), result].filter(Boolean).join(', ');
    return missing || (lasts === null ? 'not finished' : known);
}

function phaseTable() {
    const rows = timeline.lanes.flatMap((lane) => lane.bars.map((bar) => make('tr', {},
        make('td', {}, lane.address ? `${lane.title} (${lane.address})` : lane.title),
        make('td', {}, String(bar.connection)),
        make('td', {}, bar.words),
        make('td', {}, moment(bar.from)),
        make('td', {}, bar.more ? `${barText(bar)}; ${bar.more.length} more not listed` : barText(bar)))));
    if (rows.length === 0) return '';
    const heads = ['device', 'connection', 'phase', 'begins', 'lasts'];
    const title = make('summary', {}, 'The phases as a table');
    return make('details', {}, title, make('div', {class: 'scroll', tabindex: 0},
        make('table', {}, make('thead', {}, make('tr', {},
            ...heads.map((name) => make('th', {scope: 'col'}, name)))), make('tbody', {}, ...rows))));
}

// Drawing

/** Draws at the next frame of the screen, once for all that was asked meanwhile. */
function redrawTimeline() {
    if (timeline.isDue) return;
    timeline.isDue = true;
    requestAnimationFrame(drawTimeline);
}

function drawTimeline() {
    const canvas = timeline.canvas, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    timeline.isDue = false;
    timeline.width = width;
    lowerLanes();
    placeLanes();
    const height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colors = new Map();
    const color = (name) => {
        if (!colors.has(name)) colors.set(name, style.getPropertyValue('--' + name).trim());
        return colors.get(name);
    };
    pen.fillStyle = color('back');
    pen.fillRect(0, 0, width, height);
    pen.font = '12px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    drawView(pen, color);
    drawAxis(pen, width, height, color);
    drawOutside(pen, height, color);
    for (const lane of timeline.lanes) drawLane(pen, lane, lane.top, width, color);
    drawPauses(pen, height, color);
    drawGaps(pen, height, color);
    drawMarks(pen, width, height, color);
    showPart();
}

/** The least share of the log that counts as all of it. */
const WHOLE = 0.9;

/** Says which part of the log is in view, if it is not all. */
function showPart() {
    const clamp = (time) => Math.max(timeline.first, Math.min(timeline.last, time));
    const shown = clamp(timeAlong(timeline.to)) - clamp(timeAlong(timeline.from));
    const all = timeline.last - timeline.first;
    timeline.part.hidden = shown >= WHOLE * all;
    if (!timeline.part.hidden) {
        const others = timeline.failures.map(along).filter((at) => at < timeline.from || at > timeline.to);
        const failures = others.length > 0 ? `; failures outside it: ${counted(others.length, 'place')}` : '';
        timeline.part.querySelector('b').textContent =
            `a part: ${duration(Math.round(shown))} of ${duration(all)}${failures}`;
    }
}

/** Where the lanes begin, right of their names. */
function side() {
    if (hasNamesAbove()) return 8;
    return Math.round(Math.min(Math.max(SIDE, timeline.names), timeline.width / 3));
}

/** Fills a rectangle on whole pixels, at least one wide. */
function fillSpan(pen, from, to, top, height) {
    const left = Math.round(from);
    pen.fillRect(left, top, Math.max(1, Math.round(to) - left), height);
}

/** Pixels for the time, however narrow the page is. */
function room() { return Math.max(1, timeline.width - side() - 8); }

function positionOf(time) {
    const left = side(), width = room();
    return left + (along(time) - timeline.from) / (timeline.to - timeline.from) * width;
}

/** The place on the axis at a pixel, and the time there. */
function placeAt(x) {
    return timeline.from + (x - side()) / room() * (timeline.to - timeline.from);
}

function timeAt(x) { return timeAlong(placeAt(x)); }

/** Where frames have no room on the page, as a strip below the axis; the range that is selected. */
function drawGaps(pen, height, color) {
    const span = (timeline.last - timeline.first) / log.gaps.length;
    pen.fillStyle = color('warn');
    log.gaps.forEach((count, bin) => {
        const left = Math.max(side(), positionOf(timeline.first + bin * span));
        const right = positionOf(timeline.first + (bin + 1) * span);
        if (count > 0 && right > left) fillSpan(pen, left, right, AXIS - 3, 3);
    });
    if (!timeline.range) return;
    const [from, to] = timeline.range.map((time) => Math.max(side(), positionOf(time)));
    pen.globalAlpha = 0.18;
    pen.fillStyle = color('accent');
    if (from !== to) fillSpan(pen, Math.min(from, to), Math.max(from, to), AXIS, height - AXIS);
    pen.globalAlpha = 1;
}

/** Marks a frame by a line, and brings it into view; `seeks` says whether its connection has to be seen. */
function markFrame(place, seeks) {
    timeline.cursor = place;
    bringIntoView(log.index[place], seeks);
    markStep(place, seeks);
    drawTimeline();
}
