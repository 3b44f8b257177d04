# shellcheck shell=bash
# page.sh: how the page is built: its packages fetched by the lock file, then types, checks, and the files to serve.
#
# npm needs the network once; whoever cuts it off fetches first. Without node there is everything but the page, and
# that is said: a server for programs alone needs none.

PAGE=services/gateway/web

# Fetches what the lock file names, unless it is there already.
page_fetch() {
    if ! command -v npm >/dev/null; then
        say "page: node and npm are missing, so there will be no page; everything else is there"
        return 0
    fi
    cmp -s $PAGE/package-lock.json $PAGE/node_modules/.arbiter-lock && return 0
    say "page: fetching what its lock file names (npm ci)"
    if ! (cd $PAGE && npm ci --ignore-scripts) >.build/log/page-fetch.txt 2>&1; then
        say "page: npm could not fetch its packages, so there will be no page; .build/log/page-fetch.txt says why"
        return 0
    fi
    cp $PAGE/package-lock.json $PAGE/node_modules/.arbiter-lock
}

# Fetches Colyseus, beside which the bench of WebSockets measures us. Not by `npm ci`, which wants the lock file to name what
# other machines would need, too.
colyseus_fetch() {
    local folder=tests/bench/sockets/colyseus
    command -v npm >/dev/null || return 0
    (cd $folder && npm install --no-save --ignore-scripts) >.build/log/colyseus-fetch.txt 2>&1 ||
        say "bench: npm could not fetch Colyseus; .build/log/colyseus-fetch.txt says why"
}

# Builds it into $PAGE/dist, where the gateway looks.
page_build() {
    [ -e $PAGE/node_modules/.arbiter-lock ] || return 0
    say "page: building it; what the compiler says goes to .build/log/page.txt"
    (cd $PAGE && npm run -s build) >.build/log/page.txt 2>&1 ||
        give_up "the page could not be built" "the whole of it: .build/log/page.txt"
}
