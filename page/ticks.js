// Ticks of axes: their steps, and the axes of the phases and of the timeline.

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

// Joins the marks of failures that would lie over each other, and leaves out the axis's ticks that have no
// room for their words beside the one before. A word that would reach past the end stands before its tick.
function fitAxis() {
    const axis = document.querySelector('.axis');
    if (!axis) return;
    const marks = [...document.querySelectorAll('.gantt .mark')];
    joinMarks(marks);
    const shown = marks.filter((mark) => !mark.hidden).map((mark) => mark.getBoundingClientRect());
    const all = [...axis.children].filter((tick) => {
        tick.hidden = false;
        tick.classList.remove('before');
        // A failure whose mark is joined with another has no time of its own.
        const {left} = tick.getBoundingClientRect();
        tick.hidden = tick.className === 'failure'
            && !shown.some((mark) => Math.abs((mark.left + mark.right) / 2 - left) < 3);
        return !tick.hidden;
    });
    const end = axis.getBoundingClientRect().right;
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
}

/** Pixels between two ticks of the timeline, where it has room. */
const TICK_ROOM = 60;

/** The least step of the axis whose words have room; narrow pages have their ticks nearer together. */
function axisStep(pen, span) {
    const ends = [timeline.from, timeline.to].map(timeAlong);
    for (let most = room() / 30; ; most /= 1.3) {
        const step = stepOf(span, Math.max(1.1, most));
        const wide = Math.max(...ends.map((time) => pen.measureText(timeWithUnit(time, step)).width));
        const least = Math.max(wide + 8, Math.min(TICK_ROOM, room() / 10));
        if (step / span * room() >= least || most < 1.1) return step;
    }
}

/** Shades what is before the log's first record and after the last, which no page can show. */
function drawOutside(pen, height, color) {
    const [first, last] = [timeline.first, timeline.last].map(positionOf);
    for (const [from, to, text] of [[side(), first, 'before the log'], [last, timeline.width, 'after it']]) {
        if (to - from < 2) continue;
        pen.fillStyle = color('outside');
        fillSpan(pen, from, to, AXIS, height - AXIS);
        pen.fillStyle = color('faint');
        const wide = pen.measureText(text).width;
        if (wide + 8 < to - from) pen.fillText(text, (from + to - wide) / 2, AXIS / 2);
    }
}

/** Shows above the axis which part of the log is in view, if it is not all, and where failures are. */
function drawView(pen, color) {
    const {from, to} = wholeSpan(), at = (place) => side() + (place - from) / (to - from) * room();
    if (timeline.to - timeline.from >= to - from) return;
    pen.fillStyle = color('line');
    fillSpan(pen, side(), side() + room(), 0, 3);
    pen.fillStyle = color('accent');
    const left = Math.max(side(), at(timeline.from));
    fillSpan(pen, left, Math.max(left + 3, at(timeline.to)), 0, 3);
    pen.fillStyle = color('bad');
    for (const time of timeline.failures) fillSpan(pen, at(along(time)) - 1, at(along(time)) + 2, 0, 6);
}

function drawAxis(pen, width, height, color) {
    const span = timeline.to - timeline.from;
    const step = axisStep(pen, span);
    pen.fillStyle = color('faint');
    pen.strokeStyle = color('line');
    const words = pauseWords(pen), marks = marksInView().filter(({top}) => top < AXIS);
    for (const {text, from} of words) pen.fillText(text, from, AXIS / 2);
    let free = 0;
    const tick = (time, text) => {
        const x = positionOf(time), end = x + 2 + pen.measureText(text).width;
        pen.beginPath();
        pen.moveTo(x, AXIS);
        pen.lineTo(x, height);
        pen.stroke();
        if (x < free || end > width || words.some((one) => x < one.to && end > one.from - 6)) return;
        if (marks.some((mark) => x < mark.x + MARK_ROOM && end > mark.x - MARK_ROOM)) return;
        pen.fillText(text, x + 2, AXIS / 2);
        free = end + 6;
    };
    stretchesInView().forEach(([from, to], nth) => {
        // After a pause, its end has the time, however short what follows is.
        if (nth > 0) tick(from, dayText(from) + timeWithUnit(from, Math.min(step, 1e6)));
        for (let time = firstTick(from, step); time <= to; time += step) tick(time, timeWithUnit(time, step));
    });
}

/** The date of a time, if it is another one than that of the log's beginning. */
function dayText(time) {
    const day = clockText(time).slice(0, 10);
    return log.showsDay && day !== clockText(0).slice(0, 10) ? day + ' ' : '';
}
