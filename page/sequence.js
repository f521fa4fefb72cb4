// The exchange on a connection as a sequence chart: messages of the key protocol, or whatever is above ATT,
// as arrows; what carries them folded beneath; and the times between.

const sequence = {
    choice: null, bookkeeping: null, headBox: null, box: null, steering: null, heads: [], isCentral: true,
    /** Whether it shows what is on no connection: commands to the chip, and its events. */
    isApart: false,
    /** The steps of the connection; those that are drawn, and the step of each frame. */
    steps: [], first: 0, drawn: 0, stepOf: new Map(), items: new Map(),
    /** The places of the connection's failures, or without any of its warnings; and what they are. */
    failures: [], kind: '',
    /** The fold that was opened to show a frame. */
    unfolded: null,
};
const STEPS_AT_A_TIME = 60, FOLDED_AT_A_TIME = 100;
/** Most steps that are drawn at once: a browser needs a second for them. */
const MOST_STEPS = 5000;
/** Pixels from the edge of the exchange at which further steps are drawn. */
const STEPS_AHEAD = 400;
/** Most failures of a connection whose last packets before are not folded. */
const MOST_SILENCES = 200;

/** Whether a frame is on no connection, but between the recorded side and its chip. */
function isApart(row) { return row[LINK] === 0 && row[LAYER] === 'HCI'; }

/** Whether a frame is a message of the chip about a connection that says nothing: counts of sent packets. */
function isBookkeeping(row) { return row[LINK] !== 0 && row[LAYER] === 'HCI' && Boolean(row[FOLDED]); }

function buildSequence() {
    const links = new Set(log.index.map((row) => row[LINK]));
    const speakers = new Set(log.index.filter((row) => row[MEANING]).map((row) => row[LINK]));
    const lines = log.connections.filter((line) => links.has(line.connection));
    const hasApart = log.incidents.some(({kind, places}) =>
        kind === 'failed' && places.some((place) => isApart(log.index[place]) && linkOf(place) === 0));
    if (lines.length === 0 && !hasApart) return '';
    const first = lines.find((line) => line === overview.connection)
        || lines.find((line) => speakers.has(line.connection)) || lines[0];
    sequence.choice = make('select', {id: 'connection', onchange: chooseSequence}, ...lines.map((line) =>
        make('option', {value: line.connection, selected: line === first},
            `${line.connection}: ${deviceOf(line)}`)),
    hasApart ? make('option', {value: 0}, 'none: commands to the chip') : null);
    sequence.bookkeeping = make('input', {type: 'checkbox', id: 'bookkeeping', onchange: drawSequence});
    sequence.box = make('ol', {
        class: 'steps', id: 'steps', tabindex: 0, 'aria-label': 'Exchange', onscroll: scrollSteps,
        onkeydown: stepsKey,
    });
    sequence.headBox = make('div', {class: 'heads', id: 'heads'});
    sequence.steering = make('div', {class: 'bar', id: 'steering'});
    const section = make('section', {'aria-labelledby': 'sequence-title'},
        make('h2', {id: 'sequence-title'}, 'Exchange'),
        make('div', {class: 'bar'}, make('label', {}, 'Connection ', sequence.choice),
            log.index.some(isBookkeeping) ? make('label', {}, sequence.bookkeeping, ' HCI bookkeeping') : ''),
        sequence.steering, sequence.headBox, sequence.box,
        make('div', {class: 'bar'}, make('span', {class: 'legend'},
            make('span', {class: 'sent'}, '→ message'), make('span', {class: 'bad'}, '→ failure'),
            make('span', {class: 'warn'}, '→ warning'),
            make('span', {}, 'grey: what carries it, or stays within one side'))));
    drawSequence();
    return section;
}

/** Shows the chosen connection, also on the timeline and in the list, and a frame of it. */
function chooseSequence() {
    const number = Number(sequence.choice.value), place = firstPlace(number);
    drawSequence();
    viewConnection(chosenConnection());
    filterByLink(number);
    if (place !== undefined) openFrame(place, false);
}

