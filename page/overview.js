// What a reader sees first: side, time and circumstances of the first failure, the phases of its connection,
// and the frames that explain each failure.

/** Microseconds after which a step no longer counts as the one before a failure. */
const LONG_BEFORE = 10e6;

const overview = {
    connection: null, at: -1,
    /** The places of the frames of each connection. */
    places: null,
    /** The events that bring parameters, by connection. */
    parameters: null,
};

/** The place of the frame that the headline is about; undefined where nothing failed. */
function headlinePlace() {
    const card = document.querySelector('.card.failed');
    return card ? log.places.get(card.dataset.frame) : undefined;
}

/** The connection that the page is about: that of the first failure, else the one with most frames. */
function mainConnection() {
    const place = headlinePlace();
    const link = place === undefined ? 0 : log.index[place][LINK];
    if (link) return log.connections.find((line) => line.connection === link) || null;
    return log.connections.reduce((a, b) => !a || b.packets > a.packets ? b : a, null);
}

function buildOverview() {
    overview.connection = mainConnection();
    showPhases();
    const cards = [...document.querySelectorAll('.card')];
    for (const card of cards) {
        for (const text of card.querySelectorAll('h2, p')) linkFrames(text);
        fillCard(card);
    }
    showAnswers();
    for (const text of document.querySelectorAll('h1, .lede, .card h2, .card p, .note')) explain(text);
    const links = [['Summary', 'h1'], ['Timeline', '#timeline-title'], ['Exchange', '#sequence-title'],
        ['Frames', '#frames-title']].map(([text, place]) => make('button', {
        type: 'button', class: 'plain', onclick: () => goTo(document.querySelector(place)),
    }, text));
    document.getElementById('keys').replaceChildren(
        make('span', {class: 'parts'}, ...links),
        make('span', {}, make('span', {class: 'help'}, make('kbd', {}, '/'), ' search ', make('kbd', {}, 'n'),
            ' next failure '), make('button', {type: 'button', class: 'plain', onclick: showHelp},
            make('kbd', {}, '?'), make('span', {class: 'help'}, ' keys and words'))));
}

function showPhases() {
    const line = overview.connection, chart = line ? phaseChart(line) : null;
    if (!chart) return;
    document.getElementById('phases').replaceChildren(
        make('h2', {}, `Phases of connection ${line.connection}`), chart);
    fitAxis();
}

function showAnswers() {
    const first = document.querySelector('.card.failed');
    const answers = !first ? calmAnswers(overview.connection)
        : log.places.has(first.dataset.frame) ? answersOf(first) : [];
    if (answers.length === 0) return;
    document.getElementById('answers').replaceChildren(explain(make('dl', {class: 'answers'}, ...answers)));
}

/** Brings a part of the page into view. */
function goTo(part) {
    if (!part) return;
    if (part.localName === 'h1') window.scrollTo(0, 0);
    else part.scrollIntoView({block: 'start'});
}

/** On which side the first failure was, when, what was before it and how the connection ended. */
function answersOf(card) {
    const place = log.places.get(card.dataset.frame), row = log.index[place];
    const line = log.connections.find((one) => one.connection === row[LINK]);
    const answers = [];
    const add = (question, text, more) => answers.push(answerOf(question, capital(text), more));
    const chip = card.querySelector('.side');
    if (chip) add('Which side', chip.textContent, chip.title);
    else add('Which side', 'not clear', 'the log does not show which side caused it');
    const began = line ? beginOf(line) : null;
    const wait = began === null || began > row[TIME] ? ''
        : `${duration(row[TIME] - began)} after connecting`;
    answers.push(whenAnswer('When', row[TIME], wait));
    const done = !line ? [] : barsOf(line).filter((bar) =>
        bar.lasts !== null && bar.to <= row[TIME] && !bar.isUse);
    const last = done.reduce((a, b) => !a || b.to >= a.to ? b : a, null);
    const [before] = neighbours(place, 1, 0);
    const ago = before < place ? log.index[before] : null;
    if (last || ago) {
        const since = (time) => `${duration(row[TIME] - time)} before`;
        const dated = (text, time) => `${text}, ${since(time)}`;
        const steps = [last && [`${last.name} done`, last.to], ago && [briefOf(ago), ago[TIME]]]
            .filter(Boolean);
        // What was done long before explains less than what was said last.
        if (last && row[TIME] - last.to > LONG_BEFORE) steps.reverse();
        add('What came before', steps.length > 1 ? dated(...steps[0]) : steps[0][0],
            steps.length > 1 ? dated(...steps[1]) : since(steps[0][1]));
    }
    const end = line && line.disconnected ? sinceStart(line.disconnected) : null;
    if (line && line.outcome) {
        add('How it ended', named(line.outcome, line), end === null ? '' : end - row[TIME] < 1000
            ? 'with this failure' : `${duration(end - row[TIME])} after the failure`);
    }
    return answers;
}

