// Silence on the timeline: when nothing came on a connection, the end of one that was lost, and pauses of the
// whole log, which the timeline leaves out.

/** The shortest silence that is shown, in microseconds; before a loss, any. */
const SILENCE = 2e6;

/** The times in which nothing came on a connection, with words; those at its end first. */
function silencesOf(places, lines) {
    const ends = lines.flatMap(endSilence), silences = [], voices = lines.flatMap(voicesOf);
    const nothing = lines.some((line) => line.air) ? 'nothing heard' : 'no data';
    const hasData = new Set(lines.filter(showsData).map((line) => line.connection));
    const isTold = (from, to) => !hasOmitted({from, to}, log.missing)
        && ![...ends, ...voices].some((one) => from < one.to && to > one.from);
    let before = null;
    for (const place of places) {
        const row = log.index[place];
        if (!hasData.has(row[LINK])) continue;
        const from = before && before[LINK] === row[LINK] ? before[TIME] : Infinity, to = row[TIME];
        if (to - from > SILENCE && to - from <= JUMP && isTold(from, to)) {
            silences.push({from, to, text: `${nothing} for ${duration(to - from)}`, isLoss: false});
        }
        before = row;
    }
    return isRhythm(silences) ? ends : [...ends, ...silences];
}

/** The fewest silences of the same length that are the rhythm of an application. */
const LEAST_BEATS = 5;

/** Whether silences are the pauses of an application that speaks at fixed intervals. */
function isRhythm(silences) {
    const lengths = silences.map(({from, to}) => to - from).sort((a, b) => a - b);
    const median = lengths[lengths.length >> 1];
    return lengths.length >= LEAST_BEATS && lengths[0] > 0.75 * median
        && lengths[lengths.length - 1] < 1.25 * median;
}

/** Whether the log has data of a connection: an export of events alone can't show when it paused. */
function showsData(line) { return Boolean(line.air) || packetsOf(line) > 0 || voicesOf(line).length > 0; }

/**
 * The time from the last packet to the end of a connection, if that is long; before a loss, from the last
 * packet that the other side sent or acknowledged.
 */
function endSilence(line) {
    const end = line.disconnected || line.log_ended;
    const [, , , , , endsWithLastPacket, isLost, heard = null, isAcknowledged] = sidesOf(line);
    if (!end || endsWithLastPacket) return [];
    const isLoss = Boolean(line.disconnected && isLost), isTimeout = SILENT_ENDS.includes(line.reason);
    const isHeard = (row) => row[LAYER] !== 'HCI' || !line.disconnected && !row[FOLDED];
    const last = isLoss ? undefined
        : placesOfLink(line.connection).findLast((place) => isHeard(log.index[place]));
    const spoke = voicesOf(line).filter(({received}) => !isLoss || received > 0).map((one) => one.to);
    const since = isLoss ? heard ?? beginOf(line) : last !== undefined ? log.index[last][TIME] : null;
    const from = since === null ? null : Math.max(since, ...spoke), to = sinceStart(end);
    if (from === null || !(to - from > (isLoss ? 0 : SILENCE))) return [];
    const nothing = line.air ? 'nothing heard' : 'no data';
    if (!isLoss && !showsData(line)) return [];
    if (!isLoss) return [{from, to, isLoss, text: `${nothing} for ${duration(to - from)}`}];
    // As the card says it.
    const what = isAcknowledged ? 'no data or acknowledgement' : 'no data received';
    if (!isTimeout) return [{from, to, isLoss: false, text: `${what} for ${duration(to - from)}`}];
    const [{wait = 0} = {}] = parametersOf(line).slice(-1);
    // The devices were in contact until a supervision timeout before the end.
    if (wait === 0 || to - from < 2 * wait) {
        return [{from, to, isLoss, text: `${what} for ${duration(to - from)}, then lost`}];
    }
    return [{from, to: to - wait, isLoss: false, text: `${what} for ${duration(to - from)}`},
        {from: to - wait, to, isLoss, text: `no contact for ${duration(wait)}, then lost`}];
}

/** The reasons of ends by silence: timeouts of the connection and its beginning, not of a procedure. */
const SILENT_ENDS = [undefined, 0x08, 0x3E];

/** How many packets before a silence are shown with the failure that it is. */
const LAST_PACKETS = 3;

