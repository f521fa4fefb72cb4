// What a reader sees first: side, time and circumstances of the first failure, the phases of its connection,
// and the frames that explain each failure.

const overview = {
    connection: null,
    /** The occurrence that the reader has stepped to, among all. */
    at: -1,
    /** The places of the frames of each connection, and of each device. */
    places: null, ofDevices: null,
    /** The connection parameters, by connection. */
    parameters: null,
};

/** The place of the frame that the headline is about; undefined where nothing failed. */
function headlinePlace() {
    const card = document.querySelector('.card.failed');
    return card ? log.places.get(card.dataset.frame) : undefined;
}

/** The connection that the page is about: that of the first failure, else the one with most messages. */
function mainConnection() {
    const place = headlinePlace();
    const link = place === undefined ? 0 : linkOf(place);
    if (link) return log.connections.find((line) => line.connection === link) || null;
    const [own] = place === undefined ? [] : linesOf(log.index[place]);
    if (own) return own;
    const isBusier = (a, b) => b.att_pdus - a.att_pdus || packetsOf(b) - packetsOf(a);
    return log.connections.reduce((a, b) => !a || isBusier(a, b) > 0 ? b : a, null);
}

function buildOverview() {
    overview.connection = mainConnection();
    showPhases(attemptChart() ? null : overview.connection);
    const cards = [...document.querySelectorAll('.card')];
    for (const card of cards) {
        card.tabIndex = -1;
        card.addEventListener('keydown', cardKey);
        fillCard(card);
        if (!card.matches('.first')) foldCard(card);
    }
    for (const site of document.querySelectorAll('.site')) {
        site.tabIndex = -1;
        site.addEventListener('toggle', () => fillSite(site));
    }
    showAnswers();
    explainCounts();
    tellLossesAlike(cards);
    for (const text of document.querySelectorAll('h1, .lede, .card h2, .card p, .note')) explain(text);
    const links = [['Summary', 'h1'], ['Timeline', '#timeline-title'], ['Exchange', '#sequence-title'],
        ['Frames', '#frames-title']].map(([text, place]) => make('button', {
        type: 'button', class: 'plain', onclick: () => goTo(document.querySelector(place)),
    }, text));
    document.getElementById('keys').replaceChildren(
        make('span', {class: 'parts'}, ...links),
        make('span', {}, make('button', {
            type: 'button', class: 'plain', id: 'seek', onclick: startSearch,
            'aria-label': 'Search the frames',
        }, make('kbd', {class: 'help'}, '/'), ' Search'),
            make('span', {id: 'step', role: 'status'}),
            cards.length > 0 ? make('button', {
                type: 'button', class: 'plain', id: 'next', onclick: () => stepFailure(1),
                title: 'Shift and n also stops at its further places',
            }, make('kbd', {class: 'help'}, 'n'), ' ', make('span', {})) : null,
        make('button', {type: 'button', class: 'plain', onclick: showHelp},
            make('kbd', {}, '?'), make('span', {class: 'help'}, ' keys and words'))));
    sayNext(stops());
}

/** Shows the phases of a connection; or, of none, the attempts that the headline is about. */
function showPhases(line) {
    const attempts = attemptChart(), chart = line ? partOf(() => phaseChart(line)) : attempts;
    const own = attempts ? null : overview.connection;
    const back = own ? `back to connection ${own.connection}` : 'back to the failure';
    const way = line && line.pairing_started ? sidesOf(line)[10] : '';
    document.getElementById('phases').replaceChildren(...chart ? [
        make('h2', {}, line ? titleOfPhases(line) : titleOfAttempts(), line && line !== own ? make('button', {
            type: 'button', onclick: () => chooseConnection(own ? own.connection : 0),
        }, back) : null),
        chart, way ? make('p', {class: 'method'}, `Pairing: ${way}`) : ''] : []);
    fitAxis();
}

function titleOfPhases(line) {
    const device = log.connections.length > 1 ? ` with ${deviceOf(line)}` : '';
    return `Phases of connection ${line.connection}${device}`;
}

