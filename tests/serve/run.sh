#!/bin/bash
# Runs the cases of the server: run.sh AFLAME DATA CASE...
#
# A case is a file in cases/; it runs in its own empty directory with the commands of lib.sh and of
# ../cli/lib.sh. With AFLAME_POSTGRESQL, the folder of PostgreSQL's programs, the stores are databases
# of a PostgreSQL server that is started for this run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { echo "usage: run.sh AFLAME DATA CASE..." >&2; exit 2; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)
shift 2
scratch=$(mktemp -d)
. "$here/postgresql.sh"
trap 'stop_postgresql; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$scratch/.git"
export XDG_DATA_HOME=$scratch/data
unset http_proxy HTTP_PROXY
[ -z "${AFLAME_POSTGRESQL-}" ] || start_postgresql || exit
ran=0 bad=0
for name; do
    [ -f "$here/cases/$name.sh" ] || { echo "run.sh: case $name does not exist" >&2; exit 2; }
    mkdir "$scratch/$name" "$scratch/$name.streams"
    if (cd "$scratch/$name" && captured=$scratch/$name.streams && . "$here/../cli/lib.sh" &&
        . "$here/lib.sh" && . "$here/cases/$name.sh" && finish); then
        echo "ok   $name"
    else
        echo "BAD  $name"
        bad=$((bad + 1))
    fi
    ran=$((ran + 1))
done
[ "$ran" -gt 0 ] && [ "$bad" -eq 0 ]
