// The list of frames: only the rows in view are elements. One row is the current one; any may be selected.

/** Narrow screens, whose rows have a line of numbers, and below it what the frame says. */
const NARROW = window.matchMedia('(max-width: 46rem)');
/** Most lines of what a frame says. */
const MOST_LINES = 6;

const list = {
    /** The places of the frames that the filters pass, and for each place whether they do. */
    shown: [], passes: null,
    /** The upper edges of their rows, and the lower one of the last, in pixels. */
    tops: [],
    /** The number of lines of each frame, 0 until it is estimated, and of the characters in a line. */
    lines: null, wide: 0,
    /** Whether the lines of a frame were counted where it was drawn. */
    fitted: null,
    /** What the search finds, as it stands in a row; null without a search. */
    hits: null,
    /** The number of frames in the page that the search finds, whatever the other filters are. */
    found: 0,
    /** The filters that were taken back to show a frame; null without any. */
    before: null,
    /** The place in `shown` of the frame that is shown in full; -1 if the filters hide it. */
    current: -1,
    selected: new Set(),
    section: null, box: null, room: null, status: null, nothing: null, whole: null, unfold: null,
    restore: null, save: null, filters: {},
    /** Why the search can't be understood. */
    problem: '',
    /** Whether the reader goes from hit to hit of the search. */
    steps: false,
};

/** What a search may have. */
const SEARCHABLE = 'an operation (write, notify), a handle (0x0012), a UUID (FFF2), '
    + 'bytes with ? for any digit (a5??01 or a5 ?? 01; from three bytes on in the whole packet), text, a '
    + 'device or a frame number (frame 12)';

function buildList() {
    const devices = [...new Set(log.index.map((row) => row[DEVICE]))].sort((a, b) => a - b);
    const layers = [...new Set(log.index.map((row) => row[LAYER]))].sort();
    const links = new Set(log.index.map((row) => row[LINK]));
    const select = (name, label, options) => {
        list.filters[name] = make('select', {id: 'filter-' + name, onchange: searchList},
            make('option', {value: ''}, 'all'),
            ...options.map(([value, text]) => make('option', {value}, text)));
        return make('label', {hidden: options.length === 0}, label + ' ', list.filters[name]);
    };
    list.filters.text = make('input', {
        type: 'search', id: 'filter-text', oninput: searchList, onkeydown: searchKey, size: 22,
        title: `Such as: write FFF2 a5??01. ${capital(SEARCHABLE)}; -word leaves out, quotes keep words `
            + 'together. '
            + 'Enter and arrows go from hit to hit, Escape leaves.',
    });
    list.filters.folded = make('input', {
        type: 'checkbox', id: 'filter-folded', onchange: searchList, checked: true,
    });
    list.whole = make('button', {type: 'button', id: 'whole'});
    list.unfold = make('button', {
        type: 'button', id: 'unfold', onclick: unfoldFilters, 'aria-expanded': 'false',
        'aria-controls': 'filters',
    });
    list.status = make('span', {role: 'status', class: 'status'});
    list.restore = make('button', {type: 'button', id: 'restore', hidden: true, onclick: restoreFilters});
    list.save = make('button', {type: 'button', id: 'save', onclick: saveFrames});
    list.room = make('div', {class: 'room', role: 'presentation'});
    list.box = make('div', {
        id: 'list', class: 'list', role: 'listbox', tabindex: 0, 'aria-label': 'Frames',
        'aria-multiselectable': 'true', onscroll: drawList, onkeydown: listKey,
    }, list.room);
    list.nothing = make('p', {class: 'nothing', hidden: true});
    window.addEventListener('resize', () => measureList() ? showRow() : drawList());
    const longest = (texts, least, most) =>
        Math.min(most, texts.reduce((length, text) => Math.max(length, text.length), least));
    list.section = make('section', {class: 'frames', 'aria-labelledby': 'frames-title'},
        make('h2', {id: 'frames-title'}, 'Frames'),
        make('div', {class: 'bar search'}, make('label', {}, 'Search ', list.filters.text),
            list.unfold, list.status, list.whole, list.restore),
        make('div', {class: 'bar filters', id: 'filters'},
            select('link', 'Connection', log.connections.filter((line) => links.has(line.connection))
                .map((line) => [String(line.connection), `${line.connection}: ${deviceOf(line)}`])),
            select('device', 'Device', devices.map((number) => [String(number), deviceName(number)])),
            select('layer', 'Layer', layers.map((layer) => [layer, layer])),
            select('problem', 'Problem', Object.entries(KINDS).filter(([kind]) =>
                log.incidents.some((one) => one.kind === kind)).map(([kind, name]) => [kind, `${name}s`])),
            make('label', {}, list.filters.folded, ' advertising and housekeeping'),
            make('button', {
                type: 'button', id: 'day', onclick: toggleTime, hidden: !log.hasClock,
            }, 'Time of day'),
            list.save),
        listHead(), list.box, list.nothing,
        hintOf('list-hint', 'Arrows show the frame before or after, Space selects it; Shift and an arrow or '
            + 'click select more, Ctrl and C copies them, Escape forgets them.', 'A tap shows the frame.'));
    // Columns are as wide as what they hold.
    list.section.style.setProperty('--number', `${longest(log.index.map(nameOf), 5, 9)}ch`);
    list.section.style.setProperty('--layer', `${longest(layers, 5, 9)}ch`);
    return list.section;
}

