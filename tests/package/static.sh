#!/usr/bin/env bash
# static.sh SOURCE TRACES AFLAME REFUSE
# The static aflame, made from SOURCE, in a folder that holds nothing else, where the kernel refuses all system calls
# since Linux 3.10: it prints and draws each of TRACES as AFLAME does, which is linked the ordinary way. Needs
# root, and what src/package/static.sh needs.
set -eu
source=$1 traces=$2 aflame=$3 refuse=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "static: $*" >&2
    exit 1
}

unset CMAKE_C_COMPILER_LAUNCHER
"$source/src/package/static.sh" "$scratch" >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" >&2; fail 'no archive'; }
tar -C "$scratch" --strip-components=1 -xf "$scratch"/aflame-*-linux-*.tar.gz
program=$scratch/bin/aflame
[ "$(stat -c %s "$program")" -le 15000000 ] || fail 'the file has more than 15 MB'
readelf -ldW "$program" >"$scratch/head"
! grep -E 'INTERP|NEEDED' "$scratch/head" || fail 'the file needs others'
grep -q 'FLAGS_1.*PIE' "$scratch/head" || fail 'the file is not position-independent'

# THIRD-PARTY names each library that the linker took something from, and the licences of all are there
libraries=0
for library in $(sed -n '/^Memory Configuration/q; s/^\([^ ]*\/\)*\(lib[^/ ]*\)[.]a(.*/\2/p' \
    "$source/build/static/aflame.map" | sed 's/^libm-.*/libm/' | sort -u | grep -vx libaflame); do
    row=$(grep -E "[| ]$library( |$)" "$source/src/package/third_party.txt" | grep -v '|the packages|') ||
        fail "third_party.txt does not name $library"
    grep -q "^${row%%|*} [0-9]" "$scratch/share/doc/aflame/THIRD-PARTY" || fail "THIRD-PARTY lacks $library"
    libraries=$((libraries + 1))
done
[ $libraries -gt 25 ] || fail "only $libraries libraries"
[ "$(find "$scratch/share/licenses/aflame" -name '*-dev.txt' -size +0 | wc -l)" -ge 22 ] || fail 'licences are missing'
grep -q '^harfbuzz=' "$scratch/share/doc/aflame/RELINK" || fail 'RELINK lacks HarfBuzz'

mkdir "$scratch/root" "$scratch/ours"
cp "$program" "$scratch/root"
newer='statx getrandom memfd_create clone3 rseq close_range openat2 faccessat2 renameat2 copy_file_range preadv2
    pwritev2 execveat membarrier mlock2 seccomp landlock_create_ruleset futex_waitv pidfd_open sched_setattr'
compare() { # ARGUMENT...: the same output, messages, exit code and files
    local theirs=0 ours=0
    (cd "$scratch/ours" && env -i "$aflame" "$@") >"$scratch/expected" 2>"$scratch/expected.err" || theirs=$?
    # shellcheck disable=SC2086
    env -i "$refuse" $newer -- "$chroot" "$scratch/root" /aflame "$@" >"$scratch/out" 2>"$scratch/err" || ours=$?
    [ $ours = $theirs ] || fail "aflame $*: exit code $ours instead of $theirs: $(cat "$scratch/err")"
    cmp "$scratch/expected" "$scratch/out" || fail "aflame $*: other output"
    diff "$scratch/expected.err" "$scratch/err" >&2 || fail "aflame $*: other messages"
}
chroot=$(command -v chroot)
n=0
for trace in "$traces"/*; do
    [ -f "$trace" ] || continue
    name=${trace##*/}
    cp "$trace" "$scratch/root/$name"
    cp "$trace" "$scratch/ours/$name"
    compare render "$name" -o out.svg -o out.png -o out.pdf
    compare render --static "$name" -o static.svg
    compare convert "$name" -o out.json
    compare convert "$name" -o out.aflp
    compare report "$name"
    rm "$scratch/root/aflame"
    diff -r "$scratch/root" "$scratch/ours" || fail "$name: other files"
    rm -r "$scratch/root" "$scratch/ours"
    mkdir "$scratch/root" "$scratch/ours"
    cp "$program" "$scratch/root"
    n=$((n + 1))
done
[ $n -gt 100 ] || fail "only $n traces"
env -i "$chroot" "$scratch/root" /aflame serve 2>"$scratch/err" && fail 'it has a server'
grep -qx 'aflame: the server is not part of the static aflame; build aflame as the README describes' "$scratch/err" ||
    fail "serve: $(cat "$scratch/err")"
echo "static: $n traces in an empty root, $libraries libraries, $(stat -c %s "$program") bytes"
