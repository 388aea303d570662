#!/bin/bash
# sameness.sh AFLAME TRACE
# The same bytes in any environment: locale, time zone, number of jobs, no home, no fonts, no font
# configuration, another directory; and no messages.
set -eu
aflame=$1 trace=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# ids of panels are numbered if there are several processes
cat >processes.json <<'END'
[{"ph": "X", "name": "one", "pid": 1, "tid": 1, "ts": 0, "dur": 900},
 {"ph": "X", "name": "other", "pid": 2, "tid": 1, "ts": 0, "dur": 500}]
END

draw() {
    local to=$1
    shift
    mkdir "$to"
    (cd "$to" && "$@" "$aflame" render -q "$trace" -o a.svg -o a.png -o a.pdf 2>stderr &&
        "$@" "$aflame" render -q --static "$trace" -o static.svg 2>>stderr &&
        "$@" "$aflame" render -q --sheet ../processes.json -o sheet.svg -o sheet.png 2>>stderr &&
        "$@" "$aflame" convert -q "$trace" -o a.folded 2>>stderr &&
        "$@" "$aflame" info --json "$trace" >info.json 2>>stderr)
    if [ -s "$to/stderr" ]; then
        echo "$to: printed a message" >&2
        cat "$to/stderr" >&2
        exit 1
    fi
}

same=0
compare() {
    draw "$@"
    diff -r plain "$1" || { echo "$1: the bytes differ" >&2; exit 1; }
    same=$((same + 1))
}

draw plain env LC_ALL=C.UTF-8
compare no-locale env LC_ALL=C
compare time-zone env TZ=Pacific/Chatham
compare no-fontconfig env FONTCONFIG_FILE=/nonexistent FONTCONFIG_PATH=/nonexistent HOME=/nonexistent XDG_CACHE_HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent XDG_DATA_DIRS=/nonexistent XDG_DATA_HOME=/nonexistent
compare nothing env -i
compare other-fonts env PANGOCAIRO_BACKEND=fc GDK_DPI_SCALE=2 FC_DEBUG= FONTCONFIG_SYSROOT=/nonexistent

# a locale with a decimal comma; created here if the machine has none
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" 2>/dev/null; then
    compare comma env LOCPATH="$scratch" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8
fi

mkdir jobs
for jobs in 1 2 7; do
    "$aflame" render -q --jobs $jobs "$trace" -o jobs/$jobs.svg
    cmp plain/a.svg jobs/$jobs.svg
done
echo "$same environments, the same bytes"
[ "$same" -ge 5 ]
