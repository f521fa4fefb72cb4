// The exchange on a connection as a sequence chart: messages of the key protocol, or whatever is above ATT,
// as arrows; what carries them folded beneath; and the times between.

const sequence = {
    choice: null, headBox: null, box: null, more: null, heads: [], isCentral: true,
    /** The steps of the connection; those that are drawn, and the step of each frame. */
    steps: [], first: 0, drawn: 0, stepOf: new Map(), items: new Map(), less: null,
};
const STEPS_AT_A_TIME = 200;

function buildSequence() {
    const links = new Set(log.index.map((row) => row[LINK]));
    const speakers = new Set(log.index.filter((row) => row[MEANING]).map((row) => row[LINK]));
    const lines = log.connections.filter((line) => links.has(line.connection));
    if (lines.length === 0) return '';
    const first = lines.find((line) => line === overview.connection)
        || lines.find((line) => speakers.has(line.connection)) || lines[0];
    sequence.choice = make('select', {id: 'connection', onchange: chooseSequence}, ...lines.map((line) =>
        make('option', {value: line.connection, selected: line === first},
            `${line.connection}: ${deviceOf(line)}`)));
    sequence.box = make('ol', {class: 'steps', id: 'steps', tabindex: 0, 'aria-label': 'Exchange'});
    sequence.headBox = make('div', {class: 'heads', id: 'heads'});
    sequence.more = make('button', {type: 'button', onclick: moreSteps}, 'More');
    sequence.less = make('button', {
        type: 'button', onclick: () => drawSteps(Math.max(0, sequence.first - STEPS_AT_A_TIME)),
    }, 'Earlier');
    const section = make('section', {'aria-labelledby': 'sequence-title'},
        make('h2', {id: 'sequence-title'}, 'Exchange'),
        make('div', {class: 'bar'}, make('label', {}, 'Connection ', sequence.choice),
            make('span', {class: 'legend'}, make('span', {class: 'sent'}, '→ message'),
                make('span', {class: 'bad'}, '→ failure'), make('span', {class: 'warn'}, '→ warning'),
                make('span', {}, 'grey: what carries it, or stays within one side'))),
        sequence.headBox, sequence.less, sequence.box, sequence.more);
    drawSequence();
    return section;
}

/** Shows the chosen connection, also on the timeline. */
function chooseSequence() {
    drawSequence();
    viewConnection(chosenConnection());
}

