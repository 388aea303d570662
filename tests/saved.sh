#!/bin/sh
# saved.sh AFLAME INPUT...
# Outputs of a saved profile are byte for byte those of its recording, with every style of names and
# under steps; saving it again writes the same bytes.
set -eu
aflame=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

compare() {
    code=0 saved_code=0
    "$aflame" "$@" "$name" >want 2>errors || code=$?
    "$aflame" "$@" saved.aflp >got 2>errors || saved_code=$?
    if [ $code -ne $saved_code ] || ! cmp -s want got; then
        echo "$input: $*: exit code $code of the recording, $saved_code of the saved profile" >&2
        cat errors >&2
        diff want got | head -n 5 >&2
        bad=1
    fi
}

bad=0 n=0
at=0
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
    compare info --json
    compare report -q --top 0 --format json
    compare report -q --top 0 --names full
    compare report -q --names short --tree down
    compare report -q --fold framework --collapse-recursion --format csv
    compare convert -q
    compare render -q -o - --format svg
    "$aflame" convert -q saved.aflp -o again.aflp
    cmp saved.aflp again.aflp >&2 || bad=1
    rm -rf "$scratch"/* 2>/dev/null
done
echo "$n profiles"
[ "$bad" -eq 0 ] && [ "$n" -gt 0 ]
