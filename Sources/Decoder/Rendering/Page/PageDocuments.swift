// Made by tools/embed-documents from page/*.*s.

extension PageText {
    /// The scripts and the style of a report page, by the names of their files.
    static let documents: KeyValuePairs<String, String> = [
        "data.js": #"""
        'use strict';

        // What the page knows: the packed blocks, unpacked when they are looked at. Everything in them may have been
        // chosen by a stranger, so it becomes text and never markup.

        const FRAME = 0, FILE = 1, TIME = 2, LINK = 3, DEVICE = 4, WAY = 5, FOLDED = 6, RSSI = 7, LABEL = 8,
            MEANING = 9, PROBLEM = 10, LATENCY = 11, BYTES = 12;
        const TX = 0, RX = 1;

        /** All that the page shows; filled by `load`. */
        const log = {
            lines: [], start: '', devices: [], gaps: [], rows: 0,
            /** Whether times are shown as the time of day (UTC). */
            showsDay: false,
            /** One row a frame, by the constants above. */
            index: [],
            /** The places in `index`, by file and frame. */
            places: new Map(),
            files: [], connections: [], summary: null,
            /** The names that devices gave on their connections, by address. */
            names: new Map(),
        };

        /** Blocks of frames that were unpacked, by number: the last ones looked at. */
        const kept = new Map();
        const MOST_KEPT = 64;

        /** What shows nothing or turns around the text beside it; the same characters as in the command's text. */
        const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

        /** A text with such characters escaped, but for line ends. */
        function visible(text) {
            return text.replace(HIDDEN, (found) => found === '\n' ? found : found.split('').map((unit) =>
                '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')).join(''));
        }

        /** Creates an element: attributes, then children, which are elements or texts. */
        function make(name, attributes, ...children) {
            const element = document.createElement(name);
            for (const [key, value] of Object.entries(attributes || {})) {
                if (value === null || value === undefined || value === false) continue;
                if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
                else if (key === 'class') element.className = value;
                else element.setAttribute(key, value === true ? '' : visible(String(value)));
            }
            element.append(...children.filter((child) => child !== null && child !== undefined).map((child) =>
                typeof child === 'string' ? visible(child) : child));
            return element;
        }

        /** The rows of a packed block. */
        async function unpack(id) {
            const element = document.getElementById(id);
            if (!element) throw new Error('the page has no block ' + id);
            const text = atob(element.textContent);
            const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
            const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
            return JSON.parse(await new Response(stream).text());
        }

        /** All about the frame at a place of the index. */
        async function frameAt(place) {
            const number = Math.floor(place / log.rows);
            if (!kept.has(number)) {
                kept.set(number, unpack('frames' + number));
                if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
            }
            return (await kept.get(number))[place % log.rows];
        }

        async function load() {
            const [about] = await unpack('about0');
            Object.assign(log, about);
            for (let number = 0; document.getElementById('index' + number); number++) {
                for (const row of await unpack('index' + number)) {
                    row[LABEL] = row[LABEL].replace(/\s+/g, ' ').trim();
                    row[MEANING] = row[MEANING].replace(/\s+/g, ' ').trim();
                    log.places.set(nameOf(row), log.index.length);
                    log.index.push(row);
                }
            }
            for (const line of log.lines) {
                if (line.kind === 'file') log.files.push(line);
                if (line.kind === 'connection') log.connections.push(line);
                if (line.peer_name) log.names.set(line.peer, visible(line.peer_name));
                if (line.kind === 'summary') log.summary = line;
            }
        }

        /** A frame's name in links: `257`, and of the second file `2:257`. */
        function nameOf(row) { return row[FILE] > 0 ? `${row[FILE] + 1}:${row[FRAME]}` : `${row[FRAME]}`; }

        /** The layer of a frame: the first word of its label, or what is above it. */
        function layerOf(row) {
            if (row[MEANING]) return row[MEANING].split(' ', 1)[0];
            return row[LABEL].split(' ', 1)[0];
        }

        /** Seconds since the first record, with as many digits as the log has. */
        function seconds(microseconds) { return (microseconds / 1e6).toFixed(6); }

        /** When a frame was recorded, in the form that is chosen. */
        function timeText(row) {
            if (!log.showsDay) return seconds(row[TIME]);
            const start = Date.parse(log.start.replace(/(\.\d{3})\d*Z$/, '$1Z'));
            return new Date(start + row[TIME] / 1000).toISOString().slice(11, 23);
        }

        /** A duration for a person. */
        function duration(microseconds) {
            const size = Math.abs(microseconds);
            if (size < 1000) return `${microseconds} µs`;
            if (size < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
            if (size < 6e7) return `${(microseconds / 1e6).toFixed(2)} s`;
            return `${(microseconds / 6e7).toFixed(1)} min`;
        }

        /** Microseconds from the first record to a time as NDJSON has it. */
        function sinceStart(time) {
            const parse = (text) => {
                const match = /^(.*:\d\d)(?:\.(\d+))?Z$/.exec(text);
                if (!match) return NaN;
                return Date.parse(match[1] + 'Z') * 1000 + Number((match[2] || '').padEnd(6, '0').slice(0, 6));
            };
            return parse(time) - parse(log.start);
        }

        /** What a device is called. */
        function deviceName(number) {
            if (number < 0) return 'no device';
            const [address, name] = log.devices[number];
            const shown = name || log.names.get(address);
            return shown ? `${shown} (${address})` : address;
        }
        """#,
        "detail.js": #"""
        // One frame in full: its layers, their fields, and the bytes; a field and its bytes light each other.

        const detail = {box: null, opened: -1};

        function buildDetail() {
            detail.box = make('section', {
                id: 'detail', class: 'detail', tabindex: -1, 'aria-live': 'polite', 'aria-label': 'The frame in full',
            }, make('p', {class: 'hint'}, 'A click on anything, or Enter in the list, shows a frame here.'));
            return detail.box;
        }

        /** Shows the frame at a place of the index; `moves` says whether the address and the focus follow. */
        async function openFrame(place, moves) {
            detail.opened = place;
            const row = log.index[place];
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
            const link = make('a', {href: '#frame=' + nameOf(row), class: 'permalink'}, 'link');
            const step = (by, text) => make('button', {
                type: 'button', disabled: !log.index[place + by], onclick: () => openFrame(place + by, true),
            }, text);
            detail.box.replaceChildren(
                make('h2', {id: 'detail-title'}, `Frame ${nameOf(row)} `, link),
                make('p', {class: 'bar'}, step(-1, '← previous'), step(1, 'next →')),
                make('p', {class: 'label'}, row[LABEL]),
                byteBox(frame, bytes), fieldTable(frame.lines, bytes),
                frame.meaning ? make('pre', {id: 'meaning', class: 'meaning', tabindex: 0}, frame.meaning) : '',
                make('details', {}, make('summary', {}, 'As NDJSON'),
                    make('pre', {id: 'json', tabindex: 0}, JSON.stringify(frame.json, null, 2))));
            detail.box.dataset.frame = nameOf(row);
            showInList(place);
            markFrame(place);
            if (!moves) return;
            history.replaceState(null, '', '#frame=' + nameOf(row));
            const box = detail.box.getBoundingClientRect();
            if (box.top < 0 || box.top > window.innerHeight / 2) detail.box.scrollIntoView({block: 'start'});
        }

        /** The bytes as elements, by their places. */
        function byteTable(hex, start) {
            const cells = new Map();
            for (let at = 0; at * 2 < hex.length; at++) {
                const text = hex.slice(2 * at, 2 * at + 2);
                const attributes = text === '..' ? {class: 'byte masked', title: 'not shown'} : {class: 'byte'};
                cells.set(start + at, make('span', attributes, text === '..' ? '··' : text));
            }
            return cells;
        }

        function byteBox(frame, bytes) {
            const box = make('div', {class: 'bytes', id: 'bytes'});
            for (const [name, cells] of Object.entries(bytes)) {
                const title = name === 'record' ? `${cells.size} bytes` : `the PDU put together, ${cells.size} bytes`;
                const rows = [];
                const all = [...cells];
                for (let at = 0; at < all.length; at += 16) {
                    const line = all.slice(at, at + 16);
                    rows.push(make('div', {class: 'line'}, make('span', {class: 'place'}, `+${line[0][0]}`),
                        ...line.map((pair) => pair[1])));
                }
                box.append(make('figure', {'data-bytes': name}, make('figcaption', {}, title), ...rows));
            }
            if (/\.\./.test(frame.bytes + (frame.joined || ''))) {
                box.append(make('p', {class: 'hint'}, '·· is not shown: a key, or what may be one.'));
            }
            return box;
        }

        function fieldTable(lines, bytes) {
            const rows = lines.map((line) => {
                if (typeof line === 'string') {
                    const isTitle = !line.startsWith(' ');
                    return make('div', {class: isTitle ? 'title' : 'fact'}, line.trim());
                }
                const [place, count, text, isJoined] = line;
                const cells = isJoined ? bytes.joined : bytes.record;
                const own = [];
                for (let at = place; at < place + count; at++) if (cells.has(at)) own.push(cells.get(at));
                const indent = /^ */.exec(text)[0].length;
                const field = make('div', {
                    class: 'field', tabindex: count > 0 ? 0 : null, role: count > 0 ? 'button' : null,
                    'data-place': place, 'data-count': count,
                }, make('span', {class: 'place'}, `+${place}`), make('span', {class: 'text'}, text.trim()));
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
                }
                return field;
            });
            return make('div', {class: 'fields', id: 'fields'}, ...rows);
        }
        """#,
        "list.js": #"""
        // The list of frames: only the rows in view are elements. One row is the current one; any may be selected.

