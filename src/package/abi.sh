#!/bin/sh
# abi.sh [TAG]
# Compares the interface of the library with that of TAG, by default the last release: lists the changes, and
# fails if a program that was built with that release may not work with this library. Additions do no harm,
# nor does a field at the end of a structure that starts with its size. Needs abidiff (abigail-tools). Before
# the first release, it compares the exported functions with aflame.map.
set -eu
cd "$(dirname "$0")/../.."
tag=${1-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build() { # SOURCE FOLDER
    { cmake --preset release -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo &&
        cmake --build "$2" --target aflame_shared; } >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log" >&2; exit 1; }
}
build . build/abi
if [ -z "$tag" ]; then
    tests/symbols.sh build/abi/libaflame.so include src/api/aflame.map
    echo 'abi: there is no release yet; the library exports what aflame.map lists'
    exit
fi
mkdir "$scratch/source"
git archive "$tag" | tar -C "$scratch/source" -xf -
build "$scratch/source" "$scratch/build"
status=0
abidiff --headers-dir1 "$scratch/source/include" --headers-dir2 include \
    "$scratch/build/libaflame.so" build/abi/libaflame.so || status=$?
# its bits: 1 and 2 errors, 4 changes, 8 of these may break a program
[ $((status & 11)) = 0 ] || { echo "abi: programs built with $tag may not work with this library" >&2; exit 1; }
echo "abi: programs built with $tag work with this library"