/** What can be done with a part of the page: with keys and mouse, and on a narrow page with fingers. */
function hintOf(id, keys, touch) {
    return make('p', {class: 'hint', id}, make('span', {class: 'help'}, keys),
        make('span', {class: 'touch'}, touch));
}

/** Leads to the search, with the list in view. */
function startSearch() {
    goTo(document.getElementById('frames-title'));
    list.filters.text.focus({preventScroll: true});
}

/** What the columns of the list hold. */
function listHead() {
    const ways = isFromAir()
        ? 'tx: from the central, rx: from the peripheral' : 'tx: sent by the recorded side, rx: received';
    const heads = [['number', 'frame'], ['time', ''], ['way', ''], ['link', 'conn.'], ['layer', 'layer'],
        ['label', `what (${ways})`]];
    return make('div', {class: 'row heading', 'aria-hidden': 'true'},
        ...heads.map(([name, text]) => make('span', {class: name}, text)));
}

/** Filters by what is typed now. What else the page shows stays until the reader goes to a hit. */
function searchList() {
    list.steps = false;
    list.before = null;
    filterList();
}

/** Keys in the search: from hit to hit, and out of it. */
function searchKey(event) {
    const steps = {Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1}, count = list.shown.length;
    if (event.isComposing) return;
    if (event.key === 'Escape') {
        list.filters.text.value = '';
        searchList();
        list.box.focus({preventScroll: true});
    } else if (event.key in steps && count > 0) {
        const next = list.steps ? list.current + steps[event.key] : steps[event.key] > 0 ? 0 : -1;
        openFrame(list.shown[(next + count) % count], true, false, list.steps);
        list.steps = true;
    } else {
        return;
    }
    event.preventDefault();
}

function filterList() {
    const device = list.filters.device.value, layer = list.filters.layer.value;
    const link = list.filters.link.value;
    const kind = list.filters.problem.value;
    const places = new Set(log.incidents.flatMap((one) => one.kind === kind ? one.places : []));
    const words = wordsToFind();
    list.hits = hitsOf(words);
    if (!raw.octets && words.some(({tests}) => tests.some((test) => test.isOfBytes))) loadBytes();
    const folded = list.filters.folded.checked;
    list.shown = [];
    list.passes = new Uint8Array(log.index.length);
    list.found = 0;
    log.index.forEach((row, place) => {
        if (words.length > 0 && !finds(words, row)) return;
        list.found++;
        if (layer !== '' && !isOfLayer(row, layer) || kind !== '' && !places.has(place)) return;
        if (!folded && row[FOLDED]) return;
        if (device !== '' && row[DEVICE] !== Number(device)) return;
        if (link === '' || row[LINK] === Number(link)) list.shown.push(place);
    });
    for (const place of list.shown) list.passes[place] = 1;
    // Of one connection alone, its number is in no row.
    list.section.classList.toggle('alone', link !== '' || list.filters.link.length < 3);
    list.current = list.shown.indexOf(detail.opened);
    showNothing();
    measureList();
    if (list.current < 0) list.box.scrollTop = 0;
    showRow();
}

