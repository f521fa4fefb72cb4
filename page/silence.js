// Silence on the timeline: when nothing came on a connection, and the end of one that was lost.

/** The shortest silence that is shown, in microseconds; before a loss, any. */
const SILENCE = 2e6;
/** Reasons of HCI for an end by which a link was lost: the radio heard nothing, or what came was spoilt. */
const LOST = [0x08, 0x22, 0x3d, 0x3e];

/** The times in which nothing came on a connection, with words; those at its end first. */
function silencesOf(places, lines) {
    const ends = lines.flatMap(endSilence), silences = [];
    let before = null;
    for (const place of places) {
        const row = log.index[place];
        if (row[LINK] === 0) continue;
        const from = before && before[LINK] === row[LINK] ? before[TIME] : Infinity, to = row[TIME];
        if (to - from > SILENCE && !ends.some((end) => from < end.to && to > end.from)) {
            silences.push({from, to, text: `silent for ${duration(to - from)}`, isLoss: false});
        }
        before = row;
    }
    return [...ends, ...silences];
}

/** The time from the last packet to the end of a connection, if it was lost or that is long. */
function endSilence(line) {
    const end = line.disconnected || line.log_ended;
    if (!end) return [];
    const isLoss = Boolean(line.disconnected) && LOST.includes(line.reason);
    // Before a loss, what this side still sends does not count.
    const isHeard = (row) => row[LAYER] !== 'HCI' && (row[WAY] === RX || !isLoss);
    const last = placesOfLink(line.connection).findLast((place) => isHeard(log.index[place]));
    const from = last !== undefined ? log.index[last][TIME] : isLoss ? beginOf(line) : null;
    const to = sinceStart(end);
    if (from === null || !(to - from > (isLoss ? 0 : SILENCE))) return [];
    const text = `silent for ${duration(to - from)}`;
    return [{from, to, isLoss, text: isLoss ? `${text}, then lost` : text}];
}

/** Hatches a silence; with its duration where that has room. */
function drawSilence(pen, {from, to, text, isLoss}, lane, color) {
    const {top} = lane;
    const right = Math.min(positionOf(to), timeline.width);
    // A loss is seen however short the silence was.
    const left = Math.max(side(), Math.min(positionOf(from), right - (isLoss ? 5 : 0)));
    if (right <= left) return;
    pen.strokeStyle = color(isLoss ? 'bad' : 'hatch');
    pen.beginPath();
    for (let x = left - 10; x < right; x += 7) {
        const [start, stop] = [Math.max(x, left), Math.min(x + 10, right)];
        if (stop <= start) continue;
        pen.moveTo(start, top + 36 - (start - x) * 1.4);
        pen.lineTo(stop, top + 36 - (stop - x) * 1.4);
    }
    pen.stroke();
    if (right - left < 60) return;
    pen.font = '11px system-ui, sans-serif';
    const wide = pen.measureText(text).width + 8;
    const start = [(left + right - wide) / 2, right - wide - 6, left + 6].find((one) =>
        one >= left && one + wide <= right && !hasTicks(lane, timeAt(one), timeAt(one + wide)));
    if (start !== undefined) {
        pen.fillStyle = color('back');
        fillSpan(pen, start, start + wide, top + 21, 16);
        pen.fillStyle = color(isLoss ? 'bad' : 'faint');
        pen.fillText(text, start + 4, top + 30);
    }
    pen.font = '12px system-ui, sans-serif';
}

/** Whether a lane has frames in a time. */
function hasTicks(lane, from, to) {
    const {times} = lane.ticks;
    let at = 0;
    for (let end = times.length; at < end;) {
        const middle = (at + end) >> 1;
        if (times[middle] < from) at = middle + 1;
        else end = middle;
    }
    return at < times.length && times[at] <= to;
}
