#!/bin/sh
# static.sh [--sources] [FOLDER]
# Makes aflame-VERSION-linux-ARCH.tar.gz in FOLDER (build/static): the command as one file that runs on any Linux,
# with the manual, completions and licences; and an .rpm with the same command, since systems with RPM have other
# libraries than Debian. Needs Debian with the packages that the README lists, g++, meson, dpkg-dev, rpm and the network.
# Debian has no static HarfBuzz and Pango: they are built from its source packages, in the versions of the headers
# that are installed. With --sources, the source packages of the libraries under the LGPL are put next to it, for
# those who publish it.
set -eu
umask 022
cd "$(dirname "$0")/../.."
sources=
if [ "${1:-}" = --sources ]; then
    sources=yes
    shift
fi
build=$PWD/build/static
folder=$(realpath -m "${1:-$build}")
libraries=$build/libraries
version=$(sed -n 's/^#define AF_VERSION_M[A-Z]* *\([0-9]*\)$/\1/p' include/aflame/version.h | paste -sd.)
machine=$(uname -m)
name=aflame-$version-linux-$machine
mkdir -p "$folder" "$libraries"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

. src/package/sources.sh

# the file contains parts of these packages, the first ones under the LGPL
lesser="libc6-dev libcairo2-dev libelf-dev libfribidi-dev libglib2.0-dev libiberty-dev libpango1.0-dev"
packages="$lesser libbrotli-dev libdeflate-dev libexpat1-dev libffi-dev libfontconfig-dev libfreetype-dev
    libharfbuzz-dev libminizip-dev libpcre2-dev libpixman-1-dev libpng-dev libprotobuf-c-dev libzstd-dev zlib1g-dev
    $(dpkg -S "$(realpath "$(cc -print-file-name=libgcc.a)")" | cut -d: -f1)"
list() { # PACKAGE...
    for package; do package_of "$package"; done | sort -u
}

if [ -n "$sources" ]; then # Debian has only those of the newest versions
    mkdir "$scratch/$name-sources"
    apt-get -qq update
    # shellcheck disable=SC2086
    (cd "$scratch/$name-sources" && apt-get -qq source --download-only $(list $lesser)) ||
        { echo 'static: update this system first' >&2; exit 1; }
fi

# build PACKAGE OPTIONS ARCHIVE...: static libraries from the source of an installed package
build() {
    source=$(package_of "$1") options=$2
    shift 2
    [ ! -e "$libraries/$source" ] || return 0
    [ -n "$(ls "$scratch/lists")" ] || apt-get -qq update
    rm -rf "$build/$source"
    mkdir "$build/$source"
    (
        cd "$build/$source"
        apt-get -qq source "$source"
        cd ./*/
        # shellcheck disable=SC2086
        CFLAGS='-O2 -fPIC -ffunction-sections' CXXFLAGS='-O2 -fPIC -ffunction-sections' meson setup made \
            --wrap-mode=nodownload --default-library=static --buildtype=plain --auto-features=disabled $options
        ninja -C made "$@"
        cd made
        cp "$@" "$libraries"
    )
    rm -r "${build:?}/$source"
    touch "$libraries/$source"
}

build libharfbuzz-dev '-Dglib=enabled -Dfreetype=enabled' src/libharfbuzz.a src/libharfbuzz-subset.a
build libpango1.0-dev '-Dcairo=enabled -Dfontconfig=enabled -Dfreetype=enabled' \
    pango/libpango-1.0.a pango/libpangoft2-1.0.a pango/libpangocairo-1.0.a

cmake --preset package -B "$build" -DAFLAME_STATIC=ON -DCMAKE_LIBRARY_PATH="$libraries"
cmake --build "$build" --target aflame_command
root=$scratch/$name
cmake --install "$build" --component aflame --strip --prefix "$root" >/dev/null
rm -r "$root/share/lintian" "$root/share/doc/aflame/changelog"

# the licences of these packages, as Debian has collected them
licences=$root/share/licenses/aflame
for package in $packages; do
    cp "/usr/share/doc/$package/copyright" "$licences/$package.txt"
done
cp /usr/share/common-licenses/LGPL-2 /usr/share/common-licenses/LGPL-2.1 /usr/share/common-licenses/LGPL-3 \
    /usr/share/common-licenses/GPL-2 /usr/share/common-licenses/GPL-3 "$licences"
cat >"$root/share/doc/aflame/RELINK" <<END
bin/aflame contains libraries under the LGPL and other licences: THIRD-PARTY names them, and
share/licenses/aflame has the texts. You may change a library and link aflame with it again.
aflame-$version.tar.gz, the source of aflame, has the script that made this file, src/package/static.sh; it runs on
$PRETTY_NAME, takes archives (lib*.a) in build/static/libraries before those of the system, and with
--sources downloads the source packages under the LGPL, which also stand next to this file where it is published:

$(list $lesser)

All source packages:

$(list $packages)
END

cpack -G RPM --config "$build/CPackConfig.cmake" -B "$scratch/rpm" -D CPACK_INSTALL_CMAKE_PROJECTS= \
    -D "CPACK_INSTALLED_DIRECTORIES=$root;/usr"
mv "$scratch"/rpm/*.rpm "$folder"
# they name folders below /usr
rm -r "$root/libexec" "$root/share/applications" "$root/share/thumbnailers"
pack() { # ARCHIVE FILE: the same bytes each time
    tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="@${SOURCE_DATE_EPOCH:-$(date +%s)}" -cf "$1" "$2"
}
pack "$scratch/tar" "$name"
gzip -9n <"$scratch/tar" >"$folder/$name.tar.gz"
[ -z "$sources" ] || pack "$folder/$name-sources.tar" "$name-sources"
ls -l "$folder/$name"*.tar* "$folder"/*.rpm
