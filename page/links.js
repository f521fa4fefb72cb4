// A table of the connections, where there are several: device, times, end, kinds of failure; what was before
// a failure, and links to its places.

const MOST_CONNECTIONS = 200;

/** A table of the connections, in the order of the log; a number shows the connection's exchange. */
function buildConnections() {
    // A single one is in the headline, unless that is about what was on none.
    const place = headlinePlace(), least = place !== undefined && linkOf(place) === 0 ? 1 : 2;
    if (log.connections.length < least) return '';
    const failures = new Map();
    for (const {links, kind} of log.incidents) {
        if (kind !== 'failed') continue;
        for (const link of links) failures.set(link, (failures.get(link) || 0) + 1);
    }
    const weight = (line) => (failures.has(line.connection) ? 2 : 0) + (line === overview.connection ? 1 : 0);
    const lines = [...log.connections].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_CONNECTIONS)
        .sort((a, b) => a.connection - b.connection);
    const hasFailures = lines.some((line) => failures.has(line.connection) || line.cause);
    // Narrow screens have no room for the further ones.
    const columns = [['device'], ['began'], ['lasted'], ['end', 'ending'],
        ...hasFailures ? [['places of failures', 'count']] : [],
        ['reads and writes', 'further'], ['values received', 'further']];
    const shown = new Set(log.index.filter((row) => !row[FOLDED]).map((row) => row[LINK]));
    const rows = lines.map((line) => {
        const from = beginOf(line), count = failures.get(line.connection) || 0;
        const number = String(line.connection);
        const show = make('button', {
            type: 'button', 'aria-label': `Show connection ${number}`, onclick: () => showConnection(line),
        }, number);
        return make('tr', {
            class: count > 0 ? 'wrong' : '', 'data-connection': number,
            onclick: (event) => { if (event.target.localName !== 'button') showConnection(line); },
        },
            make('th', {scope: 'row'}, shown.has(line.connection) ? show : number),
            ...[cellOf(line), from === null ? '' : moment(from, 1e5), lastedOf(line), endOf(line),
                ...hasFailures ? [count > 0 ? String(count) : line.cause ? 'yes' : ''] : [],
                String(line.reads + line.writes),
                String(line.notifications_by_peer + line.indications_by_peer)]
                .map((content, at) => make('td', {class: columns[at][1]}, content)));
    });
    const left = log.connections.length - lines.length, apart = failures.get(0) || 0;
    return make('details', {id: 'connections', class: 'several', open: lines.length <= 12 && !SLIM.matches},
        make('summary', {}, counted(log.connections.length, 'connection')),
        make('div', {class: 'scroll', tabindex: 0}, make('table', {},
            make('thead', {}, make('tr', {}, make('td', {}),
                ...columns.map(([name, kind]) => make('th', {scope: 'col', class: kind}, name)))),
            make('tbody', {}, ...rows))),
        left > 0 ? make('p', {class: 'hint'},
            `${counted(left, 'further connection')}: see “Full report”`) : '',
        apart > 0 ? make('p', {class: 'hint'}, `places of failures on no connection: ${apart}`) : '');
}

/** A connection's device by name and address, with the adapter if the log has several. */
function deviceOf(line) {
    const adapter = log.adapters > 1 && !line.air ? ` on hci${line.adapter}` : '';
    return (line.peer_name ? `${line.peer_name} ` : '') + peerOf(line) + adapter;
}

/** The device in a table; a narrow one has no room for the address behind a name. */
function cellOf(line) {
    const name = line.peer_name;
    const address = make('span', {class: name ? 'further' : 'whole'}, deviceOf({...line, peer_name: ''}));
    return make('span', {}, name ? `${name} ` : '', address);
}

/** When a connection began, in microseconds since the first record; null if unknown. */
function beginOf(line) {
    return line.connected ? sinceStart(line.connected) : timeOf(line.first_frame, line);
}

/** When a frame of a connection's file was recorded; null if the page does not have it. */
function timeOf(frame, line) {
    const place = placeOf(frame, line.file);
    return place === undefined ? null : log.index[place][TIME];
}

/** The place of a connection's first frame, by choice with content; of none (0), of what failed there. */
function firstPlace(number) {
    const own = number > 0 ? placesOfLink(number)
        : placesOfLink(0).filter((place) => isApart(log.index[place]) && log.index[place][WRONG] === FAILED);
    return own.find((place) => !log.index[place][FOLDED]) ?? own[0];
}

