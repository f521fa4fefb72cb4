// One frame in full: its layers, their fields, and the bytes; a field and its bytes light each other.

const detail = {
    box: null, opened: -1,
    /** How far the page was scrolled when a frame was opened from the summary. */
    from: 0,
    /** Where the reader was before the frame was opened. */
    before: null,
};

/** Pages without room for the frame beside the list: it is a sheet over their lower part. */
const SHEET = window.matchMedia('(max-width: 60rem)');

/** Height in pixels that the tallest row of the list needs. */
const LEAST_ROOM = 150;

function buildDetail() {
    detail.box = make('section', {
        id: 'detail', class: 'detail', tabindex: -1, 'aria-live': 'polite', 'aria-label': 'The frame in full',
    }, make('p', {class: 'hint'}, 'A click on anything, or Enter in the list, shows a frame here.'));
    return detail.box;
}

// Shows the frame at a place of the index; `moves` says whether the address and the focus follow, `seeks`
// whether the timeline zooms to its connection where that is too narrow to be seen, `isStep` whether it is
// one of a row of frames that the reader walks along.
async function openFrame(place, moves, seeks = false, isStep = false) {
    const row = log.index[place];
    // A second click before the frame is there leads from where the first one did.
    const isThere = detail.box.dataset.frame === nameOf(row);
    if (detail.opened !== place || isThere) detail.before = whereabouts();
    detail.opened = place;
    if (moves) takeStop(place);
    showInList(place);
    let frame;
    try {
        frame = await frameAt(place);
    } catch (error) {
        const text = `Frame ${nameOf(row)} can't be read: ${error.message}`;
        detail.box.replaceChildren(make('p', {role: 'alert'}, text));
        return;
    }
    if (detail.opened !== place) return;
    const bytes = {record: byteTable(frame.bytes, 0)};
    if (frame.joined !== undefined) bytes.joined = byteTable(frame.joined, frame.start);
    const step = (by, text) => make('button', {
        type: 'button', disabled: placeBeside(place, by) === undefined,
        onclick: () => openFrame(placeBeside(place, by) ?? place, true, false, true),
    }, text);
    detail.box.replaceChildren(
        make('div', {class: 'bar top'},
            make('h2', {id: 'detail-title'}, `Frame ${nameOf(row)}`),
            step(-1, '← previous'), step(1, 'next →'),
            make('button', {type: 'button', id: 'back', onclick: backToSummary}, '↑ Back to the summary'),
            make('button', {type: 'button', id: 'close', 'aria-label': 'Close', onclick: closeSheet}, '✕')),
        make('p', {class: 'hint'}, moment(row[TIME]), wayText(row) && ` · ${wayText(row)}`,
            copyButton('text', `frame ${nameOf(row)}`, () => wholeText(place, frame))),
        problemLines(row) ?? '',
        explain(make('p', {class: 'label'}, frameWords(row))),
        byteBox(frame, bytes), fieldTable(frame.lines, bytes),
        frame.meaning ? make('pre', {id: 'meaning', class: 'meaning', tabindex: 0}, frame.meaning) : '',
        make('details', {}, make('summary', {}, 'As NDJSON'),
            copyButton('NDJSON', 'the frame as NDJSON', () => JSON.stringify(frame.json) + '\n'),
            make('pre', {id: 'json', tabindex: 0}, JSON.stringify(frame.json, null, 2))));
    detail.box.dataset.frame = nameOf(row);
    detail.box.scrollTop = 0;
    markFrame(place, seeks);
    if (!moves) return;
    addressFrame(row, isStep);
    detail.box.classList.add('open');
    if (SHEET.matches) return keepAbove(place);
    const box = detail.box.getBoundingClientRect(), top = document.getElementById('keys').offsetHeight;
    if (box.top < top || box.top > window.innerHeight / 2) detail.box.scrollIntoView({block: 'start'});
    // Of a list that begins at the lower edge, the tallest row has room.
    const free = window.innerHeight - list.box.getBoundingClientRect().top;
    if (free > 0 && free < LEAST_ROOM) window.scrollBy(0, LEAST_ROOM - free);
    showRow();
    showStep(place);
}

/** What is wrong with a frame, one problem a line. */
function problemLines(row) {
    const lines = problemOf(row, 'p');
    if (lines) lines.textContent = lines.textContent.replaceAll('; ', ';\n');
    return lines;
}

/** Brings what the reader chose a frame by above the sheet, if that covers it. */
function keepAbove(place) {
    const top = detail.box.getBoundingClientRect().top, name = nameOf(log.index[place]);
    const inView = (selector) => [...document.querySelectorAll(selector)].filter((one) => {
        const box = one.getBoundingClientRect();
        return one.checkVisibility() && box.bottom > 0 && box.top < window.innerHeight;
    });
    const rows = inView(`:is(.proof, .arrow)[data-frame="${name}"], #row-${place}`);
    const all = rows.length > 0 ? rows : inView('#timeline');
    const bar = document.getElementById('keys').offsetHeight, boxOf = (one) => one.getBoundingClientRect();
    if (all.some((one) => boxOf(one).top >= bar && boxOf(one).bottom <= top + 1)) return;
    const covered = all.find((one) => boxOf(one).bottom > top + 1) ?? all[0];
    if (covered) covered.scrollIntoView({block: 'nearest'});
}

/** Whether the frame lies over the page. */
function isSheetOpen() { return SHEET.matches && detail.box.classList.contains('open'); }

function closeSheet() {
    detail.box.classList.remove('open');
    history.replaceState({}, '', location.pathname + location.search);
}