function capital(text) { return text[0].toUpperCase() + text.slice(1); }

function answerOf(question, answer, more) {
    return make('div', {}, make('dt', {}, question),
        make('dd', {}, make('b', {}, answer), make('span', {}, more)));
}

/** A time in the form that is chosen, and below it in the other. */
function whenAnswer(question, time, wait) {
    const start = clockText(0), clock = clockText(time), since = `${seconds(time)}${NBSP}s`;
    const date = clock.slice(0, 10) === start.slice(0, 10) ? '' : clock.slice(0, 10) + ' ';
    const day = `${date}${clock.slice(11, 23)}${NBSP}UTC`;
    const other = log.showsDay ? `${since} since the first record` : log.hasClock ? `at ${day}` : '';
    return answerOf(question, log.showsDay ? day : since, [wait, other].filter(Boolean).join(', '));
}

/** Where nothing failed: with whom the log is about, since when, what was said, and the end. */
function calmAnswers(line) {
    if (!line) {
        if (log.devices.length === 0) return [];
        const names = log.devices.map((_, number) => givenName(number)).filter((name) => name !== '');
        return [answerOf('Who was heard', counted(log.devices.length, 'device'),
            [...new Set(names)].slice(0, 8).join(', '))];
    }
    const began = beginOf(line), isOnly = log.connections.length === 1;
    return [
        answerOf(isOnly ? 'With whom' : 'Busiest connection', line.peer_name || peerOf(line),
            [line.peer_name ? peerOf(line) : '', isOnly ? '' : `connection ${line.connection}`]
                .filter(Boolean).join(' · ')),
        began === null ? answerOf('Since when', 'not in this page', '')
            : whenAnswer('Since when', began, ''),
        line.att_pdus === 0
            ? answerOf('What was said', counted(line.packets, 'packet'), line.transport === 'br-edr'
                ? 'of Bluetooth Classic, not decoded above L2CAP' : 'without a readable ATT message')
            : answerOf('What was said', counted(line.att_pdus, 'ATT message'),
                valuesOf(line).map(([count, name]) => counted(count, name)).join(' · ')),
        answerOf('How it ended', capital(named(line.outcome || 'unknown', line)),
            line.lasted_us === undefined ? '' : `after ${duration(line.lasted_us)}`),
    ];
}

