#!/usr/bin/env bash
# The packages in a fresh Debian: installed, tried by somebody without rights, upgraded and removed; then nothing
# of them is left. The same with the .rpm, which needs no library. Needs root, mmdebstrap, lintian, the network and
# what src/package/static.sh needs.
#
#   run.sh SOURCE SUITE      of another suite than this system's, a second root builds the last commit
set -eu
source=$1 suite=$2 build=$1/build/package
root=$(mktemp -d)
builder=$(mktemp -d)
static=$(mktemp -d)
trap 'umount -q "$root/proc"; rm -rf --one-file-system "$root" "$builder" "$static"' EXIT

fail() {
    echo "package: $*" >&2
    exit 1
}
inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}
list_files() {
    inside find / -xdev -path /proc -prune -o -path /sys -prune -o -path /var -prune -o -path /tmp -prune -o -print | sort
}

cd "$source"
# lintian does not like addresses of this machine
export DEBFULLNAME='aflame test' DEBEMAIL=test@debian.org
mirror=/etc/apt/sources.list.d/debian.sources
if grep -qx "VERSION_CODENAME=$suite" /etc/os-release; then
    rm -f "$build"/*.deb
    cmake --workflow --preset package
else
    mirror="deb http://deb.debian.org/debian $suite main"
    packages=$(sed -n 's/.* --no-install-recommends \(.*\) && cmake --workflow --preset release .*/\1/p' README.md)
    # shellcheck disable=SC2086
    mmdebstrap --quiet --variant=apt --include="$(echo $packages dpkg-dev file | tr ' ' ,)" "$suite" "$builder" "$mirror"
    mkdir "$builder/aflame"
    git archive HEAD | tar -C "$builder/aflame" -x
    chroot "$builder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBFULLNAME="$DEBFULLNAME" DEBEMAIL="$DEBEMAIL" \
        sh -c 'cd /aflame && cmake --workflow --preset package'
    build=$builder/aflame/build/package
fi
lintian --fail-on error "$build"/*.deb || fail 'lintian finds errors'
mmdebstrap --quiet --variant=apt "$suite" "$root" "$mirror"
mount --bind /proc "$root/proc" # by which the command finds its modules
cp "$source"/tests/data/sample.trace "$build"/*.deb "$root/tmp"
inside apt-get -qq update

# the dependencies alone, to see later what else is left
inside sh -c 'apt-get -qq install -y --no-install-recommends $(for file in /tmp/*.deb; do
    dpkg-deb -f "$file" Depends | tr "," "\n" | sed "s/ *(.*//; /aflame/d"; done | sort -u)' >/dev/null
list_files >"$root/tmp/before"
inside sh -c 'dpkg -i /tmp/*.deb' >/dev/null
try() { # MORE...
    for verb in 'render /tmp/sample.trace -o /tmp/a.svg -o /tmp/a.png -o /tmp/a.pdf' \
        'report /tmp/sample.trace -o /tmp/a.txt' 'help render' --version "$@"; do
        # shellcheck disable=SC2086
        inside setpriv --reuid nobody --regid nogroup --clear-groups aflame $verb >/dev/null ||
            fail "aflame $verb"
    done
    [ -s "$root/tmp/a.pdf" ] || fail 'no picture'
}
try 'render /tmp/sample.trace --view callgraph -o /tmp/c.svg' 'serve --help'
[ "$(inside ldconfig -p | grep -c 'libaflame[.]so[.]0')" = 1 ] || fail 'the library is not found'

# the same packages with a higher version
mkdir "$root/tmp/newer"
for file in "$build"/*.deb; do
    dpkg-deb -R "$file" "$root/unpacked"
    sed -i 's/^Version: .*/&+1/; s/(= \([0-9.]*\))/(= \1+1)/g' "$root/unpacked/DEBIAN/control"
    dpkg-deb -b "$root/unpacked" "$root/tmp/newer" >/dev/null
    rm -r "$root/unpacked"
done
inside sh -c 'dpkg -i /tmp/newer/*.deb' >/dev/null
inside aflame render /tmp/sample.trace -o /tmp/b.svg
cmp "$root/tmp/a.svg" "$root/tmp/b.svg" || fail 'the upgraded command draws other bytes'

inside dpkg --purge aflame aflame-server aflame-graphviz libaflame0 libaflame-dev >/dev/null
list_files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || fail 'files are left'

"$source/src/package/static.sh" "$static"
needs=$(rpm -qp --requires "$static"/*.rpm | grep -vE '^(/bin/sh|rpmlib[(](CompressedFileNames|FileDigests|PayloadFilesHavePrefix)[)] .*)$') || true
[ -z "$needs" ] || fail "the .rpm needs $needs"
mv "$root/tmp/a.svg" "$root/tmp/b.svg"
# RPM does not know that this system has a shell
rpm --root "$root" --dbpath /var/lib/rpm -U --nodeps "$static"/*.rpm
try
cmp "$root/tmp/a.svg" "$root/tmp/b.svg" || [ "$suite" != bookworm ] || fail 'the command of the .rpm draws other bytes'
rpm --root "$root" --dbpath /var/lib/rpm -U --nodeps --replacepkgs "$static"/*.rpm
rpm --root "$root" --dbpath /var/lib/rpm -e aflame
# other packages own the folders on a system that uses RPM
list_files >"$root/tmp/after"
left=$(LC_ALL=C comm -13 "$root/tmp/before" "$root/tmp/after" | while read -r path; do
    [ -d "$root$path" ] || echo "$path"
done)
[ -z "$left" ] || fail "files of the .rpm are left: $left"
echo 'package: installed, tried, upgraded and removed'
