#!/bin/sh
# again.sh SOURCE
# A release, and a second build of its source archive: in another folder, at another time and in another
# time zone, by another user if this one is root. Both make the same packages, byte for byte.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export DEBFULLNAME='aflame test' DEBEMAIL=test@debian.org GIT_CONFIG_GLOBAL=/dev/null
unset CMAKE_C_COMPILER_LAUNCHER
export CCACHE_DISABLE=1 # for Meson
git clone -q --no-hardlinks "$1" "$scratch/first"
git -C "$scratch/first" config user.name test
git -C "$scratch/first" config user.email test@debian.org
echo 'A test.' >"$scratch/changes.txt"
"$scratch/first/src/package/release.sh" 9.8.7 "$scratch/changes.txt" "$scratch/released" >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" >&2; exit 1; }
[ "$(git -C "$scratch/first" tag -l v9.8.7 --format='%(contents:subject)')" = 'A test.' ]
(cd "$scratch/released" && sha256sum -c --quiet SHA256SUMS)

mkdir -p "$scratch/second/in-a-longer-path"
tar -C "$scratch/second/in-a-longer-path" -xf "$scratch/released/aflame-9.8.7.tar.gz"
again='cd "$1/second/in-a-longer-path/aflame-9.8.7" && umask 022 && cmake --workflow --preset package &&
    src/package/static.sh build/package'
set -- env HOME="$scratch/second" TZ=Asia/Tokyo SOURCE_DATE_EPOCH="$(date -d "$(sed -n 's/^Created: //p' "$scratch/released/aflame.spdx")" +%s)" sh -c "$again" sh "$scratch"
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$scratch"
    chown -R nobody "$scratch/second"
    # a source archive needs no esbuild
    set -- unshare --mount sh -c 'mount --bind /dev/null "$(command -v esbuild)" && exec "$@"' sh \
        setpriv --reuid nobody --regid nogroup --clear-groups "$@"
fi
"$@" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log" >&2; exit 1; }
n=0
for package in "$scratch/released"/*.deb "$scratch/released"/*.rpm "$scratch/released"/*-linux-*.tar.gz; do
    cmp "$package" "$scratch/second/in-a-longer-path/aflame-9.8.7/build/package/${package##*/}"
    n=$((n + 1))
done
[ $n -eq 7 ]
for source in glib2.0 glibc; do
    tar -tf "$scratch/released"/*-sources.tar | grep -q "/${source}_.*[.]dsc$"
done
