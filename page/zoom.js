// Marks, zoom and pan of the timeline, selected ranges, and words on the frame under the pointer.

/** The marks in view: the frame of each, its kind, and where its upper edge is. */
function marksInView() {
    return timeline.incidents.flatMap(({places, kind}) => places.map((place) => {
        const row = log.index[place], lane = timeline.lanes.find((one) => one.devices.has(row[DEVICE]));
        return {place, kind, x: positionOf(row[TIME]), top: lane ? lane.top - MARKS_ROOM : 2};
    })).filter(({x}) => x >= side() && x <= timeline.width);
}

/** Pixels that the triangle of a mark needs beside the next of its kind. */
const MARK_ROOM = 10;

/** Draws the marks; those that would lie over each other as one, with their number. */
function drawMarks(pen, width, height, color) {
    const drawn = new Map();
    for (const {kind, x, top} of marksInView().sort((a, b) => a.x - b.x)) {
        const name = `${kind} ${top}`;
        if (!drawn.has(name)) drawn.set(name, []);
        const own = drawn.get(name), last = own[own.length - 1];
        // A number needs room, too.
        if (last && x - last.x < (last.count > 1 ? 2 : 1) * MARK_ROOM) last.count++;
        else own.push({kind, x, top, count: 1});
    }
    pen.font = '700 10px system-ui, sans-serif';
    for (const {kind, x, top, count} of [...drawn.values()].flat()) {
        const sign = color(kind === 'failed' ? 'bad' : 'warn');
        pen.fillStyle = sign;
        pen.beginPath();
        pen.moveTo(x - 5, top + 1);
        pen.lineTo(x + 5, top + 1);
        pen.lineTo(x, top + 11);
        pen.fill();
        if (count < 2) continue;
        const words = String(count);
        pen.fillStyle = color('back');
        fillSpan(pen, x + 5, x + 8 + pen.measureText(words).width, top + 1, 11);
        pen.fillStyle = sign;
        pen.fillText(words, x + 6, top + 7);
    }
    pen.font = '12px system-ui, sans-serif';
    if (timeline.cursor === null) return;
    const x = positionOf(log.index[timeline.cursor][TIME]);
    if (x < side()) return;
    pen.strokeStyle = color('text');
    pen.beginPath();
    // Not through the words of the axis.
    pen.moveTo(x + 0.5, AXIS);
    pen.lineTo(x + 0.5, height);
    pen.stroke();
}

function wholeTimeline() {
    const {from, to} = wholeSpan(), edge = (to - from) * 0.01;
    lookAt([from - edge, to + edge]);
    timeline.hasJumped = true;
    if (timeline.canvas.isConnected) drawTimeline();
}

/** Shows another part of the axis; what was at the pointer is elsewhere. */
function lookAt([from, to]) {
    [timeline.from, timeline.to] = [from, to];
    timeline.tip.hidden = true;
}

/** All of the axis. */
function wholeSpan() { return {from: along(timeline.first), to: along(timeline.last)}; }

/** The places on the axis of a failure that is on no connection, with what it answers; null for others. */
function failureSpan() {
    const place = headlinePlace();
    if (place === undefined || linkOf(place)) return null;
    const {places} = log.incidents[document.querySelector('.card.failed').dataset.incident];
    const rows = places.map((one) => log.index[one]);
    const from = along(Math.min(...rows.map((row) => row[TIME] - (row[LATENCY] || 0))));
    const to = along(Math.max(...rows.map((row) => row[TIME])));
    return withinWhole(from, to, Math.max(5e5, (to - from) / 4));
}

/** A stretch of the axis with a margin, moved to where the log has something. */
function withinWhole(from, to, margin) {
    const whole = wholeSpan(), edge = (whole.to - whole.from) * 0.01;
    const length = Math.min(to - from + 2 * margin, whole.to - whole.from + 2 * edge);
    const start = Math.max(whole.from - edge, Math.min(from - margin, whole.to + edge - length));
    return [start, start + length];
}

/** The share of the log from which on the connection that the page is about is not too short to be seen. */
const LEAST_SHARE = 0.1;