function drawSequence() {
    const number = Number(sequence.choice.value);
    const line = log.connections.find((one) => one.connection === number);
    const isCentral = line.role !== 'peripheral';
    const isKey = line.uqdk !== undefined;
    const sides = sidesOf(line).slice(0, 2).map((name, nth) => {
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
    sequence.headBox.replaceChildren(...heads.map(({name, device, notes}) => make('span', {}, name + device,
        notes ? make('span', {class: 'hint'}, ` ${notes}`) : null)));
    drawSteps(0);
    showFigures(line);
}

/** Draws some steps, from one on. */
function drawSteps(first) {
    sequence.first = first;
    sequence.drawn = first;
    sequence.items.clear();
    sequence.box.replaceChildren();
    sequence.less.hidden = first === 0;
    sequence.less.textContent = `Show ${Math.min(first, STEPS_AT_A_TIME)} of ${first} earlier`;
    moreSteps();
}

/** The frames of a connection as steps: one of its own, or several that are folded. */
function stepsOf(number) {
    const places = [...log.index.keys()].filter((place) => log.index[place][LINK] === number);
    const speaks = places.some((place) => log.index[place][MEANING]);
    const own = log.operations.reduce((sum, words, at) =>
        OWN_STEPS.includes(words.split(' ')[0]) ? sum | 1 << at : sum, 0);
    const isOwnStep = (row) => !row[FOLDED] && (row[OPERATIONS] & own) !== 0, steps = [];
    for (const place of places) {
        const row = log.index[place];
        const last = steps[steps.length - 1];
        if (row[MEANING] || row[WRONG] || (speaks ? isOwnStep(row) : !row[FOLDED])) {
            if (last && !last.isCarrier && isAlike(log.index[last.places[0]], row)) last.places.push(place);
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
    return one[WAY] === other[WAY] && one[KIND] === other[KIND] && !one[PROBLEM] && !other[PROBLEM];
}

function moreSteps() {
    const end = Math.min(sequence.steps.length, sequence.drawn + STEPS_AT_A_TIME);
    for (; sequence.drawn < end; sequence.drawn++) {
        const before = sequence.drawn > 0 ? sequence.steps[sequence.drawn - 1].places : null;
        sequence.box.append(stepItem(sequence.steps[sequence.drawn], before));
    }
    const left = sequence.steps.length - end;
    sequence.more.hidden = left === 0;
    sequence.more.textContent = `Show ${Math.min(left, STEPS_AT_A_TIME)} of ${left} more`;
}

function stepItem(step, before) {
    const first = log.index[step.places[0]];
    const gap = before ? first[TIME] - log.index[before[before.length - 1]][TIME] : null;
    const between = gap !== null && gap >= 1000 ? make('span', {class: 'gap'}, `+${duration(gap)}`) : null;
    const item = make('li', {class: step.isCarrier ? 'carrier' : 'message'}, between);
    if (step.isCarrier) {
        const names = new Map();
        for (const place of step.places) {
            const name = log.index[place][LAYER];
            names.set(name, (names.get(name) || 0) + 1);
        }
        const text = [...names].map(([name, count]) => `${count} ${name}`).join(', ') + ' folded';
        const inside = make('div', {});
        item.append(make('details', {
            ontoggle: () => {
                if (inside.childElementCount > 0) return;
                inside.append(...step.places.map((place) => arrow([place], true)));
            },
        }, make('summary', {}, text), inside));
    } else {
        item.append(arrow(step.places, false));
    }
    for (const place of step.places) sequence.items.set(place, item);
    return item;
}

/** The classes of arrows, by the weight of their problems. */
const WEIGHTS = ['', ' warned', ' wrong'];

/** A message as an arrow; several alike as one, counted. */
function arrow(places, isSmall) {
    const row = log.index[places[0]];
    const isSent = row[WAY] === TX;
    // What the host and its own controller say to each other is on no air: it gets no arrow.
    const isOnAir = row[WAY] <= RX && row[LAYER] !== 'HCI';
    const way = !isOnAir ? 'none' : isSent === sequence.isCentral ? 'right' : 'left';
    const said = (one) => one[SHORT] + one[VALUE];
    const isSame = places.every((place) => said(log.index[place]) === said(row));
    const count = places.length < 2 ? '' : isSame ? ` ×${places.length}`
        : `, and ${places.length - 1} more with other values`;
    const sender = sequence.heads[way === 'right' ? 0 : 1];
    return make('button', {
        type: 'button', class: `arrow ${way}${isSmall ? ' small' : ''}${WEIGHTS[row[WRONG]]}`,
        'data-frame': nameOf(row), onclick: () => openFrame(places[0], true),
    },
    make('span', {class: 'number'}, nameOf(row)),
    make('span', {class: 'hidden'}, way === 'none' ? '' : `from ${sender}: `),
    make('span', {class: 'what'}, frameWords(row), count),
    problemOf(row, 'span'),
    make('span', {class: 'shaft', 'aria-hidden': 'true'}));
}

/** Lights the step that a frame is in. */
function markStep(place) {
    for (const item of document.querySelectorAll('.steps li.marked')) item.classList.remove('marked');
    const link = log.index[place][LINK];
    if (!sequence.box || !link) return;
    if (link !== Number(sequence.choice.value)) {
        if (![...sequence.choice.options].some((option) => Number(option.value) === link)) return;
        sequence.choice.value = String(link);
        drawSequence();
    }
    const step = sequence.stepOf.get(place);
    if (step === undefined) return;
    const isNear = step >= sequence.first && step < sequence.drawn + STEPS_AT_A_TIME;
    if (!isNear) drawSteps(Math.max(0, step - STEPS_AT_A_TIME / 2));
    else if (step >= sequence.drawn) moreSteps();
    const item = sequence.items.get(place);
    if (!item) return;
    item.classList.add('marked');
    const box = sequence.box;
    const top = item.offsetTop;
    if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight) {
        box.scrollTop = top - box.clientHeight / 3;
    }
}
