# The words of a case.
#
#   expect STATUS COMMAND...   runs it (no standard input); its streams are kept for the checks
#   out_has, err_has TEXT      a line of the stream has TEXT in it
#   out_lacks, err_lacks TEXT  no line has
#   out_empty, err_empty
#   err_is TEXT                the stream is this one line
#   present, absent FILE...    absent also takes a pattern, e.g. '.aflame-*'
#   same FILE FILE             byte for byte
#   opens FILE...              a second program reads it: xmllint, pngcheck, pdfinfo
#   check WHAT COMMAND...      COMMAND succeeds
#
# `$data` is tests/data, `$made` what its descriptions became; `$said/out` and `$said/err` hold the streams.

checks=0 failures=0 last=
made=${AFLAME_MADE-$data/../../build/dev/tests/data}

fail() {
    failures=$((failures + 1))
    {
        echo "---- $name: $*"
        echo "     after: $last"
        [ ! -s "$said/out" ] || head -c 600 "$said/out" | sed 's/^/     out: /'
        [ ! -s "$said/err" ] || head -c 600 "$said/err" | sed 's/^/     err: /'
    } >&2
}

expect() {
    wanted=$1
    shift
    last=$*
    checks=$((checks + 1))
    status=0
    "$@" >"$said/out" 2>"$said/err" </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit $status, not $wanted"
}

# A whole command line of the shell, for pipes and redirections.
expect_sh() {
    wanted=$1
    shift
    expect "$wanted" sh -c "$1"
}

holds() {
    checks=$((checks + 1))
    LC_ALL=C grep -qF -e "$2" "$said/$1" || fail "no \"$2\" in $1"
}

lacks() {
    checks=$((checks + 1))
    ! LC_ALL=C grep -qF -e "$2" "$said/$1" || fail "\"$2\" in $1"
}

is_empty() {
    checks=$((checks + 1))
    [ ! -s "$said/$1" ] || fail "$1 is not empty"
}

out_has() { holds out "$1"; }
err_has() { holds err "$1"; }
out_lacks() { lacks out "$1"; }
err_lacks() { lacks err "$1"; }
out_empty() { is_empty out; }
err_empty() { is_empty err; }

err_is() {
    checks=$((checks + 1))
    [ "$(cat "$said/err")" = "$1" ] || fail "err is not: $1"
}

err_lines() {
    checks=$((checks + 1))
    [ "$(wc -l <"$said/err")" -eq "$1" ] || fail "err has not $1 lines"
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
            [ ! -e "$file" ] || fail "$file is there"
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
    what=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$what"
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

# The sample with its text part changed: copy_sample FILE SED-SCRIPT.
copy_sample() {
    LC_ALL=C sed "$2" "$data/sample.trace" >"$1"
}

finish() {
    [ "$checks" -gt 0 ] || fail "nothing was checked"
    [ "$failures" -eq 0 ]
}