// The text of a frame without sources of names, the answered frame and dull HCI fields; long UUIDs are cut.
function shortOf(row) {
    if (row[MEANING]) return row[MEANING];
    const text = row[LABEL].replace(/ \[(?:discovered|inferred) [\d:]+\]/g, '')
        .replace(/ \(to [^()]*\)$/, '')
        .replace(/\b([0-9A-F]{8})(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\b/g, '$1…');
    return text.startsWith('HCI ') ? shortPacket(text) : text;
}

/** Fields of HCI that do not help to understand a failure. */
const DULL = new RegExp('^(?:(?:connection_)?handle|num_handles|reserved|clock_offset|packet_type'
    + '|page_scan_\\w+|\\w+_(?:ce_length|clock_accuracy|private_address|address_type)|allow_role_switch)$');

/** A packet of HCI: its name, the reason or status if it is not success, and the fields that help. */
function shortPacket(text) {
    const [name, ...fields] = text.replace(/ \w+=\[(?= )| \]/g, '').split(/ (?=[a-z]\w*=)/);
    const shown = fields.map((field) => /^(\w+)=(.*)$/.exec(field)).filter(([, key, value]) =>
        !DULL.test(key) && value !== '' && !(key === 'status' && value.startsWith('0x00')));
    const isReason = ([, key]) => key === 'reason' || key === 'status';
    const words = shown.sort((a, b) => isReason(b) - isReason(a)).map((field) => {
        const [, key, value] = field, code = /^(0x\w+)\((.*)\)$/.exec(value);
        if (isReason(field)) return code ? `${code[2]} (${code[1]})` : value;
        return `${key.replace(/^(?:connection|peripheral|num)_/, '').replace(/_/g, ' ')} ${value}`;
    });
    return words.length === 0 ? name : `${name}${name.includes(': ') ? ',' : ':'} ${words.join(', ')}`;
}

/** The text of a frame, cut at about 140 characters. */
function briefOf(row) {
    const text = shortOf(row).replace(/^UQDK /, '');
    if (text.length <= 140) return text;
    const end = text.lastIndexOf(' ', 138);
    return text.slice(0, end > 70 ? end : 138) + ' …';
}

/** Puts the frames into a card that explain it: those around it on its connection, and those it names. */
function fillCard(card) {
    const place = log.places.get(card.dataset.frame);
    if (place === undefined) return;
    const causes = [...card.querySelectorAll('h2 a, p a')].map((link) => log.places.get(link.hash.slice(7)));
    const around = [...new Set([...neighbours(place, 3, 1), ...causes])].filter((at) => at !== undefined)
        .sort((a, b) => a - b);
    card.querySelector('.evidence').replaceChildren(...around.flatMap((at, nth) => {
        const gap = nth === 0 ? 0 : log.index[at][TIME] - log.index[around[nth - 1]][TIME];
        const row = evidenceRow(at, at === place, causes.includes(at));
        return gap < 1e6 ? [row] : [make('span', {class: 'later'}, `${duration(gap)} later`), row];
    }));
}

/** A frame's place, and those of some before and after it on its connection: all above ATT, if it is. */
function neighbours(place, before, after) {
    if (!overview.places) overview.places = grouped(log.index.keys(), (at) => log.index[at][LINK]);
    const speaks = (at) => log.index[at][MEANING] && !/, more follow$/.test(log.index[at][MEANING]);
    const own = overview.places.get(log.index[place][LINK]);
    let at = 0;
    for (let end = own.length - 1; at < end;) {
        const middle = (at + end) >> 1;
        if (own[middle] < place) at = middle + 1;
        else end = middle;
    }
    const around = (tells) => {
        const found = [place];
        for (let one = at - 1; one >= 0 && found.length <= before; one--) {
            if (tells(own[one])) found.unshift(own[one]);
        }
        const all = found.length + after;
        for (let one = at + 1; one < own.length && found.length < all; one++) {
            if (tells(own[one])) found.push(own[one]);
        }
        return found;
    };
    const told = log.index[place][MEANING] === '' ? [] : around(speaks);
    return told.length > 1 ? told : around((one) => !log.index[one][FOLDED] && !isEmpty(log.index[one]));
}

/** Whether a frame has no content: what radios send to keep in touch. */
function isEmpty(row) { return /\bempty PDU\b/.test(row[LABEL]); }

function evidenceRow(place, decides, isCause) {
    const row = log.index[place];
    return make('button', {
        type: 'button', class: 'proof' + (decides ? ' decides' : isCause ? ' cause' : ''),
        title: isCause && !decides ? 'named in the text above' : null,
        'data-frame': nameOf(row), onclick: () => openFrame(place, true, true),
    },
    make('span', {class: 'number'}, nameOf(row)), make('span', {class: 'time'}, timeWithUnit(row[TIME])),
    make('span', {class: 'way', title: wayText(row)}, wayText(row)),
    make('span', {class: 'what', title: row[LABEL]}, shortOf(row)),
    make('span', {class: 'latency', title: 'from the request to this answer'},
        row[LATENCY] === null ? '' : `after ${duration(row[LATENCY])}`));
}

/** The connection parameters in force, one band after the other, as the labels of their events have them. */
function parametersOf(line) {
    const bands = [];
    if (!overview.parameters) {
        const events = log.index.filter((row) =>
            row[LINK] && /Connection (?:Update )?Complete/.test(row[LABEL]));
        overview.parameters = grouped(events, (row) => row[LINK]);
    }
    for (const row of overview.parameters.get(line.connection) || []) {
        const value = (name) => (new RegExp(name + '=([\\d.]+(?: (?:ms|s)\\b)?)').exec(row[LABEL]) || [])[1];
        const [interval, latency, timeout] =
            [value('connection_interval'), value('peripheral_latency'), value('supervision_timeout')];
        if (interval === undefined || /status=0x(?!00)/.test(row[LABEL])) continue;
        if (bands.length > 0) bands[bands.length - 1].to = row[TIME];
        bands.push({from: row[TIME], to: null, interval, latency, timeout});
    }
    return bands;
}

// Keys

const KEYS = [
    ['/', 'search the frames; there, Enter and arrows go from hit to hit, Escape leaves'],
    ['n', 'next failure of the summary'], ['p', 'previous failure'],
    ['b', 'back to the summary'], ['j', 'next frame'],
    ['k', 'previous frame'], ['t', 'time of day, if the log has it, or seconds since the first record'],
    ['?', 'this list'],
    ['c', 'zoom the timeline to this connection'], ['a', 'show all of the timeline'],
    ['+ −', 'zoom the timeline, where it has the focus; arrows pan, Home shows all'],
    ['Shift and drag', 'select a range of the timeline'],
];

function showHelp() {
    let help = document.getElementById('help');
    if (!help) {
        help = make('dialog', {id: 'help', 'aria-labelledby': 'help-title'},
            make('button', {type: 'button', onclick: () => help.close()}, 'Close'),
            make('h2', {id: 'help-title'}, 'Keys'), make('dl', {}, ...KEYS.flatMap(([key, text]) => [
                make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)])),
            make('h2', {}, 'Words'), make('dl', {}, ...Object.entries(WORDS).flatMap(([name, text]) => [
                make('dt', {}, name), make('dd', {}, text)])));
        document.body.append(help);
    }
    if (help.open) help.close();
    else help.showModal();
}