// Puts a frame into the address. The browser's way back leads to where the reader was before, but not to each
// step on the way from one to the next.
function addressFrame(row, isStep = false) {
    const address = '#frame=' + nameOf(row), isNew = !location.hash.startsWith('#frame=');
    if (isNew) detail.from = window.scrollY;
    if (location.hash === address) return;
    if (isNew || !isStep) leaveFor(address, detail.before || whereabouts());
    else history.replaceState({}, '', address);
}

/** The place of the frame before or after one in the list; undefined at its ends. */
function placeBeside(place, by) { return list.shown[list.shown.indexOf(place) + by]; }

/** Leads back to where the reader opened the first frame. */
function backToSummary() {
    leaveFor(location.pathname + location.search);
    detail.box.classList.remove('open');
    window.scrollTo(0, Math.min(detail.from, document.getElementById('app').offsetTop));
    const heading = document.querySelector('h1');
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
}

/** The bytes in hexadecimal and as characters, two elements each, by their places. */
function byteTable(hex, start) {
    const cells = new Map();
    for (let at = 0; at * 2 < hex.length; at++) {
        const text = hex.slice(2 * at, 2 * at + 2), isMasked = text === '..', code = parseInt(text, 16);
        const attributes = isMasked ? {class: 'byte masked', title: 'not shown'} : {class: 'byte'};
        cells.set(start + at, [make('span', attributes, isMasked ? '··' : text),
            make('span', {}, code >= 0x20 && code < 0x7F ? String.fromCharCode(code) : '·')]);
    }
    return cells;
}

/** Pixels that a line of 16 bytes needs. */
const WIDE_LINE = 500;

function byteBox(frame, bytes) {
    const box = make('div', {class: 'bytes', id: 'bytes'});
    // A sheet that is not there yet is as wide as the page.
    const most = (detail.box.clientWidth || document.body.clientWidth) < WIDE_LINE ? 8 : 16;
    for (const [name, cells] of Object.entries(bytes)) {
        const title = (name === 'record' ? '' : 'the PDU put together, ') + counted(cells.size, 'byte');
        const rows = [];
        const all = [...cells];
        for (let at = 0; at < all.length; at += most) {
            const line = all.slice(at, at + most), column = (nth) => line.map((pair) => pair[1][nth]);
            rows.push(make('span', {class: 'place'}, `+${line[0][0]}`), make('span', {}, ...column(0)),
                make('span', {class: 'characters', 'aria-hidden': 'true'}, ...column(1)));
        }
        const hex = name === 'record' ? frame.bytes : frame.joined;
        box.append(make('figure', {'data-bytes': name, tabindex: 0},
            make('figcaption', {}, title,
                copyButton('bytes', counted(cells.size, 'byte'), () => digitsText(hex))),
            make('div', {class: 'dump'}, ...rows)));
    }
    if (/\.\./.test(frame.bytes + (frame.joined || ''))) {
        box.append(make('p', {class: 'hint'}, '·· is not shown: a key, or what may be one.'));
    }
    return box;
}

/** Most bytes of a value that its field shows. */
const MOST_VALUE = 32;

/** The bytes of a field that says only how many they are, unless its parts or secrets follow. */
function octetsText(text, own, next) {
    const indent = (one) => /^ */.exec(one)[0].length;
    const isWhole = / = \d+ bytes?$/.test(text) && !(next && indent(next[2] || next) > indent(text));
    const octets = own.flatMap((cell, at) => at % 2 === 0 ? [cell] : []);
    if (!isWhole || octets.some((cell) => cell.matches('.masked'))) return '';
    const hex = octets.slice(0, MOST_VALUE).map((cell) => cell.textContent).join(' ');
    return `: ${hex}${octets.length > MOST_VALUE ? ' …' : ''}`;
}

function fieldTable(lines, bytes) {
    // Of fields within others, the inner ones come later.
    const fieldOf = new Map();
    const rows = lines.map((line, nth) => {
        if (typeof line === 'string') {
            const isTitle = !line.startsWith(' ');
            return make('div', {class: isTitle ? 'title' : 'fact'}, line.trim());
        }
        const [place, count, text, isJoined] = line;
        const cells = isJoined ? bytes.joined : bytes.record;
        const own = [];
        for (let at = place; at < place + count; at++) if (cells.has(at)) own.push(...cells.get(at));
        const indent = /^ */.exec(text)[0].length;
        const words = text.trim() + octetsText(text, own, lines[nth + 1]);
        const copy = () => {
            const value = fieldValue(words, own);
            copyText(value, value);
        };
        const field = make('div', count === 0 ? {class: 'field', 'data-place': place, 'data-count': 0} : {
            class: 'field', tabindex: 0, role: 'button', 'data-place': place, 'data-count': count,
            title: 'a double click, Enter or Space copies the value', ondblclick: copy,
            // That selects no word.
            onmousedown: (event) => { if (event.detail > 1) event.preventDefault(); },
            onkeydown: (event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                copy();
            },
        }, make('span', {class: 'place'}, `+${place}`), make('span', {class: 'text'}, words));
        field.style.paddingInlineStart = `${0.4 + indent * 0.5}em`;
        const light = (isOn) => () => {
            field.classList.toggle('lit', isOn);
            for (const cell of own) cell.classList.toggle('lit', isOn);
        };
        for (const [event, isOn] of [['mouseenter', 1], ['mouseleave', 0], ['focus', 1], ['blur', 0]]) {
            field.addEventListener(event, light(Boolean(isOn)));
        }
        for (const cell of own) {
            cell.addEventListener('mouseenter', light(true));
            cell.addEventListener('mouseleave', light(false));
            fieldOf.set(cell, field);
        }
        return field;
    });
    for (const [cell, field] of fieldOf) cell.addEventListener('click', () => field.focus());
    return make('div', {class: 'fields', id: 'fields'}, ...rows);
}
