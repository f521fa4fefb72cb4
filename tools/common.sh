# Shell functions of the tools: . "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# Sets `root`, the repository's directory.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=$(basename "$0")

# The tests' build has a folder of its own. It leaves out debug information, which costs a third of the time.
tests_scratch=$root/.build/tests
tests_options=(--scratch-path "$tests_scratch" --disable-xctest -debug-info-format none)

# Builds all tests, and with them the command; takes a second when nothing has changed.
build_tests() { swift build --package-path "$root" --build-tests "${tests_options[@]}"; }

# usage: prints the comment that a tool begins with.
usage() { sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "$0"; }

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

# persist COMMAND...: runs it until it succeeds, four times at most, with longer and longer pauses: for what
# servers that don't answer, and locks that another one holds, make fail.
persist() {
    local pause
    for pause in 10 30 60; do
        "$@" && return 0
        sleep "$pause"
    done
    "$@"
}

# apt_get ARGUMENTS...: waits while another one installs.
apt_get() {
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=5 "$@" </dev/null
}

# Lists that can't be brought up to date may still be good enough.
update_and_install() {
    apt_get update || true
    apt_get install -y --no-install-recommends "$@"
}

# install_packages NAME...: installs what is missing by apt, as root or by sudo; quiet, and quick
# when nothing is.
install_packages() {
    local missing=()
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return 0
    command -v apt-get >/dev/null \
        || fail "this machine has no apt-get; install the likes of: ${missing[*]}"
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null \
        || fail "needs root (no sudo here): apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! persist update_and_install "${missing[@]}" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: ${missing[*]}"
    fi
    rm -f "$log"
}

# What building needs from Debian, beside Swift.
build_packages=(libarchive-dev libbluetooth-dev libbz2-dev libedit-dev liblz4-dev liblzma-dev libpcap-dev
    libssl-dev libzstd-dev pkg-config zlib1g-dev)

# What packaging needs beside that.
package_packages=(debhelper dpkg-dev fakeroot git python3 python3-wheel umoci)

# What the packages' test needs beside that: a bare Debian, its judge, and what compresses logs.
bare_packages=(debootstrap lintian python3-venv python3-yaml umoci xz-utils zstd)

# The folder of the build with Swift's library in it, and what that builds.
static_scratch=${BLECAP_STATIC_BUILD:-$root/.cache/build-static}

# declared_version: the command's version, which stands nowhere else.
declared_version() {
    sed -n 's/.*version: "\([0-9.]*\)".*/\1/p' "$root/Sources/Command/blecap/Table/CommandTable+Program.swift"
}

# build_static: builds the command with Swift's library in it; not if a build folder is given.
build_static() {
    [ -z "${BLECAP_STATIC_BUILD:-}" ] || return 0
    local log=$root/.cache/install.log
    mkdir -p "$root/.cache"
    say "building (static, release)"
    (cd "$root" && swift build -c release --product blecap --static-swift-stdlib \
        --scratch-path "$static_scratch") >"$log" 2>&1 || {
        grep -E 'error:' "$log" | head -n 10 >&2 || true
        fail "the build failed; all it said: .cache/install.log"
    }
}

# What the tests need: tshark, btmon (bluez) and hcidump as judges, Python for the peers, what packs logs,
# what measures a command and gives it a terminal, and a browser and a linter for the report page.
test_packages=(tshark bluez bluez-hcidump python3 python3-venv bzip2 gzip lz4 tar xz-utils zip zstd time
    bsdutils chromium chromium-driver eslint python3-markdown)

require_swift() {
    command -v swift >/dev/null \
        || fail "no swift on the PATH; Swift 6.2 or newer is needed (swift.org/install)"
}

case ${1-} in --help | -h) usage; exit 0 ;; esac
