// Selected frames as a pcapng file, made here: one interface for HCI packets (link type 201, H4 with
// pseudo-header) and one for packets from the air (251).

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

/** One packet, or null for a note; bytes that the page does not have are zero, as its comment says. */
function pcapngPacket(frame, row) {
    const type = PACKET_TYPES[frame.json.type];
    const isAir = frame.json.type === 'air';
    if (type === undefined && !isAir) return null;
    const hex = frame.bytes.match(/../g) || [];
    const head = isAir ? [] : [0, 0, 0, row[WAY] === RX ? 1 : 0, type];
    const packet = [...head, ...hex.map((pair) => pair === '..' ? 0 : parseInt(pair, 16))];
    const length = head.length + (frame.json.length === undefined ? hex.length : frame.json.length);
    const hidden = hex.filter((pair) => pair === '..').length;
    const note = hidden > 0 ? `\n${counted(hidden, 'byte')} not shown, zero here` : '';
    const text = `#${nameOf(row)} ${row[LABEL]}${note}`;
    const body = new Uint8Array(20 + packet.length + (4 - packet.length % 4) % 4);
    const view = new DataView(body.buffer);
    const time = BigInt(Date.parse(log.start.slice(0, 19) + 'Z')) * 1000n
        + BigInt(log.start.slice(20, 26)) + BigInt(row[TIME]);
    view.setUint32(0, isAir ? 1 : 0, true);
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
        pcapngBlock(1, [251, 0, 0, 0, 0, 0, 0, 0]),
    ];
    let left = 0;
    for (const place of [...places].sort((a, b) => a - b)) {
        const packet = pcapngPacket(await frameAt(place), log.index[place]);
        if (packet) parts.push(packet);
        else left += 1;
    }
    return {parts, left};
}

/** Saves the selected frames, or without any those in the list. */
async function saveFrames() {
    const places = list.selected.size > 0 ? [...list.selected] : list.shown;
    const {parts, left} = await pcapngOf(places);
    const address = URL.createObjectURL(new Blob(parts, {type: 'application/octet-stream'}));
    const name = list.selected.size > 0 ? 'selected' : 'frames';
    const anchor = make('a', {href: address, download: `${name}.pcapng`});
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    list.status.textContent = `${counted(parts.length - 3, 'frame')} saved`
        + (left > 0 ? `, ${left} left out: pcapng can't hold them` : '');
}
