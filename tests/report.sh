#!/bin/sh
# report.sh GOLDEN AFLAME FORMAT TRACE
# GOLDEN holds every table of a report on TRACE, or in golden/calls every call.
set -eu
compare=$(realpath "$(dirname "$0")/golden.sh") golden=$1 aflame=$(realpath "$2") format=$3
cd "$(dirname "$4")"
set -- -q "$(basename "$4")" --format "$format" --top 0
case $golden in
*/golden/calls/*) set -- calls "$@" /./ --sort number ;;
*.html) set -- report "$@" --data none ;;
*)
    set -- report "$@" --by methods --by threads --by classes --by packages --by categories --by sources \
        --method /./ --tree down --tree up --min-percent 0
    ;;
esac
exec "$compare" "$golden" "$aflame" "$@"
