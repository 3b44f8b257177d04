# shellcheck shell=bash
# packages.sh: the packages of Debian (and Ubuntu) we stand on, and how they are installed.
#
# Everything comes from the distribution, so that a machine needs no other source than its own mirror.

# What for, and which: `build` and play, `check` besides, `nightly` besides, `release` for what is published, `compose` for containers.
PACKAGES=(
    "build   gcc libc6-dev cmake ninja-build pkg-config" # The compiler and what drives it.
    "build   libjansson-dev"                             # JSON: configurations and the JSON door.
    "build   libsodium-dev"                              # ChaCha20, SHA-256, secretbox.
    "build   libzmq3-dev libczmq-dev"                    # The bus.
    "build   libwebsockets-dev libssl-dev libxml2-dev"   # The gateway's HTTP and TLS, and 2017's XML.
    "build   zlib1g-dev"                                 # Replays, compressed for browsers.
    "build   libedit-dev"                                # Lines that are typed in a terminal.
    "build   libsqlite3-dev"                             # The embedded store.
    "build   libpq-dev"                                  # PostgreSQL's, for several machines.
    "build   libprotobuf-c-dev protobuf-c-compiler"      # Messages, and C for them.
    "build   libcmocka-dev python3"                      # Tests are configured with everything else.
    "build   nodejs npm"                                 # The page: TypeScript to what browsers read.
    "check   python3-protobuf protobuf-compiler"         # A second reader of every message.
    "check   python3-zmq python3-nacl"                   # The client library in Python.
    "check   python3-numpy"                              # Environments to train players in.
    "check   python3-websocket"                          # A bot at the WebSocket door, as people write them.
    "check   make"                                       # The other generator of CMake's, which strangers have.
    "check   man-db"                                     # Judges the manual pages.
    "check   git binutils"                               # Which files are ours; nm.
    "check   clang libclang-rt-14-dev llvm"              # The second compiler, its sanitizers, libFuzzer.
    "check   clang-format clang-tidy cppcheck shellcheck" # Layout and linters.
    "check   iproute2 procps"                            # A network with nothing but loopback.
    "check   python3-jsonschema"                         # A second opinion on the schemas in configs/.
    "check   python3-yaml"                               # Reads the files for containers.
    "check   postgresql"                                 # The server, for the store's tests.
    "check   sqlite3"                                    # People's way to ask a journal, tried as the README says.
    "check   python3-lxml"                               # A judge of the XML of 2017, by its schemas.
    "check   bubblewrap"                                 # Other people's programs in a tournament.
    "check   openssl"                                    # Certificates of one's own, for the tests of TLS.
    "check   haproxy"                                    # The door of compose and stack, before a gateway.
    "check   chromium chromium-driver python3-selenium"  # Browsers, and what drives them.
    "check   systemd"                                    # Judges how exposed a unit is; it need not run.
    "release dpkg-dev file minisign signify-openbsd"     # Debian packages, and signatures.
    "compose docker.io docker-compose debootstrap"       # Containers, and what the first one is made of.
    "nightly clang-19"                                   # A compiler newer than ours.
    "nightly python3-venv python3-pip python3-setuptools python3-wheel" # The package of Python, as a wheel.
    "nightly debootstrap"                                # An empty system, for Debian packages.
    "nightly systemd-container"                          # A systemd of one's own, for the units.
    "nightly pebble slirp4netns"                         # An authority for certbot; a way out of a network of one's own.
    "nightly gcovr"                                      # Branch coverage as a table.
    "nightly prometheus"                                 # What rings the alerts, and promtool.
    "nightly valgrind"                                   # callgrind counts instructions.
)

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        give_up "packages are missing, and I am neither root nor have sudo" \
            "as root: apt-get update && apt-get install --no-install-recommends $missing"
    fi
}

# packages_for TIER...: the packages of these tiers.
packages_for() {
    local row tier names
    for row in "${PACKAGES[@]}"; do
        read -r tier names <<<"$row"
        [[ " $* " != *" $tier "* ]] || printf '%s ' "$names"
    done
}

# Installs what is missing of these tiers; asks apt nothing if nothing is.
packages_install() {
    local package missing=
    for package in $(packages_for "$@"); do
        # Node may well come from elsewhere, and then Debian's would be in its way.
        case $package in
        nodejs) command -v node >/dev/null && continue ;;
        npm) command -v npm >/dev/null && continue ;;
        esac
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            missing="$missing $package"
        fi
    done
    if [ -z "$missing" ]; then
        say "packages: everything is installed"
        return
    fi
    say "packages: installing$missing"
    as_root apt-get -qq update
    # shellcheck disable=SC2086 # A list of names, split on purpose.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
        $missing >/dev/null
}

# Refuses systems on which the names above mean nothing.
packages_supported() {
    command -v apt-get >/dev/null || give_up "this system has no apt-get" \
        "use Debian 12 or 13, or Ubuntu 24.04, or install by hand what deploy/lib/packages.sh lists, and say --no-install"
}
