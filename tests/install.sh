#!/bin/sh
# install.sh CMAKE BUILD CC FLAGS TRACE
# Programs can use an installation by `cmake --install` with pkg-config and find_package, shared and
# static.
set -eu
cmake=$1 build=$2 cc=$3 flags=$4 trace=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$scratch/installed"
"$prefix/bin/aflame" --version >/dev/null
"$prefix/bin/aflame" info "$trace" >/dev/null
"$prefix/bin/aflame" render -q "$trace" -o "$scratch/graph.png"
if [ -e "$build/aflame-graphviz.so" ]; then
    "$prefix/bin/aflame" render -q "$trace" --view callgraph -o "$scratch/calls.svg"
fi
for page in man1/aflame.1 man1/aflame-render.1 man3/libaflame.3 man5/aflame-config.5; do
    [ -s "$prefix/share/man/$page" ] || { echo "$page is not installed" >&2; exit 1; }
done
for file in mime/packages/aflame.xml applications/aflame.desktop thumbnailers/aflame.thumbnailer \
    icons/hicolor/scalable/apps/aflame.svg doc/libaflame-dev/examples/tree.c; do
    [ -s "$prefix/share/$file" ] || { echo "$file is not installed" >&2; exit 1; }
done
opener=$(sed -n 's,^Exec=/.*/\(.*/aflame/.*\) %f$,\1,p' "$prefix/share/applications/aflame.desktop")
[ -x "$prefix/$opener" ] || { echo "the desktop entry starts nothing" >&2; exit 1; }

library=$(dirname "$(find "$prefix" -name libaflame.a)")
pc=$(dirname "$(find "$prefix" -name aflame.pc)")
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
export LD_LIBRARY_PATH="$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# the prefix is chosen at installation, not at configuration: aflame.pc must follow
case "$(pkg-config --variable=includedir aflame)" in
*/"$(basename "$scratch")"/prefix/*) ;; # blanks in the folders before are quoted
*) set -- "--define-variable=prefix=$prefix" ;;
esac

# build OUTPUT FLAGS: pkg-config has quoted FLAGS for the shell
build() {
    eval "$cc -std=c11 $flags \"\$here/consumer/consumer.c\" -o \"\$1\" $2"
}

expected="aflame $(pkg-config --modversion aflame): 11 threads, a picture of many bytes"
ran=0
check() {
    output=$("$@" "$trace")
    if [ "$output" != "$expected" ]; then
        echo "$1: $output, expected: $expected" >&2
        exit 1
    fi
    ran=$((ran + 1))
}

build "$scratch/by-pkg-config" "$(pkg-config "$@" --cflags --libs aflame)"
check "$scratch/by-pkg-config"
ldd "$scratch/by-pkg-config" | grep -q "$library/libaflame.so" || { echo "not linked to the installed library" >&2; exit 1; }

build "$scratch/by-pkg-config-static" "$(pkg-config "$@" --cflags --libs aflame-static)"
check "$scratch/by-pkg-config-static"
! ldd "$scratch/by-pkg-config-static" | grep -q libaflame || { echo "not linked to the static library" >&2; exit 1; }

CC=$cc "$cmake" -G Ninja -S "$here/consumer" -B "$scratch/consumer" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" >"$scratch/configured"
"$cmake" --build "$scratch/consumer" >"$scratch/built" 2>&1 || { cat "$scratch/built" >&2; exit 1; }
check "$scratch/consumer/consumer_shared"
check "$scratch/consumer/consumer_static"

# The shared library requires no other package, neither with pkg-config nor with find_package.
export PKG_CONFIG_LIBDIR="$pc" PKG_CONFIG_PATH="$pc"
! pkg-config --exists glib-2.0 || { echo "GLib is not hidden" >&2; exit 1; }
build "$scratch/alone" "$(pkg-config "$@" --cflags --libs aflame)"
check "$scratch/alone"
CC=$cc "$cmake" -G Ninja -S "$here/consumer" -B "$scratch/consumer-shared" -DKINDS=shared \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" >"$scratch/configured"
"$cmake" --build "$scratch/consumer-shared" >"$scratch/built" 2>&1 || { cat "$scratch/built" >&2; exit 1; }
check "$scratch/consumer-shared/consumer_shared"
! "$cmake" -G Ninja -S "$here/consumer" -B "$scratch/consumer-static" -DKINDS=static \
    -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/refused" 2>&1 || { echo "the static library needs more packages" >&2; exit 1; }
[ "$ran" -eq 6 ]
