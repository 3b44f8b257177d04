# shellcheck shell=bash
# say.sh: how our scripts talk: what they are about to do, how long it took, and how they give up.

say() { printf '%s\n' "$*"; }

# Ends the script with a reason and, as the second argument, what to do about it.
give_up() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    [ $# -lt 2 ] || printf '  %s\n' "$2" >&2
    exit 2
}

# Makes the folders below .build that everything we write goes to, and refuses to begin without them.
make_build_folders() {
    if ! mkdir -p .build/log .build/junit 2>/dev/null || [ ! -w .build ] || [ ! -w .build/log ] ||
        [ ! -w .build/junit ]; then
        give_up "$PWD/.build cannot be written" "run it as who owns the folder, or clone into one of your own"
    fi
}

# Seconds as a person reads them: 7s, 2m05s.
duration() {
    if [ "$1" -lt 60 ]; then
        printf '%ds' "$1"
    else
        printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
    fi
}
