#!/bin/sh
# saved.sh small|full AFLAME INPUT...
# Outputs of a saved profile are byte for byte those of its recording, in every style of names and
# under steps, except that it holds no single calls for the chart in an SVG; saving it again gives the same bytes. Pictures and pages carry these bytes too.
# `full` compares the outputs of each of them as well.
set -eu
mode=$1
aflame=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# compare SAVED COMMAND...
compare() {
    saved=$1 code=0 saved_code=0
    shift
    "$aflame" "$@" "$name" >want 2>errors || code=$?
    "$aflame" "$@" "$saved" 2>errors >got || saved_code=$?
    sed -i '/^  "carrier": /d' got # which info adds
    if [ $code -ne $saved_code ] || ! cmp -s want got; then
        echo "$input: $*: exit code $code of the recording, $saved_code of $saved" >&2
        cat errors >&2
        diff want got | head -n 5 >&2
        bad=1
    fi
}

compare_all() {
    compare "$1" info --json
    compare "$1" report -q --top 0 --format json
    compare "$1" report -q --top 0 --names full
    compare "$1" report -q --names short --tree down
    compare "$1" report -q --fold framework --collapse-recursion --format csv
    compare "$1" convert -q
    compare "$1" render -q -o - --format svg --no-script
    compare "$1" render -q -o - --format svg --collapse-recursion
}

# What a picture or a page carries is the saved profile itself.
check_carriers() {
    "$aflame" render -q --data full "$name" -o c.svg -o c.png -o c.pdf
    "$aflame" render -q --data full --static "$name" -o static.svg
    "$aflame" render -q --data full --no-script "$name" -o plain.svg
    "$aflame" report -q --data full "$name" -o c.html
    for carrier in c.svg c.png c.pdf c.html static.svg plain.svg; do
        "$aflame" convert -q $carrier -o again.aflp || bad=1
        if ! cmp saved.aflp again.aflp; then
            echo "$input: $carrier carries other bytes" >&2
            bad=1
        fi
    done
    [ "$mode" = small ] || for carrier in c.svg c.png c.pdf c.html; do
        compare_all $carrier
    done
}

bad=0 n=0 at=0
for input; do
    at=$((at + 1))
    [ $((at % ${AFLAME_PART:-1})) -eq 0 ] || continue
    name=$(basename "$input")
    cp "$input" "$name"
    for half in key data sec; do
        [ ! -e "${input%.*}.$half" ] || cp "${input%.*}.$half" .
        [ ! -e "$input.$half" ] || cp "$input.$half" .
    done
    if ! "$aflame" convert -q "$name" -o saved.aflp 2>errors; then
        echo "$input: $(cat errors)" >&2
        bad=1
        continue
    fi
    n=$((n + 1))
    [ "$mode" = full ] || compare_all saved.aflp
    "$aflame" convert -q saved.aflp -o again.aflp
    cmp saved.aflp again.aflp >&2 || bad=1
    check_carriers
    rm -rf "$scratch"/* 2>/dev/null
done
echo "$n profiles"
[ "$bad" -eq 0 ] && [ "$n" -gt 0 ]
