// What the list of frames shows: its filters, what they leave, and the words that say so.

/** The filters that take frames away once they have a value. */
const FILTERS = ['link', 'device', 'layer', 'problem', 'text'];

/** Shows the filters on a narrow page, which begins without them, or hides them. */
function unfoldFilters() {
    const isOpen = list.unfold.getAttribute('aria-expanded') === 'false';
    list.unfold.setAttribute('aria-expanded', String(isOpen));
    document.getElementById('filters').classList.toggle('open', isOpen);
}

/** Begins with the frames of the first failure's connection or device alone, if the log has others. */
function presetFilters() {
    const place = headlinePlace(), row = place === undefined ? null : log.index[place];
    const isOther = (one) => one[LINK] !== row[LINK] && one[DEVICE] >= 0 && one[DEVICE] !== row[DEVICE];
    const isDevice = row && row[LINK] === 0 && row[DEVICE] >= 0;
    if (isDevice && log.index.some((one) => one[DEVICE] >= 0 && one[DEVICE] !== row[DEVICE])) {
        list.filters.device.value = String(row[DEVICE]);
    }
    filterByLink(row && row[LINK] && log.index.some(isOther) ? row[LINK] : 0);
}

/** Shows the frames of a connection alone, or all; 0 stands for all. */
function filterByLink(number) {
    list.filters.link.value = number > 0 ? String(number) : '';
    searchList();
}

/** The device of the frame that is shown in full, if that is on no connection; -1 for others. */
function deviceApart() {
    const place = detail.opened;
    return place < 0 || linkOf(place) ? -1 : log.index[place][DEVICE];
}

/** Whether the list has the frames of one connection or device alone. */
function isPartOfList() { return list.filters.link.value !== '' || list.filters.device.value !== ''; }

/** Changes between the frames of the connection, or device, that is looked at and all frames. */
function toggleLink() {
    const isPart = isPartOfList(), device = deviceApart();
    list.filters.device.value = !isPart && device >= 0 ? String(device) : '';
    filterByLink(isPart || device >= 0 ? 0 : chosenConnection().connection);
}

/** Says what the switch between one connection or device and all frames does. */
function showWhole() {
    const line = chosenConnection(), device = deviceApart(), {link, device: devices, text} = list.filters;
    const isSearch = text.value !== '' && !list.problem && list.found > list.shown.length;
    list.whole.hidden = !isSearch && !isPartOfList()
        && (device >= 0 ? devices.length < 3 : link.length < 2 || !line);
    list.whole.textContent = isSearch ? 'search all frames' : isPartOfList()
        ? `all ${counted(log.index.length, 'frame')}`
        : device >= 0 ? `only ${givenName(device) || log.devices[device][0]}`
            : line ? `only connection ${line.connection}` : '';
    list.whole.onclick = isSearch ? widenSearch : toggleLink;
}

/** Takes all filters but the search back. */
function widenSearch() {
    for (const name of FILTERS) if (name !== 'text') list.filters[name].value = '';
    list.filters.folded.checked = true;
    searchList();
    list.filters.text.focus({preventScroll: true});
}

/** Whether a frame is of a layer, or of a protocol that this layer carries. */
function isOfLayer(row, layer) {
    if (row[LAYER] === layer) return true;
    const carriers = row[MEANING] ? ['ATT', 'SMP', 'L2CAP'] : [];
    return carriers.find((one) => isOperation(row, lower(one))) === layer;
}

/** How many frames each word of a search finds alone, where there are several. */
function countsOfWords() {
    const words = list.problem ? [] : wordsToFind();
    if (words.length < 2) return '';
    const parts = words.map((word) => {
        const count = log.index.filter((row) => finds([word], row)).length;
        return `“${word.name}” ${count === 0 ? 'none' : count}`;
    });
    return `Alone, they find: ${parts.join(', ')}. `;
}

/** The words of the search; none, with the reason shown, if they can't be understood. */
function wordsToFind() {
    const field = list.filters.text;
    let problem = '';
    let words = [];
    try { words = searchWords(field.value); } catch (error) { problem = error.message; }
    list.problem = problem;
    if (problem) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
    return words;
}

/** Says that nothing was found, and what can be searched for, instead of an empty list. */
function showNothing() {
    const isNothing = list.shown.length === 0, word = list.filters.text.value;
    list.nothing.hidden = !isNothing;
    for (const one of document.querySelectorAll('#list, .heading, #list-hint')) one.hidden = isNothing;
    if (!isNothing) return;
    const isWhole = !document.getElementById('omitted');
    const why = list.problem || [word ? `No frame with “${word}” passes these filters.`
        : 'No frame passes these filters.', isWhole ? '' : 'The page has no room for all frames of the log.']
        .filter(Boolean).join(' ');
    const isPart = word && !list.problem && list.found > 0;
    list.nothing.replaceChildren(`${capital(why)} ${countsOfWords()}${
        word ? `Search for: ${SEARCHABLE}. ` : ''}`,
        isPart ? make('button', {type: 'button', onclick: widenSearch},
            `Search all frames: ${counted(list.found, 'hit')}`) : '',
        make('button', {type: 'button', onclick: clearFilters}, 'Show all frames'));
}

/** The values of all filters. */
function filtersNow() {
    const values = FILTERS.map((name) => [name, list.filters[name].value]);
    return {...Object.fromEntries(values), folded: list.filters.folded.checked};
}

/** Gives the filters such values. */
function setFilters(values) {
    for (const name of FILTERS) list.filters[name].value = values[name];
    list.filters.folded.checked = values.folded;
    searchList();
}

/** Filters again as before a frame was shown that the filters hide. */
function restoreFilters() {
    setFilters(list.before);
    list.box.focus({preventScroll: true});
}

/** Takes all filters back. */
function clearFilters() {
    for (const name of FILTERS) list.filters[name].value = '';
    list.filters.folded.checked = true;
    searchList();
    list.box.focus({preventScroll: true});
}

/** How many frames the search finds, where, and which one is shown. */
function hitsText() {
    const {link, device, layer, problem, folded} = list.filters, count = list.shown.length;
    const isOther = layer.value !== '' || problem.value !== '' || !folded.checked;
    const where = isOther ? ' with these filters' : link.value !== '' ? ` in connection ${link.value}`
        : device.value !== '' ? ' of this device' : '';
    const all = list.found > count ? `, ${list.found} in all` : '';
    const hit = count === 0 ? '' : list.steps && list.current >= 0 ? `, hit ${list.current + 1}`
        : ', Enter shows the first';
    return `${counted(count, 'hit')}${where}${all}${hit}`;
}