/** Finds how many lines each row needs, and where it stands; returns whether lines have another width now. */
function measureList() {
    list.tops = new Float64Array(list.shown.length + 1);
    if (list.shown.length === 0) return false;
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = getComputedStyle(list.box).font;
    // The scroll bar, and what stands beside the words, are as wide as in the heading.
    const head = document.querySelector('.heading .label').clientWidth;
    const space = NARROW.matches ? list.box.clientWidth - 19
        : head - (list.box.offsetWidth - list.box.clientWidth) - 4;
    const wide = Math.max(20, Math.floor(space / (pen.measureText('0'.repeat(100)).width / 100)));
    const isNew = wide !== list.wide, count = log.index.length;
    if (isNew) Object.assign(list, {wide, lines: new Uint8Array(count), fitted: new Uint8Array(count)});
    for (const place of list.shown) {
        list.lines[place] = list.lines[place] || lineCount(log.index[place], wide);
    }
    placeRows();
    return isNew;
}

/** Puts the rows below each other, from one on. */
function placeRows(first = 0) {
    const {shown, tops, lines} = list, [rest, line] = [restHeight(), lineHeight()];
    for (let at = first; at < shown.length; at++) tops[at + 1] = tops[at] + rest + line * lines[shown[at]];
    list.room.style.height = `${tops[shown.length]}px`;
}

/** Pixels of a line of what a frame says, and of what is above and below in its row. */
function lineHeight() { return NARROW.matches ? 21 : 20; }

function restHeight() { return NARROW.matches ? 26 : 4; }

// Counts the lines of the rows that are drawn for the first time. Returns whether any has another number of
// them than was estimated: then all have moved, but the one that the reader looks at.
function fitRows(first) {
    const drawn = [...list.room.children].map((element, at) => [list.shown[first + at], element])
        .filter(([place]) => !list.fitted[place]);
    const heights = drawn.map(([, element]) => element.querySelector('.label').scrollHeight);
    const line = lineHeight();
    let hasChanged = false;
    drawn.forEach(([place], at) => {
        if (heights[at] === 0) return;
        const lines = Math.max(1, Math.min(MOST_LINES, Math.round(heights[at] / line)));
        hasChanged = hasChanged || lines !== list.lines[place];
        [list.lines[place], list.fitted[place]] = [lines, 1];
    });
    if (!hasChanged) return false;
    const {scrollTop, clientHeight} = list.box, {tops, current} = list;
    const isInView = current >= 0
        && tops[current] < scrollTop + clientHeight && tops[current + 1] > scrollTop;
    const anchor = isInView ? current : indexOf(tops, scrollTop), own = tops[anchor] - scrollTop;
    placeRows(first);
    list.box.scrollTop = tops[anchor] - own;
    return true;
}

/** The lines that the words of a row need, if each has so many characters. */
function lineCount(row, wide) {
    const carrier = row[CARRIER] ? `${row[CARRIER]} ${row[HANDLE]}` : '';
    const text = [row[PROBLEM] && `✗ ${problemText(row)}`, row[SHORT], row[CARRIER] ? '' : row[HANDLE],
        row[VALUE], carrier, row[ATTRIBUTE]].filter(Boolean).join(' ');
    if (text.length <= wide) return 1;
    let lines = 1, used = 0;
    for (const {length} of text.split(' ')) {
        if (used > 0 && used + length > wide) [lines, used] = [lines + 1, 0];
        const whole = Math.floor(Math.max(0, length - 1) / wide);
        [lines, used] = [lines + whole, used + length - whole * wide + 1];
    }
    return Math.min(MOST_LINES, lines);
}

