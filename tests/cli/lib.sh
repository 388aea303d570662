# The commands of a case.
#
#   expect STATUS [-o TEXT] [-e TEXT] [-n TEXT] [-m TEXT] [-l N] [-s FILE] [-w FILE] COMMAND...
#                              runs it (no standard input) and captures its streams; -o, -e, -n, -m
#                              and -l as out_has, err_has, out_lacks, err_is and err_lines, an empty
#                              TEXT after -o or -e as out_empty and err_empty; -s: standard output
#                              has the bytes of FILE; -w writes it into FILE
#   expect_sh STATUS ... TEXT  the same with a command line of the shell, for pipes and redirections
#   out_has, err_has TEXT...   a line of the stream contains each TEXT
#   out_lacks, err_lacks TEXT...         no line contains one
#   contains, omits FILE TEXT...         the same for a file
#   out_empty, err_empty
#   err_is TEXT                the stream is this one line
#   err_lines N                it has N lines
#   err_carries N              the stream is N lines about profiles in pictures
#   present, absent FILE...    absent also takes a pattern, e.g. '.aflame-*'
#   same FILE FILE             byte for byte
#   opens FILE...              a second program reads it: xmllint, pngcheck, pdfinfo
#   check FAILURE COMMAND...   prints FAILURE unless COMMAND succeeds
#   pause WHAT                 sleeps a little, in a loop that waits for WHAT; after five minutes of
#                              that the test ends, with a message
#   wait_for COMMAND...        such a loop, until the command succeeds
#   manual_block PAGE START    prints the literal block of a page that begins with START
#   in_part                    succeeds once in N calls if AFLAME_PART is N/K (../support/part.h)
#   part_of COUNT              prints COUNT, divided by N if AFLAME_PART is N/K
#
# `$data` is tests/data, `$made` the folder of the traces made from its descriptions;
# `$captured/out` and `$captured/err` hold the streams. A case starts in a folder with app.trace, which
# is the sample, release.trace, which is the same with obfuscated names, before.trace and after.trace.

checks=0 failures=0 last=
made=${AFLAME_MADE-$data/../../build/dev/tests/data}

