# compare_golden GOLDEN ACTUAL: the test fails unless both files are the same.
# With AFLAME_BLESS=1 it replaces GOLDEN by ACTUAL instead, except in CI. Test scripts source this
# file.

compare_golden() {
    if [ "${AFLAME_BLESS:-}" = 1 ]; then
        if [ -n "${CI:-}" ]; then
            echo "$1: AFLAME_BLESS is refused because CI is set" >&2
            exit 1
        fi
        mkdir -p "$(dirname "$1")"
        cp "$2" "$1"
        echo "blessed $1"
    elif [ ! -s "$1" ]; then
        echo "$1 is missing: check the output below, then run with AFLAME_BLESS=1" >&2
        cat "$2" >&2
        exit 1
    else
        diff -u "$1" "$2"
    fi
}
