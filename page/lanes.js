// The lanes of the timeline: their names, phases as bars, frames as ticks, RSSI and latency as small plots.

function drawLane(pen, lane, top, width, color) {
    const upper = top - (lane.hasMarks ? MARKS_ROOM : 0);
    pen.strokeStyle = color('line');
    pen.beginPath();
    pen.moveTo(0, lane.edge);
    pen.lineTo(width, lane.edge);
    pen.stroke();
    if (lane.isEmpty) {
        drawEmpty(pen, lane, color);
        return;
    }
    drawName(pen, lane, color);
    pen.save();
    pen.beginPath();
    pen.rect(side(), upper, width - side(), lane.top + lane.height - upper);
    pen.clip();
    pen.fillStyle = color('soft');
    const chosen = sequence.choice ? Number(sequence.choice.value) : 0;
    for (const {from, to, connection} of lane.links) {
        const left = positionOf(from), right = positionOf(to === null ? timeline.last : to);
        fillSpan(pen, left, right, upper + 3, top + lane.height - upper - 6);
        if (connection !== chosen || log.connections.length < 2) continue;
        pen.fillStyle = color('accent');
        for (const edge of [upper + 1, top + lane.height - 3]) fillSpan(pen, left, right, edge, 2);
        pen.fillStyle = color('soft');
    }
    drawElsewhere(pen, lane, color);
    for (const silence of lane.silences) drawSilence(pen, silence, lane, color);
    for (const bar of lane.bars) drawBar(pen, bar, top, color);
    for (const end of lane.ends) drawEnd(pen, end, lane, color);
    if (lane.hasPlots) for (const band of lane.bands) drawBand(pen, band, top, color);
    drawFrames(pen, lane, top, color);
    pen.restore();
}

/** The name and address of a lane, beside it or above. */
function drawName(pen, lane, color) {
    const below = [lane.address, lane.role].filter(Boolean).join(' · '), {edge} = lane;
    pen.fillStyle = color('text');
    pen.font = TITLE_FONT;
    if (hasNamesAbove()) {
        const [title] = twoLines(pen, lane.title);
        const left = 16 + pen.measureText(title).width;
        pen.fillStyle = color('back');
        fillSpan(pen, 0, timeline.width, edge + 1, NAME_ROOM - 1);
        pen.fillStyle = color('text');
        pen.fillText(title, 8, edge + 10);
        pen.font = '11px system-ui, sans-serif';
        pen.fillStyle = color('faint');
        pen.fillText(cutText(pen, below, Math.max(0, timeline.width - left - 8)), left, edge + 10);
        pen.font = '12px system-ui, sans-serif';
        return;
    }
    const title = twoLines(pen, lane.title);
    title.forEach((text, at) => pen.fillText(text, 10, edge + (title.length > 1 ? 10 : 14) + 13 * at));
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = color('faint');
    pen.fillText(cutText(pen, below), 10, edge + (title.length > 1 ? 36 : 30));
    // A narrow page has no room for them beside the address.
    if (lane.hasRSSI && lane.hasPlots && side() >= SIDE) {
        pen.textAlign = 'right';
        pen.font = '10px system-ui, sans-serif';
        for (const strength of lane.scale) {
            const y = lane.top + 1 + heightOf(strength, lane.scale);
            pen.fillText(minus(`${strength} dBm`), side() - 8, y);
        }
        pen.textAlign = 'left';
    }
    pen.font = '12px system-ui, sans-serif';
}

/** Where the frames of a lane are that has none in view. */
function elsewhereOf(lane) {
    const before = tickFrom(lane, timeline.from);
    return [before > 0 ? '◂ earlier' : '', before < lane.places.length ? 'later ▸' : ''].filter(Boolean)
        .join(' · ');
}

/** Says so within the lane. */
function drawElsewhere(pen, lane, color) {
    const isInView = ({from, to}) => along(from) < timeline.to && along(to) > timeline.from;
    if (lane.silences.some(isInView) || hasTicks(lane, timeline.from, timeline.to)) return;
    pen.fillStyle = color('faint');
    pen.fillText(elsewhereOf(lane), side() + 6, lane.top + 30);
}

