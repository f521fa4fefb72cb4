// What a reader sees first: the phases of the connection in question as a bar, the frames that explain each
// failure, and the figures that people ask for.

const overview = {
    connection: null, at: -1,
    /** The events that bring parameters, by connection. */
    parameters: null,
};

/** The place of the frame that the headline is about; undefined where nothing failed. */
function headlinePlace() {
    const card = document.querySelector('.card');
    return card ? log.places.get(card.dataset.frame) : undefined;
}

/** The connection that the page is about: that of the headline, else the one with most frames. */
function mainConnection() {
    const place = headlinePlace();
    const link = place === undefined ? 0 : log.index[place][LINK];
    if (link) return log.connections.find((line) => line.connection === link) || null;
    return log.connections.reduce((a, b) => !a || b.packets > a.packets ? b : a, null);
}

function buildOverview() {
    overview.connection = mainConnection();
    const bars = overview.connection ? barsOf(overview.connection).filter((bar) => bar.lasts > 0) : [];
    const total = bars.reduce((sum, bar) => sum + Math.sqrt(bar.lasts), 0);
    const parts = bars.map((bar) => {
        const title = `${bar.name} ${duration(bar.lasts)}, not drawn to scale`;
        const part = make('span', {class: 'phase', title}, bar.name);
        // The square root keeps a short phase visible beside a long one.
        part.style.flexGrow = Math.sqrt(bar.lasts) / total;
        part.style.background = bar.color;
        return part;
    });
    const words = bars.map((bar) => make('span', {}, swatch(bar.color), `${bar.name} `,
        make('b', {}, duration(bar.lasts))));
    if (bars.length > 0) {
        document.getElementById('phases').replaceChildren(
            make('div', {class: 'phases', 'aria-hidden': 'true'}, ...parts),
            make('p', {class: 'legend'},
                make('span', {}, `Connection ${overview.connection.connection}:`), ...words));
    }
    for (const card of document.querySelectorAll('.card')) fillCard(card);
    document.getElementById('keys').replaceChildren(
        make('kbd', {}, '/'), ' search ', make('kbd', {}, 'n'), ' next failure ',
        make('button', {type: 'button', class: 'plain', onclick: showHelp}, make('kbd', {}, '?'), ' keys'));
}

function swatch(color) {
    const box = make('i', {});
    box.style.background = color;
    return box;
}

/** Puts the frames into a card that explain it: those before it on its connection, and the one after. */
function fillCard(card) {
    const place = log.places.get(card.dataset.frame);
    if (place === undefined) return;
    const speaks = (row) => row[MEANING] && !/, more follow$/.test(row[MEANING]);
    const told = log.index[place][MEANING] === '' ? [] : neighbours(place, speaks);
    const around = told.length > 1 ? told : neighbours(place, (row) => !row[FOLDED]);
    card.querySelector('.evidence').replaceChildren(...around.map((at) => evidenceRow(at, at === place)));
}

/** A frame's place, and those of at most three before it and one after it on its connection. */
function neighbours(place, tells) {
    const link = log.index[place][LINK], around = [place];
    const isOwn = (at) => log.index[at][LINK] === link && tells(log.index[at]);
    for (let at = place - 1; at >= 0 && at > place - 400 && around.length < 4; at--) {
        if (isOwn(at)) around.unshift(at);
    }
    for (let at = place + 1; at < log.index.length && at < place + 400; at++) {
        if (isOwn(at)) return [...around, at];
    }
    return around;
}

function evidenceRow(place, decides) {
    const row = log.index[place];
    const ways = {[TX]: '▶', [RX]: '◀'};
    return make('button', {
        type: 'button', class: 'proof' + (decides ? ' decides' : ''), 'data-frame': nameOf(row),
        onclick: () => openFrame(place, true),
    },
    make('span', {class: 'number'}, nameOf(row)), make('span', {class: 'time'}, timeText(row)),
    make('span', {class: 'way', 'aria-label': row[WAY] === TX ? 'sent' : 'received'}, ways[row[WAY]] || ''),
    make('span', {class: 'what'}, row[MEANING] || row[LABEL]),
    make('span', {class: 'latency'}, row[LATENCY] === null ? '' : `after ${duration(row[LATENCY])}`));
}