part=${AFLAME_PART-1/0} calls=${part#*/}
in_part() {
    calls=$((calls + 1))
    [ $((calls % ${part%/*})) -eq 0 ]
}
part_of() {
    echo $(($1 / ${part%/*}))
}

fail() {
    failures=$((failures + 1))
    {
        echo "---- $name: $*"
        echo "     after: $last"
        [ ! -s "$captured/out" ] || head -c 600 "$captured/out" | sed 's/^/     out: /'
        [ ! -s "$captured/err" ] || head -c 600 "$captured/err" | sed 's/^/     err: /'
    } >&2
}

awaited= pauses=0
pause() {
    [ "$awaited" = "$1" ] || pauses=0
    awaited=$1 pauses=$((pauses + 1))
    if [ $pauses -gt 10000 ]; then
        echo "---- $name: waited five minutes for $1, which did not come" >&2
        exit 1
    fi
    sleep 0.03
}

wait_for() {
    until "$@"; do
        pause "$*"
    done
}

# Looking for leaks takes a quarter of the time of a short command: one in four does it.
starts=${#name} sanitizer_options=${ASAN_OPTIONS-}
choose_leaks() {
    starts=$((starts + 1))
    export ASAN_OPTIONS="detect_leaks=$((starts % 4 == 0)):$sanitizer_options"
}

# The options at the start of the words: what they say is wanted, and how many words they are.
take_wanted() {
    unset in_out in_err not_in_out err_count exact_err twin out_copy
    taken=0
    while :; do
        case $1 in
        -o) in_out=$2 ;;
        -e) in_err=$2 ;;
        -n) not_in_out=$2 ;;
        -l) err_count=$2 ;;
        -m) exact_err=$2 ;;
        -s) twin=$2 ;;
        -w) out_copy=$2 ;;
        *) break ;;
        esac
        shift 2
        taken=$((taken + 2))
    done
}

check_wanted() {
    [ -z "${in_out+set}" ] || out_has "$in_out"
    [ -z "${in_err+set}" ] || err_has "$in_err"
    [ -z "${not_in_out+set}" ] || out_lacks "$not_in_out"
    [ -z "${exact_err+set}" ] || err_is "$exact_err"
    [ -z "${err_count+set}" ] || err_lines "$err_count"
    [ -z "${twin+set}" ] || same "$captured/out" "$twin"
    [ -z "${out_copy+set}" ] || cp "$captured/out" "$out_copy"
}

through=
expect() {
    expected=$1
    shift
    take_wanted "$@"
    shift $taken
    last=$*
    choose_leaks
    checks=$((checks + 1))
    status=0
    $through "$@" >"$captured/out" 2>"$captured/err" </dev/null || status=$?
    [ "$status" -eq "$expected" ] || fail "exit $status, not $expected"
    check_wanted
}

expect_sh() {
    through='sh -c'
    expect "$@"
    through=
}

contains() {
    holder=$1
    shift
    for piece; do
        checks=$((checks + 1))
        LC_ALL=C grep -qF -e "$piece" "$holder" || fail "no \"$piece\" in ${holder##*/}"
    done
}

omits() {
    holder=$1
    shift
    for piece; do
        checks=$((checks + 1))
        [ -e "$holder" ] && ! LC_ALL=C grep -qF -e "$piece" "$holder" || fail "\"$piece\" in ${holder##*/}"
    done
}

is_empty() {
    checks=$((checks + 1))
    [ ! -s "$captured/$1" ] || fail "$1 is not empty"
}

stream_has() {
    stream=$1
    shift
    if [ -n "$1" ]; then
        contains "$captured/$stream" "$@"
    else
        is_empty "$stream"
    fi
}

out_has() { stream_has out "$@"; }
err_has() { stream_has err "$@"; }
out_lacks() { omits "$captured/out" "$@"; }
err_lacks() { omits "$captured/err" "$@"; }
out_empty() { is_empty out; }
err_empty() { is_empty err; }

err_is() {
    checks=$((checks + 1))
    [ "$(cat "$captured/err")" = "$1" ] || fail "err is not: $1"
}

# Nothing but the N lines about the profiles that pictures carry.
err_carries() {
    checks=$((checks + 1))
    [ "$(wc -l <"$captured/err")" -eq "$1" ] && ! grep -v ': carries the profile of ' "$captured/err" ||
        fail "err has other lines than $1 about profiles"
}

err_lines() {
    checks=$((checks + 1))
    [ "$(wc -l <"$captured/err")" -eq "$1" ] || fail "err does not have $1 lines"
}

present() {
    for file; do
        checks=$((checks + 1))
        [ -s "$file" ] || fail "$file is missing or empty"
    done
}

absent() {
    for pattern; do
        checks=$((checks + 1))
        for file in $pattern; do
            [ ! -e "$file" ] || fail "$file exists"
        done
    done
}

same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

differ() {
    checks=$((checks + 1))
    ! cmp -s "$1" "$2" || fail "$1 and $2 are the same"
}

check() {
    message=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$message"
}

opens() {
    for file; do
        checks=$((checks + 1))
        case $file in
        *.svg) xmllint --noout "$file" ;;
        *.png) pngcheck -q "$file" ;;
        *.pdf) pdfinfo "$file" >/dev/null ;;
        *) false ;;
        esac || fail "$file cannot be opened"
    done
}

# Copies the sample with an edited text part: copy_sample FILE SED-SCRIPT.
copy_sample() {
    LC_ALL=C sed "$2" "$data/sample.trace" >"$1"
}

manual_block() {
    awk -v first="$2" '/^\.Bd -literal/ { inside = 1; text = ""; next }
        /^\.Ed/ { if (inside && index(text, first) == 1) { printf "%s", text; found = 1 } inside = 0 }
        inside { gsub(/\\e/, "\\"); text = text $0 "\n" } END { exit !found }' \
        "$data/../../src/cli/manual/$1.in"
}

# png_width, png_height FILE: pixels
png_width() { png_number "$1" 16; }
png_height() { png_number "$1" 20; }
png_number() {
    od -An -tu1 -j"$2" -N4 "$1" | awk '{ print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4 }'
}

cp "$data/sample.trace" app.trace
copy_sample release.trace "$(cat "$data/release.sed")"
cp "$made/compare_before.trace" before.trace
cp "$made/compare_after.trace" after.trace

finish() {
    [ "$checks" -gt 0 ] || fail "the case checked nothing"
    [ "$failures" -eq 0 ]
}
