# A typing mistake prints one line, and aflame writes no files.

expect 2 -e 'aflame --help' -o '' aflame
expect 2 -m 'aflame: "rendr" is neither a verb nor a file; did you mean render?' aflame rendr app.trace
expect 3 -m 'aflame: none\xff.trace: cannot open: No such file or directory' aflame info "$(printf 'none\377.trace')"
expect 2 -e 'unknown option --no-xyzzy' aflame render app.trace --no-xyzzy
expect 2 -e 'unknown option --no-thread' aflame render app.trace --no-thread
expect 2 -e 'lists the verbs' aflame xyzzy
expect 2 -e 'did you mean render?' aflame help rendr
for verb in render info convert; do
    expect 2 -e "name a trace, or - for standard input" aflame $verb
    expect 2 aflame $verb app.trace --xyzzy
    err_is "aflame: unknown option --xyzzy; \"aflame $verb --help\" lists the options"
    expect 2 -e 'unknown option -x' aflame $verb app.trace -x
    expect 2 -m 'aflame: unknown option --stric; did you mean --strict?' aflame $verb app.trace --stric
    expect 2 -m 'aflame: --strict takes no value' aflame $verb app.trace --strict=yes
    expect 2 -m 'aflame: --jobs needs a value: --jobs=N' aflame $verb app.trace --jobs
    for jobs in 0 x -1 1025 99999999999999999999 ''; do
        expect 2 -e '--jobs takes a number from 1 to 1024' aflame $verb app.trace --jobs "$jobs"
    done
    expect 2 -m 'aflame: --jobs takes a number from 1 to 1024, not "0x"' aflame $verb app.trace -qj0x
done
expect 2 -m 'aflame: unknown option --thraed; did you mean --thread?' aflame render app.trace --thraed main
# the names of flamegraph.pl
for theirs in minwidth countname nametype reverse flamechart factor total negate subtitle notes colors bgcolors \
    hash random cp fonttype fontsize encoding; do
    expect 2 -e "aflame: unknown option --$theirs: " aflame render app.trace --$theirs 1
    case $theirs in negate | encoding) ;; *) check "--$theirs leads nowhere" grep -qE ': .*--[a-z]' "$captured/err" ;; esac
    for ours in $(grep -oE -- '--[a-z-]+' "$captured/err" | tail -n +2); do
        check "$ours is no option" sh -c "aflame render --help --all | grep -qE -- ' $ours(=| |$)'"
    done
done
expect 2 aflame render app.trace --minwidth 0.5
err_is 'aflame: unknown option --minwidth: that is --min-width here, in pixels'
expect 2 -e 'the colour shows whose code a frame is' aflame render app.trace --colors=java
expect 2 -m 'aflame: unknown option --flamechart: that is --view=chart here' aflame render app.trace --flamechart
expect 2 -m 'aflame: --clock takes one of wall, cpu, wait; did you mean cpu?' aflame render app.trace --clock cup
expect 2 -m 'aflame: --clock takes one of wall, cpu, wait, not "sun"' aflame convert app.trace --clock sun
expect 2 -e 'did you mean dark?' aflame render app.trace --theme drak
expect 2 -e '--names takes one of class, short, full' aflame render app.trace --names long
expect 2 -e '--format takes one of svg, png, pdf' aflame render app.trace --format jpeg
expect 2 -e 'did you mean png?' aflame render app.trace --format pgn
for width in 0 199 100001 -5 1e3 12x '' 1.234; do
    expect 2 -e '--width takes a number from 200 to 100000' aflame render app.trace --width "$width"
done
for scale in 0 0.09 17 two 1,5 .; do
    expect 2 -e '--scale takes a number from 0.1 to 16' aflame render app.trace --scale "$scale"
done
expect 2 -e '--min-width takes a number from 0 to 1000' aflame render app.trace --min-width=-1
expect 2 -e 'formats: svg, png, pdf' aflame render app.trace -o graph.jpg
expect 2 -e 'graph: the name does not end in a known format' aflame render app.trace -o graph
expect 2 -e 'formats: folded' aflame convert app.trace -o graph.svg
expect 2 -m 'aflame: a.svg: is given as an output twice' aflame render app.trace -o a.svg -o a.svg
expect 2 -e 'is given as an output twice' aflame render app.trace -o - -o /dev/stdout
mkdir folder
ln -s folder link
for pair in 'a.svg ./a.svg' 'folder/a.svg link/a.svg' 'folder/../a.svg a.svg' \
    '/dev/null /dev/../dev/null'; do
    # shellcheck disable=SC2086
    expect 2 -m "aflame: ${pair#* }: is given as an output twice" aflame render app.trace -o ${pair% *} -o ${pair#* }
done
check 'a picture was drawn' [ ! -e a.svg ]
# two names of one file become two files
echo >one.folded
ln one.folded other.folded
expect 0 aflame convert app.trace -o one.folded -o other.folded
same one.folded other.folded
expect 2 aflame render app.trace app.trace -o a.svg
err_is 'aflame: app.trace and 1 more: app.trace does not hold folded stacks; several inputs can be combined only if all are folded stacks; leave out -o to draw each trace into its own file'
expect 2 -e 'run aflame once for each trace' aflame convert app.trace app.trace
expect 2 -e 'SOURCE_DATE_EPOCH is "soon"' env SOURCE_DATE_EPOCH=soon aflame render app.trace -o a.svg
expect 2 aflame render app.trace -o a.svg --thread mian
err_is 'aflame: app.trace: no thread with records has the name or id "mian"; did you mean "main"?'
expect 2 -e 'no thread with records has the name or id "1"' aflame convert app.trace --thread 1
expect 2 -e 'is not a valid regular expression' aflame convert app.trace --thread '/(/'
cp app.trace app.svg
expect 2 -m 'aflame: app.svg: would overwrite the input; nothing was written' aflame render app.svg -o app.svg
same app.svg app.trace
rm app.svg
absent '*.svg' '.aflame-*'

# an address must not become the name of a folder, and its password appears nowhere
expect 2 aflame serve --store mysql://user:secret@host/aflame
err_is 'aflame: --store takes a folder or a postgresql:// address'
expect 2 aflame serve --no-store --store postgresql://user@host/aflame
err_is 'aflame: --store and --no-store exclude each other'
expect 5 aflame serve --store 'postgresql://user:secret@%2fnowhere/aflame'
err_has 'PostgreSQL: connection to server on socket "/nowhere/'
err_lacks secret
absent '*sql:'

# an empty value, such as that of a variable that is not set, is not ignored
for line in '--process perfetto_processes.trace' '--unit folded.trace' '--event perf_linux.trace'; do
    expect 2 -m "aflame: ${line%% *}: the value is empty" aflame info "${line%% *}" '' "$made/${line##* }"
done
expect 0 aflame render --title '' "$data/sample.trace" -o untitled.svg

# ---- the lists of --list and --csp-hash depend on no other option ----
expect 0 aflame convert --list --jobs 2
expect 2 -m 'aflame: --clock has no effect with --list' aflame convert --list --clock cpu
expect 2 -m 'aflame: --width has no effect with --csp-hash' aflame render --csp-hash --width 300

# ---- a sandwich without filling ----
expect 1 aflame render "$data/sample.trace" --view sandwich --thread RenderThread --method performLaunchActivity -o x.svg
err_has "the selected threads never call a method that matches 'performLaunchActivity'"
printf '{"traceEvents":[{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"x"}}]}' >idle.json
expect 1 -e 'no method matches "x"' aflame render idle.json --view sandwich --method x -o x.svg
absent x.svg