function drawList() {
    const {scrollTop, clientHeight} = list.box;
    const first = Math.max(0, indexOf(list.tops, scrollTop) - 8);
    const last = Math.min(list.shown.length, indexOf(list.tops, scrollTop + clientHeight) + 8);
    const rows = [];
    for (let at = first; at < last; at++) rows.push(listRow(at));
    list.room.replaceChildren(...rows);
    if (fitRows(first)) {
        drawList();
        return;
    }
    sayList();
}

/** Says what is in the list, and how it was found. */
function sayList() {
    if (list.current < 0) list.box.removeAttribute('aria-activedescendant');
    else list.box.setAttribute('aria-activedescendant', 'row-' + list.shown[list.current]);
    const chosen = list.selected.size;
    const hidden = [...list.selected].filter((place) => !list.passes[place]).length;
    const selected = [chosen > 0 ? `, ${chosen} selected` : '',
        hidden > 0 ? `, ${hidden} of them hidden` : ''].join('');
    list.save.textContent = chosen > 0 ? `Save ${chosen} selected as pcapng` : 'Save these as pcapng';
    document.querySelector('.heading .time').textContent = log.showsDay ? 'time, UTC' : 'time, s';
    document.getElementById('day').setAttribute('aria-pressed', String(log.showsDay));
    const link = list.filters.link.value;
    const device = list.filters.device.value;
    const all = link !== '' ? `${counted(placesOfLink(Number(link)).length, 'frame')} of connection ${link}`
        : device !== '' ? `${counted(placesOfDevices().get(Number(device)).length, 'frame')} of ${
            givenName(device) || log.devices[device][0]}` : counted(log.index.length, 'frame');
    const used = FILTERS.filter((name) => name !== 'text' && list.filters[name].value !== '').length;
    for (const name of FILTERS) list.filters[name].classList.toggle('used', list.filters[name].value !== '');
    list.unfold.textContent = used > 0 ? `Filters (${used})` : 'Filters';
    const loading = raw.isLoading ? ', bytes are being unpacked' : '';
    const text = list.problem || (list.filters.text.value ? hitsText() : `${list.shown.length} of ${all}`);
    list.status.textContent = `${text}${loading}${selected}`;
    showWhole();
    list.restore.hidden = list.before === null;
    const {text: word} = list.before || {};
    list.restore.textContent = `back to ${word ? `“${word}”` : 'the filters'}`;
}

function listRow(at) {
    const place = list.shown[at], row = log.index[place];
    const ways = {[TX]: 'tx', [RX]: 'rx'};
    const problem = problemOf(row, 'i'), isFailure = row[WRONG] === FAILED;
    const omitted = place > 0 ? omittedBetween(place - 1, place) : 0;
    const element = make('div', {
        id: 'row-' + place, role: 'option', 'aria-selected': String(list.selected.has(place)),
        'aria-setsize': list.shown.length, 'aria-posinset': at + 1,
        class: 'row' + (at === list.current ? ' current' : '') + (row[FOLDED] ? ' folded' : '')
            + (omitted > 0 ? ' after' : '') + WEIGHTS[row[WRONG]],
        // With Shift it selects rows, not text.
        onmousedown: (event) => { if (event.shiftKey) event.preventDefault(); },
        onclick: (event) => {
            const text = window.getSelection();
            if (text.type === 'Range' && element.contains(text.anchorNode)) return;
            const selects = event.shiftKey || event.ctrlKey || event.metaKey;
            if (event.shiftKey) selectTo(at);
            else if (selects) toggle(place);
            openFrame(place, !selects);
        },
    },
    make('span', {class: 'number'}, nameOf(row)), make('span', {class: 'time'}, timeText(row[TIME])),
    make('span', {class: 'way'}, ways[row[WAY]] || ''),
    make('span', {class: 'link'}, row[LINK] ? `${row[LINK]}` : ''),
    make('span', {class: 'layer'}, row[LAYER]),
    // What only warns does not push aside what the frame says.
    make('span', {class: 'label', title: problemText(row) || null}, isFailure ? problem : null,
        frameWords(row, row[MEANING] ? 'b' : 'span', true), ' ', isFailure ? null : problem,
        omitted > 0 ? make('i', {class: 'warning', title: 'the page has no room for them'},
            `⋮ ${counted(omitted, 'frame')} left out before it`) : null));
    element.style.top = `${list.tops[at]}px`;
    element.style.height = `${list.tops[at + 1] - list.tops[at]}px`;
    element.style.setProperty('--lines', list.lines[place]);
    lightHits(element.querySelector('.label'));
    return element;
}