function titleOfAttempts() {
    const place = headlinePlace(), device = log.index[place][DEVICE];
    if (!isOperation(log.index[place], 'connect')) return 'Requests that failed';
    return `Attempts to connect${device < 0 ? '' : ` to ${deviceName(device)}`}`;
}

function showAnswers() {
    const first = document.querySelector('.card.failed');
    const answers = !first ? [...waitingAnswers(), ...calmAnswers(overview.connection).filter(Boolean)]
        : log.places.has(first.dataset.frame) ? answersOf(first) : [];
    if (answers.length === 0) return;
    const box = make('dl', {class: 'answers'}, ...answers);
    document.getElementById('answers').replaceChildren(explain(box));
    // The answers name it.
    if (first) for (const chip of first.querySelectorAll('.lede .side')) chip.hidden = true;
}

/** The number of a connection's packets that carry data. */
function packetsOf(line) { return sidesOf(line)[11] || 0; }

/** Brings a part of the page into view. */
function goTo(part) {
    if (!part) return;
    if (part.localName === 'h1') window.scrollTo(0, 0);
    else part.scrollIntoView({block: 'start'});
}

/** On which side the first failure was, when, what was before it and how the connection ended. */
function answersOf(card) {
    const place = log.places.get(card.dataset.frame), row = log.index[place];
    const line = log.connections.find((one) => one.connection === linkOf(place));
    const answers = [];
    const add = (question, text, more) => answers.push(answerOf(question, capital(text), more));
    const chip = card.querySelector('.side');
    if (chip) add('Which side', chip.textContent, chip.title);
    else add('Which side', 'not clear', 'the log does not show which side caused it');
    const began = line ? beginOf(line) : null;
    const wait = began === null || began > row[TIME] ? ''
        : `${duration(row[TIME] - began)} after ${line.connected ? 'connecting' : 'its first packet here'}`;
    answers.push(whenAnswer('When', row[TIME], wait));
    const steps = stepsBefore(place, line);
    if (steps.length > 0) {
        answers.push(make('div', {}, make('dt', {}, 'What came before'), ...steps.map(([what, time, way]) =>
            make('dd', {class: 'before'}, what, make('span', {}, ...way ? [way, ', '] : [],
                `${duration(row[TIME] - time)} before`)))));
    }
    const end = line && line.disconnected ? sinceStart(line.disconnected) : null;
    if (line && line.outcome) {
        const isIt = end !== null && (end - row[TIME] < 1000 || log.inferred.has(place));
        const next = end === null ? '' : followerOf(line, end);
        if (isIt) add('How it ended', endsWithFailure(line), [lastedOf(line, 'open for '), next]
            .filter(Boolean).join('; '));
        else add('How it ended', endOf(line), end === null ? ''
            : [`${duration(end - row[TIME])} after the failure`, next].filter(Boolean).join('; '));
    } else if (!line) {
        const [own] = linesOf(row).filter((one) => endOf(one));
        if (own) add(`How connection ${own.connection} ended`, endOf(own), lastedOf(own, 'after '));
    }
    return answers;
}

/** The end of a connection that is the failure: its kind alone, because the headline has its reason. */
function endsWithFailure(line) {
    const kind = sidesOf(line)[9];
    return kind ? `${kind}, with this failure` : 'with this failure';
}

/** The next connection with the same device, in words; empty without one. */
function followerOf(line, end) {
    const next = log.connections.find((one) => one.connection > line.connection
        && peerOf(one) === peerOf(line) && beginOf(one) !== null && beginOf(one) >= end);
    return next ? `connection ${next.connection} followed ${duration(beginOf(next) - end)} later` : '';
}

function capital(text) { return text[0].toUpperCase() + text.slice(1); }

function answerOf(question, answer, more) {
    return make('div', {}, make('dt', {}, question),
        make('dd', {}, make('b', {}, answer), make('span', {}, more)));
}