// Begins with all of the log; where something failed, with the connection that the page is about, or with all
// connections, where there is more time. A connection that is only a small part is shown with what is around.
function fitConnections() {
    const line = mainConnection(), failure = failureSpan();
    wholeTimeline();
    if (failure) {
        lookAt(failure);
        return;
    }
    const length = ({from, to}) => along(to) - along(from);
    const isShort = (one, other) => one.to > one.from && length(one) < length(other) / 2;
    const all = spanOf(log.connections), own = line ? spanOf([line]) : all;
    const best = isShort(own, all) ? own : all;
    const whole = {from: timeline.first, to: timeline.last};
    if (own.to > own.from && length(own) < LEAST_SHARE * length(whole)) {
        lookAt(withinWhole(along(own.from), along(own.to), length(own) / 2));
    } else if (headlinePlace() !== undefined && isShort(best, whole)) {
        lookAt(withMargin(best));
    }
}

/** The places on the axis around two times. */
function withMargin(span) {
    const [from, to] = [span.from, span.to].map(along), margin = Math.max(50, (to - from) * 0.04);
    return [from - margin, to + margin];
}

/** The connection that is looked at. */
function chosenConnection() {
    const number = sequence.choice ? Number(sequence.choice.value) : 0;
    return log.connections.find((line) => line.connection === number) || overview.connection;
}

/** Zooms to a connection, or to the failure that is on none while the exchange shows that. */
function viewConnection(line) {
    timeline.hasJumped = true;
    const failure = sequence.isApart ? failureSpan() : null;
    if (failure) {
        lookAt(failure);
        drawTimeline();
        return;
    }
    const span = line ? spanOf([line]) : {from: Infinity, to: -Infinity};
    if (span.to < span.from) return;
    lookAt(withMargin(span));
    drawTimeline();
}

/** Pixels that a connection needs at least to be seen. */
const LEAST_SEEN = 24;

// Brings a frame into view: with its connection, unless a part of that is in view already. `seeks` says
// whether a connection that is too narrow to be seen counts as not in view.
function bringIntoView(row, seeks) {
    const time = along(row[TIME]), shown = timeline.to - timeline.from;
    const isInView = time >= timeline.from && time <= timeline.to;
    if (isInView && !seeks) return;
    const line = row[LINK] ? log.connections.find((one) => one.connection === row[LINK]) : null;
    const [from, to] = line ? withMargin(spanOf([line])) : [Infinity, -Infinity];
    const isNarrow = (to - from) / shown * (timeline.width - side()) < LEAST_SEEN;
    if (isInView && !isNarrow) return;
    timeline.hasJumped = true;
    const isPart = from < timeline.to && to > timeline.from && !isNarrow;
    const isOwn = time >= from && time <= to && !isPart;
    if (isOwn) lookAt([from, to]);
    else if (!isInView) lookAt(withinWhole(time, time, shown / 2));
}

/** The time of some connections, with the scans before them, if these are not much longer. */
function spanOf(lines) {
    let [from, to] = [Infinity, -Infinity];
    const take = (time) => { [from, to] = [Math.min(from, time), Math.max(to, time)]; };
    const numbers = new Set(lines.map((line) => line.connection)), bars = lines.flatMap(barsOf);
    for (const row of log.index) if (numbers.has(row[LINK])) take(row[TIME]);
    for (const bar of bars) if (bar.name !== 'scan') [bar.from, bar.to].forEach(take);
    for (const open of lines.flatMap(openOf)) {
        for (const end of [open.from, open.to]) if (end !== null) take(end);
    }
    const longest = SCAN * (to - from);
    for (const bar of bars) if (bar.name === 'scan' && bar.to - bar.from <= longest) take(bar.from);
    return {from, to};
}

/** The point that buttons and keys zoom about: the chosen frame where it is in view, else the middle. */
function middleOfZoom() {
    const chosen = timeline.cursor === null ? -1 : positionOf(log.index[timeline.cursor][TIME]);
    return chosen >= side() && chosen <= timeline.width ? chosen : (side() + timeline.width) / 2;
}

/** Makes the view so many times as long, around a point of it. */
function zoomTimeline(factor, x = middleOfZoom()) {
    const middle = placeAt(x), span = Math.max(100, (timeline.to - timeline.from) * factor);
    const share = (middle - timeline.from) / (timeline.to - timeline.from);
    moveTimeline(middle - span * share, span);
}