function chooseConnection(number) {
    sequence.choice.value = String(number);
    chooseSequence();
}

function drawSequence() {
    const number = Number(sequence.choice.value);
    const line = log.connections.find((one) => one.connection === number);
    sequence.isApart = !line;
    const isCentral = !line || line.role !== 'peripheral';
    const isKey = line && line.uqdk !== undefined;
    const sides = !line ? ['this phone or computer', 'its Bluetooth chip'].map((name) =>
        ({name: capital(name), device: '', notes: ''})) : sidesOf(line).slice(0, 2).map((name, nth) => {
        const device = nth === 1 ? isKey && line.peer_name ? ` “${line.peer_name}”` : ''
            : line.air && line.central ? ` ${line.central}` : '';
        const notes = [rolesOf(line)[nth], nth === 0 && !line.air ? 'recorded here' : '']
            .filter((note) => note && note !== bare(name));
        return {name: capital(bare(name)), device, notes: notes.join(', ')};
    });
    const heads = isCentral ? sides : sides.reverse();
    sequence.heads = heads.map(({name}) => name);
    sequence.isCentral = isCentral;
    sequence.steps = stepsOf(number);
    sequence.stepOf = new Map(sequence.steps.flatMap((step, at) => step.places.map((place) => [place, at])));
    const failing = placesOfKind((kind) => kind === 'failed');
    sequence.failures = failing.length > 0 ? failing : placesOfKind((kind) => kind !== 'failed');
    sequence.kind = failing.length > 0 ? 'failure' : 'warning';
    sequence.headBox.replaceChildren(...heads.map(({name, device, notes}) => make('span', {}, name + device,
        notes ? make('span', {class: 'hint'}, ` ${notes}`) : null)));
    drawSteps(0);
    for (const row of document.querySelectorAll('#connections tr[data-connection]')) {
        if (Number(row.dataset.connection) === number) row.setAttribute('aria-current', 'true');
        else row.removeAttribute('aria-current');
    }
    showPhases(line);
    if (line) showFigures(line);
}

/** The places of failures or warnings that are in the exchange, as the cards have them. */
function placesOfKind(test) {
    const places = log.incidents.flatMap((one) => test(one.kind) ? one.places : []);
    return [...new Set(places)].filter((place) => sequence.stepOf.has(place)).sort((a, b) => a - b);
}

/** Draws some steps, from one on. */
function drawSteps(first) {
    sequence.first = first;
    sequence.drawn = first;
    sequence.items.clear();
    sequence.box.replaceChildren();
    moreSteps();
}

/** Draws the steps from the first to the last, as far as a browser can show them at once. */
function drawAllSteps() {
    extendSteps(0, sequence.steps.length);
    const own = detail.opened < 0 ? null : arrowOf(detail.opened);
    if (own) own.classList.add('marked');
}

/** Draws further steps when the reader comes near the edge of those that are there. */
function scrollSteps() {
    const {scrollTop, clientHeight, scrollHeight} = sequence.box;
    const isNearEnd = scrollTop + clientHeight > scrollHeight - STEPS_AHEAD;
    if (isNearEnd && sequence.drawn < sequence.steps.length) moreSteps();
    if (scrollTop < STEPS_AHEAD && sequence.first > 0) earlierSteps();
}

function earlierSteps() { extendSteps(Math.max(0, sequence.first - STEPS_AT_A_TIME), sequence.drawn); }

function moreSteps() {
    extendSteps(sequence.first, Math.min(sequence.steps.length, sequence.drawn + STEPS_AT_A_TIME));
}

