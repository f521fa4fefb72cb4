// The devices that were heard, and packets that a sniffer heard, by radio channel: those of the main
// connection, or all.

const MOST_DEVICES = 200;

/** The devices that advertised, the nearest first; those that were connected, and the number of all. */
function heardDevices() {
    const peers = new Set(log.connections.map(peerOf));
    const heard = log.devices.map((device, number) => ({device, number})).filter(({device}) => device[2] > 0)
        .sort((one, other) => other.device[3] - one.device[3]);
    const connected = heard.filter(({device}) => peers.has(device[0])).map(({number}) => number);
    // Some may have no frame in the page.
    return {heard, connected, count: Math.max(log.heard, heard.length)};
}

/** A table of the devices that advertised; an address shows the device's frames. */
function buildDevices() {
    const {heard, connected, count} = heardDevices();
    if (heard.length < 2) return '';
    const columns = [['name'], ['strongest signal'], ['reports'], ['first heard', 'further'],
        ['last heard', 'further'], ['service', 'further']];
    const rows = heard.slice(0, MOST_DEVICES).map(({device, number}) => {
        const [address, , reports, strongest, first, last, service] = device;
        const show = make('button', {
            type: 'button', title: 'show the frames of this device', onclick: () => showDevice(number),
        }, address);
        return make('tr', {}, make('th', {scope: 'row'}, show),
            ...[givenName(number), strongest > -128 ? minus(`${strongest} dBm`) : '', String(reports),
                moment(first, 1e5), moment(last, 1e5), service]
                .map((content, at) => make('td', {class: columns[at][1]}, content)));
    });
    const left = count - rows.length, also = connected.length;
    return make('details', {id: 'devices', class: 'several', open: log.connections.length === 0},
        make('summary', {}, `${counted(count, 'device')} advertised`
            + (also > 0 ? `, ${also} of which ${also === 1 ? 'was' : 'were'} connected` : '')),
        make('div', {class: 'scroll', tabindex: 0}, make('table', {}, make('thead', {}, make('tr', {},
            make('td', {}), ...columns.map(([name, kind]) => make('th', {scope: 'col', class: kind}, name)))),
        make('tbody', {}, ...rows))),
        left > 0 ? make('p', {class: 'hint'}, `${counted(left, 'further device')}: see “Full report”`) : '');
}

/** Filters the list by a device. */
function showDevice(number) {
    list.filters.device.value = String(number);
    filterByLink(0);
    goTo(document.getElementById('frames-title'));
}

function isFromAir() {
    return log.connections.some((line) => line.air)
        || log.index.some((row) => row[LAYER] === 'ADV' || row[LAYER] === 'LL');
}

/** A table by channel, which is filled when it is opened, because it needs each frame in full. */
function buildAir() {
    if (!isFromAir()) return '';
    const box = make('div', {class: 'scroll', tabindex: 0});
    const link = overview.connection && overview.connection.air ? overview.connection.connection : 0;
    const title = link ? `Connection ${link} by channel` : 'The air by channel';
    return make('details', {
        id: 'air', ontoggle: async () => {
            if (box.childElementCount === 0) box.replaceChildren(airTable(await heardOf(link)));
        },
    }, make('summary', {}, title), box);
}

/** The counts of each channel, and the events missed, of a connection; 0 for all packets. */
async function heardOf(link) {
    const channels = new Map();
    const sum = {link, channels, missed: 0, longest: 0, after: null};
    for (let place = 0; place < log.index.length; place++) {
        const row = log.index[place];
        if (link && row[LINK] !== link) continue;
        const air = (await frameAt(place)).json.air;
        if (!air) continue;
        if (air.events_missed) {
            sum.missed += air.events_missed;
            if (air.events_missed > sum.longest) [sum.longest, sum.after] = [air.events_missed, place];
        }
        if (air.channel === undefined) continue;
        if (!channels.has(air.channel)) channels.set(air.channel, {heard: 0, wrong: 0, again: 0, rssi: []});
        const one = channels.get(air.channel);
        one.heard++;
        if (air.crc_ok === false) one.wrong++;
        if (air.retransmission) one.again++;
        if (row[RSSI] !== null) one.rssi.push(row[RSSI]);
    }
    return sum;
}

function airTable({link, channels, missed, longest, after}) {
    // A connection hops with each event.
    const isFixed = link && channels.size === 1 && [...channels.values()][0].heard > 20;
    if (channels.size === 0 || isFixed) {
        return make('p', {class: 'hint'}, 'The recorder does not say on which channel.');
    }
    const all = [...channels].sort(([one], [other]) => one - other);
    const most = all.reduce((sum, [, one]) => Math.max(sum, one.heard), 1);
    const heads = ['channel', 'packets heard', '', 'wrong CRC', 'retransmissions', 'RSSI, median (range)'];
    const rows = all.map(([channel, one]) => {
        const bar = make('div', {class: 'heard'}, make('span', {}));
        bar.style.width = `${one.heard / most * 10}rem`;
        bar.firstChild.style.width = `${one.wrong / one.heard * 100}%`;
        const values = one.rssi.sort((a, b) => a - b);
        const strength = values.length === 0 ? '' : minus(`${values[values.length >> 1]} dBm `
            + `(${values[0]} to ${values[values.length - 1]})`);
        return make('tr', {}, make('th', {scope: 'row'}, `${channel}`), make('td', {}, `${one.heard}`),
            make('td', {}, bar), make('td', {}, `${one.wrong}`), make('td', {}, `${one.again}`),
            make('td', {}, strength));
    });
    const frame = after === null ? '' : nameOf(log.index[after]);
    const gap = after === null ? '' : make('p', {},
        `${missed} connection events were not heard, `, ...longest < 2 ? ['never two in a row.']
            : [`at most ${longest} in a row: before `,
                make('a', {href: '#frame=' + frame}, `frame ${frame}`), '.']);
    return make('div', {}, gap, make('table', {}, make('thead', {}, make('tr', {},
        ...heads.map((name) => name ? make('th', {scope: 'col'}, name) : make('td', {})))),
    make('tbody', {}, ...rows)));
}