        const ROW = 24;

        const list = {
            /** The places of the frames that the filters pass. */
            shown: [],
            /** The place in `shown` of the current row. */
            current: 0,
            selected: new Set(),
            box: null, room: null, status: null, filters: {},
        };

        function buildList() {
            const devices = [...new Set(log.index.map((row) => row[DEVICE]))].sort((a, b) => a - b);
            const layers = [...new Set(log.index.map(layerOf))].sort();
            const select = (name, label, options) => {
                list.filters[name] = make('select', {id: 'filter-' + name, onchange: filterList},
                    make('option', {value: ''}, 'all'),
                    ...options.map(([value, text]) => make('option', {value}, text)));
                return make('label', {}, label + ' ', list.filters[name]);
            };
            list.filters.text = make('input', {type: 'search', id: 'filter-text', oninput: filterList, size: 18});
            list.filters.folded = make('input', {
                type: 'checkbox', id: 'filter-folded', onchange: filterList, checked: true,
            });
            list.status = make('span', {role: 'status', class: 'status'});
            list.room = make('div', {class: 'room', role: 'presentation'});
            list.box = make('div', {
                id: 'list', class: 'list', role: 'listbox', tabindex: 0, 'aria-label': 'Frames',
                'aria-multiselectable': 'true', onscroll: drawList, onkeydown: listKey,
            }, list.room);
            window.addEventListener('resize', drawList);
            return make('section', {class: 'frames', 'aria-labelledby': 'frames-title'},
                make('h2', {id: 'frames-title'}, 'Frames'),
                make('div', {class: 'bar'},
                    make('button', {type: 'button', id: 'day', onclick: toggleTime}, 'Time of day'),
                    select('device', 'Device', devices.map((number) => [String(number), deviceName(number)])),
                    select('layer', 'Layer', layers.map((layer) => [layer, layer])),
                    make('label', {}, 'Search ', list.filters.text),
                    make('label', {}, list.filters.folded, ' advertising and housekeeping'),
                    make('button', {type: 'button', id: 'save', onclick: saveSelected}, 'Save selected as pcapng'),
                    list.status),
                make('p', {class: 'hint', id: 'list-hint'},
                    'Arrows move, Enter shows the frame, Space selects it; Shift and an arrow or click select more.'),
                list.box);
        }

        function filterList() {
            const device = list.filters.device.value, layer = list.filters.layer.value;
            const words = list.filters.text.value.toLowerCase().split(/\s+/).filter(Boolean)
                .map((word) => [word, hexOf(word)]);
            const folded = list.filters.folded.checked;
            const current = list.shown[list.current];
            list.shown = [];
            log.index.forEach((row, place) => {
                if (device !== '' && row[DEVICE] !== Number(device)) return;
                if (layer !== '' && layerOf(row) !== layer) return;
                if (!folded && row[FOLDED]) return;
                if (words.length > 0) {
                    const name = row[DEVICE] < 0 ? '' : deviceName(row[DEVICE]);
                    const text = [nameOf(row), row[LABEL], row[MEANING], row[PROBLEM], name].join(' ').toLowerCase();
                    if (!words.every(([word, hex]) => text.includes(word) || (hex && text.includes(hex)))) return;
                }
                list.shown.push(place);
            });
            list.current = Math.max(0, list.shown.indexOf(current));
            list.room.style.height = `${list.shown.length * ROW}px`;
            list.box.scrollTop = Math.max(0, list.current * ROW - list.box.clientHeight / 2);
            drawList();
        }

        /** The bytes of a text as values have them; nothing for one that is too short to mean a value. */
        function hexOf(word) {
            if (word.length < 3) return '';
            return [...new TextEncoder().encode(word)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        }

        function drawList() {
            const first = Math.max(0, Math.floor(list.box.scrollTop / ROW) - 8);
            const last = Math.min(list.shown.length, first + Math.ceil(list.box.clientHeight / ROW) + 16);
            const rows = [];
            for (let at = first; at < last; at++) rows.push(listRow(at));
            list.room.replaceChildren(...rows);
            if (list.shown.length === 0) list.box.removeAttribute('aria-activedescendant');
            else list.box.setAttribute('aria-activedescendant', 'row-' + list.shown[list.current]);
            const selected = list.selected.size > 0 ? `, ${list.selected.size} selected` : '';
            list.status.textContent = `${list.shown.length} of ${log.index.length} frames${selected}`;
        }

        function listRow(at) {
            const place = list.shown[at], row = log.index[place];
            const ways = {[TX]: 'tx', [RX]: 'rx'};
            const meaning = row[MEANING] ? make('b', {}, row[MEANING] + ' ') : null;
            const problem = row[PROBLEM] ? make('i', {class: 'problem'}, `⚠ ${row[PROBLEM]} `) : null;
            const element = make('div', {
                id: 'row-' + place, role: 'option', 'aria-selected': String(list.selected.has(place)),
                'aria-setsize': list.shown.length, 'aria-posinset': at + 1,
                class: 'row' + (at === list.current ? ' current' : '') + (row[FOLDED] ? ' folded' : ''),
                onclick: (event) => {
                    if (event.shiftKey) selectTo(at);
                    else if (event.ctrlKey || event.metaKey) toggle(place);
                    list.current = at;
                    drawList();
                    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) openFrame(place, true);
                },
            },
            make('span', {class: 'number'}, nameOf(row)), make('span', {class: 'time'}, timeText(row)),
            make('span', {class: 'way'}, ways[row[WAY]] || ''),
            make('span', {class: 'link'}, row[LINK] ? `${row[LINK]}` : ''),
            make('span', {class: 'label'}, problem, meaning, row[LABEL]));
            element.style.top = `${at * ROW}px`;
            return element;
        }

        function toggle(place) {
            if (!list.selected.delete(place)) list.selected.add(place);
        }

        /** Selects the rows from the current one to another. */
        function selectTo(at) {
            const [first, last] = [Math.min(at, list.current), Math.max(at, list.current)];
            for (let each = first; each <= last; each++) list.selected.add(list.shown[each]);
        }

        function listKey(event) {
            const page = Math.max(1, Math.floor(list.box.clientHeight / ROW) - 1);
            const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
            if (list.shown.length === 0) return;
            if (event.key in steps) {
                const to = Math.min(list.shown.length - 1, Math.max(0, list.current + steps[event.key]));
                if (event.shiftKey) selectTo(to);
                moveInList(to);
            } else if (event.key === 'Enter') {
                openFrame(list.shown[list.current], true);
            } else if (event.key === ' ') {
                toggle(list.shown[list.current]);
                drawList();
            } else {
                return;
            }
            event.preventDefault();
        }

        /** Makes a row the current one, and brings it into view. */
        function moveInList(at) {
            list.current = at;
            const top = at * ROW;
            if (top < list.box.scrollTop) list.box.scrollTop = top;
            const least = top + ROW - list.box.clientHeight;
            if (list.box.scrollTop < least) list.box.scrollTop = least;
            drawList();
        }

        /** Makes the row of a frame the current one; a frame that the filters hide shows itself. */
        function showInList(place) {
            let at = list.shown.indexOf(place);
            if (at < 0) {
                for (const name of ['device', 'layer', 'text']) list.filters[name].value = '';
                list.filters.folded.checked = true;
                filterList();
                at = list.shown.indexOf(place);
            }
            moveInList(at);
        }
        """#,
        "main.js": #"""
        // Puts the page together, and follows its address.

