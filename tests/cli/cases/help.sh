# Help and version: on standard output, under 80 columns, with every option.
for way in 'aflame --help' 'aflame -h' 'aflame help'; do
    expect 0 -e '' $way
    for word in render info convert report calls diff 'Exit codes:' 'Examples:'; do
        out_has "$word"
    done
    check 'help is not under 80 columns' awk 'length > 79 { exit 1 }' "$captured/out"
done
for verb in render info convert report calls explain diff check merge serve send; do
    common='--jobs --strict'
    case $verb in serve | send) common= ;; esac
    for way in "aflame $verb --help" "aflame $verb -h"; do
        expect 0 -e '' $way
        for word in "aflame $verb [OPTION...]" 'Examples:'; do
            out_has "$word"
        done
        cp "$captured/out" common.txt
        expect 0 $way --all
        for word in $common --quiet --verbose; do
            out_has "$word"
        done
        case $verb in
        serve | send) same common.txt "$captured/out" ;;
        *)
            n=$(grep -c '^  \(-., \|    \)--' common.txt)
            all=$(grep -c '^  \(-., \|    \)--' "$captured/out")
            check "$verb has $n common options" [ "$n" -ge 4 -a "$n" -le 12 ]
            check 'the number of other options is wrong' \
                grep -qF "\"aflame $verb --help --all\" lists $((all - n)) more options." common.txt
            check 'the common options are not first' sh -c \
                "sed -n '/^Common options:/,/^\$/p' common.txt >a; sed -n '/^Common options:/,/^\$/p' '$captured/out' | cmp - a"
            ;;
        esac
        check 'help is not under 80 columns' awk 'length > 79 || / $/ { exit 1 }' "$captured/out"
        check 'help is not ASCII' sh -c "! LC_ALL=C grep -q '[^ -~]' '$captured/out'"
    done
done
# the manual, formatted at build time
for topic in render info convert report calls explain diff check merge serve send formats config libaflame aflame; do
    expect 0 -e '' -o "$(printf '%s' "$topic" | tr '[:lower:]' '[:upper:]')" aflame help $topic
    check "the page about $topic has overstrikes" sh -c "tr -d '\\b' <'$captured/out' | cmp - '$captured/out'"
    expect 0 env LC_ALL=C aflame help $topic
    check "the page about $topic is not ASCII" sh -c "! LC_ALL=C grep -q '[^ -~]' '$captured/out'"
done
# the page for programs that read text: each of its commands runs, and its header names it
cp "$data/mapping.txt" mapping.txt
printf '[start]\nthread = main\nwaits = sleep\nlimit = 5 s\n' >budgets.ini
expect 0 env LC_ALL=C aflame help agents
check 'the page is not ASCII' sh -c "! LC_ALL=C grep -q '[^ -~]' '$captured/out'"
check 'the page has no header' [ "$(sed -n '1p;2s/:.*//p;3s/:.*//p;4p' "$captured/out" | tr '\n' ' ')" = '--- name description --- ' ]
sed -n 's/^ \{4,\}\(aflame .*\)/\1/p' "$captured/out" >commands
check 'the page has fewer than fifteen commands' [ "$(wc -l <commands)" -ge 15 ]
while IFS= read -r command; do
    expect_sh 0 "$command"
done <commands
for verb in render info convert report calls explain diff check merge serve send; do
    expect 0 -w page.txt aflame help $verb
    expect 0 aflame $verb --help --all
    for option in $(sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/--\2/p' "$captured/out"); do
        check "$option is not in the manual of $verb" grep -qE -e "^ +(-., )?$option(=| |\$)" page.txt
    done
done
expect 2 -e 'aflame: no manual page about "xyzzy"; choose one of ' aflame help xyzzy
expect 2 -m 'aflame: no manual page about "formts"; did you mean formats?' aflame help formts

expect 0 aflame render --help --all
for option in --output --format --thread --clock --title --width --scale --theme --inverted \
    --names --min-width --static --full-depth --system-fonts; do
    out_has "$option"
done
out_has 'svg, png, pdf'
expect 0 -o --json aflame info --help
expect 0 -o folded aflame convert --help

for way in 'aflame --version' 'aflame -V'; do
    expect 0 -n cairo -e '' -o 'aflame 0.' $way
done
# twelve common options, and all of them
expect 0 aflame --help
check 'there are not twelve' [ "$(sed -n '/^Common options:/,/^$/p' "$captured/out" | grep -c -- --)" -eq 12 ]
expect 0 -o --min-width aflame --help --all
check 'help is not under 80 columns' awk 'length > 79 { exit 1 }' "$captured/out"
expect 2 -m 'aflame: --all needs --help' aflame render app.trace --all
# pages of the manual go through a pager, on a terminal only
TERM=xterm
export TERM
printf '#!/bin/sh\necho PAGED; head -n 1\n' >pager
chmod +x pager
expect 0 script -qec 'PAGER=./pager aflame help render; echo "status $?"' typed
contains typed PAGED 'status 0'
expect 0 script -qec 'PAGER=no-such-pager aflame help render' typed
contains typed 'Common options'
expect 0 -n PAGED env PAGER=./pager aflame help render
expect 0 script -qec 'TERM=dumb PAGER=./pager aflame help render' typed
omits typed PAGED

expect 0 aflame --version -v
for library in glib cairo pango fontconfig freetype harfbuzz libpng zlib protobuf-c libiberty; do
    out_has "$library "
done
expect_sh 5 -m 'aflame: standard output: cannot write: No space left on device' 'aflame --help >/dev/full'
expect_sh 5 -e 'cannot write' 'aflame render --help >/dev/full'
expect_sh 5 -e 'No space left' 'aflame --version >/dev/full'
