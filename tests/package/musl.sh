#!/usr/bin/env bash
# musl.sh SOURCE TRACES AFLAME
# Builds aflame with musl instead of the GNU C library. Its tests pass, and it prints and draws each of TRACES as
# AFLAME does. Needs Debian 12 with what .ci/run installs, musl-tools, meson, gperf, dpkg-dev and the network.
set -eu
. "$(dirname "$0")/../same_outputs.sh"
. "$(dirname "$0")/build_and_test.sh"
source=$1 traces=$2 aflame=$3 build=$1/build/musl root=$1/build/musl/root system=/usr/lib/$(uname -m)-linux-gnu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "musl: $*" >&2
    exit 1
}

. "$source/src/package/sources.sh"
# json-glib, which only the tests use, is not on every mirror in the version of Debian 12
echo "deb-src $key/debian sid main" >>"$scratch/sources.list"

# the headers of the kernel are next to those of the GNU C library
mkdir -p "$root/installed" "$root/include" "$root/lib/pkgconfig"
ln -sfn /usr/include/linux /usr/include/asm-generic "/usr/include/${system##*/}/asm" "$root/include"
export CC="musl-gcc -isystem $root/include" CFLAGS='-O1 -fPIC' LDFLAGS="-L$root/lib -Wl,-rpath,$root/lib" \
    PKG_CONFIG_LIBDIR="$root/lib/pkgconfig" MAKEFLAGS=-j2

provide() { # PACKAGE FOLDER OPTION...: installs its libraries, built from a folder of the source
    local package=$1 archive folder=$2
    shift 2
    [ ! -e "$root/installed/$package" ] || return 0
    [ -n "$(ls "$scratch/lists")" ] || apt-get -qq update
    archive=$(package_of "$package")
    mkdir "$scratch/$package"
    (
        cd "$scratch/$package"
        apt-get -qq source --tar-only "$archive" || apt-get -qq source --tar-only "${archive%=*}/sid"
        tar --strip-components=1 -xf ./*.orig.tar.*
        cd "./$folder"
        if [ "$(type -t "${package%-dev}")" = function ]; then
            "${package%-dev}"
        elif [ -e meson.build ]; then
            sed -i "s/meson_version: '[^']*'/meson_version: '>= 1'/" meson.build
            meson setup made --prefix="$root" --libdir=lib --wrap-mode=nodownload --buildtype=plain \
                --auto-features=disabled "$@"
            ninja -C made -j2 install
        elif [ -e configure ]; then
            ./configure --prefix="$root" "$@"
            make install
        else
            make PREFIX="$root" install
        fi
    )
    rm -r "${scratch:?}/$package"
    touch "$root/installed/$package"
}
adopt() { # FOLDER NAME...: headers and files for pkg-config of this system
    cp -r "/usr/include/$1" "$root/include"
    shift
    for name; do
        sed "s,=/usr,=$root,; s,/${system##*/},,; /^Requires.private/d" "$system/pkgconfig/$name.pc" \
            >"$root/lib/pkgconfig/$name.pc"
    done
}
# functions of what does not configure itself, or not with musl
libexpat1() {
    cmake . -DCMAKE_INSTALL_PREFIX="$root" -DEXPAT_BUILD_{TOOLS,TESTS,EXAMPLES}=OFF
    make install
}
libminizip() {
    adopt minizip minizip
    $CC $CFLAGS -Dunix -shared ioapi.c unzip.c zip.c $LDFLAGS -lz -o "$root/lib/libminizip.so"
}
libelf() {
    adopt elfutils libelf
    ac_cv_search_argp_parse='none required' ac_cv_search_fts_close='none required' \
        ac_cv_search__obstack_free='none required' ./configure --prefix="$root" --disable-{lib,}debuginfod
    make -C lib crc32.o next_prime.o xmalloc.o
    ar cr lib/libeu.a lib/{crc32,next_prime,xmalloc}.o
    make -C libelf -j2 install
}
libharfbuzz() { # without the C++ library, which is of the other C library
    adopt harfbuzz harfbuzz harfbuzz-subset
    printf '#include "%s"\n' harfbuzz-subset.cc hb-ft.cc hb-glib.cc >src/all.cc
    g++ $CFLAGS -nostdinc $(g++ -v -x c++ -fsyntax-only /dev/null 2>&1 | sed -n 's,^ \(/.*c++.*\),-isystem \1,p') \
        -isystem "/usr/include/$(uname -m)-linux-musl" -isystem "$(gcc -print-file-name=include)" \
        '-D__GLIBC_PREREQ(a,b)=0' -DHAVE_{PTHREAD,FREETYPE,GLIB} -fno-exceptions -fno-rtti -fno-threadsafe-statics \
        $(pkg-config --cflags freetype2 glib-2.0) -c src/all.cc -o all.o
    $CC -shared all.o $LDFLAGS -lfreetype -lglib-2.0 -o "$root/lib/libharfbuzz.so"
    ln -sf libharfbuzz.so "$root/lib/libharfbuzz-subset.so"
}

for package in zlib1g libdeflate libpcre2 libpng libminizip libelf; do
    provide $package-dev .
done
provide libzstd-dev lib
provide libffi-dev . --disable-multi-os-directory
provide libexpat1-dev expat
provide libprotobuf-c-dev . --disable-protoc
provide libiberty-dev libiberty --enable-install-libiberty
provide check . --disable-subunit
provide libglib2.0-dev . -Dtests=false
provide libjson-glib-dev . -Dtests=false
provide libfreetype-dev .
provide libfribidi-dev . -Ddocs=false
provide libfontconfig-dev .
provide libpixman-1-dev . --auto-features=auto -D{gtk,libpng,tests}=disabled
provide libharfbuzz-dev .
provide libcairo2-dev . --disable-{xlib,xcb,trace,interpreter,gobject}
provide libpango1.0-dev . -Dcairo=enabled -Dfontconfig=enabled -Dfreetype=enabled

build_and_test '|output' -DCMAKE_PREFIX_PATH="$root"
same_outputs "$aflame" "$build/aflame" "$traces"