/** Says after the last packet of a connection that its end is not known, where that has room. */
function drawEnd(pen, {from, text}, lane, color) {
    const wide = pen.measureText(text).width;
    // Behind a pause, which would cover it.
    const left = timeline.pauses.reduce((x, pause) => positionOf(pause.from) < x + wide
        ? Math.max(x, positionOf(pause.to) + 6) : x, positionOf(from) + 6), right = left + wide;
    if (positionOf(from) < side() || right > timeline.width) return;
    if (hasTicks(lane, along(from) + 1, placeAt(right))) return;
    pen.fillStyle = color('faint');
    pen.fillText(text, left, lane.top + 30);
}

/** Whether a phase did not finish, came to nothing, or lacks its answers. */
function isPale(bar) { return bar.lasts === null || Boolean(bar.result || bar.missing); }

function drawBar(pen, bar, top, color) {
    const left = positionOf(bar.from), width = Math.max(2, positionOf(bar.to) - left);
    if (left + width < side() || left > timeline.width) return;
    pen.fillStyle = bar.color;
    // An unfinished phase fades, and so does one that came to nothing.
    pen.globalAlpha = isPale(bar) ? 0.45 : 1;
    fillSpan(pen, left, left + width, top + (bar.isLower ? 13 : 5), bar.isHalf ? 7 : 15);
    pen.globalAlpha = 1;
    // Measuring a word costs more than a bar.
    if (width < 12 || bar.isHalf) return;
    const what = bar.missing || (bar.lasts === null ? 'not finished' : bar.result);
    pen.fillStyle = what ? color('text') : '#ffffff';
    const from = Math.max(left, side());
    const free = left + width - from - 6;
    const words = [...what ? [`${bar.words}, ${what}`, `${bar.name}, ${what}`] : [], bar.words, bar.name]
        .find((text) => pen.measureText(text).width < free);
    if (words) pen.fillText(words, from + 3, top + 13);
}

/** Where an RSSI is drawn below a lane's top. */
function heightOf(strength, [least, most]) {
    return PLOTTED - 20 - Math.max(0, Math.min(1, (strength - least) / (most - least))) * RSSI_ROOM;
}

/** Whether an RSSI lies beyond the lane's scale, at whose edge it is drawn. */
function isFar(plot, {scale: [least, most]}) {
    return plot !== 0 && plot < 64 && (plot < least || plot > most);
}

/** Connection parameters in force. */
function drawBand(pen, band, top, color) {
    const left = Math.max(side(), positionOf(band.from));
    const right = Math.max(left + 1, positionOf(band.to));
    if (left > timeline.width || positionOf(band.to) < side()) return;
    pen.fillStyle = color('line');
    fillSpan(pen, left, left, top + PLOTTED - 16, 11);
    if (right - left < 40) return;
    pen.fillStyle = color('faint');
    const seen = Math.min(right, timeline.width);
    const words = band.words.find((text) => pen.measureText(text).width + 6 < seen - left);
    if (words) pen.fillText(words, left + 4, top + PLOTTED - 10);
}

/** Frames as ticks, one of each kind a pixel; RSSI as dots, and latency as lines from below. */
function drawFrames(pen, lane, top, color) {
    const left = side(), width = room();
    const scale = width / (timeline.to - timeline.from);
    const {times, kinds, plots} = lane.ticks;
    const drawn = new Uint16Array(width + 2), plotted = new Uint8Array((width + 2) * 256);
    // By colour: a change of colour costs more than a rectangle.
    const rectangles = {accent: [], faint: [], warn: [], bad: [], good: []};
    for (let at = 0; at < times.length; at++) {
        if (times[at] < timeline.from || times[at] > timeline.to) continue;
        const pixel = Math.round((times[at] - timeline.from) * scale), x = left + pixel;
        const kind = kinds[at], plot = plots[at];
        const bit = 1 << kind;
        if ((drawn[pixel] & bit) === 0) {
            drawn[pixel] |= bit;
            const isSent = (kind & TX_TICK) !== 0, isBad = (kind & BAD_TICK) !== 0;
            const name = isBad ? 'bad' : kind & WARN_TICK ? 'warn' : isSent ? 'accent' : 'faint';
            // A frame with a problem is longer, away from the other direction.
            const more = isBad ? 4 : 0;
            rectangles[name].push([x, top + (isSent ? 23 - more : 29), 1, 5 + more]);
        }
        const place = pixel * 256 + plot + 128;
        if (plot === 0 || !lane.hasPlots || plotted[place]) continue;
        plotted[place] = 1;
        if (plot >= 64) rectangles.faint.push([x, top + PLOTTED - 18 - (plot - 64), 1, plot - 64]);
        else {
            const name = isFar(plot, lane) ? 'warn' : 'good';
            rectangles[name].push([x, top + heightOf(plot, lane.scale), 2, 2]);
        }
    }
    for (const [name, all] of Object.entries(rectangles)) {
        pen.fillStyle = color(name);
        for (const rectangle of all) pen.fillRect(...rectangle);
    }
}