/** Shows a connection's exchange, phases and frames, and stays where the reader is. */
async function showConnection(line) {
    const place = firstPlace(line.connection);
    if (place === undefined) return;
    filterByLink(line.connection);
    await openFrame(place, false, true);
    document.querySelector('.lanes').scrollIntoView({block: 'nearest'});
}

/** How many places a click adds to those that are links. */
const PLACES_AT_A_TIME = 100;

/** The places of a failure on the connection of a card or site, as links; the one that it shows is marked. */
function showPlaces(box, place) {
    const incident = log.incidents[(box.dataset.incident ? box : box.closest('.card')).dataset.incident];
    const own = log.places.get(box.dataset.frame), {sites, links} = incident;
    const {link} = sites.find((one) => one.place === own) || {};
    const places = sites.filter((one) => one.link === link).map((one) => one.place);
    if (places.length < 2) return;
    if (!box.querySelector(':scope > .places')) {
        const left = links.filter((one) => one === link).length - places.length;
        box.querySelector('.evidence').before(make('div', {class: 'places'},
            `${counted(places.length, 'place')}${link > 0 ? ' on this connection' : ''}: `,
            ...placeLinks(box, places), left > 0 ? `; ${left} more not in this page` : ''));
    }
    for (const one of box.querySelectorAll(':scope > .places a')) {
        if (one.hash === '#frame=' + nameOf(log.index[place])) one.setAttribute('aria-current', 'true');
        else one.removeAttribute('aria-current');
    }
}

/** Links to places, and a button that adds further ones. The card shows the frames around the chosen one. */
function placeLinks(box, places) {
    const [first] = places, left = [...places], linked = (count) => left.splice(0, count).flatMap((at) => {
        const name = nameOf(log.index[at]), passed = log.index[at][TIME] - log.index[first][TIME];
        return [at === first ? '' : ', ', make('a', {
            href: '#frame=' + name, title: passed > 0 ? `${duration(passed)} after the first` : null,
            onclick: () => fillEvidence(box, at, []),
        }, `frame${NBSP}${name}`)];
    });
    const links = linked(MOST_STOPS), more = make('button', {type: 'button', class: 'plain', onclick: () => {
        more.before(...linked(PLACES_AT_A_TIME));
        if (left.length === 0) more.remove();
        else more.textContent = `and ${left.length} more`;
    }}, `and ${left.length} more`);
    return left.length > 0 ? [...links, more] : links;
}

/** The connection of a frame, or of the failure that it shows: the chip's reset is on none, and ends one. */
function linkOf(place) {
    const own = log.index[place][LINK];
    if (own || log.index[place][WRONG] === 0) return own;
    const site = log.incidents.flatMap(({sites}) => sites)
        .find((one) => one.place === place && one.link > 0);
    return site ? site.link : 0;
}

/** These places, which are in order, with another one. */
function withPlace(places, place) {
    const at = places.findIndex((one) => one >= place);
    if (at >= 0 && places[at] === place) return places;
    return at < 0 ? [...places, place] : places.toSpliced(at, 0, place);
}

/** The last phase that was done before a failure, and what that is about or after: the oldest first. */
function stepsBefore(place, line) {
    const time = log.index[place][TIME];
    // An authentication that was refused is a failure.
    const isRefused = ({name, result}) => name === 'authentication' && result;
    const done = !line ? [] : withMore(barsOf(line)).filter((bar) =>
        bar.lasts !== null && !bar.missing && bar.to <= time && !bar.isUse && !isRefused(bar));
    const last = done.reduce((a, b) => !a || b.to >= a.to ? b : a, null);
    const before = askedBefore(place, line);
    const isNews = before !== undefined && !(last && log.index[before][TIME] === last.to);
    const ago = isNews ? log.index[before] : null;
    const failed = failedBefore(place, line);
    return [failed, last && [make('b', {}, `${capital(last.words)} ${last.result || 'done'}`), last.to],
        ago && [frameWords(ago, 'b'), ago[TIME], wayText(ago)]].filter(Boolean)
        .sort(([, one], [, other]) => one - other);
}