function panTimeline(time) { moveTimeline(timeline.from + time, timeline.to - timeline.from); }

/** Shows the stretch of this length from a place of the axis on, or as near to it as the log goes. */
function moveTimeline(from, length) {
    lookAt(withinWhole(from, from + length, 0));
    redrawTimeline();
}

/** Zooms with Ctrl, or once a click has given the timeline the focus: else the wheel scrolls the page. */
function wheelTimeline(event) {
    const isAcross = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isAcross && !event.ctrlKey && !event.metaKey && document.activeElement !== timeline.canvas) {
        if (!timeline.hasHinted) {
            showWords(event, 'Ctrl and the wheel zoom here; after a click, the wheel alone');
        }
        timeline.hasHinted = true;
        return;
    }
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) panTimeline(placeAt(event.deltaX) - placeAt(0));
    else zoomTimeline(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.offsetX);
}

function timelineKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (timeline.to - timeline.from) / 8;
    if (event.shiftKey && ['ArrowLeft', 'ArrowRight'].includes(event.key)) {
        extendRange(event.key === 'ArrowRight' ? step / 5 : -step / 5);
        event.preventDefault();
        return;
    }
    const actions = {
        '+': () => zoomTimeline(0.5), '=': () => zoomTimeline(0.5), '-': () => zoomTimeline(2),
        ArrowLeft: () => panTimeline(-step), ArrowRight: () => panTimeline(step), Home: wholeTimeline,
        Enter: () => showNearest((timeline.width + side()) / 2, AXIS + 1),
        // As in other viewers of traces.
        w: () => zoomTimeline(0.5), s: () => zoomTimeline(2),
        '.': () => stepInLane(1), ',': () => stepInLane(-1),
        ArrowDown: () => stepLane(1), ArrowUp: () => stepLane(-1),
        Escape: timeline.range && forgetRange,
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
}

/** The lane of the frame that is shown, or the first one. */
function laneOfCursor() {
    const row = timeline.cursor === null ? null : log.index[timeline.cursor];
    return timeline.lanes.find((lane) => row && lane.devices.has(row[DEVICE])) || timeline.lanes[0];
}

/** Shows the frame after the one that is shown in its lane, or before. */
function stepInLane(by) {
    const lane = laneOfCursor(), at = lane ? lane.places.indexOf(timeline.cursor) : -1;
    const place = lane && lane.places[at < 0 ? 0 : at + by];
    return place === undefined ? undefined : showWithTip(place, lane);
}

/** Shows the frame of the lane below, or above, that is nearest in time. */
function stepLane(by) {
    const lane = timeline.lanes[timeline.lanes.indexOf(laneOfCursor()) + by];
    const time = timeline.cursor === null ? timeline.first : log.index[timeline.cursor][TIME];
    return lane ? showWithTip(nearest(lane.places, time), lane) : undefined;
}

/** Shows a frame of a lane, with the words that a pointer there would show. */
async function showWithTip(place, lane) {
    await chooseFrame(place, false, true);
    const x = positionOf(log.index[place][TIME]), y = lane.top + 28;
    if (timeline.cursor === place) showWords({offsetX: x, offsetY: y}, tipAt(x, y, place));
}

function grabTimeline(event) {
    timeline.canvas.setPointerCapture(event.pointerId);
    timeline.tip.hidden = true;
    timeline.pointers.set(event.pointerId, {
        x: event.offsetX, start: event.offsetX, selects: event.shiftKey,
    });
    if (!event.shiftKey && timeline.range) forgetRange();
}

/** Moves the end of the selected range, which begins at the frame that is shown, along the axis. */
function extendRange(step) {
    const begin = timeline.cursor === null ? timeline.first : log.index[timeline.cursor][TIME];
    const [from, to] = timeline.range || [begin, begin];
    timeline.range = [from, withinLog(timeAlong(along(to) + step))];
    showRange();
    redrawTimeline();
}

/** The nearest time that the log has. */
function withinLog(time) { return Math.min(timeline.last, Math.max(timeline.first, time)); }

function forgetRange() {
    timeline.range = null;
    timeline.status.textContent = '';
    redrawTimeline();
}

