#!/usr/bin/env bash
# The packages in a fresh Debian: installed, tried by somebody without rights, upgraded and removed; then nothing
# of them is left. The same with those for RPM. Needs root, mmdebstrap, lintian, rpm and the network.
#
#   run.sh SOURCE SUITE      of another suite than this system's, a second root builds the last commit
set -eu
source=$1 suite=$2 build=$1/build/package
root=$(mktemp -d)
builder=$(mktemp -d)
trap 'umount -q "$root/proc"; rm -rf --one-file-system "$root" "$builder"' EXIT

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
    rm -f "$build"/*.deb "$build"/*.rpm
    cmake --workflow --preset package
else
    mirror="deb http://deb.debian.org/debian $suite main"
    packages=$(sed -n 's/.* --no-install-recommends \(.*\) && cmake --workflow --preset release .*/\1/p' README.md)
    # shellcheck disable=SC2086
    mmdebstrap --quiet --variant=apt --include="$(echo $packages dpkg-dev file rpm | tr ' ' ,)" "$suite" "$builder" "$mirror"
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
try() {
    for verb in 'render /tmp/sample.trace -o /tmp/a.svg -o /tmp/a.png -o /tmp/a.pdf' \
        'render /tmp/sample.trace --view callgraph -o /tmp/c.svg' 'report /tmp/sample.trace -o /tmp/a.txt' \
        'serve --help' --version; do
        # shellcheck disable=SC2086
        inside setpriv --reuid nobody --regid nogroup --clear-groups aflame $verb >/dev/null ||
            fail "aflame $verb"
    done
    [ -s "$root/tmp/a.pdf" ] || fail 'no picture'
}
try
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

# RPM knows nothing of the libraries that Debian installed
[ "$(rpm -qp --requires "$build"/*.rpm | grep -c '^aflame = ')" = 2 ] || fail 'modules do not need the command'
rpm --root "$root" --dbpath /var/lib/rpm -U --nodeps "$build"/*.rpm
rm "$root"/tmp/a.*
try
rpm --root "$root" --dbpath /var/lib/rpm -U --nodeps --replacepkgs "$build"/*.rpm
rpm --root "$root" --dbpath /var/lib/rpm -e aflame aflame-server aflame-graphviz
# other packages own the folders on a system that uses RPM
list_files >"$root/tmp/after"
left=$(LC_ALL=C comm -13 "$root/tmp/before" "$root/tmp/after" | while read -r path; do
    [ -d "$root$path" ] || echo "$path"
done)
[ -z "$left" ] || fail "files of RPM are left: $left"
echo 'package: installed, tried, upgraded and removed'