/** The last other failure on a connection before a place: its words, its time and its frame. */
function failedBefore(place, line) {
    const own = log.incidents[document.querySelector('.card.failed').dataset.incident];
    const all = !line ? [] : log.incidents.filter((one) => one !== own && one.kind === 'failed')
        .flatMap(({text, sites}) => sites.map((site) => ({...site, text})))
        .filter((one) => one.link === line.connection && byTime(one.place, place) < 0)
        .sort((one, other) => byTime(one.place, other.place));
    if (all.length === 0) return null;
    const {place: at, text} = all[all.length - 1], name = nameOf(log.index[at]);
    return [make('b', {}, capital(text)), log.index[at][TIME],
        make('a', {href: '#frame=' + name}, `frame ${name}`)];
}

// The place of what the headline's failure is about: the frame that its words name, or the request that its
// frame answers; else of the last packet before it on its connection.
function askedBefore(place, line) {
    const named = [...document.querySelectorAll('.card h1 a')]
        .map((link) => log.places.get(link.hash.slice(7)))
        .findLast((at) => at < place && !log.index[at][WRONG]);
    const request = named ?? requestOf(place);
    // That the connection should end is a reaction.
    const isReaction = (at) => isOperation(log.index[at], 'disconnect');
    if (request !== undefined && !isReaction(request)) return request;
    const isPacket = (at) => isOperation(log.index[at], 'l2cap') && log.index[at][LAYER] !== 'ACL';
    const tells = (at) => at < place && !isOfFailure(at, place);
    const around = neighbours(place, 6, 0).filter((at) => tells(at) && !isReaction(at));
    const packet = line && placesOfLink(line.connection).findLast((at) => tells(at) && isPacket(at));
    return log.index[place][MEANING] && around.length > 0 ? around[around.length - 1]
        : packet ?? around[around.length - 1];
}

/** Whether a frame before a failure belongs to it: another place, or an event with the same status. */
function isOfFailure(at, place) {
    const row = log.index[at], failure = log.index[place];
    return row[PROBLEM] !== '' && row[PROBLEM] === failure[PROBLEM]
        || row[LINK] !== 0 && row[CAUSE] !== 0 && row[CAUSE] === failure[CAUSE];
}

/** Says at the top which failure or warning it is, in the order of the cards, and which of its places. */
function showStop({incident, place}, all) {
    const {kind, places} = incident, count = log.incidents.filter((one) => one.kind === kind).length;
    const alike = [...new Set(all.map((stop) => stop.incident).filter((one) => one.kind === kind))];
    const at = places.indexOf(place);
    const where = places.length < 2 || at < 0 ? '' : `, place ${at + 1} of ${places.length}`;
    document.getElementById('step').replaceChildren(make('span', {}, `${KINDS[kind]} `),
        `${alike.indexOf(incident) + 1} of ${count}`, make('span', {}, where));
}

/** Goes on from a failure or warning that the reader has chosen elsewhere than by the key for the next. */
function takeStop(place) {
    const all = stops();
    if (all.length === 0 || all[overview.at] && all[overview.at].place === place) return;
    const own = all.findIndex((one) => one.place === place);
    const at = own >= 0 ? own : all.findIndex(({incident}) => incident.places.includes(place));
    if (at < 0) return;
    overview.at = at;
    sayNext(all);
    showStop({...all[at], place}, all);
}

/** The connections with the device of a frame that is on none: those after it first; or the only one. */
function linesOf(row) {
    const address = row[DEVICE] < 0 ? '' : log.devices[row[DEVICE]][0];
    const own = log.connections.filter((line) => peerOf(line) === address);
    const isLater = (line) => beginOf(line) >= row[TIME];
    if (own.length === 0) return log.connections.length === 1 ? log.connections : [];
    return [...own.filter(isLater), ...own.filter((line) => !isLater(line))];
}

// Lets a narrow page show a further card as one line, which opens it.
function foldCard(card) {
    const title = card.querySelector('h2'), button = make('button', {
        type: 'button', class: 'plain unfold', 'aria-expanded': 'false', 'aria-label': 'Show all of it',
    }, '▸');
    title.prepend(button);
    title.addEventListener('click', ({target}) => {
        if (!target.closest('a, abbr')) openCard(card, !card.matches('.open'));
    });
}

/** Opens a card that a narrow page shows as one line, or folds it. */
function openCard(card, isOpen = true) {
    const button = card.querySelector('.unfold');
    if (!button) return;
    card.classList.toggle('open', isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
    button.textContent = isOpen ? '▾' : '▸';
}