/** Draws the steps of a range before and after those that are there, which stay where they are. */
function extendSteps(first, end) {
    const {box, steps} = sequence, height = box.scrollHeight, top = box.scrollTop;
    const items = (from, to) => steps.slice(from, to).map((_, at) => itemOf(from + at));
    box.prepend(...items(first, sequence.first));
    const moved = box.scrollHeight - height;
    box.append(...items(sequence.drawn, end));
    [sequence.first, sequence.drawn] = [first, end];
    if (end === steps.length && !box.querySelector('.end')) box.append(endItem());
    if (moved > 0) box.scrollTop = top + moved;
    steerSteps();
}

/** What leads through the exchange: to its ends and failures, and which part of it is drawn. */
function steerSteps() {
    const {steps, first, drawn, failures, steering, kind} = sequence, count = steps.length;
    const isPart = first > 0 || drawn < count, opened = detail.opened;
    steering.hidden = count <= STEPS_AT_A_TIME && failures.length === 0;
    const to = (place) => place !== undefined && openFrame(place, true);
    const lead = (text, action, isThere = true, label = text) => isThere ? make('button', {
        type: 'button', 'aria-label': label, onclick: action,
    }, text) : '';
    const nth = failures.indexOf(opened);
    const before = failures.findLast((place) => place < opened);
    const after = failures.find((place) => place > opened);
    const focus = steering.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
    steering.replaceChildren(
        lead('⇤ begin', () => { drawSteps(0); sequence.box.scrollTop = 0; }),
        lead('end ⇥', () => {
            drawSteps(Math.max(0, count - STEPS_AT_A_TIME));
            sequence.box.scrollTop = sequence.box.scrollHeight;
        }),
        lead('↑', () => to(before ?? failures[failures.length - 1]), failures.length > 1,
            `previous place of a ${kind}`),
        lead('↓', () => to(after ?? failures[0]), failures.length > 1,
            `next place of a ${kind}`),
        lead(`the place of the ${kind}`, () => to(failures[0]), failures.length === 1),
        failures.length < 2 ? '' : make('span', {class: 'status'},
            `${nth < 0 ? '' : `${nth + 1} of `}${counted(failures.length, 'place')} of ${kind}s`),
        lead(`show all ${count} steps`, drawAllSteps, isPart && count <= MOST_STEPS),
        make('span', {class: 'status', id: 'drawn'}, isPart ? `steps ${first + 1} to ${drawn} of ${count}`
            : counted(count, 'step'), isPart ? make('span', {class: 'hint'}, '; scroll for more') : ''));
    if (focus === null) return;
    const own = [...steering.children].find((one) => one.ariaLabel === focus && !steering.hidden);
    (own || sequence.box).focus({preventScroll: true});
}

/** Arrows lead from message to message, and show it. */
function stepsKey(event) {
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const own = sequence.stepOf.get(detail.opened), isHere = own !== undefined;
    const next = sequence.steps[isHere ? own + by : sequence.first];
    event.preventDefault();
    if (!next) return;
    openFrame(next.places[0], false);
    if (location.hash.startsWith('#frame=')) addressFrame(log.index[next.places[0]], true);
    sequence.box.focus({preventScroll: true});
}

