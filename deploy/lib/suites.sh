# shellcheck shell=bash
# suites.sh: the suites of deploy/check: name, tier and sentence, in the order in which they run.
#
# The quick ones come first. What a suite does stands in deploy/lib/run-suite.

# What a person types, and what it is for; deploy/check --list shows it above the suites.
TASKS=(
    "deploy/up|install, build and run everything on this machine, until Ctrl-C"
    "deploy/up --build-only|install and build the release and the page, and start nothing"
    "deploy/check|the suites of tier check, as CI runs them on every push"
    "deploy/check --only SUITE|one suite"
    "deploy/check --nightly|the suites of tier nightly: hours"
    "deploy/check --empty-root|tier check on a bare Debian 12, made here; as root"
    "deploy/check --compose|the deployment in containers; as root"
    "deploy/check --stack|the deployment on two machines, by Docker Swarm; as root"
    "deploy/check --with-compose|tier check and then the containers, as CI runs them"
    "deploy/coverage|which branches of the games' rules no test takes"
    "cmake --preset dev|configure for daily work; then cmake --build --preset dev, ctest --preset dev"
    "cmake --install .build/release|a release into a prefix: programs, page, manual, client library"
    "cd .build/release && cpack|a release as Debian packages; suite packages tries them"
    "docker build -f deploy/Dockerfile .|a release as an image"
)

# Suites that are not cut off from the network: they install packages.
ONLINE=" packages units "

SUITES=(
    "format     check    every C file is laid out as .clang-format says"
    "shell      check    shellcheck on every shell script"
    "tidy       check    the repository as text: layers, banned calls, orphans, first sentences"
    "page       check    the page: types, unit tests, the build, and the size of its first load"
    "build      check    everything the others need is compiled; has a budget of its own"
    "asan       check    gcc, AddressSanitizer and UBSan: every test"
    "clang      check    clang: every test"
    "install    check    a release installs, and what was installed runs"
    "chain      check    gcc and clang play the same games from the same seeds"
    "games      check    2,000 random games a game and edition, 3,000 acts at most, invariants asked, sanitizers on"
    "cluster    check    200 simulated universes of the whole cluster, each played twice"
    "live       check    recorded games of the dead's first edition, some of quests and treasure, through real processes, sanitizers on"
    "fuzz       check    every fuzz target for 5 seconds, from its corpus"
    "cppcheck   check    cppcheck on every C file"
    "lint       check    clang-tidy on every C file, the path analyzer aside"
    "strangers  check    every attack of the hostile suite against real services and the plain door, counted"
    "browser    check    the page in real browsers: matches played, watched, replayed, and cut off; what axe-core finds"
    "process    check    real services killed, stopped and out of disk under load: nothing acknowledged is lost"
    "faulty     check    engines and fanouts with a fault each: every one is found over sockets alone"
    "tsan       nightly  gcc, ThreadSanitizer: every test of what has threads, the processes among them"
    "analyzer   nightly  all of clang-tidy on every C file, with its path analyzer"
    "coverage   nightly  at least 95 % of the branches of every game's rules, and of the door of 2017"
    "hostile    nightly  the same attacks, and what honest players wait meanwhile, judged"
    "chaos      nightly  suite process with 500 matches and hundreds of faults; each child of arbiter up killed; people against bots, too"
    "postgres   nightly  three engines on a PostgreSQL primary and its standby, killed and stopped in ten orders"
    "soak       nightly  100,000 random games a game and edition, 3,000 acts at most, invariants asked, sanitizers on"
    "hunters    nightly  the treasure hunt's reference bot plays 2 x 1,500 matches as long as its rules say"
    "alllive    nightly  every recorded game of the dead and scenario of quests, objectron and treasure through real processes"
    "grids      nightly  10,000 generated grids of objectron, judged by a checker of its own, and 10,000 games beside a second program"
    "model      nightly  2 x 5,000 games of the dead, half of what is sent refused, against a model written from the rules alone"
    "quests     nightly  1,000 games of quests in which nothing secret shows, 1,000 on the wire, 1,000 of its greedy player's, and 2,000 beside a second program"
    "mutants    nightly  95 % of the bugs planted in each game's rules are caught by its tests"
    "bench      nightly  what a command costs; reported, never judged"
    "busbench   nightly  commands, deliveries, memory and recovery beside raw libzmq, judged; PostgreSQL, fanouts, CURVE as ratios"
    "tabbench   nightly  2,000 spectators over WebSockets, 200 of whom stand still, beside Colyseus' broadcast; judged"
    "packages   nightly  every build type with both compilers, a newer one and Make; Debian packages on an empty Debian 12; needs a network"
    "units      nightly  the units run by a real systemd in a container: each process killed, stopped, upgraded; as root, needs a network"
    "universes  nightly  100,000 simulated universes of the whole cluster, each twice, no mark left dark"
    "crowded    nightly  1,000 treasure games at once over HTTP, two programs each, before one gateway; 4,000 visitors through haproxy"
    "garbled    nightly  10 minutes of garbled requests and frames at a running gateway while others play"
    "longfuzz   nightly  every fuzz target for 10 minutes, from its corpus"
)
