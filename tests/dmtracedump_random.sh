#!/bin/sh
# dmtracedump_random.sh AFLAME RANDOM_TRACE COUNT
# In COUNT random traces the times of the first table add up to its total, and every record has a
# line. Where dmtracedump is installed, the test compares all bytes with its output.
set -eu
aflame=$1 random_trace=$2 count=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

complain() {
    echo "seed $seed: $1" >&2
    exit 1
}

# shellcheck disable=SC2046
"$random_trace" . $(seq "$count")
seed=0 summed=0
while [ "$seed" -lt "$count" ]; do
    seed=$((seed + 1))
    mv "$seed.trace" r.trace
    "$aflame" report -q --format dmtracedump --quirks r.trace >tables
    "$aflame" report -q --records --quirks r.trace >records
    if command -v dmtracedump >/dev/null; then
        dmtracedump r.trace >theirs 2>/dev/null || complain 'dmtracedump gave up'
        cmp tables theirs || complain 'other tables'
        dmtracedump -o r.trace >theirs 2>/dev/null
        cmp records theirs || complain 'other records'
    fi
    # negative steps are printed with 20 digits, which awk cannot add
    if ! grep -q '[0-9]\{19\}' tables; then
        summed=$((summed + 1))
        awk '/^Total cycles/ { total = $3 }
             /^====/ { table++ }
             table == 1 && /^ *[0-9]+ +[0-9.]+ +[0-9.]+  \[/ { sum += $1 }
             END { exit sum != total }' tables || complain 'the first table does not add up'
    fi
    grep -q '^Trace (' records || complain 'no records'
done
[ "$summed" -gt $((count / 2)) ]