/** The frames of a connection as steps: one of its own, or several that are folded. */
function stepsOf(number) {
    const showsAll = sequence.bookkeeping.checked;
    const failed = log.incidents.filter(({kind}) => kind === 'failed').flatMap(({sites}) => sites)
        .filter(({link}) => link === number).slice(0, MOST_SILENCES);
    const lasts = new Set(failed.flatMap(({place}) => lastBefore(place)));
    // What ended the connection may be on none.
    const own = failed.reduce((all, {place}) => withPlace(all, place), placesOfLink(number));
    const places = own.filter((place) =>
        showsAll || lasts.has(place) || !isBookkeeping(log.index[place]));
    const speaks = places.some((place) => log.index[place][MEANING]);
    const said = OWN_STEPS.reduce((sum, word) => sum | bitOf(word), 0);
    const isOwnStep = (row) => !row[FOLDED] && (row[OPERATIONS] & said) !== 0, steps = [];
    for (const place of places) {
        const row = log.index[place];
        const last = steps[steps.length - 1];
        if (row[LAYER] === 'SCO' && !row[WRONG]) {
            if (last && last.isVoice) last.places.push(place);
            else steps.push({places: [place], isCarrier: false, isVoice: true});
        } else if (lasts.has(place)) {
            steps.push({places: [place], isCarrier: false});
        } else if (row[MEANING] || row[WRONG] || (speaks ? isOwnStep(row) : !row[FOLDED])) {
            const isNext = last && !last.isCarrier && !last.isVoice && !lasts.has(last.places[0]);
            if (isNext && isAlike(log.index[last.places[0]], row)) last.places.push(place);
            else steps.push({places: [place], isCarrier: false});
        } else if (last && last.isCarrier) {
            last.places.push(place);
        } else {
            steps.push({places: [place], isCarrier: true});
        }
    }
    return steps;
}

/** The operations that are steps of their own beside a protocol's messages. */
const OWN_STEPS = ['read', 'write', 'notify', 'indicate', 'pair', 'encrypt', 'disconnect'];

/** Whether two frames say the same but for their values. */
function isAlike(one, other) {
    return one[WAY] === other[WAY] && one[KIND] === other[KIND] && one[PROBLEM] === other[PROBLEM]
        && one[WRONG] < FAILED;
}

function itemOf(at) { return stepItem(sequence.steps[at], at > 0 ? sequence.steps[at - 1].places : null); }

/** How the connection ended, below its last step. */
function endItem() {
    const line = sequence.isApart ? null : chosenConnection(), words = line ? endOf(line) : '';
    return make('li', {class: 'end', hidden: words === ''},
        make('span', {class: 'gap'}, words && capital(words)
            + lastedOf(line, sidesOf(line)[5] ? '; last packet after ' : ', after ')));
}

function stepItem(step, before) {
    const first = log.index[step.places[0]];
    const gap = before ? first[TIME] - log.index[before[before.length - 1]][TIME] : null;
    const left = gap === null ? '' : leftBetween(before[before.length - 1], step.places[0]);
    const between = gap !== null && (gap >= 1000 || left) ? gapOf(gap, left) : null;
    const item = make('li', {class: step.isCarrier ? 'carrier' : 'message'}, between);
    if (step.isVoice) {
        item.append(voiceItem(step.places), foldOf(step.places, 'its packets in this page'));
    } else if (step.isCarrier && step.places.length === 1) {
        item.append(arrow(step.places[0], true));
    } else if (step.isCarrier) {
        const names = new Map();
        for (const place of step.places) {
            const name = log.index[place][LAYER];
            names.set(name, (names.get(name) || 0) + 1);
        }
        const text = [...names].map(([name, count]) => `${count} ${name}`).join(', ') + ' folded';
        item.append(foldOf(step.places, text));
    } else {
        const [place, ...others] = step.places, values = new Set(step.places.map(saidIn)).size;
        item.append(arrow(place, false));
        const words = values === 1 ? ' alike' : values === step.places.length ? ' with other values'
            : `: ${values} different values in all`;
        const text = `and ${others.length} more${words}${overOf(step)}`;
        if (others.length > 0) item.append(foldOf(others, text));
    }
    for (const place of step.places) sequence.items.set(place, item);
    return item;
}

/** The time over which the frames of a step are spread, and the longest between two, where these are long. */
function overOf({places}) {
    const times = places.map((place) => log.index[place][TIME]), passed = times[times.length - 1] - times[0];
    const longest = times.reduce((most, time, at) => Math.max(most, at > 0 ? time - times[at - 1] : 0), 0);
    if (passed < LONG_GAP) return '';
    const gap = longest >= LONG_GAP && times.length > 2 ? `, up to ${duration(longest)} apart` : '';
    return `, over ${duration(passed)}${gap}`;
}

