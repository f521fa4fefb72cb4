// The figures that people ask for, about the connection that is looked at.

const figures = {box: null, shown: null};

function buildFigures() {
    figures.box = make('div', {id: 'figures'});
    if (overview.connection) showFigures(overview.connection);
    return figures.box;
}

/** Shows the figures of a connection. */
function showFigures(line) {
    if (!figures.box || figures.shown === line) return;
    figures.shown = line;
    const all = figuresOf(line).map(([value, text, ...more]) =>
        make('div', {class: more.length > 0 ? 'figure wide' : 'figure'},
            make('b', {}, value), explain(make('span', {}, text)), ...more));
    const title = `Connection ${line.connection} with ${deviceOf(line)} in figures`;
    const box = make('div', {class: 'figures'}, ...all);
    figures.box.replaceChildren(all.length === 0 ? '' : SLIM.matches
        ? make('details', {class: 'several', ontoggle: fitFigures}, make('summary', {}, title), box)
        : make('section', {'aria-labelledby': 'figures-title'},
            make('h2', {id: 'figures-title'}, title), box));
    fitFigures();
}

/** Pixels that a figure needs at least. */
const LEAST_FIGURE = 154;

/** Gives the rows of the figures about equally many: none stands alone below the others. */
function fitFigures() {
    const box = figures.box.querySelector('.figures');
    if (!box) return;
    const count = [...box.children].reduce((sum, one) => sum + (one.matches('.wide') ? 2 : 1), 0);
    const most = Math.max(1, Math.floor(box.clientWidth / LEAST_FIGURE));
    box.style.setProperty('--columns', Math.ceil(count / Math.ceil(count / most)));
}

/** Fewest answers of which 95 % are not all of them. */
const LEAST_ANSWERS = 20;

/** Values and what they are. */
function figuresOf(line) {
    const rows = log.index.filter((row) => row[LINK] === line.connection);
    const all = [];
    // Those of ATT are the device's; what L2CAP and SMP answer may wait for a person, or for a set-up.
    const att = rows.filter((row) => isOperation(row, 'att')), ofATT = answersIn(att);
    const answers = ofATT.length > 0 ? ofATT : answersIn(rows);
    const share = (part) => answers[Math.min(answers.length - 1, Math.floor(answers.length * part))];
    if (answers.length > 0) {
        const layers = [...new Set(rows.filter(isAnswer).map((row) => row[LAYER]))].sort().join(' and ');
        const from = `${sidesOf(line)[1]} over ${ofATT.length > 0 ? 'ATT' : layers}`;
        all.push([duration(share(0.5)), answers.length === 1 ? `to the only answer of ${from}`
            : [`to an answer of ${from}, the median of ${answers.length}`, answers.length >= LEAST_ANSWERS
                ? `95 % within ${duration(share(0.95))}` : '',
            `longest ${duration(answers[answers.length - 1])}`].filter(Boolean).join(' · ')]);
    }
    const bands = parametersOf(line);
    if (bands.length > 0) all.push(intervalsOf(bands));
    all.push(...strengthOf(line, rows));
    if (line.air) {
        all.push([`${line.air.events} of ${line.air.events + line.air.events_missed}`,
            `connection events heard · ${counted(line.air.crc_errors, 'packet')} with wrong CRC`]);
    }
    const values = valuesOf(line), sum = values.reduce((total, [count]) => total + count, 0);
    if (sum > 0) {
        all.push([counted(sum, 'value'), values.map(([count, name]) => counted(count, name)).join(' · ')]);
    }
    if (line.att_mtu && line.att_pdus > 0) all.push([counted(line.att_mtu, 'byte'), 'ATT MTU']);
    const voices = voicesOf(line), spoken = voices.reduce((total, {from, to}) => total + to - from, 0);
    if (voices.length > 0) all.push([duration(spoken), `voice (${voices[0].name}) · ${voiceText(voices)}`]);
    const best = busiest(rows.filter(isData));
    if (best > 0) all.push([`${(best / 100).toFixed(1)} kB/s`, 'in the busiest 100 ms']);
    return all;
}

/** How long the other side took for its answers, in order; neither for the connection nor of the chip. */
function answersIn(rows) {
    return rows.filter(isAnswer).map((row) => row[LATENCY]).sort((a, b) => a - b);
}

function isAnswer(row) {
    return row[LATENCY] !== null && row[LINK] !== 0 && row[WAY] === RX
        && !['ADV', 'HCI'].includes(row[LAYER]);
}

