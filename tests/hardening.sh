#!/bin/sh
# hardening.sh ARCHIVE FLAGS PROGRAM MODULE...
# The program and its modules have the protections that the compiler and the linker offer; FLAGS lists
# those of the compiler. The static library shares its names with no other library.
set -eu
archive=$1 flags=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

for file; do
    readelf -hldW "$file" >"$scratch/head"
    grep -q '^ *Type: *DYN' "$scratch/head" || fail "$file: not position-independent"
    grep -q GNU_RELRO "$scratch/head" || fail "$file: no RELRO"
    grep -qE '\(FLAGS(_1)?\).*NOW' "$scratch/head" || fail "$file: symbols are bound late, so RELRO is partial"
    grep GNU_STACK "$scratch/head" | grep -q ' RW ' || fail "$file: the stack is executable"
done
readelf -dW "$1" | grep -q 'FLAGS_1.*PIE' || fail "$1: no PIE"
readelf --dyn-syms -W "$1" >"$scratch/symbols"
case $flags in
*_FORTIFY_SOURCE*) grep -qE '__mem(cpy|move)_chk' "$scratch/symbols" || fail "$1: no checks of lengths by the C library" ;;
esac
case $flags in
*-fstack-protector-strong*) grep -q __stack_chk_fail "$scratch/symbols" || fail "$1: no stack protector" ;;
esac
# Linking keeps these notes only if every object has them, also those of the C library.
case $flags in
*-fcf-protection*)
    readelf -n "$archive" >"$scratch/notes" 2>"$scratch/remarks"
    objects=$(grep -c '^File:' "$scratch/notes")
    marked=$(grep -c 'IBT, SHSTK' "$scratch/notes")
    [ "$objects" -gt 100 ] && [ "$marked" -eq "$objects" ] || fail "$archive: $marked of $objects objects have the notes IBT and SHSTK"
    ;;
esac

nm -g --defined-only "$archive" 2>"$scratch/remarks" | awk 'NF == 3 { print $3 }' |
    LC_ALL=C sort >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -gt 500 ] || fail "$archive: too few names"
! grep -v '^af_' "$scratch/names" || fail "$archive: these names have no prefix af_"