function toggle(place) {
    if (!list.selected.delete(place)) list.selected.add(place);
}

/** Selects the rows from the current one to another. */
function selectTo(at) {
    const from = list.current < 0 ? at : list.current;
    const [first, last] = [Math.min(at, from), Math.max(at, from)];
    for (let each = first; each <= last; each++) list.selected.add(list.shown[each]);
}

/** Selects frames, to copy or save them, and shows the first. */
function selectFrames(places) {
    const before = list.before || filtersNow(), isHidden = places.some((place) => !list.passes[place]);
    list.selected = new Set(places);
    openFrame(places[0], false);
    if (isHidden) {
        clearFilters();
        list.before = before;
    }
    goTo(document.getElementById('frames-title'));
    addressFrame(log.index[places[0]]);
    list.box.focus({preventScroll: true});
    list.box.scrollTop = list.tops[list.current];
    drawList();
}

function listKey(event) {
    const top = list.tops[Math.max(0, list.current)], height = list.box.clientHeight;
    const page = Math.max(1, indexOf(list.tops, top + height) - Math.max(0, list.current) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    const place = list.shown[list.current];
    if (list.shown.length === 0) return;
    if (event.key in steps) {
        const to = Math.min(list.shown.length - 1, Math.max(0, list.current + steps[event.key]));
        if (event.shiftKey) selectTo(to);
        openFrame(list.shown[to], false);
        if (location.hash.startsWith('#frame=')) addressFrame(log.index[list.shown[to]], true);
    } else if (event.key === 'Enter') {
        openFrame(place ?? list.shown[0], true);
    } else if (event.key === 'Escape' && list.selected.size > 0) {
        list.selected.clear();
        drawList();
    } else if (event.key === ' ' && place !== undefined) {
        toggle(place);
        drawList();
    } else {
        return;
    }
    event.preventDefault();
}

/** Scrolls a box so that something in it lies in the middle of the part that the reader sees. */
function bringIntoBox(box, top, height) {
    const own = box.getBoundingClientRect(), bar = document.getElementById('keys').offsetHeight;
    const end = isSheetOpen() ? detail.box.getBoundingClientRect().top : window.innerHeight;
    let [from, to] = [Math.max(0, bar - own.top), Math.min(box.clientHeight, end - own.top)];
    if (to - from < height) [from, to] = [0, box.clientHeight];
    const isInView = top >= box.scrollTop + from && top + height <= box.scrollTop + to;
    if (!isInView) box.scrollTop = top + height / 2 - (from + to) / 2;
}

/** Shows the row of the frame that is shown in full. */
function showRow() {
    const {current, tops} = list;
    if (current >= 0) bringIntoBox(list.box, tops[current], tops[current + 1] - tops[current]);
    drawList();
}

// Makes the row of a frame the current one; a frame that the filters hide shows itself, with the others of
// its connection if only those of one are shown.
function showInList(place) {
    let at = list.shown.indexOf(place);
    if (at < 0) {
        const number = list.filters.link.value === '' ? 0 : log.index[place][LINK];
        list.before = list.before || filtersNow();
        for (const name of FILTERS) list.filters[name].value = '';
        if (number > 0) list.filters.link.value = String(number);
        list.filters.folded.checked = true;
        filterList();
        at = list.shown.indexOf(place);
    }
    list.current = at;
    showRow();
}
