#!/bin/sh
# perfetto_raw.sh AFLAME PROTOC INPUT...
# The packets that aflame takes from Perfetto traces, by kind, are those that protoc finds without a
# schema. Compressed packets are counted with their content, so protoc unpacks nothing there: inputs
# with such packets are left out.
set -eu
aflame=$1 protoc=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0 n=0

# field and name of the kinds in `info`
cat >"$scratch/kinds" <<'END'
1	ftrace
2	process trees
9	process statistics
11	track events
33	configuration
34	ftrace statistics
35	trace statistics
36	markers of synchronization
37	heap profiles
43	process descriptions
44	thread descriptions
45	system information
47	packages
54	streaming profiles
56	Java heap graphs
60	tracks
61	symbols
64	real names
66	perf samples
69	service events
76	frame timelines
82	translations
89	identifiers
90	ranges of interest
117	task states
120	task names
122	task trees
135	stack samples
END

for input; do
    "$protoc" --decode_raw <"$input" >"$scratch/raw" 2>/dev/null || continue
    ! grep -qE '^  (50|133)[ :]' "$scratch/raw" || continue
    "$aflame" info "$input" >"$scratch/info" 2>/dev/null || continue
    # the line of `packets`, unwrapped; then one line per kind: its number of packets and its name
    awk '/^  packets / { on = 1; sub(/^  packets */, ""); printf "%s", $0; next }
        on && /^              / { sub(/^ */, ""); printf " %s", $0; next }
        { on = 0 }
        END { print "" }' "$scratch/info" |
        sed 's/ ([0-9,]* bytes)\(, \)\{0,1\}/\n/g' | tr -d , |
        sed '/^$/d; s/\(.*\): \([0-9]*\)$/\2\t\1/' | sort >"$scratch/taken"
    awk -F '\t' 'NR == FNR { name[$1] = $2; next }
        /^  [0-9]+( \{|: )/ { line = $0; sub(/^  /, "", line); sub(/[ :].*/, "", line)
                              if (line in name) count[line]++ }
        END { for (field in count) print count[field] "\t" name[field] }' \
        "$scratch/kinds" "$scratch/raw" | sort >"$scratch/found"
    if ! cmp -s "$scratch/taken" "$scratch/found"; then
        echo "$input: aflame (<) and protoc (>) count different packets" >&2
        diff "$scratch/taken" "$scratch/found" >&2 || :
        bad=1
    fi
    n=$((n + 1))
done
echo "$n inputs"
[ $bad -eq 0 ] && [ $n -gt 0 ]