// The least and most of the RSSI that a lane shows, in whole tens of dBm: of all but the few values that are
// far from the others, which it shows at its edge.
function strengthScale(places) {
    const all = places.map((place) => log.index[place][RSSI]).filter((one) => one !== null)
        .sort((one, other) => one - other), few = Math.floor(all.length / 50);
    if (all.length === 0) return [-100, -20];
    const least = Math.floor(all[few] / 10) * 10, most = Math.ceil(all[all.length - 1 - few] / 10) * 10;
    return [least, Math.max(most, least + 20)];
}

// Makes lanes with nothing in view low after a jump. While the reader pans and zooms, lanes only become
// higher again: else those under the pointer would move away.
function lowerLanes() {
    const {from, to} = timeline, isInView = (one) => along(one.from) <= to
        && along(one.to ?? timeline.last) >= from;
    for (const lane of timeline.lanes) {
        if (!timeline.hasJumped && !lane.isEmpty) continue;
        const parts = [lane.links, lane.bars, lane.silences];
        lane.isEmpty = !hasTicks(lane, from, to) && !parts.some((all) => all.some(isInView));
    }
    // An empty page has lanes, too.
    if (timeline.lanes.every((lane) => lane.isEmpty)) for (const lane of timeline.lanes) lane.isEmpty = false;
    timeline.hasJumped = false;
}

/** A lane with nothing in view: its name, and where its frames are. */
function drawEmpty(pen, lane, color) {
    const y = lane.edge + 11, words = elsewhereOf(lane), isAbove = hasNamesAbove();
    pen.font = '12px system-ui, sans-serif';
    const wide = isAbove ? pen.measureText(words).width + 16 : 0;
    pen.fillStyle = color('faint');
    pen.fillText(words, isAbove ? timeline.width - wide : side() + 6, y);
    const name = [lane.title, lane.address].filter(Boolean).join(' ');
    pen.fillText(cutText(pen, name, isAbove ? timeline.width - wide - 16 : side() - 16), isAbove ? 8 : 10, y);
}

/** Puts the lanes below each other: name, marks, and then phases, frames and plots from `top` on. */
function placeLanes() {
    let edge = AXIS;
    for (const lane of timeline.lanes) {
        lane.edge = edge;
        lane.top = edge + (lane.isEmpty ? 0 : (hasNamesAbove() ? NAME_ROOM : 0)
            + (lane.hasMarks ? MARKS_ROOM : 0));
        lane.height = lane.isEmpty ? EMPTY : lane.hasPlots ? PLOTTED : PLAIN;
        edge = lane.top + lane.height;
    }
    const height = Math.max(edge, AXIS + PLAIN);
    if (height !== timeline.height) timeline.canvas.style.height = `${height}px`;
    timeline.height = height;
}

/** Whether the names of the lanes stand above them. */
function hasNamesAbove() { return timeline.width > 0 && timeline.width < NAMES_ABOVE; }

/** Finds the places of failures, and the lanes that have marks, which need room. */
function findMarks() {
    timeline.failures = timeline.incidents.flatMap(({kind, places}) =>
        kind === 'failed' ? places.map((place) => log.index[place][TIME]) : []);
    const marked = new Set(timeline.incidents.flatMap(({places}) =>
        places.map((place) => log.index[place][DEVICE])));
    for (const lane of timeline.lanes) {
        lane.hasMarks = [...lane.devices].some((device) => marked.has(device));
    }
}