/** The connection parameters in force, one band after the other. */
function parametersOf(line) {
    if (!overview.parameters) {
        overview.parameters = grouped(log.parameters.keys(), (at) => log.parameters[at][0]);
    }
    const own = (overview.parameters.get(line.connection) || []).map((at) => log.parameters[at]);
    return own.map(([, from, interval, latency, timeout, frame], at) => ({
        frame, from, to: at + 1 < own.length ? own[at + 1][1] : null,
        interval: exactly(interval), latency: String(latency), timeout: exactly(timeout), wait: timeout,
    }));
}

/** A duration with all its digits. */
function exactly(microseconds) {
    return microseconds < 1e6 ? `${microseconds / 1e3}${NBSP}ms` : `${microseconds / 1e6}${NBSP}s`;
}

/** Most changes of the connection parameters that are listed. */
const MOST_BANDS = 4;

/** The connection intervals, one after the other, and since when the later ones were in force. */
function intervalsOf(bands) {
    const [first, ...later] = bands, last = bands[bands.length - 1];
    const others = ({latency, timeout}) => `latency ${latency} · timeout ${timeout}`;
    const intervals = bands.length > 3 ? [first.interval, '…', last.interval]
        : bands.map(({interval}) => interval);
    const changes = later.slice(-MOST_BANDS).map((band) => make('span', {}, 'from ',
        make('a', {href: '#frame=' + band.frame}, `frame ${band.frame}`),
        ` (${timeWithUnit(band.from, 1e3)}): ${band.interval} · ${others(band)}`));
    const left = later.length - changes.length;
    if (left > 0) changes.unshift(make('span', {}, `${counted(left, 'change')} not listed here`));
    return [intervals.filter((one, at) => one !== intervals[at - 1]).join(' → '),
        `connection interval · ${later.length > 0 ? 'at first ' : ''}${others(first)}`, ...changes];
}

/** Numbers of values that were read, written and so on, with the words. */
function valuesOf(line) {
    return [[line.reads, 'read'], [line.writes, 'write'], [line.notifications, 'notification'],
        [line.indications, 'indication']].filter(([count]) => count > 0);
}

function counted(count, name) { return `${count} ${name}${count === 1 ? '' : 's'}`; }

/** The signal of a connection's packets; without any, of its device's advertising before it. */
function strengthOf(line, rows) {
    const ofValues = (some) => some.filter((row) => row[RSSI] !== null).map((row) => row[RSSI]);
    // On the air, what the device sends: the sniffer hears the other side as well.
    let values = ofValues(line.air ? rows.filter((row) => row[WAY] === RX) : rows);
    let of = line.air ? 'packet' : 'reading', before = '';
    if (values.length === 0) {
        const device = log.devices.findIndex(([address]) => address === line.peer), began = beginOf(line);
        const heard = log.index.filter((row) => row[DEVICE] === device && row[LINK] === 0
            && row[RSSI] !== null && (began === null || row[TIME] <= began));
        values = ofValues(heard);
        // Bluetooth Classic has inquiries.
        const advertised = heard.filter((row) => isOperation(row, 'advertise')).length;
        of = advertised === 0 ? 'inquiry result'
            : advertised === heard.length ? 'advertising report' : 'report';
        before = ' before it';
        if (device < 0) return [];
    }
    if (values.length === 0) return [];
    // Of many, single ones may be wrong.
    const sorted = [...values].sort((a, b) => a - b), left = values.length < 20 ? 0 : values.length / 20 | 0;
    const [least, most] = [sorted[left], sorted[sorted.length - 1 - left]];
    const range = least === most ? '' : ` · ${left > 0 ? 'mostly ' : ''}${least} to ${most} dBm`;
    const which = values.length === 1 ? `RSSI of the only ${of}` : `RSSI, last of ${values.length} ${of}s`;
    return [[`${values[values.length - 1]} dBm`, `${which}${before}${range}`].map(minus)];
}

function minus(text) { return text.replace(/-(?=\d)/g, '−'); }

/** Bytes in the busiest tenth of a second. */
function busiest(rows) {
    let first = 0, sum = 0, best = 0;
    for (let at = 0; at < rows.length; at++) {
        sum += rows[at][BYTES];
        while (rows[at][TIME] - rows[first][TIME] > 1e5) sum -= rows[first++][BYTES];
        best = Math.max(best, sum);
    }
    return best;
}
