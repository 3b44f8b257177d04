# shellcheck shell=bash
# packages.sh: the packages of Debian (and Ubuntu) we stand on, and how they are installed.
#
# Everything comes from the distribution, so that a machine needs no other source than its own mirror.

# What building and playing need.
PACKAGES_BUILD=(
    gcc libc6-dev cmake ninja-build pkg-config # The compiler and what drives it.
    libjansson-dev                             # JSON: configurations and the JSON door.
    libsodium-dev                              # ChaCha20, SHA-256, secretbox.
    libprotobuf-c-dev protobuf-c-compiler      # Messages, and C for them from the .proto files.
    libcmocka-dev                              # Tests are configured with everything else.
    python3                                    # The tests that read the repository itself.
)

# What deploy/check needs besides.
PACKAGES_CHECK=(
    git                                   # Which files are ours.
    binutils                              # nm: what pure code asks of the outside.
    clang libclang-rt-14-dev llvm         # The second compiler, its sanitizers and libFuzzer.
    clang-format clang-tidy               # Layout, and the linter.
    cppcheck shellcheck                   # The other linters.
    iproute2                              # ip: a network namespace with nothing but loopback.
    procps                                # ps, for scripts that clean up after themselves.
    python3-jsonschema                    # A second opinion on the schemas in configs/.
    python3-protobuf protobuf-compiler    # Holding the messages against recorded games.
)

# What the nightly tier needs besides.
PACKAGES_NIGHTLY=(
    gcovr    # Branch coverage as a table.
    valgrind # callgrind counts instructions.
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

# Installs what is missing of the named packages; asks apt nothing if nothing is.
packages_install() {
    local package missing=
    for package in "$@"; do
        if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            missing="$missing $package"
        fi
    done
    if [ -z "$missing" ]; then
        say "packages: all ${#} are installed"
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
        "use Debian 12 or Ubuntu 24.04, or install by hand what deploy/lib/packages.sh lists"
}
