# Shell functions for scripts in the guest (tools/guest): . "$GUEST_LIBRARY"
# Every wait is for a condition and has a limit: the guest's clock steps while it boots.

# wait_for SECONDS WHAT COMMAND...: until COMMAND succeeds; says WHAT did not come.
wait_for() {
    local tries=$(($1 * 10)) what=$2
    shift 2
    until "$@"; do
        tries=$((tries - 1))
        if [ "$tries" -le 0 ]; then
            echo "waited in vain for $what" >&2
            return 1
        fi
        sleep 0.1
    done
}

# The recordings hold everything from before the first adapter on.
record_btsnoop() {
    btmon -w "$1" >/dev/null 2>"$1.log" &
    recorders+=($!)
    wait_for 120 "btmon's file" test -s "$1"
}

record_pcap() {
    tcpdump -Z root -i bluetooth-monitor -U -w "$1" 2>"$1.log" &
    recorders+=($!)
    wait_for 120 "tcpdump's file" test -s "$1"
}

# Ends the recordings in the normal way, and waits until their files are whole.
stop_recording() {
    wait_for 120 "the recorders to read all that waits for them" nothing_waits
    sleep 0.5   # for the record that each of them may have in its hands
    local recorder
    for recorder in "${recorders[@]}"; do
        kill -INT "$recorder" 2>/dev/null || kill -TERM "$recorder" 2>/dev/null
        wait "$recorder"
    done
    recorders=()
}

# Whether no socket of the kind that recorders have holds octets that were not read.
nothing_waits() {
    ! awk 'NR > 1 && $3 > 0 { waits = 1 } END { exit !waits }' /proc/net/hci 2>/dev/null
}

# start_bluetoothd [LINE...]: with these lines of main.conf, the first of them in its section General.
start_bluetoothd() {
    # Slow scripts may take longer than the default 30 s from finding a device to connecting.
    printf '%s\n' '[General]' 'TemporaryTimeout = 3600' "$@" >/run/main.conf
    "${BLUETOOTHD:-/usr/libexec/bluetooth/bluetoothd}" -n -f /run/main.conf >/run/bluetoothd.log 2>&1 &
    wait_for 120 "bluetoothd on D-Bus" bluetoothd_is_there
}

bluetoothd_is_there() {
    dbus-send --system --print-reply --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.NameHasOwner string:org.bluez 2>/dev/null | grep -q 'boolean true'
}

# start_peer NAME [OPTIONS]: a device of tools/peers, in the air; its adapter for the host is hci0.
# Ends with the guest. Its log is /run/peer.log.
start_peer() {
    local try
    for try in 1 2 3; do
        if try_peer "$@"; then return 0; fi
        # The kernel gives an adapter up that does not answer within 2 s while it is set up.
        kill "$peer" 2>/dev/null
        wait "$peer"
        wait_for 60 "the end of hci0" test ! -e /sys/class/bluetooth/hci0 || return 1
    done
    cat /run/peer.log >&2
    return 1
}

try_peer() {
    (cd "$BLECAP_ROOT/tools" && exec "$BLECAP_PYTHON" -m peers "$@") >/run/peer.log 2>&1 &
    peer=$!
    wait_for 300 "the peer $1 in the air" peer_is_ready || return 1
    wait_for 120 "hci0" test -e /sys/class/bluetooth/hci0 || return 1
    # Until bluetoothd has switched it on it can't scan.
    if bluetoothd_is_there; then wait_for 120 "hci0 with its power on" adapter_is_on; fi
}

adapter_is_on() { adapter_says Powered | grep -q 'boolean true'; }

# adapter_says PROPERTY: what bluetoothd says of hci0; fails if it has none.
adapter_says() {
    dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 org.freedesktop.DBus.Properties.Get \
        string:org.bluez.Adapter1 string:"$1" 2>/dev/null
}

peer_is_ready() {
    kill -0 "$peer" 2>/dev/null || { echo "the peer ended" >&2; return 0; }
    grep -q '^ready' /run/peer.log
}

recorders=()