/** A time in the form that is chosen, and below it in the other. */
function whenAnswer(question, time, wait) {
    const start = clockText(0), clock = clockText(time);
    const since = time === 0 ? 'With the first record' : `${seconds(time)}${NBSP}s`;
    const date = clock.slice(0, 10) === start.slice(0, 10) ? '' : clock.slice(0, 10) + ' ';
    const day = `${date}${clock.slice(11, 23)}${NBSP}UTC`;
    const other = !log.showsDay ? log.hasClock && `at ${day}`
        : time > 0 && `${duration(time)} after the first record`;
    return answerOf(question, log.showsDay ? day : since, [wait, other].filter(Boolean).join(', '));
}

/** Where nothing failed: the requests that had no answer when the log ended. */
function waitingAnswers() {
    if (log.waiting.length === 0) return [];
    return [make('div', {}, make('dt', {}, 'What had no answer'), ...log.waiting.map((place) => {
        const row = log.index[place], name = nameOf(row);
        return make('dd', {class: 'wait'}, frameWords(row, 'b'), make('span', {},
            make('a', {href: '#frame=' + name}, `frame ${name}`), ` ${wayText(row)}`,
            row[LINK] && log.connections.length > 1 ? ` · connection ${row[LINK]}` : ''));
    }))];
}

/** Microseconds within which a connection without a beginning has a packet if it was open from the start. */
const SOON = 1e6;

/** Where nothing failed: with whom the log is about, since when, what was said, and the end. */
function calmAnswers(line) {
    if (!line) {
        if (log.devices.length === 0) return [];
        const names = log.devices.map((_, number) => givenName(number)).filter((name) => name !== '');
        return [answerOf('Who was heard', counted(log.heard || log.devices.length, 'device'),
            [...new Set(names)].slice(0, 8).join(', '))];
    }
    const began = beginOf(line), isOnly = log.connections.length === 1;
    const packets = packetsOf(line), voices = voicesOf(line), said = packets > 0 || voices.length > 0;
    const lastPacket = sidesOf(line)[5] ? 'last packet ' : '';
    return [
        // Of a single one, the headline tells.
        isOnly ? '' : answerOf('Busiest connection', line.peer_name || peerOf(line),
            [line.peer_name && peerOf(line), `connection ${line.connection}`].filter(Boolean).join(' · ')),
        began === null ? answerOf('Since when', 'not in this page', '')
            : line.connected ? whenAnswer('Since when', began, '')
                : answerOf('Since when', `${wasOpenBefore(line) ? 'Before' : 'Not in'} this log`, [
                    wasOpenBefore(line) ? 'it was open when the log began'
                        : 'the log does not show the connecting',
                    began > 0 && `first packet at ${timeWithUnit(began)}`].filter(Boolean).join('; ')),
        line.att_pdus === 0
            ? answerOf('What was said', said ? counted(packets, 'packet') : 'Not in this log', [!said
                ? 'it has no data of this connection' : packets === 0 ? '' : line.transport === 'br-edr'
                    ? 'of Bluetooth Classic, not decoded above L2CAP' : 'without a readable ATT message',
            voices.length > 0 ? `voice: ${voiceText(voices)}` : ''].filter(Boolean).join('; '))
            : answerOf('What was said', counted(line.att_pdus, 'ATT message'),
                valuesOf(line).map(([count, name]) => counted(count, name)).join(' · ')),
        answerOf('How it ended', capital(endOf(line) || 'unknown'),
            lastedOf(line, `${lastPacket}after `)),
    ];
}

// What a frame says: its name, the attribute, and the value, smaller. In the list, which cuts its lines, the
// value comes before the attribute's words, as in the command's text.
function frameWords(row, element = 'span', isCut = false) {
    const {[HANDLE]: handle, [ATTRIBUTE]: attribute} = row;
    const whole = attribute && !isCut ? `${attribute} (${handle})` : handle;
    const carrier = [row[CARRIER], whole].filter(Boolean).join(' ');
    const others = [row[VALUE] && make('code', {}, row[VALUE]),
        row[CARRIER] && make('span', {class: 'attribute'}, carrier),
        isCut && attribute && make('span', {class: 'attribute'}, attribute)].filter(Boolean);
    return make('span', {class: 'words', title: row[LABEL]},
        make(element, {}, row[CARRIER] ? row[SHORT] : [row[SHORT], whole].filter(Boolean).join(' ')),
        ...others.flatMap((one) => [' ', one]));
}