/** Opens the next failure, or the one before, in the order of the cards; then what was overcome. */
function stepFailure(by) {
    const places = [...document.querySelectorAll('.card.failed, .card.overcome')]
        .map((card) => log.places.get(card.dataset.frame)).filter((place) => place !== undefined);
    if (places.length === 0) return;
    overview.at = (overview.at + by + places.length) % places.length;
    openFrame(places[overview.at], true, true);
}

function pageKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches('input:not([type=checkbox]), select')) return;
    const step = (by) => () => openFrame(
        Math.max(0, Math.min(log.index.length - 1, Math.max(0, detail.opened) + by)), true);
    const actions = {
        '/': () => list.filters.text.focus(), n: () => stepFailure(1),
        p: () => stepFailure(overview.at < 0 ? 0 : -1), j: step(1), k: step(-1), t: toggleTime, '?': showHelp,
        b: backToSummary, a: wholeTimeline, c: () => viewConnection(chosenConnection()),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    actions[event.key]();
    event.preventDefault();
}

function toggleTime() {
    if (!log.hasClock) return;
    log.showsDay = !log.showsDay;
    for (const one of document.querySelectorAll('[data-at]')) {
        one.textContent = timeWithUnit(Number(one.dataset.at), Number(one.dataset.step));
    }
    showAnswers();
    showPhases();
    drawList();
    drawTimeline();
    for (const card of document.querySelectorAll('.card')) fillCard(card);
}
