#!/bin/sh
# Runs the cases of the command line: run.sh AFLAME DATA [CASE...]
#
# AFLAME is the command, DATA is tests/data. A case is a file in cases/; it runs in its own empty
# directory with the commands of lib.sh. Without a CASE all of them run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { echo "usage: run.sh AFLAME DATA [CASE...]" >&2; exit 2; }
aflame=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)
shift 2
[ -x "$aflame" ] || { echo "run.sh: $aflame is not a program" >&2; exit 2; }
[ $# -gt 0 ] || set -- $(cd "$here/cases" && ls *.sh | sed 's/\.sh$//')

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# the project of aflame must not be found from here
mkdir "$scratch/bin" "$scratch/.git"
ln -s "$aflame" "$scratch/bin/aflame"
PATH=$scratch/bin:$PATH
if [ "${AFLAME_BLESS-}" = 1 ] && [ -n "${CI-}" ]; then
    echo "run.sh: AFLAME_BLESS is refused because CI is set" >&2
    exit 1
fi
unset SOURCE_DATE_EPOCH CI

ran=0 bad=0
for name; do
    case_file=$here/cases/$name.sh
    [ -f "$case_file" ] || { echo "run.sh: case $name does not exist" >&2; exit 2; }
    mkdir "$scratch/$name" "$scratch/$name.streams"
    status=0
    (cd "$scratch/$name" && captured=$scratch/$name.streams && . "$here/lib.sh" &&
        . "$case_file" && finish) 2>"$scratch/$name.messages" || status=1
    cat "$scratch/$name.messages" >&2
    # a check with a mistyped name would pass unnoticed
    ! grep ': not found$' "$scratch/$name.messages" || status=1
    if [ $status -eq 0 ]; then
        echo "ok   $name"
    else
        echo "BAD  $name"
        bad=$((bad + 1))
    fi
    ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "run.sh: no case ran" >&2; exit 1; }
[ "$bad" -eq 0 ]