/** Puts the frames around one of its occurrences into a card, and those that it names. */
function fillCard(card, place = log.places.get(card.dataset.frame)) {
    if (place === undefined) return;
    const links = [...card.querySelectorAll('h1 a, h2 a, p:not(.lede, .alike) a')];
    fillEvidence(card, place, links.filter((link) => !link.closest('.site')));
    for (const site of card.querySelectorAll('.site')) fillSite(site);
}

/** Puts the frames around a place into a box, and those that these links name. */
function fillEvidence(box, place, links) {
    showPlaces(box, place);
    const causes = links.map((link) => log.places.get(link.hash.slice(7)));
    // A recorder may write them in another order than that of time.
    const around = [...new Set([...neighbours(place, 3, 1), ...lastBefore(place), requestOf(place),
        ...causes])].filter((at) => at !== undefined).sort(byTime);
    box.querySelector('.evidence').replaceChildren(...evidenceOf(place, around, causes));
}

/** Orders places by their times. */
function byTime(one, other) { return log.index[one][TIME] - log.index[other][TIME] || one - other; }

/** The place of the command or request that a frame answers; undefined if the page does not have it. */
function requestOf(place) {
    const answer = log.index[place];
    if (answer[LATENCY] === null) return undefined;
    const time = answer[TIME] - answer[LATENCY];
    // Both are rounded to microseconds.
    for (let at = place - 1; at >= 0 && log.index[at][TIME] >= time - 1; at--) {
        const row = log.index[at];
        if (row[TIME] <= time + 1 && row[WAY] !== answer[WAY]) return at;
    }
    return undefined;
}

/** Puts the frames into another occurrence of a card, once it is open. */
function fillSite(site) {
    const place = log.places.get(site.dataset.frame);
    if (!site.open || place === undefined) return;
    fillEvidence(site, place, [...site.querySelectorAll('p a')]);
}

/** Rows of frames, with the longer times between them; one decides, some are named by the card. */
function evidenceOf(place, around, causes) {
    return around.flatMap((at, nth) => {
        const gap = nth === 0 ? 0 : log.index[at][TIME] - log.index[around[nth - 1]][TIME];
        const row = evidenceRow(at, at === place, causes.includes(at));
        const left = gap < 1e6 ? '' : leftBetween(around[nth - 1], at);
        const words = [`${duration(gap)} later`, left].filter(Boolean).join(' · ');
        return gap < 1e6 ? [row] : [make('span', {class: 'later'}, words), row];
    });
}

/** The places of a connection's frames. */
function placesOfLink(number) {
    if (!overview.places) overview.places = grouped(log.index.keys(), (at) => log.index[at][LINK]);
    return overview.places.get(number) || [];
}

/** The places of the frames of each device; -1 stands for none. */
function placesOfDevices() {
    if (!overview.ofDevices) overview.ofDevices = grouped(log.index.keys(), (at) => log.index[at][DEVICE]);
    return overview.ofDevices;
}

/** Microseconds within which frames on no connection have to do with each other. */
const NEAR = 6e7;

/** Where a place is among these, which are in order. */
function indexOf(places, place) {
    let at = 0;
    for (let end = places.length - 1; at < end;) {
        const middle = (at + end) >> 1;
        if (places[middle] < place) at = middle + 1;
        else end = middle;
    }
    return at;
}

