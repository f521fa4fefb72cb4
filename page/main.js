// Puts the page together, and follows its address.

async function main() {
    const app = document.getElementById('app');
    try {
        if (typeof DecompressionStream === 'undefined') throw new Error('this browser is older than 2023');
        await load();
    } catch (error) {
        app.replaceChildren(make('p', {role: 'alert'}, `The frames can't be read: ${error.message}`));
        replayKeys();
        return;
    }
    const time = partOf(buildTimeline), said = partOf(buildOverview) || '';
    const lists = make('div', {class: 'lists'}, partOf(buildSequence), partOf(buildList));
    app.replaceChildren(said, partOf(buildConnections), partOf(buildDevices), time, partOf(buildFigures),
        partOf(buildAir), make('div', {class: 'columns'}, lists, partOf(buildDetail)));
    presetFilters();
    drawTimeline();
    document.addEventListener('click', followLink);
    document.addEventListener('keydown', pageKey);
    document.addEventListener('copy', copyRows);
    window.addEventListener('popstate', returnTo);
    window.addEventListener('hashchange', () => { if (!history.state) followAddress(); });
    fitFigures();
    for (const fit of [fitAxis, fitFigures]) window.addEventListener('resize', fit);
    openInPrint();
    await (location.hash ? followAddress() : openFirst());
    replayKeys();
    document.body.dataset.state = 'ready';
}

/** What builds a part of the page gives; where it fails, words that say so: the other parts are shown. */
function partOf(build) {
    try {
        return build();
    } catch (error) {
        console.error(error);
        return make('p', {role: 'alert'}, `A part of this page can't be shown: ${error.message}`);
    }
}

/** Keeps the keys that are pressed before the page is there; returns what does them then. */
function keepKeys() {
    const keys = [];
    const keep = (event) => {
        const isText = event.key.length === 1 && event.key !== ' ';
        const isSearch = keys.includes('/') && [' ', 'Enter', 'Escape', 'ArrowDown'].includes(event.key);
        if (event.ctrlKey || event.metaKey || event.altKey || !(isText || isSearch)) return;
        keys.push(event.key);
        event.preventDefault();
    };
    document.addEventListener('keydown', keep);
    return () => {
        document.removeEventListener('keydown', keep);
        const field = list.filters.text;
        for (const key of field ? keys : []) {
            const target = document.activeElement || document.body;
            if (target === field && key.length === 1) {
                field.value += key;
                searchList();
            } else {
                target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
            }
        }
    };
}

/** Whether a frame is about an attribute that the standard defines, or has the value of a subscription. */
function isStandard(row) {
    if (['gap-gatt', 'sig'].includes(row[LAYER])) return true;
    return row[ATTRIBUTE] ? /^[0-9A-F]{4} (?!in )/.test(row[ATTRIBUTE]) : /^0[0-3]00$/.test(row[VALUE]);
}

// Opens the headline's frame, else the first message of the application itself, else the first frame with
// content, without moving the reader there.
function openFirst() {
    const line = overview.connection, failed = headlinePlace();
    const isOwn = (row) => !row[FOLDED] && (!line || row[LINK] === line.connection);
    const isSaid = (row) => row[LAYER] === 'ATT' || row[LAYER] === 'SMP';
    const isPrivate = (row) => isOwn(row) && !isStandard(row), isWrite = (row) => isOperation(row, 'write');
    const tests = [(row) => isPrivate(row) && row[MEANING], (row) => isPrivate(row) && isWrite(row),
        (row) => isOwn(row) && isWrite(row) && row[LAYER] === 'sig',
        (row) => isOwn(row) && row[MEANING], (row) => isOwn(row) && isSaid(row), isOwn,
        (row) => !row[FOLDED], () => true];
    const found = tests.map((test) => log.index.findIndex(test)).find((place) => place >= 0);
    const place = failed === undefined ? found : failed;
    return place === undefined ? undefined : openFrame(place, false);
}

/** Shows the frame or connection that a link names, also if the address names it already. */
function followLink(event) {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [name, value] = link.getAttribute('href').slice(1).split('=');
    const line = name === 'connection' && log.connections.find((one) => one.connection === Number(value));
    const place = name === 'frame' ? log.places.get(value.replace(/^1:/, '')) : undefined;
    if (!line && place === undefined) return;
    event.preventDefault();
    if (line) {
        leaveFor(`#connection=${line.connection}`);
        showConnection(line);
    } else {
        openFrame(place, true, true);
    }
}

/** Where the reader is: what is scrolled to, shown, filtered and in view. */
function whereabouts() {
    return {
        scroll: window.scrollY, frame: detail.opened, isOpen: detail.box.classList.contains('open'),
        view: [timeline.from, timeline.to], filters: filtersNow(), top: list.box.scrollTop,
        link: sequence.choice ? sequence.choice.value : null, before: list.before,
    };
}

/** Gives the page another address, so that the browser's way back leads to where the reader is, or was. */
function leaveFor(address, from = whereabouts()) {
    history.replaceState(from, '', location.href);
    history.pushState({}, '', address);
}

/** Shows again what was shown when the reader left for elsewhere. */
async function returnTo({state}) {
    if (!state) return;
    if (!state.filters) {
        followAddress();
        return;
    }
    if (sequence.choice && sequence.choice.value !== state.link) {
        sequence.choice.value = state.link;
        drawSequence();
    }
    if (state.frame >= 0) await openFrame(state.frame, false);
    // They may have hidden the frame.
    setFilters(state.filters);
    list.before = state.before;
    detail.box.classList.toggle('open', state.isOpen);
    lookAt(state.view);
    list.box.scrollTop = state.top;
    drawList();
    window.scrollTo(0, state.scroll);
    drawTimeline();
}

/** Shows the frame or connection that the address names. */
function followAddress() {
    const match = /^#(frame|connection)=([0-9:]+)$/.exec(location.hash);
    if (!match) return detail.box.classList.remove('open');
    const [, kind, name] = match, place = kind === 'frame' ? log.places.get(name.replace(/^1:/, ''))
        : firstPlace(Number(name));
    const line = kind === 'connection' && log.connections.find((one) => one.connection === Number(name));
    if (place !== undefined && line) return showConnection(line);
    if (place !== undefined && kind === 'frame') return openFrame(place, true, true);
    const why = document.getElementById('omitted') ? ': it has no room for all frames of the log' : '';
    detail.box.replaceChildren(make('p', {role: 'alert'}, `This page has no ${kind} ${name}${why}.`));
    detail.box.classList.add('open');
    if (!SHEET.matches) detail.box.scrollIntoView({block: 'center'});
    return undefined;
}

/** Opens on paper what a reader would open: the further failures and warnings, and the connections. */
function openInPrint() {
    let opened = [];
    window.addEventListener('beforeprint', () => {
        opened = [...document.querySelectorAll('details.more, details.site, details.several')]
            .filter((one) => !one.open);
        for (const one of opened) one.open = true;
    });
    window.addEventListener('afterprint', () => {
        for (const one of opened) one.open = false;
    });
}

/** Says that the frames are being read, until the page is there. */
function showLoading() {
    document.getElementById('app').append(make('p', {id: 'loading', role: 'status'}, 'Reading the frames …'));
}

showLoading();
const replayKeys = keepKeys();
document.addEventListener('DOMContentLoaded', main);
