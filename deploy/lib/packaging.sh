# shellcheck shell=bash
# packaging.sh: the suites that install the product: into a prefix, by every build type, as packages, as a house. run-suite sources it.

# What was installed runs away from the tree it came from; a bot that was built with it plays.
suite_install() {
    local status=0
    build release programs || return
    one_case "programs" installed_programs || status=1
    one_case "hardened, and silent of where they were built" env TIDY_BUILD="$PWD/.build/release" \
        python3 tests/tidy/hardened_test.py || status=1
    one_case "the client library, and a bot in C" env ARBITER_BUILD="$PWD/.build/release" \
        /usr/bin/python3 -B tests/process/installed_bot_test.py || status=1
    one_case "the games' library, and a program in C" env ARBITER_BUILD="$PWD/.build/release" \
        /usr/bin/python3 -B tests/environment/installed_test.py || status=1
    one_case "environments to train players in" env ARBITER_BUILD="$PWD/.build/release" \
        /usr/bin/python3 -B tests/environment/environment_test.py || status=1
    return $status
}

installed_programs() {
    local into
    into=$(mktemp -d) || return
    cmake --install .build/release --prefix "$into" >/dev/null && (
        cd / && cmp "$into/share/doc/arbiter/LICENSE" "$ROOT/LICENSE" &&
            "$into/bin/arbiter" --version &&
            bash -c 'source "$0" && complete -p arbiter' "$into/share/bash-completion/completions/arbiter" &&
            [ -s "$into/share/zsh/site-functions/_arbiter" ] &&
            man -M "$into/share/man" -w arbiter-play arbiter-keys 8 arbiter-bot && "$into/bin/arbiter" simulate nim --games 10 &&
            "$into/bin/arbiter" simulate nim --trace "$into/nim.match" &&
            "$into/bin/arbiter" verify "$into/nim.match"
    )
    local result=$?
    rm -rf "$into"
    return $result
}

# as_anywhere FOLDER WORDS...: configured by a stranger's words, everything is built, without a warning, and plays.
as_anywhere() {
    local folder=.build/types/$1 said=.build/types/$1.txt status=0
    shift
    rm -rf "$folder"
    mkdir -p "$folder"
    {
        CMAKE_C_COMPILER_LAUNCHER=${ARBITER_LAUNCHER:-} cmake -S . -B "$folder" "$@" &&
            cmake --build "$folder" -j "$JOBS"
    } >"$said" 2>&1 || status=1
    [ $status -eq 0 ] || tail -n 40 "$said"
    if grep -A 9 'warning:' "$said"; then status=1; fi
    "$folder/arbiter" simulate nim --games 10 || status=1
    rm -rf "$folder"
    return $status
}

make_packages() {
    build release programs && (cd services/gateway/web && npm run -s build) || return
    rm -rf .build/release/packages
    (cd .build/release && cpack -B "$PWD/packages") && [ "$(find .build/release/packages -maxdepth 1 -name '*.deb' | wc -l)" -eq 6 ]
}

suite_packages() {
    local status=0 type
    for type in Release RelWithDebInfo MinSizeRel Debug; do
        one_case "gcc, $type" as_anywhere gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=$type || status=1
        one_case "clang, $type" as_anywhere clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=$type || status=1
    done
    one_case "no build type" as_anywhere plain || status=1
    one_case "a newer clang" as_anywhere newer -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=Release || status=1
    one_case "what distributions add" as_anywhere distribution -G Ninja -DCMAKE_BUILD_TYPE=Release \
        '-DCMAKE_C_FLAGS=-D_FORTIFY_SOURCE=3 -fstack-protector-strong -fcf-protection' || status=1
    one_case "Debian packages" make_packages || return
    one_case "the package of Python, as a wheel" env ARBITER_BUILD="$PWD/.build/release" \
        /usr/bin/python3 -B tests/environment/wheel_test.py || status=1
    one_case "Debian packages on an empty Debian 12" deploy/lib/try-packages .build/release/packages/*.deb || status=1
    return $status
}

suite_units() {
    one_case "Debian packages" make_packages || return
    one_case "units under systemd, on an empty Debian 12" deploy/lib/try-units .build/release/packages/arbiter_*.deb
}

suite_release() { one_case "two releases of one commit" deploy/lib/try-release; }

suite_public() {
    one_case "the chapter for strangers, on an empty Debian 12, and the attacks through its door" deploy/lib/try-public
}
