#!/bin/sh
# abi.sh SOURCE
# src/package/abi.sh accepts an interface that has grown since the last release, and rejects one that lacks a
# function.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone -q --no-hardlinks "$1" "$scratch/clone"
cd "$scratch/clone"
git tag -d $(git tag) >/dev/null
src/package/abi.sh >"$scratch/output"
grep -q '^abi: there is no release yet' "$scratch/output"

git -c user.name=test -c user.email=test@debian.org tag -a v9.8.6 -m test
sed -i '/^} af_diff_options;/s/^/    unsigned more;\n/' include/aflame/diff.h
sed -i 's/^AF_API void af_error_clear.*/&\nAF_API int af_error_new(void);/' include/aflame/error.h
printf 'int af_error_new(void)\n{\n    return 1;\n}\n' >>src/api/error.c
sed -i 's/^ *af_error_clear;/&\n        af_error_new;/' src/api/aflame.map
src/package/abi.sh >"$scratch/output" || { cat "$scratch/output" >&2; exit 1; }
grep -q 'af_error_new' "$scratch/output"

sed -i '/^ *af_profile_hash;/d' src/api/aflame.map
! src/package/abi.sh >"$scratch/output" 2>"$scratch/error" || { echo 'a missing function is accepted' >&2; exit 1; }
grep -q 'af_profile_hash' "$scratch/output"
grep -q 'programs built with v9.8.6 may not work' "$scratch/error"