/** The last packets before a failure that silence shows, whatever they are: they explain it. */
function lastBefore(place) {
    const {[LINK]: link, [TIME]: time} = log.index[place], own = placesOfLink(link);
    const line = link > 0 && log.connections.find((one) => one.connection === link);
    if (!line) return [];
    const isEnd = line.disconnected && sidesOf(line)[6] && sinceStart(line.disconnected) <= time + 1;
    const heard = sidesOf(line)[7], found = [];
    for (let at = indexOf(own, place) - 1; at >= 0 && found.length < LAST_PACKETS; at--) {
        const row = log.index[own[at]], isHeard = isEnd && Math.abs(row[TIME] - heard) <= 1;
        const isPacket = row[WAY] <= RX && row[LAYER] !== 'HCI' && !(row[LAYER] === 'LL' && row[FOLDED]);
        // A fragment says nothing beside the packet that it became.
        const isPart = row[LAYER] === 'ACL' && found.some((later) => log.index[later][WAY] === row[WAY]);
        if (isPacket && !isPart || isHeard) found.push(own[at]);
    }
    return isEnd || found.length > 0 && time - log.index[found[0]][TIME] >= SILENCE ? found : [];
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
        one >= left && one + wide <= right && !hasTicks(lane, placeAt(one), placeAt(one + wide)));
    if (start !== undefined) {
        pen.fillStyle = color('back');
        fillSpan(pen, start, start + wide, top + 21, 16);
        pen.fillStyle = color(isLoss ? 'bad' : 'faint');
        pen.fillText(text, start + 4, top + 30);
    }
    pen.font = '12px system-ui, sans-serif';
}

/** Whether a lane has frames between two places of the axis. */
function hasTicks(lane, from, to) { return lane.ticks.times[tickFrom(lane, from)] <= to; }

/** The number of a lane's frames before a place of the axis. */
function tickFrom(lane, from) {
    const {times} = lane.ticks;
    let at = 0;
    for (let end = times.length; at < end;) {
        const middle = (at + end) >> 1;
        if (times[middle] < from) at = middle + 1;
        else end = middle;
    }
    return at;
}

/** The shortest pause that is left out, and the longest that is no jump of the clock, in microseconds. */
const PAUSE = 6e7, JUMP = 8.64e10;
const MOST_PAUSES = 40;

// The pauses in these sorted times that the timeline leaves out: each as long as all that is left, or longer.
// `shown` is the length that the axis has instead.
function pausesOf(times) {
    const length = ({from, to}) => to - from, gaps = [];
    for (let at = 1; at < times.length; at++) {
        const gap = {from: times[at - 1], to: times[at]};
        if (length(gap) >= PAUSE && !hasOmitted(gap)) gaps.push(gap);
    }
    gaps.sort((a, b) => length(b) - length(a));
    let left = times[times.length - 1] - times[0], count = 0, rest = left;
    gaps.slice(0, MOST_PAUSES).forEach((gap, at) => {
        left -= length(gap);
        if (length(gap) >= left) [count, rest] = [at + 1, left];
    });
    const shown = Math.max(1000, rest) * Math.min(0.07, 0.5 / count);
    return gaps.slice(0, count).sort((a, b) => a.from - b.from).map((gap) => ({...gap, shown}));
}

/** Whether frames between two times, which these counts are about, have no room on the page. */
function hasOmitted({from, to}, counts = log.gaps) {
    const first = timeline.first, span = (timeline.last - first) / counts.length;
    return counts.some((count, bin) =>
        count > 0 && first + bin * span < to && first + (bin + 1) * span > from);
}

/** The number of frames between two places, of one file, that have no room on the page. */
function omittedBetween(from, to) {
    const {[FRAME]: first, [FILE]: file, [TIME]: begin} = log.index[from];
    const {[FRAME]: last, [FILE]: other, [TIME]: end} = log.index[to];
    if (file !== other || last - first === to - from || !hasOmitted({from: begin, to: end})) return 0;
    let shown = 0;
    for (let at = from + 1; at < to; at++) if (log.index[at][FILE] === file) shown++;
    return Math.max(0, last - first - 1 - shown);
}

/** The place of a time on the axis: its microseconds without those that are left out before it. */
function along(time) {
    let left = 0;
    for (const {from, to, shown} of timeline.pauses) {
        if (time <= from) break;
        left += Math.min(1, (time - from) / (to - from)) * (to - from - shown);
    }
    return time - left;
}