/** The row of figures about the main connection. */
function buildFigures() {
    const line = overview.connection;
    if (!line) return '';
    const rows = log.index.filter((row) => row[LINK] === line.connection);
    const answers = rows.map((row) => row[LATENCY]).filter((one) => one !== null).sort((a, b) => a - b);
    const share = (part) => answers[Math.min(answers.length - 1, Math.floor(answers.length * part))];
    const figures = [];
    const add = (value, text) => figures.push(make('div', {class: 'figure'},
        make('b', {}, value), make('span', {}, text)));
    if (answers.length > 0) {
        add(duration(share(0.5)), `median of ${answers.length} answers · `
            + `95 % within ${duration(share(0.95))} · longest ${duration(answers[answers.length - 1])}`);
    }
    const bands = parametersOf(line);
    const last = bands[bands.length - 1];
    if (last) add(last.interval, `connection interval · latency ${last.latency} · timeout ${last.timeout}`);
    const device = log.devices.findIndex(([address]) => address === line.peer);
    const strengths = log.index.filter((row) => row[DEVICE] === device && row[RSSI] !== null);
    if (device >= 0 && strengths.length > 0) {
        const values = strengths.map((row) => row[RSSI]);
        const least = values.reduce((a, b) => Math.min(a, b)), most = values.reduce((a, b) => Math.max(a, b));
        add(minus(`${values[values.length - 1]} dBm`), minus(least === most
            ? `RSSI, last of ${values.length}`
            : `RSSI, last of ${values.length}, ${least} to ${most}`));
    }
    if (line.air) {
        const all = line.air.events + line.air.events_missed;
        add(`${line.air.events} / ${all}`,
            `connection events heard, ${line.air.crc_errors} packets with wrong CRC`);
    }
    if (line.att_pdus > 0) {
        const values = [[line.reads, 'read'], [line.writes, 'write'], [line.notifications, 'notification'],
            [line.indications, 'indication']].filter(([count]) => count > 0);
        add(`${values.reduce((sum, [count]) => sum + count, 0)} values`,
            values.map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(' · '));
        add(`${line.att_mtu} bytes`, 'ATT MTU');
    }
    const best = busiest(rows);
    if (best > 0) add(`${(best / 100).toFixed(1)} kB/s`, 'in the busiest 100 ms');
    if (figures.length === 0) return '';
    return make('section', {'aria-labelledby': 'figures-title'},
        make('h2', {id: 'figures-title'}, `Connection ${line.connection}`),
        make('div', {class: 'figures'}, ...figures));
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
    ['/', 'search the frames'], ['n', 'next failure'], ['p', 'previous failure'], ['j', 'next frame'],
    ['k', 'previous frame'], ['t', 'time of day, or seconds since the first record'], ['?', 'this list'],
    ['+ −', 'zoom the timeline, where it has the focus; arrows pan, Home shows all'],
    ['Shift and drag', 'select a range of the timeline'],
];

function showHelp() {
    let help = document.getElementById('help');
    if (!help) {
        help = make('dialog', {id: 'help', 'aria-labelledby': 'help-title'},
            make('h2', {id: 'help-title'}, 'Keys'),
            make('dl', {}, ...KEYS.flatMap(([key, text]) => [
                make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)])),
            make('button', {type: 'button', onclick: () => help.close()}, 'Close'));
        document.body.append(help);
    }
    if (help.open) help.close();
    else help.showModal();
}

/** Opens the next failure in the log, or the one before. */
function stepFailure(by) {
    const all = timeline.incidents;
    if (all.length === 0) return;
    overview.at = (overview.at + by + all.length) % all.length;
    openFrame(all[overview.at].place, true);
}

function pageKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.nodeName)) return;
    const step = (by) => () => openFrame(
        Math.max(0, Math.min(log.index.length - 1, Math.max(0, detail.opened) + by)), true);
    const actions = {
        '/': () => list.filters.text.focus(), n: () => stepFailure(1),
        p: () => stepFailure(overview.at < 0 ? 0 : -1), j: step(1), k: step(-1), t: toggleTime, '?': showHelp,
    };
    if (!Object.hasOwn(actions, event.key)) return;
    actions[event.key]();
    event.preventDefault();
}

function toggleTime() {
    log.showsDay = !log.showsDay;
    drawList();
    drawTimeline();
    for (const card of document.querySelectorAll('.card')) fillCard(card);
}
