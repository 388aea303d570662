# The examples of the README and the manual are real: this test runs every line after `$` in their
# console blocks (`.Bd -literal` in mdoc) and rewrites each document with the output of the commands.
# AFLAME_BLESS=1 accepts the difference.
#
# Each document runs in its own directory with the same files. In mdoc the comment `.\" FILE path`
# turns the next literal block into such a file.
root=$data/../..

prepare_files() {
    cp "$data/sample.trace" app.trace
    end=$(LC_ALL=C grep -abo '^\*end$' app.trace | cut -d: -f1)
    head -c $((end + 5)) app.trace >old.key
    tail -c +$((end + 6)) app.trace >old.data
    head -c 99999 app.trace >cut.trace
    copy_sample release.trace "$(cat "$data/release.sed")"
    cp "$data/mapping.txt" mapping.txt
    cp "$made/compare_before.trace" before.trace
    cp "$made/compare_after.trace" after.trace
    cp "$made/perf_simpleperf.trace" perf.data
    cp "$made/spall_v3.trace" game.spall
    printf '[{"ph":"X","name":"fetch","pid":1,"tid":1,"ts":0,"dur":30},' >page.json
    printf '{"ph":"X","name":"parse","pid":1,"tid":1,"ts":20,"dur":30}]' >>page.json
    mkdir -p project/src project/.git
    cp release.trace mapping.txt project
}

mdoc_unescape() {
    sed 's/^\\&//; s/\\e/\\/g'
}

mdoc_escape() {
    sed "s/\\\\/\\\\e/g; s/^[.']/\\\\\\&&/"
}

# On a terminal as wide as a page of the manual; longer lines wrap at a blank.
run_on_terminal() {
    COMMAND=$1 SHELL=/bin/sh TERM=dumb \
        script -qec 'stty cols 74 rows 60; eval "$COMMAND"' /dev/null </dev/null | tr -d '\r' |
        LC_ALL=C.UTF-8 sed -E '/^.{75}/{s/^(.{20,74}) +(.*)$/\1\n    \2/;P;D}'
}

run_markdown() {
    block=
    while IFS= read -r line; do
        case $block$line in
        '```console') block=yes: ;;
        'yes:```') block= ;;
        'yes:$ '*)
            printf '%s\n' "$line"
            sh -c "${line#\$ }" 2>&1 </dev/null
            commands=$((commands + 1))
            continue
            ;;
        yes:*) continue ;; # the output of the last command
        esac
        printf '%s\n' "$line"
    done
}

# A literal block without a command is text or a file.
run_mdoc() {
    block= file=
    while IFS= read -r line; do
        case $block$line in
        '.\" FILE '*) file=${line#'.\" FILE '} ;;
        '.Bd -literal'*) block=text: ;;
        *:.Ed) block= file= ;;
        'text:$ '* | 'output:$ '*)
            block=output:
            command=$(printf '%s\n' "${line#\$ }" | mdoc_unescape)
            printf '%s\n' "$line"
            while [ "$command" != "${command%\\}" ] && IFS= read -r line; do
                command=${command%\\}$(printf '%s\n' "$line" | mdoc_unescape)
                printf '%s\n' "$line"
            done
            run_on_terminal "$command" | mdoc_escape
            commands=$((commands + 1))
            continue
            ;;
        output:*) continue ;;
        text:*) [ -z "$file" ] || printf '%s\n' "$line" | mdoc_unescape >>"$file" ;;
        esac
        printf '%s\n' "$line"
    done
}

commands=0
for document in "$root/README.md" "$root"/src/cli/manual/*.in; do
    page=$(basename "$document")
    mkdir "$page"
    cd "$page"
    prepare_files
    case $page in
    *.md) run_markdown <"$document" >"../$page.made" ;;
    *) run_mdoc <"$document" >"../$page.made" ;;
    esac
    for picture in *.svg *.png *.pdf; do
        [ ! -e "$picture" ] || opens "$picture"
    done
    cd ..
    last="the examples of $page"
    if [ "${AFLAME_BLESS-}" = 1 ]; then
        cp "$page.made" "$document"
    fi
    diff "$document" "$page.made" >&2
    same "$document" "$page.made"
done
check 'the documents have fewer than fifty commands' [ $commands -ge 50 ]