/** The voice that begins or goes on at some frames: which, how long, and how many packets both ways. */
function voiceItem(places) {
    const row = log.index[places[0]], all = voicesOf({connection: row[LINK]});
    const voice = all.find(({from, to}) => from <= row[TIME] + 3 && row[TIME] <= to + 3);
    const isBegin = voice && Math.abs(voice.from - row[TIME]) < 3, name = voice ? ` (${voice.name})` : '';
    return make('button', {type: 'button', class: 'arrow both', onclick: () => openFrame(places[0], true)},
        make('span', {class: 'number'}, nameOf(row)),
        make('span', {class: 'what'}, make('b', {}, `Voice${name} ${isBegin || !voice ? '' : 'goes on'}`),
            isBegin ? ` for ${duration(voice.to - voice.from)} · ${voiceText([voice])}` : ''),
        make('span', {class: 'shaft', 'aria-hidden': 'true'}));
}

/** Microseconds from which on a gap in the exchange is a long one. */
const LONG_GAP = 1e6;

/** The time between two steps, and what is left out there: a longer one has more room. */
function gapOf(passed, left) {
    const gap = make('span', {class: passed < LONG_GAP ? 'gap' : 'gap long'}, `+${duration(passed)}`,
        left ? make('span', {title: 'HCI bookkeeping, or not on this connection: in the list below'},
            ` · ${left}`) : null);
    if (passed >= LONG_GAP) gap.style.paddingBlock = `${0.2 + 0.4 * Math.log10(passed / LONG_GAP)}rem`;
    return gap;
}

/** How many frames between two of the exchange are not in it, where that may explain the time between. */
function leftBetween(from, to) {
    const isLong = log.index[to][TIME] - log.index[from][TIME] >= LONG_GAP, between = to - from - 1;
    const omitted = omittedBetween(from, to);
    return [isLong && between > 0 ? counted(between, 'other frame') : '',
        omitted > 0 ? `${counted(omitted, 'frame')} not in this page` : ''].filter(Boolean).join(', ');
}

/** What a frame says, to compare it. */
function saidIn(place) {
    const row = log.index[place];
    // The words of an answer have its time.
    return row[LATENCY] === null ? row[LABEL] : [row[SHORT], row[HANDLE], row[VALUE]].join(' ');
}

/** Frames as arrows that are drawn once they are unfolded, some at a time. */
function foldOf(places, text) {
    const inside = make('div', {});
    let drawn = 0;
    const drawMore = (count = FOLDED_AT_A_TIME) => {
        const next = places.slice(drawn, drawn + count);
        drawn += next.length;
        const left = places.length - drawn;
        more.remove();
        more.textContent = left > MOST_STEPS ? `show ${MOST_STEPS} of ${left} more` : `show all ${left} more`;
        inside.append(...next.map((place) => arrow(place, true)), ...left > 0 ? [more] : []);
    };
    const more = make('button', {type: 'button', onclick: () => drawMore(MOST_STEPS)});
    const fold = make('details', {ontoggle: () => { if (drawn === 0) drawMore(); }},
        make('summary', {}, text), inside);
    folds.set(fold, (place) => {
        const at = places.indexOf(place);
        if (at < 0) return null;
        const found = () => inside.querySelector(`[data-frame="${nameOf(log.index[place])}"]`);
        // Far down a long fold, those before are left out.
        if (!found() && (at < drawn || at - drawn > 5 * FOLDED_AT_A_TIME)) {
            inside.replaceChildren(...earlierOf(places, at));
            drawn = at;
        }
        while (drawn <= at) drawMore();
        return found();
    });
    return fold;
}

