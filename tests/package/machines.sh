#!/usr/bin/env bash
# machines.sh SOURCE TRACES AFLAME ARCHITECTURE
# Builds aflame for i386, arm64 or s390x (big-endian), with clang and the libraries of that Debian. Its tests pass,
# and it prints and draws each of TRACES as AFLAME does. Needs Debian 12 with what .ci/run installs, mmdebstrap,
# arch-test, qemu-user-static, binfmt-support, clang-19, binutils for that architecture, and the network.
set -eu
. "$(dirname "$0")/../same_outputs.sh"
. "$(dirname "$0")/build_and_test.sh"
source=$1 traces=$2 aflame=$3 architecture=$4 build=$1/build/$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$architecture: $*" >&2
    exit 1
}

case $architecture in
i386) machine=i686 triplet=i386-linux-gnu loader=ld-linux.so.2 ;;
arm64) machine=aarch64 triplet=aarch64-linux-gnu loader=ld-linux-aarch64.so.1 ;;
s390x) machine=s390x triplet=s390x-linux-gnu loader=ld64.so.1 ;;
*) fail 'unknown architecture' ;;
esac

# Only unpacked: this machine compiles, and its shell runs the tests.
if [ ! -e "$build/root" ]; then
    mkdir -p "$build"
    packages=$(grep -oE '(lib|zlib)[^ ]*-dev' "$source/.ci/run" | grep -v clang | sort -u | tr '\n' ,)
    mmdebstrap --quiet --variant=extract --architectures="$architecture" --include="${packages}libgcc-12-dev,check" \
        bookworm "$scratch/root" /etc/apt/sources.list.d/debian.sources
    find "$scratch/root/usr/lib" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
        ln -sfr "$scratch/root$target" "$link"
    done
    mv "$scratch/root" "$build/root"
fi
root=$(realpath "$build/root")
libraries=$root/usr/lib/$triplet
cat >"$build/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $machine)
set(CMAKE_SYSROOT $root)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET $machine-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE $triplet)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# the kernel starts qemu for programs
set(CMAKE_CROSSCOMPILING_EMULATOR env)
set(ENV{PKG_CONFIG_LIBDIR} $libraries/pkgconfig:$root/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $root)
# and they find the loader and the libraries where they are
set(flags "-Wl,--disable-new-dtags,-rpath,$libraries:$root/lib/$triplet")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "\${flags}")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "\${flags}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "\${flags} -Wl,--dynamic-linker=$(realpath "$root/lib/$loader")")
END
build_and_test '' -DCMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake"

# FreeType draws curves in another way on other processors than those of Intel and ARM with 64 bits: letters differ in a
# few pixels there.
same_pixels() { # PNG PNG
    [ "$architecture" != arm64 ] || cmp "$1" "$2"
    python3 - "$1" "$2" <<'END'
import struct, sys, zlib

def read(path):
    with open(path, 'rb') as file:
        rest, chunks = file.read()[8:], {}
    while rest:
        size, kind = struct.unpack('>I4s', rest[:8])
        chunks[kind] = chunks.get(kind, b'') + rest[8:8 + size]
        rest = rest[12 + size:]
    return zlib.decompress(chunks.pop(b'IDAT')), chunks

def colours(path): # of a palette of 256; the palette of a picture with more depends on all its pixels
    pixels, chunks = read(path)
    palette = chunks.pop(b'PLTE', b'')
    if len(palette) == 768:
        pixels = b''.join(pixels.translate(palette[channel::3]) for channel in range(3))
    return pixels, chunks

(ours, here), (theirs, there) = colours(sys.argv[1]), colours(sys.argv[2])
differing = sum(abs(a - b) > 24 for a, b in zip(ours, theirs))
sys.exit(here != there or len(ours) != len(theirs) or differing > len(ours) / 10000)
END
}

# Cairo names fonts after a hash of machine words, and rounds the widths of their letters otherwise on i386.
print_pdf() { # FILE
    if [ "$architecture" = i386 ]; then
        pdftotext "$1" -
    else
        LC_ALL=C sed -E 's/[A-Z]{6}\+(Noto|DejaVu)/\1/g' "$1"
    fi
}

same_pictures() { # FOLDER FOLDER
    [ -e "$1/out.png" ] || return 0
    same_pixels "$1/out.png" "$2/out.png" && cmp <(print_pdf "$1/out.pdf") <(print_pdf "$2/out.pdf") &&
        rm "$1"/out.p* "$2"/out.p*
}

same_outputs "$aflame" "$build/aflame" "$traces" same_pictures