function dragTimeline(event) {
    const own = timeline.pointers.get(event.pointerId);
    if (!own) return showTip(event);
    if (own.selects) {
        timeline.range = [own.start, event.offsetX].map((x) => withinLog(timeAt(x)));
        showRange();
        return redrawTimeline();
    }
    const others = [...timeline.pointers.values()].filter((pointer) => pointer !== own);
    if (others.length === 0) {
        panTimeline(placeAt(own.x) - placeAt(event.offsetX));
    } else {
        const distance = (x) => Math.max(8, Math.abs(x - others[0].x));
        zoomTimeline(distance(own.x) / distance(event.offsetX), (own.x + others[0].x) / 2);
    }
    own.x = event.offsetX;
}

function dropTimeline(event) {
    const own = timeline.pointers.get(event.pointerId);
    timeline.pointers.delete(event.pointerId);
    const isStill = own && !own.selects && Math.abs(event.offsetX - own.start) < 4;
    const isClick = isStill && event.type === 'pointerup';
    if (!isClick) return;
    // A finger can't hover.
    if (event.pointerType === 'touch') showTip(event);
    showNearest(event.offsetX, event.offsetY);
}

/** What is in the selected range: frames, their time and their bytes. */
function showRange() {
    const [from, to] = [...timeline.range].sort((a, b) => a - b);
    const rows = log.index.filter((row) => row[TIME] >= from && row[TIME] <= to);
    const bytes = rows.filter(isData).reduce((sum, row) => sum + row[BYTES], 0);
    const answers = answersIn(rows);
    const median = answers.length > 0 ? `, median answer ${duration(answers[answers.length >> 1])}` : '';
    const rate = to > from ? `, ${(bytes / (to - from) * 1000).toFixed(2)} kB/s` : '';
    const length = duration(Math.round(to - from));
    timeline.status.textContent = `${length} selected: ${counted(rows.length, 'frame')}, `
        + `${counted(bytes, 'byte')} of data${rate}${median} `;
    timeline.status.append(make('button', {
        type: 'button', onclick: () => moveTimeline(along(from), along(to) - along(from)),
    }, 'zoom to it'), ' ', rows.length === 0 ? '' : make('button', {
        type: 'button', onclick: () => selectFrames(rows.map((row) => log.places.get(nameOf(row)))),
    }, 'select its frames'));
}

/** A word on what is under the pointer. */
function showTip(event) { showWords(event, tipAt(event.offsetX, event.offsetY)); }

/** What is at a point of the timeline: a frame, those that are left out, or a phase; and when that is. */
function tipAt(x, y, place = undefined) {
    const lane = laneAt(y), time = timeAt(x);
    const pause = timeline.pauses.find(({from, to}) => positionOf(from) + 4 < x && x < positionOf(to) - 4);
    if (y < AXIS) {
        const span = (timeline.last - timeline.first) / log.gaps.length;
        const count = log.gaps[Math.floor((time - timeline.first) / span)];
        return count > 0 ? `${counted(count, 'frame')} here not in this page` : '';
    }
    if (x < side()) return lane ? `${lane.title} ${lane.address}`.trim() : '';
    if (pause) return `${capital(pauseText(pause))}: left out here`;
    if (!lane) return '';
    const near = place ?? nearest(lane.places, time), row = near === undefined ? null : log.index[near];
    const isNear = row && Math.abs(positionOf(row[TIME]) - x) < 5, text = isNear ? frameTip(near) : '';
    const isAt = (one) => positionOf(one.from) - 2 <= x && x <= positionOf(one.to ?? timeline.last) + 2;
    const bar = y < lane.top + 22 ? lane.bars.findLast(isAt) : undefined;
    const link = lane.links.findLast(isAt), end = lane.ends.findLast(({from}) => from < time);
    const isAfter = !text && !bar && end && !hasTicks(lane, along(end.from) + 1, along(time));
    const silence = lane.silences.find((one) => one.from <= time && time <= one.to);
    const step = (timeline.to - timeline.from) / room();
    const band = lane.hasPlots && y > lane.top + PLOTTED - 18 ? lane.bands.findLast(isAt) : undefined;
    const phase = bar && `${capital(bar.words)} ${barText(bar)}`.trim();
    return [link && `Connection ${link.connection}`, phase, band && band.words[0], text,
        isAfter && capital(end.text), silence && capital(silence.text),
        !isNear && timeWithUnit(Math.round(time), Math.max(1, step))].filter(Boolean).join(' · ');
}

