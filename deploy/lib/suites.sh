# shellcheck shell=bash
# suites.sh: the suites of deploy/check: name, tier and sentence, in the order in which they run.
#
# The quick ones come first. What a suite does stands in deploy/lib/run-suite.

SUITES=(
    "format     check    every C file is laid out as .clang-format says"
    "shell      check    shellcheck on every shell script"
    "tidy       check    the repository as text: layers, banned calls, orphans, first sentences"
    "asan       check    gcc, AddressSanitizer and UBSan: build everything, run every test"
    "clang      check    clang: build everything, run every test"
    "install    check    a release installs, and what was installed runs"
    "chain      check    gcc and clang play the same games from the same seeds"
    "games      check    2,000 random games a game and edition, 3,000 acts at most, invariants asked, sanitizers on"
    "cluster    check    200 simulated universes of the whole cluster, each played twice"
    "live       check    recorded games of the dead's first edition, and some of quests, through real processes, sanitizers on"
    "fuzz       check    every fuzz target for 5 seconds, from its corpus"
    "cppcheck   check    cppcheck on every C file"
    "lint       check    clang-tidy on every C file, the path analyzer aside"
    "strangers  check    every attack of the hostile suite against real services and the plain door, counted"
    "process    check    real services whose disk fills and fails under load: nothing acknowledged is lost"
    "faulty     check    engines and fanouts with a fault each: every one is found over sockets alone"
    "tsan       nightly  gcc, ThreadSanitizer: every test of what has threads, the processes among them"
    "analyzer   nightly  all of clang-tidy on every C file, with its path analyzer"
    "coverage   nightly  at least 95 % of the branches of every game's rules"
    "hostile    nightly  the same attacks, and what honest players wait meanwhile, judged"
    "chaos      nightly  the same, and services killed and stopped: 500 matches, hundreds of faults"
    "soak       nightly  100,000 random games a game and edition, 3,000 acts at most, invariants asked, sanitizers on"
    "hunters    nightly  the treasure hunt's reference bot plays 2 x 1,500 matches as long as its rules say"
    "alllive    nightly  every recorded game of the dead and scenario of quests and objectron through real processes"
    "grids      nightly  10,000 generated grids of objectron, judged by a checker of its own"
    "quests     nightly  1,000 games of quests in which nothing secret shows, and 1,000 of its greedy player's"
    "mutants    nightly  95 % of the bugs planted in the dead's rules are caught by its tests"
    "bench      nightly  what a command costs; reported, never judged"
    "busbench   nightly  commands, deliveries, memory and recovery beside raw libzmq; the ratios are judged"
    "universes  nightly  100,000 simulated universes of the whole cluster, each twice, no mark left dark"
    "crowded    nightly  1,000 treasure games at once over HTTP, two programs each, before one gateway"
    "longfuzz   nightly  every fuzz target for 10 minutes, from its corpus"
)
