#!/bin/sh
# outputs.sh AFLAME TRACE...
# Draws one trace in every format: a second program opens each file, two runs write the same bytes,
# and the formats with text contain the method names.
set -eu
. "$(dirname "$0")/again.sh"
aflame=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    echo "$trace: $1" >&2
    exit 1
}

# The method with the widest label, if its name is plain: the outermost frame with the most time
# below it. Stacks grow with the square of the depth, so only the start is searched.
find_method() {
    again "$aflame" convert -q "$trace" -o - 2>/dev/null | head -c 2000000 | awk '
        { n = $NF; sub(/ [0-9]+$/, ""); split($0, frame, ";"); sum[frame[2]] += n }
        END { for (f in sum) if (sum[f] > most || (sum[f] == most && f < best)) { most = sum[f]; best = f } print best }' |
        sed 's/.*\.//' | grep -xE '[A-Za-z0-9_$]{2,60}' || true
}

# A trace with times gets a chart; the others are refused with a reason.
check_chart() {
    status=0
    "$aflame" render -q --view chart "$trace" -o one/c.svg -o one/c.png -o one/c.pdf 2>refused ||
        status=$?
    if [ $status -eq 2 ] && grep -q 'does not record when its stacks were sampled\|no wall times' refused; then
        return
    fi
    [ $status -eq 0 ] || fail "no chart, exit $status: $(cat refused)"
    xmllint --noout --huge one/c.svg || fail "c.svg is not XML"
    pngcheck -q one/c.png || fail "c.png is not a PNG"
    pdfinfo one/c.pdf >pdfinfo || fail "c.pdf is not a PDF"
    again "$aflame" render -q --jobs 1 --view chart "$trace" -o other/c.svg -o other/c.png -o other/c.pdf
    for file in c.svg c.png c.pdf; do
        cmp one/$file other/$file || fail "$file differs from run to run"
    done
}

for trace; do
    mkdir -p one other
    status=0
    "$aflame" render -q "$trace" -o one/a.svg -o one/a.png -o one/a.pdf 2>refused || status=$?
    if [ $status -eq 1 ] && grep -q 'nothing to draw: .* --view chart draws its counters' refused; then
        check_chart
        continue
    fi
    [ $status -eq 0 ] || fail "no graph, exit $status: $(cat refused)"
    again "$aflame" render -q "$trace" -o other/a.svg -o other/a.png -o other/a.pdf
    "$aflame" render -q --static "$trace" -o one/static.svg
    again "$aflame" render -q --static "$trace" -o other/static.svg
    for file in a.svg a.png a.pdf static.svg; do
        [ -s one/$file ] || fail "$file is empty"
        cmp one/$file other/$file || fail "$file differs from run to run"
    done
    for file in a.svg static.svg; do
        xmllint --noout --huge one/$file || fail "$file is not XML"
    done
    pngcheck -q one/a.png || fail "a.png is not a PNG"
    pdfinfo one/a.pdf >pdfinfo || fail "a.pdf is not a PDF"
    grep -q '^Pages: *[1-9]' pdfinfo || fail "a.pdf has no pages"
    pdftotext one/a.pdf text || fail "a.pdf has no text"
    method=$(find_method)
    if [ -n "$method" ]; then
        tr -d ' \n' <text | grep -qF "$method" || fail "a.pdf does not contain $method"
        tr -d '\n' <one/a.svg | grep -qF "$method" || fail "a.svg does not contain $method"
    fi
    check_chart
    rm -rf one other
done