/** A frame's place, and those of some before and after it on its connection: all above ATT, if it is. */
function neighbours(place, before, after) {
    const speaks = (at) => log.index[at][MEANING] && !log.index[at][PART];
    const {[DEVICE]: device} = log.index[place], link = linkOf(place);
    // What is on no connection has to do with the same device, or with none as well.
    const isNear = (one) => Math.abs(log.index[one][TIME] - log.index[place][TIME]) < NEAR;
    const own = link ? withPlace(placesOfLink(link), place)
        : placesOfLink(0).filter((one) => log.index[one][DEVICE] === device && isNear(one));
    const at = indexOf(own, place);
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
    return told.length > 1 ? told : around((one) => !log.index[one][FOLDED]);
}

function evidenceRow(place, decides, isCause) {
    const row = log.index[place];
    return make('button', {
        type: 'button', class: 'proof' + (decides ? ' decides' : isCause ? ' cause' : ''),
        title: isCause && !decides ? 'named in the text above' : null,
        'data-frame': nameOf(row), onclick: () => openFrame(place, true, true),
    },
    make('span', {class: 'number'}, nameOf(row)), make('span', {class: 'time'}, timeWithUnit(row[TIME])),
    make('span', {class: 'way', title: wayText(row)}, wayText(row)),
    make('span', {class: 'what'}, frameWords(row)),
    make('span', {class: 'latency', title: 'from the request to this answer'},
        row[LATENCY] === null ? '' : `after ${duration(row[LATENCY])}`));
}

// Keys

const KEYS = [
    ['/', 'search the frames; there, Enter and arrows go from hit to hit, Escape leaves'],
    ['n', 'next failure; after the last, what was overcome, then warnings'], ['p', 'the one before'],
    ['N P', 'next and previous place of a failure or warning, of each the first twelve'],
    ['Enter', 'on a card: its frame, with all its fields'],
    ['Escape', 'close the frame, where it lies over a narrow page'],
    ['b', 'back to the summary'], ['j', 'next frame in the list'], ['k', 'previous frame in the list'],
    ['t', 'time of day, if the log has it, or seconds since the first record'],
    ['?', 'this list'],
    ['c', 'zoom the timeline to this connection'], ['a', 'show all of the timeline'],
    ['+ −', 'zoom the timeline, where it has the focus, as w, s and the wheel; arrows pan, Home shows all'],
    ['. ,', 'on the timeline, the next frame of the lane and the one before; ↑ ↓ change the lane'],
    ['Shift and drag', 'select a range of the timeline, as Shift and arrows do where it has the focus'],
    ['Ctrl C', 'copy the selected frames, or the one that is shown, as text'],
];

function showHelp() {
    let help = document.getElementById('help');
    if (!help) {
        help = make('dialog', {id: 'help', 'aria-labelledby': 'help-title'},
            make('button', {type: 'button', onclick: () => help.close()}, 'Close'),
            make('h2', {id: 'help-title'}, 'Keys'), make('dl', {}, ...KEYS.flatMap(([key, text]) => [
                make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)])),
            make('h2', {id: 'counted'}, 'What counts as what'), listed(COUNTED),
            make('h2', {}, 'Words'), listed(WORDS));
        document.body.append(help);
    }
    if (help.open) help.close();
    else help.showModal();
}

/** Most occurrences of one card that the keys stop at, and that are links at first. */
const MOST_STOPS = 12;

/** The occurrences of failures, then of what was overcome and of warnings: each with its card and place. */
function stops() {
    return [...document.querySelectorAll('.card')].flatMap((card) => {
        return [card, ...card.querySelectorAll('.site[data-incident]')].flatMap(({dataset}) => {
            const own = log.places.get(dataset.frame), incident = log.incidents[dataset.incident];
            const others = incident.places.filter((place) => place !== own).slice(0, MOST_STOPS - 1);
            return [own, ...others].map((place) => ({card, place, incident}));
        });
    });
}

/** What a card is about, in the words of the page's counts. */
const KINDS = {failed: 'failure', overcome: 'overcome problem', warning: 'warning'};

