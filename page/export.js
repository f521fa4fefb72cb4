// Copying out of the page: frames, their values and bytes, as text.

/** Says for a moment what was copied. */
const toast = {box: null, timer: 0};

/** Puts a text on the clipboard, and says what it is. */
function copyText(text, name) {
    const say = (isDone) => sayCopied(isDone ? `${name} copied` : 'this browser does not let the page copy');
    if (putText(text) || withSelection(() => putText(text))) say(true);
    else if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say(true), () => say(false));
    else say(false);
}

// Whether a command to copy put a text on the clipboard. Unlike the clipboard's own interface, it works for
// pages of the file system.
function putText(text) {
    let isDone = false;
    const put = (event) => {
        event.clipboardData.setData('text/plain', text);
        event.preventDefault();
        event.stopImmediatePropagation();
        isDone = true;
    };
    document.addEventListener('copy', put, {capture: true});
    document.execCommand('copy');
    document.removeEventListener('copy', put, {capture: true});
    return isDone;
}

/** Does something while a text is selected, without which Safari copies nothing. */
function withSelection(action) {
    const selection = window.getSelection();
    selection.selectAllChildren(document.querySelector('h1'));
    const result = action();
    selection.removeAllRanges();
    return result;
}

function sayCopied(words) {
    if (!toast.box) {
        toast.box = make('div', {class: 'toast', role: 'status'});
        document.body.append(toast.box);
    }
    toast.box.textContent = visible(words);
    clearTimeout(toast.timer);
    toast.timer = setTimeout(() => { toast.box.textContent = ''; }, 2500);
}

/** A button that copies a text, which a function gives. */
function copyButton(name, words, textOf) {
    return make('button', {
        type: 'button', class: 'copy', 'aria-label': `Copy ${name}`, onclick: () => copyText(textOf(), words),
    }, `copy ${name}`);
}

/** A frame as a line of text: what its row shows, with nothing shortened. */
function lineOf(place) {
    const row = log.index[place], way = {[TX]: 'tx', [RX]: 'rx'}[row[WAY]] || '';
    return [nameOf(row), timeText(row[TIME]), way, row[LINK] || '', row[LAYER],
        [problemText(row), row[MEANING], row[LABEL]].filter(Boolean).join('; ')].join('\t');
}

/** Bytes as text, as they are shown: two digits each, and what is not shown as dots. */
function digitsText(hex) { return (hex.match(/../g) || []).join(' '); }

/** A frame in full as text. */
function wholeText(place, frame) {
    const fields = frame.lines.map((line) => typeof line === 'string' ? line : `+${line[0]} ${line[2]}`);
    const parts = [lineOf(place), ...fields, frame.meaning, digitsText(frame.bytes)];
    return parts.filter(Boolean).join('\n') + '\n';
}

/** The value of a field: of one that says only how many bytes it has, all of these. */
function fieldValue(words, cells) {
    const octets = cells.filter((_, at) => at % 2 === 0)
        .map((cell) => cell.textContent.replace('··', '..'));
    return / = \d+ bytes?(: |$)/.test(words) ? octets.join(' ') : words.replace(/^.*? = /, '');
}

// Copies the selected rows, or the frame that is shown in full, where no text is selected.
function copyRows(event) {
    const isText = window.getSelection().type === 'Range' || event.target.matches('input, select');
    const places = list.selected.size > 0 ? [...list.selected].sort((a, b) => a - b) : [detail.opened];
    if (isText || places[0] < 0) return;
    event.clipboardData.setData('text/plain', places.map((place) => lineOf(place) + '\n').join(''));
    event.preventDefault();
    const [first] = places.map((place) => nameOf(log.index[place]));
    sayCopied(places.length > 1 ? `${places.length} frames copied` : `frame ${first} copied`);
}