        async function main() {
            const app = document.getElementById('app');
            try {
                if (typeof DecompressionStream === 'undefined') throw new Error('this browser is older than 2023');
                await load();
            } catch (error) {
                app.replaceChildren(make('p', {role: 'alert'}, `The frames can't be read: ${error.message}`));
                return;
            }
            const time = buildTimeline();
            buildOverview();
            const lists = make('div', {class: 'lists'}, buildSequence(), buildList());
            app.replaceChildren(
                time, buildFigures(), make('div', {class: 'columns'}, lists, buildDetail()));
            filterList();
            drawTimeline();
            document.addEventListener('click', followLink);
            document.addEventListener('keydown', pageKey);
            linkFrames(document.getElementById('verdict'));
            window.addEventListener('hashchange', followAddress);
            followAddress();
            document.body.dataset.state = 'ready';
        }

        /** Shows the frame that a link names, also if the address names it already. */
        function followLink(event) {
            const link = event.target.closest && event.target.closest('a[href^="#frame="]');
            if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
            const place = log.places.get(link.getAttribute('href').slice(7).replace(/^1:/, ''));
            if (place === undefined) return;
            event.preventDefault();
            openFrame(place, true);
        }

        /** Shows the frame that the address names. */
        function followAddress() {
            const match = /^#frame=([0-9:]+)$/.exec(location.hash);
            if (!match) return;
            const place = log.places.get(match[1].replace(/^1:/, ''));
            if (place === undefined) {
                detail.box.replaceChildren(make('p', {role: 'alert'}, `This page has no frame ${match[1]}.`));
                return;
            }
            openFrame(place, true);
        }

        /** Makes links of the frames that a text names. */
        function linkFrames(element) {
            const parts = element.textContent.split(/(\bframes? \d+(?::\d+)?)/);
            element.replaceChildren(...parts.map((part, at) => {
                const name = at % 2 === 1 ? /[\d:]+$/.exec(part)[0].replace(/^1:/, '') : '';
                return log.places.has(name) ? make('a', {href: '#frame=' + name}, part) : part;
            }));
        }

        document.addEventListener('DOMContentLoaded', main);
        """#,
        "overview.js": #"""
        // What a reader sees first: the phases of the connection in question as a bar, the frames that explain each
        // failure, and the figures that people ask for.

        const overview = {connection: null, at: -1};

        /** The connection that the page is about: that of the first failure, else the one with most frames. */
        function mainConnection() {
            const first = timeline.incidents.find((one) => one.kind === 'failed') || timeline.incidents[0];
            const link = first ? log.index[first.place][LINK] : 0;
            if (link) return log.connections.find((line) => line.connection === link) || null;
            return log.connections.reduce((a, b) => !a || b.packets > a.packets ? b : a, null);
        }

        function buildOverview() {
            overview.connection = mainConnection();
            const bars = overview.connection ? barsOf(overview.connection).filter((bar) => bar.to > bar.from) : [];
            const total = bars.reduce((sum, bar) => sum + Math.sqrt(bar.to - bar.from), 0);
            const parts = bars.map((bar) => {
                const title = `${bar.name} ${duration(bar.to - bar.from)}`;
                const part = make('span', {class: 'phase', title}, bar.name);
                // The square root keeps a short phase visible beside a long one.
                part.style.flexGrow = Math.sqrt(bar.to - bar.from) / total;
                part.style.background = bar.color;
                return part;
            });
            const words = bars.map((bar) => make('span', {}, swatch(bar.color), `${bar.name} `,
                make('b', {}, duration(bar.to - bar.from))));
            if (bars.length > 0) {
                document.getElementById('phases').replaceChildren(
                    make('div', {class: 'phases', 'aria-hidden': 'true'}, ...parts),
                    make('p', {class: 'legend'}, ...words));
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
            const link = log.index[place][LINK], speaks = log.index[place][MEANING] !== '';
            const tells = (row) => speaks ? row[MEANING] && !/, more follow$/.test(row[MEANING]) : !row[FOLDED];
            const isOwn = (at) => at === place || (log.index[at][LINK] === link && tells(log.index[at]));
            const around = [place];
            for (let at = place - 1; at >= 0 && at > place - 400 && around.length < 4; at--) {
                if (isOwn(at)) around.unshift(at);
            }
            for (let at = place + 1, more = 0; at < log.index.length && at < place + 400 && more < 1; at++) {
                if (isOwn(at)) more = around.push(at);
            }
            card.querySelector('.evidence').replaceChildren(...around.map((at) => evidenceRow(at, at === place)));
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
                add(duration(share(0.5)), `median answer, p95 ${duration(share(0.95))}, of ${answers.length}`);
            }
            const bands = parametersOf(line);
            const last = bands[bands.length - 1];
            if (last) add(last.interval, `interval · latency ${last.latency} · timeout ${last.timeout}`);
            const device = log.devices.findIndex(([address]) => address === line.peer);
            const strengths = log.index.filter((row) => row[DEVICE] === device && row[RSSI] !== null);
            if (device >= 0 && strengths.length > 0) {
                const values = strengths.map((row) => row[RSSI]);
                const least = values.reduce((a, b) => Math.min(a, b)), most = values.reduce((a, b) => Math.max(a, b));
                add(minus(`${values[values.length - 1]} dBm`), minus(least === most
                    ? `last of ${values.length}` : `last of ${values.length}, ${least} to ${most}`));
            }
            if (line.att > 0) {
                add(`${line.writes + line.reads} / ${line.notifications + line.indications}`,
                    'reads and writes / notifications and indications');
                add(`${line.att_mtu}`, 'bytes of ATT MTU');
            }
            const best = busiest(rows);
            if (best > 0) add(`${(best / 100).toFixed(1)} kB/s`, 'at most, over 100 ms');
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
            for (const row of log.index) {
                if (row[LINK] !== line.connection || !/Connection (?:Update )?Complete/.test(row[LABEL])) continue;
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
        """#,
        "page.css": #"""
        /* One accent; red for failures alone. Text stands out from its ground by 4.5 to 1 in both schemes. */
        :root {
            color-scheme: light dark;
            --back: #fafbfd; --card: #ffffff; --soft: #f1f3f8; --text: #171c28; --faint: #596274; --line: #dde2ec;
            --accent: #1d55d6; --lit: #ffe08a; --lit-text: #171c28; --bad: #b8232c; --bad-soft: #fdf0f0;
            --good: #1c7a3e; --warn: #8a5a00; --current: #dfe9fd; --selected: #e9e2f8;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --back: #11141b; --card: #181c25; --soft: #1f2530; --text: #e6e9f0; --faint: #a3adbe; --line: #323b49;
                --accent: #8db4ff; --lit: #6d5600; --lit-text: #fff3cf; --bad: #ff9a93; --bad-soft: #33201f;
                --good: #7ddb9d; --warn: #f0b64d; --current: #24384f; --selected: #37305a;
            }
        }
        * { box-sizing: border-box; }
        body {
            margin: 0; padding: 0 1.4rem 3rem; background: var(--back); color: var(--text);
            font: 15px/1.5 system-ui, sans-serif;
        }
        main, header { max-width: 96rem; margin: 0 auto; }
        header {
            display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; padding-top: 1.2rem;
            font-size: .88rem; color: var(--faint);
        }
        header p { margin: 0; overflow-wrap: anywhere; }
        header b { color: var(--text); margin-right: .5rem; }
        h1 {
            font-size: 1.9rem; line-height: 1.2; letter-spacing: -.01em; margin: 1.1rem 0 .4rem;
            overflow-wrap: anywhere;
        }
        h1 .bad { color: var(--bad); }
        h2 {
            font-size: .82rem; letter-spacing: .06em; text-transform: uppercase; color: var(--faint);
            margin: 2rem 0 .6rem;
        }
        h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
        .lede { color: var(--faint); margin: 0 0 1.1rem; max-width: 60rem; }
        kbd {
            font: inherit; font-size: .85em; background: var(--card); border: 1px solid var(--line);
            border-bottom-width: 2px; border-radius: 4px; padding: 0 .35em;
        }
        pre, .list, .fields, .bytes, .steps, .evidence { font-family: ui-monospace, monospace; font-size: 13px; }
        pre {
            background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem;
            margin: .4rem 0; overflow: auto; max-height: 34rem;
        }
        #verdict, .meaning { white-space: pre-wrap; }
        a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
        summary { cursor: pointer; padding: .3rem 0; color: var(--faint); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }

        .phases { display: flex; gap: 2px; margin: 0 0 .5rem; border-radius: 8px; overflow: hidden; }
        .phase {
            min-width: 4px; flex-basis: 0; height: 26px; line-height: 26px; color: #ffffff; font-size: .8rem;
            text-align: center; overflow: hidden; white-space: nowrap;
        }
        .legend b { color: var(--text); }

        .card {
            background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--bad);
            border-radius: 8px;
            padding: .8rem 1.1rem; margin: .7rem 0;
        }
        .card.overcome, .card.warning { border-left-color: var(--warn); }
        .card h3 a { font-size: .92rem; font-weight: 400; margin-left: .4rem; white-space: nowrap; }
        .card p { margin: .25rem 0; color: var(--faint); max-width: 60rem; }
        .side {
            font-size: .78rem; font-weight: 500; border: 1px solid currentColor; border-radius: 1rem;
            color: var(--accent);
            padding: 0 .6em; margin-left: .4rem; white-space: nowrap;
        }
        .evidence:not(:empty) { margin: .6rem -1.1rem -.8rem; border-top: 1px solid var(--line); padding: .35rem 0; }
        .proof {
            display: grid; grid-template-columns: 4rem 7rem 1.2rem minmax(0, 1fr) auto; gap: .6rem; width: 100%;
            border: 0; border-radius: 0; background: none; text-align: left; padding: .1rem 1.1rem;
        }
        .proof:hover { background: var(--soft); }
        .proof.decides { background: var(--bad-soft); font-weight: 600; }
        .overcome .proof.decides, .warning .proof.decides { background: var(--soft); }
        .proof .number, .proof .time { text-align: right; color: var(--faint); font-weight: 400; }
        .proof .way { color: var(--accent); }
        .proof .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .proof .latency { color: var(--faint); font-weight: 400; white-space: nowrap; }

