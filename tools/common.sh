# Shell functions of the tools: . "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# Sets `root`, the repository's directory.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=$(basename "$0")

say() { echo "$tool: $*" >&2; }
fail() { say "$*"; exit 1; }

# missing_packages NAME...: those of the Debian packages that are not installed, one a line.
missing_packages() {
    local name
    for name in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$name" 2>/dev/null) in
            *'ok installed'*) ;;
            *) echo "$name" ;;
        esac
    done
}

# install_packages NAME...: installs what is missing by apt, as root or by sudo; quiet, and quick
# when nothing is.
install_packages() {
    local missing=() as_root=()
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return 0
    command -v apt-get >/dev/null \
        || fail "this machine has no apt-get; install the likes of: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "needs root (no sudo here): apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update -q \
        && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null
    then
        tail -n 5 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: ${missing[*]}"
    fi
    rm -f "$log"
}

# What building needs from Debian, beside Swift.
build_packages=(libarchive-dev libbluetooth-dev libbz2-dev liblz4-dev liblzma-dev libpcap-dev libssl-dev
    libzstd-dev pkg-config zlib1g-dev)

# What the tests need: tshark, btmon (bluez) and hcidump as judges, Python for the peers, and what packs logs.
test_packages=(tshark bluez bluez-hcidump python3 python3-venv bzip2 gzip lz4 tar xz-utils zip zstd)

require_swift() {
    command -v swift >/dev/null \
        || fail "no swift on the PATH; Swift 6.2 or newer is needed (swift.org/install)"
}
