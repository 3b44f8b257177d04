# shellcheck shell=bash
# say.sh: how our scripts talk: what they are about to do, how long it took, and how they give up.

say() { printf '%s\n' "$*"; }

# Ends the script with a reason and, as the second argument, what to do about it.
give_up() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    [ $# -lt 2 ] || printf '  %s\n' "$2" >&2
    exit 2
}

# Seconds as a person reads them: 7s, 2m05s.
duration() {
    if [ "$1" -lt 60 ]; then
        printf '%ds' "$1"
    else
        printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
    fi
}