/** What draws the frames of a fold before one of them, some at a time; nothing before the first. */
function earlierOf(places, at) {
    const from = Math.max(0, at - MOST_STEPS), draw = () => button.replaceWith(
        ...earlierOf(places, from), ...places.slice(from, at).map((one) => arrow(one, true)));
    const button = make('button', {type: 'button', onclick: draw},
        from > 0 ? `show ${MOST_STEPS} of the ${at} before` : `show the ${at} before`);
    return at > 0 ? [button] : [];
}

/** For each fold a function that draws its frames up to one, and returns that one's arrow. */
const folds = new WeakMap();

/** Opens the fold of a step in which a frame is, and closes the one that was opened so before. */
function unfold(item, place) {
    const fold = item.querySelector('details'), row = fold && folds.get(fold)(place);
    if (sequence.unfolded && sequence.unfolded !== fold) sequence.unfolded.open = false;
    if (!row) return;
    if (!fold.open) sequence.unfolded = fold;
    fold.open = true;
}

/** The classes of arrows, by the weight of their problems. */
const WEIGHTS = ['', ' warned', ' wrong'];

/** A message as an arrow. */
function arrow(place, isSmall) {
    const row = log.index[place];
    const isSent = row[WAY] === TX;
    // What the host and its own controller say to each other is on no air: on a connection it gets no arrow.
    const hasArrow = row[WAY] <= RX && (row[LAYER] !== 'HCI' || sequence.isApart);
    const way = !hasArrow ? 'none' : isSent === sequence.isCentral ? 'right' : 'left';
    const sender = sequence.heads[way === 'right' ? 0 : 1];
    return make('button', {
        type: 'button', class: `arrow ${way}${isSmall ? ' small' : ''}${WEIGHTS[row[WRONG]]}`,
        'data-frame': nameOf(row), onclick: () => openFrame(place, true),
    },
    make('span', {class: 'number'}, nameOf(row), isSmall ? null : moment(row[TIME], 1e3)),
    make('span', {class: 'hidden'}, way === 'none' ? '' : `from ${sender}: `),
    make('span', {class: 'what'}, frameWords(row)),
    problemOf(row, 'span'),
    log.unanswered.has(place) ? make('span', {class: 'mild'}, 'no answer') : null,
    make('span', {class: 'shaft', 'aria-hidden': 'true'}));
}

/** Lights the step that a frame is in; `seeks` says whether bookkeeping is shown for it. */
function markStep(place, seeks) {
    for (const item of document.querySelectorAll('.steps .marked')) item.classList.remove('marked');
    const row = log.index[place], link = sequence.isApart ? row[LINK] : linkOf(place);
    if (!sequence.box || !link && !sequence.isApart && row[WRONG] !== FAILED) return;
    if (link !== Number(sequence.choice.value)) {
        if (![...sequence.choice.options].some((option) => Number(option.value) === link)) return;
        sequence.choice.value = String(link);
        drawSequence();
    }
    if (seeks && isBookkeeping(row) && !sequence.bookkeeping.checked) {
        sequence.bookkeeping.checked = true;
        drawSequence();
    }
    const step = sequence.stepOf.get(place);
    if (step === undefined) return;
    const isNear = step >= sequence.first && step < sequence.drawn + STEPS_AT_A_TIME;
    if (!isNear) drawSteps(Math.max(0, step - STEPS_AT_A_TIME / 2));
    else if (step >= sequence.drawn) moreSteps();
    steerSteps();
    const item = sequence.items.get(place);
    if (!item) return;
    unfold(item, place);
    arrowOf(place).classList.add('marked');
    showStep(place);
}

/** The arrow of a frame in the exchange; null if it is not drawn. */
function arrowOf(place) { return sequence.box.querySelector(`[data-frame="${nameOf(log.index[place])}"]`); }

/** Brings the step of a frame into view within the exchange. */
function showStep(place) {
    const {box} = sequence, shown = box && arrowOf(place);
    if (!shown || !shown.checkVisibility()) return;
    const top = shown.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    bringIntoBox(box, top, shown.offsetHeight);
}