/** A frame in a few words, with its RSSI. */
function frameTip(place) {
    const row = log.index[place], what = problemText(row) || row[MEANING] || row[LABEL];
    const strength = row[RSSI] === null ? '' : minus(` · ${row[RSSI]} dBm`);
    return `Frame ${nameOf(row)}, ${timeWithUnit(row[TIME])}: ${what}`.slice(0, 160) + strength;
}

function showWords(event, text) {
    const tip = timeline.tip;
    tip.hidden = text === '';
    tip.textContent = text;
    tip.style.left = `${Math.min(event.offsetX + 12, Math.max(0, timeline.width - 320))}px`;
    tip.style.top = `${event.offsetY + 14}px`;
}

/** The lane at a height of the timeline. */
function laneAt(y) { return timeline.lanes.find((lane) => y >= lane.edge && y < lane.top + lane.height); }

/** The place nearest to a time. */
function nearest(places, time) {
    const far = (place) => Math.abs(log.index[place][TIME] - time);
    return places.length === 0 ? undefined : places.reduce((a, b) => far(b) < far(a) ? b : a);
}

/** Shows the failure whose mark is there, or the frame of the lane there that is nearest in time. */
function showNearest(x, y) {
    const far = (mark) => Math.max(Math.abs(mark.x - x), Math.abs(mark.top + 6 - y));
    const mark = marksInView().reduce((a, b) => a && far(a) <= far(b) ? a : b, null);
    if (mark && far(mark) <= 8) return chooseFrame(mark.place, true);
    const lane = laneAt(y);
    const places = lane ? lane.places : [...log.index.keys()];
    const near = nearest(places, timeAt(x));
    return near === undefined ? undefined : chooseFrame(near);
}

/** Shows a frame chosen on the timeline, which stays in view: words below it lead to the frame. */
async function chooseFrame(place, seeks = false, isStep = false) {
    const row = log.index[place], isSheet = SHEET.matches;
    await openFrame(place, isSheet, seeks, isStep);
    // A later choice is there already.
    if (detail.opened !== place) return;
    if (!isSheet) {
        takeStop(place);
        addressFrame(row, isStep);
    }
    timeline.status.replaceChildren(isSheet ? `Frame ${nameOf(row)}` : make('button', {
        type: 'button', class: 'plain', onclick: () => openFrame(place, true, seeks),
    }, `Frame ${nameOf(row)} ↓`), [` · ${timeWithUnit(row[TIME])}`, wayText(row), ''].filter((text, at) =>
        text !== '' || at > 1).join(' · '), problemText(row) || frameWords(row));
    timeline.canvas.scrollIntoView({block: 'nearest'});
}

/** The pixels that the lanes' names need. */
function widestName() {
    const pen = timeline.canvas.getContext('2d');
    pen.font = TITLE_FONT;
    const widths = timeline.lanes.map((lane) => Math.ceil(pen.measureText(lane.title).width) + 20);
    return Math.min(MOST_SIDE, Math.max(0, ...widths));
}

/** A text on two lines if it has no room on one: broken at a space, or where the line is full. */
function twoLines(pen, text) {
    if (hasNamesAbove()) return [cutText(pen, text, timeline.width - 16)];
    const free = side() - 16, fits = (part) => pen.measureText(part).width <= free;
    if (fits(text)) return [text];
    let end = text.length;
    while (end > 1 && !fits(text.slice(0, end))) end--;
    const space = text.lastIndexOf(' ', end);
    const at = space > 0 ? space : end;
    return [text.slice(0, at), cutText(pen, text.slice(at).trim())];
}

/** A text of which the end is left out if it has no room beside the lane. */
function cutText(pen, text, free = side() - 16) {
    if (pen.measureText(text).width <= free) return text;
    let end = text.length;
    while (end > 1 && pen.measureText(text.slice(0, end) + '…').width > free) end--;
    return text.slice(0, end) + '…';
}