/** Where in these stops the next failure or warning is, or the one before; after the last comes the first. */
function nextStop(all, by) {
    const firsts = [...all.keys()].filter((at) => at === 0 || all[at].incident !== all[at - 1].incident);
    const own = firsts.findLast((at) => at <= overview.at) ?? 0;
    return by > 0 ? firsts.find((at) => at > overview.at) ?? 0
        : firsts.findLast((at) => at < own) ?? firsts[firsts.length - 1];
}

/** Says what the key leads to next. */
function sayNext(all) {
    if (all.length === 0) return;
    const kind = KINDS[all[nextStop(all, 1)].incident.kind];
    const [, first = '', last] = /^(.* )?(.*)$/.exec(kind);
    // A narrow page has no room for an adjective.
    document.querySelector('#next > span').replaceChildren(
        'next ', make('span', {class: 'help'}, first), make('span', {class: 'last'}, last));
}

/** Shows the next failure or warning in its card, or the one before; `isPlace` says whether each place. */
function stepFailure(by, isPlace = false) {
    const all = stops();
    if (all.length === 0) return;
    if (overview.at >= 0) fillCard(all[overview.at].card);
    const own = by < 0 ? Math.max(0, overview.at) : overview.at;
    overview.at = isPlace ? (own + by + all.length) % all.length : nextStop(all, by);
    const {card, place} = all[overview.at];
    sayNext(all);
    for (let one = card.parentElement; one; one = one.parentElement) {
        if (one.localName === 'details') one.open = true;
    }
    openCard(card);
    const site = [...card.querySelectorAll('.site')]
        .find((one) => log.places.get(one.dataset.frame) === place);
    if (site) site.open = true;
    else fillCard(card, place);
    showStop(all[overview.at], all);
    if (place !== undefined) {
        openFrame(place, false, true);
        addressFrame(log.index[place]);
    }
    // The frame of the focus is around what is scrolled to.
    (site || card).focus({preventScroll: true});
    if (card.matches('.first') && !site) window.scrollTo(0, 0);
    else (site || card).scrollIntoView({block: 'start'});
}

/** Shows the frame of a card that has the focus. */
function cardKey(event) {
    const stop = stops()[overview.at], card = event.currentTarget;
    const place = stop && stop.card === card ? stop.place : log.places.get(card.dataset.frame);
    if (event.key !== 'Enter' || !event.target.matches('.card, .site') || place === undefined) return;
    event.preventDefault();
    openFrame(place, true, true);
}

/** Does something with the timeline, where the reader sees it. */
function onTimeline(action) {
    action();
    const box = document.querySelector('.lanes').getBoundingClientRect();
    const top = document.getElementById('keys').offsetHeight;
    if (box.top < top || box.bottom > window.innerHeight) goTo(document.getElementById('timeline-title'));
}

function pageKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (event.target.matches('input:not([type=checkbox]), select')) return undefined;
    const step = (by) => () => openFrame(
        placeBeside(detail.opened, by) ?? Math.max(0, detail.opened), true, false, true);
    const actions = {
        '/': startSearch, n: () => stepFailure(1),
        N: () => stepFailure(1, true), p: () => stepFailure(-1), P: () => stepFailure(-1, true),
        j: step(1), k: step(-1), t: toggleTime, '?': showHelp,
        b: backToSummary,
        a: () => onTimeline(wholeTimeline), c: () => onTimeline(() => viewConnection(chosenConnection())),
    };
    if (event.key === 'Escape' && isSheetOpen()) return closeSheet();
    if (!Object.hasOwn(actions, event.key)) return undefined;
    actions[event.key]();
    event.preventDefault();
    return undefined;
}

function toggleTime() {
    if (!log.hasClock) return;
    log.showsDay = !log.showsDay;
    for (const one of document.querySelectorAll('[data-at]')) {
        one.textContent = timeWithUnit(Number(one.dataset.at), Number(one.dataset.step));
    }
    showAnswers();
    showPhases(sequence.isApart ? null : figures.shown || overview.connection);
    drawList();
    drawTimeline();
    for (const card of document.querySelectorAll('.card')) fillCard(card);
}