/** The time at a place of the axis. */
function timeAlong(place) {
    let left = 0;
    for (const {from, to, shown} of timeline.pauses) {
        if (place <= from - left) break;
        left += Math.min(1, (place - from + left) / shown) * (to - from - shown);
    }
    return place + left;
}

/** The times in view, without pauses. */
function stretchesInView() {
    const first = Math.max(timeline.first, timeAlong(timeline.from));
    const last = Math.min(timeline.last, timeAlong(timeline.to));
    const edges = [first, ...timeline.pauses.flatMap(({from, to}) => [from, to]), last];
    return edges.filter((_, at) => at % 2 === 0).map((edge, at) =>
        [Math.max(first, edge), Math.min(last, edges[2 * at + 1])]).filter(([from, to]) => from <= to);
}

function pauseText({from, to}) {
    if (to - from <= JUMP) return `nothing for ${duration(to - from)}`;
    const day = log.hasClock ? ` to ${clockText(to).slice(0, 10)}` : '';
    return `the clock jumps ${duration(to - from)}${day}`;
}

/** The words of the pauses in view, or only their durations, where the axis has room for them. */
function pauseWords(pen) {
    const words = [];
    let free = side();
    for (const pause of timeline.pauses) {
        const start = positionOf(pause.from), end = positionOf(pause.to);
        if (end < side() || start > timeline.width) continue;
        const last = Math.min(end - 4, timeline.width - 4);
        const found = [pauseText(pause), `⌇ ${duration(pause.to - pause.from)}`]
            .map((text) => ({text, wide: pen.measureText(text).width}))
            .find(({wide}) => wide < Math.max((last - free) / 2, last - Math.max(free, start) - 4));
        if (found) words.push({text: found.text, from: last - found.wide, to: last});
        free = last;
    }
    return words;
}

/** Covers pauses, between edges as of torn paper. */
function drawPauses(pen, height, color) {
    for (const {from, to} of timeline.pauses) {
        const left = Math.max(side(), positionOf(from) + 2);
        const right = Math.max(left + 4, Math.min(timeline.width, positionOf(to) - 2));
        if (positionOf(to) < side() || left > timeline.width) continue;
        const edges = [left, right].map((x) => Array.from({length: Math.ceil((height - AXIS) / 6) + 1},
            (_, at) => [x + (at % 2) * 3 - 1.5, AXIS + at * 6]));
        pen.fillStyle = color('back');
        pen.beginPath();
        for (const point of [...edges[0], ...edges[1].reverse()]) pen.lineTo(...point);
        pen.fill();
        pen.strokeStyle = color('faint');
        for (const edge of edges) {
            pen.beginPath();
            for (const point of edge) pen.lineTo(...point);
            pen.stroke();
        }
    }
}

/** Whether a connection has a message only a few times: one that it repeats explains no loss. */
function isRare(place, connection) {
    return placesOfLink(connection).filter((at) => saidIn(at) === saidIn(place)).length < 4;
}

/** Says once, in a card, that several connections were lost after the same message. */
function tellLossesAlike(cards) {
    const isSent = ({[WAY]: way, [LAYER]: layer}) => way === TX && !['HCI', 'LL', 'ADV'].includes(layer);
    const losses = log.connections.filter((line) => sidesOf(line)[6]).map((line) => {
        const {connection} = line, end = sinceStart(line.disconnected);
        const isBefore = (row) => row[TIME] <= end && isSent(row);
        return {connection, end, last: placesOfLink(connection).findLast((at) => isBefore(log.index[at]))};
    }).filter(({last, connection}) => last !== undefined && isRare(last, connection));
    for (const alike of grouped(losses, ({last}) => saidIn(last)).values()) {
        // Times are rounded to microseconds.
        const isAbout = (card) => log.incidents[card.dataset.incident].places.some((at) => alike.some((one) =>
            log.index[at][LINK] === one.connection && log.index[at][TIME] >= one.end - 1));
        const card = alike.length < 2 ? null : cards.find(isAbout);
        if (!card) continue;
        const links = alike.slice(0, MOST_STOPS).flatMap(({last}, nth) => {
            const name = nameOf(log.index[last]);
            return [nth === 0 ? '' : ', ', make('a', {href: '#frame=' + name}, `frame ${name}`)];
        });
        card.querySelector('.evidence').before(make('p', {class: 'alike'},
            `${alike.length} connections were lost after the same message: `,
            frameWords(log.index[alike[0].last]), ' (', ...links,
            alike.length > MOST_STOPS ? ' and others' : '', ')'));
    }
}
