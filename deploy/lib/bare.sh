# shellcheck shell=bash
# bare.sh: the smallest Debian 12 there is, in a folder, made by debootstrap from where this machine has its packages from.

SUITE=bookworm

# The archive this machine installs Debian 12 from.
mirror() {
    # shellcheck disable=SC2016 # apt fills these in, not the shell.
    apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
        awk -v suite=$SUITE '$2 == suite { print $1; exit }'
}

# make_bare FOLDER LOG: into a folder that is emptied first.
make_bare() {
    local folder=$1 log=$2 from
    from=$(mirror)
    [ -n "$from" ] || give_up "this machine's apt knows no archive of Debian $SUITE" \
        "run this on Debian 12, or add one to its sources"
    command -v debootstrap >/dev/null || give_up "there is no debootstrap" "apt-get install debootstrap"
    rm -rf "$folder"
    mkdir -p "$folder"
    debootstrap --variant=minbase "$SUITE" "$folder" "$from" >"$log" || give_up "debootstrap failed" "see $log"
}

# copy_settings FOLDER: how this machine reaches the world: the only things taken from it.
copy_settings() {
    local root=$1 file
    rm -rf "$root/etc/apt"
    cp -aL /etc/apt "$root/etc/apt"
    for file in /etc/resolv.conf /etc/hosts; do
        [ ! -e $file ] || cp -L $file "$root$file"
    done
    [ ! -d /usr/share/keyrings ] || cp -aL /usr/share/keyrings "$root/usr/share/"
    # An archive behind https wants the machine's certificates before ca-certificates is installed.
    [ ! -d /etc/ssl/certs ] || { mkdir -p "$root/etc/ssl" && cp -aL /etc/ssl/certs "$root/etc/ssl/"; }
}

# unpack_bare FOLDER TAR: into a folder that is emptied first; the archive is made if it is not there.
unpack_bare() {
    local root=$1 bare=$2
    if [ ! -s "$bare" ]; then
        make_bare "$root" "${root%/*}/debootstrap.txt"
        mkdir -p "${bare%/*}"
        tar -C "$root" --one-file-system -cf "$bare" . # debootstrap cannot unmount what somebody looks at.
    fi
    rm -rf "$root"
    mkdir -p "$root"
    tar -C "$root" -xf "$bare"
    copy_settings "$root"
}