        .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .7rem; }
        .figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem; }
        .figure b { display: block; font-size: 1.25rem; }
        .figure span { color: var(--faint); font-size: .87rem; }

        .lanes { position: relative; }
        .tip {
            position: absolute; z-index: 2; max-width: 20rem; background: var(--card); border: 1px solid var(--line);
            border-radius: 6px; padding: .2rem .5rem; font-size: .82rem; pointer-events: none;
            overflow-wrap: anywhere;
        }
        dialog { background: var(--card); color: var(--text); border: 1px solid var(--line); border-radius: 10px; }
        dialog h2 { margin-top: .2rem; }
        dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; }
        dd { margin: 0; }
        button.plain { background: none; border: 0; padding: 0; color: inherit; }

        .note { border-left: 4px solid var(--line); padding: .1rem .8rem; margin: .4rem 0; }
        #omitted, [role=alert] { border-left: 4px solid var(--bad); padding: .4rem .8rem; background: var(--soft); }
        .bar { display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: center; margin: .3rem 0; }
        .hint, .status { color: var(--faint); font-size: .87rem; margin: .2rem 0; }
        .status:empty { display: none; }
        button, select, input {
            font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
            border-radius: 6px; padding: .15rem .5rem; max-width: 100%;
        }
        button { cursor: pointer; }
        button:disabled { opacity: .5; cursor: default; }

        .list {
            height: 24rem; overflow: auto; border: 1px solid var(--line); border-radius: 8px; position: relative;
            background: var(--card);
        }
        .room { position: relative; }
        .row {
            position: absolute; left: 0; right: 0; height: 24px; line-height: 24px; display: flex; gap: .8rem;
            padding: 0 .5rem; white-space: nowrap; cursor: pointer;
        }
        .row:hover { background: var(--soft); }
        .row[aria-selected=true] { background: var(--selected); }
        .row.current { background: var(--current); }
        .row.current[aria-selected=true] { box-shadow: inset 4px 0 var(--accent); }
        .row.folded { color: var(--faint); }
        .row .number { min-width: 3.6rem; text-align: right; }
        .row .time { min-width: 6.4rem; text-align: right; color: var(--faint); }
        .row .way { min-width: 1.2rem; }
        .row .link { min-width: 1.2rem; color: var(--faint); }
        .row .label { overflow: hidden; text-overflow: ellipsis; flex: 1; }
        .row b { color: var(--accent); font-weight: 600; }
        .problem { color: var(--bad); font-style: normal; }

        .columns { display: grid; grid-template-columns: minmax(0, 1.35fr) minmax(0, 1fr); gap: 1.2rem; }
        .detail {
            position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding-bottom: 1rem;
            scroll-margin-top: .5rem;
        }
        .hidden {
            position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
        }

        canvas {
            display: block; width: 100%; border: 1px solid var(--line); border-radius: 6px; touch-action: pan-y;
        }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem .8rem; font-size: .87rem; color: var(--faint); }
        .legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .3em; }
        .scroll { overflow: auto; }
        table { border-collapse: collapse; font-size: .9rem; }
        td, th { border: 1px solid var(--line); padding: .1rem .5rem; text-align: left; }

        .heads { display: flex; justify-content: space-between; font-weight: 600; padding: 0 .4rem; }
        .steps {
            list-style: none; margin: 0; padding: .3rem .6rem; height: 26rem; overflow: auto; position: relative;
            border: 1px solid var(--line); border-radius: 6px;
        }
        .steps li { border-inline: 2px solid var(--line); padding: .1rem .5rem; }
        .steps li.marked { background: var(--current); }
        .gap { display: block; text-align: center; color: var(--faint); font-size: .82em; }
        .carrier { color: var(--faint); }
        .carrier summary { text-align: center; }
        .arrow {
            display: block; width: 100%; background: none; border: 0; border-radius: 4px; text-align: center;
            padding: .1rem .2rem .35rem; position: relative; overflow-wrap: anywhere;
        }
        .arrow:hover { background: var(--soft); }
        .arrow .number { position: absolute; left: .2rem; color: var(--faint); }
        .arrow .what { padding: 0 3.2rem; display: inline-block; }
        .arrow.none .what {
            color: var(--faint); display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical;
            overflow: hidden; padding-bottom: 0;
        }
        .arrow .problem { display: block; }
        .arrow.small { font-size: .92em; color: var(--faint); }
        .shaft { display: block; height: 2px; background: var(--accent); margin-top: .2rem; position: relative; }
        .arrow.small .shaft { background: var(--faint); height: 1px; }
        .arrow.wrong .shaft { background: var(--bad); }
        .arrow.none .shaft { background: none; height: 0; }
        .shaft::after { content: ''; position: absolute; top: -4px; border: 5px solid transparent; }
        .right .shaft::after { right: -2px; border-left-color: var(--accent); border-right-width: 0; }
        .left .shaft::after { left: -2px; border-right-color: var(--accent); border-left-width: 0; }
        .right.small .shaft::after { border-left-color: var(--faint); }
        .left.small .shaft::after { border-right-color: var(--faint); }
        .right.wrong .shaft::after { border-left-color: var(--bad); }
        .left.wrong .shaft::after { border-right-color: var(--bad); }

        .detail .label { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
        #detail-title { text-transform: none; letter-spacing: 0; font-size: 1.05rem; color: var(--text); }
        .permalink { font-size: .85rem; font-weight: normal; }
        .fields .title { font-weight: 600; margin-top: .5rem; }
        .fields .fact {
            color: var(--faint); padding-left: 12.5ch; text-indent: -12ch;
            white-space: pre-wrap; overflow-wrap: anywhere;
        }
        .field { display: flex; gap: .8rem; padding: .08rem .4em; border-radius: 4px; }
        .field .text { overflow-wrap: anywhere; min-width: 0; }
        .field .place, .line .place { color: var(--faint); min-width: 3rem; }
        .bytes {
            position: sticky; top: 0; background: var(--soft); border: 1px solid var(--line);
            border-radius: 6px; padding: .6rem;
        }
        .bytes figure { margin: 0 0 .6rem; max-height: 11rem; overflow: auto; }
        .bytes figcaption { color: var(--faint); }
        .line { display: flex; }
        .byte { padding: 0 .2em; border-radius: 3px; }
        .byte.masked { color: var(--faint); }
        .lit { background: var(--lit); color: var(--lit-text); }
        .field.lit .place { color: inherit; }

        @media (max-width: 60rem) {
            body { padding: 0 .8rem 2rem; }
            h1 { font-size: 1.45rem; }
            .phase { font-size: 0; }
            .proof { grid-template-columns: 3.2rem 1rem minmax(0, 1fr); gap: .4rem; }
            .proof .time, .proof .latency { display: none; }
            .proof .what { white-space: normal; overflow-wrap: anywhere; }
            .columns { grid-template-columns: minmax(0, 1fr); gap: 0; }
            .detail { position: static; max-height: none; overflow: visible; }
            .arrow .what { padding: 0 0 0 2.6rem; }
            .row .link { display: none; }
            .row { gap: .45rem; }
            .byte { padding: 0 .08em; }
            .line .place { min-width: 2.4rem; }
        }
        /* The list holds only the rows in view, so it is left out on paper. */
        @media print {
            :root {
                color-scheme: light;
                --back: #ffffff; --card: #ffffff; --soft: #ffffff; --text: #000000; --faint: #444444; --line: #999999;
                --accent: #003c8f; --bad: #8c1d18; --good: #14592d; --warn: #7a4d00;
            }
            .frames, .bar, .hint, .detail .bar, .steps + button, .keys { display: none; }
            .phase { print-color-adjust: exact; }
            .card, .figure { break-inside: avoid; }
            .columns { display: block; }
            .steps { height: auto; overflow: visible; }
            .detail { position: static; max-height: none; overflow: visible; }
            .steps li, .field { break-inside: avoid; }
            pre, .bytes figure { max-height: none; overflow: visible; white-space: pre-wrap; }
        }
        """#,
        "pcapng.js": #"""
        // Selected frames as a pcapng file (link type 201, Bluetooth HCI H4 with pseudo-header), made here.

        const PACKET_TYPES = {command: 1, acl: 2, sco: 3, event: 4, iso: 5};

        /** A block of pcapng: its type, its body, and both lengths. */
        function pcapngBlock(type, body) {
            const length = 12 + body.length + (4 - body.length % 4) % 4;
            const bytes = new Uint8Array(length);
            const view = new DataView(bytes.buffer);
            view.setUint32(0, type, true);
            view.setUint32(4, length, true);
            bytes.set(body, 8);
            view.setUint32(length - 4, length, true);
            return bytes;
        }

        function pcapngOption(code, text) {
            const value = new TextEncoder().encode(text).slice(0, 0xFFFF);
            const bytes = new Uint8Array(4 + value.length + (4 - value.length % 4) % 4);
            const view = new DataView(bytes.buffer);
            view.setUint16(0, code, true);
            view.setUint16(2, value.length, true);
            bytes.set(value, 4);
            return [...bytes];
        }

        /** One packet, null for none of HCI; bytes that the page does not have are zero, as its comment says. */
        function pcapngPacket(frame, row) {
            const type = PACKET_TYPES[frame.json.type];
            if (type === undefined) return null;
            const hex = frame.bytes.match(/../g) || [];
            const packet = [0, 0, 0, row[WAY] === RX ? 1 : 0, type,
                ...hex.map((pair) => pair === '..' ? 0 : parseInt(pair, 16))];
            const length = 5 + (frame.json.length === undefined ? hex.length : frame.json.length);
            const hidden = hex.filter((pair) => pair === '..').length;
            const note = hidden > 0 ? `\n${hidden} bytes not shown, zero here` : '';
            const text = `#${nameOf(row)} ${row[LABEL]}${note}`;
            const body = new Uint8Array(20 + packet.length + (4 - packet.length % 4) % 4);
            const view = new DataView(body.buffer);
            const time = BigInt(Date.parse(log.start.slice(0, 19) + 'Z')) * 1000n
                + BigInt(log.start.slice(20, 26)) + BigInt(row[TIME]);
            view.setUint32(4, Number(time >> 32n), true);
            view.setUint32(8, Number(time & 0xFFFFFFFFn), true);
            view.setUint32(12, packet.length, true);
            view.setUint32(16, length, true);
            body.set(packet, 20);
            return pcapngBlock(6, [...body, ...pcapngOption(1, text), 0, 0, 0, 0]);
        }

        /** The parts of a file that holds the frames at these places, and how many could not be held. */
        async function pcapngOf(places) {
            const parts = [
                pcapngBlock(0x0A0D0D0A, [0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0, ...new Array(8).fill(0xFF)]),
                pcapngBlock(1, [201, 0, 0, 0, 0, 0, 0, 0]),
            ];
            let left = 0;
            for (const place of [...places].sort((a, b) => a - b)) {
                const packet = pcapngPacket(await frameAt(place), log.index[place]);
                if (packet) parts.push(packet);
                else left += 1;
            }
            return {parts, left};
        }

        async function saveSelected() {
            if (list.selected.size === 0) {
                list.status.textContent = 'select frames first: Space, or a click with Shift or Control';
                return;
            }
            const {parts, left} = await pcapngOf(list.selected);
            const address = URL.createObjectURL(new Blob(parts, {type: 'application/octet-stream'}));
            const anchor = make('a', {href: address, download: 'selected.pcapng'});
            anchor.click();
            setTimeout(() => URL.revokeObjectURL(address), 10000);
            list.status.textContent = `${parts.length - 2} frames saved`
                + (left > 0 ? `, ${left} left out: pcapng of HCI packets can't hold them` : '');
        }
        """#,
        "sequence.js": #"""
        // The exchange on a connection as a sequence chart: messages of the key protocol, or whatever is above ATT,
        // as arrows; what carries them folded beneath; and the times between.

        const sequence = {
            choice: null, headBox: null, box: null, more: null, heads: [], isCentral: true,
            steps: [], drawn: 0, items: new Map(),
        };
        const STEPS_AT_A_TIME = 200;

        function buildSequence() {
            const links = new Set(log.index.map((row) => row[LINK]));
            const speakers = new Set(log.index.filter((row) => row[MEANING]).map((row) => row[LINK]));
            const lines = log.connections.filter((line) => links.has(line.connection));
            if (lines.length === 0) return '';
            const first = lines.find((line) => line === overview.connection)
                || lines.find((line) => speakers.has(line.connection)) || lines[0];
            sequence.choice = make('select', {id: 'connection', onchange: drawSequence}, ...lines.map((line) =>
                make('option', {value: line.connection, selected: line === first},
                    `${line.connection}: ${line.peer_name ? line.peer_name + ' ' : ''}${line.peer || ''}`)));
            sequence.box = make('ol', {class: 'steps', id: 'steps', tabindex: 0, 'aria-label': 'Exchange'});
            sequence.headBox = make('div', {class: 'heads', id: 'heads'});
            sequence.more = make('button', {type: 'button', onclick: moreSteps}, 'More');
            const section = make('section', {'aria-labelledby': 'sequence-title'},
                make('h2', {id: 'sequence-title'}, 'Exchange'),
                make('div', {class: 'bar'}, make('label', {}, 'Connection ', sequence.choice)),
                sequence.headBox, sequence.box, sequence.more);
            drawSequence();
            return section;
        }

        function drawSequence() {
            const number = Number(sequence.choice.value);
            const line = log.connections.find((one) => one.connection === number);
            const isCentral = line.role !== 'peripheral';
            const isKey = line.uqdk !== undefined;
            const heads = [isKey ? 'Phone' : 'Central', isKey ? 'Car' : 'Peripheral'];
            heads[isCentral ? 0 : 1] += ' (this host)';
            sequence.heads = heads;
            sequence.isCentral = isCentral;
            sequence.steps = stepsOf(number);
            sequence.drawn = 0;
            sequence.items.clear();
            sequence.box.replaceChildren();
            sequence.headBox.replaceChildren(...heads.map((text) => make('span', {}, text)));
            moreSteps();
        }

        /** The frames of a connection as steps: one of its own, or several that are folded. */
        function stepsOf(number) {
            const places = [...log.index.keys()].filter((place) => log.index[place][LINK] === number);
            const speaks = places.some((place) => log.index[place][MEANING]);
            const steps = [];
            for (const place of places) {
                const row = log.index[place];
                const last = steps[steps.length - 1];
                if (row[MEANING] || (!speaks && !row[FOLDED])) {
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

        /** Whether two frames say the same but for numbers. */
        function isAlike(one, other) {
            if (one[WAY] !== other[WAY] || one[PROBLEM] || other[PROBLEM]) return false;
            const plain = (row) => {
                const text = row[MEANING] || row[LABEL].replace(/\(.*$/, '');
                return text.replace(/\b[0-9a-f]*\d[0-9a-f]*\b/g, '');
            };
            return plain(one) === plain(other);
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
                    const name = layerOf(log.index[place]);
                    names.set(name, (names.get(name) || 0) + 1);
                }
                const text = [...names].map(([name, count]) => `${count} ${name}`).join(', ');
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

        /** A message as an arrow; several alike as one, counted. */
        function arrow(places, isSmall) {
            const row = log.index[places[0]];
            const isSent = row[WAY] === TX;
            // What the host and its own controller say to each other is on no air: it gets no arrow.
            const isOnAir = row[WAY] <= RX && !row[LABEL].startsWith('HCI');
            const way = !isOnAir ? 'none' : isSent === sequence.isCentral ? 'right' : 'left';
            const count = places.length > 1 ? ` ×${places.length}` : '';
            const sender = sequence.heads[way === 'right' ? 0 : 1].replace(/ \(.*/, '');
            return make('button', {
                type: 'button', class: `arrow ${way}${isSmall ? ' small' : ''}${row[PROBLEM] ? ' wrong' : ''}`,
                'data-frame': nameOf(row), onclick: () => openFrame(places[0], true),
            },
            make('span', {class: 'number'}, nameOf(row)),
            make('span', {class: 'hidden'}, way === 'none' ? '' : `from ${sender}: `),
            make('span', {class: 'what'}, (row[MEANING] && !isSmall ? row[MEANING] : row[LABEL]) + count),
            row[PROBLEM] ? make('span', {class: 'problem'}, '⚠ ' + row[PROBLEM]) : null,
            make('span', {class: 'shaft', 'aria-hidden': 'true'}));
        }

        /** Lights the step that a frame is in. */
        function markStep(place) {
            for (const item of document.querySelectorAll('.steps li.marked')) item.classList.remove('marked');
            if (!sequence.box || log.index[place][LINK] !== Number(sequence.choice.value)) return;
            while (!sequence.items.has(place) && sequence.drawn < sequence.steps.length) moreSteps();
            const item = sequence.items.get(place);
            if (!item) return;
            item.classList.add('marked');
            const box = sequence.box;
            const top = item.offsetTop;
            if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight) {
                box.scrollTop = top - box.clientHeight / 3;
            }
        }
        """#,
        "timeline.js": #"""
        // The timeline: a lane a device. Phases as bars, frames as ticks, RSSI and latency as small plots, silence
        // hatched, incidents as marks.

        const PHASES = [
            ['scan', 'scan_started', 'scan_ended'], ['connecting', 'connect_started', 'connected'],
            ['MTU', 'mtu_started', 'mtu_exchanged'], ['discovery', 'discovery_started', 'discovery_ended'],
            ['pairing', 'pairing_started', 'encrypted_at'], ['encryption', 'encryption_started', 'encrypted_at'],
            ['authentication', 'authentication_started', 'authenticated'],
            ['commands', 'first_command', 'disconnected'],
        ];
        const COLORS = ['#6b778d', '#2f6fc4', '#587529', '#96691a', '#9a5bc4', '#1f7a70', '#b0446e', '#4c63c9'];
        const LANE = 76, AXIS = 22, SIDE = 150, MOST_LANES = 10, SILENCE = 2e6;

        const timeline = {
            canvas: null, lanes: [], from: 0, to: 1, first: 0, last: 1, incidents: [], pointers: new Map(),
            cursor: null, range: null, status: null, tip: null,
        };

        function buildTimeline() {
            const byDevice = grouped(log.index.keys(), (place) => log.index[place][DEVICE]);
            const weight = (places) => places.reduce((sum, place) => sum + (log.index[place][LINK] ? 1e6 : 1), 0);
            const devices = [...byDevice].filter(([device]) => device >= 0)
                .map(([device, places]) => ({device, places, weight: weight(places)}))
                .sort((a, b) => b.weight - a.weight);
            // Beside connected devices, those that only advertised are one lane.
            const connected = devices.filter((one) => one.weight >= 1e6);
            const own = (connected.length > 0 ? connected : devices).slice(0, MOST_LANES);
            const others = devices.filter((one) => !own.includes(one));
            timeline.lanes = own.map(({device, places}) => laneOf([device], places));
            if (others.length > 0) {
                const places = others.flatMap((one) => one.places).sort((a, b) => a - b);
                timeline.lanes.push(laneOf(others.map((one) => one.device), places));
            }
            const times = log.index.map((row) => row[TIME]);
            timeline.first = times.reduce((a, b) => Math.min(a, b), Infinity);
            timeline.last = Math.max(timeline.first + 1000, times.reduce((a, b) => Math.max(a, b), -Infinity));
            timeline.incidents = incidentsOf();
            timeline.canvas = make('canvas', {
                id: 'timeline', tabindex: 0, role: 'img', 'aria-describedby': 'timeline-hint',
                'aria-label': `Timeline of ${devices.length} devices; the table below has the same as text`,
                onwheel: wheelTimeline, onkeydown: timelineKey, onpointerdown: grabTimeline,
                onpointermove: dragTimeline, onpointerleave: () => { timeline.tip.hidden = true; },
                onpointerup: dropTimeline, onpointercancel: dropTimeline,
            });
            timeline.canvas.style.height = `${AXIS + Math.max(1, timeline.lanes.length) * LANE}px`;
            wholeTimeline();
            fitConnections();
            window.addEventListener('resize', drawTimeline);
            window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawTimeline);
            window.matchMedia('print').addEventListener('change', drawTimeline);
            timeline.status = make('p', {class: 'status', role: 'status', id: 'range'});
            timeline.tip = make('div', {class: 'tip', hidden: true});
            return make('section', {'aria-labelledby': 'timeline-title'},
                make('h2', {id: 'timeline-title'}, 'Timeline'),
                make('div', {class: 'bar'},
                    timelineButton('+', 'Zoom in', () => zoomTimeline(0.5)),
                    timelineButton('−', 'Zoom out', () => zoomTimeline(2)),
                    timelineButton('all', 'Show all', wholeTimeline), phaseLegend()),
                make('div', {class: 'lanes'}, timeline.canvas, timeline.tip), timeline.status,
                make('p', {class: 'hint', id: 'timeline-hint'},
                    'Wheel or + and − zoom, drag or arrows pan, Home shows all, a click shows the nearest frame; '
                        + 'Shift and drag counts a range.'),
                phaseTable());
        }

        function grouped(places, key) {
            const groups = new Map();
            for (const place of places) {
                const name = key(place);
                if (!groups.has(name)) groups.set(name, []);
                groups.get(name).push(place);
            }
            return groups;
        }

        /** A lane of one device, or of several that only advertised. */
        function laneOf(devices, places) {
            const several = devices.length > 1;
            const [address, name] = log.devices[devices[0]];
            const key = (line) => line.peer || 'handle 0x' + line.handle.toString(16).padStart(4, '0');
            const links = several ? [] : log.connections.filter((line) => key(line) === address);
            const shown = name || log.names.get(address);
            return {
                devices: new Set(devices), places, links, bars: links.flatMap(barsOf),
                bands: links.flatMap(bandsOf), silences: silencesOf(places),
                title: several ? `${devices.length} other devices` : shown || address,
                subtitle: !several && shown ? address : '',
                hasRSSI: places.some((place) => log.index[place][RSSI] !== null),
            };
        }

        /** The parameters of a connection as bands, each to the next or to the end. */
        function bandsOf(line) {
            const end = line.disconnected || line.log_ended;
            return parametersOf(line).map((band) => ({
                from: band.from, to: band.to === null ? (end ? sinceStart(end) : band.from) : band.to,
                text: `${band.interval} · latency ${band.latency} · timeout ${band.timeout} · MTU ${line.att_mtu}`,
            }));
        }

        /** The times between frames of a connection in which nothing came. */
        function silencesOf(places) {
            const silences = [];
            let before = null;
            for (const place of places) {
                const row = log.index[place];
                if (row[LINK] === 0) continue;
                if (before && before[LINK] === row[LINK] && row[TIME] - before[TIME] > SILENCE) {
                    silences.push([before[TIME], row[TIME]]);
                }
                before = row;
            }
            return silences;
        }

        /** A connection's phases, in microseconds since the first record. */
        function barsOf(line) {
            return PHASES.flatMap(([name, start, end], color) => {
                if (!line[start]) return [];
                const from = sinceStart(line[start]);
                const last = line[end] || (end === 'disconnected' ? line.log_ended : null);
                const to = last ? sinceStart(last) : from;
                return [{name, from, to: Math.max(from, to), color: COLORS[color], connection: line.connection}];
            });
        }

        /** What went wrong, as the summary has it: where, and what. */
        function incidentsOf() {
            const summary = log.summary || {};
            const all = [];
            for (const [kind, lines] of [['failed', summary.wrong], ['overcome', summary.overcome]]) {
                for (const line of lines || []) {
                    const file = log.files.findIndex((one) => one.file === line.file);
                    const place = log.places.get(file > 0 ? `${file + 1}:${line.frame}` : String(line.frame));
                    if (place !== undefined) all.push({place, kind, text: line.message});
                }
            }
            return all.sort((a, b) => a.place - b.place);
        }

        function timelineButton(text, label, action) {
            return make('button', {type: 'button', 'aria-label': label, onclick: action}, text);
        }

        function phaseLegend() {
            const used = new Set(timeline.lanes.flatMap((lane) => lane.bars.map((bar) => bar.name)));
            return make('span', {class: 'legend', 'aria-hidden': 'true'}, ...PHASES.flatMap(([name], color) => {
                if (!used.has(name)) return [];
                return [make('span', {}, swatch(COLORS[color]), name)];
            }));
        }

        function phaseTable() {
            const rows = timeline.lanes.flatMap((lane) => lane.bars.map((bar) => make('tr', {},
                make('td', {}, lane.subtitle ? `${lane.title} (${lane.subtitle})` : lane.title),
                make('td', {}, String(bar.connection)),
                make('td', {}, bar.name),
                make('td', {}, `${seconds(bar.from)} s`), make('td', {}, duration(bar.to - bar.from)))));
            if (rows.length === 0) return '';
            const heads = ['device', 'connection', 'phase', 'begins', 'lasts'];
            return make('details', {}, make('summary', {}, 'The phases as a table'), make('div', {class: 'scroll'},
                make('table', {}, make('thead', {}, make('tr', {},
                    ...heads.map((name) => make('th', {scope: 'col'}, name)))), make('tbody', {}, ...rows))));
        }

        // Drawing

        function drawTimeline() {
            const canvas = timeline.canvas, ratio = window.devicePixelRatio || 1;
            const width = canvas.clientWidth, height = canvas.clientHeight;
            canvas.width = width * ratio;
            canvas.height = height * ratio;
            const pen = canvas.getContext('2d');
            pen.scale(ratio, ratio);
            const style = getComputedStyle(document.documentElement);
            const colors = new Map();
            const color = (name) => {
                if (!colors.has(name)) colors.set(name, style.getPropertyValue('--' + name).trim());
                return colors.get(name);
            };
            pen.fillStyle = color('back');
            pen.fillRect(0, 0, width, height);
            pen.font = '12px system-ui, sans-serif';
            pen.textBaseline = 'middle';
            drawAxis(pen, width, height, color);
            timeline.lanes.forEach((lane, at) => drawLane(pen, lane, AXIS + at * LANE, width, color));
            drawGaps(pen, height, color);
            drawMarks(pen, width, height, color);
        }

        /** Where the lanes begin, right of their names. */
        function side() { return Math.min(SIDE, timeline.canvas.clientWidth / 4); }

        function positionOf(time) {
            const width = timeline.canvas.clientWidth - side() - 8;
            return side() + (time - timeline.from) / (timeline.to - timeline.from) * width;
        }

        function timeAt(x) {
            const width = timeline.canvas.clientWidth - side() - 8;
            return timeline.from + (x - side()) / width * (timeline.to - timeline.from);
        }

        function drawAxis(pen, width, height, color) {
            const span = timeline.to - timeline.from;
            const steps = [1, 2, 5].flatMap((digit) => Array.from({length: 14}, (_, power) => digit * 10 ** power));
            const step = steps.sort((a, b) => a - b).find((one) => span / one < (width - side()) / 90) || span;
            pen.fillStyle = color('faint');
            pen.strokeStyle = color('line');
            for (let time = Math.ceil(timeline.from / step) * step; time <= timeline.to; time += step) {
                const x = positionOf(time);
                pen.beginPath();
                pen.moveTo(x, AXIS);
                pen.lineTo(x, height);
                pen.stroke();
                const digits = Math.max(0, 6 - Math.floor(Math.log10(step) + 1e-9));
                const text = log.showsDay ? timeText([0, 0, time]) : `${(time / 1e6).toFixed(Math.min(6, digits))} s`;
                if (x + pen.measureText(text).width < width) pen.fillText(text, x + 2, AXIS / 2);
            }
        }

        function drawLane(pen, lane, top, width, color) {
            pen.strokeStyle = color('line');
            pen.beginPath();
            pen.moveTo(0, top);
            pen.lineTo(width, top);
            pen.stroke();
            pen.save();
            pen.beginPath();
            pen.rect(0, top, side() - 6, LANE);
            pen.clip();
            pen.fillStyle = color('text');
            pen.fillText(lane.title, 4, top + 13);
            pen.fillStyle = color('faint');
            pen.fillText(lane.subtitle, 4, top + 29);
            pen.restore();
            if (lane.hasRSSI) {
                pen.textAlign = 'right';
                pen.font = '10px system-ui, sans-serif';
                for (const strength of [-20, -100]) {
                    pen.fillText(minus(`${strength} dBm`), side() - 8, top + 2 + heightOf(strength));
                }
                pen.textAlign = 'left';
                pen.font = '12px system-ui, sans-serif';
            }
            pen.save();
            pen.beginPath();
            pen.rect(side(), top, width - side(), LANE);
            pen.clip();
            for (const link of lane.links) drawLink(pen, link, top, color);
            pen.strokeStyle = color('faint');
            for (const [from, to] of lane.silences) hatch(pen, from, to, top);
            for (const bar of lane.bars) drawBar(pen, bar, top);
            for (const band of lane.bands) drawBand(pen, band, top, color);
            drawFrames(pen, lane, top, color);
            pen.restore();
        }

        /** The time that a connection was open. */
        function drawLink(pen, link, top, color) {
            if (!link.connected) return;
            const from = sinceStart(link.connected);
            const to = link.disconnected ? sinceStart(link.disconnected) : timeline.last;
            pen.fillStyle = color('soft');
            pen.fillRect(positionOf(from), top + 3, positionOf(to) - positionOf(from), LANE - 6);
        }

        function hatch(pen, from, to, top) {
            const left = Math.max(side(), positionOf(from));
            const right = Math.min(positionOf(to), timeline.canvas.clientWidth);
            pen.beginPath();
            for (let x = left; x < right - 6; x += 6) {
                pen.moveTo(x, top + 36);
                pen.lineTo(x + 6, top + 22);
            }
            pen.stroke();
        }

        function drawBar(pen, bar, top) {
            const left = positionOf(bar.from), width = Math.max(2, positionOf(bar.to) - left);
            pen.fillStyle = bar.color;
            pen.fillRect(left, top + 5, width, 15);
            pen.fillStyle = '#ffffff';
            const from = Math.max(left, side());
            if (pen.measureText(bar.name).width + 6 < left + width - from) pen.fillText(bar.name, from + 3, top + 13);
        }

        /** Where an RSSI is drawn below a lane's top. */
        function heightOf(strength) { return 58 - Math.max(0, Math.min(1, (strength + 100) / 80)) * 18; }

        /** Connection parameters in force. */
        function drawBand(pen, band, top, color) {
            const left = Math.max(side(), positionOf(band.from));
            const right = Math.max(left + 1, positionOf(band.to));
            pen.fillStyle = color('line');
            pen.fillRect(left, top + 62, 1, 11);
            pen.fillStyle = color('faint');
            if (pen.measureText(band.text).width + 6 < right - left) pen.fillText(band.text, left + 4, top + 68);
        }

        /** Frames as ticks, one a pixel at most; RSSI as dots, and latency as lines from below. */
        function drawFrames(pen, lane, top, color) {
            const width = timeline.canvas.clientWidth - side() - 8, left = side();
            const drawn = new Set(), plotted = new Set();
            for (const place of lane.places) {
                const row = log.index[place];
                if (row[TIME] < timeline.from || row[TIME] > timeline.to) continue;
                // As positionOf has it, which asks the canvas each time.
                const x = Math.round(left + (row[TIME] - timeline.from) / (timeline.to - timeline.from) * width);
                const key = x * 4 + (row[PROBLEM] ? 2 : row[WAY]);
                if (!drawn.has(key)) {
                    drawn.add(key);
                    pen.fillStyle = row[PROBLEM] ? color('bad') : color(row[WAY] === TX ? 'accent' : 'faint');
                    pen.fillRect(x, top + (row[WAY] === TX ? 23 : 29), 1, row[PROBLEM] ? 9 : 5);
                }
                // Of dots and lines that would cover each other one is drawn.
                const plot = x * 256 + (row[RSSI] === null
                    ? 200 + Math.floor(4 * Math.log10(1 + (row[LATENCY] || 0))) : row[RSSI] + 128);
                if (plotted.has(plot)) continue;
                plotted.add(plot);
                if (row[RSSI] !== null) {
                    pen.fillStyle = color('good');
                    pen.fillRect(x, top + heightOf(row[RSSI]), 2, 2);
                } else if (row[LATENCY] !== null) {
                    pen.fillStyle = color('line');
                    const height = Math.max(1, Math.min(1, Math.log10(1 + row[LATENCY]) / 7) * 18);
                    pen.fillRect(x, top + 60 - height, 1, height);
                }
            }
        }

        /** Where frames have no room on the page, as a strip below the axis; the range that is selected. */
        function drawGaps(pen, height, color) {
            const span = (timeline.last - timeline.first) / log.gaps.length;
            pen.fillStyle = color('warn');
            log.gaps.forEach((count, bin) => {
                const left = Math.max(side(), positionOf(timeline.first + bin * span));
                const right = positionOf(timeline.first + (bin + 1) * span);
                if (count > 0 && right > left) pen.fillRect(left, AXIS - 3, right - left, 3);
            });
            if (!timeline.range) return;
            const [from, to] = timeline.range.map(positionOf);
            pen.globalAlpha = 0.18;
            pen.fillStyle = color('accent');
            pen.fillRect(Math.min(from, to), AXIS, Math.abs(to - from), height - AXIS);
            pen.globalAlpha = 1;
        }

        function drawMarks(pen, width, height, color) {
            for (const incident of timeline.incidents) {
                const row = log.index[incident.place], x = positionOf(row[TIME]);
                if (x < side()) continue;
                const at = timeline.lanes.findIndex((lane) => lane.devices.has(row[DEVICE]));
                const top = at < 0 ? 2 : AXIS + at * LANE;
                pen.fillStyle = color(incident.kind === 'failed' ? 'bad' : 'warn');
                pen.beginPath();
                pen.moveTo(x - 5, top + 1);
                pen.lineTo(x + 5, top + 1);
                pen.lineTo(x, top + 11);
                pen.fill();
            }
            if (timeline.cursor === null) return;
            const x = positionOf(log.index[timeline.cursor][TIME]);
            if (x < side()) return;
            pen.strokeStyle = color('text');
            pen.beginPath();
            pen.moveTo(x + 0.5, 0);
            pen.lineTo(x + 0.5, height);
            pen.stroke();
        }

        /** Marks a frame by a line, and brings it into view. */
        function markFrame(place) {
            timeline.cursor = place;
            const time = log.index[place][TIME], span = timeline.to - timeline.from;
            if (time < timeline.from || time > timeline.to) {
                timeline.from = time - span / 2;
                timeline.to = time + span / 2;
            }
            drawTimeline();
            markStep(place);
        }
        """#,
        "zoom.js": #"""
        // Zoom and pan of the timeline, selected ranges, and words on the frame under the pointer.

        function wholeTimeline() {
            const edge = (timeline.last - timeline.first) * 0.01;
            timeline.from = timeline.first - edge;
            timeline.to = timeline.last + edge;
            if (timeline.canvas.isConnected) drawTimeline();
        }

        /** Begins with the connections, where there is much time without any. */
        function fitConnections() {
            const open = (line) => ({
                from: sinceStart(line.connected),
                to: sinceStart(line.disconnected || line.log_ended || line.connected),
            });
            const links = timeline.lanes.flatMap((lane) => lane.links).filter((line) => line.connected);
            const bars = [...timeline.lanes.flatMap((lane) => lane.bars), ...links.map(open)];
            if (bars.length === 0) return;
            const from = bars.reduce((first, bar) => Math.min(first, bar.from), Infinity);
            const to = bars.reduce((last, bar) => Math.max(last, bar.to), -Infinity);
            if (!(to - from < (timeline.last - timeline.first) / 2) || to <= from) return;
            timeline.from = from - (to - from) * 0.04;
            timeline.to = to + (to - from) * 0.04;
        }

        /** Makes the view so many times as long, around a point of it. */
        function zoomTimeline(factor, x = (side() + timeline.canvas.clientWidth) / 2) {
            const middle = timeAt(x), most = (timeline.last - timeline.first) * 1.5;
            const span = Math.min(most, Math.max(100, (timeline.to - timeline.from) * factor));
            const share = (middle - timeline.from) / (timeline.to - timeline.from);
            timeline.from = middle - span * share;
            timeline.to = timeline.from + span;
            drawTimeline();
        }

        function panTimeline(time) {
            timeline.from += time;
            timeline.to += time;
            drawTimeline();
        }

        function wheelTimeline(event) {
            event.preventDefault();
            if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) panTimeline(timeAt(event.deltaX) - timeAt(0));
            else zoomTimeline(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.offsetX);
        }

        function timelineKey(event) {
            const step = (timeline.to - timeline.from) / 8;
            const actions = {
                '+': () => zoomTimeline(0.5), '=': () => zoomTimeline(0.5), '-': () => zoomTimeline(2),
                ArrowLeft: () => panTimeline(-step), ArrowRight: () => panTimeline(step), Home: wholeTimeline,
                Enter: () => showNearest((timeline.canvas.clientWidth + side()) / 2, AXIS + 1),
            };
            if (!actions[event.key]) return;
            actions[event.key]();
            event.preventDefault();
        }

        function grabTimeline(event) {
            timeline.canvas.setPointerCapture(event.pointerId);
            timeline.tip.hidden = true;
            timeline.pointers.set(event.pointerId, {
                x: event.offsetX, start: event.offsetX, selects: event.shiftKey,
            });
            if (!event.shiftKey && timeline.range) {
                timeline.range = null;
                timeline.status.textContent = '';
            }
        }

        function dragTimeline(event) {
            const own = timeline.pointers.get(event.pointerId);
            if (!own) return showTip(event);
            if (own.selects) {
                timeline.range = [timeAt(own.start), timeAt(event.offsetX)];
                showRange();
                return drawTimeline();
            }
            const others = [...timeline.pointers.values()].filter((pointer) => pointer !== own);
            if (others.length === 0) {
                panTimeline(timeAt(own.x) - timeAt(event.offsetX));
            } else {
                const distance = (x) => Math.max(8, Math.abs(x - others[0].x));
                zoomTimeline(distance(own.x) / distance(event.offsetX), (own.x + others[0].x) / 2);
            }
            own.x = event.offsetX;
        }

        function dropTimeline(event) {
            const own = timeline.pointers.get(event.pointerId);
            timeline.pointers.delete(event.pointerId);
            const isStill = own && !own.selects && Math.abs(event.offsetX - own.start) < 4;
            const isClick = isStill && event.type === 'pointerup';
            if (isClick) showNearest(event.offsetX, event.offsetY);
        }

        /** What is in the selected range: frames, their time and their bytes. */
        function showRange() {
            const [from, to] = [...timeline.range].sort((a, b) => a - b);
            const rows = log.index.filter((row) => row[TIME] >= from && row[TIME] <= to);
            const bytes = rows.reduce((sum, row) => sum + row[BYTES], 0);
            const answers = rows.map((row) => row[LATENCY]).filter((one) => one !== null).sort((a, b) => a - b);
            const median = answers.length > 0 ? `, median answer ${duration(answers[answers.length >> 1])}` : '';
            const rate = to > from ? `, ${(bytes / (to - from) * 1000).toFixed(2)} kB/s` : '';
            timeline.status.textContent = `${duration(Math.round(to - from))} selected: ${rows.length} frames, `
                + `${bytes} bytes${rate}${median}`;
        }

        /** A word on the frame under the pointer, or on those that are left out there. */
        function showTip(event) {
            const tip = timeline.tip;
            const lane = timeline.lanes[Math.floor((event.offsetY - AXIS) / LANE)];
            let text = '';
            if (event.offsetY < AXIS) {
                const span = (timeline.last - timeline.first) / log.gaps.length;
                const count = log.gaps[Math.floor((timeAt(event.offsetX) - timeline.first) / span)];
                if (count > 0) text = `${count} frames here are not in this page`;
            } else if (lane) {
                const time = timeAt(event.offsetX), near = nearest(lane.places, time);
                const row = near === undefined ? null : log.index[near];
                if (row && Math.abs(positionOf(row[TIME]) - event.offsetX) < 5) {
                    const what = row[PROBLEM] || row[MEANING] || row[LABEL];
                    text = `${nameOf(row)}  ${timeText(row)}  ${what}`.slice(0, 160);
                }
            }
            tip.hidden = text === '';
            tip.textContent = text;
            tip.style.left = `${Math.min(event.offsetX + 12, Math.max(0, timeline.canvas.clientWidth - 320))}px`;
            tip.style.top = `${event.offsetY + 14}px`;
        }

        /** The place nearest to a time. */
        function nearest(places, time) {
            const far = (place) => Math.abs(log.index[place][TIME] - time);
            return places.length === 0 ? undefined : places.reduce((a, b) => far(b) < far(a) ? b : a);
        }

        /** Shows the frame of the lane there that is nearest in time. */
        function showNearest(x, y) {
            const lane = timeline.lanes[Math.floor((y - AXIS) / LANE)];
            const places = lane ? lane.places : [...log.index.keys()];
            const near = nearest(places, timeAt(x));
            if (near !== undefined) openFrame(near, true);
        }
        """#,
    ]
}
